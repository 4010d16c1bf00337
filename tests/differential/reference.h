// The reference itself, beside an implementation that shares nothing with it.
#pragma once

#include "tests/differential/engines.h"

namespace attnlab::differential {

/// Weights, lse and output beside those of tests/core/independent.h in long double.
std::optional<Verdict> verdict_on_reference(const Computed& computed);

} // namespace attnlab::differential
