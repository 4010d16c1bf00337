// Every stage of one row of a large map, exactly: what the inspector shows of it.
#pragma once

#include "core/map/row_problem.h"
#include "ui/computation.h"

#include <QObject>
#include <QThreadPool>

#include <atomic>

namespace attnlab::ui {

/// Computes rows off the GUI thread; the latest wish wins.
class RowReader : public QObject {
    Q_OBJECT
public:
    explicit RowReader(QObject* parent = nullptr);
    /// Cancels and waits.
    ~RowReader() override;

    void setProblem(const AttentionProblem& problem);
    void read(const std::shared_ptr<const AttentionMap>& map, std::int64_t batch, std::int64_t head, int row);
    void cancel() { ++latest_; }

signals:
    /// `problem` is the row's own, as RowProblems makes it.
    void rowRead(attnlab::ui::ComputedPtr computed, const attnlab::AttentionProblem& problem, int row);

private:
    std::shared_ptr<RowProblems> rows_; ///< for the one thread of the pool
    std::atomic<int> latest_ = 0;
    QThreadPool pool_;
};

} // namespace attnlab::ui
