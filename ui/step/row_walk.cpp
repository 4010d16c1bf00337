#include "ui/step/row_walk.h"

#include "ui/slice.h"
#include "ui/stages/stage_kinds.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnlab::ui {
namespace {

constexpr std::int64_t most_term_steps = 32;
constexpr std::int64_t most_key_steps = 24;

/// Numbers that a float32 program rounded are still the same numbers.
bool close(double a, double b, double size = 1.0) {
    return a == b || (std::isnan(a) && std::isnan(b)) ||
           std::abs(a - b) <= 2e-6 * std::max({size, std::abs(a), std::abs(b)});
}

bool allClose(const std::vector<double>& a, const std::vector<double>& b) {
    return std::ranges::equal(a, b, [](double x, double y) { return close(x, y, 0.0) || std::abs(x - y) < 1e-12; });
}

const Stage* stageOf(const Trace& trace, const StepPass& pass, const char* name) {
    return trace.find(pass.prefix + name);
}

/// Where the values are mixed: per head where the heads are merged later.
const Stage* mixedStage(const Trace& trace, const StepPass& pass) {
    const Stage* output = stageOf(trace, pass, "head_output");
    return output ? output : stageOf(trace, pass, "output");
}

void appendSteps(std::vector<WalkStep>& steps, StepOperation operation, std::int64_t count, std::int64_t most) {
    const std::int64_t each = std::max<std::int64_t>(1, (count + most - 1) / most);
    for (std::int64_t reached = each; reached < count; reached += each)
        steps.push_back({operation, reached});
    steps.push_back({operation, count});
}

/// "+1", "+2", ... at the end: what the engine calls keys that were appended.
std::int64_t appendedIn(const QStringList& labels) {
    for (std::int64_t count = labels.size(); count > 0; --count) {
        bool all = true;
        for (std::int64_t i = 0; i < count && all; ++i)
            all = labels[labels.size() - count + i] == QStringLiteral("+%1").arg(i + 1);
        if (all)
            return count;
    }
    return 0;
}

} // namespace

const QStringList& stepIds() {
    static const QStringList ids{QStringLiteral("products"), QStringLiteral("sum"), QStringLiteral("scale"),
                                 QStringLiteral("mask"),     QStringLiteral("exp"), QStringLiteral("row_sum"),
                                 QStringLiteral("divide"),   QStringLiteral("mix")};
    return ids;
}

QString stepIdOf(StepOperation operation) {
    switch (operation) {
    case StepOperation::Products:
        return stepIds()[0];
    case StepOperation::Score:
        return stepIds()[1];
    case StepOperation::Scale:
        return stepIds()[2];
    case StepOperation::Position:
    case StepOperation::Bias:
    case StepOperation::Mask:
        return stepIds()[3];
    case StepOperation::Shift:
    case StepOperation::Exponential:
        return stepIds()[4];
    case StepOperation::RowSum:
        return stepIds()[5];
    case StepOperation::Divide:
    case StepOperation::Weights:
    case StepOperation::Dropout:
        return stepIds()[6];
    case StepOperation::Mix:
        break;
    }
    return stepIds()[7];
}

bool canWalk(const Trace& trace, const StepPass& pass) {
    const Stage* weights = stageOf(trace, pass, "weights");
    const Stage* value = stageOf(trace, pass, "value");
    const Stage* output = mixedStage(trace, pass);
    if (!weights || !value || !output || !endsWithAxes(*output, Axis::Query, Axis::Feature) ||
        weights->value.rank() != 4 || weights->value.size() == 0)
        return false;
    for (const char* name : {"scores", "scaled", "masked", "weights"}) {
        const Stage* stage = stageOf(trace, pass, name);
        if (!stage || !endsWithAxes(*stage, Axis::Query, Axis::Key) || stage->value.shape() != weights->value.shape())
            return false;
    }
    const auto& shape = output->value.shape();
    return shape.size() >= 2 && value->value.rank() == 4 && value->value.dim(-2) == weights->value.dim(-1) &&
           shape[shape.size() - 2] == weights->value.dim(-2) && shape.back() == value->value.dim(-1) &&
           (hasAxis(*output, Axis::Head) || weights->value.dim(1) == 1);
}

