// Whether a model was trained at all.
#pragma once

#include "core/model/description.h"

namespace attnlab::model {

/// True where every weight of the norms of all blocks is 1 and every bias 0, as libraries create them: training nearly
/// always changes them, and the other weights are then random numbers. Wrong for a model whose norms were frozen, or
/// put into the weights behind them. False where no norm has weights. Reads the first norm only, unless it is as
/// created.
bool is_untrained(const Description& description);

} // namespace attnlab::model
