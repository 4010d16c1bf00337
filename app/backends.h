// The backends available on this machine.
#pragma once

#include "app/command_parser.h"
#include "core/backend.h"
#include "gpu/forward.h"

namespace attnlab::app {

/// Best first within each kind: the reference, cuda where there is a device, cpu.
Backends allBackends(gpu::Precision precision = gpu::Precision::Float32);

/// Adds --backend and --precision.
void addBackendOptions(CommandParser& parser, const char* missing);

struct BackendChoice {
    std::string id;
    Backends backends;
};
/// Throws UsageError for unknown words, Error where cuda is requested but not available.
BackendChoice readBackend(const QCommandLineParser& parser);

} // namespace attnlab::app
