#include "core/model/figures.h"

#include "core/flash/forward.h"
#include "core/flash/parallel.h"

#include <algorithm>

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

} // namespace attnlab::model
