// Opens the window.
#pragma once

#include "core/backend.h"
#include "core/map/map_engine.h"

namespace attnlab::app {

/// Runs the event loop with a window on the files named in `argv`. `maps` may be null. Returns an exit code.
int openWindow(int argc, char** argv, Backends backends, const MapEngine* maps);

} // namespace attnlab::app
