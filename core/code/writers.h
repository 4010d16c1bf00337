// The writers of code.h, one for each language, and the facts about numbers that code must provide for.
#pragma once

#include "core/code/code.h"
#include "core/resolved_problem.h"

#include <string>
#include <string_view>
#include <vector>

namespace attnlab::code {

/// Python for NumPy, PyTorch or JAX. `given` are the arrays of the file, under its names.
std::string python_of(const ResolvedProblem& problem, const TensorMap& given, Language language, std::string_view file);

/// align* with a line for each step; indices count from 0.
std::string latex_of(const ResolvedProblem& problem);

/// The command with every choice spelled out. `spec` must be complete.
std::string command_of(const AttentionSpec& spec, std::string_view file);

/// For a row of a table that the writers do not know; core.code sweeps the tables.
[[noreturn]] void fail_without_code(std::string_view id);

/// True for a mechanism that starts from token embeddings and has heads: multi_head, multi_query, grouped_query.
bool has_heads(std::string_view variant);
/// True for these, and for self, causal and cross.
bool projects(std::string_view variant);

/// The masks of the problem, with the one that the mechanism itself has.
std::vector<Selection> masks_of(const ResolvedProblem& problem);

/// A window without limits.
bool keeps_all(const Selection& mask);

/// The number of heads of keys and values.
std::int64_t key_heads(const ResolvedProblem& problem);

// What code has to provide for because of the numbers: rows without a key to read, norms of zero.

struct Facts {
    bool unread_rows = false;  ///< a row of `masked` is -inf throughout
    bool zero_queries = false; ///< a row of the queries or keys, as their scale normalises them, is zero
    bool zero_keys = false;
    bool zero_scores = false; ///< the divisor of score_norm is zero for a head or a row
};

/// Exact for small problems, which are computed; for others true where it may be so.
Facts facts_of(const ResolvedProblem& problem);

} // namespace attnlab::code
