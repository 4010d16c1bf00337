// Notes for the user on a result.
#pragma once

#include "core/attention.h"
#include "core/resolved_problem.h"

#include <string>
#include <string_view>
#include <vector>

namespace attnlab {

/// NaN and infinity in the stages query, key and value.
std::vector<Note> notes_on_inputs(const Trace& trace);

/// How many values of a tensor are NaN or infinite, and the offset of the first.
struct NonfiniteCount {
    std::int64_t count = 0, first = 0;
};
/// Adds the note for one tensor, unless the count is 0.
void note_nonfinite_values(std::vector<Note>& notes, std::string_view tensor, const Shape& shape, NonfiniteCount odd);

/// How many matrices of weights there are: B sequences with H heads each.
struct Matrices {
    std::int64_t B = 1, H = 1;
};

/// The number of rows that a note is about, and the name of the first.
struct NotedRows {
    std::int64_t count = 0; ///< over all matrices
    std::string first = {};
    std::vector<std::int64_t> of_matrix = {}; ///< by b * H + h; may end before the last matrix

    /// Counts query `i` of a matrix, named by its label or else its number.
    void take(const std::vector<std::string>& labels, std::int64_t i, std::int64_t matrix);
    /// "3" where each head of the only sequence has 3 such rows, "3 in each of 2 sequences" where every head has; the
    /// sum otherwise: "5 over 2 sequences" where the heads of a sequence agree, or "5 over 4 heads".
    Message counted(Matrices all) const;
};

/// Each non-empty member gives a warning. `blocked` counts rows that read no key because all are blocked; `without_key`
/// rows that read none for that reason, or because scores are -inf.
struct RowsWithoutNumbers {
    NotedRows blocked = {}, without_key = {};
    NotedRows nan = {};        ///< no weight is a number
    NotedRows odd_output = {}; ///< an output is NaN or infinite, although weights are numbers
};
void note_rows_without_numbers(std::vector<Note>& notes, const RowsWithoutNumbers& rows, Matrices all);
/// A warning of rows with every key blocked by a finite fill.
void note_rows_blocked(std::vector<Note>& notes, const NotedRows& rows, const AttentionSpec& spec, Matrices all);

/// Adds a warning where the problem has an array of this name and it holds NaN or infinity.
void note_values_of(std::string_view tensor, const ResolvedProblem& problem, std::vector<Note>& notes);

/// Notes on: no keys, no features, rows with no key, with one key, rows blocked with a finite fill, weights that are
/// not distributions, NaN and infinity. `trace` has its stages scores .. lse.
std::vector<Note> notes_on(const Trace& trace, const AttentionSpec& spec);

} // namespace attnlab
