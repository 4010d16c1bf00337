// Orders of heads side by side.
#pragma once

#include "core/explain/head_figures.h"
#include "core/tensor.h"

#include <functional>
#include <vector>

namespace attnlab::ui {

enum class HeadOrder {
    Number,
    Entropy,    ///< the sharpest first
    MaxWeight,  ///< the largest first
    Similarity, ///< the most similar to the selected one first
};

/// 1 - the mean over rows of the total variation distance, 1/2 sum_j |a_j - b_j|: 1 for equal maps, 0 where no row
/// shares a key. Matrices of different shapes give 0.
double headSimilarity(const MatrixView& one, const MatrixView& other);

/// 0 .. count-1 in the given order; the sort is stable, and heads whose figure is NaN are last.
std::vector<int> orderedHeads(int count, HeadOrder order, const std::function<explain::HeadFigures(int)>& figures,
                              const std::function<double(int)>& similarity);

} // namespace attnlab::ui
