// Inputs as data: each variant, scale mode, position term and mask declares the tensors that it reads with symbolic
// shapes. Validation, the window's "new tensor", help and `attnlab list` read these declarations.
#pragma once

#include "core/attention.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace attnlab {

/// The initial contents of a tensor that the window creates.
enum class InputFill {
    Normal,     ///< N(0, 1): queries, keys, values, token embeddings
    Projection, ///< N(0, 1/rows): keeps the variance of what it multiplies
    Sketch,     ///< N(0, 1/columns): its transpose keeps the lengths of what it multiplies
    Draw,       ///< N(0, 1): the random directions of a method; their shape follows from other tensors
    Zeros,      ///< biases and masks
    Ones,       ///< gains
    KeyCount,   ///< S everywhere: lengths that leave every key valid
    Pages,      ///< distinct numbers below N in a mixed order: the pages of a cache in a pool of N
    Halves,     ///< 0 for the first half, 1 for the others: two groups of tokens
    RowHalves,  ///< the same in each row: two documents in each sequence
    Tree,       ///< -1, 0, 0, 1, 1, 2, ... in each row: the parents of a tree with two children each
    Ids,        ///< 1, 2, 3, ... in each row, from 1 again after 8: tokens of a vocabulary
    Linear,     ///< N(0, 1/columns): a weight as torch stores it, (out, in)
    Weights,    ///< the softmax of rows of N(0, 1)
};

struct Input {
    std::string_view name;
    /// Alternatives, the longest first: "B H L E | B L E | L E". A new tensor has at least the rank of the last. A size
    /// is a symbol (bound by the first tensor that has it), a parameter's name (a symbol too where that parameter is
    /// 0), a number, a sum of symbols: "E+Ek", or a product of these: "num_heads*E". "B?" also accepts 1 (broadcast).
    std::string_view dims;
    InputFill fill = InputFill::Normal;
    bool nonempty = false; ///< no size may be 0
    DType dtype = DType::Float64;
    bool required = true;
    std::string_view required_if = "";   ///< a boolean parameter that, when true, makes an optional input required
    std::string_view required_with = ""; ///< another input whose presence makes this one required
    std::string_view longest_with = "";  ///< an earlier input: the longest alternative fits with it, the others without
    std::string_view fallback = "";      ///< the input used instead when this one is absent
    bool remade_if_misfit = false;     ///< data that switching to this mechanism replaces where its shape does not fit
    std::string_view starts_from = ""; ///< a tensor of another mechanism to make a new one from, if present
    std::string_view when = "";        ///< "mode=kv_cache": exists only with that choice; empty: always
    const char* help = "";             ///< one line (translated)
};

/// Symbol -> size: "B", "H", "L", "S", "E", ... After bind, B, H, L and S are always present.
using Bindings = std::map<std::string, std::int64_t, std::less<>>;

/// One size of a declared shape: a product of symbols, sums of symbols, parameter names and numbers.
struct Dim {
    std::vector<std::string_view> factors;
    bool or_one = false;
};

/// The declared alternatives, in order.
std::vector<std::vector<Dim>> dims_of(const Input& input);

/// Matches tensors against declarations. B, H and Hkv that an alternative omits count as 1; a missing S is L, a missing
/// Ek is E, a missing H is the parameter num_heads or 1. Throws Error that names the tensor, its shape and the expected
/// one. `parameters` must be complete.
Bindings bind(std::span<const Input> declared, const TensorMap& tensors, const ParameterValues& parameters);

/// The inputs that the problem's variant, scale, position and masks read, in order of presentation. Inputs of choices
/// that are not made are omitted. Throws Error for an unknown id.
std::vector<Input> inputs_of(const AttentionSpec& spec);

/// Adds missing inputs: each required input that is absent gets a tensor of a fitting shape, filled as declared from
/// `seed`. Present tensors stay, except, with `remake_misfits`, projections, biases and inputs with remade_if_misfit
/// whose shape does not fit this mechanism. A mask that reads the arrangement of the keys as an image gets
/// squarest_grid(). Returns the names added or remade. Throws Error when the present ones contradict each other;
/// Cancelled.
std::vector<std::string> complete_inputs(AttentionProblem& problem, std::uint64_t seed, bool remake_misfits = false,
                                         const RunControl& control = {});

/// The arrangement of keys as an image whose rows and columns differ least.
KeyGrid squarest_grid(std::int64_t keys);

/// As complete_inputs(), but a large array that it makes takes no memory, and its numbers all read as 0. For names and
/// shapes on a thread that must not wait.
std::vector<std::string> outline_inputs(AttentionProblem& problem, std::uint64_t seed, bool remake_misfits = false);

/// A tensor that takes no memory and whose numbers all read as 0.
Tensor outlined_tensor(Shape shape, DType dtype);

/// The shape of the tensor that make_input() makes.
Shape shape_of_new_input(const AttentionProblem& problem, const Input& input);

/// A new tensor for one input that `problem`'s spec reads, of the shape that fits the others. Throws Cancelled.
Tensor make_input(const AttentionProblem& problem, const Input& input, std::uint64_t seed,
                  const RunControl& control = {});

/// Whether the tensor still begins with the random numbers that complete_inputs() draws for this input: most of its
/// first row. False for inputs that are not data or weights, and for tensors that are not in memory.
bool is_drawn(const Input& input, const Tensor& tensor, std::uint64_t seed);

/// The tokens that label the rows (last but one axis) of a tensor with these dims: Query, Key, or nullopt.
std::optional<Axis> row_tokens(const Input& input);

// The seed of the random numbers that stand in for missing inputs.

/// Wherever the program completes inputs: is_drawn() recognises such numbers by it.
inline constexpr std::uint64_t input_seed = 1;

// Which inputs the numbers of a stage depend on.

/// False where other numbers in this input, with the same shape, leave the stage as it is: the weights do not depend on
/// the values, nor the query rows on the keys. True if unknown, and for an unknown mechanism.
bool stage_may_depend_on(const AttentionSpec& spec, std::string_view input, std::string_view stage);

} // namespace attnlab
