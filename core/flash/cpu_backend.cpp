#include "core/flash/cpu_backend.h"

#include "core/stages/mask.h"

namespace attnlab {
namespace {

constexpr flash::Abilities abilities{"cpu"};

class Cpu : public Backend {
public:
    std::string_view id() const override { return abilities.backend; }

    std::string title() const override {
        const auto threads = flash::thread_count();
        return "cpu · float32 · " + flash::instruction_set() + " · " + std::to_string(threads) +
               (threads == 1 ? " thread" : " threads");
    }

    bool gives_every_stage() const override { return false; }

    std::optional<Message> why_not(const AttentionProblem& problem) const override {
        try {
            if (auto refused = flash::refused_choices(problem.spec, abilities))
                return refused;
            return flash::refused_numbers(problem, abilities);
        } catch (const Error& error) {
            return error.message(); // what run() would throw
        }
    }

    Trace run(const AttentionProblem& problem, const RunControl& control) const override {
        if (const auto refused = flash::refused_choices(problem.spec, abilities))
            throw Error(*refused);
        const auto shape = flash::shape_of(problem);
        check_masks(problem, {shape.B, shape.H, shape.L, shape.S});
        control.require_memory("output", {shape.B, shape.H, shape.L, shape.Ev}, 1.0);

        const auto scales = flash::scales_of(problem.spec, shape);
        const auto query = flash::in_float32(problem, "query", control);
        const auto key = flash::in_float32(problem, "key", control);
        const auto value = flash::in_float32(problem, "value", control);
        std::vector<float> output(static_cast<std::size_t>(shape.B * shape.H * shape.L * shape.Ev));
        std::vector<float> lse(static_cast<std::size_t>(shape.B * shape.H * shape.L));
        flash::forward({.shape = shape,
                        .query = query.data(),
                        .key = key.data(),
                        .value = value.data(),
                        .scale = scales.scores,
                        .output_scale = scales.weights,
                        .masks = flash::masks_of(problem, shape)},
                       {output.data(), lse.data()}, control);
        return flash::trace_of(problem, shape, output, lse);
    }
};

} // namespace

const Backend& cpu_backend() {
    static const Cpu cpu;
    return cpu;
}

} // namespace attnlab
