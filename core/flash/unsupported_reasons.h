// What attention in float32 tiles (output or map) cannot compute, and which choice is the reason.
#pragma once

#include "core/mechanisms/shared/dot_product_form.h"

namespace attnlab::flash {

enum class Choice {
    Mechanism,
    Parameters,
    Scale,
    Position,
    ScoreMod,
    Normaliser,
    Decay,
    Mask,
    MaskCombine,
    MaskFill,
    Statistics,
    View,
    Rounding
};

struct UnsupportedChoice {
    Choice choice;
    Message why;
};

/// Abilities in which tiled implementations differ.
struct Abilities {
    bool softcap = false;                                            ///< the scale c tanh(s / (c √E))
    double largest_stored = std::numeric_limits<double>::infinity(); ///< of a query, key or value
    double largest_score = std::numeric_limits<double>::infinity();  ///< before the softmax, as an upper bound
};

/// True when the scores have that scale.
bool is_softcap(const AttentionSpec& spec);

/// What is refused regardless of the arrays; nullopt where it can be computed. The spec need not be complete. Throws
/// Error for an unknown variant or scale.
std::optional<UnsupportedChoice> unsupported_choice(const AttentionSpec& spec, const Abilities& abilities = {});

/// The same, plus what is refused because of the arrays regardless of their numbers: appended keys.
std::optional<UnsupportedChoice> unsupported_choice(const ResolvedProblem& problem, const Abilities& abilities = {});

/// The largest finite magnitude of `count` numbers from `first` on.
double largest_size(const Tensor& tensor, std::int64_t first, std::int64_t count);

/// The refusal where a product or sum of queries, keys and values up to these magnitudes might leave the range of
/// float32 (float64 stays in its own), or scores the supported range.
std::optional<Message> refused_sizes(const Selection& scale, std::int64_t E, std::int64_t S, double query, double key,
                                     double value, const Abilities& abilities = {});

/// The same for all numbers of a problem.
std::optional<Message> refused_numbers(const ResolvedProblem& problem, const DotProductForm& form,
                                       const Abilities& abilities = {});

} // namespace attnlab::flash
