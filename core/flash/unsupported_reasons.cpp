#include "core/flash/unsupported_reasons.h"

#include "core/flash/cpu_backend.h"
#include "core/mechanisms.h"
#include "core/rounding.h"
#include "core/stages/expression_mask.h"
#include "core/stages/gradients.h"
#include "core/stages/mask.h"
#include "core/stages/normaliser.h"
#include "core/stages/scale.h"
#include "core/stages/similarity.h"
#include "core/stages/softmax.h"

#include <algorithm>
#include <cmath>

namespace attnlab::flash {
namespace {

double largest_size(const Tensor& tensor) { return flash::largest_size(tensor, 0, tensor.size()); }

/// An upper bound of the numbers projected from these rows.
double largest_made(const ProjectedRows& made) {
    const double rows = largest_size(made.rows);
    if (!made.weight)
        return rows;
    return rows * largest_size(*made.weight) * static_cast<double>(made.weight->dim(0)) +
           (made.bias ? largest_size(*made.bias) : 0.0);
}

/// An upper bound of the factor, that of a single feature and key; a softcap only reduces scores.
double largest_factor(const Selection& scale) {
    const auto& mode = scale_mode(scale.id);
    return mode.factor ? std::max(1.0, std::abs(mode.factor({1, 1}, scale.parameters))) : 1.0;
}

std::optional<Message> refused_scale(const AttentionSpec& spec, const Abilities& abilities) {
    if (spec.scale.id.empty() || (abilities.softcap && is_softcap(spec)))
        return std::nullopt;
    const auto& mode = scale_mode(spec.scale.id);
    if (!mode.factor || mode.row_norm == RowNorm::RootMeanSquare)
        return Message(ATTNLAB_TEXT("Attention in tiles multiplies scores by one number; the scale %1 is more than "
                                    "that"),
                       {spec.scale.id});
    return std::nullopt;
}

std::optional<Message> refused_fill(const AttentionSpec& spec) {
    // In float32 a score of size 1 is lost next to an added 1e9, which matters in a fully blocked row.
    constexpr double largest_added_fill = 64.0;
    const auto& fill = spec.mask_fill;
    if (!spec.masks.empty() && fill.mode == MaskFill::Mode::Add && std::isfinite(fill.value) &&
        std::abs(fill.value) > largest_added_fill)
        return Message(ATTNLAB_TEXT("Attention in tiles is computed in float32, where scores are lost beside an added "
                                    "mask fill of %1; at most %2 can be added"),
                       {to_text(fill.value), to_text(largest_added_fill)});
    return std::nullopt;
}

/// An expression must consist of what kernels have.
std::optional<UnsupportedChoice> refused_masks(const AttentionSpec& spec) {
    if (!spec.score_mod.empty())
        return UnsupportedChoice{
            Choice::ScoreMod,
            {ATTNLAB_TEXT("Attention in tiles modifies no scores; the problem has score_mod %1"), {spec.score_mod}}};
    if (const auto normaliser = effective_normaliser(spec); !normaliser.id.empty())
        return UnsupportedChoice{
            Choice::Normaliser,
            {ATTNLAB_TEXT("Attention in tiles has softmax alone; the problem has the normaliser %1"), {normaliser.id}}};
    if (!spec.decay.id.empty())
        return UnsupportedChoice{
            Choice::Decay, {ATTNLAB_TEXT("Attention in tiles has no decay; the problem has %1"), {spec.decay.id}}};
    if (combines_otherwise(spec))
        return UnsupportedChoice{
            Choice::MaskCombine,
            {ATTNLAB_TEXT("Attention in tiles keeps a cell where every mask keeps it; the masks are "
                          "combined by %1"),
             {spec.mask_combine}}};
    for (const auto& mask : spec.masks)
        if (mask_kind(mask.id).rules && !is_bands_and_documents(mask))
            return UnsupportedChoice{
                Choice::Mask,
                {ATTNLAB_TEXT("Attention in tiles computes expressions that are bands or documents, joined by and: "
                              "q - k < 8, doc[b, q] == doc[b, k]; the mask %1 is another one"),
                 {to_text(complete_mask(mask).parameters.choice("expression"))}}};
    return std::nullopt;
}

std::optional<Message> refused_form(const DotProductForm& form) {
    if (form.appends_keys)
        return Message(ATTNLAB_TEXT("Attention in tiles appends no keys; the problem has bias_k or add_zero_attn"));
    if (dropout_of(form.spec.parameters).on())
        return Message(ATTNLAB_TEXT("Attention in tiles drops no weights; the problem has dropout"));
    if (wants_gradients(form.spec.parameters))
        return Message(ATTNLAB_TEXT("Attention in tiles goes forward only; the problem asks for gradients"));
    if (wants_similarity(form.spec.parameters))
        return Message(ATTNLAB_TEXT("Attention in tiles computes the output alone; the problem asks for output "
                                    "similarity"));
    return std::nullopt;
}

} // namespace

bool is_softcap(const AttentionSpec& spec) { return scale_mode(spec.scale.id).cap && !spec.scale_after_softmax; }

std::optional<UnsupportedChoice> unsupported_choice(const AttentionSpec& spec, const Abilities& abilities) {
    if (!mechanism_of(spec.variant).dot_product_form)
        return UnsupportedChoice{Choice::Mechanism, not_a_dot_product(spec)};
    if (!spec.position.id.empty())
        return UnsupportedChoice{
            Choice::Position,
            {ATTNLAB_TEXT("Attention in tiles knows no positions; the problem has %1"), {spec.position.id}}};
    if (auto refused = refused_masks(spec))
        return refused;
    if (spec.statistics)
        return UnsupportedChoice{
            Choice::Statistics,
            {ATTNLAB_TEXT("Attention in tiles keeps no weights, so there are no statistics of them")}};
    if (!spec.view.empty())
        return UnsupportedChoice{
            Choice::View,
            {ATTNLAB_TEXT("Attention in tiles keeps no weights, so there is no view %1 of them"), {spec.view}}};
    if (spec.rounding)
        return UnsupportedChoice{Choice::Rounding,
                                 {ATTNLAB_TEXT("Attention in tiles rounds nothing on the way; the problem asks for %1"),
                                  {to_text(*spec.rounding)}}};
    if (auto why = refused_scale(spec, abilities))
        return UnsupportedChoice{Choice::Scale, std::move(*why)};
    if (auto why = refused_fill(spec))
        return UnsupportedChoice{Choice::MaskFill, std::move(*why)};
    return std::nullopt;
}

std::optional<UnsupportedChoice> unsupported_choice(const ResolvedProblem& problem, const Abilities& abilities) {
    if (auto refused = unsupported_choice(problem.spec, abilities))
        return refused;
    if (auto why = refused_form(form_of(problem)))
        return UnsupportedChoice{Choice::Parameters, std::move(*why)};
    return std::nullopt;
}

double largest_size(const Tensor& tensor, std::int64_t first, std::int64_t count) {
    // In pieces: a large array may stay in its file.
    double largest = 0.0;
    std::vector<double> piece(static_cast<std::size_t>(std::min<std::int64_t>(count, 1 << 16)));
    for (std::int64_t done = 0; done < count; done += std::ssize(piece)) {
        const auto part = std::span(piece).first(static_cast<std::size_t>(std::min(std::ssize(piece), count - done)));
        tensor.read(first + done, part);
        for (const double value : part)
            if (const double size = std::abs(value); size > largest && std::isfinite(size))
                largest = size;
    }
    return largest;
}

std::optional<Message> refused_sizes(const Selection& scale, std::int64_t E, std::int64_t S, double query, double key,
                                     double value, const Abilities& abilities) {
    // A factor below 1e-38 becomes 0 in float32, so its operand must not be so large that this matters.
    constexpr double most = 1e37, most_of_a_factor = 1e30;
    const auto& mode = scale_mode(scale.id);
    const auto size = [](std::int64_t count) { return static_cast<double>(std::max<std::int64_t>(1, count)); };
    const double cosine_or_product = mode.row_norm == RowNorm::Length ? 1.0 : query * key * size(E);
    const double factor = largest_factor(scale);
    const double score = cosine_or_product * factor;
    struct Bound {
        double largest, limit;
        const char* of;
    };
    for (const auto& [largest, limit, of] :
         {Bound{query * factor, most_of_a_factor, ATTNLAB_TEXT("query, scaled")},
          Bound{key, most_of_a_factor, ATTNLAB_TEXT("key")}, Bound{score, most, ATTNLAB_TEXT("scores")},
          Bound{value * factor * size(S), most, ATTNLAB_TEXT("sums of value")}})
        if (!(largest < limit))
            return Message(
                ATTNLAB_TEXT("Attention in tiles is computed in float32; values up to %1 may leave its range (%2)"),
                {to_text(largest), Message(of)});
    if (score > abilities.largest_score)
        return Message(ATTNLAB_TEXT("Scores up to %1 can be computed here; there may be some of %2"),
                       {to_text(abilities.largest_score), to_text(score)});
    return std::nullopt;
}

std::optional<Message> refused_numbers(const ResolvedProblem& problem, const DotProductForm& form,
                                       const Abilities& abilities) {
    const auto shape = shape_of(problem, form);
    const double query = largest_made(form.query), key = largest_made(form.key), value = largest_made(form.value);
    const bool normalised = scale_mode(problem.spec.scale.id).row_norm != RowNorm::None;
    if (const double stored = normalised ? value : std::max({query, key, value}); stored > abilities.largest_stored)
        return Message(ATTNLAB_TEXT("Numbers up to %1 can be stored in this precision; there may be some of %2"),
                       {to_text(abilities.largest_stored), to_text(stored)});
    return refused_sizes(problem.spec.scale, shape.E, shape.S, query, key, value, abilities);
}

} // namespace attnlab::flash
