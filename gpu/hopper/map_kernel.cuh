// Pooled maps on Hopper: S = Q K^T tile by tile. For bins of at least a tile each thread keeps the maximum and the sum
// of its rows until the end of a column of bins; narrower ones are complete after each tile. While one half of a
// warpgroup's rows is pooled, the products of the other half, and of the other warpgroup, run.
//
// Include ptx.cuh and wgmma.cuh, or the tests' functions of the same names, before this header.
#pragma once

#include "gpu/hopper/forward_softmax.cuh"
#include "gpu/hopper/map_copies.cuh"

namespace attnlab::gpu::hopper {

/// NaN if either is.
__device__ __forceinline__ float larger_or_nan(float a, float b) { return b != b || b > a ? b : a; }

/// Processes 128 query rows at a time, as two blocks of 64.
template <class Tile>
class MapConsumer {
    using Scores = float[Tile::keys / 2];
    static constexpr int halves = Tile::group_rows / warpgroup_rows, none = -1;

    /// This thread's state for the rows accumulator_row() and the keys of one column of bins.
    struct State {
        float largest[2], sum[2], base[2]; ///< products; weights above base
        std::uint32_t kept[2];
    };
    struct Bin {
        float largest, sum;
        std::uint32_t kept;
    };

public:
    __device__ __forceinline__ MapConsumer(const MapParameters& p, const MapShared<Tile>& shared)
        : plan_(p.plan), shared_(shared), group_(of_first_lane(thread_index() / warpgroup_threads) - 1),
          thread_(thread_index() % warpgroup_threads) {}

    __device__ __forceinline__ void run() {
        for (int index = block_index(); index < plan_.works; index += grid_size()) {
            const int first_row = first_row_of_work(plan_, index, Tile::rows);
            start(first_row + group_ * Tile::group_rows);
            const KeyTiles tiles = tiles_of<Tile>(plan_, first_row);
            if (tiles.count() == 0)
                continue;
            wait(shared_.query_full(), query_parity_);
            query_parity_ ^= 1;
            for (int n = tiles.begin; n < tiles.end; ++n)
                take_tile(n, n >= tiles.whole_begin && n < tiles.whole_end);
            release(shared_.query_empty());
            flush();
        }
    }

private:
    __device__ __forceinline__ int row_of(int half, int r) const {
        return half * warpgroup_rows + accumulator_row(thread_, 2 * r);
    }
    /// One lane arrives for its warp.
    __device__ __forceinline__ void release(std::uint32_t empty) {
        if (thread_ % 32 == 0)
            arrive(empty);
    }
    __device__ __forceinline__ void sync_group() { sync_named(1 + group_, warpgroup_threads); }

    __device__ __forceinline__ void start(int first_row) {
        first_row_ = first_row;
        rows_ = smaller_of(Tile::group_rows, plan_.L - first_row); // fewer or none in the last block
        column_ = none;
        ATTNLAB_UNROLL
        for (int half = 0; half < halves; ++half)
            ATTNLAB_UNROLL
        for (int r = 0; r < 2; ++r) {
            states_[half].base[r] = plan_.base[smaller_of(first_row + row_of(half, r), plan_.L - 1)];
            begin_row(states_[half], r);
        }
        const auto bins = static_cast<std::int64_t>(plan_.bins_of_block) * plan_.columns;
        for (auto k = static_cast<std::int64_t>(thread_); rows_ > 0 && k < bins; k += warpgroup_threads)
            put(bins_at() + k, {minus_infinite(), 0.0f, 0u});
        sync_group(); // before the memory is reused
    }
    __device__ __forceinline__ static void begin_row(State& state, int r) {
        state.largest[r] = minus_infinite();
        state.sum[r] = 0.0f;
        state.kept[r] = 0;
    }

    __device__ __forceinline__ std::int64_t bins_at() const {
        return static_cast<std::int64_t>(first_row_ / Tile::group_rows) * plan_.bins_of_block * plan_.columns;
    }
    __device__ __forceinline__ void put(std::int64_t at, const Bin& bin) const {
        plan_.largest[at] = bin.largest;
        if (plan_.sum)
            plan_.sum[at] = bin.sum;
        plan_.kept[at] = bin.kept;
    }

