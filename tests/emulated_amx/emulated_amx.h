// The instructions of AMX on any processor, and the engine's kernel over them.
#pragma once

#include "core/flash/matrix_kernel.h"

#include <array>
#include <utility>

namespace attnlab::test {

/// The registers of a thread: eight matrices and their configuration, as in Intel SDM volume 1, chapter 18. Ends the
/// program where the processor would raise an exception.
class MatrixRegisters {
public:
    static constexpr int count = 8, most_rows = 16, most_bytes = 64;

    /// Zeroes every matrix. Rows 1 to 16, bytes a row a multiple of 4 up to 64; 0 for a matrix that is not used.
    void configure(const std::array<int, count>& rows, const std::array<int, count>& row_bytes);
    void release();
    void zero(int matrix);
    /// Bytes and rows beyond the configured ones become 0.
    void load(int matrix, const void* first, std::int64_t stride);
    void store(int matrix, void* first, std::int64_t stride) const;
    /// TDPBF16PS: sums of the even and of the odd products of a row and a column, each by fused multiply-adds in the
    /// order of k, then their sum is added to c. Rounds to nearest even; numbers below the normal range are 0 before
    /// and after each operation, whatever the thread's own settings are.
    void multiply(int c, int a, int b);

    using Row = std::array<std::uint32_t, most_bytes / 4>;

private:
    struct Matrix {
        int rows = 0, row_bytes = 0;
        std::array<Row, most_rows> data{};
    };
    const Matrix& used(int matrix) const;
    Matrix& used(int matrix) { return const_cast<Matrix&>(std::as_const(*this).used(matrix)); }

    std::array<Matrix, count> matrices_;
    bool is_configured_ = false;
};

/// The registers of this thread.
MatrixRegisters& matrix_registers();

/// The kernel over them, compiled for the instruction set in use; it is chosen for every shape.
const flash::MatrixKernel* emulated_amx();

} // namespace attnlab::test
