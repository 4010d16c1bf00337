// GPT-NeoX (Pythia): rotary positions in a part of each head, and sublayers side by side.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/task_head.h"
#include "core/model/gguf/gguf_config.h"

#include <algorithm>

namespace attnlab::model {
namespace {

constexpr KnownEntry settings_of_gpt_neox[] = {
    {.names = "position_embedding_type", .why = why_not_read::built_in, .values = "\"rope\" \"rotary\""}};

constexpr TensorName gpt_neox_outside[] = {
    {"token_embd", "gpt_neox.embed_in"}, {"output_norm", "gpt_neox.final_layer_norm"}, {"output", "embed_out"}};
constexpr TensorName gpt_neox_inside[] = {
    {"attn_norm", "input_layernorm"},   {"attn_qkv", "attention.query_key_value"},
    {"attn_output", "attention.dense"}, {"ffn_norm", "post_attention_layernorm"},
    {"ffn_up", "mlp.dense_h_to_4h"},    {"ffn_down", "mlp.dense_4h_to_h"},
};

Attention gpt_neox_attention(const Config& config, const Tensors& tensors, std::int64_t hidden) {
    const auto heads = config.size("num_attention_heads", 64);
    const auto width = even_head_width(config, "num_attention_heads", hidden, heads);
    const bool has_bias = config.flag("attention_bias", true);
    auto made = fused_by_head(tensors.linear("attention.query_key_value", hidden, 3 * hidden, has_bias), hidden, heads);
    made.output = tensors.linear("attention.dense", hidden, hidden, has_bias);
    made.rotary = read_rotary(config, {.head_width = width,
                                       .partial = true,
                                       .partial_factor = 0.25,
                                       .base_key = "rotary_emb_base",
                                       .partial_key = "rotary_pct",
                                       .longest = 2048});
    return made;
}

Description describe_gpt_neox(const Config& config, const WeightFiles& files) {
    const Tensors tensors(files, {"gpt_neox.", ""}, "embed_in.weight");
    const auto hidden = config.size("hidden_size", 6144);
    const auto inner = config.size("intermediate_size", 24576);
    const auto vocabulary = config.size("vocab_size", 50432);
    const auto epsilon = config.epsilon("layer_norm_eps", 1e-5);
    const auto* activation = activation_of(config, "hidden_act", "gelu");
    Stack stack{.name = "decoder", .width = hidden};
    stack.embedding.tokens = tensors.at("embed_in.weight", {vocabulary, hidden});
    for (std::int64_t layer = 0; layer < config.layers("num_hidden_layers", 44); ++layer) {
        const auto below = tensors.below("layers." + std::to_string(layer) + ".");
        stack.blocks.push_back(
            {.self = gpt_neox_attention(config, below, hidden),
             .self_norms = {.before = below.layer_norm("input_layernorm", hidden, epsilon)},
             .feed_forward = {.activation = activation,
                              .up = below.linear("mlp.dense_h_to_4h", hidden, inner, true),
                              .down = below.linear("mlp.dense_4h_to_h", inner, hidden, true)},
             .feed_forward_norms = {.before = below.layer_norm("post_attention_layernorm", hidden, epsilon)},
             .parallel = config.flag("use_parallel_residual", true)});
    }
    stack.norm = tensors.layer_norm("final_layer_norm", hidden, epsilon);
    Description description{.vocabulary = vocabulary};
    if (has_head(config, {"ForCausalLM"}))
        description.head = {.output = output_of(tensors.outside(), "embed_out", stack.embedding.tokens,
                                                config.flag("tie_word_embeddings", false), vocabulary, hidden)};
    else
        add_score_head(config, tensors.outside(), hidden, description);
    description.decoder = std::move(stack);
    return description;
}

Json gpt_neox_gguf_config(const GgufKeys& keys, std::string_view type) {
    auto config = common_gguf_config(keys, type);
    const auto width = keys.plain_head_width();
    config["layer_norm_eps"] = keys.number("attention.layer_norm_epsilon");
    config["use_parallel_residual"] = !keys.has("use_parallel_residual") || keys.flag("use_parallel_residual");
    config["rotary_emb_base"] = keys.has("rope.freq_base") ? keys.number("rope.freq_base") : 10000.0;
    const auto turned = keys.has("rope.dimension_count") ? keys.integer("rope.dimension_count") : width;
    config["rotary_pct"] = static_cast<double>(turned) / static_cast<double>(std::max<std::int64_t>(1, width));
    add_gguf_scaling(keys, config);
    return config;
}

} // namespace

std::vector<Architecture> gpt_neox_architectures() {
    return {{.type = "gpt_neox",
             .describe = describe_gpt_neox,
             .gguf = {.name = "gptneox",
                      .outside = gpt_neox_outside,
                      .inside = gpt_neox_inside,
                      .block = "gpt_neox.layers.",
                      .config = gpt_neox_gguf_config,
                      .heads_follow_kinds = true,
                      .needs_head = true},
             .settings = settings_of_gpt_neox}};
}

} // namespace attnlab::model
