#include "core/verify/mistakes.h"

#include "core/backend.h"
#include "core/flash/cpu_backend.h"
#include "core/mechanisms.h"
#include "core/rounding.h"
#include "core/stages/exact.h"
#include "core/stages/expression_mask.h"
#include "core/stages/mask.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "core/stages/similarity.h"
#include "core/stages/softmax.h"
#include "core/tensor.h"
#include "core/verify/array_comparison.h"
#include "core/verify/attempts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

namespace attnlab::verify {
namespace {

std::vector<MistakeRow> all_rows() {
    std::vector<MistakeRow> rows;
    for (const auto part : {mask_mistakes(), scale_mistakes(), position_mistakes(), sink_mistakes(), axis_mistakes(),
                            rounding_mistakes()})
        rows.insert(rows.end(), part.begin(), part.end());
    return rows;
}

/// The form, where the exact trace holds all parts of the rewritten problem.
std::optional<DotProductForm> rewritable_form(const ResolvedProblem& problem, const Trace& exact) {
    if (!problem.mechanism->dot_product_form || !exact.find("query") || !exact.find("masked"))
        return std::nullopt;
    auto form = flash::form_of(problem);
    if (form.appends_keys || dropout_of(form.spec.parameters).on())
        return std::nullopt;
    return form;
}

AttentionProblem rewritten(const ResolvedProblem& problem, const DotProductForm& form, const Trace& exact) {
    auto plain = as_problem(without_own_arrays(problem, form));
    plain.spec.statistics = false;
    for (const auto* name : {"query", "key", "value"})
        plain.tensors.insert_or_assign(name, exact.find(name)->value);
    return plain;
}

/// Distances of results from the given array.
class Ruler {
public:
    Ruler(const Tensor& given, const Tensor& exact) : given_(given), type_(narrowest_type(given)) {
        for (std::size_t k = 0; k < given.values().size(); ++k) {
            const double value = exact.values()[k];
            counted_ += !std::isnan(given.values()[k]);
            if (!std::isnan(given.values()[k]) && std::isfinite(value))
                squares_ += value * value;
        }
    }

    std::int64_t counted() const { return counted_; }

