// Llama and its relatives that differ in few settings.
#include "core/model/llama_parts.h"

namespace attnlab::model {
namespace {

/// Windows of all layers of Qwen.
std::vector<std::int64_t> qwen_windows(const Config& config, std::int64_t layers) {
    const bool slides = config.flag("use_sliding_window", false);
    if (!slides)
        config.ignore("sliding_window", ATTNLAB_TEXT("use_sliding_window is not true"));
    const auto window = slides ? window_of(config, 4096) : 0;
    const auto from = config.integer("max_window_layers").value_or(28);
    std::vector<std::int64_t> windows;
    for (const auto type : layer_types(config, layers, [&](auto layer) { return window > 0 && layer >= from; })) {
        if (type == LayerType::Sliding && window == 0)
            config.fail("layer_types", ATTNLAB_TEXT("full_attention alone without a sliding_window in use"));
        windows.push_back(type == LayerType::Sliding ? window : 0);
    }
    return windows;
}

/// Mistral, whose layers all slide, and Ministral, which has a type for each layer. A file of Mistral with types is one
/// of Ministral, as in Transformers.
Description mistral_like(const Config& config, const WeightFiles& files, bool has_types) {
    const LlamaDefaults defaults{.inner = 14336, .longest = 131072, .key_value_heads = 8};
    const auto sizes = llama_sizes(config, defaults);
    const auto rotary = read_rotary(config, llama_rotary(sizes, defaults));
    const auto window = window_of(config, 4096);
    const auto types = has_types ? layer_types(config, sizes.layers, [&](auto) { return window > 0; })
                                 : std::vector(static_cast<std::size_t>(sizes.layers), LayerType::Sliding);
    const auto windows = windows_of(types, window);
    return llama_like(config, files, sizes, defaults.tied, [&](const Tensors& tensors, std::int64_t layer) {
        auto block = llama_block(tensors, sizes, {});
        block.self.rotary = rotary;
        block.self.window = windows[static_cast<std::size_t>(layer)];
        return block;
    });
}

/// Norms behind each sublayer, and of queries and keys over all heads.
Block olmo_block(const Tensors& tensors, const LlamaSizes& sizes, bool has_bias) {
    const auto norm = [&](std::string_view name, std::int64_t width) {
        return tensors.rms_norm(name, width, sizes.epsilon);
    };
    Block block{.self = llama_attention(tensors, sizes, {has_bias, has_bias}),
                .self_norms = {.after = norm("post_attention_layernorm", sizes.hidden)},
                .feed_forward = llama_feed_forward(tensors, sizes, false),
                .feed_forward_norms = {.after = norm("post_feedforward_layernorm", sizes.hidden)}};
    block.self.query_norm = norm("self_attn.q_norm", sizes.query_width());
    block.self.key_norm = norm("self_attn.k_norm", sizes.key_width());
    block.self.norm_spans_heads = true;
    return block;
}

} // namespace

Description describe_llama(const Config& config, const WeightFiles& files) {
    const LlamaDefaults defaults;
    const auto sizes = llama_sizes(config, defaults);
    const bool has_bias = config.flag("attention_bias", false);
    const Biases biases{has_bias, has_bias, config.flag("mlp_bias", false)};
    const auto rotary = read_rotary(config, llama_rotary(sizes, defaults));
    return llama_like(config, files, sizes, defaults.tied, [&](const Tensors& tensors, std::int64_t) {
        auto block = llama_block(tensors, sizes, biases);
        block.self.rotary = rotary;
        return block;
    });
}

Description describe_mistral(const Config& config, const WeightFiles& files) {
    return mistral_like(config, files, config.mentions("layer_types"));
}

Description describe_ministral(const Config& config, const WeightFiles& files) {
    return mistral_like(config, files, true);
}

Description describe_qwen2(const Config& config, const WeightFiles& files) {
    const LlamaDefaults defaults{.inner = 22016, .vocabulary = 151936, .longest = 32768, .key_value_heads = 32};
    const auto sizes = llama_sizes(config, defaults);
    const auto rotary = read_rotary(config, llama_rotary(sizes, defaults));
    const auto windows = qwen_windows(config, sizes.layers);
    return llama_like(config, files, sizes, defaults.tied, [&](const Tensors& tensors, std::int64_t layer) {
        auto block = llama_block(tensors, sizes, {.query_key_value = true});
        block.self.rotary = rotary;
        block.self.window = windows[static_cast<std::size_t>(layer)];
        return block;
    });
}

Description describe_qwen3(const Config& config, const WeightFiles& files) {
    const LlamaDefaults defaults{
        .inner = 22016, .vocabulary = 151936, .longest = 32768, .key_value_heads = 32, .head_width = 128};
    const auto sizes = llama_sizes(config, defaults);
    const auto rotary = read_rotary(config, llama_rotary(sizes, defaults));
    const auto windows = qwen_windows(config, sizes.layers);
    const bool has_bias = config.flag("attention_bias", false);
    return llama_like(config, files, sizes, defaults.tied, [&](const Tensors& tensors, std::int64_t layer) {
        auto block = llama_block(tensors, sizes, {has_bias, has_bias});
        block.self.rotary = rotary;
        block.self.window = windows[static_cast<std::size_t>(layer)];
        block.self.query_norm = tensors.rms_norm("self_attn.q_norm", sizes.head_width, sizes.epsilon);
        block.self.key_norm = tensors.rms_norm("self_attn.k_norm", sizes.head_width, sizes.epsilon);
        return block;
    });
}

Description describe_olmo2(const Config& config, const WeightFiles& files) {
    const LlamaDefaults defaults{.vocabulary = 50304, .epsilon = 1e-5};
    const auto sizes = llama_sizes(config, defaults);
    const auto rotary = read_rotary(config, llama_rotary(sizes, defaults));
    const bool has_bias = config.flag("attention_bias", false);
    return llama_like(config, files, sizes, defaults.tied, [&](const Tensors& tensors, std::int64_t) {
        auto block = olmo_block(tensors, sizes, has_bias);
        block.self.rotary = rotary;
        return block;
    });
}

/// OLMo 2 with windows, and a scaling of rotary positions in the layers without one.
Description describe_olmo3(const Config& config, const WeightFiles& files) {
    const LlamaDefaults defaults{.vocabulary = 50304, .epsilon = 1e-5, .base = 500000.0};
    const auto sizes = llama_sizes(config, defaults);
    const auto types = layer_types(config, sizes.layers, [](auto layer) { return (layer + 1) % 4 != 0; });
    const auto windows = windows_of(types, window_of(config, 4096));
    const auto rotary = read_rotary_by_layer(config, llama_rotary(sizes, defaults), "rope_theta");
    const bool has_bias = config.flag("attention_bias", false);
    return llama_like(config, files, sizes, defaults.tied, [&](const Tensors& tensors, std::int64_t layer) {
        auto block = olmo_block(tensors, sizes, has_bias);
        const auto at = static_cast<std::size_t>(layer);
        block.self.window = windows[at];
        block.self.rotary = types[at] == LayerType::Sliding ? rotary.sliding : rotary.full;
        return block;
    });
}

Description describe_phi3(const Config& config, const WeightFiles& files) {
    const LlamaDefaults defaults{.hidden = 3072, .inner = 8192, .vocabulary = 32064, .longest = 4096, .epsilon = 1e-5};
    const auto sizes = llama_sizes(config, defaults);
    auto rotary_defaults = llama_rotary(sizes, defaults);
    rotary_defaults.partial = true;
    rotary_defaults.other_names = true;
    rotary_defaults.original_length = 4096;
    const auto rotary = read_rotary(config, rotary_defaults);
    const auto window = window_of(config, {});
    return llama_like(config, files, sizes, defaults.tied, [&](const Tensors& tensors, std::int64_t) {
        const auto norm = [&](std::string_view name) { return tensors.rms_norm(name, sizes.hidden, sizes.epsilon); };
        const auto query = sizes.query_width(), key = sizes.key_width();
        const auto fused = tensors.linear("self_attn.qkv_proj", sizes.hidden, query + 2 * key, false);
        const auto gate_up = tensors.linear("mlp.gate_up_proj", sizes.hidden, 2 * sizes.inner, false);
        return Block{.self = {.heads = sizes.heads,
                              .key_value_heads = sizes.key_value_heads,
                              .width = sizes.head_width,
                              .scale = root_scale(sizes.head_width),
                              .query = part_of(fused, 0, query),
                              .key = part_of(fused, query, key),
                              .value = part_of(fused, query + key, key),
                              .output = tensors.linear("self_attn.o_proj", query, sizes.hidden, false),
                              .rotary = rotary,
                              .causal = true,
                              .window = window},
                     .self_norms = {.before = norm("input_layernorm")},
                     .feed_forward = {.activation = sizes.activation,
                                      .gate = part_of(gate_up, 0, sizes.inner),
                                      .up = part_of(gate_up, sizes.inner, sizes.inner),
                                      .down = tensors.linear("mlp.down_proj", sizes.inner, sizes.hidden, false)},
                     .feed_forward_norms = {.before = norm("post_attention_layernorm")}};
    });
}

} // namespace attnlab::model
