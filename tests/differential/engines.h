// All implementations, and how each is compared with the reference.
#pragma once

#include "tests/differential/report.h"

#include <optional>
#include <string>
#include <vector>

namespace attnlab::differential {

/// A case with the reference's result.
struct Computed {
    const Case& made;
    Trace reference;
    std::string error; ///< why there is no trace
};

struct Engine {
    std::string name;
    /// nullopt if the engine does not apply to such a case.
    std::optional<Verdict> (*run)(const Computed&);
};

const std::vector<Engine>& engines();

/// By the reference. Never throws Error.
Computed computed(const Case& made);

} // namespace attnlab::differential
