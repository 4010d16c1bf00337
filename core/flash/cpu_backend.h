// The flash forward as a backend: float32, output and lse only, memory that grows with L and S but never with L x S.
#pragma once

#include "core/backend.h"
#include "core/flash/forward.h"

namespace attnlab {

const Backend& cpu_backend();

namespace flash {

/// The sizes of a problem. Throws Error where bind() does.
Shape shape_of(const AttentionProblem& problem);

/// "query", "key" or "value" as a problem that passed bind() reads it: queries and keys normalised where the scale says
/// so. Throws Cancelled.
std::vector<float> in_float32(const AttentionProblem& problem, std::string_view name, const RunControl& control = {});

/// The same for some of its rows alone, all leading axes counted through.
std::vector<float> rows_in_float32(const AttentionProblem& problem, std::string_view name, std::int64_t first_row,
                                   std::int64_t rows, const RunControl& control = {});

struct Scales {
    double scores = 1.0;
    double weights = 1.0; ///< after the softmax
};
/// For a scale that is one number.
Scales scales_of(const AttentionSpec& spec, const Shape& shape);

/// The masks of a problem as views of its arrays, which must outlive them. `problem` must have passed bind() and
/// check_masks(), and refused_masks() must have no objection.
Masks masks_of(const AttentionProblem& problem, const Shape& shape);

/// What a backend that computes in tiles is able to do.
struct Abilities {
    std::string_view backend;     ///< its id, for messages
    bool softcap = false;         ///< the scale of that name
    double largest_stored = 1e37; ///< of a query, key or value
};

/// Whether the scale is the softcap c tanh(s / (c √E)).
bool is_softcap(const AttentionSpec& spec);

/// Why a spec, or the numbers of a problem with a spec that is not refused, are beyond a backend; nothing when they are
/// not. refused_numbers() throws what scale_mode() throws.
std::optional<Message> refused_choices(const AttentionSpec& spec, const Abilities& abilities);
std::optional<Message> refused_numbers(const AttentionProblem& problem, const Abilities& abilities);
/// Why the masks of a spec cannot be taken tile by tile in float32.
std::optional<Message> refused_masks(const AttentionSpec& spec, std::string_view backend);

/// The stages lse (B,H,L) and output (B,H,L,Ev) with the notes that can be told from them.
Trace trace_of(const AttentionProblem& problem, const Shape& shape, const std::vector<float>& output,
               const std::vector<float>& lse);

} // namespace flash
} // namespace attnlab
