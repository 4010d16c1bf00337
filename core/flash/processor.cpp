#include "core/flash/processor.h"

#include "core/flash/targets.h"

#include <fstream>

#include <hwy/highway.h>

namespace attnlab {

std::string processor_name() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("model name"))
            if (const auto colon = line.find(": "); colon != line.npos)
                return line.substr(colon + 2);
    return {};
}

#if defined(__x86_64__)
namespace {
__attribute__((target("avx"))) void zero_upper() { __builtin_ia32_vzeroupper(); }
} // namespace

void release_upper_registers() {
    static const bool has_them = __builtin_cpu_supports("avx") != 0;
    if (has_them)
        zero_upper();
}
#else
void release_upper_registers() {}
#endif

std::string instruction_set() {
    const auto usable = hwy::SupportedTargets() & HWY_TARGETS;
    return hwy::TargetName(usable & -usable); // the lowest bit is the best of them
}

} // namespace attnlab
