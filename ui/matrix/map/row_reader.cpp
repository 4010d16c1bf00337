#include "ui/matrix/map/row_reader.h"

namespace attnlab::ui {

RowReader::RowReader(QObject* parent)
    : QObject(parent), job_([this](const Row& row) { emit rowRead(row.computed, row.problem, row.number); }),
      scores_([this](const HeadScores& scores) { emit scoresKnown(scores); }) {}

void RowReader::cancel() {
    job_.cancel();
    scores_.cancel();
    head_.reset();
}

void RowReader::setProblem(const AttentionProblem& problem) {
    cancel();
    rows_ = std::make_shared<RowProblems>(problem);
}

void RowReader::read(const std::shared_ptr<const AttentionMap>& map, std::int64_t batch, std::int64_t head, int row) {
    job_.request([map, batch, head, row, rows = rows_](const RunControl& control) {
        auto problem = rows->row(*map, batch, head, row);
        const Backend* const reference[] = {&reference_backend()};
        auto computed = std::make_shared<const Computed>(compute(problem, reference, "reference", control));
        return Row{std::move(computed), std::move(problem), row};
    });
    if (std::exchange(head_, std::pair(batch, head)) == std::pair(batch, head))
        return;
    emit scoresKnown({});
    scores_.request(
        [batch, head, rows = rows_](const RunControl& control) { return rows->score_moments(batch, head, control); });
}

} // namespace attnlab::ui
