// Attention rollout: how much of each token is in each position after several layers.
#pragma once

#include "core/model/model.h"

#include <functional>
#include <string_view>

namespace attnlab::model {

/// More positions are refused: time grows with their third power, memory with their second.
inline constexpr std::int64_t most_rolled_out = 1024;

/// (positions, positions), after the layer of `pass`, a self-attention: the product of (A + I) / 2 over the layers of
/// its stack up to this one, where A is the mean over heads and each row is divided by its sum; Abnar & Zuidema 2020.
/// Throws Error for another pass and for more than most_rolled_out positions, and Cancelled.
Tensor rollout(const Result& result, std::string_view pass, const RunControl& control = {});
/// The same of `count` layers, each self-attention over the same positions; `layer` gives them in turn.
using LayerSource = std::function<std::shared_ptr<const Pass>(std::int64_t)>;
Tensor rollout(std::int64_t count, const LayerSource& layer, const RunControl& control = {});

} // namespace attnlab::model
