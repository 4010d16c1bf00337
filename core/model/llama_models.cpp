// Descriptions of Llama and its relatives, Gemma and gpt-oss among them.
#include "core/model/architectures.h"

#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace attnlab::model {

// What Llama and its relatives share: RMS norms, rotary positions, grouped queries, a gated feed-forward.

/// The defaults of one model type for missing settings.
struct LlamaDefaults {
    std::int64_t hidden = 4096, inner = 11008, layers = 32, heads = 32, vocabulary = 32000, longest = 2048;
    std::optional<std::int64_t> key_value_heads = {}; ///< the heads
    std::optional<std::int64_t> head_width = {};      ///< hidden / heads
    double epsilon = 1e-6, base = 10000.0;
    std::string_view activation_key = "hidden_act", activation = "silu";
    bool tied = false;
};

struct LlamaSizes {
    std::int64_t hidden, inner, layers, heads, key_value_heads, head_width, vocabulary;
    double epsilon;
    const Activation* activation;

    std::int64_t query_width() const { return heads * head_width; }
    std::int64_t key_width() const { return key_value_heads * head_width; }
};

/// Throws Error for sizes that do not fit one another.
LlamaSizes llama_sizes(const Config& config, const LlamaDefaults& defaults);
RotaryDefaults llama_rotary(const LlamaSizes& sizes, const LlamaDefaults& defaults);

struct Biases {
    bool query_key_value = false, output = false, feed_forward = false;
};

Attention llama_attention(const Tensors& tensors, const LlamaSizes& sizes, const Biases& biases);
FeedForward llama_feed_forward(const Tensors& tensors, const LlamaSizes& sizes, bool has_bias);
/// A block of the plain kind: a norm before each sublayer.
Block llama_block(const Tensors& tensors, const LlamaSizes& sizes, const Biases& biases);

/// Embedding, blocks, norm and head; `block(tensors, layer)` describes one.
using MakeBlock = std::function<Block(const Tensors& tensors, std::int64_t layer)>;
Description llama_like(const Config& config, const WeightFiles& files, const LlamaSizes& sizes, bool tied,
                       const MakeBlock& block);

enum class LayerType { Full, Sliding };

/// `layer_types`, or where that is absent, sliding where `slides(layer)`.
std::vector<LayerType> layer_types(const Config& config, std::int64_t layers,
                                   const std::function<bool(std::int64_t layer)>& slides);

/// Windows of the layers, 0 of those that do not slide.
std::vector<std::int64_t> windows_of(const std::vector<LayerType>& types, std::int64_t window);

/// 0 where there is none.
std::int64_t window_of(const Config& config, std::optional<std::int64_t> absent);

LlamaSizes llama_sizes(const Config& config, const LlamaDefaults& defaults) {
    const auto hidden = config.size("hidden_size", defaults.hidden);
    const auto heads = config.size("num_attention_heads", defaults.heads);
    // As in Transformers: without the key, the default of the model type; with null, the number of heads.
    const auto key_value_heads =
        config.mentions("num_key_value_heads") ? heads : defaults.key_value_heads.value_or(heads);
    LlamaSizes sizes{.hidden = hidden,
                     .inner = config.size("intermediate_size", defaults.inner),
                     .layers = config.layers("num_hidden_layers", defaults.layers),
                     .heads = heads,
                     .key_value_heads = config.size("num_key_value_heads", key_value_heads),
                     .head_width = 0,
                     .vocabulary = config.size("vocab_size", defaults.vocabulary),
                     .epsilon = config.number("rms_norm_eps", defaults.epsilon),
                     .activation = activation_of(config, defaults.activation_key, defaults.activation)};
    const bool is_given = config.has("head_dim");
    const bool has_default = defaults.head_width && !config.mentions("head_dim");
    sizes.head_width = is_given      ? config.size("head_dim")
                       : has_default ? *defaults.head_width
                                     : even_head_width(config, "num_attention_heads", hidden, heads);
    if (sizes.heads % sizes.key_value_heads != 0) {
        if (config.has("num_key_value_heads"))
            config.fail("num_key_value_heads",
                        {ATTNLAB_TEXT("a divisor of the %1 heads"), {std::to_string(sizes.heads)}});
        config.fail("num_attention_heads",
                    {ATTNLAB_TEXT("a multiple of the %1 key-value heads that this model_type has by default"),
                     {std::to_string(sizes.key_value_heads)}});
    }
    return sizes;
}

