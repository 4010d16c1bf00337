#include "ui/model/compared_head.h"

#include "core/model/head_difference.h"
#include "ui/widgets/text.h"

#include <algorithm>

namespace attnlab::ui {
namespace {

struct Size {
    std::int64_t queries, keys;
};

Stage stageOf(const char* name, const Tensor& numbers, StageRole role = StageRole::Step) {
    Stage stage;
    stage.name = name;
    const auto rows = numbers.dim(0), columns = numbers.dim(1);
    stage.value = numbers.reshaped({1, 1, rows, columns});
    stage.axes = {Axis::Batch, Axis::Head, Axis::Query, Axis::Key};
    stage.role = role;
    return stage;
}

/// The first queries and keys of a head.
Tensor firstWeights(const model::Pass& pass, int head, const Size& size) {
    std::vector<float> rows(static_cast<std::size_t>(size.queries * pass.keys));
    pass.weights(head, 0, size.queries, rows);
    Tensor weights({size.queries, size.keys}, 0.0, DType::Float32);
    const auto to = weights.mutable_values();
    for (std::int64_t row = 0; row < size.queries; ++row)
        std::copy_n(rows.begin() + row * pass.keys, size.keys, to.begin() + row * size.keys);
    return weights;
}

Tensor blockedCells(const model::Pass& pass, const Size& size) {
    Tensor blocked({size.queries, size.keys}, 1.0, DType::Bool);
    const auto cells = blocked.mutable_values();
    for (std::int64_t row = 0; row < size.queries; ++row) {
        const auto range = pass.readable(row);
        const auto at = cells.begin() + row * size.keys;
        std::fill(at + std::min(range.first, size.keys), at + std::min(range.last, size.keys), 0.0);
    }
    return blocked;
}

/// Rows are called alike in both.
Trace traceOf(const model::Pass& pass, int head, const Size& size, const model::PassTokens& tokens) {
    Trace trace;
    trace.key_tokens = tokens.keys;
    trace.key_tokens.resize(std::min(trace.key_tokens.size(), static_cast<std::size_t>(size.keys)));
    if (pass.causal || pass.window > 0)
        trace.stages.push_back(stageOf("blocked", blockedCells(pass, size), StageRole::Mask));
    trace.stages.push_back(stageOf("weights", firstWeights(pass, head, size)));
    return trace;
}

Trace pooledTrace(const model::Pass& pass, int head, std::int64_t step, const Size& size, const RunControl& control) {
    const auto whole = model::pooled_weights(pass, head, step, control);
    Tensor first({size.queries, size.keys});
    const auto to = first.mutable_values();
    for (std::int64_t row = 0; row < size.queries; ++row)
        std::copy_n(whole.values().begin() + row * whole.dim(1), size.keys, to.begin() + row * size.keys);
    Trace trace;
    trace.stages.push_back(stageOf("weights", first));
    return trace;
}

ComputedPtr stagesOf(const Trace& a, const Trace& b, const Stage& difference) {
    auto computed = std::make_shared<Computed>();
    computed->trace.query_tokens = a.query_tokens;
    const auto add = [&](const char* name, Stage stage) {
        stage.name = name;
        computed->trace.stages.push_back(std::move(stage));
    };
    add("a.weights", *a.find("weights"));
    add("b.weights", *b.find("weights"));
    add("difference.weights", difference);
    return computed;
}

void setSteps(MatrixData& matrix, std::int64_t step) { matrix.row_step = matrix.column_step = step; }

} // namespace

QStringList labelsOfBoth(const std::vector<std::string>& a, const std::vector<std::string>& b, std::int64_t count) {
    QStringList labels;
    for (std::size_t i = 0; i < std::min({a.size(), b.size(), static_cast<std::size_t>(count)}); ++i)
        labels << (a[i] == b[i] ? textOf(a[i]) : textOf(a[i]) + QStringLiteral(" → ") + textOf(b[i]));
    return labels;
}

ComparedHead comparedHead(const ComparedPass& pass, int head, std::int64_t step, const RunControl& control) {
    constexpr double third = 1.0 / 3.0;
    const bool pools = step > 1;
    const auto cells = [step](std::int64_t one, std::int64_t other) {
        return (std::min(one, other) + step - 1) / step;
    };
    const Size size{cells(pass.a->queries, pass.b->queries), cells(pass.a->keys, pass.b->keys)};
    Trace a = pools ? pooledTrace(*pass.a, head, step, size, control.part(0.0, third))
                    : traceOf(*pass.a, head, size, pass.tokens_a);
    Trace b = pools ? pooledTrace(*pass.b, head, step, size, control.part(third, 2.0 * third))
                    : traceOf(*pass.b, head, size, pass.tokens_b);
    const auto rows = labelsOfBoth(pass.tokens_a.queries, pass.tokens_b.queries, pools ? 0 : size.queries);
    for (const auto& row : rows)
        a.query_tokens.push_back(row.toStdString());
    b.query_tokens = a.query_tokens;
    auto comparison = compare(b, a);
    ComparedHead made;
    if (pools)
        comparison.difference =
            stageOf("weights", model::head_difference(*pass.a, *pass.b, head, step, control).pooled);
    else if (comparison.b_from_a)
        made.divergences.assign(comparison.b_from_a->rows.values().begin(), comparison.b_from_a->rows.values().end());
    made.stages = stagesOf(a, b, comparison.difference);
    if (auto matrices = comparedMatrices(a, b, comparison, 0, 0, {}))
        made.matrices = std::move(*matrices);
    made.matrices.difference.column_labels =
        labelsOfBoth(pass.tokens_a.keys, pass.tokens_b.keys, pools ? 0 : size.keys);
    if (pools)
        for (auto* matrix : {&made.matrices.a, &made.matrices.b, &made.matrices.difference})
            setSteps(*matrix, step);
    return made;
}

} // namespace attnlab::ui
