// Pooled maps on Hopper: S = Q K^T tile by tile; each thread keeps the maximum and the sum of its rows until the end of
// a column of bins. While one warpgroup pools, the products of the other run.
//
// Include ptx.cuh and wgmma.cuh, or the tests' functions of the same names, before this header.
#pragma once

#include "gpu/hopper/forward_softmax.cuh"
#include "gpu/hopper/forward_tile.cuh"
#include "gpu/hopper/map_plan.h"

namespace attnlab::gpu::hopper {

struct MapParameters {
    TensorMap query, key;
    MapPlan plan;
};

/// Addresses in shared memory; see ForwardShared.
template <class Tile>
struct MapShared {
    std::uint32_t start;

    __device__ __forceinline__ std::uint32_t query(int group) const {
        return start + static_cast<std::uint32_t>(group * Tile::query_bytes);
    }
    __device__ __forceinline__ std::uint32_t key(int stage) const {
        return start + Tile::keys_at + static_cast<std::uint32_t>(stage * Tile::key_bytes);
    }
    /// The record of a row of the block: maximum, sum, count.
    __device__ __forceinline__ std::uint32_t row(int row) const {
        return start + Tile::rows_at + static_cast<std::uint32_t>(row * Tile::row_bytes);
    }
    __device__ __forceinline__ std::uint32_t barrier(int number) const {
        return start + Tile::barriers_at + static_cast<std::uint32_t>(number * 8);
    }
    __device__ __forceinline__ std::uint32_t query_full() const { return barrier(0); }
    __device__ __forceinline__ std::uint32_t query_empty() const { return barrier(1); }
    __device__ __forceinline__ std::uint32_t key_full(int stage) const { return barrier(2 + stage); }
    __device__ __forceinline__ std::uint32_t key_empty(int stage) const { return barrier(2 + Tile::stages + stage); }

