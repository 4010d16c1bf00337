#include "core/model/architectures/shared/bert_family.h"

#include "core/model/architectures/shared/task_head.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace attnlab::model {

BertSizes bert_sizes(const Config& config, std::int64_t vocabulary) {
    config.refuse("add_cross_attention");
    if (config.text("position_embedding_type", "absolute") != "absolute")
        config.fail("position_embedding_type", "absolute");
    BertSizes sizes{.hidden = config.size("hidden_size", 768),
                    .layers = config.layers("num_hidden_layers", 12),
                    .heads = config.size("num_attention_heads", 12),
                    .head_width = 0,
                    .inner = config.size("intermediate_size", 3072),
                    .positions = config.size("max_position_embeddings", 512),
                    .vocabulary = config.size("vocab_size", vocabulary),
                    .epsilon = config.epsilon("layer_norm_eps", 1e-12),
                    .activation = activation_of(config, "hidden_act", "gelu"),
                    .causal = config.flag("is_decoder", false)};
    sizes.head_width = even_head_width(config, "num_attention_heads", sizes.hidden, sizes.heads);
    return sizes;
}

Block bert_block(const Tensors& tensors, const BertNames& names, const BertSizes& sizes) {
    const auto projection = [&](std::string_view name) {
        return tensors.linear(name, sizes.hidden, sizes.hidden, sizes.projection_bias);
    };
    return {.self = {.heads = sizes.heads,
                     .key_value_heads = sizes.heads,
                     .width = sizes.head_width,
                     .scale = root_scale(sizes.head_width),
                     .query = projection(names.query),
                     .key = projection(names.key),
                     .value = projection(names.value),
                     .output = tensors.linear(names.output, sizes.hidden, sizes.hidden, true),
                     .causal = sizes.causal},
            .self_norms = {.sum = tensors.layer_norm(names.attention_norm, sizes.hidden, sizes.epsilon)},
            .feed_forward = {.activation = sizes.activation,
                             .up = tensors.linear(names.up, sizes.hidden, sizes.inner, true),
                             .down = tensors.linear(names.down, sizes.inner, sizes.hidden, true)},
            .feed_forward_norms = {.sum = tensors.layer_norm(names.output_norm, sizes.hidden, sizes.epsilon)}};
}

Stack bert_stack(const Tensors& tensors, const BertNames& names, const BertSizes& sizes) {
    Stack stack{.name = "encoder", .width = sizes.hidden};
    const Shape table{sizes.positions, sizes.hidden};
    stack.embedding = {.tokens = tensors.at("embeddings.word_embeddings.weight", {sizes.vocabulary, sizes.hidden}),
                       .positions = {.kind = Positions::Kind::Learned,
                                     .table = tensors.at("embeddings.position_embeddings.weight", table)},
                       .norm = tensors.layer_norm("embeddings.LayerNorm", sizes.hidden, sizes.epsilon)};
    for (std::int64_t layer = 0; layer < sizes.layers; ++layer)
        stack.blocks.push_back(
            bert_block(tensors.below(std::string(names.layers) + std::to_string(layer) + "."), names, sizes));
    return stack;
}

const Weight* token_types(const Config& config, const Tensors& tensors, std::int64_t hidden) {
    return tensors.at("embeddings.token_type_embeddings.weight", {config.size("type_vocab_size", 2), hidden});
}

Head masked_head(const Tensors& outside, std::string_view transform, std::string_view norm, std::string_view decoder,
                 std::string_view bias, const Weight* embedding, bool tied, const BertSizes& sizes) {
    Head head{.transform = outside.linear(transform, sizes.hidden, sizes.hidden, true),
              .activation = sizes.activation,
              .norm = outside.layer_norm(norm, sizes.hidden, sizes.epsilon),
              .output = output_of(outside, decoder, embedding, tied, sizes.vocabulary, sizes.hidden)};
    const auto own = std::string(decoder) + ".bias";
    head.output.bias = outside.at(outside.has(own) ? own : std::string(bias), {sizes.vocabulary});
    return head;
}

void add_bert_head(const Config& config, const Tensors& outside, const Stack& stack, const BertSizes& sizes,
                   std::string pooler, Description& description) {
    if (outside.has("cls.predictions.transform.dense.weight"))
        description.head =
            masked_head(outside, "cls.predictions.transform.dense", "cls.predictions.transform.LayerNorm",
                        "cls.predictions.decoder", "cls.predictions.bias", stack.embedding.tokens,
                        config.flag("tie_word_embeddings", true), sizes);
    else
        add_task_head(config, outside, sizes.hidden, {.transform = std::move(pooler)}, description);
}

void count_from_padding(const Config& config, std::int64_t positions, Stack& stack, Description& description) {
    const auto padding = config.integer("pad_token_id").value_or(1);
    if (padding < 0 || padding >= positions)
        config.fail("pad_token_id", {ATTNLAB_TEXT("an integer from %1 to %2"), {"0", std::to_string(positions - 1)}});
    stack.embedding.positions.padding = padding;
    stack.embedding.positions.offset = padding + 1;
    description.longest = positions - padding - 1;
}

std::vector<std::int64_t> attention_windows(const Config& config, std::int64_t layers) {
    const auto* found = config.find("attention_window");
    std::vector<std::int64_t> windows(static_cast<std::size_t>(layers), 512);
    if (found && found->is_list()) {
        const auto given = config.numbers("attention_window");
        if (std::ssize(given) != layers)
            config.fail("attention_window", {ATTNLAB_TEXT("%1 entries"), {std::to_string(layers)}});
        std::ranges::transform(given, windows.begin(), [](double value) { return static_cast<std::int64_t>(value); });
    } else if (found) {
        std::ranges::fill(windows, config.size("attention_window"));
    }
    if (std::ranges::any_of(windows,
                            [](auto window) { return window < 2 || window > largest_size || window % 2 != 0; }))
        config.fail("attention_window", ATTNLAB_TEXT("even numbers from 2 on"));
    return windows;
}

} // namespace attnlab::model
