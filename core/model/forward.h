// The forward pass over a description.
#pragma once

#include "core/model/model.h"

namespace attnlab::model {

Result forward(const Description& description, Input input, const Options& options, const RunControl& control,
               const Result* previous);

/// What the heads of a pass give before they are projected: (queries, heads * width). Throws Cancelled.
Matrix outputs_of(const Pass& pass, const RunControl& control);

} // namespace attnlab::model