    __device__ __forceinline__ void multiply_keys(int half, Scores& scores) {
        const auto query = shared_.query(group_) + static_cast<std::uint32_t>(half * row_bytes_of_group);
        const auto key = shared_.key(turn_.stage());
        ATTNLAB_UNROLL
        for (int i = 0; i < product_count(Tile::parts); ++i) {
            const auto pair = product_of(Tile::parts, i);
            const auto of_query = k_major(query + static_cast<std::uint32_t>(pair.first * Tile::query_part_bytes));
            const auto of_key = k_major(key + static_cast<std::uint32_t>(pair.second * Tile::key_part_bytes));
            ATTNLAB_UNROLL
            for (int step = 0; step < Tile::width / mma_depth; ++step)
                multiply<Bfloat16, false>(scores, advanced(of_query, k_major_step(step, Tile::group_rows)),
                                          advanced(of_key, k_major_step(step, Tile::keys)), i + step > 0);
        }
        commit_products();
    }

    /// Calls take(half, scores) for both halves, the first one under the products of the second.
    template <class Take>
    __device__ __forceinline__ void with_scores(Take take) {
        Scores upper, lower;
        wait(shared_.key_full(turn_.stage()), turn_.parity());
        fence_products();
        multiply_keys(0, upper);
        multiply_keys(1, lower);
        wait_products<1>();
        hold(upper);
        finish_before_wait(take(0, upper), shared_.key_empty(turn_.stage()));
        wait_products<0>();
        hold(lower);
        release(shared_.key_empty(turn_.stage()));
        turn_.next();
        take(1, lower);
    }

    __device__ __forceinline__ void take_tile(int n, bool whole) {
        if (plan_.bin_columns >= Tile::keys)
            whole ? take_wide<false>(n) : take_wide<true>(n);
        else if (plan_.bin_columns == 16)
            whole ? take_narrow<16, false>(n) : take_narrow<16, true>(n);
        else if (plan_.bin_columns == 32)
            whole ? take_narrow<32, false>(n) : take_narrow<32, true>(n);
        else if constexpr (Tile::keys > 64)
            whole ? take_narrow<64, false>(n) : take_narrow<64, true>(n);
    }

    /// The kept columns of a row of a tile: [first, end), 0 <= first.
    struct Columns {
        int first, end;

        __device__ __forceinline__ std::uint32_t count_within(int from, int to) const {
            return static_cast<std::uint32_t>(larger_of(0, smaller_of(end, to) - larger_of(first, from)));
        }
    };
    __device__ __forceinline__ Columns columns_of(int first_key, int half, int r) const {
        const int row = smaller_of(first_row_ + row_of(half, r), plan_.L - 1);
        return {larger_of(0, row - plan_.band.before - first_key),
                smaller_of(Tile::keys,
                           smaller_of(plan_.S, larger_of(row + plan_.band.after + 1, plan_.band.prefix)) - first_key)};
    }
    __device__ __forceinline__ void mask(const Columns& kept, int r, Scores& scores) const {
        const int start = accumulator_column(thread_, 0);
        ATTNLAB_UNROLL
        for (int k = 0; k < Tile::keys / 4; ++k) {
            const int column = start + k / 2 * 8 + k % 2;
            if (column < kept.first || column >= kept.end)
                scores[k / 2 * 4 + r * 2 + k % 2] = minus_infinite();
        }
    }
    /// Weights of some 8-column groups of this thread's row r.
    __device__ __forceinline__ float sum_of(int half, int r, int first_group, int groups, const Scores& scores) const {
        float even = 0.0f, odd = 0.0f;
        ATTNLAB_UNROLL
        for (int i = 4 * first_group + 2 * r; i < 4 * (first_group + groups); i += 4) {
            even += exp2_fast(multiply_add(scores[i], plan_.to_log2, -states_[half].base[r]));
            odd += exp2_fast(multiply_add(scores[i + 1], plan_.to_log2, -states_[half].base[r]));
        }
        return even + odd;
    }
    /// The scale is positive: the largest product is the largest score.
    __device__ __forceinline__ static float largest_of(int r, int first_group, int groups, const Scores& scores) {
        float largest = minus_infinite();
        ATTNLAB_UNROLL
        for (int i = 4 * first_group + 2 * r; i < 4 * (first_group + groups); i += 4)
            largest = larger(largest, larger(scores[i], scores[i + 1]));
        return largest;
    }

