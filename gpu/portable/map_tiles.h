// Maps on tensor cores. For a tile of keys without masked cells and within one column of bins, each lane keeps the
// maxima and sums of its rows in registers until the column ends. The scores of other tiles pass through shared memory,
// where groups of lanes reduce the cells of each bin. A block owns the bins it pools and processes keys in order, so
// results are reproducible.
//
// reference: log2 a_ij = (s_ij - lse_i) log2(e); a bin has the largest of them, the sum of a_ij and the count of the
// cells that the masks keep, in core/map.
#pragma once

#include "gpu/map.h"
#include "gpu/portable/products.h"
#include "gpu/portable/tile_mask.h"

namespace attnlab::gpu {

/// The layout of shared memory: queries, replaced by scores where registers hold the queries; tiles of keys, the
/// maximum and sum of each row. A pitch that is odd in words avoids bank conflicts in a column of scores.
template <class Products>
struct MapMemory {
    static constexpr int row_bytes = Products::width * Products::element_bytes;
    static constexpr int query_bytes = Products::rows * row_bytes;
    static constexpr int score_pitch = Products::keys + 1;
    static constexpr int score_bytes = Products::rows * score_pitch * 4;
    static constexpr int scores_at = Products::queries_stay_in_memory ? query_bytes : 0;
    static constexpr int keys_at = Products::queries_stay_in_memory
                                       ? query_bytes + score_bytes
                                       : most(query_bytes, (score_bytes + 127) / 128 * 128);
    static constexpr int key_bytes = Products::keys * row_bytes;
    /// Tiles of keys that are loaded or being loaded.
    static constexpr int stages = 2;
    static constexpr int rows_at = keys_at + stages * key_bytes;
    static constexpr int all = rows_at + Products::rows * 8;
    static_assert(all <= 99 * 1024, "what every device from sm_80 on has");
};

template <class Machine, class Products>
class MapBlock {
public:
    ATTNLAB_DEVICE explicit MapBlock(const MapArguments& arguments)
        : map_(arguments), a_(arguments.scores), first_row_(Machine::block() * rows),
          mask_(arguments.scores, 0, 0, first_row_) {}

    ATTNLAB_DEVICE void run() {
        copy<rows>(0, a_.query, first_row_, a_.L);
        Machine::commit();
        int key = mask_.first(), stage = 0;
        copy_keys(key, stage);
        clear(); // during the copies
        start_rows();
        Machine::template wait<1>();
        Machine::sync_block(); // the queries are loaded
        queries_.load(0, first_row_of_warp());
        while (key < mask_.end()) {
            Machine::template wait<0>();
            Machine::sync_block(); // these keys are loaded, and no thread reads the previous ones, scores or rows any
                                   // more
            const int next = mask_.next(key);
            copy_keys(next, 1 - stage);
            float scores[row_tiles][key_tiles][4] = {};
            queries_.scores(Memory::keys_at + stage * Memory::key_bytes, scores);
            take(key, scores);
            key = next;
            stage = 1 - stage;
        }
        Machine::template wait<0>();
        Machine::sync_block();
        flush();
    }

private:
    using Memory = MapMemory<Products>;
    static constexpr int rows = Products::rows, keys = Products::keys;
    static constexpr int row_tiles = Products::row_tiles, key_tiles = Products::key_tiles;
    static constexpr int threads = Products::warps * lanes_of_a_warp;
    static constexpr int none = -1;

    static ATTNLAB_DEVICE int lane() { return Machine::thread() % lanes_of_a_warp; }
    static ATTNLAB_DEVICE int first_row_of_warp() { return Machine::thread() / lanes_of_a_warp * row_tiles * 16; }
    /// Row m, half of this lane, within the block.
    static ATTNLAB_DEVICE int row_of(int m, int half) { return first_row_of_warp() + 16 * m + 8 * half + lane() / 4; }
    static ATTNLAB_DEVICE int score_at(int row, int column) {
        return Memory::scores_at + (row * Memory::score_pitch + column) * 4;
    }
    static ATTNLAB_DEVICE int row_at(int row) { return Memory::rows_at + 8 * row; }
    static ATTNLAB_DEVICE float not_kept() { return __builtin_nanf(""); }

    template <int count_of_rows>
    ATTNLAB_DEVICE void copy(int to, const Rows& from, int first, int count) const {
        copy_tile<Machine, Products::width, Products::element_bytes, count_of_rows, threads>(
            to, static_cast<const unsigned char*>(from.data), from.row_stride, first, count);
    }
    ATTNLAB_DEVICE void copy_keys(int key, int stage) const {
        if (key < mask_.end())
            copy<keys>(Memory::keys_at + stage * Memory::key_bytes, a_.key, key, a_.S);
        Machine::commit();
    }

