#include "core/model/effects.h"

#include "core/model/layers.h"
#include "core/model/logits.h"
#include "core/model/model_results.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace attnlab::model {
namespace {

std::int64_t likeliest_of(const std::vector<double>& probabilities) {
    return std::ranges::max_element(probabilities) - probabilities.begin();
}

/// Logits in the one row that is compared.
Options options_for(const Result& result, std::int64_t row, bool is_span) {
    if (result.is_of_classes || is_span)
        return {.logits = Options::Logits::Last, .ablations = result.ablations};
    return {.logits = Options::Logits::Chosen,
            .positions = {result.logit_positions[static_cast<std::size_t>(row)]},
            .ablations = result.ablations};
}

/// Throws Error.
void check(const Matrix& logits, std::int64_t row, const std::optional<OutcomePair>& pair) {
    if (logits.rows == 0)
        throw Error(ATTNLAB_TEXT("The model gives no answer that a head could change"));
    if (row < 0 || row >= logits.rows)
        throw Error({ATTNLAB_TEXT("There is no row %1 of logits, expected a number from 0 to %2"),
                     {std::to_string(row), std::to_string(logits.rows - 1)}});
    if (pair)
        for (const auto id : {pair->a, pair->b})
            if (id < 0 || id >= logits.columns)
                throw Error({ATTNLAB_TEXT("There is no outcome %1, expected a number from 0 to %2"),
                             {std::to_string(id), std::to_string(logits.columns - 1)}});
}

/// Throws Error.
void check(const Result& result, const EffectOptions& options) {
    check(result.logits, options.row, options.pair);
    if (options.by == Ablation::By::Other && !options.other)
        throw Error(ATTNLAB_TEXT("There is no other text whose heads take the place of those of this one"));
}

std::shared_ptr<const Pass> other_pass(const EffectOptions& options, const std::string& name) {
    return options.by == Ablation::By::Other ? options.other->find(name) : nullptr;
}

/// Only additions and the last norm stand between the heads of the stack and the logits.
bool adds_up(const Description& description) {
    const auto is_sum = [](const Norms& norms) { return !norms.after && !norms.sum; };
    const auto& stack = description.last();
    const auto& head = *description.head;
    const bool is_of_one = head.pooling == Head::Pooling::None || head.pooling == Head::Pooling::First ||
                           head.pooling == Head::Pooling::Last;
    return !head.transform && !head.norm && is_of_one && head.outcomes != Head::Outcomes::Span && !stack.projection &&
           std::ranges::all_of(stack.blocks, [&](const Block& block) {
               return is_sum(block.self_norms) && !block.self.gate && !block.self.beside && !block.bottleneck &&
                      !block.cross_norms.sum && !block.feed_forward_norms.sum && !block.cross_norms.after;
           });
}

/// What the last norm makes of parts of `whole`: it is linear once its divisor is known.
void normalize_parts(Matrix& parts, const std::optional<Norm>& norm, std::span<const float> whole) {
    if (!norm)
        return;
    const auto mean_of = [&norm](std::span<const float> values) {
        const double sum = std::accumulate(values.begin(), values.end(), 0.0);
        return norm->kind == Norm::Kind::Layer ? sum / static_cast<double>(values.size()) : 0.0;
    };
    const double mean = mean_of(whole);
    double squares = 0.0;
    for (const float value : whole)
        squares += (value - mean) * (value - mean);
    const double divisor = std::sqrt(squares / static_cast<double>(whole.size()) + norm->epsilon);
    const auto weight = norm->weight ? widened(*norm->weight) : std::vector<float>();
    for (std::int64_t row = 0; row < parts.rows; ++row) {
        const auto part = parts.row_span(row);
        const double middle = mean_of(part);
        for (std::size_t i = 0; i < part.size(); ++i) {
            const double factor = weight.empty() ? 1.0 : weight[i] + (norm->adds_one ? 1.0 : 0.0);
            part[i] = static_cast<float>((part[i] - middle) / divisor * factor);
        }
    }
}

/// The output of a head at a position, or its mean over positions.
void mix(const Pass& pass, std::int64_t head, std::optional<std::int64_t> position, float* output) {
    const auto width = pass.width_of_values();
    std::vector<float> weights(static_cast<std::size_t>(pass.keys)), row(weights.size());
    for (auto query = position.value_or(0); query < (position ? *position + 1 : pass.queries); ++query) {
        pass.weights(head, query, 1, row);
        for (std::size_t key = 0; key < row.size(); ++key)
            weights[key] += row[key] / static_cast<float>(position ? 1 : pass.queries);
    }
    multiply({weights.data(), 1, pass.keys, pass.keys},
             {pass.value.data() + pass.key_head(head) * pass.keys * width, pass.keys, width, width}, false, output,
             width);
}

/// What each head of a pass adds to the hidden state of a position: (heads, width of the stack). Of a head that was
/// replaced, what it was replaced by.
Matrix parts_of(const Pass& pass, std::span<const Ablation> ablations, Linear projection, std::int64_t position,
                const RunControl& control) {
    const auto width = pass.width_of_values();
    Matrix mixed(pass.heads, pass.heads * width);
    for (std::int64_t head = 0; head < pass.heads; ++head) {
        control.checkpoint();
        const auto replaced = std::ranges::find_if(
            ablations, [&](const Ablation& one) { return one.pass == pass.name && one.head == head; });
        float* output = mixed.row(head) + head * width;
        if (replaced == ablations.end())
            mix(pass, head, position, output);
        else if (replaced->by == Ablation::By::Mean)
            mix(pass, head, std::nullopt, output);
        else if (replaced->by == Ablation::By::Other)
            mix(*replaced->other, head, position, output);
    }
    projection.bias = nullptr;
    return product(mixed, projection, control);
}

/// One output of `linear` for each row, without its bias.
Matrix product_of_output(const Matrix& x, Linear linear, std::int64_t output, const RunControl& control) {
    linear.bias = nullptr;
    linear.first += output;
    linear.outputs = 1;
    return product(x, linear, control);
}

} // namespace

