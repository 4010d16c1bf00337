#include "ui/map/row_reader.h"

#include <QMetaObject>

namespace attnlab::ui {

RowReader::RowReader(QObject* parent) : QObject(parent) { pool_.setMaxThreadCount(1); }

RowReader::~RowReader() {
    cancel();
    pool_.clear();
    pool_.waitForDone();
}

void RowReader::setProblem(const AttentionProblem& problem) {
    cancel();
    rows_ = std::make_shared<RowProblems>(problem);
}

void RowReader::read(const std::shared_ptr<const AttentionMap>& map, std::int64_t batch, std::int64_t head, int row) {
    const int wish = ++latest_;
    pool_.clear();
    pool_.start([this, wish, map, batch, head, row, rows = rows_] {
        RunControl control;
        control.cancelled = [this, wish] { return latest_ != wish; };
        try {
            control.checkpoint();
            const auto problem = rows->row(*map, batch, head, row);
            const Backend* const reference[] = {&reference_backend()};
            const auto computed = std::make_shared<const Computed>(compute(problem, reference, "reference", control));
            QMetaObject::invokeMethod(
                this,
                [this, wish, computed, problem, row] {
                    if (wish == latest_)
                        emit rowRead(computed, problem, row);
                },
                Qt::QueuedConnection);
        } catch (const std::exception&) {
            // Cancelled, or a row that cannot be had: the inspector keeps what it shows, the map says what is wrong.
        }
    });
}

} // namespace attnlab::ui
