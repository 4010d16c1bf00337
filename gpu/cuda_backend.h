// The CUDA backend, the only interface of this folder to the rest of the program. Built without nvcc, it reports no
// devices.
#pragma once

#include "core/backend.h"
#include "core/map/map_engine.h"
#include "gpu/device.h"
#include "gpu/forward.h"

namespace attnlab::gpu {

/// The usable devices, and why there are none or why one was left out.
struct Devices {
    std::vector<Device> devices;
    std::optional<Message> why_none; ///< set when `devices` is empty
    int driver_version = 0;          ///< 12040 for 12.4; 0: no driver
    int runtime_version = 0;         ///< 0: built without CUDA
};

/// Queried at the first call, which may take a second with a device.
const Devices& devices();

/// The backend "cuda" that stores queries, keys and values in `precision`; null when devices() has none.
const Backend* cuda_backend(Precision precision = Precision::Float32);

/// Maps on the same device, for MapInputs: exact in float32, to about 1e-2 of a weight in bfloat16. Null when devices()
/// has none, and in float16.
const MapEngine* cuda_maps(Precision precision = Precision::Float32);

} // namespace attnlab::gpu
