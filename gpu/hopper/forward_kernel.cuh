// softmax(scale Q K^T + masks) V and its log-sum-exp on Hopper: one warpgroup makes the copy engine load tiles, the
// others process 64 query rows each. Shah et al. 2024, FlashAttention-3: warp specialisation (section 3.1), the
// products of one tile overlapped with the softmax of the next (3.2), warpgroups in turns (3.1, ping-pong).
//
// Include ptx.cuh and wgmma.cuh, or the tests' functions of the same names, before this header.
#pragma once

#include "gpu/hopper/forward_copies.cuh"
#include "gpu/hopper/forward_softmax.cuh"
#include "gpu/hopper/split.h"

#include <type_traits>

namespace attnlab::gpu::hopper {

/// Processes blocks of 64 query rows.
template <class Tile, bool cells>
class Consumer {
    using Number = typename Tile::Number;
    using Turn = Ring<Tile::stages>;
    using Weights = std::uint32_t[Tile::parts][Tile::keys / mma_depth][4];

public:
    __device__ __forceinline__ Consumer(const ForwardParameters& p, const ForwardShared<Tile>& shared)
        : plan_(p.plan), shared_(shared), group_(of_first_lane(thread_index() / warpgroup_threads) - 1),
          query_(shared.query() + static_cast<std::uint32_t>(group_ * row_bytes_of_group)) {}

    template <Order order>
    __device__ __forceinline__ void run() {
        if (order == Order::Overlapped && group_ == Tile::consumers - 1)
            pass_turn();
        for (int index = next_work(); index < plan_.works; index = next_work()) {
            const Work work = work_at(plan_, index);
            const KeyTiles tiles = tiles_of<Tile>(plan_, work);
            start(work);
            float output[Tile::width / 2];
            ATTNLAB_UNROLL
            for (auto& sum : output)
                sum = 0.0f;
            if (tiles.count() > 0) {
                wait(shared_.query_full(), query_parity_);
                query_parity_ ^= 1;
                if constexpr (order == Order::Overlapped)
                    attend_overlapped(tiles, output);
                else
                    attend_in_turn(tiles, output);
            }
            store(output);
        }
        if (order == Order::Overlapped && group_ == 0)
            take_turn();
    }

private:
    __device__ __forceinline__ int next_work() {
        wait(shared_.work_full(), work_parity_);
        work_parity_ ^= 1;
        const int index = of_first_lane(load_shared<int>(shared_.work())); // when all lanes have read it
        release(shared_.work_empty());
        return index;
    }

    __device__ __forceinline__ void start(const Work& work) {
        rows_.head = work.head;
        rows_.row =
            work.block * Tile::rows + group_ * warpgroup_rows + accumulator_row(thread_index() % warpgroup_threads, 0);
        rows_.keys = keys_of_batch(plan_, work.head / plan_.H);
        state_ = {};
    }

    /// S = Q K^T of the next tile of keys.
    __device__ __forceinline__ void multiply_keys(float (&scores)[Tile::keys / 2]) {
        const auto tile = shared_.key(turn_.stage());
        ATTNLAB_UNROLL
        for (int i = 0; i < product_count(Tile::parts); ++i) {
            const auto query =
                query_ + static_cast<std::uint32_t>(product_of(Tile::parts, i).first * Tile::query_part_bytes);
            const auto key =
                tile + static_cast<std::uint32_t>(product_of(Tile::parts, i).second * Tile::key_part_bytes);
            ATTNLAB_UNROLL
            for (int step = 0; step < Tile::width / mma_depth; ++step)
                multiply<Number, false>(scores, advanced(k_major(query), k_major_step(step, Tile::rows)),
                                        advanced(k_major(key), k_major_step(step, Tile::keys)), i + step > 0);
        }
        commit_products();
    }
    /// sums = P V, or sums += P V if `adds`. `values` selects the tile of keys.
    __device__ __forceinline__ void multiply_values(const Turn& values, float (&sums)[Tile::width / 2],
                                                    const Weights& weights, bool adds) {
        const auto tile = shared_.value(values.stage());
        ATTNLAB_UNROLL
        for (int i = 0; i < product_count(Tile::parts); ++i) {
            const auto value =
                tile + static_cast<std::uint32_t>(product_of(Tile::parts, i).second * Tile::key_part_bytes);
            ATTNLAB_UNROLL
            for (int step = 0; step < Tile::keys / mma_depth; ++step)
                multiply<Number, true>(sums, weights[product_of(Tile::parts, i).first][step],
                                       advanced(mn_major(value, Tile::keys), mn_major_step(step)),
                                       adds || i + step > 0);
        }
        commit_products();
    }
    __device__ __forceinline__ void wait_for_keys() { wait(shared_.key_full(turn_.stage()), turn_.parity()); }
    __device__ __forceinline__ void wait_for_values(const Turn& values) {
        wait(shared_.value_full(values.stage()), values.parity());
    }
    /// One lane arrives for its warp.
    __device__ __forceinline__ void release(std::uint32_t empty) {
        if (thread_index() % 32 == 0)
            arrive(empty);
    }
    __device__ __forceinline__ void release_keys(bool last_of_query) {
        release(shared_.key_empty(turn_.stage()));
        if (last_of_query)
            release(shared_.query_empty());
    }
    __device__ __forceinline__ void release_values(const Turn& values) { release(shared_.value_empty(values.stage())); }

