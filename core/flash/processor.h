// What the program runs on, for reports.
#pragma once

#include <string>

namespace attnlab {

/// As the system calls it: "AMD EPYC 7B13"; empty where it does not say.
std::string processor_name();

/// The instruction set that the kernels of core/flash are run with here, as Highway calls it: "AVX3_ZEN4".
std::string instruction_set();

} // namespace attnlab
