// Computes a measure of every setting as a function of the width or the number of keys of a scene's draw.
#pragma once

#include "core/lab/numbers.h"
#include "core/lab/scene.h"

#include <functional>
#include <string>
#include <vector>

namespace attnlab::lab {

struct SweepRequest {
    Scene scene; ///< must have a draw
    CurveMeasure measure = CurveMeasure::Entropy;
    DrawSize over = DrawSize::E;
    std::optional<std::int64_t> head = {}; ///< nullopt: all heads together
    int draws = 1;                         ///< values are means over so many seeds; medians where the measure is one
    bool operator==(const SweepRequest&) const = default;
};

/// One size and the computed values.
struct SweepPoint {
    std::int64_t size = 0;
    std::vector<double> values; ///< one for each setting; NaN where it cannot be computed at this size
};

/// 2, 3, 4, 6, 8, 11, 16, ... 4096 in half octaves, excluding sizes where the scores of a setting or the draw would
/// exceed 2^24 numbers.
std::vector<std::int64_t> sweep_sizes(const SweepRequest& request);

/// The scene at one of the sizes: the same draw, resized.
Scene scene_at(const SweepRequest& request, std::int64_t size);

/// Throws Error for a scene without a draw. Throws Cancelled.
SweepPoint sweep_point(const SweepRequest& request, std::int64_t size, const RunControl& control = {});

/// All points in order; calls `made`, if given, with each as soon as it is computed. Throws as sweep_point.
std::vector<SweepPoint> sweep(const SweepRequest& request, const RunControl& control = {},
                              const std::function<void(const SweepPoint&)>& made = nullptr);

} // namespace attnlab::lab
