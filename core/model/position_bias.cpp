#include "core/model/position_bias.h"

#include "core/model/layers.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace attnlab::model {

std::vector<float> values_by_distance(const DistanceBuckets& buckets, std::int64_t heads, std::int64_t queries,
                                      std::int64_t keys) {
    const auto table = widened(*buckets.values);
    const auto half = buckets.bidirectional ? buckets.buckets / 2 : buckets.buckets;
    const auto exact = half / 2;
    const auto span = queries + keys - 1;
    std::vector<float> values(static_cast<std::size_t>(heads * span));
    for (std::int64_t i = 0; i < span; ++i) {
        const auto relative = i - (queries - 1); // key - query
        const auto distance = buckets.bidirectional ? std::abs(relative) : std::max<std::int64_t>(-relative, 0);
        auto bucket = distance;
        if (distance >= exact) { // logarithmic from here on, in the roundings of float32 that PyTorch makes
            const float ratio = std::log(static_cast<float>(distance) / static_cast<float>(exact)) /
                                static_cast<float>(std::log(static_cast<double>(buckets.largest_distance) /
                                                            static_cast<double>(exact))) *
                                static_cast<float>(half - exact);
            bucket = std::min(exact + static_cast<std::int64_t>(ratio), half - 1);
        }
        if (buckets.bidirectional && relative > 0)
            bucket += half;
        for (std::int64_t head = 0; head < heads; ++head)
            values[static_cast<std::size_t>(head * span + i)] = table[static_cast<std::size_t>(bucket * heads + head)];
    }
    return values;
}

std::vector<float> slopes_by_distance(std::span<const float> slopes, std::int64_t queries, std::int64_t keys) {
    std::vector<float> values;
    for (const float slope : slopes)
        for (std::int64_t i = 0; i < queries + keys - 1; ++i)
            values.push_back(slope * static_cast<float>(i - (queries - 1)));
    return values;
}

namespace {

/// The row of a distance; logarithmic from the middle of the buckets on, in the roundings of float32 that PyTorch
/// makes.
std::int64_t row_of_distance(const Disentangled& form, std::int64_t distance) {
    auto place = distance;
    const auto middle = form.buckets / 2;
    if (form.buckets > 0 && std::abs(distance) > middle) {
        const auto half = static_cast<float>(middle);
        const float ratio =
            std::log(static_cast<float>(std::abs(distance)) / half) /
            std::log(static_cast<float>(static_cast<double>(form.largest_distance - 1) / static_cast<double>(middle))) *
            (half - 1.0F);
        const auto bucket = static_cast<std::int64_t>(std::ceil(ratio)) + middle;
        place = distance < 0 ? -bucket : bucket;
    }
    return std::clamp<std::int64_t>(place + form.span, 0, 2 * form.span - 1);
}

/// (1, heads, count, count) of numbers of(head, query, key), which are computed where they are read.
template <class Of>
class ComputedCells : public NumberSource {
public:
    ComputedCells(std::int64_t heads, std::int64_t count, Of of) : heads_(heads), count_(count), of_(std::move(of)) {}

    std::int64_t size() const override { return heads_ * count_ * count_; }
    void read(std::int64_t first, std::span<double> values) const override { compute(first, values); }
    void read(std::int64_t first, std::span<float> values) const override { compute(first, values); }

private:
    template <class Number>
    void compute(std::int64_t first, std::span<Number> values) const {
        for (auto at = first; Number & value : values) {
            value = static_cast<Number>(of_(at / (count_ * count_), at / count_ % count_, at % count_));
            ++at;
        }
    }

    std::int64_t heads_, count_;
    Of of_;
};

template <class Of>
Tensor computed_cells(std::int64_t heads, std::int64_t count, Of of) {
    return Tensor::from({1, heads, count, count}, std::make_shared<ComputedCells<Of>>(heads, count, std::move(of)),
                        DType::Float32);
}

/// What distances add to scores, by the products of queries and keys with embeddings of distances.
class DistanceScores {
public:
    DistanceScores(const Disentangled& form, const Pass& pass, const RunControl& control)
        : width_(pass.width), count_(pass.queries), scale_(static_cast<float>(pass.scale)), query_(pass.query),
          key_(pass.key) {
        Matrix distances(2 * form.span, form.embeddings->columns());
        form.embeddings->read_rows(0, distances.rows, distances.values);
        normalize(distances, form.norm);
        if (form.key)
            keys_of_distances_ = product(distances, *form.key, control);
        if (form.query)
            queries_of_distances_ = product(distances, *form.query, control);
        for (auto distance = 1 - count_; distance < count_; ++distance)
            rows_.push_back(row_of_distance(form, distance));
    }