    double distance(const Tensor& result) const {
        double sum = 0.0;
        for (std::size_t k = 0; k < given_.values().size(); ++k) {
            const double given = given_.values()[k], mine = rounded(result.values()[k], type_);
            if (std::isnan(given) || given == mine)
                continue;
            if (!std::isfinite(given) || !std::isfinite(mine))
                return infinity;
            sum += (given - mine) * (given - mine);
        }
        return sum == 0.0 ? 0.0 : squares_ == 0.0 ? infinity : std::sqrt(sum / squares_);
    }

private:
    const Tensor& given_;
    DType type_;
    std::int64_t counted_ = 0;
    double squares_ = 0.0;
};

/// The stage with the mistake; nullopt where the mechanism does not allow it.
std::optional<Tensor> made_by(const Attempt& attempt, const Case& context, std::string_view stage) {
    if (const auto* of_stage = std::get_if<1>(&attempt.made))
        return (*of_stage)(stage);
    const auto& problem = std::get<AttentionProblem>(attempt.made);
    try {
        return context.stage_of(reference_backend().run(problem, context.control), stage);
    } catch (const Error&) {
        return std::nullopt;
    }
}

std::optional<Message> why_not(const ResolvedProblem& problem, const Trace& exact, std::string_view stage) {
    const auto *query = exact.find("query"), *value = exact.find("value");
    double products = query && value ? static_cast<double>(query->value.dim(-1) + value->value.dim(-1)) : 1.0;
    for (const auto* symbol : {"B", "H", "L", "S"})
        products *= static_cast<double>(problem.sizes.at(symbol));
    if (products > most_products)
        return Message{ATTNLAB_TEXT("known mistakes are not looked for: each would take %1 million products, expected "
                                    "at most %2"),
                       {to_text(std::round(products / 1e6)), to_text(std::round(most_products / 1e6))}};
    if (!problem.spec.normaliser.id.empty() || !problem.spec.decay.id.empty())
        return Message{ATTNLAB_TEXT("known mistakes are looked for where the weights are a softmax without a decay")};
    if (!query || !value || !exact.find("masked") || !prefix_of(stage).empty() || problem.mechanism->approximates)
        return Message{ATTNLAB_TEXT("known mistakes are looked for where there are the scores of an exact mechanism")};
    return std::nullopt;
}

void keep_nearest(std::vector<LikelyMistake>& found, double exact_distance) {
    std::erase_if(found, [&](const LikelyMistake& mistake) {
        return !(mistake.distance * clearly_nearer <= exact_distance) || !std::isfinite(mistake.distance);
    });
    std::ranges::stable_sort(found, {}, &LikelyMistake::distance);
    for (std::size_t k = 0; k < found.size(); ++k) // one mistake may be made in several ways
        found.erase(std::remove_if(
                        found.begin() + static_cast<std::ptrdiff_t>(k) + 1, found.end(),
                        [&](const LikelyMistake& later) { return later.words.english() == found[k].words.english(); }),
                    found.end());
    const double hardly = std::isfinite(exact_distance) ? 1e-6 * exact_distance : 1e-12;
    if (!found.empty())
        std::erase_if(found, [limit = 2.0 * found.front().distance + hardly](const LikelyMistake& mistake) {
            return mistake.distance > limit;
        });
}

} // namespace

std::span<const Mistake> mistakes() {
    static const std::vector<Mistake> table = [] {
        std::vector<Mistake> known;
        for (const auto& row : all_rows())
            known.push_back(row.mistake);
        return known;
    }();
    return table;
}

const Tensor* Case::find(std::string_view name) const {
    const auto* found = exact.find(name);
    return found ? &found->value : nullptr;
}

std::optional<Tensor> Case::stage_of(const Trace& trace, std::string_view name) const {
    if (name == "similarity") {
        const auto output = stage_of(trace, "output");
        return output ? std::optional(similarity_of(*output, control)) : std::nullopt;
    }
    const auto* found = trace.find(name);
    if (!form || !form->concatenates)
        return found ? std::optional(found->value) : std::nullopt;
    const auto* heads = trace.find("output");
    if (name == "output" && heads)
        return concatenated(*form, heads->value, control).value;
    if (name == "head_output")
        found = heads;
    return found ? std::optional(found->value) : std::nullopt;
}

Trace Case::from_weights(const Tensor& weights, const Tensor* masked) const {
    Trace trace;
    const auto add = [&](const char* name, Tensor value) {
        trace.stages.emplace_back().name = name;
        trace.stages.back().value = std::move(value);
    };
    add("weights", weights);
    if (weights.dim(1) > 1)
        add("weights_mean", mean_over_heads(weights));
    add("output", mix_values(weights, *find("value"), control, masked));
    return trace;
}

Trace Case::from_masked(const Tensor& masked) const {
    auto [weights, lse] = softmax_rows(masked);
    auto trace = from_weights(weights, &masked);
    for (auto [name, value] : {std::pair{"masked", masked}, std::pair{"lse", lse}}) {
        trace.stages.emplace_back().name = name;
        trace.stages.back().value = value;
    }
    return trace;
}

Trace Case::from_scores(const Tensor& scores) const {
    const auto bias = position_bias(resolve(problem), {B, H, L, S, find("query")->dim(-1), find("key")->dim(-1)});
    const bool after = problem.spec.scale_after_softmax;
    auto trace = from_scaled(after ? scores : scaled(scores), bias);
    trace.stages.emplace_back().name = "scores";
    trace.stages.back().value = scores;
    return trace;
}

Trace Case::from_scaled(const Tensor& numbers, const Tensor& bias_of_position) const {
    const auto resolved = resolve(problem);
    auto bias = attention_bias(resolved);
    if (bias.size() == 0)
        bias = bias_of_position;
    else if (bias_of_position.size() > 0)
        for (std::size_t k = 0; k < bias_of_position.values().size(); ++k)
            bias.mutable_values()[k] += bias_of_position.values()[k];
    auto open = numbers;
    if (!problem.spec.score_mod.empty()) {
        open = modified_scores(resolved, apply_masks(numbers, bias, Tensor(), MaskFill{}), 0, control);
        bias = Tensor();
    }
    const auto masked = apply_masks(open, bias, blocked_cells(resolved), problem.spec.mask_fill);
    auto trace = from_masked(masked);
    if (problem.spec.scale_after_softmax) {
        const auto weights = scaled(trace.find("weights")->value);
        const auto lse = trace.find("lse")->value;
        trace = from_weights(weights, &masked);
        trace.stages.emplace_back().name = "lse";
        trace.stages.back().value = lse;
    }
    trace.stages.emplace_back().name = "scaled";
    trace.stages.back().value = numbers;
    return trace;
}

Tensor Case::scaled(const Tensor& scores) const {
    return apply_scale(scores, problem.spec.scale, {find("query")->dim(-1), find("key")->dim(-2)});
}

std::optional<Message>
visit_mistakes(const AttentionProblem& asked, const Trace& exact, std::string_view stage, const Tensor& given,
               const std::function<void(std::string_view id, const Message& words, const Tensor& result)>& visit,
               const RunControl& control) {
    const auto problem = resolve(asked);
    if (auto reason = why_not(problem, exact, stage))
        return reason;
    const auto [B, H, L, S, grid] = mask_context(problem.sizes);
    const auto form = rewritable_form(problem, exact);
    const Case context{
        form ? rewritten(problem, *form, exact) : as_problem(problem), exact, form, control, B, H, L, S, stage};
    for (const auto& row : all_rows()) {
        control.checkpoint();
        for (const auto& attempt : row.attempts(context, given)) {
            const auto made = made_by(attempt, context, stage);
            if (made && made->shape() == given.shape())
                visit(row.mistake.id, {row.mistake.words, {attempt.detail}}, *made);
        }
    }
    return std::nullopt;
}

Diagnosis diagnose(const AttentionProblem& problem, const Trace& exact, std::string_view stage, const Tensor& given,
                   const RunControl& control) {
    Diagnosis result;
    const auto& right = exact.find(stage)->value;
    const Ruler ruler(given, right);
    result.exact_distance = ruler.distance(right);
    result.nan_causes = causes_of_nan(exact, stage, given);
    if (result.exact_distance == 0.0 || ruler.counted() == 0) {
        result.not_looked = why_not(resolve(problem), exact, stage);
        return result;
    }
    result.not_looked = visit_mistakes(
        problem, exact, stage, given,
        [&](std::string_view id, const Message& words, const Tensor& made) {
            result.likely.push_back({id, words, ruler.distance(made)});
        },
        control);
    keep_nearest(result.likely, result.exact_distance);
    return result;
}

// Why an array has NaN where the exact numbers have none.

namespace {

constexpr std::size_t no_place = static_cast<std::size_t>(-1);

/// The parts of an exact pass, and the cells of the given array that want a reason.
struct NanCase {
    const Tensor &query, &key, &value, &scores, &masked;
    DType type; ///< of the given array
    std::int64_t H, L, S;
    bool is_output; ///< the last axis has Ev entries, not one for each key

