// OLMo: Llama with norms that have no weights; 2 and 3 with norms behind each sublayer, and of queries and keys over
// all heads.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/llama_family.h"

namespace attnlab::model {
namespace {

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

/// The first OLMo: norms without weights, and a limit of queries, keys and values.
Description describe_olmo(const Config& config, const WeightFiles& files) {
    const LlamaDefaults defaults{.vocabulary = 50304, .epsilon = 1e-5, .epsilon_key = ""};
    const auto sizes = llama_sizes(config, defaults);
    const auto rotary = read_rotary(config, llama_rotary(sizes, defaults));
    const bool has_bias = config.flag("attention_bias", false);
    const double limit = config.number("clip_qkv", 0.0);
    if (config.has("clip_qkv") && !(limit > 0.0))
        config.fail("clip_qkv", ATTNLAB_TEXT("a number above 0, or null"));
    const Norm plain{.epsilon = sizes.epsilon};
    return decoder_like(config, files, sizes, {.tied = defaults.tied, .norm = plain},
                        [&](const Tensors& tensors, std::int64_t) {
                            Block block{.self = llama_attention(tensors, sizes, {has_bias, has_bias}),
                                        .self_norms = {.before = plain},
                                        .feed_forward = llama_feed_forward(tensors, sizes, false),
                                        .feed_forward_norms = {.before = plain}};
                            block.self.rotary = rotary;
                            block.self.clip = limit;
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

Json first_olmo_gguf_config(const GgufKeys& keys, std::string_view type) {
    auto config = layer_norm_gguf_config(keys, type, "layer_norm_epsilon", false);
    keys.copy_number("attention.clamp_kqv", config, "clip_qkv");
    return config;
}

/// A file with windows is one of OLMo 3.
Json olmo_gguf_config(const GgufKeys& keys, std::string_view type) {
    auto config = llama_gguf_config(keys, type);
    if (keys.has("attention.sliding_window") && keys.integer("attention.sliding_window") > 0) {
        config["model_type"] = "olmo3";
        config["sliding_window"] = keys.integer("attention.sliding_window");
        add_gguf_layer_types(keys, 4, config);
    }
    return config;
}

} // namespace

std::vector<Architecture> olmo_architectures() {
    return {{.type = "olmo",
             .describe = describe_olmo,
             .gguf = interleaved(llama_gguf("olmo", first_olmo_gguf_config)),
             .settings = llama_settings,
             .padding = 1},
            {.type = "olmo2",
             .describe = describe_olmo2,
             .gguf = {.name = "olmo2",
                      .outside = llama_outside,
                      .inside = both_norms_inside,
                      .block = llama_blocks,
                      .config = olmo_gguf_config,
                      .magnifies_sliding = false,
                      .needs_head = true},
             .settings = llama_settings,
             .padding = 1},
            {.type = "olmo3", .describe = describe_olmo3, .settings = llama_settings, .padding = 1}};
}

} // namespace attnlab::model
