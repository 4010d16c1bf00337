// Functions on the tensor `painted_mask`: (L,S) while all heads share it, (B,H,L,S) once one differs; True = blocked.
#pragma once

#include "core/attention.h"
#include "core/stages/mask.h"

#include <optional>

namespace attnlab::painted_mask {

inline constexpr std::string_view array_name = "painted_mask";
inline constexpr std::string_view kind_id = "painted";

/// The sizes of masks of `problem`, from its inputs; from `latest` where the inputs do not determine them. nullopt when
/// neither does. Appended keys are not counted.
std::optional<MaskContext> sizes_of(const AttentionProblem& problem, const Trace* latest = nullptr);

/// `painted` as (L,S) or (B,H,L,S): spread where cell_strides() can; otherwise (L,S), (B*H,L,S) or (B or 1, H or 1, L,
/// S) of other sizes, cropped or padded with kept cells, where a single row or column still applies to all. Any other
/// tensor is dropped: the result has shape (0).
Tensor fitted(const Tensor& painted, std::int64_t B, std::int64_t H, std::int64_t L, std::int64_t S);

/// Separate cells for each head: (L,S) or (B,H,L,S) becomes (B,H,L,S).
Tensor spread(const Tensor& painted, const MaskContext& context);
/// (B,H,L,S) becomes (L,S) when all heads of all batches agree.
Tensor collapsed(const Tensor& painted);

/// True when the spec applies the painted mask.
bool is_applied(const AttentionSpec& spec);
/// The painted cells of `problem` fitted to `context`: all kept while nothing is painted.
Tensor cells_of(const AttentionProblem& problem, const MaskContext& context);
/// Stores `painted` in its smallest shape and applies it; drops tensor and mask when nothing is painted.
void store(AttentionProblem& problem, const Tensor& painted);

/// True when there is a painted mask whose shape does not fit `context`.
bool is_misfit(const AttentionProblem& problem, const MaskContext& context);
/// Adapts a painted mask to changed sizes of the problem, as part of the same edit.
void follow_sizes(AttentionProblem& problem);

} // namespace attnlab::painted_mask
