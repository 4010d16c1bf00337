// The mask that is an expression of the cell, and what all expressions of a setting read.
#pragma once

#include "core/expression/cell_expression.h"
#include "core/expression/written.h"
#include "core/stages/mask.h"

#include <vector>

namespace attnlab {

/// Throws Error for a mask expression that is wrong whatever the arrays are.
void check_expression_text(const std::string& text);
/// Throws Error for an array that is missing or does not fit, and, if that takes a few milliseconds at most, for an
/// index in any cell.
void check_expression_cells(const IntervalSource& source);

/// True where the mask consists of bands and documents, joined by "and": kernels have these. "q - k < 8",
/// "abs(q - k) <= 2", "doc[b, q] == doc[b, k]".
bool is_bands_and_documents(const Selection& mask);

std::vector<MaskRule> expression_rules(const IntervalSource& source);
std::string expression_python(const IntervalCode& code);
std::string expression_latex(const IntervalCode& code);

/// Names of an expression in code where i, j, b and h are arrays along their axes, or indices of a formula. `offsets`
/// is the text of offsets that differ.
NameInCode names_of_cell(const IntervalCode& code, std::string offsets);

/// The sizes and offsets of a problem for its expressions.
CellContext cell_context(const MaskContext& sizes, const QueryOffsets& offsets, const TensorMap& tensors);

// score_mod: AttentionSpec::score_mod, applied to scaled scores with their additive terms, before the masks.

/// Throws Error for an expression that is wrong whatever the arrays are.
void check_score_mod(const AttentionSpec& spec);
/// The expression with its arrays. Only where the spec has one. Throws Error.
BoundExpression bound_score_mod(const ResolvedProblem& problem);
/// Each score (B,H,L,S) replaced by the expression; not those of the `appended` last keys, which have no position.
/// Throws Error, Cancelled.
Tensor modified_scores(const ResolvedProblem& problem, const Tensor& scores, std::int64_t appended,
                       const RunControl& control);

inline constexpr Input expression_offset_inputs[] = {query_offset_input};
inline constexpr Parameter expression_parameters[] = {
    {.name = "expression",
     .type = ParameterType::Text,
     .default_text = "q >= k",
     .title = ATTNLAB_TEXT("condition"),
     .help = ATTNLAB_TEXT("True where a cell is kept. b, h, q, k: batch, head, query and key, from 0; doc[b, k] is an "
                          "element of the array doc; and, or, not; + - * / // % **; abs, min, max, where"),
     .check = check_expression_text}};
inline constexpr MaskKind expression_mask{
    .id = "expression",
    .title = ATTNLAB_TEXT("expression"),
    .rule = "f(b, h, q, k)",
    .help = ATTNLAB_TEXT("A condition in the numbers of the cell and in named arrays, as mask_mod of FlexAttention."),
    .parameters = expression_parameters,
    .inputs = expression_offset_inputs,
    // The address of a function of another file is no constant for GCC 12 with its sanitizer.
    .rules = [](const IntervalSource& source) { return expression_rules(source); },
    .python_of = expression_python,
    .latex_of = expression_latex,
    .source = "Dong et al.: Flex Attention: A Programming Model for Generating Optimized Attention Kernels (2024)",
    .aside = true};
static_assert(is_complete(expression_mask), "a mask lacks its rule or its code");

} // namespace attnlab
