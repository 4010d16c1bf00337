// A problem as short code in other languages: what a person would write for this mechanism, scale, position and masks.
#pragma once

#include "core/attention.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::code {

enum class Language {
    PyTorch, ///< float64
    NumPy,   ///< float64
    Jax,     ///< in JAX's default type, float32
    Flex,    ///< PyTorch's flex_attention with mask_mod and score_mod, float32
    Sdpa,    ///< PyTorch's scaled_dot_product_attention with all masks as one table, float64
    Latex,   ///< the formula, for amsmath
    Command, ///< a line for a POSIX shell: attnlab compute
};

struct LanguageInfo {
    Language language;
    std::string_view id;    ///< on the command line
    std::string_view title; ///< a proper name; for Command, "command line" in English
};

/// In the order of menus.
std::span<const LanguageInfo> languages();
/// Throws Error that names the known ids.
Language language(std::string_view id);

/// Arrays with more numbers than this together are read from a file instead of being written out.
inline constexpr std::int64_t most_numbers = 256;

/// The name of the workspace that code reads its arrays from.
inline constexpr std::string_view workspace_name = "workspace.npz";

/// The reason why there is no short code: what is wrong with the problem, or what short code cannot say. nullopt where
/// there is code. A command exists for every problem that can be computed.
std::optional<Message> why_no_code(const AttentionProblem& problem, Language language);
/// The same for each of languages(), in their order; the numbers are read once.
std::vector<std::optional<Message>> why_no_code(const AttentionProblem& problem);

/// The code, ending in a line feed. The Python languages define `scores`, `weights` (B,H,L,S), `output` and what lies
/// between by these names, each stage only where the setting needs it; JAX and PyTorch give the numbers of the engine
/// to the precision of their type. `file` is the saved workspace. Throws Error with the reason of why_no_code().
std::string code_of(const AttentionProblem& problem, Language language, std::string_view file = workspace_name);

} // namespace attnlab::code
