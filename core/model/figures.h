// Figures of the heads of a pass: how sharply they read, and which keys.
#pragma once

#include "core/explain/head_figures.h"
#include "core/model/pass.h"

#include <span>
#include <string>
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

} // namespace attnlab::model
