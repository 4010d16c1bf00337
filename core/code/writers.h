// The writers of code.h, one for each language, and the facts about numbers that code must provide for.
#pragma once

#include "core/code/code.h"
#include "core/resolved_problem.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::code {

/// Python for NumPy, PyTorch or JAX. `given` are the arrays of the file, under its names.
std::string python_of(const ResolvedProblem& problem, const TensorMap& given, Language language, std::string_view file);

/// PyTorch's flex_attention with mask_mod and score_mod. `given` as above.
std::string flex_of(const ResolvedProblem& problem, const TensorMap& given, std::string_view file);
/// What flex_attention cannot compute; nullopt where it can.
std::optional<Message> refusal_of_flex(const ResolvedProblem& problem);

/// What scaled_dot_product_attention cannot compute; nullopt where it can. python_of() writes it.
std::optional<Message> refusal_of_sdpa(const ResolvedProblem& problem);

/// align* with a line for each step; indices count from 0.
std::string latex_of(const ResolvedProblem& problem);

/// The command with every choice spelled out. `spec` must be complete.
std::string command_of(const AttentionSpec& spec, const std::optional<KeyGrid>& key_grid, std::string_view file);

/// For a row of a table that the writers do not know; core.code sweeps the tables.
[[noreturn]] void fail_without_code(std::string_view id);

/// True for a mechanism that projects token embeddings to a number of heads.
bool has_heads(const Mechanism& mechanism);
/// True for a mechanism that projects token embeddings to queries, keys and values.
bool projects(const Mechanism& mechanism);

/// The masks of the problem, with the one that the mechanism itself has.
std::vector<Selection> masks_of(const ResolvedProblem& problem);

/// A window without limits.
bool keeps_all(const ResolvedProblem& problem, const Selection& mask);

/// True where the scale multiplies rows by the array of this name, "query_gain" or "key_gain", and it is there.
bool reads_gain(const ResolvedProblem& problem, std::string_view gain);

/// The code of a table's row with its placeholders replaced: <name> by value_of(name), and <name * > by the value with
/// that sign, or by nothing where the value is 1. See ScaleCode and MaskKind.
std::string filled(std::string_view code, const std::function<std::string(std::string_view name)>& value_of);

/// A parameter that is an integer or a real number. Throws std::out_of_range for another one.
double number_of(const ParameterValues& parameters, std::string_view name);

/// The words of a language in the code of scales, and of masks in arrays.
struct Words {
    std::string width = {}, keys = {}, head = {};
    std::string (*number)(double) = nullptr;
    std::string cells = {}, negation = {};
};
/// `code` of the problem's scale with the words; `stage` itself where the scale is a factor of 1.
std::string scale_code(const ResolvedProblem& problem, std::string_view code, std::string stage, const Words& words);
/// `code` of one of the problem's masks with the words.
std::string mask_code(const ResolvedProblem& problem, const Selection& mask, std::string_view code, const Words& words);

/// The number of heads of keys and values.
std::int64_t key_heads(const ResolvedProblem& problem);

/// "i", "i + 3", "i - 3" for the position "i".
std::string shifted(const std::string& position, std::int64_t by);

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
