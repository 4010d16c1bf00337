// Lectures of the user: the file of one, and the dialog that composes it.
#pragma once

#include "core/lessons/lecture_draft.h"
#include "ui/learn/lesson/displayed_lesson.h"

#include <QDialog>
#include <QString>
#include <string>
#include <vector>

class QCheckBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPlainTextEdit;
class QPushButton;
class QTreeWidget;

namespace attnlab::ui {

class ErrorLabel;

bool isLectureFile(const QString& path);
/// Its key is the path. `shipped`: the lessons whose steps it may have. Throws Error.
LessonPtr readLectureFile(const QString& path, const std::vector<LessonPtr>& shipped);
/// The text of a lecture, in a file or a resource. Throws Error where it cannot be read.
std::string lectureBytes(const QString& path);

/// Steps of lessons are put in an order; each has minutes and may have a slide. Modal to its window.
class LectureDialog : public QDialog {
    Q_OBJECT
public:
    explicit LectureDialog(std::vector<LessonPtr> lessons, QWidget* parent = nullptr);

    const lessons::LectureDraft& draft() const { return draft_; }
    /// Adds a step after the chosen one, unless it is there.
    void add(int lesson, int step);
    void choose(int entry);
    void move(int by);
    void removeEntry();
    /// Reads a file into the dialog. False where that fails: error() says why.
    bool readFile(const QString& path);
    /// Writes the lecture. False where that fails: error() says why.
    bool save(const QString& path);
    bool isChanged() const { return !(draft_ == saved_); }
    QString error() const;

    QLineEdit* title() const { return title_; }
    QLineEdit* summary() const { return summary_; }
    QTreeWidget* steps() const { return steps_; }
    QListWidget* entries() const { return entries_; }
    QDoubleSpinBox* minutes() const { return minutes_; }
    QCheckBox* asks() const { return asks_; }
    QPlainTextEdit* text() const { return text_; }
    QPlainTextEdit* answer() const { return answer_; }

signals:
    void saved(const QString& path);

public slots:
    void reject() override;

private:
    void build();
    void fillSteps();
    void chooseFile();
    bool chooseWhereToSave();
    bool mayDiscard();
    void showEntries();
    void showEntry();
    void showWords();
    void takeEntry();
    std::vector<const lessons::Lesson*> contents() const;
    const lessons::Step* stepOf(const lessons::LectureEntry& entry) const;
    QString titleOf(const lessons::LectureEntry& entry) const;
    lessons::LectureEntry* chosen();

    std::vector<LessonPtr> lessons_;
    lessons::LectureDraft draft_, saved_;
    QString path_;
    bool showing_ = false; ///< fields are filled, not edited
    QLineEdit *title_, *summary_;
    QTreeWidget* steps_;
    QListWidget* entries_;
    QPushButton *add_, *up_, *down_, *remove_;
    QDoubleSpinBox* minutes_;
    QCheckBox* asks_;
    QPlainTextEdit *text_, *answer_;
    QLabel *text_words_, *answer_words_, *total_;
    ErrorLabel* error_;
};

} // namespace attnlab::ui