    ATTNLAB_DEVICE int columns() const { return (a_.S + map_.bin_columns - 1) / map_.bin_columns; }
    ATTNLAB_DEVICE int first_bin() const { return (map_.row + first_row_) / map_.bin_rows; }
    ATTNLAB_DEVICE int bins_of_a_block() const { return (rows + map_.bin_rows - 2) / map_.bin_rows + 1; }
    /// The position of this block's bins in the arrays of the launch.
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

    ATTNLAB_DEVICE float factor() const { return a_.scale * log2_of_e; }

    ATTNLAB_DEVICE void take(int key, float (&s)[row_tiles][key_tiles][4]) {
        const bool plain = mask_.leaves_alone(key);
        if (plain && !map_.cells && key / map_.bin_columns == (key + keys - 1) / map_.bin_columns) {
            take_rows(key / map_.bin_columns, s);
            return;
        }
        flush();
        finish_scores(key, plain, s);
        if (map_.cells) {
            put_cells(key, s);
            return;
        }
        share(s);
        Machine::sync_block(); // the scores are written
        pool(key);
    }

    /// Converts products to scores in base 2.
    ATTNLAB_DEVICE void finish_scores(int key, bool plain, float (&s)[row_tiles][key_tiles][4]) const {
        if (!plain) {
            mask_.template apply<Machine>(key, first_row_ + row_of(0, 0), lane() % 4 * 2, s);
            return;
        }
        ATTNLAB_UNROLL
        for (int m = 0; m < row_tiles; ++m)
            ATTNLAB_UNROLL
        for (int n = 0; n < key_tiles; ++n)
            ATTNLAB_UNROLL
        for (int part = 0; part < 4; ++part)
            s[m][n][part] *= factor();
    }

    ATTNLAB_DEVICE void start_rows() {
        column_ = none;
        ATTNLAB_UNROLL
        for (int m = 0; m < row_tiles; ++m)
            ATTNLAB_UNROLL
        for (int half = 0; half < 2; ++half) {
            base_[m][half] = map_.base[least(first_row_ + row_of(m, half), a_.L - 1)];
            largest_[m][half] = minus_infinity();
            sum_[m][half] = 0.0f;
        }
    }

    /// For tiles whose cells are all kept and in this column of bins. The scale is positive: the largest product is the
    /// largest score.
    ATTNLAB_DEVICE void take_rows(int column, const float (&s)[row_tiles][key_tiles][4]) {
        if (column != column_)
            flush();
        column_ = column;
        keys_taken_ += keys;
        ATTNLAB_UNROLL
        for (int m = 0; m < row_tiles; ++m)
            ATTNLAB_UNROLL
        for (int half = 0; half < 2; ++half)
            ATTNLAB_UNROLL
        for (int n = 0; n < key_tiles; ++n)
            largest_[m][half] = fmaxf(largest_[m][half], fmaxf(s[m][n][2 * half], s[m][n][2 * half + 1]));
        if (!map_.sum)
            return;
        ATTNLAB_UNROLL
        for (int m = 0; m < row_tiles; ++m)
            ATTNLAB_UNROLL
        for (int half = 0; half < 2; ++half)
            ATTNLAB_UNROLL
        for (int n = 0; n < key_tiles; ++n)
            ATTNLAB_UNROLL
        for (int c = 2 * half; c < 2 * half + 2; ++c)
            sum_[m][half] += Machine::exp2(fmaf(s[m][n][c], factor(), -base_[m][half]));
    }

    /// Merges the rows into the bins of their column. Called by every thread, between two barriers.
    ATTNLAB_DEVICE void flush() {
        if (column_ == none)
            return;
        ATTNLAB_UNROLL
        for (int m = 0; m < row_tiles; ++m)
            ATTNLAB_UNROLL
        for (int half = 0; half < 2; ++half)
            share_row(m, half);
        Machine::sync_block(); // all rows are written
        pool_rows();
        column_ = none;
        keys_taken_ = 0;
    }

