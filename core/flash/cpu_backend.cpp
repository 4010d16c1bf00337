#include "core/flash/cpu_backend.h"

#include "core/flash/in_tiles.h"
#include "core/flash/refusals.h"

namespace attnlab {
namespace {

class Cpu : public Backend {
public:
    std::string_view id() const override { return "cpu"; }

    std::string title() const override {
        const auto threads = flash::thread_count();
        return "cpu · float32 · " + flash::instruction_set() + " · " + std::to_string(threads) +
               (threads == 1 ? " thread" : " threads");
    }

    bool gives_every_stage() const override { return false; }

    std::optional<Message> why_not(const ResolvedProblem& problem) const override {
        if (auto refused = flash::refused_choice(problem))
            return refused->why;
        return flash::refused_numbers(problem, flash::form_of(problem));
    }

    Trace run(const ResolvedProblem& problem, const RunControl& control) const override {
        if (const auto refused = flash::refused_choice(problem))
            throw Error(refused->why);
        return flash::in_tiles(
            problem, control,
            [](ResolvedProblem& plain, const flash::Shape& shape, bool is_finite, const RunControl& running) {
                const auto scales = flash::scales_of(plain, shape);
                const auto taken = [&](const char* name) {
                    auto numbers = flash::in_float32(plain, name, running);
                    plain.tensors.erase(name); // avoids holding them twice
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
                                .is_finite = is_finite},
                               {result.output.data(), result.lse.data()}, running);
                return result;
            });
    }
};

} // namespace

const Backend& cpu_backend() {
    static const Cpu cpu;
    return cpu;
}

} // namespace attnlab
