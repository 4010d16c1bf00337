#include "ui/mask/painted_mask.h"

#include "core/inputs.h"
#include "core/variants.h"

#include <algorithm>

namespace attnlab::ui {
namespace {

std::optional<MaskContext> contextOfTrace(const Trace* trace) {
    for (const auto* name : {"scores", "weights"})
        if (const Stage* stage = trace ? trace->find(name) : nullptr; stage && stage->value.rank() == 4) {
            const Shape& shape = stage->value.shape();
            return MaskContext{shape[0], shape[1], shape[2], shape[3]};
        }
    return std::nullopt;
}

void copyOverlap(const MatrixView& from, double* to, std::int64_t L, std::int64_t S) {
    const std::int64_t rows = std::min(from.rows, L);
    const std::int64_t columns = std::min(from.columns, S);
    for (std::int64_t i = 0; i < rows; ++i)
        std::copy_n(from.row(i).begin(), columns, to + i * S);
}

} // namespace

std::optional<MaskContext> maskContext(const AttentionProblem& problem, const Trace* latest) {
    const auto traced = contextOfTrace(latest);
    try {
        const Variant& chosen = variant(problem.spec.variant);
        const ParameterValues parameters = with_defaults(chosen.parameters, problem.spec.parameters, chosen.id);
        const Bindings sizes = bind(chosen.inputs, problem.tensors, parameters);
        const auto size = [&](std::string_view symbol) { return sizes.find(symbol)->second; };
        MaskContext context{size("B"), size("H"), size("L"), size("S")};
        // Where heads are split off inside, no input has an axis for them.
        if (context.H == 1) {
            const ParameterValue* heads = parameters.find("num_heads");
            if (const auto* count = heads ? std::get_if<std::int64_t>(heads) : nullptr)
                context.H = *count;
            else if (traced)
                context.H = traced->H;
        }
        return context;
    } catch (const Error&) {
        return traced;
    }
}

Tensor fitted(const Tensor& painted, std::int64_t B, std::int64_t H, std::int64_t L, std::int64_t S) {
    if (painted.rank() == 2) {
        if (painted.shape() == Shape{L, S})
            return painted.with_dtype(DType::Bool);
        Tensor result(Shape{L, S}, 0.0, DType::Bool);
        copyOverlap(matrix_at(painted), result.mutable_values().data(), L, S);
        return result;
    }
    if (painted.rank() != 4)
        return {};
    if (painted.shape() == Shape{B, H, L, S})
        return painted.with_dtype(DType::Bool);
    Tensor result(Shape{B, H, L, S}, 0.0, DType::Bool);
    double* to = result.mutable_values().data();
    for (std::int64_t b = 0; b < std::min(B, painted.dim(0)); ++b)
        for (std::int64_t h = 0; h < std::min(H, painted.dim(1)); ++h)
            copyOverlap(matrix_at(painted, b * painted.dim(1) + h), to + (b * H + h) * L * S, L, S);
    return collapsed(result);
}

Tensor spread(const Tensor& painted, const MaskContext& context) {
    if (painted.rank() != 2)
        return painted;
    Tensor result(Shape{context.B, context.H, context.L, context.S}, 0.0, DType::Bool);
    double* to = result.mutable_values().data();
    for (std::int64_t slice = 0; slice < context.B * context.H; ++slice)
        to = std::copy(painted.values().begin(), painted.values().end(), to);
    return result;
}

Tensor collapsed(const Tensor& painted) {
    if (painted.rank() != 4 || painted.size() == 0)
        return painted;
    const std::int64_t cells = painted.dim(2) * painted.dim(3);
    const double* first = painted.data();
    for (const double* slice = first + cells; slice < first + painted.size(); slice += cells)
        if (!std::equal(first, first + cells, slice))
            return painted;
    return Tensor(Shape{painted.dim(2), painted.dim(3)}, std::vector<double>(first, first + cells), DType::Bool);
}

bool appliesPainted(const AttentionSpec& spec) {
    return std::ranges::any_of(spec.masks, [](const Selection& mask) { return mask.id == painted_kind; });
}

Tensor paintedOf(const AttentionProblem& problem, const MaskContext& context) {
    if (const auto found = problem.tensors.find(painted_mask_name); found != problem.tensors.end())
        if (Tensor fit = fitted(found->second, context.B, context.H, context.L, context.S); fit.rank() > 1)
            return fit;
    return Tensor(Shape{context.L, context.S}, 0.0, DType::Bool);
}

void setPainted(AttentionProblem& problem, const Tensor& painted) {
    const auto values = painted.values();
    if (std::ranges::all_of(values, [](double value) { return value == 0.0; })) {
        problem.tensors.erase(std::string(painted_mask_name));
        std::erase_if(problem.spec.masks, [](const Selection& mask) { return mask.id == painted_kind; });
        return;
    }
    problem.tensors.insert_or_assign(std::string(painted_mask_name), collapsed(painted));
    if (!appliesPainted(problem.spec))
        problem.spec.masks.push_back({std::string(painted_kind), {}});
}

bool isMisfit(const AttentionProblem& problem, const MaskContext& context) {
    const auto found = problem.tensors.find(painted_mask_name);
    if (found == problem.tensors.end())
        return false;
    const Shape& shape = found->second.shape();
    return shape != Shape{context.L, context.S} && shape != Shape{context.B, context.H, context.L, context.S};
}

void fitPaintedMask(AttentionProblem& problem) {
    if (!problem.tensors.contains(painted_mask_name))
        return;
    const auto context = maskContext(problem);
    if (!context || !isMisfit(problem, *context))
        return;
    const bool applied = appliesPainted(problem.spec);
    setPainted(problem, paintedOf(problem, *context));
    if (!applied)
        std::erase_if(problem.spec.masks, [](const Selection& mask) { return mask.id == painted_kind; });
}

} // namespace attnlab::ui
