// A head in two runs, as matrices of the tokens that both have.
#pragma once

#include "ui/document/computation.h"
#include "ui/model/model_result.h"
#include "ui/pages/compare/compared_matrices.h"

namespace attnlab::ui {

struct ComparedHead {
    ComparedMatrices matrices;       ///< A, B and B - A
    std::vector<double> divergences; ///< KL(A || B) of each row; empty for pooled cells
    ComputedPtr stages;              ///< "a.weights", "b.weights", "difference.weights"
};

/// With `step` x `step` tokens a cell: the largest weight of each, and the largest difference. Throws Cancelled.
ComparedHead comparedHead(const ComparedPass& pass, int head, std::int64_t step, const RunControl& control = {});

/// "fox", or "cat → dog" where the texts differ.
QStringList labelsOfBoth(const std::vector<std::string>& a, const std::vector<std::string>& b, std::int64_t count);

} // namespace attnlab::ui
