#include "core/edit/fit.h"

#include "core/edit/cells.h"
#include "core/input_seed.h"
#include "core/inputs.h"
#include "core/variants.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <numeric>

namespace attnlab {
namespace {

/// The sizes settled by the inputs of the mechanism itself.
class Sizes {
public:
    explicit Sizes(const AttentionProblem& problem) {
        const auto& chosen = variant(problem.spec.variant);
        parameters_ = with_defaults(chosen.parameters, problem.spec.parameters, chosen.id);
        own_ = inputs_of(chosen, parameters_);
        sizes_ = attnlab::bind(std::span<const Input>(own_), problem.tensors, parameters_);
    }

    bool is_own(std::string_view name) const { return std::ranges::find(own_, name, &Input::name) != own_.end(); }

    /// The tensor with settled sizes; other sizes, and broadcast axes, are unchanged.
    Tensor fitted(const Input& input, const Tensor& tensor) const {
        // Of several alternatives of its rank, the first one that changes the fewest axes.
        std::optional<Shape> nearest;
        std::ptrdiff_t stayed = -1;
        for (const auto& dims : dims_of(input)) {
            if (dims.size() != tensor.shape().size())
                continue;
            const auto shape = fitted_shape(dims, tensor.shape());
            const auto same = std::inner_product(shape.begin(), shape.end(), tensor.shape().begin(), std::ptrdiff_t{0},
                                                 std::plus<>(), std::equal_to<>());
            if (same > stayed)
                nearest = shape;
            stayed = std::max(stayed, same);
        }
        return !nearest || nearest == tensor.shape() ? tensor : resized_tensor(tensor, *nearest);
    }

private:
    Shape fitted_shape(const std::vector<Dim>& dims, Shape shape) const {
        for (std::size_t axis = 0; axis < shape.size(); ++axis)
            if (const auto size = size_of(dims[axis]); size && !(dims[axis].or_one && shape[axis] == 1))
                shape[axis] = *size;
        return shape;
    }

    std::optional<std::int64_t> size_of(const Dim& dim) const {
        std::int64_t product = 1;
        for (const auto factor : dim.factors) {
            const auto size = size_of(factor);
            if (!size)
                return std::nullopt;
            product *= *size;
        }
        return product;
    }

    std::optional<std::int64_t> size_of(std::string_view factor) const {
        if (const auto known = sizes_.find(factor); known != sizes_.end())
            return known->second;
        std::int64_t number = 0;
        const auto* end = factor.data() + factor.size();
        const auto read = std::from_chars(factor.data(), end, number);
        return read.ec == std::errc() && read.ptr == end ? std::optional(number) : std::nullopt;
    }

    ParameterValues parameters_;
    std::vector<Input> own_;
    Bindings sizes_;
};

} // namespace

std::optional<FittedInputs> fitted_inputs(const AttentionProblem& problem, const RunControl& control) {
    FittedInputs fitted{problem, {}, {}, {}};
    try {
        const auto changed = complete_inputs(fitted.problem, input_seed, true, control);
        const Sizes sizes(fitted.problem);
        for (const auto& name : changed) {
            const auto before = problem.tensors.find(name);
            const bool own = sizes.is_own(name);
            if (before == problem.tensors.end()) {
                fitted.made.push_back(name);
                continue;
            }
            (own ? fitted.remade : fitted.resized).push_back(name);
            if (own)
                continue;
            // Typed or trained numbers are more valuable than a new array.
            const auto inputs = inputs_of(problem.spec);
            const auto input = std::ranges::find(inputs, name, &Input::name);
            auto kept = fitted.problem;
            if (input != inputs.end())
                kept.tensors.insert_or_assign(name, sizes.fitted(*input, before->second));
            if (issues_in(kept).empty())
                fitted.problem = std::move(kept);
        }
        if (changed.empty() || !issues_in(fitted.problem).empty())
            return std::nullopt;
    } catch (const Error&) {
        return std::nullopt;
    }
    return fitted;
}

} // namespace attnlab
