// Granite, and others that differ from Llama in a factor, a norm or a layer: SmolLM3, EXAONE 4, Arcee, Seed-OSS, Helium
// and ERNIE 4.5.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/llama_family.h"

namespace attnlab::model {
namespace {

Description describe_granite(const Config& config, const WeightFiles& files) {
    const LlamaDefaults defaults;
    const auto sizes = llama_sizes(config, defaults);
    const bool has_bias = config.flag("attention_bias", false);
    const Biases biases{has_bias, has_bias, config.flag("mlp_bias", false)};
    const auto rotary = read_rotary(config, llama_rotary(sizes, defaults));
    const auto factors = granite_factors(config);
    auto description = llama_like(config, files, sizes, defaults.tied, [&](const Tensors& tensors, std::int64_t) {
        auto block = llama_block(tensors, sizes, biases);
        block.self.rotary = rotary;
        factors.apply(block);
        return block;
    });
    factors.apply(description);
    return description;
}

/// Every fourth layer has no positions.
Description describe_smollm3(const Config& config, const WeightFiles& files) {
    const LlamaDefaults defaults{.hidden = 2048,
                                 .layers = 36,
                                 .heads = 16,
                                 .vocabulary = 128256,
                                 .longest = 32768,
                                 .key_value_heads = 4,
                                 .base = 2000000.0,
                                 .tied = true};
    const auto sizes = llama_sizes(config, defaults);
    const bool has_bias = config.flag("attention_bias", false);
    const Biases biases{has_bias, has_bias, config.flag("mlp_bias", false)};
    const auto rotary = read_rotary(config, llama_rotary(sizes, defaults));
    const auto interval = config.size("no_rope_layer_interval", 4);
    std::vector<bool> turns;
    for (std::int64_t layer = 0; layer < sizes.layers; ++layer)
        turns.push_back((layer + 1) % interval != 0);
    if (config.has("no_rope_layers")) {
        const auto given = config.numbers("no_rope_layers");
        if (std::ssize(given) < sizes.layers)
            config.fail("no_rope_layers", {ATTNLAB_TEXT("%1 entries"), {std::to_string(sizes.layers)}});
        for (std::size_t layer = 0; layer < turns.size(); ++layer)
            turns[layer] = given[layer] != 0.0;
    }
    const bool slides = config.flag("use_sliding_window", false);
    const auto window = slides ? window_of(config, {}) : 0;
    const auto types = layer_types(config, sizes.layers,
                                   [&](auto layer) { return window > 0 && !turns[static_cast<std::size_t>(layer)]; });
    for (const auto type : types)
        if (type == LayerType::Sliding && window == 0)
            config.fail("layer_types", ATTNLAB_TEXT("full_attention alone without a sliding_window in use"));
    return llama_like(config, files, sizes, defaults.tied, [&](const Tensors& tensors, std::int64_t layer) {
        auto block = llama_block(tensors, sizes, biases);
        if (turns[static_cast<std::size_t>(layer)])
            block.self.rotary = rotary;
        block.self.window = types[static_cast<std::size_t>(layer)] == LayerType::Sliding ? window : 0;
        return block;
    });
}

/// Norms behind each sublayer, and of queries and keys; layers without a window have no positions beside others.
Description describe_exaone4(const Config& config, const WeightFiles& files) {
    const LlamaDefaults defaults{
        .inner = 16384, .vocabulary = 102400, .longest = 2048, .key_value_heads = 32, .epsilon = 1e-5};
    const auto sizes = llama_sizes(config, defaults);
    const auto rotary = read_rotary(config, llama_rotary(sizes, defaults));
    const auto window = window_of(config, 4096);
    if (config.has("layer_types"))
        config.ignore("sliding_window_pattern", why_not_read::other_key);
    const auto pattern = config.has("layer_types") ? 1 : config.size("sliding_window_pattern", 4);
    if (!config.has("layer_types") && window == 0)
        config.fail("layer_types", {ATTNLAB_TEXT("%1 entries"), {std::to_string(sizes.layers)}});
    const auto types = layer_types(config, sizes.layers, [&](auto layer) { return (layer + 1) % pattern != 0; });
    return llama_like(config, files, sizes, defaults.tied, [&](const Tensors& tensors, std::int64_t layer) {
        const bool slides = types[static_cast<std::size_t>(layer)] == LayerType::Sliding;
        const auto norm = [&](std::string_view name, std::int64_t width) {
            return tensors.rms_norm(name, width, sizes.epsilon);
        };
        Block block{.self = llama_attention(tensors, sizes, {}),
                    .self_norms = {.after = norm("post_attention_layernorm", sizes.hidden)},
                    .feed_forward = llama_feed_forward(tensors, sizes, false),
                    .feed_forward_norms = {.after = norm("post_feedforward_layernorm", sizes.hidden)}};
        block.self.query_norm = norm("self_attn.q_norm", sizes.head_width);
        block.self.key_norm = norm("self_attn.k_norm", sizes.head_width);
        block.self.window = slides ? window : 0;
        if (window == 0 || slides)
            block.self.rotary = rotary;
        return block;
    });
}

/// A feed-forward of two layers.
Description describe_arcee(const Config& config, const WeightFiles& files) {
    const LlamaDefaults defaults{
        .hidden = 2560, .inner = 18432, .longest = 4096, .epsilon = 1e-5, .activation = "relu2"};
    const auto sizes = llama_sizes(config, defaults);
    const bool has_bias = config.flag("attention_bias", false), inner_bias = config.flag("mlp_bias", false);
    const auto rotary = read_rotary(config, llama_rotary(sizes, defaults));
    return llama_like(config, files, sizes, defaults.tied, [&](const Tensors& tensors, std::int64_t) {
        const auto norm = [&](std::string_view name) { return tensors.rms_norm(name, sizes.hidden, sizes.epsilon); };
        Block block{.self = llama_attention(tensors, sizes, {has_bias, has_bias}),
                    .self_norms = {.before = norm("input_layernorm")},
                    .feed_forward = {.activation = sizes.activation,
                                     .up = tensors.linear("mlp.up_proj", sizes.hidden, sizes.inner, inner_bias),
                                     .down = tensors.linear("mlp.down_proj", sizes.inner, sizes.hidden, inner_bias)},
                    .feed_forward_norms = {.before = norm("post_attention_layernorm")}};
        block.self.rotary = rotary;
        return block;
    });
}

Description describe_seed_oss(const Config& config, const WeightFiles& files) {
    const LlamaDefaults defaults{.inner = 27648,
                                 .layers = 64,
                                 .heads = 80,
                                 .vocabulary = 155136,
                                 .longest = 524288,
                                 .key_value_heads = 8,
                                 .head_width = 128};
    const auto sizes = llama_sizes(config, defaults);
    const Biases biases{config.flag("attention_bias", true), config.flag("attention_out_bias", false),
                        config.flag("mlp_bias", false)};
    const auto rotary = read_rotary(config, llama_rotary(sizes, defaults));
    return llama_like(config, files, sizes, defaults.tied, [&](const Tensors& tensors, std::int64_t) {
        auto block = llama_block(tensors, sizes, biases);
        block.self.rotary = rotary;
        return block;
    });
}

/// Llama whose rotary positions turn neighbours.
Description interleaved_like(const Config& config, const WeightFiles& files, const LlamaDefaults& defaults,
                             const Biases& biases) {
    const auto sizes = llama_sizes(config, defaults);
    auto rotary = read_rotary(config, llama_rotary(sizes, defaults));
    rotary.interleaved = true;
    return llama_like(config, files, sizes, defaults.tied, [&](const Tensors& tensors, std::int64_t) {
        auto block = llama_block(tensors, sizes, biases);
        block.self.rotary = rotary;
        return block;
    });
}

Description describe_helium(const Config& config, const WeightFiles& files) {
    return interleaved_like(
        config, files,
        {.hidden = 2560,
         .inner = 7040,
         .layers = 24,
         .heads = 20,
         .vocabulary = 48000,
         .longest = 4096,
         .key_value_heads = 20,
         .head_width = 128,
         .epsilon = 1e-8,
         .base = 100000.0},
        {.query_key_value = config.flag("attention_bias", false), .feed_forward = config.flag("mlp_bias", false)});
}

Description describe_ernie4_5(const Config& config, const WeightFiles& files) {
    const bool has_bias = config.flag("use_bias", false);
    return interleaved_like(config, files,
                            {.hidden = 1024,
                             .inner = 3072,
                             .layers = 18,
                             .heads = 16,
                             .vocabulary = 103424,
                             .longest = 131072,
                             .key_value_heads = 2,
                             .head_width = 128,
                             .epsilon = 1e-5,
                             .base = 500000.0,
                             .tied = true},
                            {has_bias, has_bias, has_bias});
}

/// Without a window all layers have positions.
Json exaone4_gguf_config(const GgufKeys& keys, std::string_view type) {
    auto config = llama_gguf_config(keys, type);
    const bool slides = keys.has("attention.sliding_window") && keys.integer("attention.sliding_window") > 0;
    config["sliding_window"] = nullptr;
    if (slides)
        keys.copy_integer("attention.sliding_window", config, "sliding_window");
    add_gguf_layer_types(keys, slides ? 4 : 1, config);
    return config;
}

constexpr TensorName seed_oss_inside[] = {
    {"attn_norm", "input_layernorm"},    {"attn_q", "self_attn.q_proj"},
    {"attn_k", "self_attn.k_proj"},      {"attn_v", "self_attn.v_proj"},
    {"attn_output", "self_attn.o_proj"}, {"post_attention_norm", "post_attention_layernorm"},
    {"ffn_gate", "mlp.gate_proj"},       {"ffn_up", "mlp.up_proj"},
    {"ffn_down", "mlp.down_proj"}};

/// A file of the dense kind may say that its layers have no positions.
Json dense_granite_gguf_config(const GgufKeys& keys, std::string_view type) {
    keys.require_flag("rope.scaling.finetuned", true);
    return granite_gguf_config(keys, type);
}

} // namespace

std::vector<Architecture> granite_architectures() {
    return {{.type = "arcee",
             .describe = describe_arcee,
             .gguf = interleaved(llama_gguf("arcee")),
             .settings = llama_settings},
            {.type = "ernie4_5",
             .describe = describe_ernie4_5,
             .gguf = interleaved(llama_gguf("ernie4_5")),
             .settings = llama_settings},
            {.type = "exaone4",
             .describe = describe_exaone4,
             .gguf = llama_gguf("exaone4", exaone4_gguf_config, both_norms_inside),
             .settings = llama_settings},
            {.type = "granite",
             .describe = describe_granite,
             .gguf = interleaved(llama_gguf("granite", dense_granite_gguf_config)),
             .settings = llama_settings},
            {.type = "helium", .describe = describe_helium, .settings = llama_settings, .padding = 3},
            {.type = "seed_oss",
             .describe = describe_seed_oss,
             .gguf = llama_gguf("seed_oss", llama_gguf_config, seed_oss_inside),
             .settings = llama_settings,
             .padding = 1},
            {.type = "smollm3",
             .describe = describe_smollm3,
             .gguf = interleaved(llama_gguf("smollm3")),
             .settings = llama_settings,
             .padding = 128004}};
}

} // namespace attnlab::model
