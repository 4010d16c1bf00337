// Compares maps with the weights of the reference: cells, logarithms, bins.
#pragma once

#include "core/map/map_engine.h"
#include "tests/differential/bounds.h"
#include "tests/differential/engines.h"

namespace attnlab::differential {

/// By `engine`, or on the CPU without one, in a precision.
std::optional<Verdict> verdict_on_maps(const Computed& computed, const MapEngine* engine, const Arithmetic& arithmetic,
                                       flash::Precision precision = flash::Precision::Float32);

} // namespace attnlab::differential
