// What the mechanism of a problem declares about its tensors: the sizes of axes and the tokens along them.
#pragma once

#include "core/inputs.h"

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
/// Gives the keys their own labels, initially those of the queries; or removes them again.
AttentionProblem with_own_key_labels(AttentionProblem problem, const std::vector<Input>& declared, bool own);
/// `labels` written from the token `first` on.
AttentionProblem with_token_labels(AttentionProblem problem, const std::vector<Input>& declared, Axis axis,
                                   std::int64_t first, const std::vector<std::string>& labels);

} // namespace attnlab
