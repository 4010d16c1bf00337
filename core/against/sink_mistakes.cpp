// Implements the mistakes of attempts.h about sinks: logits that count in the denominator of the softmax alone. In a
// problem a sink is the last key, zero like its value, whose score is the bias.
#include "core/against/attempts.h"
#include "core/infinity.h"
#include "core/stages/softmax.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attnlab::against {
namespace {

bool last_row_is_zero(const Tensor& rows) {
    const auto width = rows.dim(-1), count = rows.dim(-2);
    for (std::int64_t matrix = 0; matrix < rows.dim(0) * rows.dim(1); ++matrix)
        for (std::int64_t e = 0; e < width; ++e)
            if (matrix_at(rows, matrix)(count - 1, e) != 0.0)
                return false;
    return true;
}

bool has_sink(const Case& c) {
    const auto *key = c.find("key"), *value = c.find("value"), *masked = c.find("masked");
    if (!key || !value || !masked || masked->dim(-1) < 2 || !last_row_is_zero(*key) || !last_row_is_zero(*value))
        return false;
    for (std::int64_t row = 0; row < masked->size() / masked->dim(-1); ++row)
        if (!std::isfinite(masked->values()[static_cast<std::size_t>((row + 1) * masked->dim(-1) - 1)]))
            return false;
    return true;
}

/// One row of masked scores without the sink, with its sum of exponentials as a logarithm.
struct SinkRow {
    double logit;   ///< of the sink, 0 where there is none
    double lse;     ///< of the keys
    double maximum; ///< of the keys
    std::size_t matrix;
};

/// The stages of a softmax whose denominator has e^`logarithm` beside the exponentials of the keys.
template <class Logarithm>
Attempt with_term(const Case& c, Logarithm logarithm, bool sink = true) {
    return {{}, [&c, logarithm, sink](std::string_view stage) -> std::optional<Tensor> {
                auto masked = *c.find("masked");
                const auto width = static_cast<std::size_t>(masked.dim(-1)), keys = sink ? width - 1 : width;
                const auto L = static_cast<std::size_t>(masked.dim(2));
                const auto cells = masked.mutable_values();
                Tensor lse({masked.dim(0), masked.dim(1), masked.dim(2)});
                Tensor weights(masked.shape());
                const auto shares = weights.mutable_values();
                for (std::size_t row = 0; row < static_cast<std::size_t>(lse.size()); ++row) {
                    const auto own = cells.subspan(row * width, width);
                    std::vector<double> ignored(keys, 0.0);
                    const SinkRow of{sink ? own[keys] : 0.0, softmax_row(own.first(keys), ignored),
                                     *std::max_element(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(keys)),
                                     row / L};
                    const double term = logarithm(of);
                    const double high = std::max(of.lse, term);
                    const double all =
                        high == -infinity ? high : high + std::log(std::exp(of.lse - high) + std::exp(term - high));
                    lse.mutable_values()[row] = all;
                    for (std::size_t j = 0; j < keys; ++j)
                        shares[row * width + j] = own[j] == -infinity ? 0.0 : std::exp(own[j] - all);
                    if (sink)
                        shares[row * width + keys] = term == -infinity ? 0.0 : std::exp(term - all);
                }
                auto trace = c.from_weights(weights, c.find("masked"));
                trace.stages.emplace_back().name = "lse";
                trace.stages.back().value = lse;
                return c.stage_of(trace, stage);
            }};
}

Attempts sink_ignored(const Case& c, const Tensor&) {
    if (!has_sink(c) || c.stage == "lse")
        return {};
    return {with_term(c, [](const SinkRow&) { return -infinity; })};
}

Attempts lse_without_sink(const Case& c, const Tensor&) {
    if (!has_sink(c) || c.stage != "lse")
        return {};
    return {with_term(c, [](const SinkRow&) { return -infinity; })};
}

Attempts sink_scaled(const Case& c, const Tensor&) {
    if (!has_sink(c) || c.problem.spec.scale_after_softmax)
        return {};
    return {with_term(c, [&c](const SinkRow& row) { return c.scaled(Tensor({1, 1, 1, 1}, row.logit)).values()[0]; })};
}

Attempts sink_itself(const Case& c, const Tensor&) {
    if (!has_sink(c))
        return {};
    return {with_term(c, [](const SinkRow& row) { return std::log(row.logit); })}; // NaN, which is not near, below 0
}

/// e^(s - m) of the keys beside e^s of the sink. The maximum m may contain the sink or not.
Attempts sink_without_maximum(const Case& c, const Tensor&) {
    if (!has_sink(c))
        return {};
    return {with_term(c, [](const SinkRow& row) { return row.logit + row.maximum; }),
            with_term(c, [](const SinkRow& row) { return row.logit + std::max(row.maximum, row.logit); })};
}

Attempts sink_twice(const Case& c, const Tensor&) {
    if (!has_sink(c))
        return {};
    return {with_term(c, [](const SinkRow& row) { return row.logit + std::log(2.0); })};
}

Attempts sink_of_other_head(const Case& c, const Tensor&) {
    if (!has_sink(c) || c.H < 2)
        return {};
    const auto logit_of = [&c](std::size_t matrix) {
        const auto& masked = *c.find("masked");
        return matrix_at(masked, static_cast<std::int64_t>(matrix))(0, masked.dim(-1) - 1);
    };
    const auto H = static_cast<std::size_t>(c.H);
    const auto by = [&](auto head) {
        return with_term(
            c, [logit_of, H, head](const SinkRow& row) { return logit_of(row.matrix / H * H + head(row.matrix % H)); });
    };
    Attempts attempts;
    attempts.push_back(by([](std::size_t) { return std::size_t{0}; }));
    attempts.push_back(by([H](std::size_t h) { return H - 1 - h; }));
    attempts.push_back(by([H](std::size_t h) { return (h + 1) % H; }));
    attempts.push_back(by([H](std::size_t h) { return (h + H - 1) % H; }));
    return attempts;
}

/// The logit 0, or e^0 beside the exponentials that the maximum was subtracted from.
Attempts sink_added(const Case& c, const Tensor&) {
    if (!c.find("masked") || c.find("masked")->dim(-1) == 0 || has_sink(c))
        return {};
    return {with_term(
                c, [](const SinkRow&) { return 0.0; }, false),
            with_term(
                c, [](const SinkRow& row) { return row.maximum; }, false)};
}

const MistakeRow sink_rows[] = {
    {{"sink_ignored", ATTNLAB_TEXT("the sink is ignored")}, sink_ignored},
    {{"lse_without_sink", ATTNLAB_TEXT("the lse lacks the sink")}, lse_without_sink},
    {{"sink_scaled", ATTNLAB_TEXT("the sink is scaled like a score")}, sink_scaled},
    {{"sink_itself", ATTNLAB_TEXT("the sink itself is added to the sum of the softmax instead of its exponential")},
     sink_itself},
    {{"sink_without_maximum", ATTNLAB_TEXT("the maximum of the row is subtracted from the scores but not the sink")},
     sink_without_maximum},
    {{"sink_twice", ATTNLAB_TEXT("the sink counts twice")}, sink_twice},
    {{"sink_of_other_head", ATTNLAB_TEXT("heads have the sinks of other heads")}, sink_of_other_head},
    {{"sink_added", ATTNLAB_TEXT("1 is added to the sum of the softmax, like a sink")}, sink_added},
};

} // namespace

std::span<const MistakeRow> sink_mistakes() { return sink_rows; }

} // namespace attnlab::against
