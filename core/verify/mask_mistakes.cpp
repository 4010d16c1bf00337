// Implements the mistakes of attempts.h about masks.
#include "core/stages/mask.h"
#include "core/stages/softmax.h"
#include "core/tensor.h"
#include "core/verify/attempts.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attnlab::verify {
namespace {

bool has_blocks(const Case& c) {
    return std::ranges::any_of(c.problem.spec.masks, [](const auto& mask) { return !mask_kind(mask.id).adds; });
}

/// The first mask whose kind is so; null if there is none.
const Selection* first_mask(const AttentionProblem& problem, bool (*is)(const MaskKind&)) {
    const auto& masks = problem.spec.masks;
    const auto found = std::ranges::find_if(masks, [&](const Selection& mask) { return is(mask_kind(mask.id)); });
    return found == masks.end() ? nullptr : &*found;
}

/// The problem with other parameters of one mask; those that are absent stay.
Attempt with_parameters(const Case& c, const Selection& mask, const ParameterValues& values) {
    auto problem = c.problem;
    const auto changed = std::ranges::find(problem.spec.masks, mask);
    for (const auto& [name, value] : values.all())
        changed->parameters.set(name, value);
    return {{}, std::move(problem)};
}

Attempts with_parameter(const Case& c, const Selection& mask, std::string_view name, ParameterValue value) {
    ParameterValues values;
    values.set(name, std::move(value));
    return {with_parameters(c, mask, values)};
}

/// The problem with `blocked` (B,H,L,S) in place of all masks that block. Biases stay.
Attempt with_cells(const Case& c, Tensor blocked) {
    auto problem = c.problem;
    std::erase_if(problem.spec.masks, [](const auto& mask) { return !mask_kind(mask.id).adds; });
    problem.spec.masks.push_back({"attn_mask", {}});
    problem.spec.mask_combine.clear();
    problem.spec.mask_true = MaskTrue::Blocks;
    problem.tensors.insert_or_assign("attn_mask", std::move(blocked));
    return {{}, std::move(problem)};
}

/// The problem with its blocked cells (B,H,L,S) changed by `edit`.
template <class Edit>
Attempts with_blocked(const Case& c, Edit edit) {
    if (!has_blocks(c))
        return {};
    const auto blocked = blocked_cells(resolve(c.problem));
    Tensor edited(blocked.shape(), 0.0, DType::Bool);
    auto cells = edited.mutable_values();
    for (std::int64_t matrix = 0; matrix < c.B * c.H; ++matrix) {
        const auto own = matrix_at(blocked, matrix);
        for (std::int64_t i = 0; i < c.L; ++i)
            for (std::int64_t j = 0; j < c.S; ++j)
                cells[static_cast<std::size_t>((matrix * c.L + i) * c.S + j)] = edit(own, i, j);
    }
    return {with_cells(c, std::move(edited))};
}

std::optional<std::int64_t> offset_of_masks(const AttentionProblem& problem) {
    return query_offsets(problem.spec, problem.tensors).common();
}

bool has_offset(const AttentionProblem& problem) {
    return problem.spec.query_offset || problem.tensors.contains("query_offset");
}

/// The problem with all masks at one offset. Positions stay where they are.
Attempt with_masks_at(const Case& c, std::int64_t offset) {
    auto problem = c.problem;
    problem.spec.position = {};
    problem.spec.query_offset = offset;
    problem.tensors.erase("query_offset");
    for (auto& mask : problem.spec.masks)
        if (is_bottom_right(mask))
            mask.parameters.set("alignment", std::string("top_left"));
    return with_cells(c, blocked_cells(resolve(problem)));
}

/// In the masks alone; and in the positions, too, where they are at the same offset.
Attempts without_offset(const Case& c, const Tensor&) {
    if (!uses_positions(c.problem.spec.masks) || !has_offset(c.problem) || offset_of_masks(c.problem) == 0)
        return {};
    Attempts attempts{with_masks_at(c, 0)};
    auto problem = c.problem;
    auto& position = problem.spec.position;
    if (position.id.empty())
        return attempts;
    const auto* own = position.parameters.find("query_offset");
    if (own && problem.spec.query_offset && *own == ParameterValue(*problem.spec.query_offset))
        position.parameters.set("query_offset", std::int64_t{0});
    problem.spec.query_offset.reset();
    problem.tensors.erase("query_offset");
    attempts.push_back({{}, std::move(problem)});
    return attempts;
}

/// Only causal has an alignment of its own.
Attempts other_corner(const Case& c, const Tensor&) {
    const auto* mask = first_mask(c.problem, has_alignment);
    if (!mask || c.L == c.S || has_offset(c.problem))
        return {};
    return with_parameter(c, *mask, "alignment", std::string(is_bottom_right(*mask) ? "top_left" : "bottom_right"));
}

/// All masks where the last query is at the last key.
Attempts last_with_last(const Case& c, const Tensor&) {
    const auto& masks = c.problem.spec.masks;
    const auto moves = [](const Selection& mask) { return mask_kind(mask.id).band && !is_bottom_right(mask); };
    const auto moves_besides_causal = [&](const Selection& mask) {
        return moves(mask) && !has_alignment(mask_kind(mask.id));
    };
    if (std::ranges::none_of(masks, moves) || c.L == c.S || offset_of_masks(c.problem) == c.S - c.L)
        return {};
    if (!has_offset(c.problem) && std::ranges::none_of(masks, moves_besides_causal))
        return {}; // other_corner() has it
    return {with_masks_at(c, c.S - c.L)};
}

/// Beyond an edge the mask continues along its diagonals.
Attempts one_later(const Case& c, const Tensor&) {
    return with_blocked(c, [&](const MatrixView& own, auto i, auto j) {
        return j > 0 ? own(i, j - 1) : own(std::min(i + 1, c.L - 1), 0);
    });
}

Attempts one_earlier(const Case& c, const Tensor&) {
    return with_blocked(c, [&](const MatrixView& own, auto i, auto j) {
        return j + 1 < c.S ? own(i, j + 1) : own(std::max<std::int64_t>(i - 1, 0), c.S - 1);
    });
}

Attempts turned_round(const Case& c, const Tensor&) {
    return with_blocked(c, [](const MatrixView& own, auto i, auto j) { return own(i, j) == 0.0 ? 1.0 : 0.0; });
}

Attempts transposed_mask(const Case& c, const Tensor&) {
    if (c.L != c.S)
        return {};
    return with_blocked(c, [](const MatrixView& own, auto i, auto j) { return own(j, i); });
}

Attempts ignored(const Case& c, const Tensor&) {
    Attempts attempts;
    const auto& masks = c.problem.spec.masks;
    for (std::size_t i = 0; i < masks.size(); ++i) {
        auto problem = c.problem;
        problem.spec.masks.erase(problem.spec.masks.begin() + static_cast<std::ptrdiff_t>(i));
        fit_combination(problem.spec);
        attempts.push_back({masks[i].id, std::move(problem)});
    }
    if (masks.size() > 1) {
        std::string all;
        for (const auto& mask : masks)
            all += (all.empty() ? "" : " + ") + mask.id;
        auto problem = c.problem;
        problem.spec.masks.clear();
        problem.spec.mask_combine.clear();
        attempts.push_back({all, std::move(problem)});
    }
    return attempts;
}

Attempts one_meaning(const Case& c, const Tensor&) {
    auto problem = c.problem;
    if (problem.spec.masks.size() < 2 || !find_mask(problem.spec.masks, &MaskKind::uses_mask_true))
        return {}; // alone it is the whole mask inverted
    problem.spec.mask_true = problem.spec.mask_true == MaskTrue::Blocks ? MaskTrue::Keeps : MaskTrue::Blocks;
    return {{{}, std::move(problem)}};
}

/// The window with one of its reaches, and with both, changed by `keys`.
Attempts with_reaches(const Case& c, std::int64_t keys) {
    const auto* mask = first_mask(c.problem, is_window);
    if (!mask)
        return {};
    const auto band = mask_kind(mask->id).band({c.B, c.H, c.L, c.S}, mask->parameters);
    Attempts attempts;
    const auto attempt = [&](std::int64_t before, std::int64_t after) {
        const auto left = band.before == Band::unlimited ? -1 : band.before + before,
                   right = band.after == Band::unlimited ? -1 : band.after + after;
        if ((before != 0 && left < 0) || (after != 0 && right < 0))
            return; // unlimited, or no key less
        ParameterValues values;
        values.set("sides", std::string("separate"));
        values.set("left", left);
        values.set("right", right);
        attempts.push_back(with_parameters(c, *mask, values));
    };
    attempt(keys, keys);
    attempt(keys, 0);
    attempt(0, keys);
    return attempts;
}

Attempts wider(const Case& c, const Tensor&) { return with_reaches(c, 1); }

Attempts narrower(const Case& c, const Tensor&) { return with_reaches(c, -1); }

Attempts width_as_reach(const Case& c, const Tensor&) {
    const auto* mask = first_mask(c.problem, is_window);
    if (!mask || mask->parameters.choice("sides") == "separate")
        return {};
    const auto w = mask->parameters.integer("w");
    return w < 4 ? Attempts{} : with_parameter(c, *mask, "w", 2 * w); // 2 -> 4 is one wider
}

Attempts filled_with_zero(const Case& c, const Tensor&) {
    if (!has_blocks(c))
        return {};
    auto problem = c.problem;
    problem.spec.mask_fill = {0.0, MaskFill::Mode::Replace};
    return {{{}, std::move(problem)}};
}

/// Rows without a key, as a large negative number instead of -inf leaves them. Other rows stay.
Attempts equal_in_empty_rows(const Case& c, const Tensor&) {
    const auto* masked = c.find("masked");
    if (!masked || masked->dim(-1) == 0)
        return {};
    const auto width = static_cast<std::size_t>(masked->dim(-1));
    auto filled = *masked;
    const auto cells = filled.mutable_values();
    bool any = false;
    for (std::size_t row = 0; row < cells.size() / width; ++row) {
        const auto own = cells.subspan(row * width, width);
        if (std::ranges::any_of(own, [](double score) { return score != -infinity; }))
            continue;
        std::ranges::fill(own, 0.0);
        any = true;
    }
    if (!any || c.stage == "lse" || c.stage == "masked")
        return {};
    return {{{}, [&c, filled](std::string_view stage) {
                 return c.stage_of(c.from_weights(softmax_rows(filled).weights, &filled), stage);
             }}};
}

Attempts after_softmax(const Case& c, const Tensor&) {
    const auto* blocked = c.find("blocked");
    const auto* scaled = c.find("scaled");
    if (!has_blocks(c) || !blocked || !scaled)
        return {};
    return {{{}, [&c, blocked, scaled](std::string_view stage) {
                 auto weights = softmax_rows(*scaled).weights;
                 auto cells = weights.mutable_values();
                 for (std::size_t k = 0; k < cells.size(); ++k)
                     cells[k] = blocked->values()[k] == 0.0 ? cells[k] : 0.0;
                 return c.stage_of(c.from_weights(weights), stage);
             }}};
}

const MistakeRow mask_rows[] = {
    {{"causal_corner", ATTNLAB_TEXT("the causal mask is aligned to the other corner")}, other_corner},
    {{"mask_corner", ATTNLAB_TEXT("the masks are aligned to the other corner: the last query is at the last key")},
     last_with_last},
    {{"query_offset", ATTNLAB_TEXT("the query offset is left out: the first query is at position 0")}, without_offset},
    {{"mask_one_later", ATTNLAB_TEXT("the mask is off by one: shifted to the next key")}, one_later},
    {{"mask_one_earlier", ATTNLAB_TEXT("the mask is off by one: shifted to the key before")}, one_earlier},
    {{"mask_turned", ATTNLAB_TEXT("the mask is turned round: blocked cells are kept and kept ones blocked")},
     turned_round},
    {{"attn_mask_turned", ATTNLAB_TEXT("True in attn_mask is read the other way round")}, one_meaning},
    {{"mask_transposed", ATTNLAB_TEXT("the mask is transposed")}, transposed_mask},
    {{"mask_ignored", ATTNLAB_TEXT("the mask %1 is ignored")}, ignored},
    {{"window_wider", ATTNLAB_TEXT("the window is off by one: it reaches one key farther")}, wider},
    {{"window_narrower", ATTNLAB_TEXT("the window is off by one: it reaches one key less far")}, narrower},
    {{"window_reach", ATTNLAB_TEXT("the width of the window is taken for its reach to either side")}, width_as_reach},
    {{"empty_rows_equal",
      ATTNLAB_TEXT("rows without a key read all keys equally, as with a large negative number instead "
                   "of −∞")},
     equal_in_empty_rows},
    {{"mask_fill_zero", ATTNLAB_TEXT("blocked scores are set to 0 instead of −∞")}, filled_with_zero},
    {{"mask_after_softmax", ATTNLAB_TEXT("the mask is applied after the softmax")}, after_softmax},
};

} // namespace

