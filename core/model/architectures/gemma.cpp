// Gemma: norms of 1 + w; in 2 and 3 on both sides of each sublayer, and windows in some layers.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/llama_family.h"

#include <cmath>
#include <string>
#include <vector>

namespace attnlab::model {
namespace {

constexpr KnownEntry other_activation{.names = "hidden_act", .why = why_not_read::other_key};
constexpr KnownEntry settings_of_gemma[] = {rotary_position_setting,
                                            {.names = "hidden_activation", .why = why_not_read::other_key}};
constexpr KnownEntry settings_of_gemma2[] = {rotary_position_setting, other_activation};
constexpr KnownEntry settings_of_gemma3[] = {
    rotary_position_setting, other_activation, {.names = "_sliding_window_pattern", .why = why_not_read::other_key}};

const LlamaDefaults gemma_defaults{.hidden = 2304,
                                   .inner = 9216,
                                   .layers = 26,
                                   .heads = 8,
                                   .vocabulary = 256000,
                                   .longest = 8192,
                                   .key_value_heads = 4,
                                   .head_width = 256,
                                   .activation_key = "hidden_activation",
                                   .activation = "gelu_pytorch_tanh",
                                   .tied = true};

/// Of a soft cap: null is none, and 0 would divide by it.
double cap_of(const Config& config, std::string_view key, double absent) {
    if (!config.mentions(key))
        return absent;
    const auto given = config.number(key);
    if (given && !(*given > 0.0))
        config.fail(key, ATTNLAB_TEXT("a number above 0, or null"));
    return given.value_or(0.0);
}

/// Norms of 1 + w on both sides of each sublayer.
Block gemma_block(const Config& config, const Tensors& tensors, const LlamaSizes& sizes) {
    const auto norm = [&](std::string_view name) {
        auto made = tensors.rms_norm(name, sizes.hidden, sizes.epsilon);
        made.adds_one = true;
        return made;
    };
    const bool has_bias = config.flag("attention_bias", false);
    Block block{.self = llama_attention(tensors, sizes, {has_bias, has_bias}),
                .self_norms = {.before = norm("input_layernorm"), .after = norm("post_attention_layernorm")},
                .feed_forward = llama_feed_forward(tensors, sizes, false),
                .feed_forward_norms = {.before = norm("pre_feedforward_layernorm"),
                                       .after = norm("post_feedforward_layernorm")}};
    const double scalar = config.number("query_pre_attn_scalar", 256.0);
    if (!(scalar > 0.0))
        config.fail("query_pre_attn_scalar", ATTNLAB_TEXT("a number above 0"));
    block.self.scale = 1.0 / std::sqrt(scalar);
    return block;
}

Description gemma_like(const Config& config, const WeightFiles& files, const LlamaSizes& sizes, double absent_cap,
                       const MakeBlock& block) {
    auto description = llama_like(config, files, sizes, gemma_defaults.tied, block);
    description.decoder->embedding.factor = std::sqrt(static_cast<double>(sizes.hidden));
    description.decoder->norm->adds_one = true;
    const double cap = cap_of(config, "final_logit_softcapping", absent_cap); // of tokens, not of classes
    if (description.head && description.head->outcomes == Head::Outcomes::Tokens)
        description.head->soft_cap = cap;
    return description;
}

/// The first Gemma: Llama with norms of 1 + w and a scaled embedding.
Description describe_gemma(const Config& config, const WeightFiles& files) {
    config.refuse("use_bidirectional_attention");
    const LlamaDefaults defaults{.hidden = 3072,
                                 .inner = 24576,
                                 .layers = 28,
                                 .heads = 16,
                                 .vocabulary = 256000,
                                 .longest = 8192,
                                 .key_value_heads = 16,
                                 .head_width = 256,
                                 .activation = "gelu_pytorch_tanh",
                                 .tied = true};
    auto sizes = llama_sizes(config, defaults);
    if (sizes.activation == find_activation("gelu")) // the first files say so and mean the approximation
        sizes.activation = find_activation("gelu_pytorch_tanh");
    const auto rotary = read_rotary(config, llama_rotary(sizes, defaults));
    const bool has_bias = config.flag("attention_bias", false);
    auto description = llama_like(config, files, sizes, defaults.tied, [&](const Tensors& tensors, std::int64_t) {
        auto block = llama_block(tensors, sizes, {has_bias, has_bias});
        block.self.rotary = rotary;
        block.self_norms.before->adds_one = block.feed_forward_norms.before->adds_one = true;
        return block;
    });
    description.decoder->embedding.factor = std::sqrt(static_cast<double>(sizes.hidden));
    description.decoder->norm->adds_one = true;
    return description;
}

Description describe_gemma2(const Config& config, const WeightFiles& files) {
    config.refuse("use_bidirectional_attention");
    const auto sizes = llama_sizes(config, gemma_defaults);
    const auto rotary = read_rotary(config, llama_rotary(sizes, gemma_defaults));
    const auto types = layer_types(config, sizes.layers, [](auto layer) { return layer % 2 == 0; });
    const auto window = window_of(config, 4096);
    const double cap = cap_of(config, "attn_logit_softcapping", 50.0);
    return gemma_like(config, files, sizes, 30.0, [&](const Tensors& tensors, std::int64_t layer) {
        auto block = gemma_block(config, tensors, sizes);
        block.self.rotary = rotary;
        block.self.soft_cap = cap;
        block.self.window = types[static_cast<std::size_t>(layer)] == LayerType::Sliding ? window : 0;
        return block;
    });
}

Description describe_gemma3(const Config& config, const WeightFiles& files) {
    auto defaults = gemma_defaults;
    defaults.vocabulary = 262208;
    defaults.longest = 131072;
    const auto sizes = llama_sizes(config, defaults);
    const auto pattern = config.size("sliding_window_pattern", 6);
    const auto types = layer_types(config, sizes.layers, [&](auto layer) { return (layer + 1) % pattern != 0; });
    const bool both_ways = config.flag("use_bidirectional_attention", false);
    const auto given = window_of(config, 4096);
    const auto window = both_ways && given > 0 ? given / 2 + 1 : given;
    auto rotary_defaults = llama_rotary(sizes, defaults);
    rotary_defaults.base = 1000000.0;
    const auto rotary = read_rotary_by_layer(config, rotary_defaults, "rope_local_base_freq", 10000.0);
    return gemma_like(config, files, sizes, 0.0, [&](const Tensors& tensors, std::int64_t layer) {
        auto block = gemma_block(config, tensors, sizes);
        const bool slides = types[static_cast<std::size_t>(layer)] == LayerType::Sliding;
        const auto norm = [&](std::string_view name) {
            auto made = tensors.rms_norm(name, sizes.head_width, sizes.epsilon);
            made.adds_one = true;
            return made;
        };
        block.self.rotary = slides ? rotary.sliding : rotary.full;
        block.self.window = slides ? window : 0;
        block.self.causal = !both_ways;
        block.self.query_norm = norm("self_attn.q_norm");
        block.self.key_norm = norm("self_attn.k_norm");
        return block;
    });
}

/// llama.cpp tells the largest models, whose scale is another one, by their number of layers.
Json gemma_gguf_config(const GgufKeys& keys, std::string_view type, std::int64_t largest_layers, std::int64_t period) {
    auto config = llama_gguf_config(keys, type);
    config["query_pre_attn_scalar"] = keys.integer("block_count") == largest_layers
                                          ? keys.integer("embedding_length") / keys.integer("attention.head_count")
                                          : keys.head_width();
    keys.copy_number("attn_logit_softcapping", config, "attn_logit_softcapping");
    keys.copy_number("final_logit_softcapping", config, "final_logit_softcapping");
    keys.copy_number("rope.freq_base_swa", config, "rope_local_base_freq");
    keys.copy_integer("attention.sliding_window", config, "sliding_window");
    add_gguf_layer_types(keys, period, config);
    return config;
}

Json gemma2_gguf_config(const GgufKeys& keys, std::string_view type) { return gemma_gguf_config(keys, type, 46, 2); }

/// Without the width of the windows there are none, and all layers have the same base.
Json gemma3_gguf_config(const GgufKeys& keys, std::string_view type) {
    const bool slides = keys.has("attention.sliding_window") && keys.integer("attention.sliding_window") > 0;
    auto config = gemma_gguf_config(keys, type, 62, 6);
    if (!slides) {
        config.erase("sliding_window");
        config["layer_types"] = std::vector<std::string>(config["layer_types"].size(), "full_attention");
    }
    return config;
}

} // namespace

std::vector<Architecture> gemma_architectures() {
    return {{.type = "gemma",
             .describe = describe_gemma,
             .gguf = {.name = "gemma",
                      .outside = llama_outside,
                      .inside = llama_inside,
                      .block = llama_blocks,
                      .config = llama_gguf_config,
                      .has_whole_norms = true},
             .settings = settings_of_gemma,
             .padding = 0},
            {.type = "gemma2",
             .describe = describe_gemma2,
             .gguf = {.name = "gemma2",
                      .outside = llama_outside,
                      .inside = both_norms_inside,
                      .block = llama_blocks,
                      .config = gemma2_gguf_config,
                      .has_whole_norms = true},
             .settings = settings_of_gemma2,
             .padding = 0},
            {.type = "gemma3_text",
             .describe = describe_gemma3,
             .gguf = {.name = "gemma3",
                      .outside = llama_outside,
                      .inside = both_norms_inside,
                      .block = llama_blocks,
                      .config = gemma3_gguf_config,
                      .has_whole_norms = true},
             .settings = settings_of_gemma3,
             .padding = 0}};
}

} // namespace attnlab::model
