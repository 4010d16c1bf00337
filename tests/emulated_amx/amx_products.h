// The arithmetic of TDPBF16PS, in plain C++.
#pragma once

#include "tests/emulated_amx/emulated_amx.h"

namespace attnlab::test {

/// Adds the products of a row and all columns; the matrix has `rows` rows, 0 beyond the configured columns.
void add_products(const MatrixRegisters::Row& row, const MatrixRegisters::Row* matrix, int rows,
                  MatrixRegisters::Row& sums);

} // namespace attnlab::test
