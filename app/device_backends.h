// The CUDA backend and maps, made when they are first needed: a context takes up to a second and the kernels of a new
// device are checked first.
#pragma once

#include "core/backend.h"
#include "core/map/map_engine.h"
#include "gpu/forward.h"

#include <functional>

namespace attnlab::app {

/// Tells gpu/cuda_backend.h how this program checks kernels, and keeps verdicts, and choices of core/flash, in the
/// user's cache folder.
void setUpDeviceCheck();

/// Whether what is not ready yet is waited for. The window does not: it computes on the cores until ready() is called.
enum class WhenNotReady { Wait, Refuse };
void setWhenNotReady(WhenNotReady what);
/// Backends and maps may be used; thread-safe.
void setDevicesReady();

/// Checks the kernels that have no verdict and says so on standard error. Does nothing without a device.
void checkDevice();

/// Always there; why_not() tells where no device can be used.
const Backend& deviceBackend(gpu::Precision precision);
/// Opens nothing where no device can be used.
const MapEngine& deviceMaps(gpu::Precision precision);

} // namespace attnlab::app
