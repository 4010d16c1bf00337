// Masks by the first keys of each row, and the positive random features of Performer.
#pragma once

#include "core/stages/mask.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace attnlab {

// Masks without a table of cells, for mechanisms that never make one: each row reads only its first keys.

/// Query i of batch b may read the keys j < count[b L + i] with dropped[b S + j] false. The same for every head.
struct FirstKeys {
    std::vector<std::int64_t> count; ///< (B,L)
    std::vector<bool> dropped;       ///< (B,S)
};

/// The ids of the masks that can be expressed this way, alone or together: MaskKind::keeps_first_keys.
std::span<const std::string_view> first_key_masks();

/// All masks of the spec combined, which must be among first_key_masks(). The mask fill does not matter. Throws Error
/// for invalid values of a mask's array.
FirstKeys first_keys(const ResolvedProblem& problem);

// Positive random features (FAVOR+): exp(q · k) = E[φ(q) · φ(k)] with φ(x) = exp(Ω x − ‖x‖²/2) / √m, so that attention
// needs sums over keys only. Everything works with log √m φ, since φ itself leaves the range of doubles early.
// Choromanski et al. 2021, Rethinking Attention with Performers, sections 2.3 and 2.4.

/// Ω (m,E): each row is N(0, 1) in every direction, and the rows of a block of E are orthogonal to each other. Drawn
/// row by row, the direction before the length: a smaller m with the same seed gives the first rows.
Tensor orthogonal_directions(std::int64_t m, std::int64_t E, std::uint64_t seed, const RunControl& control);

/// Ω x' − ‖x'‖²/2 with x' = √scale x for every row: (B,H,L,E) -> (B,H,L,m).
Tensor log_features(const Tensor& rows, const Tensor& omega, double scale, const RunControl& control);

/// The first m of such logarithms, for the first m rows of Ω.
Tensor first_features(const Tensor& logarithms, std::int64_t m);

/// φ of such logarithms.
Tensor features_of(const Tensor& logarithms);

/// D⁻¹ φ(Q) (φ(K)ᵀ V), D = φ(Q) (φ(K)ᵀ 1), each row over the keys that it may read: running sums, O((L + S) m Ev).
/// query (B,H,L,m) and key (B,Hkv,S,m) are logarithms, value (B,Hkv,S,Ev). A row that may read no key is 0.
Tensor attend_by_features(const Tensor& query, const Tensor& key, const Tensor& value, const FirstKeys& keys,
                          const RunControl& control);

/// The implied weights (B,H,L,S), cell by cell; for display only.
Tensor weights_of_features(const Tensor& query, const Tensor& key, const FirstKeys& keys, const RunControl& control);

} // namespace attnlab
