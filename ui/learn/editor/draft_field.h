// The fields of a lesson that is being written, with what is wrong with each below, and the check in the background
// that finds it.
#pragma once

#include "core/lessons/draft_check.h"
#include "core/message.h"
#include "ui/widgets/latest_job.h"

#include <functional>
#include <memory>
#include <QObject>
#include <QString>
#include <QTimer>
#include <QWidget>
#include <string>
#include <string_view>
#include <vector>

class QAbstractButton;
class QHBoxLayout;
class QLineEdit;
class QPlainTextEdit;

namespace attnlab::ui {

class ErrorLabel;
class LessonDocument;

/// Its keys for undo are those of the editor around it: the lesson has one list of undo steps.
class DraftField : public QWidget {
    Q_OBJECT
public:
    enum class Lines { One, Several };
    /// `title` stands above it, and is its name for screen readers.
    DraftField(Lines lines, const QString& title, QWidget* parent = nullptr);

    /// Keeps the cursor where the text is the same. `error`: null for none.
    void show(const std::string& text, const Message* error);
    QString text() const;
    QString error() const;
    /// Types `text` at the cursor.
    void insert(const QString& text);
    void setPlaceholder(const QString& text);
    QWidget* editor() const;
    /// To the right of the title.
    void addButton(QAbstractButton* button);

    /// Changes where an undo step of typed text begins: at a word, and where something else is done or elsewhere.
    static int typingRun();

signals:
    /// The user has typed.
    void edited(const QString& text);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void typed();
    void keepRoom(bool on);

    QString last_; ///< the text before the latest edit
    QHBoxLayout* heading_;
    QLineEdit* line_ = nullptr;
    QPlainTextEdit* lines_ = nullptr;
    ErrorLabel* error_;
};

/// The lesson and the step that a form edits.
struct EditedLesson {
    const lessons::Draft& draft;
    int step = -1;                                          ///< -1: the lesson has none
    std::string language;                                   ///< of the texts
    std::shared_ptr<const lessons::DraftStepReport> report; ///< of the step as it is; null while it is checked
    std::shared_ptr<const lessons::DraftStepReport> board;  ///< the same, whatever its texts are now
    const std::vector<lessons::DraftMistake>& mistakes;     ///< of the lesson apart from its steps

    /// Null without steps.
    const lessons::DraftStep* edited() const {
        return step < 0 ? nullptr : &draft.steps.at(static_cast<std::size_t>(step));
    }
    const lessons::DraftText& text() const;
    /// Of a field in the language, or without one.
    const Message* textMistake(std::string_view field) const { return mistakeOf(language, field); }
    /// A statement about the settings of the step, for fields that are empty; empty without settings.
    QString exampleStatement() const;
    const Message* mistake(std::string_view field) const { return mistakeOf({}, field); }

private:
    /// While the step is checked, mistakes that were there before stay: otherwise all would blink at each letter.
    const Message* mistakeOf(std::string_view language, std::string_view field) const {
        const auto& known = report ? report : board;
        return known ? known->mistake_of(language, field) : nullptr;
    }
};

/// One page of the editor.
class DraftForm : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;

    virtual void show(const EditedLesson& lesson) = 0;

signals:
    /// A change of the lesson; those of one `field`, one after the other, are one undo step. Empty: a step of its own.
    void lessonChanged(const std::function<void(attnlab::lessons::Draft&)>& change, const QString& field);
    void stepChanged(const std::function<void(attnlab::lessons::DraftStep&)>& change, const QString& field);
    /// The texts of the step in the language on show.
    void textChanged(const std::function<void(attnlab::lessons::DraftText&)>& change, const QString& field);
};

/// Checks the lesson that is being written, step by step, in the background. The step that is edited comes first.
/// Unchanged steps are not checked again.
class DraftChecker : public QObject {
    Q_OBJECT
public:
    using ReportPtr = std::shared_ptr<const lessons::DraftStepReport>;

    /// The document must outlive it.
    explicit DraftChecker(const LessonDocument& document, QObject* parent = nullptr);

    /// Of a step as it is now; null while it is being checked. Only the step that is edited has its result.
    ReportPtr report(int step) const;
    /// Of a step with this board, whatever its texts are now; null if there is none.
    ReportPtr reportOfBoard(int step) const;
    /// report(), or while that is computed, reportOfBoard().
    ReportPtr latestReport(int step) const {
        const auto now = report(step);
        return now ? now : reportOfBoard(step);
    }
    /// Of the lesson apart from its steps.
    const std::vector<lessons::DraftMistake>& lessonMistakes() const { return lesson_mistakes_; }
    /// All steps are checked.
    bool isSettled() const;

signals:
    void checked();

private:
    /// What a report depends on.
    struct Checked {
        lessons::DraftStep step;
        std::vector<std::string> languages;
        ReportPtr report;
    };
    void begin();
    void next();
    bool isStale(int step) const;
    std::vector<std::string> languages() const;
    const Checked* find(int step) const;

    const LessonDocument& document_;
    std::shared_ptr<const lessons::LessonFiles> resources_;
    std::vector<Checked> checked_; ///< by id of the step
    std::vector<lessons::DraftMistake> lesson_mistakes_;
    QTimer timer_;
    LatestJob<Checked> job_;
};

} // namespace attnlab::ui
