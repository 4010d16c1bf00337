// What a person should be told about a result.
#pragma once

#include "core/attention.h"

#include <string_view>
#include <vector>

namespace attnlab {

/// NaN and infinity in the stages query, key and value.
std::vector<Note> notes_on_inputs(const Trace& trace);

/// Adds a warning where the problem has an array of this name and it holds NaN or infinity.
void note_values_of(std::string_view tensor, const AttentionProblem& problem, std::vector<Note>& notes);

/// No keys, no features, rows with no key, with one key, rows blocked with a finite fill, weights that are no
/// distribution, NaN and infinity. `trace` has its stages scores .. lse.
std::vector<Note> notes_on(const Trace& trace, const AttentionSpec& spec);

} // namespace attnlab