    /// Bins of whole tiles. `guarded`: the band excludes some cells.
    template <bool guarded>
    __device__ __forceinline__ void take_wide(int n) {
        const int column = n * Tile::keys / plan_.bin_columns;
        if (column != column_)
            flush();
        column_ = column;
        with_scores([&](int half, Scores& scores) {
            State& state = states_[half];
            ATTNLAB_UNROLL
            for (int r = 0; r < 2; ++r) {
                if constexpr (guarded) {
                    const auto kept = columns_of(n * Tile::keys, half, r);
                    mask(kept, r, scores);
                    state.kept[r] += kept.count_within(0, Tile::keys);
                } else {
                    state.kept[r] += Tile::keys;
                }
                state.largest[r] = larger(state.largest[r], largest_of(r, 0, Tile::keys / 8, scores));
                if (plan_.sum)
                    state.sum[r] += sum_of(half, r, 0, Tile::keys / 8, scores);
            }
            return state.sum[0] + state.sum[1] + larger(0.0f, state.largest[0]) + larger(0.0f, state.largest[1]);
        });
    }

    /// Several bins in each tile, to which no other tile contributes.
    template <int columns, bool guarded>
    __device__ __forceinline__ void take_narrow(int n) {
        constexpr int bins = Tile::keys / columns;
        with_scores([&](int half, Scores& scores) {
            float all = 0.0f;
            ATTNLAB_UNROLL
            for (int r = 0; r < 2; ++r) {
                Columns kept{0, Tile::keys};
                if constexpr (guarded) {
                    kept = columns_of(n * Tile::keys, half, r);
                    mask(kept, r, scores);
                }
                float largest[bins], sum[bins];
                ATTNLAB_UNROLL
                for (int bin = 0; bin < bins; ++bin) {
                    largest[bin] = largest_of(r, bin * columns / 8, columns / 8, scores);
                    sum[bin] = plan_.sum ? sum_of(half, r, bin * columns / 8, columns / 8, scores) : 0.0f;
                }
                share_bins<columns>(half, r, kept, largest, sum);
                all += sum[0] + larger(0.0f, largest[0]);
            }
            return all;
        });
        sync_group(); // all rows are written
        pool_rows(n * bins, bins);
        sync_group(); // the rows may be overwritten
    }

    /// The four lanes of a row divide its bins among them.
    template <int columns, int bins>
    __device__ __forceinline__ void share_bins(int half, int r, const Columns& kept, float (&largest)[bins],
                                               float (&sum)[bins]) const {
        const bool above = thread_ & 2, last = thread_ & 1;
        exchange_halves<bins, 2>(above, largest, sum);
        int first = above ? bins / 2 : 0;
        if constexpr (bins >= 4) {
            exchange_halves<bins / 2, 1>(last, largest, sum);
            first += last ? bins / 4 : 0;
        } else {
            largest[0] = larger(largest[0], from_lane_xor(largest[0], 1));
            sum[0] += from_lane_xor(sum[0], 1);
        }
        if (bins < 4 && last)
            return;
        ATTNLAB_UNROLL
        for (int k = 0; k < larger_of(1, bins / 4); ++k)
            put_record(first + k, half, r, largest[k], sum[k],
                       kept.count_within((first + k) * columns, (first + k + 1) * columns));
    }
    /// Keeps the first or the second half of `bins` bins, merged with the same half of another lane.
    template <int bins, int across, int count>
    __device__ __forceinline__ static void exchange_halves(bool second, float (&largest)[count], float (&sum)[count]) {
        ATTNLAB_UNROLL
        for (int k = 0; k < bins / 2; ++k) {
            const float other_largest = from_lane_xor(second ? largest[k] : largest[k + bins / 2], across);
            const float other_sum = from_lane_xor(second ? sum[k] : sum[k + bins / 2], across);
            largest[k] = larger(second ? largest[k + bins / 2] : largest[k], other_largest);
            sum[k] = (second ? sum[k + bins / 2] : sum[k]) + other_sum;
        }
    }

