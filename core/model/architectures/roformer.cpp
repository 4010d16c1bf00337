// RoFormer, GTE and Jina 3: BERT whose positions are rotary.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/bert_family.h"
#include "core/model/architectures/shared/task_head.h"
#include "core/model/gguf/gguf_config.h"
#include "core/model/weight_products.h"

#include <cmath>
#include <string>
#include <utility>

namespace attnlab::model {
namespace {

constexpr const char* positions_are_rotary = ATTNLAB_TEXT("positions are rotary");
constexpr KnownEntry settings_of_rotary_bert[] = {
    {.names = "position_embedding_type rotary_value", .why = why_not_read::built_in}};
constexpr KnownEntry tensors_of_rotary_bert[] = {
    {.names = "*encoder.embed_positions.weight", .why = positions_are_rotary},
    {.names = "cls.predictions.bias lm_head.bias", .why = why_not_read::copy}};

/// The table of the file counts in Transformers. Throws Error if it is not that of the frequencies.
void check_positions(const Tensors& tensors, const Rotary& rotary, std::int64_t positions) {
    constexpr float tolerance = 0.01F; // of tables in bfloat16
    const auto* table = tensors.find("encoder.embed_positions.weight", {positions, rotary.width});
    if (!table)
        return;
    const auto values = widened(*table);
    const auto width = static_cast<std::size_t>(rotary.width), half = width / 2;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto column = i % width;
        const double angle = static_cast<double>(i / width) * static_cast<double>(rotary.frequencies[column % half]);
        const double expected = column < half ? std::sin(angle) : std::cos(angle);
        if (!(std::abs(values[i] - static_cast<float>(expected)) < tolerance))
            throw Error({ATTNLAB_TEXT("%1: is not the table of sines and cosines that models of this type have"),
                         {table->where}});
    }
}

/// Pairs of neighbours are turned, by a table with as many rows as there are positions.
Description describe_roformer(const Config& config, const WeightFiles& files) {
    config.refuse("rotary_value");
    const auto sizes = bert_sizes(config, 50000);
    const auto embedded = config.size("embedding_size", sizes.hidden);
    const Tensors tensors(files, {"roformer.", ""}, "embeddings.word_embeddings.weight");
    const auto outside = tensors.outside();
    if (sizes.head_width % 2 != 0)
        config.fail("num_attention_heads", ATTNLAB_TEXT("heads of an even width"));
    Rotary rotary{.width = sizes.head_width, .interleaved = true};
    rotary.frequencies = rotary.unscaled_frequencies();
    check_positions(tensors, rotary, sizes.positions);
    Stack stack{.name = "encoder", .width = sizes.hidden};
    stack.embedding = {.tokens = tensors.at("embeddings.word_embeddings.weight", {sizes.vocabulary, embedded}),
                       .types = token_types(config, tensors, embedded),
                       .norm = tensors.layer_norm("embeddings.LayerNorm", embedded, sizes.epsilon)};
    if (embedded != sizes.hidden)
        stack.embedding.widening = tensors.linear("embeddings_project", embedded, sizes.hidden, true);
    for (std::int64_t layer = 0; layer < sizes.layers; ++layer) {
        stack.blocks.push_back(
            bert_block(tensors.below("encoder.layer." + std::to_string(layer) + "."), bert_names, sizes));
        stack.blocks.back().self.rotary = rotary;
    }
    Description description{.vocabulary = sizes.vocabulary, .longest = sizes.positions};
    const std::string head = "cls.predictions.";
    if (outside.has(head + "transform.dense.weight")) {
        description.head = {.transform = outside.linear(head + "transform.dense", sizes.hidden, embedded, true),
                            .activation = sizes.activation,
                            .norm = outside.layer_norm(head + "transform.LayerNorm", embedded, sizes.epsilon),
                            .output = output_of(outside, head + "decoder", stack.embedding.tokens,
                                                config.flag("tie_word_embeddings", true), sizes.vocabulary, embedded)};
        const auto own = head + "decoder.bias";
        description.head->output.bias = outside.at(outside.has(own) ? own : head + "bias", {sizes.vocabulary});
    } else {
        add_task_head(config, outside, sizes.hidden,
                      {.transform = "classifier.dense",
                       .activation = config.text("hidden_act", "gelu"),
                       .output = "classifier.out_proj"},
                      description);
    }
    description.encoder = std::move(stack);
    return description;
}

/// Names of the files, and the sizes of a missing setting.
struct RotaryBertKind {
    std::string_view layers, fused, output, attention_norm, inner_norm, embedding_norm, head_norm;
    std::string transform; ///< of a head for classes
    std::string_view classes = "classifier";
    bool is_gated = false;
    double base = 160000.0, epsilon = 1e-12;
    std::int64_t hidden = 768, inner = 3072, layers_count = 12, heads = 12, vocabulary = 250048, positions = 8192;
};

FeedForward rotary_feed_forward(const Tensors& tensors, const BertSizes& sizes, bool is_gated) {
    if (!is_gated)
        return {.activation = sizes.activation,
                .up = tensors.linear("mlp.fc1", sizes.hidden, sizes.inner, true),
                .down = tensors.linear("mlp.fc2", sizes.inner, sizes.hidden, true)};
    const auto both = tensors.linear("mlp.up_gate_proj", sizes.hidden, 2 * sizes.inner, false);
    return {.activation = sizes.activation,
            .gate = part_of(both, sizes.inner, sizes.inner),
            .up = part_of(both, 0, sizes.inner),
            .down = tensors.linear("mlp.down_proj", sizes.inner, sizes.hidden, true)};
}

Description rotary_bert(const Config& config, const Tensors& tensors, const RotaryBertKind& kind) {
    BertSizes sizes{.hidden = config.size("hidden_size", kind.hidden),
                    .layers = config.layers("num_hidden_layers", kind.layers_count),
                    .heads = config.size("num_attention_heads", kind.heads),
                    .head_width = 0,
                    .inner = config.size("intermediate_size", kind.inner),
                    .positions = config.size("max_position_embeddings", kind.positions),
                    .vocabulary = config.size("vocab_size", kind.vocabulary),
                    .epsilon = config.epsilon("layer_norm_eps", kind.epsilon),
                    .activation = activation_of(config, "hidden_act", "gelu")};
    sizes.head_width = even_head_width(config, "num_attention_heads", sizes.hidden, sizes.heads);
    const auto rotary =
        read_rotary(config, {.head_width = sizes.head_width, .base = kind.base, .longest = sizes.positions});
    const auto types = config.integer("type_vocab_size").value_or(1);
    if (types < 0 || types > largest_size)
        config.fail("type_vocab_size", {ATTNLAB_TEXT("%1 or more"), {"0"}});
    const auto outside = tensors.outside();
    const auto norm = [&](const Tensors& of, std::string_view name) {
        return of.layer_norm(name, sizes.hidden, sizes.epsilon);
    };
    Stack stack{.name = "encoder", .width = sizes.hidden};
    stack.embedding = {.tokens = tensors.at("embeddings.word_embeddings.weight", {sizes.vocabulary, sizes.hidden}),
                       .norm = norm(tensors, kind.embedding_norm)};
    if (types > 0)
        stack.embedding.types = tensors.at("embeddings.token_type_embeddings.weight", {types, sizes.hidden});
    for (std::int64_t layer = 0; layer < sizes.layers; ++layer) {
        const auto below = tensors.below(std::string(kind.layers) + std::to_string(layer) + ".");
        const auto fused = below.linear(kind.fused, sizes.hidden, 3 * sizes.hidden, true);
        stack.blocks.push_back({.self = {.heads = sizes.heads,
                                         .key_value_heads = sizes.heads,
                                         .width = sizes.head_width,
                                         .scale = root_scale(sizes.head_width),
                                         .query = part_of(fused, 0, sizes.hidden),
                                         .key = part_of(fused, sizes.hidden, sizes.hidden),
                                         .value = part_of(fused, 2 * sizes.hidden, sizes.hidden),
                                         .output = below.linear(kind.output, sizes.hidden, sizes.hidden, true),
                                         .rotary = rotary},
                                .self_norms = {.sum = norm(below, kind.attention_norm)},
                                .feed_forward = rotary_feed_forward(below, sizes, kind.is_gated),
                                .feed_forward_norms = {.sum = norm(below, kind.inner_norm)}});
    }
    Description description{.vocabulary = sizes.vocabulary};
    if (outside.has("lm_head.dense.weight")) {
        description.head = masked_head(outside, "lm_head.dense", kind.head_norm, "lm_head.decoder", "lm_head.bias",
                                       stack.embedding.tokens, config.flag("tie_word_embeddings", true), sizes);
        description.head->activation = find_activation("gelu");
    } else {
        add_task_head(config, outside, sizes.hidden, {.transform = kind.transform, .output = std::string(kind.classes)},
                      description);
    }
    description.encoder = std::move(stack);
    return description;
}

Description describe_gte(const Config& config, const WeightFiles& files) {
    const Tensors tensors(files, {"new.", "gte.", ""}, "embeddings.word_embeddings.weight");
    const bool is_old = tensors.outside().has("new.pooler.dense.weight");
    return rotary_bert(config, tensors,
                       {.layers = "encoder.layer.",
                        .fused = "attention.qkv_proj",
                        .output = "attention.o_proj",
                        .attention_norm = "attn_ln",
                        .inner_norm = "mlp_ln",
                        .embedding_norm = "embeddings.LayerNorm",
                        .head_norm = "lm_head.norm",
                        .transform = is_old ? "new.pooler.dense" : "gte.pooler.dense",
                        .is_gated = true});
}

Description describe_jina(const Config& config, const WeightFiles& files) {
    const Tensors tensors(files, {"roberta.", ""}, "embeddings.word_embeddings.weight");
    return rotary_bert(config, tensors,
                       {.layers = "encoder.layers.",
                        .fused = "mixer.Wqkv",
                        .output = "mixer.out_proj",
                        .attention_norm = "norm1",
                        .inner_norm = "norm2",
                        .embedding_norm = "emb_ln",
                        .head_norm = "lm_head.layer_norm",
                        .transform = "classifier.dense",
                        .classes = "classifier.out_proj",
                        .base = 20000.0,
                        .epsilon = 1e-5,
                        .hidden = 1024,
                        .inner = 4096,
                        .layers_count = 24,
                        .heads = 16,
                        .vocabulary = 250002,
                        .positions = 8194});
}

constexpr TensorName jina_outside[] = {{"token_embd", "embeddings.word_embeddings"},
                                       {"token_types", "embeddings.token_type_embeddings"},
                                       {"token_embd_norm", "emb_ln"}};
constexpr TensorName jina_inside[] = {
    {"attn_qkv", "mixer.Wqkv"}, {"attn_output", "mixer.out_proj"}, {"attn_output_norm", "norm1"},
    {"ffn_up", "mlp.fc1"},      {"ffn_down", "mlp.fc2"},           {"layer_output_norm", "norm2"},
};

Json jina_gguf_config(const GgufKeys& keys, std::string_view type) {
    auto config = common_gguf_config(keys, type);
    config["layer_norm_eps"] = keys.number("attention.layer_norm_epsilon");
    config["type_vocab_size"] = keys.has_tensor("token_types.weight") ? keys.rows("token_types.weight") : 0;
    add_gguf_rotary(keys, keys.plain_head_width(), false, config);
    return config;
}

} // namespace

std::vector<Architecture> roformer_architectures() {
    const auto row = [](std::string_view type, Describe describe) {
        return Architecture{
            .type = type, .describe = describe, .settings = settings_of_rotary_bert, .tensors = tensors_of_rotary_bert};
    };
    auto jina = row("jina_embeddings_v3", describe_jina);
    jina.gguf = {.name = "jina-bert-v3",
                 .outside = jina_outside,
                 .inside = jina_inside,
                 .block = "encoder.layers.",
                 .config = jina_gguf_config};
    return {row("gte", describe_gte), jina, row("roformer", describe_roformer)};
}

} // namespace attnlab::model
