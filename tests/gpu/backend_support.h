// The backend over a device in ordinary memory with emulated kernels.
#pragma once

#include "broadcast_support.h"
#include "gpu/host/device_backend.h"
#include "tests/gpu/emulator/kernels.h"
#include "tests/gpu/fake_runtime.h"

#include <QTest>

#include <stdexcept>

namespace attnlab::test {

inline constexpr std::size_t plenty_of_memory = std::size_t{1} << 28;

/// A row of the table of emulated kernels, to be changed.
inline gpu::ForwardKernel emulated_kernel(std::string_view name) {
    for (const auto& kernel : emulator::forward_kernels())
        if (kernel.name == name)
            return kernel;
    throw std::invalid_argument("no kernel " + std::string(name));
}

/// The column "mask": an index of mask_cases.
inline void add_mask_cases() {
    QTest::addColumn<int>("mask");
    for (int m = 0; m < static_cast<int>(std::size(mask_cases)); ++m)
        QTest::addRow("%s", mask_cases[m].name) << m;
}

/// By a device, not the cores, of which nothing is left in use.
inline Trace run_emulated(const AttentionProblem& problem, gpu::Precision precision = gpu::Precision::Float32,
                          const RunControl& control = {}) {
    gpu::FakeRuntime runtime(plenty_of_memory);
    const auto backend = gpu::backend_on(runtime, emulator::forward_kernels(), precision);
    if (const auto why = backend->why_not(problem))
        throw Error(*why);
    auto trace = backend->run(problem, control);
    if (runtime.used != 0)
        throw std::logic_error("memory of the device is left behind");
    if (has_note(trace, "instead of cuda"))
        throw std::logic_error("the cpu backend computed it");
    return trace;
}

/// From the reference, in output and lse; empty if there is none.
inline QString differences(const Trace& got, const AttentionProblem& problem, double tolerance) {
    const auto expected = run(problem);
    const auto output = difference(stage(got, "output"), stage(expected, "output"), tolerance);
    return output + difference(stage(got, "lse"), stage(expected, "lse"), tolerance);
}

} // namespace attnlab::test
