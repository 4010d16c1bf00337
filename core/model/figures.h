// Figures of the heads of a pass: how sharply they read, and which keys.
#pragma once

#include "core/explain/head_figures.h"
#include "core/model/pass.h"

#include <span>
#include <string>
#include <vector>

namespace attnlab::model {

/// Of every head, by blocks of rows on all cores. `tokens` are equal where the tokens of a self-attention are; fewer
/// than there are positions: unknown. Throws Cancelled.
std::vector<explain::HeadFigures> figures_of(const Pass& pass, std::span<const std::string> tokens,
                                             const RunControl& control = {});

} // namespace attnlab::model
