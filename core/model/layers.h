// The parts of a block that work on each row by itself.
#pragma once

#include "core/model/weight_products.h"

namespace attnlab::model {

/// Of each row; in place. Rows may be cut into `parts` equal parts with a norm each.
void normalize(Matrix& x, const Norm& norm, std::int64_t parts = 1);
void normalize(Matrix& x, const std::optional<Norm>& norm);
Matrix normalized(const Matrix& x, const Norm& norm);
void scale(Matrix& x, double factor);
/// Each column by its factor; nothing without factors.
void scale(Matrix& x, const Weight* factors);
/// To -limit .. limit; nothing where it is 0.
void clip(Matrix& x, double limit);
/// And normalizes the sums.
void add(Matrix& x, const Matrix& y, const std::optional<Norm>& norm = std::nullopt);

Matrix feed_forward(const FeedForward& form, const Matrix& x, const RunControl& control);

/// The last norm of a stack, and its projection.
void finish(const Stack& stack, Matrix& x, const RunControl& control);

/// cap * tanh(x / cap); nothing where cap is 0.
void soft_cap(std::span<float> values, double cap);

} // namespace attnlab::model
