// What a backend that computes in tiles has no way to compute.
#include "core/flash/cpu_backend.h"
#include "core/stages/mask.h"
#include "core/stages/scale.h"
#include "core/variants.h"

#include <algorithm>
#include <cmath>

namespace attnlab::flash {
namespace {

/// The largest finite size in a tensor; 0 where it is not there.
double largest_size(const AttentionProblem& problem, const char* name) {
    const auto found = problem.tensors.find(name);
    if (found == problem.tensors.end())
        return 0.0;
    // Piece by piece: a large array may stay in its file.
    double largest = 0.0;
    std::vector<double> piece(static_cast<std::size_t>(std::min<std::int64_t>(found->second.size(), 1 << 16)));
    for (std::int64_t first = 0; first < found->second.size(); first += std::ssize(piece)) {
        const auto count = std::min(std::ssize(piece), found->second.size() - first);
        const auto part = std::span(piece).first(static_cast<std::size_t>(count));
        found->second.read(first, part);
        for (const double value : part)
            if (const double size = std::abs(value); size > largest && std::isfinite(size))
                largest = size;
    }
    return largest;
}

/// Numbers of which a product or sum might leave the range of float32, where float64 stays within its own.
/// What scores are multiplied by at most, whatever the width and the number of keys are.
double largest_factor(const Selection& scale) {
    const auto& mode = scale_mode(scale.id);
    // No factor is larger than the one for a single feature and key; a softcap makes scores smaller.
    return mode.factor ? std::max(1.0, std::abs(mode.factor({1, 1}, scale.parameters))) : 1.0;
}

std::optional<Message> refused_scale(const AttentionSpec& spec, const Abilities& abilities) {
    if (spec.scale.id.empty() || (abilities.softcap && is_softcap(spec)))
        return std::nullopt;
    const auto& mode = scale_mode(spec.scale.id);
    if (!mode.factor || mode.row_norm == RowNorm::RootMeanSquare)
        return Message(ATTNLAB_TEXT("The %1 backend multiplies scores by one number; the scale %2 is more than that"),
                       {std::string(abilities.backend), spec.scale.id});
    return std::nullopt;
}

} // namespace

bool is_softcap(const AttentionSpec& spec) { return spec.scale.id == "softcap" && !spec.scale_after_softmax; }

std::optional<Message> refused_numbers(const AttentionProblem& problem, const Abilities& abilities) {
    const auto scale = effective_scale(problem.spec);
    const auto& mode = scale_mode(scale.id);
    const auto size = [&](const char* name, int axis) {
        const auto found = problem.tensors.find(name);
        return found == problem.tensors.end() || found->second.rank() < 2
                   ? 1.0
                   : static_cast<double>(std::max<std::int64_t>(1, found->second.dim(axis)));
    };
    const double query = largest_size(problem, "query"), key = largest_size(problem, "key");
    const double stored =
        std::max({mode.row_norm == RowNorm::Length ? 1.0 : std::max(query, key), largest_size(problem, "value")});
    if (stored > abilities.largest_stored)
        return Message(ATTNLAB_TEXT("The %1 backend stores numbers up to %2; there are some of %3"),
                       {std::string(abilities.backend), to_text(abilities.largest_stored), to_text(stored)});
    constexpr double most = 1e37;
    const double cosine_or_product = mode.row_norm == RowNorm::Length ? 1.0 : query * key * size("query", -1);
    const double factor = largest_factor(scale);
    const double value = largest_size(problem, "value") * factor * size("value", -2);
    if (const double largest = std::max({query * factor, key, cosine_or_product * factor, value}); !(largest < most))
        return Message(ATTNLAB_TEXT("The %1 backend computes in float32; values up to %2 may leave its range"),
                       {std::string(abilities.backend), to_text(largest)});
    return std::nullopt;
}

std::optional<Message> refused_choices(const AttentionSpec& spec, const Abilities& abilities) {
    const std::string backend(abilities.backend);
    if (spec.variant != "scaled_dot_product")
        return Message(ATTNLAB_TEXT("The %1 backend computes scaled_dot_product, not %2"), {backend, spec.variant});
    if (!spec.position.id.empty())
        return Message(ATTNLAB_TEXT("The %1 backend knows no positions; the problem has %2"),
                       {backend, spec.position.id});
    if (spec.statistics)
        return Message(ATTNLAB_TEXT("The %1 backend keeps no weights, so it has no statistics of them"), {backend});
    if (const auto scale = refused_scale(spec, abilities))
        return scale;
    return refused_masks(spec, abilities.backend);
}

} // namespace attnlab::flash