double moved_between(std::span<const double> p, std::span<const double> q, bool is_independent) {
    double sum = 0.0, largest = 0.0;
    for (std::size_t i = 0; i < p.size(); ++i) {
        sum += std::abs(p[i] - q[i]);
        largest = std::max(largest, std::abs(p[i] - q[i]));
    }
    return is_independent ? largest : sum / 2.0;
}

double logit_difference(const Result& result, std::int64_t row, const OutcomePair& pair) {
    return static_cast<double>(result.logits.row(row)[pair.a]) - static_cast<double>(result.logits.row(row)[pair.b]);
}

std::int64_t blocks_from(const Model& model, const std::string& pass) {
    const auto& description = model.description();
    const auto size = [](const std::optional<Stack>& stack) { return stack ? std::ssize(stack->blocks) : 0; };
    const bool in_encoder = description.encoder && pass.starts_with(description.encoder->name + ".");
    const auto layer = std::stoll(pass.substr(pass.find('.') + 1));
    return in_encoder ? size(description.encoder) - layer + size(description.decoder)
                      : size(description.decoder) - layer;
}

std::optional<std::vector<DirectEffect>> direct_effects(const Model& model, const Result& result, std::int64_t row,
                                                        std::int64_t a, std::optional<std::int64_t> b,
                                                        const RunControl& control) {
    check(result.logits, row, OutcomePair{a, b.value_or(a)});
    const auto& description = model.description();
    if (!adds_up(description))
        return std::nullopt;
    const auto& stack = description.last();
    const auto position = result.logit_positions[static_cast<std::size_t>(row)];
    const std::span whole(result.before_norm->row(position), static_cast<std::size_t>(result.before_norm->columns));
    const auto& output = description.head->output;
    std::vector<DirectEffect> effects;
    for (std::size_t i = 0; i < stack.blocks.size(); ++i) {
        const auto& block = stack.blocks[i];
        const auto add = [&](const char* kind, const Attention& form, const Norms& norms) {
            control.checkpoint();
            const auto pass = result.find(stack.name + "." + std::to_string(i) + kind);
            auto parts = parts_of(*pass, result.ablations, form.output, position, control);
            scale(parts, norms.factor);
            scale(parts, norms.factors);
            normalize_parts(parts, stack.norm, whole);
            scale(parts, description.head->factor);
            const auto of_a = product_of_output(parts, output, a, control);
            const auto of_b = b ? product_of_output(parts, output, *b, control) : Matrix(parts.rows, 1);
            for (std::int64_t head = 0; head < parts.rows; ++head)
                effects.push_back(
                    {pass->name, head, static_cast<double>(*of_a.row(head)) - static_cast<double>(*of_b.row(head))});
        };
        if (block.has_attention())
            add(".self", block.self, block.self_norms);
        if (block.cross)
            add(".cross", *block.cross, block.cross_norms);
    }
    return effects;
}

