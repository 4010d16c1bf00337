// Checks of kernels on the device at hand, in a child process: a hang or a fault there spoils a device's context for
// the rest of a process, and in the child it does no harm.
#pragma once

#include "core/attention.h"
#include "gpu/kernel_verdicts.h"
#include "gpu/runtime.h"

#include <functional>
#include <sys/types.h>

namespace attnlab::gpu {

/// The names of the kernels that a device may choose.
std::vector<std::string> kernels_of(const Device& device, ForwardKernels forwards, MapKernels maps);

/// Compares a kernel with the engine on the cores: full, causal and masked problems of awkward sizes, and a row of
/// 16384 keys; pooled bins and cells of a map. Returns what is wrong, empty if nothing. Throws Error where the device
/// fails.
std::string check_kernel(Runtime& runtime, const ForwardKernel& kernel);
std::string check_kernel(Runtime& runtime, const MapKernel& kernel, ForwardKernels forwards, MapKernels maps);

/// The child's side: checks the kernels of these names and writes "begin NAME", then "right NAME" or "wrong
/// NAME<tab>WHY" to `out`, line by line. Returns false after an error of the device, which may be spoiled then.
bool run_checks(Runtime& runtime, ForwardKernels forwards, MapKernels maps, const std::vector<std::string>& names,
                int out);

/// A child process and the end of a pipe from which its lines come.
struct Child {
    pid_t process = -1;
    int lines = -1;
};
/// Starts a child that runs run_checks(). Throws Error.
using StartChild = std::function<Child(const std::vector<std::string>& names)>;

/// Starts a program with these words followed by the names.
StartChild child_of(std::vector<std::string> command);

struct CheckLimits {
    double start_seconds = 60.0;  ///< until the first kernel begins: a driver may compile code
    double kernel_seconds = 20.0; ///< of one kernel
};

/// The parent's side: has all `names` checked and puts their verdicts into `verdicts`. What hangs or crashes is wrong,
/// and the others are checked by another child. Reports each name before it is checked. Throws Error where children end
/// before any check begins, Cancelled.
void check_in_children(const StartChild& start, std::vector<std::string> names, KernelVerdicts& verdicts,
                       const RunControl& control, const std::function<void(const std::string& kernel)>& begins = {},
                       const CheckLimits& limits = {});

} // namespace attnlab::gpu