    /// Runs on one thread.
    __device__ __forceinline__ void init_barriers() const {
        for (int number = 0; number < Tile::barrier_count; ++number) {
            const bool empty = number == 1 || number >= 2 + Tile::stages;
            init_barrier(barrier(number), empty ? Tile::consumers * warps_of_group : 1);
        }
        fence_barrier_init();
    }
};

/// Those of the last rows come first: a causal mask gives them the most work.
__device__ __forceinline__ int first_row_of_work(const MapPlan& plan, int index, int rows) {
    return (plan.works - 1 - index) * rows;
}

/// Shared by producer and consumers, which must agree on it.
template <class Tile>
__device__ __forceinline__ KeyTiles tiles_of(const MapPlan& plan, int first_row) {
    const int last_row = smaller_of(first_row + Tile::rows, plan.L) - 1;
    return key_tiles(plan.band, first_row, last_row, plan.S, Tile::keys);
}

template <class Tile>
__device__ __forceinline__ void copy_map_tile(std::uint32_t tile, const TensorMap& map, std::uint32_t barrier,
                                              int row) {
    ATTNLAB_UNROLL
    for (int column = 0; column < Tile::width; column += panel_columns)
        copy_box(tile + cell_offset(0, column, Tile::keys), map, barrier, column, row, 0, 0);
}

/// Runs on one thread.
template <class Tile>
__device__ __forceinline__ void produce_map(const MapParameters& p, const MapShared<Tile>& shared) {
    prefetch(p.query);
    prefetch(p.key);
    Ring<Tile::stages> keys;
    int query_parity = 0;
    for (int index = block_index(); index < p.plan.works; index += grid_size()) {
        const int first_row = first_row_of_work(p.plan, index, Tile::rows);
        const KeyTiles tiles = tiles_of<Tile>(p.plan, first_row);
        if (tiles.count() == 0)
            continue;
        wait(shared.query_empty(), query_parity ^ 1);
        arrive_expecting(shared.query_full(), Tile::consumers * Tile::query_bytes);
        for (int group = 0; group < Tile::consumers; ++group)
            copy_map_tile<Tile>(shared.query(group), p.query, shared.query_full(),
                                first_row + group * Tile::group_rows);
        query_parity ^= 1;
        for (int n = tiles.begin; n < tiles.end; ++n) {
            wait(shared.key_empty(keys.stage()), keys.parity() ^ 1);
            arrive_expecting(shared.key_full(keys.stage()), Tile::key_bytes);
            copy_map_tile<Tile>(shared.key(keys.stage()), p.key, shared.key_full(keys.stage()), n * Tile::keys);
            keys.next();
        }
    }
}

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
        for (int step = 0; step < Tile::width / mma_depth; ++step)
            multiply<Bfloat16, false>(scores, advanced(k_major(query), k_major_step(step, Tile::group_rows)),
                                      advanced(k_major(key), k_major_step(step, Tile::keys)), step > 0);
        commit_products();
    }

    __device__ __forceinline__ void take_tile(int n, bool whole) {
        const int column = n * Tile::keys / plan_.bin_columns;
        if (column != column_)
            flush();
        column_ = column;
        Scores upper, lower;
        wait(shared_.key_full(turn_.stage()), turn_.parity());
        fence_products();
        multiply_keys(0, upper);
        multiply_keys(1, lower);
        wait_products<0>();
        hold(upper);
        hold(lower);
        release(shared_.key_empty(turn_.stage()));
        turn_.next();
        if (whole) {
            take<false>(n * Tile::keys, 0, upper);
            take<false>(n * Tile::keys, 1, lower);
        } else {
            take<true>(n * Tile::keys, 0, upper);
            take<true>(n * Tile::keys, 1, lower);
        }
    }

    /// The scale is positive: the largest product is the largest score. `guarded`: the band excludes some cells.
    template <bool guarded>
    __device__ __forceinline__ void take(int first_key, int half, Scores& scores) {
        State& state = states_[half];
        ATTNLAB_UNROLL
        for (int r = 0; r < 2; ++r) {
            if constexpr (guarded)
                mask(first_key, half, r, scores);
            else
                state.kept[r] += Tile::keys;
            ATTNLAB_UNROLL
            for (int i = 2 * r; i < Tile::keys / 2; i += 4)
                state.largest[r] = larger(state.largest[r], larger(scores[i], scores[i + 1]));
            if (!plan_.sum)
                continue;
            float even = 0.0f, odd = 0.0f;
            ATTNLAB_UNROLL
            for (int i = 2 * r; i < Tile::keys / 2; i += 4) {
                even += exp2_fast(multiply_add(scores[i], plan_.to_log2, -state.base[r]));
                odd += exp2_fast(multiply_add(scores[i + 1], plan_.to_log2, -state.base[r]));
            }
            state.sum[r] += even + odd;
        }
    }

    __device__ __forceinline__ void mask(int first_key, int half, int r, Scores& scores) {
        const int row = smaller_of(first_row_ + row_of(half, r), plan_.L - 1);
        const int first = larger_of(0, row - plan_.band.before - first_key);
        const int end = smaller_of(
            Tile::keys, smaller_of(plan_.S, larger_of(row + plan_.band.after + 1, plan_.band.prefix)) - first_key);
        states_[half].kept[r] += static_cast<std::uint32_t>(larger_of(0, end - first));
        const int start = accumulator_column(thread_, 0);
        ATTNLAB_UNROLL
        for (int k = 0; k < Tile::keys / 4; ++k) {
            const int column = start + k / 2 * 8 + k % 2;
            if (column < first || column >= end)
                scores[k / 2 * 4 + r * 2 + k % 2] = minus_infinite();
        }
    }

    /// Merges the rows into the bins of their column, to which no other tile contributes.
    __device__ __forceinline__ void flush() {
        if (column_ == none)
            return;
        ATTNLAB_UNROLL
        for (int half = 0; half < halves; ++half)
            ATTNLAB_UNROLL
        for (int r = 0; r < 2; ++r)
            share_row(half, r);
        sync_group(); // all rows are written
        pool_rows();
        sync_group(); // the rows may be overwritten
        column_ = none;
    }

    /// The four lanes of a row write it to shared memory and reset it.
    __device__ __forceinline__ void share_row(int half, int r) {
        State& state = states_[half];
        const float largest = largest_of_row(state.largest[r]), sum = sum_of_row(state.sum[r]);
        const int row = row_of(half, r), i = smaller_of(first_row_ + row, plan_.L - 1);
        if (thread_ % 4 == 0) {
            const auto record = shared_.row(group_ * Tile::group_rows + row);
            const float above = largest * plan_.to_log2 - state.base[r] - plan_.log2_sum[i];
            store_shared(record, state.kept[r] > 0 ? above : minus_infinite());
            store_shared(record + 4, state.kept[r] > 0 ? sum * plan_.factor[i] : 0.0f);
            store_shared(record + 8, state.kept[r]);
        }
        begin_row(state, r);
    }

    /// Each row of bins is reduced by as many lanes as it has rows here, up to a warp.
    __device__ __forceinline__ void pool_rows() const {
        const int first_bin = (plan_.row + first_row_) / plan_.bin_rows;
        const int high = rows_ > 0 ? (plan_.row + first_row_ + rows_ - 1) / plan_.bin_rows - first_bin + 1 : 0;
        int lanes = 1;
        while (lanes < 32 && lanes < smaller_of(plan_.bin_rows, Tile::group_rows))
            lanes *= 2;
        const int first = thread_ / lanes, step = warpgroup_threads / lanes;
        // Every lane must take part in every exchange.
        for (int k = first; k - first < high; k += step) {
            const int top = (first_bin + k) * plan_.bin_rows - plan_.row - first_row_;
            const int from = larger_of(0, top), to = smaller_of(rows_, top + plan_.bin_rows);
            Bin bin{minus_infinite(), 0.0f, 0u};
            for (int row = from + thread_ % lanes; row < to; row += lanes) {
                const auto record = shared_.row(group_ * Tile::group_rows + row);
                bin.largest = larger_or_nan(bin.largest, load_shared<float>(record));
                bin.sum += load_shared<float>(record + 4);
                bin.kept += load_shared<std::uint32_t>(record + 8);
            }
            for (int across = 1; across < lanes; across *= 2) {
                bin.largest = larger_or_nan(bin.largest, from_lane_xor(bin.largest, across));
                bin.sum += from_lane_xor(bin.sum, across);
                bin.kept += from_lane_xor(bin.kept, across);
            }
            if (k < high && thread_ % lanes == 0)
                put(bins_at() + static_cast<std::int64_t>(k) * plan_.columns + column_, bin);
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
