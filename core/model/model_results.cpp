#include "core/model/model_results.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <numeric>
#include <span>

namespace attnlab::model {
namespace {

constexpr std::array<std::string_view, 6> array_kinds{"query", "key", "value", "weights", "hidden", "logits"};

/// Numbers that lie in a pass or a matrix, which `owner` keeps.
class HeldNumbers : public NumberSource {
public:
    HeldNumbers(std::shared_ptr<const void> owner, std::span<const float> values)
        : owner_(std::move(owner)), values_(values) {}

    std::int64_t size() const override { return std::ssize(values_); }
    void read(std::int64_t first, std::span<double> values) const override { copy(first, values); }
    void read(std::int64_t first, std::span<float> values) const override { copy(first, values); }

private:
    template <class Number>
    void copy(std::int64_t first, std::span<Number> values) const {
        std::copy_n(values_.begin() + first, values.size(), values.begin());
    }

    std::shared_ptr<const void> owner_;
    std::span<const float> values_;
};

/// Weights of all heads, (heads, queries, keys), computed by blocks of rows; the last block is kept.
class WeightNumbers : public NumberSource {
public:
    explicit WeightNumbers(std::shared_ptr<const Pass> pass) : pass_(std::move(pass)) {}

    std::int64_t size() const override { return pass_->heads * pass_->queries * pass_->keys; }
    void read(std::int64_t first, std::span<double> values) const override { copy(first, values); }
    void read(std::int64_t first, std::span<float> values) const override { copy(first, values); }

private:
    static constexpr std::int64_t block_rows = 32;

    template <class Number>
    void copy(std::int64_t first, std::span<Number> values) const {
        const std::lock_guard lock(mutex_);
        for (std::size_t done = 0; done < values.size();) {
            const auto at = first + static_cast<std::int64_t>(done);
            const auto row = at / pass_->keys;
            hold(row);
            const auto begin = at - held_row_ * pass_->keys;
            const auto count = std::min(static_cast<std::int64_t>(values.size() - done), std::ssize(held_) - begin);
            std::copy_n(held_.begin() + begin, count, values.begin() + static_cast<std::ptrdiff_t>(done));
            done += static_cast<std::size_t>(count);
        }
    }

    /// `row` counts those of all heads; a block is of one head.
    void hold(std::int64_t row) const {
        if (!held_.empty() && row >= held_row_ && row < held_row_ + std::ssize(held_) / pass_->keys)
            return;
        const auto head = row / pass_->queries, begin = row % pass_->queries / block_rows * block_rows;
        const auto count = std::min(block_rows, pass_->queries - begin);
        held_.resize(static_cast<std::size_t>(count * pass_->keys));
        pass_->weights(head, begin, count, held_);
        held_row_ = head * pass_->queries + begin;
    }

