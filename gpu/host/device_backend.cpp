#include "gpu/host/device_backend.h"

#include "core/flash/cpu_backend.h"
#include "core/flash/nonfinite_values.h"
#include "core/flash/tiled_attention.h"
#include "core/flash/unsupported_reasons.h"
#include "core/mechanisms.h"
#include "core/stages/scale.h"
#include "gpu/host/recheck.h"

#include <algorithm>
#include <cmath>
#include <mutex>

namespace attnlab::gpu {
namespace {

constexpr double largest_float16 = 65504.0;

/// Kernels combine several numbers into one sum, and add a bias of -inf to any score.
Message not_finite() { return {ATTNLAB_TEXT("A device takes no query or key that is NaN or infinite")}; }

bool are_finite(const ProjectedRows& made) {
    const auto all = [](const Tensor& tensor) { return flash::count_odd(tensor, {}).count == 0; };
    return all(made.rows) && (!made.weight || all(*made.weight)) && (!made.bias || all(*made.bias));
}

class Cuda : public Backend {
public:
    Cuda(Runtime& runtime, ForwardKernels kernels, Precision precision, KernelVerdicts* verdicts)
        : runtime_(runtime), kernels_(kernels), verdicts_(verdicts),
          precision_(precision), abilities_{.softcap = true, .largest_score = largest_score}, pinned_(runtime) {
        if (precision == Precision::Float16)
            abilities_.largest_stored = largest_float16;
    }

    std::string_view id() const override { return "cuda"; }
    std::string title() const override { return title_of(runtime_.device(), precision_); }
    bool gives_every_stage() const override { return false; }

    std::optional<Message> why_not(const ResolvedProblem& problem) const override {
        if (auto refused = flash::unsupported_choice(problem, abilities_))
            return refused->why;
        const auto form = flash::form_of(problem);
        if (!are_finite(form.query) || !are_finite(form.key))
            return not_finite();
        if (auto why = no_trusted_kernel())
            return why;
        if (auto why =
                refused_bands(flash::masks_of(without_own_arrays(problem, form), flash::shape_of(problem, form))))
            return why;
        return flash::refused_numbers(problem, form, abilities_);
    }

    Trace run(const ResolvedProblem& problem, const RunControl& control) const override {
        if (const auto refused = flash::unsupported_choice(problem, abilities_))
            throw Error(refused->why);
        try {
            return flash::tiled_attention(
                problem, control,
                [&](ResolvedProblem& plain, const flash::Shape& shape, bool is_finite, const RunControl& running) {
                    if (!is_finite)
                        throw Error(not_finite());
                    const std::lock_guard turn(mutex_);
                    const auto wanted = device_problem(plain, shape, running);
                    auto result = forward_on(runtime_, kernels_, wanted, running, pinned_, 0, {}, verdicts_);
                    check_rows(wanted, result, running);
                    return flash::TileResult{std::move(result.output), std::move(result.lse)};
                });
        } catch (const Error& error) {
            return run_on_cpu(problem, control, error);
        }
    }

private:
    /// The reason why a kernel has failed is that of most, such as a build without code for the device.
    std::optional<Message> no_trusted_kernel() const {
        if (!verdicts_)
            return std::nullopt;
        std::string why;
        for (const auto& kernel : kernels_) {
            if (kernel.precision != precision_)
                continue;
            if (verdicts_->trusts(kernel.name))
                return std::nullopt;
            if (const auto verdict = verdicts_->verdict(kernel.name); verdict && why.empty())
                why = verdict->kernel + ": " + verdict->why;
        }
        return Message(ATTNLAB_TEXT("No kernel of the device %1 has passed its check. The first: %2"),
                       {runtime_.device().name, why.empty() ? "not checked" : why});
    }

    DeviceProblem device_problem(const ResolvedProblem& problem, const flash::Shape& shape,
                                 const RunControl& control) const {
        DeviceProblem wanted;
        wanted.shape = shape;
        wanted.precision = precision_;
        const auto scales = flash::scales_of(problem, shape);
        wanted.scale = scales.scores;
        wanted.softcap = scales.softcap;
        wanted.output_scale = scales.weights;
        wanted.masks = flash::masks_of(problem, shape);
        if (auto why = refused_bands(wanted.masks))
            throw Error(std::move(*why));
        wanted.source = [&problem, &control](const char* name, std::int64_t first, std::int64_t rows) {
            return flash::rows_in_float32(problem, name, first, rows, control);
        };
        return wanted;
    }

    void check_rows(const DeviceProblem& problem, const DeviceResult& result, const RunControl& control) const {
        try {
            recheck(problem, result, result.kernel, random_, control);
        } catch (const WrongNumbers& error) {
            if (verdicts_)
                verdicts_->put({result.kernel, false, error.what()});
            throw;
        }
    }

    /// The fallback in a handler of `error`. Errors of the problem itself occur there too, and are thrown.
    Trace run_on_cpu(const ResolvedProblem& problem, const RunControl& control, const Error& error) const {
        const auto& cpu = cpu_backend();
        if (cpu.why_not(problem))
            throw;
        auto trace = cpu.run(problem, control);
        trace.notes.push_back({Note::Severity::Warning,
                               {ATTNLAB_TEXT("The cpu backend computed this instead of cuda: %1"), {error.what()}}});
        return trace;
    }

    Runtime& runtime_;
    const ForwardKernels kernels_;
    KernelVerdicts* const verdicts_;
    const Precision precision_;
    flash::Abilities abilities_;
    mutable PinnedMemory pinned_;
    mutable std::mutex mutex_;
    mutable std::mt19937 random_{std::random_device{}()}; ///< guarded by it
};

} // namespace

std::unique_ptr<const Backend> backend_on(Runtime& runtime, ForwardKernels kernels, Precision precision,
                                          KernelVerdicts* verdicts) {
    return std::make_unique<const Cuda>(runtime, kernels, precision, verdicts);
}

std::string title_of(const Device& device, Precision precision) {
    return "cuda · " + std::string(name_of(precision)) + " · " + device.name;
}

const char* name_of(Precision precision) {
    switch (precision) {
    case Precision::Float32:
        return "float32";
    case Precision::BFloat16:
        return "bfloat16";
    case Precision::Float16:
        return "float16";
    }
    return "";
}

} // namespace attnlab::gpu
