#include "core/model/figures.h"

#include "core/flash/forward.h"
#include "core/flash/parallel.h"

#include <algorithm>

namespace attnlab::model {
namespace {

constexpr std::int64_t rows_of_a_part = 32;

explain::HeadFigures figures_of_head(const Pass& pass, std::int64_t head, std::span<const std::string> tokens,
                                     const RunControl& control) {
    explain::HeadReader reader({.rows = pass.queries,
                                .columns = pass.keys,
                                .keys_are_queries = !pass.is_cross(),
                                .tokens = pass.is_cross() ? std::span<const std::string>() : tokens,
                                .has_sink = !pass.sinks.empty()});
    const auto most = static_cast<std::size_t>(rows_of_a_part * pass.keys);
    std::vector<float> narrow(most);
    std::vector<double> weights(most), blocked(most);
    for (std::int64_t first = 0; first < pass.queries; first += rows_of_a_part) {
        control.checkpoint();
        const auto count = std::min(rows_of_a_part, pass.queries - first);
        pass.weights(head, first, count, std::span(narrow).first(static_cast<std::size_t>(count * pass.keys)));
        std::copy(narrow.begin(), narrow.end(), weights.begin());
        std::fill(blocked.begin(), blocked.end(), 1.0);
        for (std::int64_t row = 0; row < count; ++row) {
            const auto range = pass.readable(first + row);
            std::fill_n(blocked.begin() + row * pass.keys + range.first, range.last - range.first, 0.0);
        }
        reader.add({weights.data(), count, pass.keys}, {blocked.data(), count, pass.keys});
    }
    return reader.figures();
}

} // namespace

std::vector<explain::HeadFigures> figures_of(const Pass& pass, std::span<const std::string> tokens,
                                             const RunControl& control) {
    std::vector<explain::HeadFigures> figures(static_cast<std::size_t>(pass.heads));
    flash::parallel_for(flash::thread_count(), pass.heads, [&](int, std::int64_t head) {
        figures[static_cast<std::size_t>(head)] = figures_of_head(pass, head, tokens, control);
    });
    return figures;
}

} // namespace attnlab::model
