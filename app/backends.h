// The backends available on this machine.
#pragma once

#include "app/command_parser.h"
#include "core/backend.h"
#include "core/flash/flash_forward.h"
#include "gpu/forward_kernels.h"

namespace attnlab::app {

/// Best first within each kind: the reference, cuda where there is a device that is faster than the processor, cpu,
/// cuda on another device.
Backends allBackends(gpu::Precision precision = gpu::Precision::Float32);
/// Those of a window, without a look for devices: cuda is used once it is ready (device_backends.h).
Backends windowBackends();

/// Of --precision. Throws UsageError.
gpu::Precision readPrecision(const QCommandLineParser& parser);

/// What the cpu backend computes for it: float16 is for devices alone.
flash::Precision precisionOfCores(gpu::Precision precision);

/// Adds --backend and --precision.
void addBackendOptions(CommandParser& parser, const char* missing);

struct BackendChoice {
    std::string id;
    Backends backends;
};
/// Throws UsageError for unknown words, Error where cuda is requested but not available.
BackendChoice readBackend(const QCommandLineParser& parser);

} // namespace attnlab::app
