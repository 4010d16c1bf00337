#include "gpu/host/plan.h"

#include <algorithm>

namespace attnlab::gpu {
namespace {

std::size_t aligned_bytes(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

std::size_t product(std::initializer_list<std::int64_t> sizes) {
    std::size_t all = 1;
    for (const auto size : sizes)
        all *= static_cast<std::size_t>(size);
    return all;
}

/// Half, rounded up to a multiple of `step`.
std::int64_t halved(std::int64_t count, std::int64_t step) {
    return std::max(step, (count / 2 + step - 1) / step * step);
}

std::size_t cell_bytes_of(const Footprint& footprint, const Plan& plan) {
    const auto group = footprint.shape.H / std::max<std::int64_t>(1, footprint.shape.Hkv);
    const auto words = (static_cast<std::size_t>(plan.keys) + 31) / 32;
    const auto matrices = (footprint.cells_by_batch ? static_cast<std::size_t>(plan.batches) : 1) *
                          (footprint.cells_by_head ? product({plan.kv_heads, group}) : 1);
    const auto rows = footprint.cells_by_row ? static_cast<std::size_t>(plan.rows) : 1;
    return matrices * rows * words * footprint.cell_bytes_of_32_keys;
}

} // namespace

std::size_t bytes_of(const Footprint& footprint, const Plan& plan) {
    const auto& s = footprint.shape;
    const auto group = s.H / std::max<std::int64_t>(1, s.Hkv);
    const auto rows = product({plan.batches, plan.kv_heads, group, plan.rows});
    const auto keys = product({plan.batches, plan.kv_heads, plan.keys});
    const auto E = static_cast<std::size_t>(s.E), Ev = static_cast<std::size_t>(s.Ev);
    const auto words = (static_cast<std::size_t>(plan.keys) + 31) / 32;
    std::size_t bytes = aligned_bytes(rows * E * footprint.element_bytes) + aligned_bytes(rows * Ev * sizeof(float)) +
                        aligned_bytes(rows * sizeof(float)); // queries, output, lse
    bytes += aligned_bytes(keys * E * footprint.element_bytes) + aligned_bytes(keys * Ev * footprint.element_bytes);
    bytes += aligned_bytes(product({plan.batches, plan.rows}) * sizeof(std::int32_t));              // lengths
    bytes += aligned_bytes(static_cast<std::size_t>(plan.batches) * words * sizeof(std::uint32_t)); // key padding
    bytes += aligned_bytes((rows * E + keys * (E + Ev)) * footprint.scratch_bytes_of_a_number);
    // There are at most two arrays of cells, bits and bias.
    return bytes + cell_bytes_of(footprint, plan) + 512 + footprint.staging_bytes;
}

std::optional<Plan> plan_forward(const Footprint& footprint, std::size_t budget, std::int64_t enough_rows,
                                 const Grain& grain) {
    const auto& s = footprint.shape;
    const auto rows_of_a_kv_head = std::max<std::int64_t>(1, s.H / std::max<std::int64_t>(1, s.Hkv) * s.L);
    const auto wanted_heads = (enough_rows + rows_of_a_kv_head - 1) / rows_of_a_kv_head;
    Plan plan{1, std::clamp<std::int64_t>(wanted_heads, 1, std::max<std::int64_t>(1, s.Hkv)), s.L, s.S};
    if (plan.kv_heads == s.Hkv)
        plan.batches = std::clamp<std::int64_t>(wanted_heads / plan.kv_heads, 1, std::max<std::int64_t>(1, s.B));
    for (;;) {
        plan.bytes = bytes_of(footprint, plan);
        if (plan.bytes <= budget && cell_bytes_of(footprint, plan) <= most_cell_bytes)
            return plan;
        if (plan.batches > 1)
            plan.batches = (plan.batches + 1) / 2;
        else if (plan.kv_heads > 1)
            plan.kv_heads = (plan.kv_heads + 1) / 2;
        else if (plan.rows > grain.rows)
            plan.rows = halved(plan.rows, grain.rows);
        else if (plan.keys > grain.keys)
            plan.keys = halved(plan.keys, grain.keys);
        else
            return std::nullopt;
    }
}

std::vector<Piece> pieces_of(const flash::Shape& shape, const Plan& plan) {
    std::vector<Piece> pieces;
    for (std::int64_t b = 0; b < shape.B; b += plan.batches)
        for (std::int64_t h = 0; h < shape.Hkv; h += plan.kv_heads)
            for (std::int64_t i = 0; i < shape.L; i += plan.rows) {
                std::int64_t j = 0;
                do { // at least once, even without any key
                    pieces.push_back({b, std::min(plan.batches, shape.B - b), h, std::min(plan.kv_heads, shape.Hkv - h),
                                      i, std::min(plan.rows, shape.L - i), j, std::min(plan.keys, shape.S - j)});
                    j += plan.keys;
                } while (j < shape.S);
            }
    return pieces;
}

} // namespace attnlab::gpu
