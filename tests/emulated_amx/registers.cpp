#include "tests/emulated_amx/amx_products.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace attnlab::test {
namespace {

[[noreturn]] void raise_exception(const char* what, int matrix) {
    std::fprintf(stderr, "emulated AMX: %s (matrix %d)\n", what, matrix);
    std::abort();
}

} // namespace

void MatrixRegisters::configure(const std::array<int, count>& rows, const std::array<int, count>& row_bytes) {
    for (int m = 0; m < count; ++m) {
        const auto at = static_cast<std::size_t>(m);
        if (rows[at] < 0 || rows[at] > most_rows || row_bytes[at] < 0 || row_bytes[at] > most_bytes ||
            row_bytes[at] % 4 != 0 || (rows[at] == 0) != (row_bytes[at] == 0))
            raise_exception("impossible sizes", m);
        matrices_[at] = {rows[at], row_bytes[at], {}};
    }
    is_configured_ = true;
}

void MatrixRegisters::release() {
    matrices_ = {};
    is_configured_ = false;
}

const MatrixRegisters::Matrix& MatrixRegisters::used(int matrix) const {
    const auto& found = matrices_.at(static_cast<std::size_t>(matrix));
    if (!is_configured_ || found.rows == 0)
        raise_exception("used without a configuration", matrix);
    return found;
}

void MatrixRegisters::zero(int matrix) { used(matrix).data = {}; }

void MatrixRegisters::load(int matrix, const void* first, std::int64_t stride) {
    auto& to = used(matrix);
    to.data = {};
    for (int row = 0; row < to.rows; ++row)
        std::memcpy(to.data[static_cast<std::size_t>(row)].data(), static_cast<const char*>(first) + row * stride,
                    static_cast<std::size_t>(to.row_bytes));
}

void MatrixRegisters::store(int matrix, void* first, std::int64_t stride) const {
    const auto& from = used(matrix);
    for (int row = 0; row < from.rows; ++row)
        std::memcpy(static_cast<char*>(first) + row * stride, from.data[static_cast<std::size_t>(row)].data(),
                    static_cast<std::size_t>(from.row_bytes));
}

void MatrixRegisters::multiply(int c, int a, int b) {
    auto& sum = used(c);
    const auto &left = used(a), &right = used(b);
    if (c == a || c == b || a == b)
        raise_exception("the same matrix twice", c);
    if (sum.rows != left.rows || sum.row_bytes != right.row_bytes || left.row_bytes != right.rows * 4)
        raise_exception("sizes that do not match", c);
    for (std::size_t m = 0; m < static_cast<std::size_t>(sum.rows); ++m)
        add_products(left.data[m], right.data.data(), right.rows, sum.data[m]);
}

MatrixRegisters& matrix_registers() {
    thread_local MatrixRegisters registers;
    return registers;
}

} // namespace attnlab::test
