// Small pictures of heads, and their figures.
#pragma once

#include "ui/model/model_result.h"

namespace attnlab::ui {

/// Queries and keys for a cell of a picture.
std::int64_t pictureStep(std::int64_t queries, std::int64_t keys);
/// 8 bits a pixel: 0 for `low`, 255 for `high`.
QImage pictureOfWeights(const Tensor& pooled, double low, double high);

/// Fills in sizes, figures and pictures of all heads of `pass`. Tokens are equal where their `equalities` are. Throws
/// Cancelled, and Error where the pass can no longer be read.
void summarise(PassHeads& heads, const model::Pass& pass, const std::vector<std::string>& equalities,
               const RunControl& control);

} // namespace attnlab::ui
