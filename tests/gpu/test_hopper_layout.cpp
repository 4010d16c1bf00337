// Tiles, descriptors and fragments compared with the PTX ISA.
#include "gpu/hopper/hopper_layout.h"
#include "tests/test_main.h"

#include <QTest>

#include <set>

using namespace attnlab::gpu::hopper;

namespace {

std::uint64_t field(std::uint64_t descriptor, int first, int last) {
    return descriptor >> first & ((std::uint64_t{1} << (last - first + 1)) - 1);
}

} // namespace

class TestHopperLayout : public QObject {
    Q_OBJECT

private slots:
    /// Row r of an atom has its 16-byte pieces in the order r, r ^ 1, r ^ 2, ... of the ISA's picture.
    void swizzle() {
        for (std::uint32_t row = 0; row < 8; ++row)
            for (std::uint32_t piece = 0; piece < 8; ++piece)
                QCOMPARE(swizzled(row * 128 + piece * 16 + 6), row * 128 + (piece ^ row) * 16 + 6);
        // The pattern repeats each 1024 bytes and does not cross them.
        for (std::uint32_t address = 0; address < 8192; address += 2)
            QCOMPARE(swizzled(1024 + address), 1024 + swizzled(address));
    }

    void a_tile_holds_each_cell_once() {
        for (const int rows : {64, 128, 192}) {
            std::set<std::uint32_t> offsets;
            for (int row = 0; row < rows; ++row)
                for (int column = 0; column < 256; ++column)
                    offsets.insert(cell_offset(row, column, rows));
            QCOMPARE(offsets.size(), static_cast<std::size_t>(rows) * 256);
            QCOMPARE(*offsets.rbegin(), static_cast<std::uint32_t>(tile_bytes(rows, 256) - 2));
        }
    }

    void fields_of_a_descriptor() {
        const auto matrix = descriptor(0x1A400, 16384, 1024);
        QCOMPARE(field(matrix, 0, 13), std::uint64_t{0x1A40});
        QCOMPARE(field(matrix, 14, 15), std::uint64_t{0});
        QCOMPARE(field(matrix, 16, 29), std::uint64_t{1024});
        QCOMPARE(field(matrix, 30, 31), std::uint64_t{0});
        QCOMPARE(field(matrix, 32, 45), std::uint64_t{64});
        QCOMPARE(field(matrix, 46, 61), std::uint64_t{0});
        QCOMPARE(field(matrix, 62, 63), std::uint64_t{1});
    }

    /// ((8,m),(T,2)):((8T,SBO),(1,T)) in units of numbers, T = 8: the position of cell (row, k) in a K-major operand.
    void k_major_reads_the_tile() {
        constexpr int rows = 128, columns = 128;
        constexpr std::uint32_t tile = 5 * 1024;
        for (int step = 0; step < columns / mma_depth; ++step) {
            const auto matrix = advanced(k_major(tile), k_major_step(step, rows));
            const auto start = static_cast<std::uint32_t>(field(matrix, 0, 13) << 4);
            const auto stride = static_cast<std::uint32_t>(field(matrix, 32, 45) << 4);
            for (std::uint32_t row = 0; row < rows; ++row)
                for (std::uint32_t k = 0; k < mma_depth; ++k)
                    QCOMPARE(swizzled(start + row / 8 * stride + row % 8 * 128 + k * 2),
                             tile + cell_offset(static_cast<int>(row), step * mma_depth + static_cast<int>(k), rows));
        }
    }

    /// ((T,8,m),(8,k)):((1,T,LBO),(8T,SBO)): the position of cell (k, column) in an MN-major operand.
    void mn_major_reads_the_tile() {
        constexpr int rows = 128, columns = 256;
        constexpr std::uint32_t tile = 7 * 1024;
        for (int step = 0; step < rows / mma_depth; ++step) {
            const auto matrix = advanced(mn_major(tile, rows), mn_major_step(step));
            const auto start = static_cast<std::uint32_t>(field(matrix, 0, 13) << 4);
            const auto leading = static_cast<std::uint32_t>(field(matrix, 16, 29) << 4);
            const auto stride = static_cast<std::uint32_t>(field(matrix, 32, 45) << 4);
            for (std::uint32_t k = 0; k < mma_depth; ++k)
                for (std::uint32_t column = 0; column < columns; ++column)
                    QCOMPARE(swizzled(start + column / 64 * leading + column % 64 * 2 + k / 8 * stride + k % 8 * 128),
                             tile +
                                 cell_offset(step * mma_depth + static_cast<int>(k), static_cast<int>(column), rows));
        }
    }

    /// "Register fragments": D has row 16 w + lane / 4 (+ 8), columns 8 i + 2 (lane % 4) + {0,1}.
    void fragments_cover_their_matrix() {
        std::set<std::pair<int, int>> sums, operand;
        for (int thread = 0; thread < 128; ++thread) {
            for (int r = 0; r < 128 / 2; ++r)
                sums.insert({accumulator_row(thread, r), accumulator_column(thread, r)});
            for (int e = 0; e < 8; ++e)
                operand.insert({fragment_row(thread, e), fragment_column(thread, e)});
        }
        QCOMPARE(sums.size(), std::size_t{64 * 128});
        QCOMPARE(operand.size(), std::size_t{64 * 16});
        QCOMPARE(accumulator_row(37, 2), 16 + 1 + 8);
        QCOMPARE(accumulator_column(37, 7), 8 + 2 + 1);
        // 16 columns of a sum are an operand without any exchange: weights are passed from one product to the next.
        for (int thread = 0; thread < 128; ++thread)
            for (int e = 0; e < 8; ++e) {
                QCOMPARE(fragment_row(thread, e), accumulator_row(thread, 24 + e));
                QCOMPARE(fragment_column(thread, e) + 3 * 16, accumulator_column(thread, 24 + e));
            }
    }
};

ATTNLAB_TEST(TestHopperLayout)
#include "test_hopper_layout.moc"
