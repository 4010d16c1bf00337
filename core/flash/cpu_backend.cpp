#include "core/flash/cpu_backend.h"

#include "core/flash/in_tiles.h"
#include "core/flash/matrix_unit.h"
#include "core/flash/refusals.h"
#include "core/flash/tile_kernel.h"

namespace attnlab {
namespace {

class Cpu : public Backend {
public:
    explicit Cpu(flash::Precision precision) : precision_(precision) {}

    std::string_view id() const override { return "cpu"; }

    std::string title() const override { return flash::cpu_title(precision_); }

    bool gives_every_stage() const override { return false; }

    std::optional<Message> why_not(const ResolvedProblem& problem) const override {
        if (auto refused = flash::refused_choice(problem))
            return refused->why;
        return flash::refused_numbers(problem, flash::form_of(problem));
    }

    Trace run(const ResolvedProblem& problem, const RunControl& control) const override {
        if (const auto refused = flash::refused_choice(problem))
            throw Error(refused->why);
        auto trace = flash::in_tiles(
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
    const auto is_chosen = [&](MatrixUse use) {
        const auto choice = known_choice(precision, use);
        return unit->is_chosen_always || (choice && choice->is_used());
    };
    const bool named = unit && (is_chosen(MatrixUse::Forward) || is_chosen(MatrixUse::Map));
    return "cpu · " + std::string(name_of(precision)) + " · " + tile_kernel().instruction_set +
           (named ? std::string(", ") + unit->name : "") + " · " + std::to_string(threads) +
           (threads == 1 ? " thread" : " threads");
}

std::optional<Message> flash::note_without_matrix_unit(Precision precision, MatrixUse use) {
    auto why = why_no_matrix_unit();
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