    std::int64_t key_matrix(std::int64_t matrix) const {
        return matrix / H * key.dim(1) + matrix % H / (H / key.dim(1));
    }
    std::span<const double> row(const Tensor& cells, std::int64_t matrix, std::int64_t i) const {
        const auto width = static_cast<std::size_t>(cells.dim(-1));
        return cells.values().subspan(static_cast<std::size_t>(matrix * L + i) * width, width);
    }
    std::span<const double> key_row(const Tensor& rows, std::int64_t matrix, std::int64_t j) const {
        const auto width = static_cast<std::size_t>(rows.dim(-1));
        return rows.values().subspan(static_cast<std::size_t>(key_matrix(matrix) * S + j) * width, width);
    }
};

bool finite(std::span<const double> numbers) {
    return std::ranges::all_of(numbers, [](double number) { return std::isfinite(number); });
}

double largest_of(std::span<const double> numbers) {
    double largest = 0.0;
    for (const double number : numbers)
        largest = std::max(largest, std::abs(number));
    return largest;
}

bool is_empty(const NanCase& c, std::int64_t matrix, std::int64_t i, std::size_t) {
    return c.S > 0 && std::ranges::all_of(c.row(c.masked, matrix, i), [](double score) { return score == -infinity; });
}

/// A query or a key that is not finite, read or not: masks are often added to scores that are NaN by then.
bool reads_odd_rows(const NanCase& c, std::int64_t matrix, std::int64_t i, std::size_t) {
    if (!finite(c.row(c.query, matrix, i)))
        return true;
    for (std::int64_t j = 0; j < c.S; ++j)
        if (!finite(c.key_row(c.key, matrix, j)))
            return true;
    return false;
}

/// Weight 0 times a value that is not finite.
bool meets_odd_values(const NanCase& c, std::int64_t matrix, std::int64_t, std::size_t feature) {
    if (!c.is_output)
        return false;
    for (std::int64_t j = 0; j < c.S; ++j) {
        const auto value = c.key_row(c.value, matrix, j);
        if (feature == no_place ? !finite(value) : !std::isfinite(value[feature]))
            return true;
    }
    return false;
}

/// Scores before the scale, as a kernel that scales afterwards holds them.
bool scores_overflow(const NanCase& c, std::int64_t matrix, std::int64_t i, std::size_t) {
    const double most = c.type == DType::Float16 ? 65504.0 : std::numeric_limits<float>::max();
    return c.type != DType::Float64 && largest_of(c.row(c.scores, matrix, i)) > most;
}

/// e^m of float16 above 11.09, of float32 and bfloat16 above 88.72, of float64 above 709.78.
bool exponentials_overflow(const NanCase& c, std::int64_t matrix, std::int64_t i, std::size_t) {
    const auto row = c.row(c.masked, matrix, i);
    const double most = c.type == DType::Float16 ? 11.09 : c.type == DType::Float64 ? 709.78 : 88.72;
    return !row.empty() && *std::max_element(row.begin(), row.end()) > most;
}

struct NanRow {
    std::string_view id;
    const char* words;
    bool (*holds)(const NanCase&, std::int64_t matrix, std::int64_t i, std::size_t feature);
};

const NanRow nan_rows[] = {
    {"empty_rows", ATTNLAB_TEXT("%1 NaN in rows that may read no key: the softmax of −∞ alone is −∞ − (−∞), or 0/0"),
     is_empty},
    {"odd_values", ATTNLAB_TEXT("%1 NaN where values are NaN or infinite: a weight of 0 times such a value is NaN"),
     meets_odd_values},
    {"odd_rows",
     ATTNLAB_TEXT("%1 NaN where a query or key is NaN or infinite: ∞ − ∞ and 0 × ∞ are NaN. A mask that is added does "
                  "not remove them"),
     reads_odd_rows},
    {"scores_overflow",
     ATTNLAB_TEXT("%1 NaN where scores before the scale are beyond the range of %2: they become ∞, and ∞ − ∞ is NaN"),
     scores_overflow},
    {"exponentials_overflow",
     ATTNLAB_TEXT(
         "%1 NaN where the exponentials of scores are beyond the range of %2, unless the maximum of the row is "
         "subtracted: ∞/∞ is NaN"),
     exponentials_overflow},
};

} // namespace

std::vector<NanCause> causes_of_nan(const Trace& exact, std::string_view stage, const Tensor& given) {
    const auto *query = exact.find("query"), *key = exact.find("key"), *value = exact.find("value");
    const auto *scores = exact.find("scores"), *masked = exact.find("masked"), *right = exact.find(stage);
    const auto numbers = given.values();
    if (!query || !key || !value || !scores || !masked || !right || right->axes.size() < 3 ||
        right->axes[0] != Axis::Batch || !prefix_of(stage).empty() ||
        std::ranges::none_of(numbers, [](double number) { return std::isnan(number); }))
        return {};
    const auto H = masked->value.dim(1), L = masked->value.dim(2);
    const bool by_head = right->axes[1] == Axis::Head && right->axes[2] == Axis::Query;
    if ((!by_head && right->axes[1] != Axis::Query) || std::ranges::count(right->axes, Axis::Query) != 1)
        return {};
    const NanCase c{query->value,
                    key->value,
                    value->value,
                    scores->value,
                    masked->value,
                    given.dtype(),
                    H,
                    L,
                    masked->value.dim(3),
                    right->axes.back() == Axis::Feature};
    const auto rows = static_cast<std::size_t>(right->value.dim(0) * L * (by_head ? H : 1));
    const auto width = rows == 0 ? 0 : numbers.size() / rows;
    std::vector<bool> explained(numbers.size(), false);
    std::vector<NanCause> causes;
    for (const auto& cause : nan_rows) {
        std::int64_t count = 0;
        bool contradicted = false; // a finite number where the cause holds
        std::vector<std::size_t> cells;
        for (std::size_t k = 0; k < numbers.size() && !contradicted; ++k) {
            const auto row = static_cast<std::int64_t>(k / width), i = row % L;
            if (explained[k] || std::isnan(right->value.values()[k]))
                continue;
            bool holds = false;
            if (by_head)
                holds = cause.holds(c, row / L, i, c.is_output ? k % width : no_place);
            else // heads are mixed
                for (std::int64_t h = 0; h < H; ++h)
                    holds = holds || cause.holds(c, row / L * H + h, i, no_place);
            if (!holds)
                continue;
            contradicted = !std::isnan(numbers[k]);
            ++count;
            cells.push_back(k);
        }
        if (contradicted || count == 0)
            continue;
        for (const auto k : cells)
            explained[k] = true;
        causes.push_back({cause.id, {cause.words, {std::to_string(count), std::string(name_of(given.dtype()))}}});
    }
    std::int64_t left = 0;
    for (std::size_t k = 0; k < numbers.size(); ++k)
        left += std::isnan(numbers[k]) && !std::isnan(right->value.values()[k]) && !explained[k];
    if (left > 0)
        causes.push_back({"unknown",
                          {ATTNLAB_TEXT("%1 NaN without a known cause: no row without a key, no input that is not "
                                        "finite and no overflow of %2 explains them"),
                           {std::to_string(left), std::string(name_of(given.dtype()))}}});
    return causes;
}

} // namespace attnlab::verify
