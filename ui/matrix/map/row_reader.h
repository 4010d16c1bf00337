// Computes what the inspector shows of a large map exactly: every stage of one row, and the scores of its head.
#pragma once

#include "core/map/row_problem.h"
#include "ui/document/computation.h"

#include <QObject>

#include <optional>
#include <utility>

namespace attnlab::ui {

/// Computes rows in a worker thread; only the latest request counts. Rows with errors are ignored: the inspector does
/// not change, and the map reports the error.
class RowReader : public QObject {
    Q_OBJECT
public:
    explicit RowReader(QObject* parent = nullptr);

    void setProblem(const AttentionProblem& problem);
    void read(const std::shared_ptr<const AttentionMap>& map, std::int64_t batch, std::int64_t head, int row);
    void cancel();

signals:
    /// `problem` is that of the row, made by RowProblems.
    void rowRead(attnlab::ui::ComputedPtr computed, const attnlab::AttentionProblem& problem, int row);
    /// The head of the rows read from now on; nullopt: not known yet, or not finite.
    void scoresKnown(const std::optional<attnlab::RowProblems::ScoreMoments>& scores);

private:
    struct Row {
        ComputedPtr computed;
        AttentionProblem problem;
        int number = 0;
    };
    std::shared_ptr<RowProblems> rows_; ///< used by one run at a time
    LatestJob<Row> job_;
    using HeadScores = std::optional<RowProblems::ScoreMoments>;
    LatestJob<HeadScores> scores_;
    std::optional<std::pair<std::int64_t, std::int64_t>> head_; ///< batch and head of the scores
};

} // namespace attnlab::ui
