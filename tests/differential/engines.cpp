#include "tests/differential/engines.h"

#include "core/flash/cpu_backend.h"
#include "core/flash/matrix_unit.h"
#include "gpu/host/device_backend.h"
#include "gpu/host/device_forward.h"
#include "gpu/host/device_map.h"
#include "tests/differential/compare_stages.h"
#include "tests/differential/hopper_kernels.h"
#include "tests/differential/maps.h"
#include "tests/differential/reference.h"
#include "tests/emulated_amx/emulated_amx.h"
#include "tests/gpu/emulator/kernels.h"
#include "tests/gpu/fake_runtime.h"

#include <algorithm>
#include <hwy/targets.h>

namespace attnlab::differential {
namespace {

using Kind = Verdict::Kind;

Verdict verdict_on(const std::string& difference) {
    return difference.empty() ? Verdict{} : Verdict{Kind::Disagreed, difference};
}

/// Alternates between the instruction sets of this machine.
class InstructionSet {
public:
    explicit InstructionSet(std::uint64_t choice) {
        std::vector<std::int64_t> all;
        for (auto rest = hwy::SupportedTargets(); rest != 0; rest &= rest - 1)
            all.push_back(rest & -rest);
        hwy::SetSupportedTargetsForTest(all[choice % all.size()]);
    }
    ~InstructionSet() { hwy::SetSupportedTargetsForTest(0); }
    InstructionSet(const InstructionSet&) = delete;
    InstructionSet& operator=(const InstructionSet&) = delete;
};

/// A refusing backend must give a reason, the same each time; an invalid problem must be refused by all.
std::optional<Verdict> refusal(const Computed& c, const Backend& backend) {
    const auto why = backend.why_not(c.made.problem);
    const Backend* const backends[] = {&backend};
    if (!why && c.error.empty())
        return std::nullopt;
    try {
        compute(c.made.problem, backends, backend.id());
        return Verdict{Kind::Disagreed, why ? "computed what it refuses: " + why->english()
                                            : "computed what the reference refuses: " + c.error};
    } catch (const Error& error) {
        const std::string said = error.what();
        if (said.empty() || (why && said != why->english()))
            return Verdict{Kind::Disagreed, "refused, and then said '" + said + "'"};
        return Verdict{Kind::UnsupportedChoice, said};
    }
}

Verdict compare_backend(const Computed& c, const Backend& backend, Arithmetic arithmetic) {
    if (auto refused = refusal(c, backend))
        return *refused;
    try {
        const auto got = backend.run(c.made.problem, {});
        bool on_cores = false;
        for (const auto& note : got.notes)
            on_cores = on_cores || note.message.english().find("instead of cuda") != std::string::npos;
        if (on_cores)
            arithmetic = float32();
        const Bounds bounds(c.made.problem, c.reference, arithmetic);
        auto words = difference(bounds, got);
        if (words.empty())
            words = difference_of_projection(c.made.problem, bounds, c.reference, got);
        if (words.empty() && on_cores)
            return {Kind::UnsupportedChoice, got.notes.back().message.english()};
        return verdict_on(words);
    } catch (const Error& error) {
        return {Kind::Disagreed, std::string("refused only when it ran: ") + error.what()};
    }
}

std::optional<Verdict> on_cores(const Computed& c) {
    const InstructionSet one(c.made.choices);
    return compare_backend(c, cpu_backend(), careful(float32()));
}

/// The result of "auto" equals that of one of the two to the last bit.
std::optional<Verdict> automatic(const Computed& c) {
    const Backend* const backends[] = {&reference_backend(), &cpu_backend()};
    try {
        const auto got = compute(c.made.problem, backends);
        if (!c.error.empty())
            return Verdict{Kind::Disagreed, "computed what the reference refuses: " + c.error};
        const bool is_reference = got.backend == reference_backend().title();
        const auto expected = is_reference ? c.reference : cpu_backend().run(c.made.problem, {});
        for (const auto& stage : expected.stages) {
            const Stage* own = got.trace.find(stage.name);
            if (!own || !(own->value == stage.value))
                return Verdict{Kind::Disagreed, "stage " + stage.name + " is not that of " + got.backend};
        }
        return Verdict{};
    } catch (const Error& error) {
        if (c.error != error.what())
            return Verdict{Kind::Disagreed, std::string("says '") + error.what() + "' and not '" + c.error + "'"};
        return Verdict{Kind::UnsupportedChoice, c.error};
    }
}

/// Tiles of any size, in float64.
std::optional<Verdict> flash_variant(const Computed& c) {
    if (c.made.problem.spec.variant != "scaled_dot_product" || !c.error.empty())
        return std::nullopt;
    auto problem = c.made.problem;
    problem.spec.variant = "flash";
    problem.spec.parameters.set("block_q", static_cast<std::int64_t>(1 + c.made.choices % 50));
    problem.spec.parameters.set("block_k", static_cast<std::int64_t>(1 + c.made.choices / 64 % 50));
    if (problem.spec.score_mod.empty()) {
        const auto got = reference_backend().run(problem, {});
        return verdict_on(difference(Bounds(problem, c.reference, float64()), got));
    }
    try {
        reference_backend().run(problem, {});
        return Verdict{Kind::Disagreed, "computed a score_mod, which it does not have"};
    } catch (const Error& error) {
        return Verdict{Kind::UnsupportedChoice, error.what()};
    }
}

Arithmetic arithmetic_of(gpu::Precision precision) {
    switch (precision) {
    case gpu::Precision::BFloat16:
        return device_bfloat16();
    case gpu::Precision::Float16:
        return device_float16();
    default:
        return device_float32();
    }
}

/// Limits the size for emulated devices, which are slow.
bool fits_a_device(const Computed& c, double share) {
    const double size = size_of(c.made.problem);
    return size <= 3e5 && static_cast<double>(c.made.choices % 1000) < share * 1000.0;
}

template <gpu::Precision precision>
std::optional<Verdict> on_device(const Computed& c) {
    if (!fits_a_device(c, precision == gpu::Precision::Float32 ? 0.4 : 0.15))
        return std::nullopt;
    gpu::FakeRuntime runtime(std::size_t{1} << 28);
    const auto backend = gpu::backend_on(runtime, emulator::forward_kernels(), precision);
    return compare_backend(c, *backend, arithmetic_of(precision));
}

template <gpu::Precision precision>
std::optional<Verdict> on_hopper(const Computed& c) {
    const double size = size_of(c.made.problem);
    if (size > 1e5 || c.made.choices / 7 % 1000 >= 60)
        return std::nullopt;
    gpu::FakeRuntime runtime(std::size_t{1} << 28, 90);
    const auto backend = gpu::backend_on(runtime, hopper_kernels(), precision);
    return compare_backend(c, *backend, arithmetic_of(precision));
}

std::optional<Verdict> maps_on_cores(const Computed& c) {
    const InstructionSet one(c.made.choices / 3);
    return verdict_on_maps(c, nullptr, float32());
}

/// Computes with the emulated AMX for its lifetime.
class EmulatedAmx {
public:
    EmulatedAmx() { flash::use_matrix_kernel(test::emulated_amx()); }
    ~EmulatedAmx() { flash::use_matrix_kernel(std::nullopt); }
    EmulatedAmx(const EmulatedAmx&) = delete;
    EmulatedAmx& operator=(const EmulatedAmx&) = delete;
};

/// Limits the share of cases with emulated matrices.
bool fits_matrices(const Computed& c, std::uint64_t one_in) {
    return size_of(c.made.problem) <= 3e5 && c.made.choices / 11 % one_in == 0;
}

std::optional<Verdict> by_matrices(const Computed& c) {
    if (!fits_matrices(c, 2))
        return std::nullopt;
    const EmulatedAmx emulated;
    return compare_backend(c, cpu_backend(flash::Precision::BFloat16), careful(matrices_bfloat16()));
}

template <flash::Precision precision>
std::optional<Verdict> maps_by_matrices(const Computed& c) {
    if (!fits_matrices(c, 3))
        return std::nullopt;
    const EmulatedAmx emulated;
    if (precision == flash::Precision::Split)
        return verdict_on_maps(c, nullptr, matrices_split(), precision);
    auto arithmetic = matrices_bfloat16();
    arithmetic.far_rows_are_exact = false; // they are computed from rounded queries and keys
    return verdict_on_maps(c, nullptr, arithmetic, precision);
}

std::optional<Verdict> maps_on_device(const Computed& c) {
    if (!fits_a_device(c, 0.3))
        return std::nullopt;
    gpu::FakeRuntime runtime(std::size_t{1} << 28);
    const auto engine = gpu::map_engine_on(runtime, emulator::forward_kernels(), emulator::map_kernels(),
                                           gpu::Precision::Float32, c.made.choices % 2 ? std::size_t{1} << 28 : 1);
    return verdict_on_maps(c, engine.get(), device_float32());
}

} // namespace

const std::vector<Engine>& engines() {
    static const std::vector<Engine> all = {
        {"reference", verdict_on_reference},
        {"flash variant", flash_variant},
        {"cpu", on_cores},
        {"auto", automatic},
        {"maps", maps_on_cores},
        {"matrices bfloat16", by_matrices},
        {"maps by matrices, split", maps_by_matrices<flash::Precision::Split>},
        {"maps by matrices, bfloat16", maps_by_matrices<flash::Precision::BFloat16>},
        {"device float32", on_device<gpu::Precision::Float32>},
        {"device bfloat16", on_device<gpu::Precision::BFloat16>},
        {"device float16", on_device<gpu::Precision::Float16>},
        {"device maps", maps_on_device},
        {"hopper float32", on_hopper<gpu::Precision::Float32>},
        {"hopper bfloat16", on_hopper<gpu::Precision::BFloat16>},
        {"hopper float16", on_hopper<gpu::Precision::Float16>},
    };
    return all;
}

Computed computed(const Case& made) {
    try {
        return {made, reference_backend().run(made.problem, {}), {}};
    } catch (const Error& error) {
        return {made, {}, error.what()};
    }
}

} // namespace attnlab::differential
