#include "core/flash/cpu_backend.h"

#include "core/flash/matrix_unit.h"
#include "core/flash/tile_kernel.h"
#include "core/flash/tiled_attention.h"
#include "core/flash/unsupported_reasons.h"
#include "core/mechanisms.h"
#include "core/stages/mask.h"
#include "core/stages/scale.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace attnlab {
namespace {

class Cpu : public Backend {
public:
    explicit Cpu(flash::Precision precision) : precision_(precision) {}

    std::string_view id() const override { return "cpu"; }

    std::string title() const override { return flash::cpu_title(precision_); }

    bool gives_every_stage() const override { return false; }

    std::optional<Message> why_not(const ResolvedProblem& problem) const override {
        if (auto refused = flash::unsupported_choice(problem))
            return refused->why;
        return flash::refused_numbers(problem, flash::form_of(problem));
    }

    Trace run(const ResolvedProblem& problem, const RunControl& control) const override {
        if (const auto refused = flash::unsupported_choice(problem))
            throw Error(refused->why);
        auto trace = flash::tiled_attention(
            problem, control,
            [&](ResolvedProblem& plain, const flash::Shape& shape, bool is_finite, const RunControl& running) {
                const auto scales = flash::scales_of(plain, shape);
                const auto taken = [&](const char* name) {
                    auto numbers = flash::in_float32(plain, name, running);
                    plain.tensors.erase(name); // avoids holding them twice
                    if (precision_ == flash::Precision::BFloat16)
                        flash::round_to_bfloat16(numbers);
                    return numbers;
                };
                const auto query = taken("query"), key = taken("key"), value = taken("value");
                flash::TileResult result{
                    std::vector<float>(static_cast<std::size_t>(shape.B * shape.H * shape.L * shape.Ev)),
                    std::vector<float>(static_cast<std::size_t>(shape.B * shape.H * shape.L))};
                flash::forward({.shape = shape,
                                .query = query.data(),
                                .key = key.data(),
                                .value = value.data(),
                                .scale = scales.scores,
                                .output_scale = scales.weights,
                                .masks = flash::masks_of(plain, shape),
                                .is_finite = is_finite,
                                .precision = precision_},
                               {result.output.data(), result.lse.data()}, running);
                return result;
            });
        if (const auto note = flash::note_without_matrix_unit(precision_, flash::MatrixUse::Forward))
            trace.notes.push_back({Note::Severity::Warning, *note});
        return trace;
    }

private:
    const flash::Precision precision_;
};

} // namespace

const Backend& cpu_backend(flash::Precision precision) {
    static const Cpu float32(flash::Precision::Float32), bfloat16(flash::Precision::BFloat16);
    return precision == flash::Precision::BFloat16 ? bfloat16 : float32;
}

std::string flash::cpu_title(Precision precision) {
    const auto threads = thread_count();
    const auto* unit = matrix_kernel();
    const bool named =
        unit && std::ranges::any_of(matrix_tasks, [&](const MatrixTask& task) {
            const auto choice = known_choice(task.precision, task.use);
            return task.precision == precision && (unit->is_chosen_always || (choice && choice->is_used()));
        });
    return "cpu · " + std::string(name_of(precision)) + " · " + tile_kernel().instruction_set +
           (named ? std::string(", ") + unit->name : "") + " · " + std::to_string(threads) +
           (threads == 1 ? " thread" : " threads");
}

std::optional<Message> flash::note_without_matrix_unit(Precision precision, MatrixUse use) {
    auto why = matrix_unit_unavailable_reason();
    if (const auto* unit = matrix_kernel(); unit && !unit->is_chosen_always)
        if (const auto choice = known_choice(precision, use); choice && !choice->is_used())
            why = choice->why_not(unit->name);
    if (precision == Precision::Float32 || !why)
        return std::nullopt;
    if (precision == Precision::Split)
        return Message(ATTNLAB_TEXT("Computed in float32 instead of split numbers: %1"), {*why});
    return Message(ATTNLAB_TEXT("Computed in float32 from numbers rounded to bfloat16, which is not faster: %1"),
                   {*why});
}

} // namespace attnlab

// Converts the user's masks to those of the flash forward.

namespace attnlab::flash {
Masks masks_of(const ResolvedProblem& problem, const Shape& shape) {
    Masks masks;
    masks.fill = problem.spec.mask_fill.value;
    masks.fill_is_added = problem.spec.mask_fill.mode == MaskFill::Mode::Add;
    const auto offsets =
        uses_positions(problem.spec.masks) ? query_offsets(problem.spec, problem.tensors) : QueryOffsets();
    const ByForm add{[&](const Band& band) { masks.bands.push_back(band); },
                     [&](const ValidLengths& lengths) { masks.valid_lengths.push_back(lengths); },
                     [&](const KeyPadding& padding) {
                         if (masks.key_padding && masks.key_padding.padded != padding.padded)
                             throw std::logic_error("tiles have one array of padded keys");
                         masks.key_padding = padding;
                     },
                     [&](const KeyIntervals& intervals) { masks.intervals.push_back(intervals); },
                     [&](const BooleanCells& cells) { masks.booleans.push_back(cells); },
                     [](const ComputedCells&) { throw std::logic_error("tiles compute no expressions"); },
                     [&](const CellArray& bias) { masks.bias = bias; }};
    const MaskContext sizes{shape.B, shape.H, shape.L, shape.S, problem.key_grid};
    for (const auto& mask : problem.spec.masks)
        for (const auto& rule : rules_of(mask, sizes, problem.tensors, problem.spec.mask_true, offsets))
            std::visit(add, rule);
    return masks;
}

// Converts the user's tensors and scale to the numbers of the flash forward.

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
    if (!problem.mechanism->dot_product_form)
        throw Error(not_a_dot_product(problem.spec));
    return problem.mechanism->dot_product_form(problem);
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
    const auto& mode = scale_mode(scale.id);
    if (is_softcap(problem.spec)) {
        const auto soft = mode.cap({shape.E, shape.S}, scale.parameters);
        return {soft.factor, 1.0, soft.cap};
    }
    const double factor = mode.factor({shape.E, shape.S}, scale.parameters);
    return problem.spec.scale_after_softmax ? Scales{1.0, factor} : Scales{factor, 1.0};
}

} // namespace attnlab::flash