    /// Warpgroups start their products in turns, so that the softmax of one overlaps with the products of another.
    __device__ __forceinline__ void take_turn() { sync_named(1 + group_, 2 * warpgroup_threads); }
    __device__ __forceinline__ void pass_turn() {
        arrive_named(1 + (group_ + 1) % Tile::consumers, 2 * warpgroup_threads);
    }

    template <bool guarded>
    __device__ __forceinline__ void weigh(int n, float (&scores)[Tile::keys / 2], float (&rescale)[2]) {
        if constexpr (cells)
            mask_cells(plan_, rows_, n * Tile::keys, scores);
        else if constexpr (guarded)
            mask_band(plan_, rows_, n * Tile::keys, scores);
        take_softmax<guarded>(plan_.to_log2, state_, scores, rescale);
    }

    /// Calls step(n, guarded) for the tiles from `last` down, with separate loops for tiles with masked cells.
    template <class Step>
    __device__ __forceinline__ void for_tiles(const KeyTiles& tiles, int last, const Step& step) {
        int n = last;
        for (; n >= tiles.begin && (cells || n >= tiles.whole_end); --n)
            step(n, std::true_type());
        if constexpr (!cells) {
            for (; n >= tiles.whole_begin; --n)
                step(n, std::false_type());
            for (; n >= tiles.begin; --n)
                step(n, std::true_type());
        }
    }

    __device__ __forceinline__ void attend_in_turn(const KeyTiles& tiles, float (&output)[Tile::width / 2]) {
        for_tiles(tiles, tiles.end - 1, [&](int n, auto guarded) {
            float scores[Tile::keys / 2], rescale[2];
            Weights weights;
            wait_for_keys();
            fence_products();
            multiply_keys(scores);
            wait_products<0>();
            hold(scores);
            release_keys(n == tiles.begin);
            weigh<decltype(guarded)::value>(n, scores, rescale);
            rescale_sums(output, rescale);
            pack_weights<Number>(scores, weights);
            wait_for_values(turn_);
            add_values(output, weights);
            release_values(turn_);
            turn_.next();
        });
    }
    /// The products read them asynchronously from the fence to the wait.
    __device__ __forceinline__ static void hold_all(Weights& weights) {
        ATTNLAB_UNROLL
        for (auto& part : weights)
            ATTNLAB_UNROLL
        for (auto& step : part)
            hold(step);
    }
    /// Float32 accumulates the sums of tiles outside the tensor cores, which truncate: the error would accumulate over
    /// many tiles.
    __device__ __forceinline__ void add_values(float (&output)[Tile::width / 2], Weights& weights) {
        hold_all(weights);
        if constexpr (Tile::parts == 1) {
            hold(output);
            fence_products();
            multiply_values(turn_, output, weights, true);
            wait_products<0>();
            hold(output);
            hold_all(weights);
        } else {
            float sums[Tile::width / 2];
            fence_products();
            multiply_values(turn_, sums, weights, false);
            wait_products<0>();
            hold(sums);
            hold_all(weights);
            ATTNLAB_UNROLL
            for (int i = 0; i < Tile::width / 2; ++i)
                output[i] += sums[i];
        }
    }

