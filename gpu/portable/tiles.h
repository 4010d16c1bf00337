// Tiles of rows in shared memory, laid out so that the eight rows read by an ldmatrix cover all 32 banks.
#pragma once

#include "gpu/forward_kernels.h"
#include "gpu/portable/device_code.h"

namespace attnlab::gpu {

/// `width` elements of `element_bytes` in a row, in pieces of 16 bytes whose order within a row depends on the row.
template <int width, int element_bytes>
struct TileLayout {
    static constexpr int row_bytes = width * element_bytes;
    static constexpr int pieces = row_bytes / 16;
    static_assert(pieces % 4 == 0 || pieces == 2, "no order of the pieces is known for this width");
    /// Pieces are permuted within groups of this size.
    static constexpr int group = pieces % 8 == 0 ? 8 : pieces % 4 == 0 ? 4 : 2;

    /// The byte offset of a piece within the tile.
    static ATTNLAB_DEVICE constexpr int piece(int row, int at) { return row * row_bytes + (at ^ turn(row)) * 16; }

    /// The byte offset of piece(row + rows_down, at + pieces_on), from that of piece(row, at) for at = 0 or 1. The
    /// steps are constants, multiples of 8 and of 2: the part that differs between lanes is computed once.
    static ATTNLAB_DEVICE constexpr int moved(int offset, int rows_down, int pieces_on) {
        return (offset ^ pieces_on % group * 16) + rows_down * row_bytes + pieces_on / group * group * 16;
    }

private:
    /// Rows of 128 bytes begin in the same bank, so eight of them must be permuted differently; shorter ones begin in
    /// several.
    static ATTNLAB_DEVICE constexpr int turn(int row) {
        return group == 8 ? row % 8 : group == 4 ? row / 2 % 4 : row / 4 % 2;
    }
};

/// Starts copying `rows` rows from `first` on to shared memory at `to`; zeros beyond `count` rows.
template <class Machine, int width, int element_bytes, int rows, int threads>
ATTNLAB_DEVICE void copy_tile(int to, const unsigned char* head, std::int64_t row_stride, int first, int count) {
    using Layout = TileLayout<width, element_bytes>;
    constexpr int all = rows * Layout::pieces;
    const std::int64_t stride = row_stride * element_bytes;
    if constexpr (threads % Layout::pieces == 0) { // a thread stays in its column of pieces
        constexpr int step = threads / Layout::pieces;
        const int piece = Machine::thread() % Layout::pieces;
        int row = Machine::thread() / Layout::pieces;
        const unsigned char* from = head + (first + row) * stride + piece * 16;
        ATTNLAB_UNROLL_ONCE
        for (int k = 0; k < (rows + step - 1) / step; ++k, row += step, from += step * stride)
            if (rows % step == 0 || row < rows)
                Machine::copy16(to + Layout::piece(row, piece), first + row < count ? from : head, first + row < count);
    } else {
        ATTNLAB_UNROLL_ONCE
        for (int at = Machine::thread(); at < all; at += threads) {
            const int row = at / Layout::pieces, piece = at % Layout::pieces;
            const bool valid = first + row < count;
            const unsigned char* from = head + (valid ? first + row : 0) * stride + piece * 16;
            Machine::copy16(to + Layout::piece(row, piece), from, valid);
        }
    }
}

/// A lane's address for ldmatrix.x4, as an offset from the first of 16 rows and two pieces: the matrices are upper
/// left, lower left, upper right, lower right.
template <class Layout>
ATTNLAB_DEVICE int rows_first(int lane) {
    return Layout::piece(lane % 16, lane / 16);
}

/// The same in another order: upper left, upper right, lower left, lower right.
template <class Layout>
ATTNLAB_DEVICE int pieces_first(int lane) {
    return Layout::piece(lane % 8 + lane / 16 * 8, lane / 8 % 2);
}

} // namespace attnlab::gpu