RowWalk::RowWalk(TracePtr trace, StepPass pass, std::int64_t query)
    : trace_(std::move(trace)), pass_(std::move(pass)), query_(query) {
    if (!trace_ || !canWalk(*trace_, pass_))
        return;
    weights_stage_ = stage("weights");
    scores_stage_ = stage("scores");
    output_stage_ = mixedStage(*trace_, pass_);
    const auto weights = sliceOf(*trace_, *weights_stage_, pass_.batch, pass_.head);
    const auto values = sliceOf(*trace_, *stage("value"), pass_.batch, pass_.head);
    const auto output = sliceOf(*trace_, *output_stage_, pass_.batch, pass_.head);
    const auto masked = sliceOf(*trace_, *stage("masked"), pass_.batch, pass_.head);
    if (!weights || !masked || query_ < 0 || query_ >= weights->view().rows)
        return;
    weights_ = *weights;
    masked_ = *masked;
    // A value of no width has no matrix.
    values_ = values ? *values : MatrixData{Tensor({weights_.view().columns, 0}), 0, {}, 0, false, {}, {}, {}, {}};
    output_ = output ? *output : MatrixData{Tensor({weights_.view().rows, 0}), 0, {}, 0, false, {}, {}, {}, {}};
    appended_ = appendedIn(weights_.column_labels);
    if (const auto& shared = stage("value")->value; shared.dim(1) > 0)
        group_ = std::max<std::int64_t>(1, weights_stage_->value.dim(1) / shared.dim(1));
    readScores();
    readMask();
    readSoftmax();
    readOutput();
}

const Stage* RowWalk::stage(const char* name) const { return stageOf(*trace_, pass_, name); }

std::vector<double> RowWalk::rowOf(const Stage& stage) const {
    const auto data = sliceOf(*trace_, stage, pass_.batch, pass_.head);
    const auto row = data->view().row(query_);
    return {row.begin(), row.end()};
}

void RowWalk::add(StepOperation operation, std::vector<double> values, const Stage* stage) {
    lines_.push_back({operation, std::move(values), stage});
}

void RowWalk::readScores() {
    terms_ = trace_->terms_beside(*scores_stage_);
    const auto first = terms(0);
    term_count_ = static_cast<std::int64_t>(first.size());
    products_ = trace_->dot_product_scores && !first.empty();
    add(StepOperation::Score, rowOf(*scores_stage_), scores_stage_);
    add(StepOperation::Scale, rowOf(*stage("scaled")), stage("scaled"));
}

void RowWalk::readMask() {
    const std::vector<double> scaled = lines_.back().values;
    auto now = scaled;
    if (const Stage* position = stage("position_bias")) {
        const auto bias = rowOf(*position);
        for (std::size_t j = 0; j < now.size(); ++j)
            now[j] += bias[j];
        add(StepOperation::Position, now);
    }
    const Stage* stage_masked = stage("masked");
    const auto masked = rowOf(*stage_masked);
    auto biased = now;
    bool has_bias = false;
    for (std::size_t j = 0; j < now.size(); ++j)
        if (!isBlocked(static_cast<std::int64_t>(j)) && !close(masked[j], now[j], std::abs(scaled[j]))) {
            biased[j] = masked[j];
            has_bias = true;
        }
    if (has_bias)
        add(StepOperation::Bias, biased, masked_.blocked.size() > 0 ? nullptr : stage_masked);
    if (masked_.blocked.size() > 0)
        add(StepOperation::Mask, masked, stage_masked);
}

void RowWalk::readSoftmax() {
    const auto masked = rowOf(*stage("masked"));
    const auto weights = rowOf(*weights_stage_);
    maximum_ = -std::numeric_limits<double>::infinity();
    for (const double score : masked)
        maximum_ = score > maximum_ || std::isnan(score) ? score : maximum_;
    fully_masked_ = maximum_ == -std::numeric_limits<double>::infinity();
    const Stage* lse = stage("lse");
    if (!lse || fully_masked_) {
        add(StepOperation::Weights, weights, weights_stage_);
    } else {
        auto shifted = masked, exponentials = masked, shares = masked;
        for (double& score : shifted)
            score -= maximum_;
        for (std::size_t j = 0; j < masked.size(); ++j)
            sum_ += exponentials[j] = std::exp(shifted[j]);
        // The engine's own sum, where rounding makes a difference.
        if (const auto column = sliceOf(*trace_, *lse, pass_.batch, pass_.head))
            if (const double own = std::exp(column->view()(query_, 0) - maximum_); close(own, sum_))
                sum_ = own;
        for (std::size_t j = 0; j < masked.size(); ++j)
            shares[j] = exponentials[j] / sum_;
        add(StepOperation::Shift, shifted);
        add(StepOperation::Exponential, exponentials);
        const bool plain = allClose(shares, weights);
        add(StepOperation::Divide, plain ? weights : shares, plain ? weights_stage_ : nullptr);
        if (!plain)
            add(StepOperation::Weights, weights, weights_stage_);
    }
    if (const Stage* dropped = stage("weights_dropped"))
        add(StepOperation::Dropout, rowOf(*dropped), dropped);
}

