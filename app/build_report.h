// The build and its environment, for --version and reports of problems. Nothing in it is private.
#pragma once

#include <string>

namespace attnlab::app {

/// A line each: version and build, Qt, kernels, processor.
std::string buildReport();

} // namespace attnlab::app
