// What the mechanism of a problem declares about its tensors: the sizes of axes, and whose tokens lie along them.
#pragma once

#include "core/inputs.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab {

/// The inputs of the problem's variant and masks; none where the spec is in error.
std::vector<Input> declared_inputs(const AttentionSpec& spec);
const Input* find_input(const std::vector<Input>& declared, std::string_view name);

/// The declared sizes of a tensor of this rank, one an axis; empty when none are declared.
std::vector<Dim> dims_at(const Input& input, int rank);

bool is_symbol(const Dim& dim, std::string_view symbol);
/// Whose tokens lie along an axis of this declared size: L queries, S keys.
std::optional<Axis> tokens_along(const Dim& dim);

/// How many query or key tokens the problem has; 0 where no tensor says so. Keys that no tensor brings are the queries.
std::int64_t token_count(const AttentionProblem& problem, const std::vector<Input>& declared, Axis axis);
/// True where keys have no labels of their own and are as many as the queries: then they are the same tokens.
bool keys_are_queries(const AttentionProblem& problem, const std::vector<Input>& declared);
/// Labels of their own for the keys, at first those of the queries; or the queries' again.
AttentionProblem with_own_key_labels(AttentionProblem problem, const std::vector<Input>& declared, bool own);
/// `labels` written from the token `first` on.
AttentionProblem with_token_labels(AttentionProblem problem, const std::vector<Input>& declared, Axis axis,
                                   std::int64_t first, const std::vector<std::string>& labels);

} // namespace attnlab
