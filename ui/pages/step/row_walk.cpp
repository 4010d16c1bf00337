#include "ui/pages/step/row_walk.h"

#include "ui/matrix/stages/stage_matrix.h"

#include <algorithm>

namespace attnlab::ui {
namespace {

constexpr std::int64_t most_term_steps = 32;
constexpr std::int64_t most_key_steps = 24;

void appendSteps(std::vector<WalkStep>& steps, StepOperation operation, std::int64_t count, std::int64_t most) {
    const std::int64_t each = std::max<std::int64_t>(1, (count + most - 1) / most);
    for (std::int64_t reached = each; reached < count; reached += each)
        steps.push_back({operation, reached});
    steps.push_back({operation, count});
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

RowWalk::RowWalk(TracePtr trace, const StepPass& pass, std::int64_t query) : trace_(std::move(trace)) {
    if (!trace_ || !canWalk(*trace_, pass))
        return;
    row_ = explain::Row(*trace_, pass, query);
    const auto labels = row_.empty() ? std::nullopt : sliceOf(*trace_, *row_.weights_stage(), pass.batch, pass.head);
    if (!labels)
        return;
    labels_ = *labels;
    for (const auto& line : row_.lines())
        lines_.push_back({line.operation, row_.values(line.operation), line.stage});
    term_count_ = std::ssize(terms(0));
    mixes_ = row_.is_mixed();
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
