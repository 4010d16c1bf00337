#include "core/edit/painted_mask.h"

#include "core/resolved_problem.h"

#include <algorithm>

namespace attnlab::painted_mask {
namespace {

std::optional<MaskContext> sizes_of_trace(const Trace* trace) {
    for (const auto* name : {"scores", "weights"})
        if (const Stage* stage = trace ? trace->find(name) : nullptr; stage && stage->value.rank() == 4) {
            const Shape& shape = stage->value.shape();
            return MaskContext{shape[0], shape[1], shape[2], shape[3]};
        }
    return std::nullopt;
}

void copy_overlap(const MatrixView& from, double* to, std::int64_t L, std::int64_t S) {
    const std::int64_t rows = from.rows == 1 ? L : std::min(from.rows, L);
    for (std::int64_t i = 0; i < rows; ++i) {
        const auto row = from.row(std::min(i, from.rows - 1));
        if (from.columns == 1)
            std::fill_n(to + i * S, S, row.front());
        else
            std::copy_n(row.begin(), std::min(from.columns, S), to + i * S);
    }
}

/// (L,S), or (B,H,L,S) where heads or batches may differ.
Tensor spread_by(const CellStrides& strides, const Tensor& painted, const MaskContext& c) {
    const bool one_matrix = strides.batch == 0 && strides.head == 0;
    Tensor result(one_matrix ? Shape{c.L, c.S} : Shape{c.B, c.H, c.L, c.S}, 0.0, DType::Bool);
    double* to = result.mutable_values().data();
    for (std::int64_t b = 0; b < (one_matrix ? 1 : c.B); ++b)
        for (std::int64_t h = 0; h < (one_matrix ? 1 : c.H); ++h)
            for (std::int64_t i = 0; i < c.L; ++i)
                for (std::int64_t j = 0; j < c.S; ++j)
                    *to++ = painted.value(b * strides.batch + h * strides.head + i * strides.row + j * strides.key);
    return result;
}

} // namespace

std::optional<MaskContext> sizes_of(const AttentionProblem& problem, const Trace* latest) {
    try {
        // Without its masks: their arrays may be those that do not fit.
        AttentionProblem unmasked = problem;
        unmasked.spec.masks.clear();
        unmasked.spec.mask_combine.clear();
        unmasked.spec.score_mod.clear();
        return mask_context(resolve(unmasked).sizes);
    } catch (const Error&) {
        return sizes_of_trace(latest);
    }
}

Tensor fitted(const Tensor& painted, std::int64_t B, std::int64_t H, std::int64_t L, std::int64_t S) {
    if (painted.shape() == Shape{L, S} || painted.shape() == Shape{B, H, L, S})
        return painted.with_dtype(DType::Bool);
    if (const auto strides = cell_strides(painted.shape(), {B, H, L, S}))
        return collapsed(spread_by(*strides, painted, {B, H, L, S}));
    if (painted.rank() == 3 && H > 0 && painted.dim(0) % H == 0)
        return fitted(painted.reshaped({painted.dim(0) / H, H, painted.dim(1), painted.dim(2)}), B, H, L, S);
    if (painted.rank() == 2) {
        Tensor result(Shape{L, S}, 0.0, DType::Bool);
        copy_overlap(matrix_at(painted), result.mutable_values().data(), L, S);
        return result;
    }
    if (painted.rank() != 4)
        return {};
    // A single batch or head applies to all, as masks read it.
    const std::int64_t batches = painted.dim(0) == 1 ? B : std::min(B, painted.dim(0));
    const std::int64_t heads = painted.dim(1) == 1 ? H : std::min(H, painted.dim(1));
    Tensor result(Shape{B, H, L, S}, 0.0, DType::Bool);
    double* to = result.mutable_values().data();
    for (std::int64_t b = 0; b < batches; ++b)
        for (std::int64_t h = 0; h < heads; ++h) {
            const std::int64_t from =
                std::min(b, painted.dim(0) - 1) * painted.dim(1) + std::min(h, painted.dim(1) - 1);
            copy_overlap(matrix_at(painted, from), to + (b * H + h) * L * S, L, S);
        }
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

bool is_applied(const AttentionSpec& spec) {
    return std::ranges::any_of(spec.masks, [](const Selection& mask) { return mask.id == kind_id; });
}

Tensor cells_of(const AttentionProblem& problem, const MaskContext& context) {
    if (const auto found = problem.tensors.find(array_name); found != problem.tensors.end())
        if (Tensor fit = fitted(found->second, context.B, context.H, context.L, context.S); fit.rank() > 1)
            return fit;
    return Tensor(Shape{context.L, context.S}, 0.0, DType::Bool);
}

void store(AttentionProblem& problem, const Tensor& painted) {
    const auto values = painted.values();
    if (std::ranges::all_of(values, [](double value) { return value == 0.0; })) {
        problem.tensors.erase(std::string(array_name));
        const auto is_painted = [](const Selection& mask) { return mask.id == kind_id; };
        std::erase_if(problem.spec.masks, is_painted);
        fit_combination(problem.spec);
        if (problem.compared_with) {
            std::erase_if(problem.compared_with->masks, is_painted);
            fit_combination(*problem.compared_with);
        }
        return;
    }
    problem.tensors.insert_or_assign(std::string(array_name), collapsed(painted));
    if (is_applied(problem.spec))
        return;
    if (combines_otherwise(problem.spec)) // a painted cell is blocked whatever the other masks keep
        add_implied_mask(problem.spec, {std::string(kind_id), {}});
    else
        problem.spec.masks.push_back({std::string(kind_id), {}});
}

bool is_misfit(const AttentionProblem& problem, const MaskContext& context) {
    const auto found = problem.tensors.find(array_name);
    if (found == problem.tensors.end())
        return false;
    return !cell_strides(found->second.shape(), context);
}

void follow_sizes(AttentionProblem& problem) {
    if (!problem.tensors.contains(array_name))
        return;
    const auto context = sizes_of(problem);
    if (!context || !is_misfit(problem, *context))
        return;
    const bool applied = is_applied(problem.spec);
    store(problem, cells_of(problem, *context));
    if (!applied)
        std::erase_if(problem.spec.masks, [](const Selection& mask) { return mask.id == kind_id; });
    fit_combination(problem.spec);
}

} // namespace attnlab::painted_mask
