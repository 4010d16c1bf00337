#include "core/lab/setting_numbers.h"

#include "core/lookup.h"
#include "core/mechanisms.h"
#include "core/stages/scale.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace attnlab::lab {
namespace {

constexpr std::array<std::string_view, 7> measures = {"entropy",  "effective_keys",  "max_weight", "jacobian_norm",
                                                      "variance", "median_gradient", "loss"};

void require_index(const Stage& stage, const char* what, std::int64_t index, std::int64_t count) {
    if (index < 0 || index >= count)
        throw Error({ATTNLAB_TEXT("%1: %2 %3 is not there, it has %4"),
                     {stage.name, what, std::to_string(index), std::to_string(count)}});
}

/// The theory assumes independent entries, hence plain scores q . k.
std::optional<double> theory_of(const Trace& trace, const AttentionSpec& spec) {
    const Stage* query = trace.find("query");
    const Stage* scaled = trace.find("scaled");
    if (!trace.pass().dot_product_scores || !query || !scaled)
        return std::nullopt;
    const auto scale = spec.scale_after_softmax ? Selection{"none", {}} : effective_scale(spec);
    return predicted_variance(scale, {query->value.dim(-1), scaled->value.dim(-1)});
}

} // namespace

std::span<const double> cells_of(const Stage& stage, std::int64_t batch, std::optional<std::int64_t> head) {
    if (stage.value.rank() != 4)
        throw Error(
            {ATTNLAB_TEXT("%1: has shape %2, expected (B, H, L, S)"), {stage.name, to_string(stage.value.shape())}});
    require_index(stage, "batch", batch, stage.value.dim(0));
    const auto heads = stage.value.dim(1);
    if (head)
        require_index(stage, "head", *head, heads);
    const auto cells = static_cast<std::size_t>(stage.value.dim(2) * stage.value.dim(3));
    const auto first = static_cast<std::size_t>(batch * heads + head.value_or(0)) * cells;
    return stage.value.values().subspan(first, head ? cells : cells * static_cast<std::size_t>(heads));
}

SettingNumbers numbers_of(const Trace& trace, const AttentionSpec& spec, std::int64_t batch,
                          std::optional<std::int64_t> head) {
    const Stage* weights = trace.find("weights");
    if (!weights)
        throw Error({ATTNLAB_TEXT("%1: has no stage 'weights'"), {spec.variant}});
    const auto cells = cells_of(*weights, batch, head);
    const auto columns = weights->value.dim(3);
    SettingNumbers numbers;
    if (columns > 0)
        numbers.rows = mean_statistics({cells.data(), static_cast<std::int64_t>(cells.size()) / columns, columns});
    if (!spec.normaliser.id.empty() || !spec.decay.id.empty()) // mean_statistics() has the slope of softmax
        numbers.rows.jacobian_norm = std::numeric_limits<double>::quiet_NaN();
    if (const Stage* scaled = trace.find("scaled"); scaled && scaled->value.size() > 0)
        numbers.variance = moments(cells_of(*scaled, batch, head)).variance;
    numbers.theory = theory_of(trace, spec);
    if (auto gradients = row_gradients(trace, spec, batch, head); !gradients.empty())
        numbers.median_gradient = median_of(std::move(gradients));
    return numbers;
}

std::vector<double> row_gradients(const Trace& trace, const AttentionSpec& spec, std::int64_t batch,
                                  std::optional<std::int64_t> head) {
    const Stage* query = trace.find("query");
    const Stage* weights = trace.find("weights");
    const auto theory = theory_of(trace, spec);
    if (!theory || !weights || spec.scale_after_softmax || !spec.normaliser.id.empty() || !spec.decay.id.empty() ||
        weights->value.dim(3) == 0)
        return {};
    // The variance in theory is the square of the factor times the width.
    const double factor = std::sqrt(*theory / static_cast<double>(query->value.dim(-1)));
    const auto cells = cells_of(*weights, batch, head);
    const auto columns = static_cast<std::size_t>(weights->value.dim(3));
    std::vector<double> gradients;
    for (std::size_t first = 0; first < cells.size(); first += columns)
        if (const auto row = row_statistics(cells.subspan(first, columns)); row.max_weight != 0.0)
            gradients.push_back(row.jacobian_norm * factor);
    return gradients;
}

double median_of(std::vector<double> values) {
    if (values.empty())
        return std::numeric_limits<double>::quiet_NaN();
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    if (values.size() % 2 != 0)
        return *middle;
    return (*std::max_element(values.begin(), middle) + *middle) / 2.0;
}

std::span<const std::string_view> measure_ids() { return measures; }

CurveMeasure measure_called(std::string_view name) {
    if (const auto found = std::ranges::find(measures, name); found != measures.end())
        return static_cast<CurveMeasure>(found - measures.begin());
    throw Error({ATTNLAB_TEXT("measure: '%1' is not one of %2"), {std::string(name), listed(measures)}});
}

double measure_of(const SettingNumbers& numbers, CurveMeasure measure) {
    switch (measure) {
    case CurveMeasure::Entropy:
        return numbers.rows.entropy;
    case CurveMeasure::EffectiveKeys:
        return numbers.rows.effective_keys;
    case CurveMeasure::MaxWeight:
        return numbers.rows.max_weight;
    case CurveMeasure::JacobianNorm:
        return numbers.rows.jacobian_norm;
    case CurveMeasure::MedianGradient:
        return numbers.median_gradient.value_or(std::numeric_limits<double>::quiet_NaN());
    case CurveMeasure::Loss: // of no single trace
        return std::numeric_limits<double>::quiet_NaN();
    case CurveMeasure::Variance:
        break;
    }
    return numbers.variance.value_or(std::numeric_limits<double>::quiet_NaN());
}

double Histogram::predicted(double x, double variance) const {
    const double density = std::exp(-x * x / (2.0 * variance)) / std::sqrt(2.0 * std::numbers::pi * variance);
    return static_cast<double>(finite) * bin_width() * density;
}

Histogram histogram(std::span<const double> values, std::pair<double, double> range, std::size_t bins) {
    if (!(range.first < range.second))
        range = {range.first - 1.0, range.first + 1.0};
    Histogram result{range.first, range.second, std::vector<std::int64_t>(std::max<std::size_t>(1, bins), 0), 0, 0, 0};
    const auto last = result.counts.size() - 1;
    for (const double value : values) {
        if (!std::isfinite(value)) {
            ++result.left_out;
            continue;
        }
        ++result.finite;
        if (value >= result.low && value <= result.high)
            ++result.counts[std::min(last, static_cast<std::size_t>((value - result.low) / result.bin_width()))];
        else
            ++result.beyond;
    }
    return result;
}

std::pair<double, double> common_range(std::span<const std::span<const double>> sets) {
    double most = 0.0;
    for (const auto& values : sets)
        for (const double value : values)
            if (std::isfinite(value))
                most = std::max(most, std::abs(value));
    return most > 0.0 ? std::pair{-most, most} : std::pair{-1.0, 1.0};
}

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
