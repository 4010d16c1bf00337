#include "ui/matrix/map/large_inputs.h"

#include "core/resolved_problem.h"
#include "ui/document/settings.h"
#include "ui/widgets/text.h"

#include <algorithm>

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
        auto problem = rows->row(*map, batch, head, row, control);
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

LargeInputs::LargeInputs(ViewState& view, QObject* parent) : QObject(parent), view_(view), source_(session_) {
    hover_timer_.setSingleShot(true);
    hover_timer_.setInterval(120);
    forget_.setSingleShot(true);
    forget_.setInterval(300);
    connectSession();
    connect(&hover_timer_, &QTimer::timeout, this, &LargeInputs::readRow);
    connect(&forget_, &QTimer::timeout, this, &LargeInputs::rowOutdated);
    connect(&rows_, &RowReader::rowRead, &forget_, &QTimer::stop);
    connect(&rows_, &RowReader::rowRead, this,
            [this](const ComputedPtr& computed, const AttentionProblem& of, int row) {
                read_row_ = row;
                source_.setRow(computed, of, row);
                emit rowRead(computed, of, row);
            });
    connect(&rows_, &RowReader::scoresKnown, this, &LargeInputs::scoresKnown);
    connect(&view_, &ViewState::sliceChanged, this, &LargeInputs::showChoice);
    connect(&view_, &ViewState::pinnedChanged, this, &LargeInputs::readRow);
    connect(&view_, &ViewState::hoveredChanged, this, [this](std::optional<Cell> cell) {
        if (open_ && cell && !view_.pinned())
            hover_timer_.start();
    });
}

void LargeInputs::connectSession() {
    connect(&session_, &MapSession::started, this, [this] {
        computing_ = true;
        emit started();
    });
    connect(&session_, &MapSession::progressed, this, &LargeInputs::progressed);
    connect(&session_, &MapSession::ready, this, [this] {
        computing_ = false;
        readRow();
        emit ready(engine());
    });
    connect(&session_, &MapSession::noted, this, &LargeInputs::noted);
    connect(&session_, &MapSession::warned, this, &LargeInputs::warned);
    connect(&session_, &MapSession::failed, this, [this](const Message& why) {
        computing_ = false;
        emit failed(why);
    });
}

bool LargeInputs::open(const AttentionProblem& problem) {
    Bindings sizes;
    try {
        sizes = resolve(problem).sizes;
    } catch (const Error&) {
        close();
        return false; // its computation reports the error
    }
    const auto size = [&](const char* symbol) { return sizes.find(symbol)->second; };
    const auto L = size("L"), S = size("S");
    if (L * S <= settings::mapFromCells()) {
        close();
        return false;
    }
    AttentionProblem of_a = problem;
    of_a.compared_with.reset();
    if (open_ && of_a == problem_ && !isCancelled())
        return true;
    problem_ = std::move(of_a);
    open_ = true;
    batches_ = size("B");
    heads_ = size("H");
    QStringList words;
    if (batches_ != 1)
        words << tr("%1 sequences").arg(batches_);
    words << (heads_ == 1 ? tr("1 head") : tr("%1 heads").arg(heads_)) << QStringLiteral("%1 × %2").arg(L).arg(S);
    sizes_ = words.join(QStringLiteral(" · "));
    const QStringList queries = textsOf(problem.query_tokens);
    source_.setShape(L, S, queries, problem.key_tokens.empty() && L == S ? queries : textsOf(problem.key_tokens));
    rows_.setProblem(problem);
    session_.open(problem);
    emit opened();
    showChoice();
    return true;
}

QString LargeInputs::engine() const {
    const auto pyramid = session_.pyramid();
    return pyramid ? QString::fromStdString(pyramid->map().backend()) : QString();
}

void LargeInputs::close() {
    if (!open_)
        return;
    stop();
    open_ = false;
    problem_ = {};
    emit rowOutdated();
    emit closed();
}

void LargeInputs::cancel() {
    if (!computing_)
        return;
    hover_timer_.stop();
    rows_.cancel();
    session_.cancel();
    computing_ = false;
    emit cancelled();
}

void LargeInputs::resume() {
    if (!isCancelled())
        return;
    session_.resume();
    source_.renew();
    emit resumed();
}

void LargeInputs::stop() {
    hover_timer_.stop();
    forget_.stop();
    rows_.cancel();
    session_.close();
    source_.setRow(nullptr, {}, -1);
    source_.renew(); // releases the map
    computing_ = false;
}

void LargeInputs::setPool(Pool pool) {
    pool_ = pool;
    showChoice();
}

/// Follows the ViewState within the existing heads. A map has no mean of heads: head 0 is shown instead.
void LargeInputs::showChoice() {
    if (!open_)
        return;
    const auto within = [](int index, std::int64_t count) { return std::clamp<std::int64_t>(index, 0, count - 1); };
    const MapChoice choice{within(view_.batch(), batches_), within(view_.head(), heads_), pool_};
    const MapChoice before = session_.choice();
    if (choice == before)
        return;
    if (choice.batch != before.batch || choice.head != before.head) {
        rows_.cancel();
        source_.setRow(nullptr, {}, -1);
        forget_.start();
    }
    session_.show(choice);
    emit choiceChanged();
    source_.renew();
}

void LargeInputs::readRow() {
    const auto cell = view_.pinned() ? view_.pinned() : view_.hovered();
    if (!open_ || !cell || cell->row >= source_.axes().rows.count)
        return;
    if (const auto pyramid = session_.pyramid())
        rows_.read(pyramid->shared_map(), session_.choice().batch, session_.choice().head, cell->row);
    else if (cell->row != read_row_) // not to be read before the map is complete, and never if it was cancelled
        forget_.start();
}

} // namespace attnlab::ui
