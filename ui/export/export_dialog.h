// Asks for output, format and options of an export, and writes it.
#pragma once

#include "ui/export/export_subject.h"

#include <QDialog>

class QComboBox;
class QFormLayout;
class QLabel;
class QPushButton;

namespace attnlab::ui {

class AnimationPage;
class ErrorLabel;
class PicturePage;
class ScrollRoom;

/// Modal to its window, so its language does not change.
class ExportDialog : public QDialog {
    Q_OBJECT
public:
    explicit ExportDialog(ExportSubject subject, QWidget* parent = nullptr);

    /// Ignores an unknown output or suffix.
    void choose(const QString& output, const QString& suffix = {});
    QString suffix() const;

    /// Writes the selected output to `path` in the background, with progress and Cancel. False when it fails, which the
    /// dialog shows, or is cancelled.
    bool exportTo(const QString& path);
    const QStringList& writtenFiles() const { return written_; }
    QString errorText() const;
    /// The proposed name of the file, without suffix: "weights-head-3".
    QString proposedName() const;
    /// "Writes 8 files, one for each matrix: ..."
    QString description() const;

    /// Cancels an export that is in progress; otherwise closes the dialog.
    void reject() override;

signals:
    void exported(const QStringList& files);

private:
    struct ChoiceField {
        const ExportChoice* choice;
        QWidget* field;
    };
    void addChoice(const ExportChoice& choice);
    void layOut();
    void giveRoom();
    QSize previewSize() const;
    void connectAll();
    const ExportOutput& output() const;
    ExportSettings chosen() const;
    QStringList filesFor(const QString& path) const;
    void refreshFormats();
    void refresh();
    void refreshPreview();
    void askAndExport();

    const ExportSubject subject_;
    std::vector<ChoiceField> choices_;
    QStringList written_;
    QComboBox* what_;
    QComboBox* format_;
    QFormLayout* form_;
    PicturePage* picture_;
    AnimationPage* animation_;
    ScrollRoom* options_ = nullptr; ///< where the screen is too low for all
    QLabel* description_;
    QLabel* preview_;
    ErrorLabel* error_;
    QPushButton* export_button_ = nullptr;
};

/// Opens the dialog over `window`; it deletes itself when closed.
ExportDialog* openExport(ExportSubject subject, QWidget* window);

} // namespace attnlab::ui