void RowWalk::readOutput() {
    for (std::int64_t feature = 0; feature < features(); ++feature) {
        double sum = 0.0, size = 1.0;
        for (std::int64_t key = 0; key < keys(); ++key) {
            const double part = mixed()[static_cast<std::size_t>(key)] * valueOf(key, feature);
            sum += part;
            size += std::isfinite(part) ? std::abs(part) : 0.0;
        }
        mixes_ = mixes_ && close(sum, output_.view()(query_, feature), size);
    }
}

const RowLine* RowWalk::line(StepOperation operation) const {
    const auto found = std::ranges::find(lines_, operation, &RowLine::operation);
    return found == lines_.end() ? nullptr : &*found;
}

const RowLine* RowWalk::before(StepOperation operation) const {
    const RowLine* last = nullptr;
    for (const auto& line : lines_) {
        if (line.operation >= operation)
            break;
        last = &line;
    }
    return last;
}

double RowWalk::value(StepOperation operation, std::int64_t key) const {
    const RowLine* found = line(operation);
    return found ? found->values[static_cast<std::size_t>(key)] : std::numeric_limits<double>::quiet_NaN();
}

bool RowWalk::isBlocked(std::int64_t key) const { return masked_.isBlocked(query_, key); }

double RowWalk::rowSumOf(std::int64_t reached) const {
    const RowLine* exponentials = line(StepOperation::Exponential);
    if (!exponentials || reached >= keys())
        return sum_;
    double sum = 0.0;
    for (std::int64_t key = 0; key < reached; ++key)
        sum += exponentials->values[static_cast<std::size_t>(key)];
    return sum;
}

std::vector<ScoreTerm> RowWalk::terms(std::int64_t key) const {
    return terms_ ? terms_(pass_.batch, pass_.head, query_, key) : std::vector<ScoreTerm>();
}

std::span<const double> RowWalk::mixed() const { return lines_.back().values; }

double RowWalk::output(std::int64_t feature, std::int64_t reached) const {
    if (reached >= keys() || !mixes_)
        return output_.view()(query_, feature);
    double sum = 0.0;
    for (std::int64_t key = 0; key < reached; ++key)
        sum += mixed()[static_cast<std::size_t>(key)] * valueOf(key, feature);
    return sum;
}

std::vector<WalkStep> RowWalk::steps(bool by_terms) const {
    std::vector<WalkStep> steps;
    if (empty())
        return steps;
    if (term_count_ > 0)
        appendSteps(steps, StepOperation::Products, term_count_, by_terms ? most_term_steps : 1);
    for (const auto& line : lines_) {
        if (line.operation == StepOperation::Divide)
            appendSteps(steps, StepOperation::RowSum, keys(), by_terms ? most_key_steps : 1);
        steps.push_back({line.operation, keys()});
    }
    appendSteps(steps, StepOperation::Mix, keys(), by_terms && mixes_ ? most_key_steps : 1);
    return steps;
}

int stepAt(const std::vector<WalkStep>& steps, const QString& id) {
    const auto wanted = stepIds().indexOf(id);
    constexpr StepOperation named[] = {StepOperation::Products, StepOperation::Score,       StepOperation::Scale,
                                       StepOperation::Mask,     StepOperation::Exponential, StepOperation::RowSum,
                                       StepOperation::Divide,   StepOperation::Mix};
    if (wanted >= 0) {
        const auto found = std::ranges::find(steps, named[wanted], &WalkStep::operation);
        if (found != steps.end())
            return static_cast<int>(found - steps.begin());
    }
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (stepIds().indexOf(stepIdOf(steps[i].operation)) >= wanted)
            return static_cast<int>(i);
    return std::max(0, static_cast<int>(steps.size()) - 1);
}

} // namespace attnlab::ui
