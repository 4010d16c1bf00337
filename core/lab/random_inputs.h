// Random queries, keys and values that can be resized without changing the existing numbers.
#pragma once

#include "core/attention.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace attnlab::lab {

/// The distribution of the entries of queries and keys: mean 0 and variance 1 for each, so that the theory of
/// independent entries predicts the same for all.
enum class Distribution {
    Normal,
    Uniform,    ///< in [-sqrt(3), sqrt(3))
    Sparse,     ///< one entry in ten is N(0, 10), the others are 0
    Correlated, ///< half of each entry's variance is shared by all queries and keys: visibly not independent
};

inline constexpr Distribution all_distributions[] = {Distribution::Normal, Distribution::Uniform, Distribution::Sparse,
                                                     Distribution::Correlated};

/// "normal", "uniform", "sparse", "correlated": in the order of Distribution.
std::span<const std::string_view> distribution_ids();

/// A size that a curve may vary: the width of queries and keys, or the number of keys.
enum class DrawSize { E, S };

struct RandomInputs {
    std::int64_t L = 10; ///< queries
    std::int64_t S = 10; ///< keys
    std::int64_t E = 64; ///< width of queries and keys
    std::int64_t Ev = 4; ///< width of values, always normal
    Distribution distribution = Distribution::Normal;
    std::uint64_t seed = 1;

    bool operator==(const RandomInputs&) const = default;
};

/// Throws Error for a size below 1 and for more than 2^26 numbers.
void check(const RandomInputs& draw);

/// query (L,E), key (S,E) and value (S,Ev). An entry depends on the distribution, the seed, its row and its column
/// only: a wider or longer draw continues a smaller one. Throws as check().
TensorMap draw_inputs(const RandomInputs& draw);

} // namespace attnlab::lab
