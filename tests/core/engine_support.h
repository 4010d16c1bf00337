// The common part of the tests of the engine.
#pragma once

#include "core/backend.h"
#include "core/inputs.h"
#include "core/mechanisms.h"
#include "core/random.h"
#include "tests/tensor_numbers.h"

#include <QString>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

namespace attnlab::test {

inline Trace run(const AttentionProblem& problem, const RunControl& control = {}) {
    const Backend* backends[] = {&reference_backend()};
    return compute(problem, backends, "auto", control).trace;
}

inline const Tensor& stage(const Trace& trace, std::string_view name) {
    if (const Stage* found = trace.find(name))
        return found->value;
    throw std::out_of_range("no stage " + std::string(name));
}

/// Equal, or within `tolerance` absolute plus relative to `expected`; infinities and NaN equal themselves only.
inline bool close(double got, double expected, double tolerance) {
    if (std::isnan(expected) || std::isnan(got))
        return std::isnan(expected) && std::isnan(got);
    return got == expected || std::abs(got - expected) <= tolerance + tolerance * std::abs(expected);
}

/// "none, sqrt_dk, ...": the rows of a table as errors name them.
template <class Table>
QString known_ids(const Table& table) {
    QString ids;
    for (const auto& row : table)
        ids += (ids.isEmpty() ? "" : ", ") + QString::fromStdString(std::string(row.id));
    return ids;
}

/// Describes the first difference; empty if there is none.
inline QString difference(const Tensor& got, const Tensor& expected, double tolerance) {
    if (got.shape() != expected.shape())
        return QString::fromStdString("shape " + to_string(got.shape()) + ", expected " + to_string(expected.shape()));
    for (std::size_t k = 0; k < got.values().size(); ++k)
        if (!close(got.values()[k], expected.values()[k], tolerance))
            return QStringLiteral("value %1 is %2, expected %3")
                .arg(k)
                .arg(got.values()[k], 0, 'g', 17)
                .arg(expected.values()[k], 0, 'g', 17);
    return {};
}

/// Scaled dot-product attention over normal numbers; rank 4.
inline AttentionProblem dot_problem(std::int64_t B, std::int64_t H, std::int64_t Hkv, std::int64_t L, std::int64_t S,
                                    std::int64_t E, std::int64_t Ev, std::uint64_t seed = 1) {
    AttentionProblem problem;
    problem.tensors = {{"query", random_normal({B, H, L, E}, seed)},
                       {"key", random_normal({B, Hkv, S, E}, seed + 1)},
                       {"value", random_normal({B, Hkv, S, Ev}, seed + 2)}};
    return problem;
}

/// A mechanism over normal numbers with the default sizes of complete_inputs.
inline AttentionProblem fresh_problem(std::string_view variant_id, std::uint64_t seed = 1) {
    AttentionProblem problem;
    problem.spec.variant = variant_id;
    complete_inputs(problem, seed);
    return problem;
}

/// True for mechanisms without a softmax, whose weights are the matrix of a recurrence.
inline bool carries_state(const Mechanism& mechanism) {
    return std::string_view(mechanism.family) == "With a carried state";
}

/// True for mechanisms that are one exact pass over all queries and keys and nothing else.
inline bool is_one_pass(const Mechanism& mechanism) {
    return mechanism.exact_rows &&
           (mechanism.dot_product_form || std::string_view(mechanism.family) == "By score function");
}

/// True for mechanisms whose weights are a softmax of all their scores.
inline bool is_exact(const Mechanism& mechanism) {
    return !mechanism.approximates && !carries_state(mechanism) && mechanism.id != "given_weights" &&
           mechanism.id != "differential";
}

/// Removes masks that the problem's mechanism refuses.
inline void drop_refused_masks(AttentionSpec& spec) {
    std::erase_if(spec.masks,
                  [&](const Selection& mask) { return refusal_of_mask(mechanism_of(spec.variant), mask.id); });
}

inline bool has_note(const Trace& trace, const std::string& words) {
    return std::any_of(trace.notes.begin(), trace.notes.end(),
                       [&](const Note& note) { return note.message.english().find(words) != std::string::npos; });
}

/// Numbers 0, 1, 2, ... of a shape.
inline Tensor counting(Shape shape) {
    Tensor tensor(std::move(shape));
    double next = 0.0;
    for (double& value : tensor.mutable_values())
        value = next++;
    return tensor;
}

} // namespace attnlab::test
