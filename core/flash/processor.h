// What the program runs on.
#pragma once

#include <string>

namespace attnlab {

/// As the system calls it: "AMD EPYC 7B13"; empty where it does not say.
std::string processor_name();

/// The instruction set that the kernels of core/flash are run with here, as Highway calls it: "AVX3_ZEN4".
std::string instruction_set();

/// For the start of work on a thread: marks the upper halves of its vector registers as unused. System libraries may
/// leave them in use, and a new thread has the registers of the one that started it. Until they are unused, functions
/// such as exp() take many times as long.
void release_upper_registers();

} // namespace attnlab
