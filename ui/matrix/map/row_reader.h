// Every stage of one row of a large map, exactly: what the inspector shows of it.
#pragma once

#include "core/map/row_problem.h"
#include "ui/document/computation.h"

#include <QObject>

namespace attnlab::ui {

/// Computes rows off the GUI thread; the latest request wins. Rows that cannot be computed are left out: the inspector
/// keeps what it shows, and the map says what is wrong.
class RowReader : public QObject {
    Q_OBJECT
public:
    explicit RowReader(QObject* parent = nullptr);

    void setProblem(const AttentionProblem& problem);
    void read(const std::shared_ptr<const AttentionMap>& map, std::int64_t batch, std::int64_t head, int row);
    void cancel() { job_.cancel(); }

signals:
    /// `problem` is the row's own, as RowProblems makes it.
    void rowRead(attnlab::ui::ComputedPtr computed, const attnlab::AttentionProblem& problem, int row);

private:
    struct Row {
        ComputedPtr computed;
        AttentionProblem problem;
        int number = 0;
    };
    std::shared_ptr<RowProblems> rows_; ///< for one run at a time
    LatestJob<Row> job_;
};

} // namespace attnlab::ui
