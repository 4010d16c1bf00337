#include "core/model/rollout.h"

#include "core/flash/forward.h"
#include "core/flash/parallel.h"

#include <Eigen/Core>

#include <algorithm>

namespace attnlab::model {
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
    if (positions > most_rolled_out)
        throw Error({ATTNLAB_TEXT("%1 tokens: rollout is computed for up to %2, since its time grows with their third "
                                  "power"),
                     {std::to_string(positions), std::to_string(most_rolled_out)}});
    Numbers rolled = Numbers::Identity(positions, positions), next(positions, positions);
    for (std::int64_t done = 1; done <= count; ++done) {
        const auto parts = (positions + rows_rolled_at_once - 1) / rows_rolled_at_once;
        flash::parallel_for(flash::thread_count(), parts, [&](int, std::int64_t part) {
            control.checkpoint();
            const auto first = part * rows_rolled_at_once, size = std::min(rows_rolled_at_once, positions - first);
            // Nothing is added for keys behind the last that these rows read.
            const auto reach = pass->causal ? first + size : positions;
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
