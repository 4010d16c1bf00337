#include "core/compare.h"

#include "core/inputs.h"
#include "core/lookup.h"
#include "core/mechanisms.h"
#include "core/stages/scale.h"
#include "core/tensor.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

namespace attnlab {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// "a, b, c" of the stages whose names end so.
std::string stages_ending(const Trace& trace, std::string_view end) {
    std::vector<std::string_view> names;
    for (const auto& stage : trace.stages)
        if (stage.name.ends_with(end))
            names.emplace_back(stage.name);
    return listed(names);
}

const Stage& stage_of(const Trace& trace, std::string_view name, const char* setting) {
    if (const Stage* stage = trace.find(name))
        return *stage;
    // Of about a hundred stages in several layers, only those of the same step.
    auto known = stages_ending(trace, '.' + std::string(name));
    if (known.empty())
        known = stages_ending(trace, "");
    throw Error({ATTNLAB_TEXT("%1 has no stage '%2'; it has %3"), {setting, std::string(name), known}});
}

double subtracted(double a, double b) { return a == b ? 0.0 : a - b; }

/// Accumulates; finished() divides.
struct GapSum {
    Gap gap;
    double sum = 0.0;

    void add(double difference) {
        if (!std::isfinite(difference)) {
            ++gap.left_out;
            return;
        }
        ++gap.cells;
        sum += std::abs(difference);
        gap.max_absolute = std::max(gap.max_absolute, std::abs(difference));
    }
    Gap finished() const {
        Gap result = gap;
        result.mean_absolute = gap.cells > 0 ? sum / static_cast<double>(gap.cells) : 0.0;
        return result;
    }
};

std::optional<std::size_t> place_of(const Stage& stage, Axis axis) {
    const auto found = std::ranges::find(stage.axes, axis);
    return found == stage.axes.end() ? std::nullopt : std::optional<std::size_t>(found - stage.axes.begin());
}

std::size_t product(const Shape& shape, std::size_t from, std::size_t to) {
    std::size_t count = 1;
    for (std::size_t axis = from; axis < to; ++axis)
        count *= static_cast<std::size_t>(shape[axis]);
    return count;
}

/// Calls of(first, end) for pieces of a range of `count`, and polls between them.
template <class Of>
void in_parts(std::size_t count, const RunControl& control, Of of) {
    constexpr std::size_t at_once = 1 << 20;
    for (std::size_t first = 0; first < count; first += at_once) {
        control.checkpoint();
        of(first, std::min(count, first + at_once));
    }
}

std::vector<Gap> gaps_of_heads(const Stage& difference, const RunControl& control) {
    const auto axis = place_of(difference, Axis::Head);
    if (!axis || difference.value.size() == 0)
        return {};
    const Shape& shape = difference.value.shape();
    const auto heads = static_cast<std::size_t>(shape[*axis]);
    const auto inner = product(shape, *axis + 1, shape.size());
    std::vector<GapSum> sums(heads);
    const auto values = difference.value.values();
    in_parts(values.size(), control, [&](std::size_t first, std::size_t end) {
        for (std::size_t k = first; k < end; ++k)
            sums[k / inner % heads].add(values[k]);
    });
    std::vector<Gap> gaps;
    gaps.reserve(sums.size());
    for (const auto& sum : sums)
        gaps.push_back(sum.finished());
    return gaps;
}

bool is_distribution(std::span<const double> row) {
    constexpr double tolerance = 1e-6; // float32 weights of other programs do not sum to 1 more precisely
    double sum = 0.0;
    for (const double value : row) {
        if (!(value >= 0.0))
            return false;
        sum += value;
    }
    return std::abs(sum - 1.0) <= tolerance;
}

/// Every row of every matrix.
RowDivergence divergence_of_rows(const Tensor& p, const Tensor& q, const RunControl& control) {
    auto shape = p.shape();
    const auto width = shape.back();
    shape.pop_back();
    const auto rows = element_count(shape);
    auto result = row_divergence({p.data(), rows, width}, {q.data(), rows, width}, control);
    result.rows = result.rows.reshaped(shape);
    return result;
}

double norm(std::span<const double> values) {
    double sum = 0.0;
    for (const double value : values)
        sum += value * value;
    return std::sqrt(sum);
}

} // namespace

Gap gap_over(std::span<const double> differences) {
    GapSum sum;
    for (const double difference : differences)
        sum.add(difference);
    return sum.finished();
}

double kl_divergence(std::span<const double> p, std::span<const double> q) {
    if (!is_distribution(p) || !is_distribution(q))
        return not_a_number;
    double sum = 0.0;
    for (std::size_t j = 0; j < p.size(); ++j) {
        if (p[j] == 0.0)
            continue;
        if (q[j] == 0.0)
            return infinity;
        // The difference of logarithms, since the quotient may overflow.
        sum += p[j] * (std::log(p[j]) - std::log(q[j]));
    }
    // Rounding may leave equal rows a little below 0.
    return std::max(0.0, sum);
}