    /// Merges the rows into the bins of their column, to which no other tile contributes.
    __device__ __forceinline__ void flush() {
        if (column_ == none)
            return;
        ATTNLAB_UNROLL
        for (int half = 0; half < halves; ++half)
            ATTNLAB_UNROLL
        for (int r = 0; r < 2; ++r) {
            State& state = states_[half];
            const float largest = largest_of_row(state.largest[r]), sum = sum_of_row(state.sum[r]);
            if (thread_ % 4 == 0)
                put_record(0, half, r, largest, sum, state.kept[r]);
            begin_row(state, r);
        }
        sync_group(); // all rows are written
        pool_rows(column_, 1);
        sync_group(); // the rows may be overwritten
        column_ = none;
    }

    __device__ __forceinline__ void put_record(int bin, int half, int r, float largest, float sum,
                                               std::uint32_t kept) const {
        const int row = row_of(half, r), i = smaller_of(first_row_ + row, plan_.L - 1);
        const auto record = shared_.record(bin, group_ * Tile::group_rows + row);
        const float above = largest * plan_.to_log2 - states_[half].base[r] - plan_.log2_sum[i];
        store_shared(record, kept > 0 ? above : minus_infinite());
        store_shared(record + 4, kept > 0 ? sum * plan_.factor[i] : 0.0f);
        store_shared(record + 8, kept);
    }

    /// Writes the bins of `bins` columns. Each is reduced by as many lanes as it has rows here, up to a warp.
    __device__ __forceinline__ void pool_rows(int column, int bins) const {
        const int first_bin = (plan_.row + first_row_) / plan_.bin_rows;
        const int high = rows_ > 0 ? (plan_.row + first_row_ + rows_ - 1) / plan_.bin_rows - first_bin + 1 : 0;
        int lanes = 1;
        while (lanes < 32 && lanes < smaller_of(plan_.bin_rows, Tile::group_rows))
            lanes *= 2;
        const int first = thread_ / lanes, step = warpgroup_threads / lanes;
        // Every lane must take part in every exchange.
        for (int k = first; k - first < high * bins; k += step) {
            const int bin_row = k / bins, number = k % bins;
            const int top = (first_bin + bin_row) * plan_.bin_rows - plan_.row - first_row_;
            const int from = larger_of(0, top), to = smaller_of(rows_, top + plan_.bin_rows);
            Bin bin{minus_infinite(), 0.0f, 0u};
            for (int row = from + thread_ % lanes; row < to; row += lanes) {
                const auto record = shared_.record(number, group_ * Tile::group_rows + row);
                bin.largest = larger_or_nan(bin.largest, load_shared<float>(record));
                bin.sum += load_shared<float>(record + 4);
                bin.kept += load_shared<std::uint32_t>(record + 8);
            }
            for (int across = 1; across < lanes; across *= 2) {
                bin.largest = larger_or_nan(bin.largest, from_lane_xor(bin.largest, across));
                bin.sum += from_lane_xor(bin.sum, across);
                bin.kept += from_lane_xor(bin.kept, across);
            }
            if (k < high * bins && column + number < plan_.columns && thread_ % lanes == 0)
                put(bins_at() + static_cast<std::int64_t>(bin_row) * plan_.columns + column + number, bin);
        }
    }

    const MapPlan& plan_;
    const MapShared<Tile>& shared_;
    const int group_, thread_; ///< the thread's index within its group
    State states_[halves];
    Ring<Tile::stages> turn_;
    int first_row_ = 0, rows_ = 0, column_ = none, query_parity_ = 0;
};

template <class Tile>
__device__ __forceinline__ void map_block(const MapParameters& p) {
    const MapShared<Tile> shared{shared_memory()};
    if (thread_index() == 0)
        shared.init_barriers();
    sync_block();
    if (thread_index() < warpgroup_threads) {
        give_registers<Tile::producer_registers>();
        if (thread_index() == 0)
            produce_map<Tile>(p, shared);
    } else {
        take_registers<Tile::consumer_registers>();
        MapConsumer<Tile>(p, shared).run();
    }
}

} // namespace attnlab::gpu::hopper
