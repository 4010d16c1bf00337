// Maps on tensor cores: the scores of a tile go through shared memory, where groups of lanes reduce the cells of each
// bin. A block owns what it pools, and takes its keys in order: the same numbers come out at every run.
//
// reference: log2 a_ij = (s_ij - lse_i) log2(e); a bin has the largest of them, the sum of a_ij and the count of the
// cells that the masks keep, in core/map.
#pragma once

#include "gpu/map.h"
#include "gpu/portable/products.h"
#include "gpu/portable/tile_mask.h"

namespace attnlab::gpu {

/// A pitch that is odd in words keeps a column out of a single bank.
template <class Products>
constexpr int map_score_bytes() {
    return Products::rows * (Products::keys + 1) * 4;
}

/// Queries, keys, scores.
template <class Products>
constexpr int map_shared_memory() {
    return (Products::rows + Products::keys) * Products::width * Products::element_bytes + map_score_bytes<Products>();
}

template <class Machine, class Products>
class MapBlock {
public:
    ATTNLAB_DEVICE explicit MapBlock(const MapArguments& arguments)
        : map_(arguments), a_(arguments.scores), first_row_(Machine::block() * rows),
          mask_(arguments.scores, 0, 0, first_row_) {}

    ATTNLAB_DEVICE void run() {
        copy<rows>(query_at, a_.query, first_row_, a_.L);
        int key = mask_.first();
        copy_keys(key);
        clear(); // while they are on their way
        while (key < mask_.end()) {
            Machine::template wait<0>();
            Machine::sync_block(); // the keys are there; what was cleared or pooled before is, too
            float scores[row_tiles][key_tiles][4] = {};
            Products::scores(query_at, key_at, first_row_of_warp(), scores);
            finish_scores(key, scores);
            if (map_.cells)
                put_cells(key, scores);
            else
                share(scores);
            Machine::sync_block(); // nobody reads these keys any more, and the scores are there
            const int next = mask_.next(key);
            copy_keys(next);
            if (!map_.cells)
                pool(key);
            key = next;
        }
        Machine::template wait<0>();
    }

private:
    static constexpr int rows = Products::rows, keys = Products::keys;
    static constexpr int row_tiles = Products::row_tiles, key_tiles = Products::key_tiles;
    static constexpr int threads = Products::warps * lanes_of_a_warp;
    static constexpr int row_bytes = Products::width * Products::element_bytes;
    static constexpr int query_at = 0, key_at = rows * row_bytes, scores_at = key_at + keys * row_bytes;

    static ATTNLAB_DEVICE int lane() { return Machine::thread() % lanes_of_a_warp; }
    static ATTNLAB_DEVICE int first_row_of_warp() { return Machine::thread() / lanes_of_a_warp * row_tiles * 16; }
    static ATTNLAB_DEVICE int score_at(int row, int column) { return scores_at + (row * (keys + 1) + column) * 4; }
    static ATTNLAB_DEVICE float not_kept() { return __builtin_nanf(""); }

    template <int count_of_rows>
    ATTNLAB_DEVICE void copy(int to, const Rows& from, int first, int count) const {
        copy_tile<Machine, Products::width, Products::element_bytes, count_of_rows, threads>(
            to, static_cast<const unsigned char*>(from.data), from.row_stride, first, count);
    }
    ATTNLAB_DEVICE void copy_keys(int key) const {
        if (key < mask_.end())
            copy<keys>(key_at, a_.key, key, a_.S);
        Machine::commit();
    }

    ATTNLAB_DEVICE int columns() const { return (a_.S + map_.bin_columns - 1) / map_.bin_columns; }
    ATTNLAB_DEVICE int first_bin() const { return (map_.row + first_row_) / map_.bin_rows; }
    ATTNLAB_DEVICE int bins_of_a_block() const { return (rows + map_.bin_rows - 2) / map_.bin_rows + 1; }
    /// Where the bins of this block begin in the arrays of the launch.
    ATTNLAB_DEVICE std::int64_t bins_at() const {
        return static_cast<std::int64_t>(Machine::block()) * bins_of_a_block() * columns();
    }

    ATTNLAB_DEVICE void clear() const {
        if (map_.cells) {
            const std::int64_t all = static_cast<std::int64_t>(least(rows, a_.L - first_row_)) * a_.S;
            float* to = map_.cells + static_cast<std::int64_t>(first_row_) * a_.S;
            for (std::int64_t k = Machine::thread(); k < all; k += threads)
                to[k] = not_kept();
            return;
        }
        const std::int64_t from = bins_at(), all = static_cast<std::int64_t>(bins_of_a_block()) * columns();
        for (std::int64_t k = from + Machine::thread(); k < from + all; k += threads) {
            map_.largest[k] = minus_infinity();
            if (map_.sum)
                map_.sum[k] = 0.0f;
            map_.kept[k] = 0u;
        }
    }

    /// Products become scores in base 2, whatever the masks say of the tile.
    ATTNLAB_DEVICE void finish_scores(int key, float (&s)[row_tiles][key_tiles][4]) const {
        mask_.template apply<Machine>(key, first_row_ + first_row_of_warp() + lane() / 4, lane() % 4 * 2, s);
    }

