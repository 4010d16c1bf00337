// Figures of the heads of a pass: sharpness, keys, differences between two runs, and attention rollout.
#pragma once

#include "core/explain/head_figures.h"
#include "core/model/model.h"
#include "core/model/pass.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::model {

struct HeadSummary {
    explain::HeadFigures figures;
    Tensor pooled; ///< the largest weight of each block, see pooled_weights
};

/// Summarizes every head, by blocks of rows on all cores; pictures pool `step` queries and keys. In `tokens` equal
/// strings mean equal tokens; if there are fewer than positions, tokens are unknown. Throws Cancelled.
std::vector<HeadSummary> summaries_of(const Pass& pass, std::span<const std::string> tokens, std::int64_t step,
                                      const RunControl& control = {});
/// The figures alone.
std::vector<explain::HeadFigures> figures_of(const Pass& pass, std::span<const std::string> tokens,
                                             const RunControl& control = {});

/// The key with the largest weight of a row; of equal ones the first.
struct BestKey {
    std::int64_t key = 0;
    double weight = 0.0;
};
/// Of each row, by one head or by the mean over all heads. Throws Cancelled.
std::vector<BestKey> best_keys(const Pass& pass, std::optional<std::int64_t> head, const RunControl& control = {});

// A head in two runs of a model, position by position.

struct HeadDifference {
    /// b - a of the queries and keys that both have, by blocks of `step` x `step`: the entry of the largest magnitude.
    Tensor pooled;
    /// Half of the sum of |b - a| over the keys that both have, mean over rows: 0 where all rows are equal, 1 where
    /// each reads other keys in `a` than in `b`.
    double distance = 0.0;
};

/// Compares a head of the same pass in two runs, a few rows at a time. Throws Cancelled.
HeadDifference head_difference(const Pass& a, const Pass& b, std::int64_t head, std::int64_t step,
                               const RunControl& control = {});

// Attention rollout: how much of each token is in each position after several layers.

/// More positions are refused: time grows with their third power, memory with their second.
inline constexpr std::int64_t max_rollout_positions = 1024;

/// (positions, positions), after the layer of `pass`, a self-attention: the product of (A + I) / 2 over the layers of
/// its stack up to this one, where A is the mean over heads and each row is divided by its sum; Abnar & Zuidema 2020.
/// Throws Error for another pass and for more than max_rollout_positions positions, and Cancelled.
Tensor rollout(const Result& result, std::string_view pass, const RunControl& control = {});
/// The same of `count` layers, each self-attention over the same positions; `layer` gives them in turn.
using LayerSource = std::function<std::shared_ptr<const Pass>(std::int64_t)>;
Tensor rollout(std::int64_t count, const LayerSource& layer, const RunControl& control = {});

} // namespace attnlab::model