    __device__ __forceinline__ void attend_overlapped(const KeyTiles& tiles, float (&output)[Tile::width / 2]) {
        float scores[Tile::keys / 2], rescale[2];
        Weights weights;
        wait_for_keys();
        fence_products();
        multiply_keys(scores);
        wait_products<0>();
        hold(scores);
        release_keys(tiles.count() == 1);
        weigh<true>(tiles.end - 1, scores, rescale);
        pack_weights<Number>(scores, weights);
        turn_.next();
        for_tiles(tiles, tiles.end - 2, [&](int n, auto guarded) {
            wait_for_keys();
            take_turn();
            hold(output);
            hold_all(weights);
            fence_products();
            multiply_keys(scores);
            wait_for_values(turn_.before());
            fence_products();
            multiply_values(turn_.before(), output, weights, true);
            pass_turn();
            wait_products<1>();
            hold(scores);
            release_keys(n == tiles.begin);
            weigh<decltype(guarded)::value>(n, scores, rescale);
            finish_before_wait(state_.sum[0] + state_.sum[1], shared_.query_empty());
            wait_products<0>();
            hold(output);
            hold_all(weights);
            release_values(turn_.before());
            rescale_sums(output, rescale);
            pack_weights<Number>(scores, weights);
            turn_.next();
        });
        wait_for_values(turn_.before());
        hold(output);
        hold_all(weights);
        fence_products();
        multiply_values(turn_.before(), output, weights, true);
        wait_products<0>();
        hold(output);
        hold_all(weights);
        release_values(turn_.before());
    }

    /// Rows that read nothing have output 0 and lse -inf.
    __device__ __forceinline__ void store(const float (&output)[Tile::width / 2]) {
        const int batch = rows_.head / plan_.H, head = rows_.head % plan_.H;
        const float sums[2] = {sum_of_row(state_.sum[0]), sum_of_row(state_.sum[1])};
        ATTNLAB_UNROLL
        for (int r = 0; r < 2; ++r) {
            const float sum = sums[r];
            const int row = rows_.row + 8 * r;
            if (row >= plan_.L)
                continue;
            const bool empty = sum == 0.0f;
            if (thread_index() % 4 == 0)
                plan_.lse[static_cast<std::int64_t>(rows_.head) * plan_.L + row] =
                    empty ? minus_infinite() : (state_.largest[r] * plan_.to_log2 + log2_of(sum)) * log_of_two;
            const float factor = empty ? 0.0f : plan_.output_scale / sum;
            const auto start = batch * plan_.output.batch_stride + head * plan_.output.head_stride +
                               row * plan_.output.row_stride + rows_.column();
            ATTNLAB_UNROLL
            for (int i = 0; i < Tile::width / 8; ++i)
                store_pair(start + 8 * i, output[4 * i + 2 * r] * factor, output[4 * i + 2 * r + 1] * factor);
        }
    }
    struct alignas(8) Pair {
        float first, second;
    };
    __device__ __forceinline__ void store_pair(std::int64_t at, float first, float second) {
        if (plan_.output_is_float32)
            *reinterpret_cast<Pair*>(static_cast<float*>(plan_.output.data) + at) = {first, second};
        else
            *reinterpret_cast<std::uint32_t*>(static_cast<std::uint16_t*>(plan_.output.data) + at) =
                packed<Number>(first, second);
    }

    static constexpr float log_of_two = 0.693147181f;

    const ForwardPlan& plan_;
    const ForwardShared<Tile>& shared_;
    const int group_;
    const std::uint32_t query_;
    ThreadRows rows_;
    RowState state_;
    Turn turn_; ///< of the current tile of keys
    int query_parity_ = 0, work_parity_ = 0;
};

template <class Tile, bool cells, Order order>
__device__ __forceinline__ void forward_block(const ForwardParameters& p) {
    const ForwardShared<Tile> shared{shared_memory()};
    if (thread_index() == 0)
        shared.init_barriers();
    sync_block();
    if (thread_index() < warpgroup_threads) {
        give_registers<Tile::producer_registers>();
        if (thread_index() == 0)
            Producer<Tile, order>(p, shared).run();
    } else {
        take_registers<Tile::consumer_registers>();
        Consumer<Tile, cells>(p, shared).template run<order>();
    }
}

} // namespace attnlab::gpu::hopper
