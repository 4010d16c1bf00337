// Opens the window.
#pragma once

namespace attnlab::app {

/// Runs the event loop with a window on the files named in `argv`. Returns an exit code.
int openWindow(int argc, char** argv);

} // namespace attnlab::app
