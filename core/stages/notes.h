// What a person should be told about a result.
#pragma once

#include "core/attention.h"
#include "core/resolved_problem.h"

#include <string_view>
#include <vector>

namespace attnlab {

/// NaN and infinity in the stages query, key and value.
std::vector<Note> notes_on_inputs(const Trace& trace);

/// The same of one tensor; nothing where `count` of them is 0.
void note_odd_values(std::vector<Note>& notes, std::string_view tensor, std::int64_t count);

/// Rows of which there is something to say, and the name of the first.
struct NotedRows {
    std::int64_t count = 0;
    std::string first = {};

    /// Counts query `i`, whose name is its label or, without one, its number.
    void take(const std::vector<std::string>& labels, std::int64_t i);
};

/// Warnings, each where there are such rows. `blocked` read no key because each is blocked; `without_key` for that
/// reason, or because scores are -inf.
struct RowsWithoutNumbers {
    NotedRows blocked = {}, without_key = {};
    NotedRows nan = {};        ///< no weight is a number
    NotedRows odd_output = {}; ///< an output is NaN or infinite, though weights are numbers
};
void note_rows_without_numbers(std::vector<Note>& notes, const RowsWithoutNumbers& rows);

/// Adds a warning where the problem has an array of this name and it holds NaN or infinity.
void note_values_of(std::string_view tensor, const ResolvedProblem& problem, std::vector<Note>& notes);

/// No keys, no features, rows with no key, with one key, rows blocked with a finite fill, weights that are no
/// distribution, NaN and infinity. `trace` has its stages scores .. lse.
std::vector<Note> notes_on(const Trace& trace, const AttentionSpec& spec);

} // namespace attnlab