    /// The four lanes of a row write it to shared memory and reset it.
    ATTNLAB_DEVICE void share_row(int m, int half) {
        float largest = largest_[m][half], sum = sum_[m][half];
        for (int across = 1; across < 4; across *= 2) {
            largest = fmaxf(largest, Machine::shuffle_xor(largest, across));
            sum += Machine::shuffle_xor(sum, across);
        }
        largest_[m][half] = minus_infinity();
        sum_[m][half] = 0.0f;
        if (lane() % 4 != 0)
            return;
        const int row = row_of(m, half), i = least(first_row_ + row, a_.L - 1);
        Machine::template store<float>(row_at(row), largest * factor() - base_[m][half] - map_.log2_sum[i]);
        Machine::template store<float>(row_at(row) + 4, sum * map_.factor[i]);
    }

    /// Each row of bins is reduced by as many lanes as it has rows here, up to a warp.
    ATTNLAB_DEVICE void pool_rows() const {
        const int last_row = least(rows, a_.L - first_row_), top = first_bin();
        const int high = (map_.row + first_row_ + last_row - 1) / map_.bin_rows - top + 1;
        const int group = lanes_for(least(map_.bin_rows, rows));
        const int first = Machine::thread() / group, step = threads / group;
        // Every lane must take part in every exchange.
        for (int k = first; k - first < high; k += step) {
            const int from = most(0, (top + k) * map_.bin_rows - map_.row - first_row_);
            const int to = least(last_row, (top + k + 1) * map_.bin_rows - map_.row - first_row_);
            Bin bin{minus_infinity(), 0.0f, 0u};
            for (int row = from + lane() % group; row < to; row += group) {
                bin.largest = larger(bin.largest, Machine::template load<float>(row_at(row)));
                bin.sum += Machine::template load<float>(row_at(row) + 4);
            }
            bin = of_group(bin, group);
            bin.kept = static_cast<unsigned>(keys_taken_ * (to - from));
            if (k < high && lane() % group == 0)
                add(bins_at() + static_cast<std::int64_t>(k) * columns() + column_, bin);
        }
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
                    use(row_of(m, part / 2), 8 * n + lane() % 4 * 2 + part % 2, s[m][n][part]);
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

    /// NaN if either is.
    static ATTNLAB_DEVICE float larger(float a, float b) { return b != b || b > a ? b : a; }
    static ATTNLAB_DEVICE Bin together(const Bin& a, const Bin& b) {
        return {larger(a.largest, b.largest), a.sum + b.sum, a.kept + b.kept};
    }

    /// A power of two, at most a warp.
    static ATTNLAB_DEVICE int lanes_for(int cells) {
        int group = 1;
        while (group < lanes_of_a_warp && group < cells)
            group *= 2;
        return group;
    }
    /// Called by all lanes of a warp.
    static ATTNLAB_DEVICE Bin of_group(Bin bin, int group) {
        for (int across = 1; across < group; across *= 2)
            bin = together(bin, {Machine::shuffle_xor(bin.largest, across), Machine::shuffle_xor(bin.sum, across),
                                 Machine::shuffle_xor(bin.kept, across)});
        return bin;
    }

    /// Each bin of a tile is reduced by as many lanes as it has cells there, up to a warp.
    ATTNLAB_DEVICE void pool(int key) const {
        const int last_row = least(rows, a_.L - first_row_), last_column = least(keys, a_.S - key);
        const int top = first_bin(), left = key / map_.bin_columns;
        const int high = (map_.row + first_row_ + last_row - 1) / map_.bin_rows - top + 1;
        const int wide = (key + last_column - 1) / map_.bin_columns - left + 1;
        const int group = lanes_for(least(map_.bin_rows, rows) * least(map_.bin_columns, keys));
        const int first = Machine::thread() / group, step = threads / group;
        // Every lane must take part in every exchange.
        for (int k = first; k - first < high * wide; k += step) {
            const int bin_row = k / wide, bin_column = k % wide;
            const bool there = k < high * wide;
            Bin bin{minus_infinity(), 0.0f, 0u};
            if (there)
                bin = pooled(key, top + bin_row, left + bin_column, last_row, last_column, group);
            bin = of_group(bin, group);
            if (there && lane() % group == 0)
                add(bins_at() + static_cast<std::int64_t>(bin_row) * columns() + left + bin_column, bin);
        }
    }

    /// This lane's share of the cells of a bin in the tile.
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
    typename Products::Queries queries_;
    /// Of the rows of this lane, for keys of one column of bins: products, and weights above base.
    float largest_[row_tiles][2], sum_[row_tiles][2], base_[row_tiles][2];
    int column_ = none, keys_taken_ = 0;
};

} // namespace attnlab::gpu
