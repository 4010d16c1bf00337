// Asks for the paper of a handout, makes it and writes it.
#pragma once

#include "ui/learn/lesson.h"

#include <QDialog>
#include <QPageSize>

#include <memory>

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;

namespace attnlab::ui {

class ErrorLabel;
class HandoutMaker;

class HandoutDialog : public QDialog {
    Q_OBJECT
public:
    /// `file_name` is proposed, without suffix.
    HandoutDialog(LessonPtr lesson, QString file_name, QWidget* parent = nullptr);
    ~HandoutDialog() override;

    QComboBox* paper() const { return paper_; }
    /// Begins to make it; exported() or errorText() say how it ended. Closing the dialog cancels, and then there is no
    /// file.
    void exportTo(const QString& path);
    bool isWorking() const { return maker_ != nullptr; }
    QString errorText() const;

signals:
    void exported(const QString& file);

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void askAndExport();
    void write();
    void endWork();

    LessonPtr lesson_;
    QString file_name_;
    QString path_;
    std::unique_ptr<HandoutMaker> maker_; ///< while one is being made
    QLabel* words_;
    QLabel* paper_label_;
    QComboBox* paper_;
    QProgressBar* progress_;
    ErrorLabel* error_;
    QPushButton* export_button_;
    QPushButton* cancel_;
};

} // namespace attnlab::ui
