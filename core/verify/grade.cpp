#include "core/verify/grade.h"

#include "core/recognition/layout.h"
#include "core/verify/mistakes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace attnlab::verify {
namespace {

bool agrees(double given, double expected, double tolerance) {
    if (std::isnan(given) && std::isnan(expected))
        return true;
    return given == expected ||
           (std::isfinite(expected) && std::abs(given - expected) <= tolerance + tolerance * std::abs(expected));
}

/// Both have the same shape.
std::int64_t count_differing(const Tensor& given, const Tensor& expected, double tolerance) {
    std::int64_t differing = 0;
    for (std::size_t k = 0; k < given.values().size(); ++k)
        differing += !agrees(given.values()[k], expected.values()[k], tolerance);
    return differing;
}

double largest_difference(const Tensor& given, const Tensor& expected) {
    double largest = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t k = 0; k < given.values().size(); ++k)
        if (const double apart = std::abs(given.values()[k] - expected.values()[k]); std::isfinite(apart))
            largest = std::isnan(largest) ? apart : std::max(largest, apart);
    return largest;
}

Shape index_of_cell(std::size_t cell, const Shape& shape) {
    Shape index(shape.size());
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        index[axis] = static_cast<std::int64_t>(cell) % shape[axis];
        cell /= static_cast<std::size_t>(shape[axis]);
    }
    return index;
}

/// The last two axes exchanged; nullopt for fewer axes.
std::optional<Tensor> with_exchanged_axes(const Tensor& tensor) {
    const auto rank = static_cast<std::size_t>(tensor.rank());
    if (rank < 2)
        return std::nullopt;
    std::vector<int> order(rank);
    std::iota(order.begin(), order.end(), 0);
    std::swap(order[rank - 2], order[rank - 1]);
    return permuted(tensor, order);
}

constexpr const char* transposed_words = ATTNLAB_TEXT("the matrices are transposed");

/// Explains a shape that does not fit by a transposed matrix that does, and is right.
void explain_misfit(Grade& result, const Stage& stage, const Tensor& handed_in, double tolerance) {
    const auto transposed = with_exchanged_axes(handed_in);
    if (!transposed)
        return;
    try {
        const auto given = fitted(*transposed, stage, {});
        if (count_differing(given, stage.value, tolerance) == 0)
            result.explanations.push_back({"transposed", {transposed_words}, largest_difference(given, stage.value)});
    } catch (const Error&) { // it does not fit this way either
    }
}

/// The number of decimals if `given` has few and is `exact` rounded to them.
std::optional<int> decimals_of_rounding(const Tensor& given, const Tensor& exact) {
    constexpr int most = 6;
    const auto has_decimals = [](double value, double power) {
        return !std::isfinite(value) || std::abs(value * power - std::round(value * power)) <= 1e-9 * power;
    };
    if (std::ranges::all_of(given.values(), [](double value) { return value == 0.0; }))
        return std::nullopt; // an empty template
    int decimals = 0;
    double power = 1.0;
    while (!std::ranges::all_of(given.values(), [&](double value) { return has_decimals(value, power); })) {
        if (++decimals > most)
            return std::nullopt;
        power *= 10.0;
    }
    for (std::size_t k = 0; k < given.values().size(); ++k) {
        const double value = given.values()[k], right = exact.values()[k];
        if (!agrees(value, right, 0.0) && !(std::abs(value - right) <= (0.5 + 1e-6) / power))
            return std::nullopt;
    }
    return decimals;
}

/// True if all that is wrong are large negative numbers in place of -inf.
bool has_large_negatives(const Tensor& given, const Tensor& exact, double tolerance) {
    for (std::size_t k = 0; k < given.values().size(); ++k) {
        const double value = given.values()[k], right = exact.values()[k];
        const bool is_large = std::isinf(right) && right < 0.0 && value <= -1e4;
        if (!is_large && !agrees(value, right, tolerance))
            return false;
    }
    return true;
}

