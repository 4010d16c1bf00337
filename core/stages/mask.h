// Masks: which cells of the scores may not be read, and what stands there instead.
#pragma once

#include "core/attention.h"
#include "core/inputs.h"
#include "core/resolved_problem.h"

#include <optional>
#include <span>

namespace attnlab {

/// Sizes of the scores that masks are made for. S counts real keys: keys that a mechanism appends (bias_k, the zero
/// key) are let through by every mask.
struct MaskContext {
    std::int64_t B, H, L, S;
};
MaskContext mask_context(const Bindings& sizes);

/// Where an array that broadcasts to (B,H,L,S) has the value for the cell (b, h, i, j): strides in elements, 0 along an
/// axis that it repeats.
struct CellStrides {
    std::int64_t batch = 0, head = 0, row = 0, key = 0;
};

/// Of an array (B,H,L,S), (H,L,S), (L,S) or (S), any of whose sizes may be 1 instead, as
/// torch.nn.functional.scaled_dot_product_attention broadcasts it; or of (B*H,L,S), as torch.nn.MultiheadAttention
/// takes it: its matrices are those of the heads of batch 0, then of batch 1. Nothing for any other shape.
std::optional<CellStrides> cell_strides(const Shape& shape, const MaskContext& context);

/// What masks read beside their parameters.
struct MaskArrays {
    const TensorMap& tensors;
    MaskTrue mask_true; ///< of attn_mask
};

struct MaskKind {
    std::string_view id;
    const char* title;                          ///< translated
    std::string_view rule;                      ///< keeps cell (i, j) when: "j <= i"
    const char* help;                           ///< what a marked cell means, in words (translated)
    std::span<const Parameter> parameters = {}; ///< at most one; the command line writes it after a colon
    std::span<const Input> inputs = {};         ///< the array that it reads, if any
    bool adds = false;                          ///< an additive bias; blocks nothing
    /// Sets blocked[b,h,i,j] to 1 where this mask blocks. Null when `adds`.
    void (*block)(const MaskContext&, const ParameterValues&, const MaskArrays&, std::span<double> blocked) = nullptr;
    /// Throws Error for values that its array must not hold; null when there is nothing to say.
    void (*check)(const MaskContext&, const TensorMap&) = nullptr;
};

std::span<const MaskKind> mask_kinds();
/// Throws Error naming the known ids.
const MaskKind& mask_kind(std::string_view id);

/// Reads "window:4". Throws Error.
Selection parse_mask(std::string_view text);

/// The mask with its parameter. Throws Error for an unknown id and a parameter out of range.
Selection complete_mask(const Selection& mask);

/// Throws what blocked_cells and attention_bias throw, without taking their memory.
void check_masks(const ResolvedProblem& problem);

/// All masks of the spec together: bool (B,H,L,S), True = blocked. Empty tensor of shape (0) when nothing can block.
/// Throws Error for values that an array of a mask must not hold, naming the array, what it has and what was expected.
Tensor blocked_cells(const ResolvedProblem& problem);

/// The additive bias spread to (B,H,L,S), or shape (0) when the spec has none. Throws what blocked_cells throws.
Tensor attention_bias(const ResolvedProblem& problem);

/// What one mask blocks of scores of these sizes, in a problem that need not be whole. Shape and errors as of
/// blocked_cells, and Error for an array that is missing or does not fit.
Tensor blocked_by(const Selection& mask, const AttentionProblem& problem, const MaskContext& sizes);

/// What a bias or an added fill makes of a score. -inf blocks it, also one that is NaN or infinite.
double shifted(double score, double shift);

/// scaled + bias, then the fill in blocked cells; the sums are shifted(). `appended` last keys of scaled are beyond the
/// masks.
Tensor apply_masks(const Tensor& scaled, const Tensor& bias, const Tensor& blocked, const MaskFill& fill,
                   std::int64_t appended = 0);

} // namespace attnlab
