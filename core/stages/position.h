// Positions: how a score comes to know where its query and its key stand.
#pragma once

#include "core/attention.h"
#include "core/inputs.h"
#include "core/parameter.h"
#include "core/resolved_problem.h"

#include <span>

namespace attnlab {

/// Sizes of what a position term works on. S counts real keys: keys that a mechanism appends (bias_k, the zero key)
/// stand nowhere, so they are neither rotated nor biased.
struct PositionContext {
    std::int64_t B, H, L, S;
    std::int64_t query_width, key_width; ///< E and E'; 0 where not known yet
};

/// Key j stands at j, query i at i + query_offset.
struct PositionTerm {
    std::string_view id;
    const char* title;     ///< translated
    std::string_view rule; ///< plain text
    const char* help;      ///< translated
    std::string_view source;
    std::span<const Parameter> parameters; ///< the command line writes the first one's value after a colon
    std::span<const Input> inputs = {};    ///< the arrays that it reads, if any
    /// Throws Error for sizes, parameters or values that do not go together; null when all do.
    void (*check)(const PositionContext&, const ParameterValues&, const TensorMap&) = nullptr;
    /// Exactly one of these two is given. What is added to the scaled score of a key that stands `distance` after its
    /// query (negative: before), in query head `head`:
    double (*bias)(std::int64_t distance, std::int64_t head, const PositionContext&, const ParameterValues&,
                   const TensorMap&) = nullptr;
    /// turns one query or key row that stands at `position`.
    void (*rotate)(std::span<double> row, std::int64_t position, const ParameterValues&) = nullptr;
};

std::span<const PositionTerm> position_terms();
/// Throws Error naming the known ids.
const PositionTerm& position_term(std::string_view id);

/// Reads "rope", "rope:500000" and "rope:base=500000,style=interleaved". Throws Error.
Selection parse_position(std::string_view text);

/// The spec's position with all parameters complete; an empty id where it has none. Throws Error.
Selection effective_position(const AttentionSpec& spec);

/// Throws what position_bias and rotated_rows throw.
void check_position(const ResolvedProblem& problem, const PositionContext& context);

/// The bias spread to (B,H,L,S), or shape (0) where the spec's position is none. Throws Error naming the array, what it
/// has and what was expected.
Tensor position_bias(const ResolvedProblem& problem, const PositionContext& context);

/// Rows (B,H,n,E), each turned by where it stands: the first at `first_position`. The last `appended` of the n rows
/// stay. `position` must be complete and one that rotates, and have passed check_position.
Tensor rotated_rows(const Tensor& rows, const Selection& position, std::int64_t first_position,
                    std::int64_t appended = 0);

} // namespace attnlab
