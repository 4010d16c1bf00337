// The ways to compute that this program has on this machine.
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
/// Throws UsageError for words that are not known, Error where cuda is asked for and there is none.
BackendChoice readBackend(const QCommandLineParser& parser);

} // namespace attnlab::app
