// The logit lens: what the head of a model makes of the hidden states between its blocks; nostalgebraist 2020.
#pragma once

#include "core/model/model.h"

#include <cstdint>
#include <vector>

namespace attnlab::model {

/// Logits of one position by the hidden state that enters each block, and by the one that leaves the last: a row each,
/// (blocks + 1, outcomes). The last norm of the stack is applied to each; the last row is what the model gives. `row`
/// is one of result.logit_positions. Throws Error where the model has no head for tokens or classes of one position or
/// there is no such row, and Cancelled.
Matrix lens(const Model& model, const Result& result, std::int64_t row, const RunControl& control = {});

} // namespace attnlab::model
