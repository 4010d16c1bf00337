#include "core/model/head_difference.h"

#include <algorithm>
#include <cmath>

namespace attnlab::model {
namespace {

constexpr std::int64_t rows_compared_at_once = 32;

} // namespace

HeadDifference head_difference(const Pass& a, const Pass& b, std::int64_t head, std::int64_t step,
                               const RunControl& control) {
    const auto queries = std::min(a.queries, b.queries), keys = std::min(a.keys, b.keys);
    const auto columns = (keys + step - 1) / step;
    HeadDifference difference{.pooled = Tensor({(queries + step - 1) / step, columns})};
    const auto values = difference.pooled.mutable_values();
    std::vector<float> rows_a(static_cast<std::size_t>(rows_compared_at_once * a.keys));
    std::vector<float> rows_b(static_cast<std::size_t>(rows_compared_at_once * b.keys));
    double sum = 0.0;
    for (std::int64_t first = 0; first < queries; first += rows_compared_at_once) {
        control.checkpoint();
        const auto count = std::min(rows_compared_at_once, queries - first);
        a.weights(head, first, count, std::span(rows_a).first(static_cast<std::size_t>(count * a.keys)));
        b.weights(head, first, count, std::span(rows_b).first(static_cast<std::size_t>(count * b.keys)));
        for (std::int64_t row = 0; row < count; ++row)
            for (std::int64_t key = 0; key < keys; ++key) {
                const double apart = static_cast<double>(rows_b[static_cast<std::size_t>(row * b.keys + key)]) -
                                     static_cast<double>(rows_a[static_cast<std::size_t>(row * a.keys + key)]);
                double& largest = values[static_cast<std::size_t>((first + row) / step * columns + key / step)];
                if (std::abs(apart) > std::abs(largest))
                    largest = apart;
                sum += std::abs(apart);
            }
    }
    difference.distance = queries > 0 ? sum / 2.0 / static_cast<double>(queries) : 0.0;
    return difference;
}

} // namespace attnlab::model
