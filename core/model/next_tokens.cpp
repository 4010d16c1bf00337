#include "core/model/next_tokens.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace attnlab::model {
namespace {

std::string name_of(const Model& model, bool is_class, std::int64_t id) {
    const auto& labels = model.description().labels;
    if (is_class)
        return id < std::ssize(labels) ? labels[static_cast<std::size_t>(id)] : std::string();
    return model.tokenizer() ? model.tokenizer()->text_of(id).value_or("") : std::string();
}

std::string label_of(const Model& model, bool is_class, std::int64_t id, const RunControl& control) {
    return is_class || !model.tokenizer() ? std::string() : model.tokenizer()->decode({id}, control);
}

} // namespace

std::vector<double> probabilities(const Result& result, std::int64_t row) {
    const std::span logits(result.logits.row(row), static_cast<std::size_t>(result.logits.columns));
    const double largest = *std::max_element(logits.begin(), logits.end());
    std::vector<double> shares(logits.begin(), logits.end());
    double sum = 0.0;
    for (double& share : shares)
        sum += share = std::exp(share - largest);
    for (double& share : shares)
        share /= sum;
    return shares;
}

std::vector<Outcome> likeliest(const Model& model, const Result& result, std::size_t count, const RunControl& control) {
    return likeliest(model, result, count, result.logits.rows - 1, control);
}

std::vector<Outcome> likeliest(const Model& model, const Result& result, std::size_t count, std::int64_t index,
                               const RunControl& control) {
    const auto& logits = result.logits;
    if (logits.rows == 0 || logits.columns == 0)
        return {};
    const float* row = logits.row(index);
    const auto shares = probabilities(result, index);
    std::vector<std::int64_t> order(static_cast<std::size_t>(logits.columns));
    std::iota(order.begin(), order.end(), 0);
    const auto end = order.begin() + std::min(std::ssize(order), static_cast<std::ptrdiff_t>(count));
    // Of equal ones the first, so that the order is always the same.
    std::partial_sort(order.begin(), end, order.end(),
                      [row](std::int64_t a, std::int64_t b) { return row[a] > row[b] || (row[a] == row[b] && a < b); });
    std::vector<Outcome> best;
    for (auto id = order.begin(); id != end; ++id)
        best.push_back({*id, name_of(model, result.is_of_classes, *id),
                        label_of(model, result.is_of_classes, *id, control), shares[static_cast<std::size_t>(*id)]});
    return best;
}

bool fills_masks(const Model& model) {
    const auto& description = model.description();
    return description.head && !description.decoder && !description.head->of_first_position;
}

std::optional<std::string> mask_spelling(const Model& model, const RunControl& control) {
    if (!model.tokenizer())
        return std::nullopt;
    for (const char* spelling : {"[MASK]", "<mask>"})
        for (const auto& token : model.tokenizer()->encode(spelling, {}, control))
            if (token.text == spelling)
                return spelling;
    return std::nullopt;
}

std::vector<std::int64_t> masked_positions(const Model& model, const std::vector<std::int64_t>& ids,
                                           const RunControl& control) {
    std::vector<std::int64_t> positions;
    if (const auto spelling = mask_spelling(model, control))
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (model.tokenizer()->text_of(ids[i]) == spelling)
                positions.push_back(static_cast<std::int64_t>(i));
    return positions;
}

} // namespace attnlab::model
