// A problem with complete choices and fitting arrays: the input of mechanisms and backends.
#pragma once

#include "core/attention.h"
#include "core/inputs.h"

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace attnlab {

struct Mechanism;

/// The sizes known so far, with the tensor that each comes from.
class Binder {
public:
    explicit Binder(ParameterValues parameters) : parameters_(std::move(parameters)) {}

    const Bindings& sizes() const { return sizes_; }
    /// The size of a symbol, parameter or number, if known.
    std::optional<std::int64_t> known(std::string_view factor) const;
    /// The size of a dim if all its factors are known; a product beyond int64 counts as the largest int64.
    std::optional<std::int64_t> size(const Dim& dim) const;
    /// Settles a symbol; no effect on one that is settled already.
    void settle(std::string_view symbol, std::int64_t size) { sizes_.emplace(symbol, size); }
    /// Settles B, H, L, S and Ek where no tensor did. Throws Error when Hkv does not divide H.
    void settle_defaults();
    /// The same, after the number of keys that the variant itself determines.
    void settle_rest(const Mechanism& variant, const TensorMap& tensors);

    /// Settles the symbols of `input` by the shape of `tensor`, called `name`. Throws Error when it fits no
    /// alternative.
    void bind(const Input& input, const Tensor& tensor, std::string_view name);
    /// Binds all present tensors. Throws Error for a misfit and for a required input that is missing.
    void bind_all(std::span<const Input> inputs, const TensorMap& tensors);

    /// The declared alternatives of an input that are still possible after the inputs bound so far.
    std::vector<std::vector<Dim>> alternatives_of(const Input& input) const;

    bool requires_input(const Input& input, const TensorMap& tensors) const;

private:
    bool matches(const Dim& dim, std::int64_t size_there, std::string_view tensor);
    bool matches(const std::vector<std::vector<Dim>>& alternatives, const std::vector<Dim>& dims, const Tensor& tensor,
                 std::string_view name);
    bool settle_factor(std::string_view factor, std::int64_t size_there, std::string_view tensor);
    bool omits_known(const std::vector<std::vector<Dim>>& alternatives, const std::vector<Dim>& dims) const;
    Message expectation(const Input& input, std::size_t rank) const;
    Error missing(const Input& input, const TensorMap& tensors) const;

    ParameterValues parameters_;
    Bindings sizes_;
    std::map<std::string, std::string, std::less<>> origins_;
    std::set<std::string, std::less<>> bound_;
};

/// Axes that lower ranks omit; they then count as 1.
inline constexpr std::string_view leading_axes[] = {"B", "H", "Hkv"};

/// True when the alternative `dims` leaves out a leading axis that the longest one has. Axes that broadcast or are
/// multiplied into another do not count.
bool leaves_out(const std::vector<std::vector<Dim>>& alternatives, const std::vector<Dim>& dims,
                std::string_view symbol);

/// "E", "Ek" of "E+Ek"; a factor that is not a sum is its own only term.
std::vector<std::string_view> terms_of(std::string_view factor);

/// The inputs that a spec's scale, position and masks read besides those of its mechanism, in order of presentation.
/// Throws Error for an unknown id.
std::vector<std::span<const Input>> further_inputs(const AttentionSpec& spec);

/// The arrays that the expressions of a setting read, its masks and score_mod, as inputs of shapes that fit their
/// indices. Any shape with enough elements is accepted. Expressions that are wrong have none.
std::vector<Input> expression_inputs(const AttentionSpec& spec);

const Input* find_input(std::span<const Input> inputs, std::string_view name);

/// The tensor that an input reads and its name: its own, or its fallback; null when neither is there.
std::pair<std::string_view, const Tensor*> tensor_for(std::span<const Input> inputs, const Input& input,
                                                      const TensorMap& tensors);

struct Mechanism;

/// The result of resolve(). Copying is cheap (see Tensor).
struct ResolvedProblem {
    const Mechanism* mechanism = nullptr;
    AttentionSpec spec;              ///< parameters, scale, position and masks have all their values
    ParameterValues given;           ///< the variant's parameters set by the problem; the others have their defaults
    TensorMap tensors;               ///< those that are read, under their declared names
    Bindings sizes;                  ///< B, H, L, S and all other symbols of the declarations
    std::optional<KeyGrid> key_grid; ///< as in AttentionProblem; its sizes are grid_rows, grid_columns
    std::vector<std::string> query_tokens, key_tokens; ///< as in AttentionProblem
};

/// Completes the spec, adopts the variant's alternative array names, matches every array with its declaration and drops
/// unused arrays. The contents of masks and positions are not checked; see check_masks() and check_position(). Throws
/// Error for a choice that is unknown, refused or out of range, for an array that is missing or does not fit, and the
/// errors of Mechanism::check_values.
ResolvedProblem resolve(const AttentionProblem& problem);

/// Converts back to a problem that can be changed and resolved again. All its parameters then count as given.
AttentionProblem as_problem(const ResolvedProblem& resolved);

} // namespace attnlab
