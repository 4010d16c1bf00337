// Checks the lesson that is being written, step by step, in the background.
#pragma once

#include "core/lessons/draft_check.h"
#include "ui/widgets/latest_job.h"

#include <memory>
#include <QObject>
#include <QTimer>
#include <vector>

namespace attnlab::ui {

class LessonDocument;

/// The step that is edited comes first. Unchanged steps are not checked again.
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
