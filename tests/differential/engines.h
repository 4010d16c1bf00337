// Every way to compute a problem, and how each is compared with the reference.
#pragma once

#include "tests/differential/report.h"

#include <optional>
#include <string>
#include <vector>

namespace attnlab::differential {

/// A case with what the reference made of it.
struct Computed {
    const Case& made;
    Trace reference;
    std::string error; ///< why there is no trace
};

struct Engine {
    std::string name;
    /// Nothing where it has no part in such a case.
    std::optional<Verdict> (*run)(const Computed&);
};

const std::vector<Engine>& engines();

/// By the reference. Never throws Error.
Computed computed(const Case& made);

} // namespace attnlab::differential
