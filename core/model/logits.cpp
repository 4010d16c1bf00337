#include "core/model/logits.h"

#include "core/model/layers.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace attnlab::model {
namespace {

std::vector<std::int64_t> all_positions(std::int64_t rows) {
    std::vector<std::int64_t> all(static_cast<std::size_t>(rows));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

/// The last end, or the last position. Without ends, the last position that is no padding, or the first.
std::int64_t last_position(const Head& head, const std::vector<std::int64_t>& ids, std::int64_t rows) {
    for (auto row = rows - 1; row >= 0; --row)
        if (const auto id = ids[static_cast<std::size_t>(row)]; head.ending ? id == head.ending : id != head.padding)
            return row;
    return head.ending ? rows - 1 : 0;
}

std::vector<std::int64_t> positions_of_logits(const Head& head, const Options& options, const Result& result,
                                              std::int64_t rows) {
    if (head.pooling == Head::Pooling::Last)
        return {last_position(head, result.input.ids, rows)};
    if (result.is_of_classes)
        return {0};
    if (head.outcomes == Head::Outcomes::Span)
        return all_positions(rows);
    if (options.logits == Options::Logits::Chosen)
        return options.positions;
    if (options.logits == Options::Logits::Last)
        return {rows - 1};
    return all_positions(rows);
}

/// What the head reads of the last hidden states: a row for each of logit_positions, or what is pooled.
Matrix read_by_head(const Description& description, const Matrix& last, const Result& result,
                    const RunControl& control) {
    using Pooling = Head::Pooling;
    const auto& stack = description.last();
    const auto pooling = description.head->pooling;
    if (pooling == Pooling::None || pooling == Pooling::First || pooling == Pooling::Last) {
        Matrix x(std::ssize(result.logit_positions), last.columns);
        for (std::int64_t row = 0; row < x.rows; ++row)
            std::copy_n(last.row(result.logit_positions[static_cast<std::size_t>(row)]), x.columns, x.row(row));
        if (!stack.shows_norm)
            finish(stack, x, control);
        return x;
    }
    Matrix all = last;
    if (!stack.shows_norm)
        finish(stack, all, control);
    if (pooling == Pooling::FirstTwo) {
        Matrix x(2, all.columns);
        std::copy_n(all.values.begin(), x.values.size(), x.values.begin());
        return x;
    }
    const auto& patches = stack.embedding.patches;
    const auto first = pooling == Pooling::Mean || !patches ? 0 : patches->leading_count();
    const bool has_first = pooling == Pooling::FirstAndPatchMean;
    Matrix x(1, has_first ? 2 * all.columns : all.columns);
    if (has_first)
        std::copy_n(all.row(0), all.columns, x.row(0));
    float* const mean = x.row(0) + (has_first ? all.columns : 0);
    std::vector<const float*> rows;
    for (auto row = first; row < all.rows; ++row)
        if (!std::ranges::binary_search(result.hidden, row))
            rows.push_back(all.row(row));
    for (std::int64_t column = 0; column < all.columns; ++column) {
        double sum = 0.0;
        for (const float* row : rows)
            sum += static_cast<double>(row[column]);
        mean[column] = rows.empty() ? 0.0F : static_cast<float>(sum / static_cast<double>(rows.size()));
    }
    return x;
}

/// A row for where the answer begins and one for where it ends, over all positions.
void turn_span(Result& result) {
    Matrix turned(2, result.logits.rows);
    for (std::int64_t row = 0; row < turned.columns; ++row)
        for (std::int64_t end = 0; end < 2; ++end)
            turned.row(end)[row] = result.logits.row(row)[end];
    result.logits = std::move(turned);
    result.logit_positions = {0, 1};
}

} // namespace

void compute_logits(const Description& description, const Options& options, const RunControl& control, Result& result) {
    const auto& head = *description.head;
    const auto& last = *(description.decoder ? result.decoder_hidden : result.encoder_hidden).back();
    result.is_of_classes = head.is_of_whole_input();
    result.logit_positions = positions_of_logits(head, options, result, last.rows);
    auto x = read_by_head(description, last, result, control);
    result.logits = logits_of(head, x, control);
    if (head.second_output) { // the mean of both
        const auto other = product(x, *head.second_output, control);
        for (std::int64_t i = 0; i < result.logits.columns; ++i)
            result.logits.values[static_cast<std::size_t>(i)] = (result.logits.row(0)[i] + other.row(1)[i]) / 2.0F;
        result.logits.rows = 1;
        result.logits.values.resize(static_cast<std::size_t>(result.logits.columns));
    }
    result.is_independent = head.is_independent;
    if (head.outcomes == Head::Outcomes::Span)
        turn_span(result);
}

Matrix logits_of(const Head& head, Matrix x, const RunControl& control) {
    if (head.transform) {
        x = product(x, *head.transform, control);
        activate(*head.activation, x.values);
    }
    normalize(x, head.norm);
    scale(x, head.factor);
    auto logits = product(x, head.output, control);
    soft_cap(logits.values, head.soft_cap);
    return logits;
}

} // namespace attnlab::model