RotaryDefaults llama_rotary(const LlamaSizes& sizes, const LlamaDefaults& defaults) {
    return {.head_width = sizes.head_width, .base = defaults.base, .longest = defaults.longest};
}

Attention llama_attention(const Tensors& tensors, const LlamaSizes& sizes, const Biases& biases) {
    const auto projection = [&](std::string_view name, std::int64_t width) {
        return tensors.linear(name, sizes.hidden, width, biases.query_key_value);
    };
    return {.heads = sizes.heads,
            .key_value_heads = sizes.key_value_heads,
            .width = sizes.head_width,
            .scale = root_scale(sizes.head_width),
            .query = projection("self_attn.q_proj", sizes.query_width()),
            .key = projection("self_attn.k_proj", sizes.key_width()),
            .value = projection("self_attn.v_proj", sizes.key_width()),
            .output = tensors.linear("self_attn.o_proj", sizes.query_width(), sizes.hidden, biases.output),
            .causal = true};
}

FeedForward llama_feed_forward(const Tensors& tensors, const LlamaSizes& sizes, bool has_bias) {
    return {.activation = sizes.activation,
            .gate = tensors.linear("mlp.gate_proj", sizes.hidden, sizes.inner, has_bias),
            .up = tensors.linear("mlp.up_proj", sizes.hidden, sizes.inner, has_bias),
            .down = tensors.linear("mlp.down_proj", sizes.inner, sizes.hidden, has_bias)};
}

Block llama_block(const Tensors& tensors, const LlamaSizes& sizes, const Biases& biases) {
    return {
        .self = llama_attention(tensors, sizes, biases),
        .self_norms = {.before = tensors.rms_norm("input_layernorm", sizes.hidden, sizes.epsilon)},
        .feed_forward = llama_feed_forward(tensors, sizes, biases.feed_forward),
        .feed_forward_norms = {.before = tensors.rms_norm("post_attention_layernorm", sizes.hidden, sizes.epsilon)}};
}

Description llama_like(const Config& config, const WeightFiles& files, const LlamaSizes& sizes, bool tied,
                       const MakeBlock& block) {
    const Tensors tensors(files, {"model.", ""}, "embed_tokens.weight");
    Stack stack{.name = "decoder", .width = sizes.hidden};
    stack.embedding.tokens = tensors.at("embed_tokens.weight", {sizes.vocabulary, sizes.hidden});
    for (std::int64_t layer = 0; layer < sizes.layers; ++layer)
        stack.blocks.push_back(block(tensors.below("layers." + std::to_string(layer) + "."), layer));
    stack.norm = tensors.rms_norm("norm", sizes.hidden, sizes.epsilon);
    Description description{.vocabulary = sizes.vocabulary};
    if (has_head(config, {"ForCausalLM"}))
        description.head = {.output =
                                output_of(tensors.outside(), "lm_head", stack.embedding.tokens,
                                          config.flag("tie_word_embeddings", tied), sizes.vocabulary, sizes.hidden)};
    description.decoder = std::move(stack);
    return description;
}

std::vector<LayerType> layer_types(const Config& config, std::int64_t layers,
                                   const std::function<bool(std::int64_t layer)>& slides) {
    std::vector<LayerType> types;
    if (!config.has("layer_types")) {
        for (std::int64_t layer = 0; layer < layers; ++layer)
            types.push_back(slides(layer) ? LayerType::Sliding : LayerType::Full);
        return types;
    }
    for (const auto& name : config.texts("layer_types")) {
        if (name != "full_attention" && name != "sliding_attention")
            config.fail("layer_types",
                        {ATTNLAB_TEXT("full_attention or sliding_attention for each layer, not %1"), {name}});
        types.push_back(name == "sliding_attention" ? LayerType::Sliding : LayerType::Full);
    }
    if (std::ssize(types) < layers)
        config.fail("layer_types", {ATTNLAB_TEXT("%1 entries"), {std::to_string(layers)}});
    return types;
}

