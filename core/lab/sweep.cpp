#include "core/lab/sweep.h"

#include <cmath>
#include <limits>
#include <numeric>

namespace attnlab::lab {
namespace {

constexpr double most_numbers = double{1 << 24};

void check(const SweepRequest& request) {
    if (!request.scene.draw)
        throw Error(ATTNLAB_TEXT("curve: the scene has no draw whose size could change"));
}

bool is_small(const RandomInputs& draw) {
    const auto L = static_cast<double>(draw.L), S = static_cast<double>(draw.S), E = static_cast<double>(draw.E);
    return L * S <= most_numbers && (L + S) * E <= most_numbers && S * static_cast<double>(draw.Ev) <= most_numbers;
}

double measured(const SettingResult& result, const SceneSetting& setting, const SweepRequest& request) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    if (result.error)
        return none;
    try {
        return measure_of(numbers_of(result.trace, setting.spec, 0, request.head), request.measure);
    } catch (const Error&) {
        return none; // a trace without the weights of one pass
    }
}

double over_draws(std::vector<double> values, CurveMeasure measure) {
    if (measure == CurveMeasure::MedianGradient)
        return median_of(std::move(values));
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

} // namespace

Scene scene_at(const SweepRequest& request, std::int64_t size) {
    auto scene = request.scene;
    if (scene.draw)
        (request.over == DrawSize::S ? scene.draw->S : scene.draw->E) = size;
    return scene;
}

std::vector<std::int64_t> sweep_sizes(const SweepRequest& request) {
    check(request);
    std::vector<std::int64_t> sizes;
    for (int half_octaves = 2; half_octaves <= 24; ++half_octaves) {
        const auto size = std::llround(std::exp2(half_octaves / 2.0));
        if (is_small(*scene_at(request, size).draw))
            sizes.push_back(size);
    }
    return sizes;
}

SweepPoint sweep_point(const SweepRequest& request, std::int64_t size, const RunControl& control) {
    check(request);
    auto scene = scene_at(request, size);
    std::vector<std::vector<double>> values(scene.settings.size());
    for (int draw = 0; draw < request.draws; ++draw, ++scene.draw->seed) {
        const auto result = compute(scene, control);
        for (std::size_t k = 0; k < values.size(); ++k)
            values[k].push_back(measured(result.settings[k], scene.settings[k], request));
    }
    SweepPoint point{size, {}};
    for (auto& of_setting : values)
        point.values.push_back(over_draws(std::move(of_setting), request.measure));
    return point;
}

std::vector<SweepPoint> sweep(const SweepRequest& request, const RunControl& control,
                              const std::function<void(const SweepPoint&)>& made) {
    const auto sizes = sweep_sizes(request);
    double whole = 0.0;
    for (const auto size : sizes)
        whole += static_cast<double>(size);
    std::vector<SweepPoint> points;
    double done = 0.0;
    for (const auto size : sizes) {
        control.checkpoint();
        const double after = done + static_cast<double>(size);
        points.push_back(sweep_point(request, size, control.part(done / whole, after / whole)));
        done = after;
        if (made)
            made(points.back());
    }
    return points;
}

} // namespace attnlab::lab
