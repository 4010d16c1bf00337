// Positions: how a score depends on the positions of its query and its key.
#pragma once

#include "core/attention.h"
#include "core/drawn_formula.h"
#include "core/inputs.h"
#include "core/parameter.h"
#include "core/resolved_problem.h"
#include "core/stages/query_offset.h"

#include <optional>
#include <span>

namespace attnlab {

/// Sizes for a position term. S counts real keys: appended keys (bias_k, the zero key) have no position, so they are
/// neither rotated nor biased.
struct PositionContext {
    std::int64_t B, H, L, S;
    std::int64_t query_width, key_width; ///< 0 where still unknown
};

/// Key j has position j. Query i has position i plus an offset. The offset is the term's own parameter query_offset if
/// it is set, else the query offset of the problem.
struct PositionTerm {
    std::string_view id;
    const char* title;     ///< translated
    std::string_view rule; ///< plain text
    DrawnFormula drawn;    ///< resources/formulas/position_<id>.svg
    const char* help;      ///< translated
    std::string_view source;
    std::span<const Parameter> parameters; ///< the command line takes the first one's value after a colon
    std::span<const Input> inputs = {};    ///< the arrays that it reads, if any
    /// Throws Error for inconsistent sizes, parameters or values; null when none are possible.
    void (*check)(const PositionContext&, const ParameterValues&, const TensorMap&) = nullptr;
    /// Exactly one of these two is set. The term added to the scaled score of a key `distance` positions after its
    /// query (negative: before), in query head `head`:
    double (*bias)(std::int64_t distance, std::int64_t head, const PositionContext&, const ParameterValues&,
                   const TensorMap&) = nullptr;
    /// rotates one query or key row at `position`.
    void (*rotate)(std::span<double> row, std::int64_t position, const ParameterValues&) = nullptr;
};

std::span<const PositionTerm> position_terms();
/// Throws Error that names the known ids.
const PositionTerm& position_term(std::string_view id);

/// Reads "rope", "rope:500000" and "rope:base=500000,style=interleaved". Throws Error.
Selection parse_position(std::string_view text);

/// The spec's position with all parameters complete; an empty id if it has none. A term without its own query_offset
/// gets the offset of the spec. Throws Error.
Selection effective_position(const AttentionSpec& spec);

/// The offsets of the queries for the position term: its own query_offset, else query_offsets(). Throws Error.
QueryOffsets position_offsets(const ResolvedProblem& problem);

/// Throws the errors of position_bias and rotated_rows.
void check_position(const ResolvedProblem& problem, const PositionContext& context);

/// A note if the numbers of keys and queries differ and the first query is at the first key: a warning if there are
/// more keys, because this is seldom intended. Also a note if the term's own offset differs from the problem's.
std::optional<Note> note_on_position(const ResolvedProblem& problem);

/// The bias broadcast to (B,H,L,S), or shape (0) where the spec's position has none. Throws Error with the array, its
/// content and what was expected.
Tensor position_bias(const ResolvedProblem& problem, const PositionContext& context);

/// T5's bucket of a key `distance` positions after its query (negative: before). Small distances have a bucket each,
/// larger ones share buckets whose width grows with the logarithm. `buckets` counts both directions.
std::int64_t t5_bucket(std::int64_t distance, std::int64_t buckets, std::int64_t max_distance, bool bidirectional);

/// Rows (B,H,n,E), each rotated by its position: the first of sequence b is at first.of(b). The last `appended` of the
/// n rows are unchanged. `position` must be complete, rotating, and checked by check_position.
Tensor rotated_rows(const Tensor& rows, const Selection& position, const QueryOffsets& first,
                    std::int64_t appended = 0);

} // namespace attnlab
