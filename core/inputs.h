// Inputs as data: each variant and mask declares the tensors that it reads with symbolic shapes. Validation, the
// window's "new tensor", help and `attnlab list` read these declarations.
#pragma once

#include "core/attention.h"

#include <map>
#include <optional>
#include <span>
#include <string_view>

namespace attnlab {

/// What a tensor that the window makes holds at first.
enum class InputFill {
    Normal,     ///< N(0, 1): queries, keys, values, token embeddings
    Projection, ///< N(0, 1/rows): keeps the variance of what it multiplies
    Zeros,      ///< biases and masks
};

struct Input {
    std::string_view name;
    /// Alternatives by rank, longest first: "B H L E | B L E | L E". A size is a symbol (bound by the first tensor that
    /// has it), a parameter's name, a number, or a product of these: "num_heads*E".
    std::string_view dims;
    InputFill fill = InputFill::Normal;
    DType dtype = DType::Float64;
    bool required = true;
    std::string_view required_if = ""; ///< a boolean parameter that makes an optional input required
    const char* help = "";             ///< one line (translated)
};

/// Symbol -> size: "B", "H", "L", "S", "E", ... After bind, B, H, L and S are always there.
using Bindings = std::map<std::string, std::int64_t, std::less<>>;

/// Matches the tensors of `problem` against declarations. Omitted leading B and H count as 1, a missing S is L.
/// Throws Error that names the tensor, what it has and what was expected. `parameters` must be complete.
Bindings bind(std::span<const Input> declared, const TensorMap& tensors, const ParameterValues& parameters);

/// The inputs that the problem's variant and masks read, in order of presentation.
std::vector<Input> inputs_of(const AttentionSpec& spec);

/// Adds what is missing: each required input that is absent gets a tensor of a fitting shape, filled as declared from
/// `seed`; tensors that are there stay. Returns the names added. Throws Error when the present ones contradict.
std::vector<std::string> complete_inputs(AttentionProblem& problem, std::uint64_t seed);

/// A fresh tensor for one input that `problem`'s variant or masks declare, of the shape that fits the others.
Tensor make_input(const AttentionProblem& problem, const Input& input, std::uint64_t seed);

/// Whose tokens label the rows (last but one axis) of a tensor with these dims: Query, Key, or nothing.
std::optional<Axis> row_tokens(const Input& input);

} // namespace attnlab
