// Emulated kernels that go wrong as a test says.
#pragma once

#include "tests/gpu/emulator/kernels.h"
#include "tests/gpu/fake_runtime.h"

#include <algorithm>
#include <csignal>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

namespace attnlab::gpu::faulty {

inline constexpr const char *first = "float32 16", *second = "bfloat16 16", *any_width = "plain float32",
                            *of_maps = "map 3xtf32 32";

template <class Kernels>
auto kernel_named(Kernels kernels, std::string_view name) {
    for (const auto& kernel : kernels)
        if (kernel.name == name)
            return kernel;
    throw std::invalid_argument(std::string(name));
}

/// What a kernel does on the fake device after it has computed.
struct Fault {
    std::string what, kernel;
    FakeRuntime* runtime = nullptr;

    void happen(const char* name) const {
        if (kernel != name)
            return;
        if (what == "hangs")
            for (;;)
                ::pause();
        if (what == "crashes")
            std::raise(SIGKILL);
        if (what == "breaks") {
            runtime->failing_call = runtime->calls + 1;
            runtime->stays_broken = true;
        }
    }
    bool is(const char* name, const char* wanted) const { return kernel == name && what == wanted; }
    bool is_wrong(const char* name, const ForwardArguments& a) const {
        return is(name, "errs") || (is(name, "errs if causal") && a.band.after == 0) ||
               (is(name, "errs with lengths") && a.valid_lengths.lengths) ||
               (is(name, "errs with padding") && a.key_padding.words) || (is(name, "errs in long rows") && a.S > 10000);
    }
};
inline Fault fault;

template <const char* const& name>
int launch_with_fault(const ForwardArguments& arguments, const Device& device, void* stream) {
    kernel_named(emulator::forward_kernels(), name).launch(arguments, device, stream);
    if (fault.is_wrong(name, arguments))
        arguments.lse[arguments.L - 1] += 0.25f;
    if (fault.is(name, "errs in outputs"))
        static_cast<float*>(arguments.output.data)[0] += 0.25f;
    if (fault.is(name, "errs in every row"))
        std::for_each_n(arguments.lse, arguments.L, [](float& lse) { lse += 0.25f; });
    fault.happen(name);
    return 0;
}
inline int launch_map_with_fault(const MapArguments& arguments, const Device& device, void* stream) {
    kernel_named(emulator::map_kernels(), of_maps).launch(arguments, device, stream);
    if (fault.is(of_maps, "errs") && arguments.largest)
        arguments.largest[1] += 0.25f;
    if (fault.is(of_maps, "errs in sums") && arguments.sum)
        arguments.sum[1] *= 1.5f;
    if (fault.is(of_maps, "errs in counts") && arguments.largest)
        arguments.kept[1] -= 1;
    if (fault.is(of_maps, "errs in a cell") && arguments.cells)
        arguments.cells[7] += 0.25f;
    if (fault.is(of_maps, "errs in cells") && arguments.cells)
        std::for_each_n(arguments.cells, arguments.scores.L * arguments.scores.S, [](float& cell) { cell *= 1.1f; });
    fault.happen(of_maps);
    return 0;
}

struct Tables {
    std::vector<ForwardKernel> forwards;
    std::vector<MapKernel> maps;

    Tables() {
        const auto add = [&](const char* name, auto* launch) {
            auto kernel = kernel_named(emulator::forward_kernels(), name);
            kernel.launch = launch;
            forwards.push_back(kernel);
        };
        add(first, launch_with_fault<first>);
        add(second, launch_with_fault<second>);
        add(any_width, launch_with_fault<any_width>);
        maps.push_back(kernel_named(emulator::map_kernels(), of_maps));
        maps.back().launch = launch_map_with_fault;
    }
    ForwardKernels forward_table() const { return {forwards.data(), static_cast<int>(forwards.size())}; }
    MapKernels map_table() const { return {maps.data(), static_cast<int>(maps.size())}; }
};

} // namespace attnlab::gpu::faulty
