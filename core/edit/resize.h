// Resizes inputs: the sizes that a mechanism declares, resizing with all dependent inputs, fitting files to a problem,
// and the problem of one head alone.
#pragma once

#include "core/attention.h"
#include "core/inputs.h"
#include "core/run_control.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab {

/// The inputs of the problem's variant and masks; none for an invalid spec.
std::vector<Input> declared_inputs(const AttentionSpec& spec);
const Input* find_input(const std::vector<Input>& declared, std::string_view name);

/// The declared sizes of a tensor of this rank, one for each axis; empty if not declared.
std::vector<Dim> dims_at(const Input& input, int rank);

bool is_symbol(const Dim& dim, std::string_view symbol);
/// The tokens along an axis of this declared size: L queries, S keys.
std::optional<Axis> tokens_along(const Dim& dim);

/// The number of query or key tokens; 0 where no tensor determines it. Keys without a tensor are the queries.
std::int64_t token_count(const AttentionProblem& problem, const std::vector<Input>& declared, Axis axis);
/// True where keys have no labels of their own and are as many as the queries: then they are the same tokens.
bool keys_are_queries(const AttentionProblem& problem, const std::vector<Input>& declared);
/// Adds key labels, copied from the query labels, or removes them. Without key labels, keys use the query labels.
AttentionProblem with_own_key_labels(AttentionProblem problem, const std::vector<Input>& declared, bool own);
/// `labels` written from the token `first` on.
AttentionProblem with_token_labels(AttentionProblem problem, const std::vector<Input>& declared, Axis axis,
                                   std::int64_t first, const std::vector<std::string>& labels);

// Resizes one input and those whose sizes depend on it.

/// `tensor` at another size of the same rank, with contents kept and new cells zero, and all other inputs with the same
/// symbols in their declarations: a query of another E changes the key too. In a product ("num_heads*E"), the single
/// unknown factor follows if it is an integer. Token labels are cut to L and S. Where no declaration fits, only the
/// tensor itself changes.
/// Throws Cancelled.
AttentionProblem resized(const AttentionProblem& problem, std::string_view tensor, const Shape& shape,
                         const RunControl& control = {});

/// The shapes of all tensors after resized(), without allocating them.
std::map<std::string, Shape> resized_shapes(const AttentionProblem& problem, std::string_view tensor,
                                            const Shape& shape);

/// The inputs of the mechanism with every axis of batches and heads that they may have: those that are missing are
/// added with size 1, which changes no result.
AttentionProblem with_leading_axes(const AttentionProblem& problem);

/// Resizes only this tensor. Throws Cancelled.
AttentionProblem resized_alone(const AttentionProblem& problem, std::string_view tensor, const Shape& shape,
                               const RunControl& control = {});

// Fits inputs to a mechanism that they no longer match.

struct FittedInputs {
    AttentionProblem problem;
    std::vector<std::string> remade;  ///< projections and biases of the mechanism, which are replaced
    std::vector<std::string> made;    ///< missing inputs, made of random numbers
    std::vector<std::string> resized; ///< arrays of masks and positions, which are cropped or padded
};

/// The inputs fitted to changed settings, for example to a new number of heads. nullopt where this would not help.
/// Throws Cancelled.
std::optional<FittedInputs> fitted_inputs(const AttentionProblem& problem, const RunControl& control = {});
/// As outline_inputs(), for fitted_inputs(): names and shapes, on a thread that must not wait.
std::optional<FittedInputs> outline_fitted_inputs(const AttentionProblem& problem);

// A problem that has one head of one batch entry alone, for figures with room for no more.

/// The inputs of this head, whose weights and output are those in the whole problem. nullopt where heads share
/// projections, a choice depends on the number of the head or the batch entry (ALiBi, decay, dropout, expressions), or
/// there are more than `most` numbers.
std::optional<AttentionProblem> only_head(const AttentionProblem& problem, std::int64_t batch, std::int64_t head,
                                          std::int64_t most);

} // namespace attnlab
