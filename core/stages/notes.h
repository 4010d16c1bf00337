// What a person should be told about a result.
#pragma once

#include "core/attention.h"

#include <vector>

namespace attnlab {

/// No keys, no features, rows with no key, with one key, rows blocked with a finite fill, weights that are no distribution, NaN and infinity.
/// `trace` has its stages scores .. lse.
std::vector<Note> notes_on(const Trace& trace, const AttentionSpec& spec);

} // namespace attnlab
