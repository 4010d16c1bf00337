#include "core/model/pass_figures.h"

#include "core/flash/flash_forward.h"
#include "core/flash/parallel.h"

#include <algorithm>
#include <cmath>
#include <Eigen/Core>

namespace attnlab::model {
namespace {

constexpr std::int64_t rows_of_a_part = 32;

/// The largest weight of each block of a head whose rows come in parts.
class Pooled {
public:
    Pooled(const Pass& pass, std::int64_t step)
        : keys_(pass.keys), step_(step), columns_((pass.keys + step - 1) / step),
          tensor_({(pass.queries + step - 1) / step, columns_}) {}

    void add(std::int64_t first, std::int64_t count, const float* weights) {
        const auto values = tensor_.mutable_values();
        for (std::int64_t row = first; row < first + count; ++row, weights += keys_) {
            const auto to = values.begin() + row / step_ * columns_;
            for (std::int64_t key = 0; key < keys_; ++key)
                to[key / step_] = std::max(to[key / step_], static_cast<double>(weights[key]));
        }
    }
    Tensor take() { return std::move(tensor_); }

private:
    std::int64_t keys_, step_, columns_;
    Tensor tensor_;
};

/// `step` is 0 where no picture is wanted.
HeadSummary summary_of_head(const Pass& pass, std::int64_t head, std::span<const std::string> tokens, std::int64_t step,
                            const RunControl& control) {
    const bool is_self = pass.keys_are_queries();
    explain::HeadReader reader({.rows = pass.queries,
                                .columns = pass.keys,
                                .keys_are_queries = is_self,
                                .tokens = is_self ? tokens : std::span<const std::string>(),
                                .has_sink = !pass.sinks.empty()});
    Pooled pooled(pass, std::max<std::int64_t>(1, step > 0 ? step : std::max(pass.queries, pass.keys)));
    const auto most = static_cast<std::size_t>(rows_of_a_part * pass.keys);
    std::vector<float> narrow(most);
    std::vector<double> weights(most), blocked(most);
    for (std::int64_t first = 0; first < pass.queries; first += rows_of_a_part) {
        control.checkpoint();
        const auto count = std::min(rows_of_a_part, pass.queries - first);
        pass.weights(head, first, count, std::span(narrow).first(static_cast<std::size_t>(count * pass.keys)));
        std::copy(narrow.begin(), narrow.end(), weights.begin());
        for (std::int64_t row = 0; row < count; ++row)
            pass.blocked(head, first + row,
                         std::span(blocked).subspan(static_cast<std::size_t>(row * pass.keys),
                                                    static_cast<std::size_t>(pass.keys)));
        reader.add({weights.data(), count, pass.keys}, {blocked.data(), count, pass.keys});
        if (step > 0)
            pooled.add(first, count, narrow.data());
    }
    return {reader.figures(), pooled.take()};
}

} // namespace

std::vector<HeadSummary> summaries_of(const Pass& pass, std::span<const std::string> tokens, std::int64_t step,
                                      const RunControl& control) {
    std::vector<HeadSummary> summaries(static_cast<std::size_t>(pass.heads));
    flash::parallel_for(flash::thread_count(), pass.heads, [&](int, std::int64_t head) {
        summaries[static_cast<std::size_t>(head)] = summary_of_head(pass, head, tokens, step, control);
    });
    return summaries;
}

std::vector<explain::HeadFigures> figures_of(const Pass& pass, std::span<const std::string> tokens,
                                             const RunControl& control) {
    std::vector<explain::HeadFigures> figures;
    for (const auto& summary : summaries_of(pass, tokens, 0, control))
        figures.push_back(summary.figures);
    return figures;
}

namespace {

constexpr std::int64_t rows_compared_at_once = 32;

} // namespace

std::vector<BestKey> best_keys(const Pass& pass, std::optional<std::int64_t> head, const RunControl& control) {
    std::vector<BestKey> best;
    const auto first = head.value_or(0), end = head ? *head + 1 : pass.heads;
    std::vector<float> weights(static_cast<std::size_t>(pass.keys));
    std::vector<double> mean(static_cast<std::size_t>(pass.keys));
    for (std::int64_t row = 0; row < pass.queries; ++row) {
        control.checkpoint();
        std::ranges::fill(mean, 0.0);
        for (auto one = first; one < end; ++one) {
            pass.weights(one, row, 1, weights);
            for (std::size_t key = 0; key < weights.size(); ++key)
                mean[key] += static_cast<double>(weights[key]) / static_cast<double>(end - first);
        }
        const auto largest = std::ranges::max_element(mean);
        best.push_back({largest - mean.begin(), *largest});
    }
    return best;
}

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

namespace {

constexpr std::int64_t rows_rolled_at_once = 32;

using Numbers = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Rows of (A + I) / 2, each divided by its sum: a sink takes a part of A's.
Numbers mixing_rows(const Pass& pass, std::int64_t first, std::int64_t count) {
    Numbers rows = Numbers::Zero(count, pass.keys);
    std::vector<float> weights(static_cast<std::size_t>(count * pass.keys));
    for (std::int64_t head = 0; head < pass.heads; ++head) {
        pass.weights(head, first, count, weights);
        for (std::int64_t i = 0; i < rows.size(); ++i)
            rows.data()[i] +=
                static_cast<double>(weights[static_cast<std::size_t>(i)]) / static_cast<double>(pass.heads);
    }
    for (std::int64_t row = 0; row < count; ++row) {
        rows(row, first + row) += 1.0;
        rows.row(row) /= rows.row(row).sum();
    }
    return rows;
}

/// The layers of a stack up to and with `pass`.
std::vector<std::shared_ptr<const Pass>> layers_up_to(const Result& result, std::string_view pass) {
    const auto stack = pass.substr(0, pass.find('.') + 1);
    std::vector<std::shared_ptr<const Pass>> layers;
    for (const auto& one : result.passes) {
        if (!one->is_cross() && one->name.starts_with(stack))
            layers.push_back(one);
        if (one->name == pass && !one->is_cross())
            return layers;
    }
    throw Error({ATTNLAB_TEXT("%1: rollout needs self-attention, where queries and keys are the same tokens"),
                 {std::string(pass)}});
}

} // namespace

Tensor rollout(const Result& result, std::string_view pass, const RunControl& control) {
    const auto layers = layers_up_to(result, pass);
    return rollout(
        std::ssize(layers), [&](std::int64_t layer) { return layers[static_cast<std::size_t>(layer)]; }, control);
}

Tensor rollout(std::int64_t count, const LayerSource& layer, const RunControl& control) {
    auto pass = layer(0);
    const auto positions = pass->queries;
    if (positions > max_rollout_positions)
        throw Error({ATTNLAB_TEXT("%1 tokens: rollout is computed for up to %2, since its time grows with their third "
                                  "power"),
                     {std::to_string(positions), std::to_string(max_rollout_positions)}});
    Numbers rolled = Numbers::Identity(positions, positions), next(positions, positions);
    for (std::int64_t done = 1; done <= count; ++done) {
        const auto parts = (positions + rows_rolled_at_once - 1) / rows_rolled_at_once;
        flash::parallel_for(flash::thread_count(), parts, [&](int, std::int64_t part) {
            control.checkpoint();
            const auto first = part * rows_rolled_at_once, size = std::min(rows_rolled_at_once, positions - first);
            // Nothing is added for keys behind the last that these rows read.
            const auto reach = pass->causal ? std::max(first + size, pass->both_ways.last) : positions;
            const auto rows = mixing_rows(*pass, first, size);
            next.middleRows(first, size).noalias() = rows.leftCols(reach) * rolled.topRows(reach);
        });
        rolled.swap(next);
        control.report(static_cast<double>(done) / static_cast<double>(count));
        if (done < count)
            pass = layer(done);
    }
    return {{positions, positions}, std::vector<double>(rolled.data(), rolled.data() + rolled.size())};
}

} // namespace attnlab::model
