// The program: opens the window, or runs a command without one.
#pragma once

namespace attnlab::app {

/// Returns the exit code: 0 success, 1 bad data, 2 a wrong command line.
int run(int argc, char** argv);

} // namespace attnlab::app