    std::shared_ptr<const Pass> pass_;
    mutable std::mutex mutex_;
    mutable std::vector<float> held_;
    mutable std::int64_t held_row_ = 0;
};

Tensor held(Shape shape, const std::shared_ptr<const void>& owner, std::span<const float> values) {
    return Tensor::from(std::move(shape), std::make_shared<HeldNumbers>(owner, values), DType::Float32);
}

Tensor ids_tensor(const std::vector<std::int64_t>& ids) {
    return {{std::ssize(ids)}, std::vector<double>(ids.begin(), ids.end()), DType::Int64};
}

} // namespace

std::span<const std::string_view> kinds_of_arrays() { return array_kinds; }

TensorMap arrays_of(const Result& result, const std::set<std::string, std::less<>>& kinds) {
    TensorMap arrays;
    if (!result.input.ids.empty())
        arrays.emplace("input_ids", ids_tensor(result.input.ids));
    if (!result.input.decoder_ids.empty())
        arrays.emplace("decoder_input_ids", ids_tensor(result.input.decoder_ids));
    for (const auto& pass : result.passes) {
        const auto add = [&](const char* kind, std::int64_t heads, std::int64_t rows, std::int64_t width,
                             const Floats& values) {
            if (kinds.contains(kind))
                arrays.emplace(pass->name + "." + kind, held({heads, rows, width}, pass, values));
        };
        add("query", pass->heads, pass->queries, pass->width, pass->query);
        add("key", pass->key_value_heads, pass->keys, pass->width, pass->key);
        add("value", pass->key_value_heads, pass->keys, pass->width_of_values(), pass->value);
        if (kinds.contains("weights"))
            arrays.emplace(pass->name + ".weights",
                           Tensor::from({pass->heads, pass->queries, pass->keys}, std::make_shared<WeightNumbers>(pass),
                                        DType::Float32));
    }
    const auto add_hidden = [&](const std::string& stack, const auto& states) {
        for (std::size_t i = 0; i < states.size(); ++i)
            arrays.emplace(stack + ".hidden." + std::to_string(i),
                           held({states[i]->rows, states[i]->columns}, states[i], states[i]->values));
    };
    if (kinds.contains("hidden")) {
        add_hidden("encoder", result.encoder_hidden);
        add_hidden("decoder", result.decoder_hidden);
    }
    if (kinds.contains("logits") && result.logits.rows > 0) {
        const auto logits = std::make_shared<const Matrix>(result.logits);
        const Shape shape = result.is_of_classes ? Shape{logits->columns} : Shape{logits->rows, logits->columns};
        arrays.emplace("logits", held(shape, logits, logits->values));
    }
    return arrays;
}

namespace {

using Outcomes = Head::Outcomes;

Outcomes outcomes_of(const Model& model) {
    return model.description().head ? model.description().head->outcomes : Outcomes::Tokens;
}

} // namespace

std::string name_of_outcome(const Model& model, const Result& result, std::int64_t id) {
    const auto& labels = model.description().labels;
    switch (outcomes_of(model)) {
    case Outcomes::Classes:
        return id < std::ssize(labels) ? labels[static_cast<std::size_t>(id)] : std::string();
    case Outcomes::Span:
        id = result.input.ids[static_cast<std::size_t>(id)];
        if (!model.tokenizer())
            return std::to_string(id);
        break;
    case Outcomes::Tokens:
        break;
    }
    return model.tokenizer() ? model.tokenizer()->text_of(id).value_or("") : std::string();
}

std::string label_of_outcome(const Model& model, const Result& result, std::int64_t id, const RunControl& control) {
    const auto outcomes = outcomes_of(model);
    if (outcomes == Outcomes::Classes || !model.tokenizer())
        return {};
    return model.tokenizer()->decode({outcomes == Outcomes::Span ? result.input.ids[static_cast<std::size_t>(id)] : id},
                                     control);
}

std::vector<double> probabilities(const Result& result, std::int64_t row) {
    const std::span logits(result.logits.row(row), static_cast<std::size_t>(result.logits.columns));
    std::vector<double> shares(logits.begin(), logits.end());
    if (result.is_independent) {
        for (double& share : shares)
            share = 1.0 / (1.0 + std::exp(-share));
        return shares;
    }
    const double largest = *std::max_element(logits.begin(), logits.end());
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
        best.push_back({*id, name_of_outcome(model, result, *id), label_of_outcome(model, result, *id, control),
                        shares[static_cast<std::size_t>(*id)]});
    return best;
}

std::int64_t unknown_tokens(const std::vector<tokens::Token>& tokens, std::string_view text) {
    std::int64_t count = 0;
    for (const std::string_view spelling : {"[UNK]", "<unk>"}) {
        const auto found = std::ranges::count(tokens, spelling, &tokens::Token::text);
        std::int64_t spelled = 0;
        for (auto at = text.find(spelling); at != text.npos; at = text.find(spelling, at + spelling.size()))
            ++spelled;
        count += std::max<std::int64_t>(0, found - spelled);
    }
    return count;
}

bool fills_masks(const Model& model) {
    const auto& description = model.description();
    return description.head && !description.decoder && !description.head->is_of_whole_input() &&
           outcomes_of(model) == Outcomes::Tokens;
}

bool classifies_tokens(const Model& model) {
    return outcomes_of(model) == Outcomes::Classes && !model.description().head->is_of_whole_input();
}

bool finds_spans(const Model& model) { return outcomes_of(model) == Outcomes::Span; }

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