std::span<const MistakeRow> mask_mistakes() { return mask_rows; }

// Implements the mistakes of attempts.h about sinks: logits that count in the denominator of the softmax alone. In a
// problem a sink is the last key, zero like its value, whose score is the bias.

namespace {

bool last_row_is_zero(const Tensor& rows) {
    const auto width = rows.dim(-1), count = rows.dim(-2);
    for (std::int64_t matrix = 0; matrix < rows.dim(0) * rows.dim(1); ++matrix)
        for (std::int64_t e = 0; e < width; ++e)
            if (matrix_at(rows, matrix)(count - 1, e) != 0.0)
                return false;
    return true;
}

bool has_sink(const Case& c) {
    const auto *key = c.find("key"), *value = c.find("value"), *masked = c.find("masked");
    if (!key || !value || !masked || masked->dim(-1) < 2 || !last_row_is_zero(*key) || !last_row_is_zero(*value))
        return false;
    for (std::int64_t row = 0; row < masked->size() / masked->dim(-1); ++row)
        if (!std::isfinite(masked->values()[static_cast<std::size_t>((row + 1) * masked->dim(-1) - 1)]))
            return false;
    return true;
}

/// One row of masked scores without the sink, with its sum of exponentials as a logarithm.
struct SinkRow {
    double logit;   ///< of the sink, 0 where there is none
    double lse;     ///< of the keys
    double maximum; ///< of the keys
    std::size_t matrix;
};

/// The stages of a softmax whose denominator has e^`logarithm` beside the exponentials of the keys.
template <class Logarithm>
Attempt with_term(const Case& c, Logarithm logarithm, bool sink = true) {
    return {{}, [&c, logarithm, sink](std::string_view stage) -> std::optional<Tensor> {
                auto masked = *c.find("masked");
                const auto width = static_cast<std::size_t>(masked.dim(-1)), keys = sink ? width - 1 : width;
                const auto L = static_cast<std::size_t>(masked.dim(2));
                const auto cells = masked.mutable_values();
                Tensor lse({masked.dim(0), masked.dim(1), masked.dim(2)});
                Tensor weights(masked.shape());
                const auto shares = weights.mutable_values();
                for (std::size_t row = 0; row < static_cast<std::size_t>(lse.size()); ++row) {
                    const auto own = cells.subspan(row * width, width);
                    std::vector<double> ignored(keys, 0.0);
                    const SinkRow of{sink ? own[keys] : 0.0, softmax_row(own.first(keys), ignored),
                                     *std::max_element(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(keys)),
                                     row / L};
                    const double term = logarithm(of);
                    const double high = std::max(of.lse, term);
                    const double all =
                        high == -infinity ? high : high + std::log(std::exp(of.lse - high) + std::exp(term - high));
                    lse.mutable_values()[row] = all;
                    for (std::size_t j = 0; j < keys; ++j)
                        shares[row * width + j] = own[j] == -infinity ? 0.0 : std::exp(own[j] - all);
                    if (sink)
                        shares[row * width + keys] = term == -infinity ? 0.0 : std::exp(term - all);
                }
                auto trace = c.from_weights(weights, c.find("masked"));
                trace.stages.emplace_back().name = "lse";
                trace.stages.back().value = lse;
                return c.stage_of(trace, stage);
            }};
}

Attempts sink_ignored(const Case& c, const Tensor&) {
    if (!has_sink(c) || c.stage == "lse")
        return {};
    return {with_term(c, [](const SinkRow&) { return -infinity; })};
}

Attempts lse_without_sink(const Case& c, const Tensor&) {
    if (!has_sink(c) || c.stage != "lse")
        return {};
    return {with_term(c, [](const SinkRow&) { return -infinity; })};
}

Attempts sink_scaled(const Case& c, const Tensor&) {
    if (!has_sink(c) || c.problem.spec.scale_after_softmax)
        return {};
    return {with_term(c, [&c](const SinkRow& row) { return c.scaled(Tensor({1, 1, 1, 1}, row.logit)).values()[0]; })};
}

Attempts sink_itself(const Case& c, const Tensor&) {
    if (!has_sink(c))
        return {};
    return {with_term(c, [](const SinkRow& row) { return std::log(row.logit); })}; // NaN, which is not near, below 0
}

/// e^(s - m) of the keys beside e^s of the sink. The maximum m may contain the sink or not.
Attempts sink_without_maximum(const Case& c, const Tensor&) {
    if (!has_sink(c))
        return {};
    return {with_term(c, [](const SinkRow& row) { return row.logit + row.maximum; }),
            with_term(c, [](const SinkRow& row) { return row.logit + std::max(row.maximum, row.logit); })};
}

Attempts sink_twice(const Case& c, const Tensor&) {
    if (!has_sink(c))
        return {};
    return {with_term(c, [](const SinkRow& row) { return row.logit + std::log(2.0); })};
}

Attempts sink_of_other_head(const Case& c, const Tensor&) {
    if (!has_sink(c) || c.H < 2)
        return {};
    const auto logit_of = [&c](std::size_t matrix) {
        const auto& masked = *c.find("masked");
        return matrix_at(masked, static_cast<std::int64_t>(matrix))(0, masked.dim(-1) - 1);
    };
    const auto H = static_cast<std::size_t>(c.H);
    const auto by = [&](auto head) {
        return with_term(
            c, [logit_of, H, head](const SinkRow& row) { return logit_of(row.matrix / H * H + head(row.matrix % H)); });
    };
    Attempts attempts;
    attempts.push_back(by([](std::size_t) { return std::size_t{0}; }));
    attempts.push_back(by([H](std::size_t h) { return H - 1 - h; }));
    attempts.push_back(by([H](std::size_t h) { return (h + 1) % H; }));
    attempts.push_back(by([H](std::size_t h) { return (h + H - 1) % H; }));
    return attempts;
}

/// The logit 0, or e^0 beside the exponentials that the maximum was subtracted from.
Attempts sink_added(const Case& c, const Tensor&) {
    if (!c.find("masked") || c.find("masked")->dim(-1) == 0 || has_sink(c))
        return {};
    return {with_term(
                c, [](const SinkRow&) { return 0.0; }, false),
            with_term(
                c, [](const SinkRow& row) { return row.maximum; }, false)};
}

const MistakeRow sink_rows[] = {
    {{"sink_ignored", ATTNLAB_TEXT("the sink is ignored")}, sink_ignored},
    {{"lse_without_sink", ATTNLAB_TEXT("the lse lacks the sink")}, lse_without_sink},
    {{"sink_scaled", ATTNLAB_TEXT("the sink is scaled like a score")}, sink_scaled},
    {{"sink_itself", ATTNLAB_TEXT("the sink itself is added to the sum of the softmax instead of its exponential")},
     sink_itself},
    {{"sink_without_maximum", ATTNLAB_TEXT("the maximum of the row is subtracted from the scores but not the sink")},
     sink_without_maximum},
    {{"sink_twice", ATTNLAB_TEXT("the sink counts twice")}, sink_twice},
    {{"sink_of_other_head", ATTNLAB_TEXT("heads have the sinks of other heads")}, sink_of_other_head},
    {{"sink_added", ATTNLAB_TEXT("1 is added to the sum of the softmax, like a sink")}, sink_added},
};

} // namespace

std::span<const MistakeRow> sink_mistakes() { return sink_rows; }

} // namespace attnlab::verify
