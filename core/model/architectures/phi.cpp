// Phi, StableLM, StarCoder 2, Nemotron and Cohere: rotary positions as in Llama, LayerNorm, and some sublayers side by
// side.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/llama_family.h"

namespace attnlab::model {
namespace {

constexpr KnownEntry settings_of_cohere2[] = {
    rotary_position_setting,
    {.names = "order_of_interleaved_layers", .why = why_not_read::built_in, .values = "\"local_attn_first\""},
    {.names = "_sliding_window_pattern", .why = why_not_read::other_key},
    {.names = "rotary_pct", .why = why_not_read::built_in, .values = "1 1.0"},
    {.names = "use_embedding_sharing use_gated_activation use_parallel_block use_parallel_embedding",
     .why = why_not_read::built_in}};

RotaryDefaults partial_rotary(const LlamaSizes& sizes, const LlamaDefaults& defaults, double part) {
    auto rotary = llama_rotary(sizes, defaults);
    rotary.partial = true;
    rotary.partial_factor = part;
    return rotary;
}

FeedForward two_layers(const Tensors& tensors, const LlamaSizes& sizes, std::string_view up, std::string_view down,
                       bool has_bias) {
    return {.activation = sizes.activation,
            .up = tensors.linear(up, sizes.hidden, sizes.inner, has_bias),
            .down = tensors.linear(down, sizes.inner, sizes.hidden, has_bias)};
}

Description describe_phi(const Config& config, const WeightFiles& files) {
    config.refuse("qk_layernorm");
    const LlamaDefaults defaults{.hidden = 2048,
                                 .inner = 8192,
                                 .layers = 24,
                                 .vocabulary = 51200,
                                 .epsilon = 1e-5,
                                 .epsilon_key = "layer_norm_eps",
                                 .activation = "gelu_new"};
    const auto sizes = llama_sizes(config, defaults);
    const auto rotary = read_rotary(config, partial_rotary(sizes, defaults, 0.5));
    return decoder_like(
        config, files, sizes,
        {.tied = defaults.tied, .final_norm = "final_layernorm", .is_layer_norm = true, .head_has_bias = true},
        [&](const Tensors& tensors, std::int64_t) {
            const auto norm = tensors.layer_norm("input_layernorm", sizes.hidden, sizes.epsilon);
            const auto projection = [&](std::string_view name, std::int64_t width) {
                return tensors.linear(name, sizes.hidden, width, true);
            };
            return Block{.self = {.heads = sizes.heads,
                                  .key_value_heads = sizes.key_value_heads,
                                  .width = sizes.head_width,
                                  .scale = root_scale(sizes.head_width),
                                  .query = projection("self_attn.q_proj", sizes.query_width()),
                                  .key = projection("self_attn.k_proj", sizes.key_width()),
                                  .value = projection("self_attn.v_proj", sizes.key_width()),
                                  .output = tensors.linear("self_attn.dense", sizes.query_width(), sizes.hidden, true),
                                  .rotary = rotary,
                                  .causal = true},
                         .self_norms = {.before = norm},
                         .feed_forward = two_layers(tensors, sizes, "mlp.fc1", "mlp.fc2", true),
                         .feed_forward_norms = {.before = norm},
                         .parallel = true};
        });
}

Description describe_stablelm(const Config& config, const WeightFiles& files) {
    config.refuse("qk_layernorm");
    const LlamaDefaults defaults{.hidden = 2560,
                                 .inner = 6912,
                                 .vocabulary = 50304,
                                 .longest = 4096,
                                 .key_value_heads = 32,
                                 .epsilon = 1e-5,
                                 .epsilon_key = "layer_norm_eps"};
    const auto sizes = llama_sizes(config, defaults);
    const auto rotary = read_rotary(config, partial_rotary(sizes, defaults, 0.25));
    const bool has_bias = config.flag("use_qkv_bias", false), parallel = config.flag("use_parallel_residual", false);
    return decoder_like(config, files, sizes, {.tied = defaults.tied, .is_layer_norm = true},
                        [&](const Tensors& tensors, std::int64_t) {
                            const auto norm = [&](std::string_view name) {
                                return tensors.layer_norm(name, sizes.hidden, sizes.epsilon);
                            };
                            Block block{.self = llama_attention(tensors, sizes, {.query_key_value = has_bias}),
                                        .self_norms = {.before = norm("input_layernorm")},
                                        .feed_forward = llama_feed_forward(tensors, sizes, false),
                                        .parallel = parallel};
                            block.feed_forward_norms.before =
                                norm(parallel ? "input_layernorm" : "post_attention_layernorm");
                            block.self.rotary = rotary;
                            return block;
                        });
}

Description describe_starcoder2(const Config& config, const WeightFiles& files) {
    const LlamaDefaults defaults{.hidden = 3072,
                                 .inner = 12288,
                                 .layers = 30,
                                 .heads = 24,
                                 .vocabulary = 49152,
                                 .longest = 4096,
                                 .key_value_heads = 2,
                                 .epsilon = 1e-5,
                                 .epsilon_key = "norm_epsilon",
                                 .activation = "gelu_pytorch_tanh",
                                 .tied = true};
    const auto sizes = llama_sizes(config, defaults);
    const auto rotary = read_rotary(config, llama_rotary(sizes, defaults));
    const bool has_bias = config.flag("use_bias", true);
    const auto window = window_of(config, {});
    return decoder_like(config, files, sizes, {.tied = defaults.tied, .is_layer_norm = true},
                        [&](const Tensors& tensors, std::int64_t) {
                            const auto norm = [&](std::string_view name) {
                                return tensors.layer_norm(name, sizes.hidden, sizes.epsilon);
                            };
                            Block block{.self = llama_attention(tensors, sizes, {has_bias, has_bias}),
                                        .self_norms = {.before = norm("input_layernorm")},
                                        .feed_forward = two_layers(tensors, sizes, "mlp.c_fc", "mlp.c_proj", has_bias),
                                        .feed_forward_norms = {.before = norm("post_attention_layernorm")}};
                            block.self.rotary = rotary;
                            block.self.window = window;
                            return block;
                        });
}

/// Weights of norms are offsets from 1.
Description describe_nemotron(const Config& config, const WeightFiles& files) {
    const LlamaDefaults defaults{.hidden = 6144,
                                 .inner = 24576,
                                 .heads = 48,
                                 .vocabulary = 256000,
                                 .longest = 4096,
                                 .epsilon = 1e-5,
                                 .epsilon_key = "norm_eps",
                                 .activation = "relu2"};
    const auto sizes = llama_sizes(config, defaults);
    const auto rotary = read_rotary(config, partial_rotary(sizes, defaults, 0.5));
    const bool has_bias = config.flag("attention_bias", false), inner_bias = config.flag("mlp_bias", false);
    auto description = decoder_like(
        config, files, sizes, {.tied = defaults.tied, .is_layer_norm = true},
        [&](const Tensors& tensors, std::int64_t) {
            const auto norm = [&](std::string_view name) {
                auto made = tensors.layer_norm(name, sizes.hidden, sizes.epsilon);
                made.adds_one = true;
                return made;
            };
            Block block{.self = llama_attention(tensors, sizes, {has_bias, has_bias}),
                        .self_norms = {.before = norm("input_layernorm")},
                        .feed_forward = two_layers(tensors, sizes, "mlp.up_proj", "mlp.down_proj", inner_bias),
                        .feed_forward_norms = {.before = norm("post_attention_layernorm")}};
            block.self.rotary = rotary;
            return block;
        });
    description.decoder->norm->adds_one = true;
    return description;
}

/// Sublayers side by side behind one norm; rotary positions turn neighbours.
Description cohere_like(const Config& config, const WeightFiles& files, const LlamaDefaults& defaults,
                        const std::vector<std::int64_t>* windows) {
    const auto sizes = llama_sizes(config, defaults);
    auto rotary = read_rotary(config, llama_rotary(sizes, defaults));
    rotary.interleaved = true;
    const bool has_bias = config.flag("attention_bias", false);
    auto description = decoder_like(config, files, sizes, {.tied = defaults.tied, .is_layer_norm = true},
                                    [&](const Tensors& tensors, std::int64_t layer) {
                                        const auto norm = tensors.layer_norm_with_or_without_bias(
                                            "input_layernorm", sizes.hidden, sizes.epsilon);
                                        Block block{.self = llama_attention(tensors, sizes, {has_bias, has_bias}),
                                                    .self_norms = {.before = norm},
                                                    .feed_forward = llama_feed_forward(tensors, sizes, false),
                                                    .feed_forward_norms = {.before = norm},
                                                    .parallel = true};
                                        block.self.window = windows ? (*windows)[static_cast<std::size_t>(layer)] : 0;
                                        if (!windows || block.self.window > 0)
                                            block.self.rotary = rotary;
                                        return block;
                                    });
    const double factor = config.number("logit_scale", 0.0625);
    if (description.head)
        description.head->factor = factor;
    return description;
}

const LlamaDefaults cohere_defaults{.hidden = 8192,
                                    .inner = 22528,
                                    .layers = 40,
                                    .heads = 64,
                                    .vocabulary = 256000,
                                    .longest = 8192,
                                    .epsilon = 1e-5,
                                    .base = 500000.0,
                                    .epsilon_key = "layer_norm_eps",
                                    .tied = true};

Description describe_cohere(const Config& config, const WeightFiles& files) {
    config.refuse("use_qk_norm");
    return cohere_like(config, files, cohere_defaults, nullptr);
}

/// Layers without a window have no positions.
Description describe_cohere2(const Config& config, const WeightFiles& files) {
    auto defaults = cohere_defaults;
    defaults.base = 10000.0;
    const auto pattern = config.size("sliding_window_pattern", 4);
    const auto types = layer_types(config, config.layers("num_hidden_layers", defaults.layers),
                                   [&](auto layer) { return (layer + 1) % pattern != 0; });
    const auto windows = windows_of(types, config.size("sliding_window", 4096));
    return cohere_like(config, files, defaults, &windows);
}

constexpr TensorName phi_outside[] = {
    {"token_embd", "model.embed_tokens"}, {"output_norm", "model.final_layernorm"}, {"output", "lm_head"}};
constexpr TensorName phi_inside[] = {
    {"attn_norm", "input_layernorm"}, {"attn_q", "self_attn.q_proj"},     {"attn_k", "self_attn.k_proj"},
    {"attn_v", "self_attn.v_proj"},   {"attn_output", "self_attn.dense"}, {"ffn_up", "mlp.fc1"},
    {"ffn_down", "mlp.fc2"}};
constexpr TensorName starcoder2_inside[] = {
    {"attn_norm", "input_layernorm"}, {"attn_q", "self_attn.q_proj"},      {"attn_k", "self_attn.k_proj"},
    {"attn_v", "self_attn.v_proj"},   {"attn_output", "self_attn.o_proj"}, {"ffn_norm", "post_attention_layernorm"},
    {"ffn_up", "mlp.c_fc"},           {"ffn_down", "mlp.c_proj"}};

Json phi_gguf_config(const GgufKeys& keys, std::string_view type) {
    return layer_norm_gguf_config(keys, type, "layer_norm_eps", true);
}

Json starcoder2_gguf_config(const GgufKeys& keys, std::string_view type) {
    return layer_norm_gguf_config(keys, type, "norm_epsilon", false);
}

Json nemotron_gguf_config(const GgufKeys& keys, std::string_view type) {
    return layer_norm_gguf_config(keys, type, "norm_eps", true);
}

Json stablelm_gguf_config(const GgufKeys& keys, std::string_view type) {
    auto config = phi_gguf_config(keys, type);
    config["use_parallel_residual"] = keys.has("use_parallel_residual") && keys.flag("use_parallel_residual");
    config["use_qkv_bias"] = keys.has_tensor("blk.0.attn_q.bias");
    config["qk_layernorm"] = keys.has_tensor("blk.0.attn_q_norm.weight");
    return config;
}

Json cohere_gguf_config(const GgufKeys& keys, std::string_view type) {
    auto config = layer_norm_gguf_config(keys, type, "layer_norm_eps", false);
    config["logit_scale"] = keys.factor_or("logit_scale", 1.0);
    config["use_qk_norm"] = keys.has_tensor("blk.0.attn_q_norm.weight");
    return config;
}

Json cohere2_gguf_config(const GgufKeys& keys, std::string_view type) {
    auto config = cohere_gguf_config(keys, type);
    keys.copy_integer("attention.sliding_window", config, "sliding_window");
    add_gguf_layer_types(keys, 4, config);
    return config;
}

GgufArchitecture nemotron_gguf() {
    auto architecture = llama_gguf("nemotron", nemotron_gguf_config);
    architecture.has_whole_norms = true;
    return architecture;
}

} // namespace

std::vector<Architecture> phi_architectures() {
    return {{.type = "cohere",
             .describe = describe_cohere,
             .gguf = interleaved(llama_gguf("command-r", cohere_gguf_config)),
             .settings = llama_settings},
            {.type = "cohere2",
             .describe = describe_cohere2,
             .gguf = interleaved(llama_gguf("cohere2", cohere2_gguf_config)),
             .settings = settings_of_cohere2},
            {.type = "nemotron",
             .describe = describe_nemotron,
             .gguf = with_own_head(nemotron_gguf()),
             .settings = llama_settings},
            {.type = "phi",
             .describe = describe_phi,
             .gguf = with_own_head(llama_gguf("phi2", phi_gguf_config, phi_inside, phi_outside)),
             .settings = llama_settings},
            {.type = "stablelm",
             .describe = describe_stablelm,
             .gguf = with_own_head(llama_gguf("stablelm", stablelm_gguf_config)),
             .settings = llama_settings},
            {.type = "starcoder2",
             .describe = describe_starcoder2,
             .gguf = llama_gguf("starcoder2", starcoder2_gguf_config, starcoder2_inside),
             .settings = llama_settings}};
}

} // namespace attnlab::model
