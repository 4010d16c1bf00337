// Masks whose rule relates the place of a query to an interval of each key: blocks of tokens, documents, trees of
// drafts and neighbourhoods of an image. Rows, rules and code are in interval_masks.cpp.
#pragma once

#include "core/stages/mask.h"

#include <span>

namespace attnlab {

/// Their rows in mask_kinds().
std::span<const MaskKind> interval_masks();

} // namespace attnlab
