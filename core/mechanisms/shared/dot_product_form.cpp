#include "core/mechanisms/shared/dot_product_form.h"

#include "core/chunked_numbers.h"
#include "core/mechanisms.h"
#include "core/mechanisms/shared/projection.h"
#include "core/stages/exact.h"
#include "core/stages/scale.h"

#include <algorithm>
#include <cmath>

namespace attnlab {
namespace {

/// Numbers stored as float32.
class Float32Numbers : public NumberSource {
public:
    explicit Float32Numbers(std::vector<float> numbers) : numbers_(std::move(numbers)) {}

    std::int64_t size() const override { return std::ssize(numbers_); }
    void read(std::int64_t first, std::span<double> values) const override { copy(first, values); }
    void read(std::int64_t first, std::span<float> values) const override { copy(first, values); }

private:
    template <class Number>
    void copy(std::int64_t first, std::span<Number> values) const {
        std::copy_n(numbers_.begin() + first, values.size(), values.begin());
    }

    std::vector<float> numbers_;
};

const Tensor* find(const std::optional<Tensor>& tensor) { return tensor ? &*tensor : nullptr; }

/// Rows of width E normalised by a scale in float64: float32 would lose the digits of very small numbers. Rows with NaN
/// or infinity are unchanged.
Tensor normalised(Tensor block, std::int64_t E, RowNorm norm) {
    if (norm == RowNorm::None || E == 0)
        return block;
    const auto rows = normalised_rows(block.reshaped({block.size() / E, E}), norm);
    const auto width = static_cast<std::size_t>(E);
    const auto values = block.mutable_values();
    for (std::size_t first = 0; first < values.size(); first += width) {
        const auto row = values.subspan(first, width);
        if (std::all_of(row.begin(), row.end(), [](double value) { return std::isfinite(value); }))
            std::copy_n(rows.data() + first, width, row.begin());
    }
    return block;
}

/// The same in pieces, so that little is held in float64 at a time.
Tensor made_in_float32(const ProjectedRows& projected, const char* name, RowNorm norm, const RunControl& control) {
    if (!projected.weight)
        return projected.rows;
    const auto x = batched(projected.rows);
    const auto B = x.dim(0), L = x.dim(1), D = x.dim(2), H = projected.heads;
    const auto width = projected.weight->dim(1), E = width / H;
    control.require_memory(name, {B, L, width}, 0.5);
    constexpr std::int64_t rows_at_once = 512;
    std::vector<float> numbers(static_cast<std::size_t>(B * L * width));
    std::vector<double> piece;
    for (std::int64_t b = 0; b < B; ++b)
        for (std::int64_t first = 0; first < L; first += rows_at_once) {
            const auto rows = std::min(rows_at_once, L - first);
            piece.resize(static_cast<std::size_t>(rows * D));
            x.read((b * L + first) * D, piece);
            const auto block = normalised(
                project(Tensor({1, rows, D}, piece), *projected.weight, find(projected.bias), control), E, norm);
            for (std::int64_t h = 0; h < H; ++h)
                for (std::int64_t i = 0; i < rows; ++i)
                    std::copy_n(block.data() + i * width + h * E, E,
                                numbers.begin() + ((b * H + h) * L + first + i) * E);
        }
    return Tensor::from({B, H, L, E}, std::make_shared<const Float32Numbers>(std::move(numbers)), DType::Float32);
}

/// A shape of the same number of rows without features.
Tensor empty_rows(const ProjectedRows& projected) {
    auto shape = projected.rows.shape();
    if (projected.weight) {
        const auto x = batched(projected.rows);
        shape = {x.dim(0), projected.heads, x.dim(1), 0};
    }
    shape.back() = 0;
    return Tensor(shape);
}

} // namespace

Tensor made(const ProjectedRows& projected, const RunControl& control) {
    if (!projected.weight)
        return with_heads(projected.rows);
    const auto rows = project(batched(projected.rows), *projected.weight, find(projected.bias), control);
    return projected.heads == 1 ? with_heads(rows) : split_heads(rows, projected.heads);
}

ResolvedProblem without_own_arrays(const ResolvedProblem& problem, const DotProductForm& form) {
    auto plain = problem;
    plain.mechanism = &mechanism_of("scaled_dot_product");
    plain.spec = form.spec;
    plain.spec.variant = plain.mechanism->id;
    plain.spec.parameters = plain.given = {};
    for (const auto& input : problem.mechanism->inputs)
        plain.tensors.erase(std::string(input.name));
    return plain;
}

Trace attend_as(const DotProductForm& form, const ResolvedProblem& problem, const RunControl& control) {
    auto chosen = problem;
    chosen.spec = form.spec;
    ExactInputs exact;
    exact.query = made(form.query, control);
    exact.key = made(form.key, control);
    exact.value = made(form.value, control);
    return exact_attention(chosen, exact, dot_product(), control);
}

Stage concatenated(const DotProductForm& form, const Tensor& head_output, const RunControl& control) {
    auto output = merge_heads(head_output);
    if (form.output_weight)
        output = project(output, *form.output_weight, find(form.output_bias), control);
    return {"output",
            output,
            {Axis::Batch, Axis::Query, Axis::Feature},
            StageRole::Step,
            form.output_weight ? Message(ATTNLAB_TEXT("concatenate · W_o")) : Message(ATTNLAB_TEXT("concatenate")),
            form.output_weight ? "Concat(o¹ … o^H) W_o + b_o" : "Concat(o¹ … o^H)"};
}

ResolvedProblem plain_problem(const ResolvedProblem& problem, const DotProductForm& form, bool with_values,
                              const RunControl& control) {
    auto plain = without_own_arrays(problem, form);
    const auto norm = scale_mode(plain.spec.scale.id).row_norm;
    plain.tensors.insert_or_assign("query", made_in_float32(form.query, "query", norm, control));
    plain.tensors.insert_or_assign("key", made_in_float32(form.key, "key", norm, control));
    plain.tensors.insert_or_assign("value", with_values ? made_in_float32(form.value, "value", RowNorm::None, control)
                                                        : empty_rows(form.value));
    return plain;
}

} // namespace attnlab