    /// Calls use(row within the block, column within the tile, score).
    template <class Use>
    static ATTNLAB_DEVICE void each(const float (&s)[row_tiles][key_tiles][4], Use use) {
        ATTNLAB_UNROLL
        for (int m = 0; m < row_tiles; ++m) {
            ATTNLAB_UNROLL
            for (int n = 0; n < key_tiles; ++n) {
                ATTNLAB_UNROLL
                for (int part = 0; part < 4; ++part)
                    use(first_row_of_warp() + 16 * m + part / 2 * 8 + lane() / 4, 8 * n + lane() % 4 * 2 + part % 2,
                        s[m][n][part]);
            }
        }
    }

    ATTNLAB_DEVICE void put_cells(int key, const float (&s)[row_tiles][key_tiles][4]) const {
        each(s, [&](int row, int column, float score) {
            const int i = first_row_ + row, j = key + column;
            if (i >= a_.L || j >= a_.S || score == minus_infinity())
                return;
            const float above = score - map_.base[i];
            map_.cells[static_cast<std::int64_t>(i) * a_.S + j] =
                map_.cells_as_log2 ? above - map_.log2_sum[i] : Machine::exp2(above) * map_.factor[i];
        });
    }

    static ATTNLAB_DEVICE void share(const float (&s)[row_tiles][key_tiles][4]) {
        each(s, [](int row, int column, float score) { Machine::template store<float>(score_at(row, column), score); });
    }

    struct Bin {
        float largest, sum;
        unsigned kept;
    };

    /// NaN where either is.
    static ATTNLAB_DEVICE float larger(float a, float b) { return b != b || b > a ? b : a; }
    static ATTNLAB_DEVICE Bin together(const Bin& a, const Bin& b) {
        return {larger(a.largest, b.largest), a.sum + b.sum, a.kept + b.kept};
    }

    /// The bins of a tile, each by as many lanes as it has cells there, up to a warp.
    ATTNLAB_DEVICE void pool(int key) const {
        const int last_row = least(rows, a_.L - first_row_), last_column = least(keys, a_.S - key);
        const int top = first_bin(), left = key / map_.bin_columns;
        const int high = (map_.row + first_row_ + last_row - 1) / map_.bin_rows - top + 1;
        const int wide = (key + last_column - 1) / map_.bin_columns - left + 1;
        const int cells = least(map_.bin_rows, rows) * least(map_.bin_columns, keys);
        int group = 1;
        while (group < lanes_of_a_warp && group < cells)
            group *= 2;
        const int first = Machine::thread() / group, step = threads / group;
        // Every lane takes part in every exchange.
        for (int k = first; k - first < high * wide; k += step) {
            const int bin_row = k / wide, bin_column = k % wide;
            const bool there = k < high * wide;
            Bin bin{minus_infinity(), 0.0f, 0u};
            if (there)
                bin = pooled(key, top + bin_row, left + bin_column, last_row, last_column, group);
            for (int across = 1; across < group; across *= 2)
                bin = together(bin, {Machine::shuffle_xor(bin.largest, across), Machine::shuffle_xor(bin.sum, across),
                                     Machine::shuffle_xor(bin.kept, across)});
            if (there && lane() % group == 0)
                add(bins_at() + static_cast<std::int64_t>(bin_row) * columns() + left + bin_column, bin);
        }
    }

    /// This lane's share of the cells that a bin has in the tile.
    ATTNLAB_DEVICE Bin pooled(int key, int bin_row, int bin_column, int last_row, int last_column, int group) const {
        const int top = most(0, bin_row * map_.bin_rows - map_.row - first_row_);
        const int bottom = least(last_row, bin_row * map_.bin_rows + map_.bin_rows - map_.row - first_row_);
        const int left = most(0, bin_column * map_.bin_columns - key);
        const int right = least(last_column, bin_column * map_.bin_columns + map_.bin_columns - key);
        const int wide = right - left, all = (bottom - top) * wide;
        Bin bin{minus_infinity(), 0.0f, 0u};
        for (int k = lane() % group; k < all; k += group) {
            const int row = top + k / wide, i = first_row_ + row;
            const float score = Machine::template load<float>(score_at(row, left + k % wide));
            if (score == minus_infinity())
                continue;
            const float above = score - map_.base[i];
            bin.largest = larger(bin.largest, above - map_.log2_sum[i]);
            if (map_.sum)
                bin.sum += Machine::exp2(above) * map_.factor[i];
            ++bin.kept;
        }
        return bin;
    }

    ATTNLAB_DEVICE void add(std::int64_t at, const Bin& bin) const {
        const Bin before{map_.largest[at], map_.sum ? map_.sum[at] : 0.0f, map_.kept[at]};
        const Bin after = together(before, bin);
        map_.largest[at] = after.largest;
        if (map_.sum)
            map_.sum[at] = after.sum;
        map_.kept[at] = after.kept;
    }

    const MapArguments& map_;
    const ForwardArguments& a_;
    const int first_row_;
    const TileMask<rows, keys> mask_;
};

} // namespace attnlab::gpu
