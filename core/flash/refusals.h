// What attention in float32 tiles, output or map, cannot give, and which choice stands in its way.
#pragma once

#include "core/variants/dot_product_form.h"

namespace attnlab::flash {

enum class Choice { Variant, Parameters, Scale, Position, Masks, MaskFill, Statistics, Rounding };

struct Refused {
    Choice choice;
    Message why;
};

/// What one way to compute in tiles is able to do and another is not.
struct Abilities {
    bool softcap = false;                                            ///< the scale c tanh(s / (c √E))
    double largest_stored = std::numeric_limits<double>::infinity(); ///< of a query, key or value
    double largest_score = std::numeric_limits<double>::infinity();  ///< before the softmax, as it may become
};

/// Whether the scores have that scale.
bool is_softcap(const AttentionSpec& spec);

/// What is refused whatever the arrays are; nothing where it can be computed. The spec need not be complete. Throws
/// Error for an unknown variant or scale.
std::optional<Refused> refused_choice(const AttentionSpec& spec, const Abilities& abilities = {});

/// The same, and what is refused of the arrays whatever their numbers are: keys that are appended.
std::optional<Refused> refused_choice(const ResolvedProblem& problem, const Abilities& abilities = {});

/// The largest finite size of `count` numbers from `first` on.
double largest_size(const Tensor& tensor, std::int64_t first, std::int64_t count);

/// Whether a product or sum of queries, keys and values up to these sizes might leave the range of float32, where
/// float64 stays within its own, or scores what is possible.
std::optional<Message> refused_sizes(const Selection& scale, std::int64_t E, std::int64_t S, double query, double key,
                                     double value, const Abilities& abilities = {});

/// The same of all that a problem holds.
std::optional<Message> refused_numbers(const ResolvedProblem& problem, const DotProductForm& form,
                                       const Abilities& abilities = {});

} // namespace attnlab::flash
