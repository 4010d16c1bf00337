// Traces with exhibits, made from exact ones.
#pragma once

#include "tests/ui/traces.h"

#include <algorithm>
#include <limits>

namespace attnlab::ui {

/// The online softmax over tiles for a trace with `masked` and `value` and as many key heads as query heads.
inline ComputedPtr withTiles(const AttentionProblem& problem, std::int64_t block_q, std::int64_t block_k) {
    auto result = std::make_shared<Computed>(*computed(problem));
    Trace& trace = result->trace;
    const Tensor masked = trace.find("masked")->value, value = trace.find("value")->value;
    const auto B = masked.dim(0), H = masked.dim(1), L = masked.dim(2), S = masked.dim(3), Ev = value.dim(3);
    TileWalk walk{block_q, block_k, (L + block_q - 1) / block_q, (S + block_k - 1) / block_k, {}};
    Tensor max({walk.key_tiles, B, H, L}), sum({walk.key_tiles, B, H, L}), output({walk.key_tiles, B, H, L, Ev});
    for (std::int64_t matrix = 0; matrix < B * H; ++matrix) {
        const auto scores = matrix_at(masked, matrix), values = matrix_at(value, matrix);
        for (std::int64_t tile = 0; tile < walk.query_tiles * walk.key_tiles; ++tile) {
            bool skipped = true;
            for (auto i = tile / walk.key_tiles * block_q; i < std::min(L, (tile / walk.key_tiles + 1) * block_q); ++i)
                for (auto j = tile % walk.key_tiles * block_k; j < std::min(S, (tile % walk.key_tiles + 1) * block_k);
                     ++j)
                    skipped = skipped && std::isinf(scores(i, j));
            walk.skipped.push_back(skipped);
        }
        for (std::int64_t i = 0; i < L; ++i) {
            double m = -std::numeric_limits<double>::infinity(), l = 0.0;
            std::vector<double> o(static_cast<std::size_t>(Ev));
            for (std::int64_t t = 0; t < walk.key_tiles; ++t) {
                for (auto j = t * block_k; j < std::min(S, (t + 1) * block_k); ++j) {
                    if (std::isinf(scores(i, j)))
                        continue;
                    const double next = std::max(m, scores(i, j)), shrink = std::exp(m - next);
                    const double weight = std::exp(scores(i, j) - next);
                    for (std::int64_t f = 0; f < Ev; ++f)
                        o[static_cast<std::size_t>(f)] =
                            o[static_cast<std::size_t>(f)] * shrink + weight * values(j, f);
                    l = l * shrink + weight;
                    m = next;
                }
                const auto at = static_cast<std::size_t>((t * B * H + matrix) * L + i);
                max.mutable_values()[at] = m;
                sum.mutable_values()[at] = l;
                std::copy(o.begin(), o.end(), output.mutable_values().begin() + static_cast<std::ptrdiff_t>(at) * Ev);
            }
        }
    }
    const std::vector<Axis> axes{Axis::Tile, Axis::Batch, Axis::Head, Axis::Query};
    trace.stages.push_back({"tile_row_max", max, axes, StageRole::Summary, {}, "m", nullptr});
    trace.stages.push_back({"tile_row_sum", sum, axes, StageRole::Summary, {}, "l", nullptr});
    trace.stages.push_back({"tile_output",
                            output,
                            {Axis::Tile, Axis::Batch, Axis::Head, Axis::Query, Axis::Feature},
                            StageRole::Summary,
                            {},
                            "o",
                            nullptr});
    trace.exhibits.push_back(std::move(walk));
    return result;
}

/// An exact trace with an exhibit added.
inline ComputedPtr withExhibit(const AttentionProblem& problem, Exhibit exhibit) {
    auto result = std::make_shared<Computed>(*computed(problem));
    result->trace.exhibits.push_back(std::move(exhibit));
    return result;
}

} // namespace attnlab::ui
