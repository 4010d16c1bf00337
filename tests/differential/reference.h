// Compares the reference itself with an independent implementation.
#pragma once

#include "tests/differential/engines.h"

namespace attnlab::differential {

/// Compares weights, lse and output with those of tests/core/independent.h in long double.
std::optional<Verdict> verdict_on_reference(const Computed& computed);

} // namespace attnlab::differential
