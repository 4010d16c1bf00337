// The tensor `painted_mask` as values: (L,S) while all heads share it, (B,H,L,S) once one differs; True = blocked.
#pragma once

#include "core/attention.h"
#include "core/stages/mask.h"

#include <optional>

namespace attnlab::painted_mask {

inline constexpr std::string_view array_name = "painted_mask";
inline constexpr std::string_view kind_id = "painted";

/// The sizes that masks of `problem` have, from its inputs; from `latest` where the inputs do not tell. Nothing when
/// neither does. Keys that a mechanism appends are not counted.
std::optional<MaskContext> sizes_of(const AttentionProblem& problem, const Trace* latest = nullptr);

/// `painted` as (L,S) or (B,H,L,S): spread where cell_strides() knows how; otherwise (L,S), (B*H,L,S) or
/// (B or 1, H or 1, L, S) of other sizes, cut or extended by kept cells to the given ones, in which one row or column
/// still stands for all. A tensor that is none of these is dropped: the result has shape (0).
Tensor fitted(const Tensor& painted, std::int64_t B, std::int64_t H, std::int64_t L, std::int64_t S);

/// Every head on its own: (L,S) or (B,H,L,S) becomes (B,H,L,S).
Tensor spread(const Tensor& painted, const MaskContext& context);
/// (B,H,L,S) becomes (L,S) when all heads of all batches agree.
Tensor collapsed(const Tensor& painted);

/// True when the spec applies the painted mask.
bool is_applied(const AttentionSpec& spec);
/// The painted cells of `problem` fitted to `context`: all kept when nothing is painted yet.
Tensor cells_of(const AttentionProblem& problem, const MaskContext& context);
/// Stores `painted` in its smallest shape and applies it; drops tensor and mask when nothing is painted.
void store(AttentionProblem& problem, const Tensor& painted);

/// True when a painted mask is there whose shape does not suit `context`.
bool is_misfit(const AttentionProblem& problem, const MaskContext& context);
/// Makes a painted mask follow a change of the problem's sizes, so that the change needs no second step.
void follow_sizes(AttentionProblem& problem);

} // namespace attnlab::painted_mask