/// The numbers of a stage that are graded: all, or those of one matrix.
class GradedPart {
public:
    GradedPart(const Tensor& handed_in, std::optional<std::int64_t> matrix)
        : count_(static_cast<std::size_t>(handed_in.size())),
          first_(matrix ? std::optional(static_cast<std::size_t>(*matrix) * count_) : std::nullopt) {}

    Tensor of(const Tensor& whole) const {
        if (!first_)
            return whole;
        const auto numbers = whole.values().subspan(*first_, count_);
        return Tensor({static_cast<std::int64_t>(count_)}, {numbers.begin(), numbers.end()}, whole.dtype());
    }
    /// The exact numbers with those of the hand-in in their place.
    Tensor within(Tensor exact, const Tensor& handed_in) const {
        std::ranges::copy(handed_in.values(), exact.mutable_values().begin() + static_cast<std::ptrdiff_t>(*first_));
        return exact;
    }

private:
    std::size_t count_;
    std::optional<std::size_t> first_;
};

/// Adds the mistakes of the table whose result agrees in every cell and is itself wrong.
void explain_by_table(Grade& result, const AttentionProblem& problem, const Trace& exact, const Stage& stage,
                      const GradedPart& part, double tolerance, const RunControl& control) {
    const Tensor given = part.of(result.given), right = part.of(stage.value);
    result.not_looked = visit_mistakes(
        problem, exact, stage.name, result.given,
        [&](std::string_view id, const Message& words, const Tensor& result_of_mistake) {
            const Tensor made = part.of(result_of_mistake);
            const auto known = [&](const Explanation& other) { return other.words == words; };
            if (count_differing(given, made, tolerance) == 0 && count_differing(made, right, tolerance) > 0 &&
                std::ranges::none_of(result.explanations, known))
                result.explanations.push_back({std::string(id), words, largest_difference(given, made)});
        },
        control);
    std::ranges::stable_sort(result.explanations, {}, &Explanation::largest);
}

} // namespace

Grade grade(const AttentionProblem& problem, const Trace& exact, std::string_view stage_name, const Tensor& handed_in,
            std::string_view name, double tolerance, const RunControl& control, std::optional<std::int64_t> matrix) {
    const Stage& stage = *exact.find(stage_name);
    const GradedPart part(handed_in, matrix);
    Grade result;
    result.cells = part.of(stage.value).size();
    try {
        result.given = matrix ? part.within(stage.value, handed_in) : fitted(handed_in, stage, name);
    } catch (const Error& error) {
        result.misfit = error.message();
        result.largest = std::numeric_limits<double>::quiet_NaN();
        explain_misfit(result, stage, handed_in, tolerance);
        return result;
    }
    const Tensor& given = result.given;
    for (std::size_t k = 0; k < given.values().size(); ++k)
        result.is_wrong.push_back(!agrees(given.values()[k], stage.value.values()[k], tolerance));
    result.differing = std::ranges::count(result.is_wrong, true);
    result.largest = largest_difference(given, stage.value);
    if (result.differing == 0)
        return result;
    for (std::size_t k = 0; !result.first; ++k)
        if (const double value = given.values()[k], right = stage.value.values()[k]; !agrees(value, right, tolerance))
            result.first = Place{index_of_cell(k, stage.value.shape()), value, right};
    for (const auto& cause : causes_of_nan(exact, stage_name, given))
        result.explanations.push_back({std::string(cause.id), cause.words, 0.0});
    if (!result.explanations.empty())
        return result;
    explain_by_table(result, problem, exact, stage, part, tolerance, control);
    if (const auto decimals = decimals_of_rounding(part.of(given), part.of(stage.value)))
        result.explanations.push_back(
            {"rounded",
             {ATTNLAB_TEXT("the numbers are rounded; decimals: %1"), {std::to_string(*decimals)}},
             result.largest});
    else if (has_large_negatives(given, stage.value, tolerance))
        result.explanations.push_back(
            {"large_negative", {ATTNLAB_TEXT("blocked cells have a large negative number instead of −∞")}, 0.0});
    return result;
}

} // namespace attnlab::verify
