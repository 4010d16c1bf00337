// Masks: which cells of the scores may not be read, and their value.
#pragma once

#include "core/attention.h"
#include "core/inputs.h"
#include "core/resolved_problem.h"
#include "core/stages/mask_rule.h"
#include "core/stages/query_offset.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attnlab {

/// Sizes of the scores that masks apply to. S counts real keys: appended keys (bias_k, the zero key) are let through by
/// every mask.
struct MaskContext {
    std::int64_t B, H, L, S;
    std::optional<KeyGrid> key_grid = std::nullopt; ///< as in AttentionProblem
    bool operator==(const MaskContext&) const = default;
};
MaskContext mask_context(const Bindings& sizes);

/// Maps a cell (b, h, i, j) to the element of an array that broadcasts to (B,H,L,S): strides in elements, 0 along
/// repeated axes.
struct CellStrides {
    std::int64_t batch = 0, head = 0, row = 0, key = 0;
};

/// For an array (B,H,L,S), (H,L,S), (L,S) or (S), where any size may be 1, as broadcast by
/// torch.nn.functional.scaled_dot_product_attention; or (B*H,L,S), as in torch.nn.MultiheadAttention: the matrices of
/// the heads of batch 0, then of batch 1. nullopt for any other shape.
std::optional<CellStrides> cell_strides(const Shape& shape, const MaskContext& context);

/// The same with the elements of the array; its shape must fit.
CellArray cell_array(const Tensor& tensor, const MaskContext& context);

/// What the intervals of a mask are computed from; parameters are complete and arrays have fitting shapes.
struct IntervalSource {
    const MaskContext& sizes;
    const ParameterValues& parameters;
    const TensorMap& tensors;
    const QueryOffsets& offsets;
};

/// What the code of a mask with intervals is written from.
struct IntervalCode {
    const MaskContext& sizes;
    const ParameterValues& parameters;
    const TensorMap& tensors;
    std::string position;               ///< of query i: "i", "(i + 3)"
    std::optional<std::int64_t> offset; ///< nullopt: the sequences differ, in the array query_offset (B)
    bool offset_is_given = false;
};

/// One row for each mask, with all that depends on the kind. A new kind of a known form needs nothing else.
struct MaskKind {
    std::string_view id;
    const char* title;                          ///< translated
    std::string_view rule;                      ///< condition to keep cell (i, j): "j <= i"
    const char* help;                           ///< the meaning of a marked cell, in words (translated)
    std::span<const Parameter> parameters = {}; ///< the first is written after a colon on the command line
    std::span<const Input> inputs = {};         ///< the array that it reads, if any
    bool adds = false;                          ///< an additive bias, which blocks nothing; one kind at most
    bool uses_mask_true = false;                ///< AttentionSpec::mask_true is the meaning of True in its array
    /// Every row keeps its first keys, or all keys except some that no row keeps; FirstKeys can express this.
    bool keeps_first_keys = false;
    /// Either `band` is set: the rule depends on the position p of the query, i plus the query offset, and the kind
    /// declares query_offset_input. Takes complete parameters.
    Band (*band)(const MaskContext&, const ParameterValues&) = nullptr;
    /// Or `read` is set: the rule is in the array, whose shape and values are checked.
    MaskRule (*read)(const Tensor& array, const MaskContext&, MaskTrue) = nullptr;
    /// Or `intervals` is set. Throws Error for invalid parameters and values of its arrays.
    KeyIntervals (*intervals)(const IntervalSource&) = nullptr;
    /// Or `rules` is set: the cells that all of them keep, by an expression. Throws Error for an array that is missing
    /// or does not fit.
    std::vector<MaskRule> (*rules)(const IntervalSource&) = nullptr;
    /// With `intervals` or `rules`: the condition to keep a cell in Python, of the columns i (L,1) and the row j (S),
    /// and in LaTeX.
    std::string (*python_of)(const IntervalCode&) = nullptr;
    std::string (*latex_of)(const IntervalCode&) = nullptr;
    bool needs_key_grid = false; ///< reads MaskContext::key_grid
    std::string_view source = {};
    bool aside = false; ///< seldom used: the window shows it among those that take one more click
    /// Throws Error for invalid values of its array; null when all are valid.
    void (*check)(const MaskContext&, const TensorMap&) = nullptr;
    /// What core/code writes for a rule in an array: the condition to keep a cell, or the number that is added, in
    /// NumPy and LaTeX. <cells> is the array with four axes, <not> the negation where True blocks, <rows> ":" or "None"
    /// and <row> "{b,i}" or "b", as lengths are for each query or not, and <head> the superscript of the head.
    std::string_view python = {}, latex = {};
};

