#include "core/flash/score_bounds.h"

#include "core/flash/tile_kernel.h"
#include "core/flash/work_division.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnlab::flash {
namespace {

constexpr float unknown = -1.0f, unbounded = std::numeric_limits<float>::infinity();

bool in_range(double output_scale) {
    return smallest_output_scale <= std::abs(output_scale) && std::abs(output_scale) <= largest_output_scale;
}

bool only_block(const Masks& masks) {
    return !masks.bias.values && (masks.empty() || (!masks.fill_is_added && std::isinf(masks.fill) && masks.fill < 0));
}

} // namespace

ScoreBounds::ScoreBounds(const Problem& problem)
    : problem_(problem), layout_(layout_kernel()),
      possible_(only_block(problem.masks) && in_range(problem.output_scale)),
      tiles_((problem.shape.S + keys_of_a_tile - 1) / keys_of_a_tile),
      of_tiles_(static_cast<std::size_t>(possible_ ? problem.shape.B * problem.shape.Hkv * tiles_ : 0)) {
    for (auto& bound : of_tiles_)
        bound.store(unknown, std::memory_order_relaxed);
}

float ScoreBounds::of_queries(std::int64_t row, std::int64_t count) const {
    return longest(problem_.query + row * problem_.shape.E, count) *
           static_cast<float>(std::abs(problem_.scale) * log2_e);
}

/// The largest norm of these rows; rounded up where squares might underflow float32.
float ScoreBounds::longest(const float* rows, std::int64_t count) const {
    constexpr float safe = 0x1p-60f;
    const auto E = problem_.shape.E;
    const float square = layout_.largest_square(rows, count, E);
    return square < safe ? std::sqrt(static_cast<float>(E)) * layout_.magnitudes(rows, count * E).largest
                         : std::sqrt(square);
}

bool ScoreBounds::hold(float of_queries, std::int64_t head, std::int64_t tile) const {
    return possible_ && of_queries * of_tile(head, tile) <= bounded_scores; // false for NaN
}

float ScoreBounds::of_tile(std::int64_t head, std::int64_t tile) const {
    auto& bound = of_tiles_[static_cast<std::size_t>(head * tiles_ + tile)];
    if (const float known = bound.load(std::memory_order_relaxed); known != unknown)
        return known;
    const auto& shape = problem_.shape;
    const auto first = tile * keys_of_a_tile;
    const auto count = std::min(keys_of_a_tile, shape.S - first);
    const auto row = head * shape.S + first;
    float found = longest(problem_.key + row * shape.E, count);
    if (shape.Ev > 0) {
        const auto values = layout_.magnitudes(problem_.value + row * shape.Ev, count * shape.Ev);
        if (!(smallest_value <= values.smallest && values.largest <= largest_value)) // also for NaN
            found = unbounded;
    }
    bound.store(found, std::memory_order_relaxed);
    return found;
}

} // namespace attnlab::flash
