// The copies of the Hopper forward: one thread of a block takes work, makes the copy engine load its tiles, and tells
// the block's other warpgroups which work it is.
//
// Include ptx.cuh, or the tests' functions of the same names, before this header.
#pragma once

#include "gpu/hopper/forward_tile.cuh"

namespace attnlab::gpu::hopper {

struct ForwardParameters {
    TensorMap query, key, value;
    ForwardPlan plan;
    /// In memory of the device, 0 before and after the launch: see Producer::run(). Null where the plan is even.
    int* counter = nullptr;
};

/// Whether a tile is finished before the next one, or overlapped with the next one's scores.
enum class Order { InTurn, Overlapped };

__device__ __forceinline__ int keys_of_batch(const ForwardPlan& plan, int batch) {
    const auto& lengths = plan.valid_lengths;
    if (!lengths.lengths || lengths.row_stride != 0)
        return plan.S;
    return smaller_of(plan.S, lengths.lengths[batch * lengths.batch_stride] - plan.first_key);
}

/// Shared by producer and consumers, which must agree on it.
template <class Tile>
__device__ __forceinline__ KeyTiles tiles_of(const ForwardPlan& plan, const Work& work) {
    const int all = (plan.S + Tile::keys - 1) / Tile::keys;
    if (plan.blocked != Blocked::Skipped)
        return {0, 0, 0, all};
    const int first_row = work.block * Tile::rows;
    const int last_row = smaller_of(first_row + Tile::rows, plan.L) - 1;
    return key_tiles(plan.band, first_row, last_row, keys_of_batch(plan, work.head / plan.H), Tile::keys);
}

/// Copies a tile of `rows` rows of a head, part by part and panel by panel. The parts of `batches` batches are
/// contiguous.
template <class Tile, int rows>
__device__ __forceinline__ void copy_tile(std::uint32_t tile, const TensorMap& map, std::uint32_t barrier, int row,
                                          int head, int batch, int batches) {
    arrive_expecting(barrier, Tile::parts * tile_bytes(rows, Tile::width));
    ATTNLAB_UNROLL
    for (int part = 0; part < Tile::parts; ++part)
        ATTNLAB_UNROLL
    for (int column = 0; column < Tile::width; column += panel_columns)
        copy_box(tile + part * tile_bytes(rows, Tile::width) + cell_offset(0, column, rows), map, barrier, column, row,
                 head, part * batches + batch);
}

/// Runs on one thread: loads Q once for each work, K and V from the last tile to the first. With overlap, K is one tile
/// ahead of V, as the consumers read them.
template <class Tile, Order order>
class Producer {
public:
    __device__ __forceinline__ Producer(const ForwardParameters& p, const ForwardShared<Tile>& shared)
        : p_(p), shared_(shared) {}

    /// Starts with the work of the block's own index, and goes on with the next one that no block has taken, which the
    /// counter says. Even work needs none: each block takes an equal share.
    __device__ __forceinline__ void run() {
        prefetch(p_.query);
        prefetch(p_.key);
        prefetch(p_.value);
        for (int index = block_index();;) {
            hand_on(index);
            if (index >= p_.plan.works)
                return;
            load(work_at(p_.plan, index));
            index = grid_size() + (p_.counter ? take() : index);
        }
    }

private:
    /// All blocks together take as often as there are works, so that the last one can clear the counter. Consumers do
    /// not wait for the answer: they have the tiles of all stages to process.
    __device__ __forceinline__ int take() const {
        const int taken = count_up(p_.counter);
        if (taken == p_.plan.works - 1)
            *p_.counter = 0;
        return taken;
    }

    /// An index beyond the last work ends the consumers' loops.
    __device__ __forceinline__ void hand_on(int index) {
        wait(shared_.work_empty(), work_parity_ ^ 1);
        store_shared(shared_.work(), index);
        arrive(shared_.work_full());
        work_parity_ ^= 1;
    }

    __device__ __forceinline__ void load(const Work& work) {
        constexpr int ahead = order == Order::Overlapped ? 1 : 0;
        const KeyTiles tiles = tiles_of<Tile>(p_.plan, work);
        if (tiles.count() == 0)
            return;
        const int batch = work.head / p_.plan.H, head = work.head % p_.plan.H;
        wait(shared_.query_empty(), query_parity_ ^ 1);
        copy_tile<Tile, Tile::rows>(shared_.query(), p_.query, shared_.query_full(), work.block * Tile::rows, head,
                                    batch, p_.plan.B);
        query_parity_ ^= 1;
        for (int n = tiles.end - 1; n >= tiles.begin - ahead; --n) {
            if (n >= tiles.begin) {
                wait(shared_.key_empty(keys_.stage()), keys_.parity() ^ 1);
                copy_tile<Tile, Tile::keys>(shared_.key(keys_.stage()), p_.key, shared_.key_full(keys_.stage()),
                                            n * Tile::keys, head / p_.plan.group, batch, p_.plan.B);
                keys_.next();
            }
            if (n + ahead < tiles.end) {
                wait(shared_.value_empty(values_.stage()), values_.parity() ^ 1);
                copy_tile<Tile, Tile::keys>(shared_.value(values_.stage()), p_.value,
                                            shared_.value_full(values_.stage()), (n + ahead) * Tile::keys,
                                            head / p_.plan.group, batch, p_.plan.B);
                values_.next();
            }
        }
    }

    const ForwardParameters& p_;
    const ForwardShared<Tile>& shared_;
    Ring<Tile::stages> keys_, values_;
    int query_parity_ = 0, work_parity_ = 0;
};

} // namespace attnlab::gpu::hopper