/// Every table of masks asserts it of its rows.
constexpr bool is_complete(const MaskKind& kind) {
    const bool has_code = !kind.python.empty() && !kind.latex.empty();
    if (kind.id.empty() || !kind.title || kind.rule.empty() || !kind.help)
        return false;
    if (kind.intervals || kind.rules)
        return !(kind.intervals && kind.rules) && !kind.band && !kind.read && !has_code && kind.python_of &&
               kind.latex_of;
    return kind.band ? !kind.read && !has_code : kind.read && has_code && !kind.inputs.empty();
}

std::span<const MaskKind> mask_kinds();
/// Throws Error that names the known ids.
const MaskKind& mask_kind(std::string_view id);

/// Reads "window:4", "window:2,1" and "dilated:4,2", the parameters in the order of their declaration. Throws Error.
Selection parse_mask(std::string_view text);

/// The parameters of a window: its width w, or a reach to each side. A query at position p reads the keys
/// p - left <= j <= p + right; a negative reach is unlimited.
std::span<const Parameter> window_parameters();
/// True for a kind with these parameters.
bool is_window(const MaskKind& kind);

/// True for a kind that has a parameter `alignment`; see is_bottom_right().
bool has_alignment(const MaskKind& kind);

/// The array that the kind reads. Only for kinds whose rule is in an array.
const Input& array_of(const MaskKind& kind);

/// The first of the masks whose kind has the property; null if there is none. Skips masks of unknown kinds.
const Selection* find_mask(std::span<const Selection> masks, bool MaskKind::*property);

/// True for a kind that uses the position of a query.
bool uses_positions(const MaskKind& kind);
/// True when one of the masks does.
bool uses_positions(std::span<const Selection> masks);

/// The rules of a mask with complete parameters, whose array is checked: one, or several for an expression that joins
/// bands and documents. A cell is kept where all of them keep it. They point into `tensors` and `offsets`; a band is
/// relative to positions i, or has the offsets of the sequences.
std::vector<MaskRule> rules_of(const Selection& mask, const MaskContext& context, const TensorMap& tensors,
                               MaskTrue mask_true, const QueryOffsets& offsets);

/// The mask with all its parameters. Throws Error for an unknown id and a parameter out of range.
Selection complete_mask(const Selection& mask);

// How several masks are combined: AttentionSpec::mask_combine.

/// The names of the blocking masks in a combination: their ids, and "window_2" for a second window.
std::vector<std::string> names_in_combination(std::span<const Selection> masks);
/// True if the masks are combined in another way than by AND.
bool combines_otherwise(const AttentionSpec& spec);
/// `mask_combine` without blanks around it, "" for "and".
std::string parse_combination(std::string_view text);
/// Throws Error for an expression that is wrong, or that does not name every mask.
void check_combination(const AttentionSpec& spec);
/// Drops a combination that does not fit the masks any more, as after one was removed.
void fit_combination(AttentionSpec& spec);
/// Adds a mask after the others; an expression of them is extended by AND.
void add_mask(AttentionSpec& spec, Selection mask);
/// Adds a mask that is joined with the others by AND, whatever their combination is.
void add_implied_mask(AttentionSpec& spec, Selection mask);

/// Throws the errors of blocked_cells and attention_bias without allocating their memory.
void check_masks(const ResolvedProblem& problem);

/// All masks of the spec combined: bool (B,H,L,S), True = blocked. An empty tensor of shape (0) when nothing can block.
/// Throws Error for invalid values of a mask's array, with the array, its content and what was expected.
Tensor blocked_cells(const ResolvedProblem& problem, const RunControl& control = {});

/// The additive bias broadcast to (B,H,L,S), or shape (0) when the spec has none. Throws as blocked_cells.
Tensor attention_bias(const ResolvedProblem& problem);

/// The cells blocked by one mask for scores of these sizes, in a possibly incomplete problem. Shape and errors as in
/// blocked_cells, and Error for an array that is missing or does not fit.
Tensor blocked_by(const Selection& mask, const AttentionProblem& problem, const MaskContext& sizes);

/// A score plus a bias or an added fill. -inf blocks it, even if the score is NaN or infinite.
double shifted(double score, double shift);

/// scaled + bias, then the fill in blocked cells; sums are computed by shifted(). Masks do not apply to the `appended`
/// last keys of scaled.
Tensor apply_masks(const Tensor& scaled, const Tensor& bias, const Tensor& blocked, const MaskFill& fill,
                   std::int64_t appended = 0);

} // namespace attnlab