    float operator()(std::int64_t head, std::int64_t query, std::int64_t key) const {
        const auto row = rows_[static_cast<std::size_t>(query - key + count_ - 1)];
        float sum = 0.0F;
        if (keys_of_distances_.rows > 0)
            sum += inner(query_.data() + (head * count_ + query) * width_, keys_of_distances_.row(row) + head * width_);
        if (queries_of_distances_.rows > 0)
            sum += inner(key_.data() + (head * count_ + key) * width_, queries_of_distances_.row(row) + head * width_);
        return sum * scale_;
    }

private:
    float inner(const float* a, const float* b) const { return std::inner_product(a, a + width_, b, 0.0F); }

    std::int64_t width_, count_;
    float scale_;
    Floats query_, key_;
    Matrix keys_of_distances_, queries_of_distances_;
    std::vector<std::int64_t> rows_ = {};
};

} // namespace

Tensor gated_scores_of_distances(const DistanceGate& gate, std::shared_ptr<const std::vector<float>> by_distance,
                                 const Matrix& x, std::int64_t heads, const RunControl& control) {
    constexpr std::int64_t summed = 4;
    const auto width = x.columns / heads;
    const auto factors = widened(*gate.factors);
    Matrix parts(x.rows * heads, width);
    for (std::int64_t head = 0; head < heads; ++head)
        for (std::int64_t row = 0; row < x.rows; ++row)
            std::copy_n(x.row(row) + head * width, width, parts.row(head * x.rows + row));
    const auto outputs = product(parts, gate.sums, control);
    std::vector<float> gates(static_cast<std::size_t>(outputs.rows));
    for (std::int64_t row = 0; row < outputs.rows; ++row) {
        const auto sigmoid_of = [&](const float* from) {
            return 1.0F / (1.0F + std::exp(-std::accumulate(from, from + summed, 0.0F)));
        };
        const float a = sigmoid_of(outputs.row(row)), b = sigmoid_of(outputs.row(row) + summed);
        gates[static_cast<std::size_t>(row)] = a * (b * factors[static_cast<std::size_t>(row / x.rows)] - 1.0F) + 2.0F;
    }
    return computed_cells(heads, x.rows,
                          [by_distance = std::move(by_distance), gates = std::move(gates),
                           count = x.rows](std::int64_t head, std::int64_t query, std::int64_t key) {
                              const auto place = head * (2 * count - 1) + key - query + count - 1;
                              return gates[static_cast<std::size_t>(head * count + query)] *
                                     (*by_distance)[static_cast<std::size_t>(place)];
                          });
}

Tensor scores_of_distances(const Disentangled& form, const Pass& pass, const RunControl& control) {
    return computed_cells(pass.heads, pass.queries, DistanceScores(form, pass, control));
}

Tensor cells_of_windows(const PatchWindows& windows, std::int64_t count) {
    const auto across = (windows.columns + windows.side - 1) / windows.side;
    std::vector<std::int64_t> window_of;
    for (std::int64_t patch = 0; patch < count; ++patch)
        window_of.push_back(patch / windows.columns / windows.side * across + patch % windows.columns / windows.side);
    return computed_cells(1, count, [window_of](std::int64_t, std::int64_t query, std::int64_t key) {
        return window_of[static_cast<std::size_t>(query)] == window_of[static_cast<std::size_t>(key)] ? 1.0F : 0.0F;
    });
}

std::vector<double> values_by_patch(const PatchDistances& distances, std::int64_t heads) {
    const auto table = widened(*distances.values);
    const auto width = 2 * distances.columns - 1, last = width * (2 * distances.rows - 1);
    const auto count = distances.rows * distances.columns + 1;
    const auto index = [&](std::int64_t query, std::int64_t key) {
        if (query == 0)
            return key == 0 ? last + 2 : last;
        if (key == 0)
            return last + 1;
        const auto down = (query - 1) / distances.columns - (key - 1) / distances.columns;
        const auto across = (query - 1) % distances.columns - (key - 1) % distances.columns;
        return (down + distances.rows - 1) * width + across + distances.columns - 1;
    };
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(heads * count * count));
    for (std::int64_t head = 0; head < heads; ++head)
        for (std::int64_t query = 0; query < count; ++query)
            for (std::int64_t key = 0; key < count; ++key)
                values.push_back(table[static_cast<std::size_t>(index(query, key) * heads + head)]);
    return values;
}

} // namespace attnlab::model
