// Asks how the picture of a step shall look, and writes it.
#pragma once

#include "ui/plot/drawing.h"

#include <QDialog>

#include <memory>

class QCheckBox;
class QComboBox;
class QDialogButtonBox;
class QLabel;
class QPushButton;

namespace attnlab::ui {

class ErrorLabel;
class PicturePage;

/// What is exported: the same board with or without words below it.
struct ExportedStep {
    std::shared_ptr<const Drawing> board; ///< not null
    QString title;
    QString text;      ///< Markdown; empty: there is nothing to say
    QString file_name; ///< proposed, without suffix
};

class StepExportDialog : public QDialog {
    Q_OBJECT
public:
    explicit StepExportDialog(ExportedStep step, QWidget* parent = nullptr);

    QComboBox* format() const { return format_; }
    QCheckBox* withText() const { return with_text_; }
    /// Writes to `path`. False when that fails: the dialog says why.
    bool exportTo(const QString& path);
    QString errorText() const;

signals:
    void exported(const QString& file);

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void refresh();
    std::unique_ptr<Drawing> drawing() const;
    void askAndExport();

    ExportedStep step_;
    QComboBox* format_;
    QLabel* format_label_;
    QCheckBox* with_text_;
    PicturePage* picture_;
    QLabel* preview_;
    ErrorLabel* error_;
    QDialogButtonBox* buttons_;
    QPushButton* export_button_;
};

} // namespace attnlab::ui