std::vector<std::int64_t> windows_of(const std::vector<LayerType>& types, std::int64_t window) {
    std::vector<std::int64_t> windows;
    for (const auto type : types)
        windows.push_back(type == LayerType::Sliding ? window : 0);
    return windows;
}

std::int64_t window_of(const Config& config, std::optional<std::int64_t> absent) {
    if (config.mentions("sliding_window") && !config.has("sliding_window"))
        return 0;
    return absent || config.has("sliding_window") ? config.size("sliding_window", absent) : 0;
}

// Llama and its relatives that differ in few settings.

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

// Implements the descriptions of Gemma 2 and 3.

namespace {

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
    if (description.head)
        description.head->soft_cap = cap_of(config, "final_logit_softcapping", absent_cap);
    return description;
}

} // namespace

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

// Implements the description of gpt-oss.

namespace {

/// The rotary positions of a configuration that says nothing of them.
constexpr std::string_view gpt_oss_positions = R"({"rope_type": "yarn", "factor": 32.0, "beta_fast": 32.0,
    "beta_slow": 1.0, "truncate": false, "original_max_position_embeddings": 4096})";

} // namespace

Description describe_gpt_oss(const Config& config, const WeightFiles& files) {
    const LlamaDefaults defaults{.hidden = 2880,
                                 .inner = 2880,
                                 .layers = 36,
                                 .heads = 64,
                                 .vocabulary = 201088,
                                 .longest = 131072,
                                 .key_value_heads = 8,
                                 .head_width = 64,
                                 .epsilon = 1e-5,
                                 .base = 150000.0};
    const auto sizes = llama_sizes(config, defaults);
    const auto absent = io::parse_json(gpt_oss_positions, "gpt_oss");
    const bool has_own = config.object("rope_parameters") || config.object("rope_scaling");
    const auto rotary = has_own ? read_rotary(config, llama_rotary(sizes, defaults))
                                : read_rotary(config, Config(absent.root()), llama_rotary(sizes, defaults));
    const auto types = layer_types(config, sizes.layers, [](auto layer) { return layer % 2 == 0; });
    const auto window = window_of(config, 128);
    const auto count = config.size(config.has("num_experts") ? "num_experts" : "num_local_experts", 128);
    const auto chosen = config.size(config.has("experts_per_token") ? "experts_per_token" : "num_experts_per_tok", 4);
    if (chosen > count)
        config.fail("num_experts_per_tok", {ATTNLAB_TEXT("at most the %1 experts"), {std::to_string(count)}});
    const bool has_bias = config.flag("attention_bias", true);
    return llama_like(config, files, sizes, defaults.tied, [&](const Tensors& tensors, std::int64_t layer) {
        const auto norm = [&](std::string_view name) { return tensors.rms_norm(name, sizes.hidden, sizes.epsilon); };
        const auto expert = [&](const std::string& name, std::int64_t inputs, std::int64_t outputs) {
            return Linear{.weight = tensors.at(name, {count, inputs, outputs}),
                          .bias = tensors.at(name + "_bias", {count, outputs}),
                          .inputs = inputs,
                          .outputs = outputs,
                          .inputs_first = true};
        };
        Block block{.self = llama_attention(tensors, sizes, {has_bias, has_bias}),
                    .self_norms = {.before = norm("input_layernorm")},
                    .feed_forward_norms = {.before = norm("post_attention_layernorm")}};
        block.self.rotary = rotary;
        block.self.sinks = tensors.at("self_attn.sinks", {sizes.heads});
        block.self.window = types[static_cast<std::size_t>(layer)] == LayerType::Sliding ? window : 0;
        block.feed_forward.experts = {.router = tensors.linear("mlp.router", sizes.hidden, count, true),
                                      .count = count,
                                      .chosen = chosen,
                                      .gate_up = expert("mlp.experts.gate_up_proj", sizes.hidden, 2 * sizes.inner),
                                      .down = expert("mlp.experts.down_proj", sizes.inner, sizes.hidden),
                                      .alpha = config.number("swiglu_alpha", 1.702),
                                      .limit = config.number("swiglu_limit", 7.0)};
        return block;
    });
}

} // namespace attnlab::model