void effects_of(const Model& model, const Result& result, const EffectOptions& options, const RunControl& control,
                const std::function<void(const HeadEffect&)>& found) {
    check(result, options);
    const auto before = probabilities(result, options.row);
    const auto answer = static_cast<std::size_t>(likeliest_of(before));
    const bool is_span = finds_spans(model);
    auto without = options_for(result, options.row, is_span);
    const auto row = is_span ? options.row : 0;
    without.ablations.emplace_back();

    double all = 0.0, done = 0.0;
    for (const auto& pass : result.passes)
        all += static_cast<double>(pass->heads * blocks_from(model, pass->name));
    for (auto pass = result.passes.rbegin(); pass != result.passes.rend(); ++pass) {
        const auto& name = (*pass)->name;
        const auto cost = static_cast<double>(blocks_from(model, name));
        for (std::int64_t head = 0; head < (*pass)->heads; ++head, done += cost) {
            if (options.skips && options.skips(name, head))
                continue;
            without.ablations.back() = {name, head, options.by, other_pass(options, name)};
            const auto run = model.run(result.input, without, control.part(done / all, (done + cost) / all), &result);
            const auto after = probabilities(run, row);
            HeadEffect effect{.pass = name, .head = head, .answer = likeliest_of(after)};
            effect.answer_probability = after[static_cast<std::size_t>(effect.answer)];
            effect.probability = after[answer];
            effect.moved = moved_between(before, after, result.is_independent);
            if (options.pair)
                effect.difference_change =
                    logit_difference(run, row, *options.pair) - logit_difference(result, options.row, *options.pair);
            found(effect);
        }
    }
    control.report(1.0);
}

Matrix lens(const Model& model, const Result& result, std::int64_t row, const RunControl& control) {
    const auto& description = model.description();
    using Pooling = Head::Pooling;
    const bool reads_one = description.head && description.head->outcomes != Head::Outcomes::Span &&
                           (description.head->pooling == Pooling::None || description.head->pooling == Pooling::First ||
                            description.head->pooling == Pooling::Last);
    if (!reads_one || result.logits.rows == 0)
        throw Error(ATTNLAB_TEXT("The model gives no answer at one position that its layers could be asked for"));
    if (row < 0 || row >= std::ssize(result.logit_positions))
        throw Error({ATTNLAB_TEXT("There is no row %1 of logits, expected a number from 0 to %2"),
                     {std::to_string(row), std::to_string(std::ssize(result.logit_positions) - 1)}});
    const auto& stack = description.last();
    const auto& hidden = description.decoder ? result.decoder_hidden : result.encoder_hidden;
    const auto position = result.logit_positions[static_cast<std::size_t>(row)];
    Matrix x(std::ssize(stack.blocks) + 1, stack.width);
    for (std::int64_t block = 0; block < x.rows; ++block) {
        const auto& states = block < x.rows - 1 ? *hidden[static_cast<std::size_t>(block)] : *result.before_norm;
        std::copy_n(states.row(position), x.columns, x.row(block));
    }
    normalize(x, stack.norm);
    if (stack.projection)
        x = product(x, *stack.projection, control);
    return logits_of(*description.head, std::move(x), control);
}

} // namespace attnlab::model
