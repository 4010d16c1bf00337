// Products of matrices, with weights in memory or in their files: by oneDNN, or by the matrix unit
// (core/flash/matrix_unit.h).
#pragma once

#include "core/attention.h"
#include "core/flash/matrix_unit.h"
#include "core/model/activation.h"
#include "core/model/description.h"
#include "core/model/matrix.h"

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace attnlab::model {

/// a b, or a b^T, to `out` with rows `out_stride` apart.
void multiply(const MatrixPart& a, const MatrixPart& b, bool transposed, float* out, std::int64_t out_stride);

// Products with weights that stay in their files.

/// All numbers of a weight, or row `row` of it.
std::vector<float> widened(const Weight& weight);
std::vector<float> weight_row_as_float(const Weight& weight, std::int64_t row);

/// x W^T + b, in the arithmetic of `linear`. `matrix` counts matrices that follow one another in the same tensor, as
/// those of experts. Weights are widened or rounded a panel at a time, unless the file has them as they are multiplied,
/// and panels are computed by all cores. Throws Cancelled.
Matrix product(const Matrix& x, const Linear& linear, const RunControl& control, std::int64_t matrix = 0);
/// f(x W^T + b)
Matrix activated_product(const Matrix& x, const Linear& linear, const Activation& activation,
                         const RunControl& control);
/// Several of the same x and arithmetic, shared among cores as one.
std::vector<Matrix> products(const Matrix& x, std::span<const Linear* const> linears, const RunControl& control);
inline std::vector<Matrix> products(const Matrix& x, std::initializer_list<const Linear*> linears,
                                    const RunControl& control) {
    return products(x, std::span(linears.begin(), linears.end()), control);
}

/// Whether products in float32 are computed by the unit, from 384 rows on: six products of bfloat16 instead of one by
/// oneDNN. Measured if it is not known. Thread-safe.
flash::MatrixChoice unit_choice_for_weights(const flash::MatrixKernel& kernel);

/// True where the processor has instructions for bfloat16. Elsewhere products of bfloat16 are computed in float32 from
/// rounded numbers: as exact, and not faster.
bool multiplies_bfloat16();

} // namespace attnlab::model