RowDivergence row_divergence(const MatrixView& p, const MatrixView& q, const RunControl& control) {
    RowDivergence result{Tensor(Shape{p.rows}), 0.0, 0, 0};
    const auto rows = result.rows.mutable_values();
    for (std::int64_t row = 0; row < p.rows; ++row) {
        control.checkpoint();
        const double divergence = kl_divergence(p.row(row), q.row(row));
        rows[static_cast<std::size_t>(row)] = divergence;
        if (std::isinf(divergence))
            ++result.infinite;
        if (std::isfinite(divergence)) {
            ++result.finite;
            result.mean += divergence;
        }
    }
    result.mean = result.finite > 0 ? result.mean / static_cast<double>(result.finite) : not_a_number;
    return result;
}

Comparison compare(const Trace& a, const Trace& b, std::string_view stage, const RunControl& control) {
    const Stage& of_a = stage_of(a, stage, "A");
    const Stage& of_b = stage_of(b, stage, "B");
    if (of_a.value.shape() != of_b.value.shape())
        throw Error({ATTNLAB_TEXT("%1: A's shape is %2, B's is %3; only equal shapes can be compared"),
                     {of_a.name, to_string(of_a.value.shape()), to_string(of_b.value.shape())}});
    Comparison result;
    result.difference = of_a;
    result.difference.value = Tensor(of_a.value.shape());
    result.difference.operation = {ATTNLAB_TEXT("B − A")};
    const auto out = result.difference.value.mutable_values();
    const auto values_a = of_a.value.values(), values_b = of_b.value.values();
    GapSum all;
    in_parts(out.size(), control, [&](std::size_t first, std::size_t end) {
        for (std::size_t k = first; k < end; ++k) {
            out[k] = subtracted(values_b[k], values_a[k]);
            all.add(out[k]);
        }
    });
    result.all = all.finished();
    result.heads = gaps_of_heads(result.difference, control);
    if (!of_a.axes.empty() && of_a.axes.back() == Axis::Key && of_a.value.dim(-1) > 0) {
        result.a_from_b = divergence_of_rows(of_a.value, of_b.value, control);
        result.b_from_a = divergence_of_rows(of_b.value, of_a.value, control);
    }
    return result;
}

std::optional<OutputGap> output_gap(const Trace& a, const Trace& b) {
    const Stage* of_a = a.find("output");
    const Stage* of_b = b.find("output");
    if (!of_a || !of_b || of_a->value.shape() != of_b->value.shape())
        return std::nullopt;
    Tensor difference = of_a->value;
    const auto out = difference.mutable_values();
    for (std::size_t k = 0; k < out.size(); ++k)
        out[k] = subtracted(out[k], of_b->value.values()[k]);
    const double distance = norm(out);
    const double size = norm(of_b->value.values());
    if (!std::isfinite(distance) || !std::isfinite(size))
        return std::nullopt;
    return OutputGap{distance == 0.0 ? 0.0 : distance / size, gap_over(out).max_absolute};
}

AttentionSpec without_scale(AttentionSpec spec) {
    spec.scale = {"none", {}};
    spec.scale_after_softmax = false;
    return spec;
}

AttentionSpec without_masks(AttentionSpec spec) {
    spec.masks.clear();
    spec.mask_combine.clear();
    return spec;
}

std::optional<AttentionSpec> exact_counterpart(const AttentionSpec& spec) {
    AttentionSpec exact = spec;
    if (spec.rounding) { // without it, such a mechanism is exact
        exact.rounding.reset();
        return exact;
    }
    exact.variant = AttentionSpec{}.variant;
    if (spec.variant == exact.variant)
        return std::nullopt;
    const auto read = mechanism_of(spec.variant).inputs;
    for (const auto& needed : mechanism_of(exact.variant).inputs)
        if (needed.required && !lookup(read, needed.name, &Input::name))
            return std::nullopt;
    exact.parameters = {};
    return exact;
}

AttentionProblem compared_problem(const AttentionProblem& problem) {
    AttentionProblem other = problem;
    other.spec = problem.compared_with.value();
    other.compared_with.reset();
    return other;
}

namespace {

/// `complete` adds inputs to the problem of setting B.
template <class Complete>
std::vector<std::string> with_inputs_of_b(AttentionProblem& problem, const Complete& complete) {
    auto other = compared_problem(problem);
    std::vector<std::string> added;
    try {
        complete(other);
        const auto of_a = inputs_of(problem.spec);
        for (const auto& [name, tensor] : other.tensors) {
            if (problem.tensors.contains(name) || lookup(of_a, name, &Input::name) != nullptr)
                continue;
            problem.tensors.emplace(name, tensor);
            added.push_back(name);
        }
    } catch (const Error&) {
        // Contradictions are reported by the run of B.
    }
    return added;
}

} // namespace

std::vector<std::string> complete_compared_inputs(AttentionProblem& problem, std::uint64_t seed,
                                                  const RunControl& control) {
    return with_inputs_of_b(problem, [&](AttentionProblem& b) { complete_inputs(b, seed, false, control); });
}

std::vector<std::string> outline_compared_inputs(AttentionProblem& problem, std::uint64_t seed) {
    return with_inputs_of_b(problem, [&](AttentionProblem& b) { outline_inputs(b, seed); });
}

} // namespace attnlab
