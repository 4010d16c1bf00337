// From the last hidden states to logits.
#pragma once

#include "core/model/model.h"

namespace attnlab::model {

/// Computes the logits of `result`, their positions and of what they are, from its hidden states. Requires
/// `description.head`. Throws Cancelled.
void compute_logits(const Description& description, const Options& options, const RunControl& control, Result& result);

/// The logits of the head, without a pooling, for rows that the last norm of the stack has normalized.
Matrix logits_of(const Head& head, Matrix x, const RunControl& control);

} // namespace attnlab::model
