// The CUDA backend, the only interface of this folder to the rest of the program. Built without nvcc, it reports no
// devices.
#pragma once

#include "core/backend.h"
#include "core/map/map_engine.h"
#include "gpu/device.h"
#include "gpu/forward_kernels.h"
#include "gpu/kernel_verdicts.h"

#include <filesystem>

namespace attnlab::gpu {

/// The usable devices, the one that backends use first, and why there are none or why one was left out.
struct Devices {
    std::vector<Device> devices;
    std::optional<Message> why_none; ///< set when `devices` is empty
    int driver_version = 0;          ///< 12040 for 12.4; 0: no driver
    int runtime_version = 0;         ///< 0: built without CUDA
};

/// Queried at the first call, which may take a second with a device; creates no context on it.
const Devices& devices();

/// How the program checks the kernels of a device before it uses them. Without it all are trusted.
struct CheckSetup {
    std::vector<std::string> command; ///< starts this program so that it calls check_as_child(); names are appended
    std::filesystem::path file;       ///< keeps verdicts; may be empty
    std::string build;                ///< identifies this build of the program
};
/// To be called before everything below.
void use_check(const CheckSetup& setup);
/// In the child: checks the kernels of these names and reports to standard output. Returns the exit code.
int check_as_child(const std::vector<std::string>& names);

/// What is known of the first device's kernels.
struct CheckState {
    std::vector<KernelVerdict> verdicts;
    std::vector<std::string> unchecked; ///< kernels without a verdict; empty where none are checked
};
CheckState check_state();
/// Checks those without a verdict, in child processes. Reports each before it is checked. Throws Error, Cancelled.
void check_device(const RunControl& control = {}, const std::function<void(const std::string& kernel)>& begins = {});
/// Forgets all verdicts, so that all kernels are checked again.
void forget_verdicts();

/// True when backends on the first device are probably faster than the cores.
bool device_is_fast();

/// The backend "cuda" that stores queries, keys and values in `precision`, on the first device that can be set up,
/// after check_device(); null when there is none.
const Backend* cuda_backend(Precision precision = Precision::Float32);

/// Maps on the same device, for MapInputs: exact in float32, to about 1e-2 of a weight in bfloat16. Null when devices()
/// has none, and in float16.
const MapEngine* cuda_maps(Precision precision = Precision::Float32);

} // namespace attnlab::gpu
