#include "core/map/map_inputs.h"

#include "core/flash/cpu_backend.h"
#include "core/flash/refusals.h"
#include "core/stages/mask.h"

namespace attnlab {
namespace {

/// A problem with the same weights that has values, which mechanisms require, and no statistics.
AttentionProblem with_weights_of(AttentionProblem problem) {
    problem.spec.statistics = false;
    if (const auto key = problem.tensors.find("key"); key != problem.tensors.end() && key->second.rank() > 0) {
        auto shape = key->second.shape();
        shape.back() = 0;
        problem.tensors["value"] = Tensor(shape);
    }
    return problem;
}

std::optional<Message> refused(const ResolvedProblem& problem) {
    if (auto why = flash::refused_choice(problem))
        return why->why;
    const auto form = flash::form_of(problem);
    // Given numbers are checked head by head: a file may hold many.
    if (form.query.weight)
        if (auto why = flash::refused_numbers(problem, form))
            return why;
    check_masks(problem);
    if (const double factor = flash::scales_of(problem, flash::shape_of(problem, form)).weights; factor < 0.0)
        return Message(ATTNLAB_TEXT("The scale after the softmax is %1; a map needs one that is not negative"),
                       {to_text(factor)});
    return std::nullopt;
}

/// Throws Error where no map is possible.
ResolvedProblem accepted(const AttentionProblem& given) {
    const auto problem = with_weights_of(given);
    if (auto why = flash::refused_choice(problem.spec)) // reported before errors of the arrays
        throw Error(std::move(why->why));
    auto resolved = resolve(problem);
    if (auto why = refused(resolved))
        throw Error(std::move(*why));
    return resolved;
}

} // namespace

flash::Problem MapInputs::Data::head(std::int64_t b, std::int64_t h) const {
    flash::Problem one{
        .shape = {1, 1, 1, shape.L, shape.S, shape.E, 0}, .scale = scale, .output_scale = output_scale, .masks = masks};
    one.precision = precision;
    const auto move = [&](flash::CellArray& cells) {
        if (cells.values)
            cells.values += b * cells.batch_stride + h * cells.head_stride;
    };
    for (auto& band : one.masks.bands)
        band = band.of_batch(b);
    for (auto& valid : one.masks.valid_lengths)
        valid.lengths += b * valid.batch_stride;
    if (one.masks.key_padding)
        one.masks.key_padding.padded += b * one.masks.key_padding.batch_stride;
    for (auto& mask : one.masks.booleans)
        move(mask.cells);
    move(one.masks.bias);
    return one;
}

std::int64_t MapInputs::Data::first_key_row(std::int64_t b, std::int64_t h) const {
    return (b * shape.Hkv + h / (shape.H / shape.Hkv)) * shape.S;
}

std::vector<float> MapInputs::Data::rows(std::string_view name, std::int64_t first, std::int64_t count,
                                         const RunControl& control) const {
    auto numbers = flash::rows_in_float32(problem, name, first, count, control);
    if (precision == flash::Precision::BFloat16)
        flash::round_to_bfloat16(numbers);
    return numbers;
}

std::vector<float> MapInputs::Data::query(std::int64_t b, std::int64_t h, const RunControl& control) const {
    const auto size = [&](const char* name, std::int64_t first_row, std::int64_t rows) {
        return flash::largest_size(problem.tensors.find(name)->second, first_row * shape.E, rows * shape.E);
    };
    if (auto why = flash::refused_sizes(problem.spec.scale, shape.E, shape.S,
                                        size("query", (b * shape.H + h) * shape.L, shape.L),
                                        size("key", first_key_row(b, h), shape.S), 0.0))
        throw Error(std::move(*why));
    return rows("query", (b * shape.H + h) * shape.L, shape.L, control);
}

std::vector<float> MapInputs::Data::key(std::int64_t b, std::int64_t h, const RunControl& control) const {
    return rows("key", first_key_row(b, h), shape.S, control);
}

std::optional<Message> MapInputs::why_not(const AttentionProblem& problem) {
    try {
        accepted(problem);
        return std::nullopt;
    } catch (const Error& error) {
        return error.message();
    }
}

MapInputs::MapInputs(const AttentionProblem& problem, const MapEngine* engine, flash::Precision precision) {
    const auto given = accepted(problem);
    const auto form = flash::form_of(given);
    auto data = std::make_unique<Data>();
    data->shape = flash::shape_of(given, form);
    data->shape.Ev = 0;
    data->problem = plain_problem(given, form, false, {});
    const auto scales = flash::scales_of(data->problem, data->shape);
    data->scale = scales.scores;
    data->output_scale = scales.weights;
    data->problem.tensors.erase("value");
    data->masks = flash::masks_of(data->problem, data->shape);
    data->engine = engine;
    data->precision = precision;
    data_ = std::move(data);
}

MapInputs::~MapInputs() = default;

std::int64_t MapInputs::batches() const { return data_->shape.B; }
std::int64_t MapInputs::heads() const { return data_->shape.H; }
std::int64_t MapInputs::rows() const { return data_->shape.L; }
std::int64_t MapInputs::columns() const { return data_->shape.S; }

} // namespace attnlab
