// Generates docs/mechanisms.md from the tables of the engine.
#pragma once

#include <string>

namespace attnlab::app {

/// A section for each mechanism (formula, arrays, parameters, what to look for, source), then scales and masks.
std::string referencePages();

} // namespace attnlab::app
