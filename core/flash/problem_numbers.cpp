// Converts the user's tensors and scale to the numbers of the flash forward.
#include "core/flash/cpu_backend.h"
#include "core/flash/refusals.h"
#include "core/stages/scale.h"
#include "core/variants.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnlab::flash {
namespace {

template <class Number>
std::vector<Number> rows_as(const ResolvedProblem& problem, std::string_view name, std::int64_t first_row,
                            std::int64_t rows, const RunControl& control) {
    constexpr std::size_t numbers_between_polls = std::size_t{1} << 20;
    auto tensor = problem.tensors.find(name)->second;
    const auto width = tensor.dim(-1);
    auto start = first_row * width;
    const auto& mode = scale_mode(problem.spec.scale.id);
    if (name != "value" && mode.row_norm != RowNorm::None) {
        std::vector<double> part(static_cast<std::size_t>(rows * width));
        tensor.read(start, part);
        tensor = normalised_rows(Tensor({rows, width}, std::move(part)), mode.row_norm);
        start = 0;
    }
    std::vector<Number> values(static_cast<std::size_t>(rows * width));
    for (std::size_t first = 0; first < values.size(); first += numbers_between_polls) {
        control.checkpoint();
        tensor.read(start + static_cast<std::int64_t>(first),
                    std::span(values).subspan(first, std::min(numbers_between_polls, values.size() - first)));
    }
    return values;
}

} // namespace

Message not_a_dot_product(const AttentionSpec& spec) {
    return {ATTNLAB_TEXT("Attention in tiles has weights that are a softmax of scaled dot products; those of %1 are "
                         "not"),
            {spec.variant}};
}

DotProductForm form_of(const ResolvedProblem& problem) {
    if (!problem.variant->dot_product_form)
        throw Error(not_a_dot_product(problem.spec));
    return problem.variant->dot_product_form(problem);
}

Shape shape_of(const ResolvedProblem& problem, const DotProductForm& form) {
    const auto& sizes = problem.sizes;
    const auto heads = [](const ProjectedRows& made) {
        return made.weight ? made.heads : made.rows.rank() == 4 ? made.rows.dim(1) : 1;
    };
    const auto width = [](const ProjectedRows& made) {
        return made.weight ? made.weight->dim(1) / made.heads : made.rows.dim(-1);
    };
    return {sizes.at("B"), heads(form.query), heads(form.key),  sizes.at("L"),
            sizes.at("S"), width(form.query), width(form.value)};
}

std::vector<float> in_float32(const ResolvedProblem& problem, std::string_view name, const RunControl& control) {
    const auto& tensor = problem.tensors.find(name)->second;
    const auto width = tensor.dim(-1);
    return rows_in_float32(problem, name, 0, width == 0 ? 0 : tensor.size() / width, control);
}

std::vector<float> rows_in_float32(const ResolvedProblem& problem, std::string_view name, std::int64_t first_row,
                                   std::int64_t rows, const RunControl& control) {
    return rows_as<float>(problem, name, first_row, rows, control);
}

std::vector<float> nonzero_rows_in_float32(const ResolvedProblem& problem, std::string_view name,
                                           std::int64_t first_row, std::int64_t rows, const RunControl& control) {
    const auto exact = rows_as<double>(problem, name, first_row, rows, control);
    std::vector<float> values(exact.size());
    std::transform(exact.begin(), exact.end(), values.begin(), [](double number) {
        const auto rounded = static_cast<float>(number);
        const bool is_lost = rounded == 0.0f && number != 0.0;
        return is_lost ? std::copysign(std::numeric_limits<float>::denorm_min(), rounded) : rounded;
    });
    return values;
}

Scales scales_of(const ResolvedProblem& problem, const Shape& shape) {
    const auto& scale = problem.spec.scale;
    if (is_softcap(problem.spec))
        return {1.0 / std::sqrt(static_cast<double>(std::max<std::int64_t>(1, shape.E))), 1.0,
                scale.parameters.real("c")};
    const double factor = scale_mode(scale.id).factor({shape.E, shape.S}, scale.parameters);
    return problem.spec.scale_after_softmax ? Scales{1.0, factor} : Scales{factor, 1.0};
}

} // namespace attnlab::flash
