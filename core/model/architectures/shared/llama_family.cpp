#include "core/model/architectures/shared/llama_family.h"

#include "core/model/architectures/shared/task_head.h"

namespace attnlab::model {
namespace {

/// Dense layers and layers with experts, of which all tokens may share one.
constexpr TensorName inside_names[] = {
    {"attn_norm", "input_layernorm"},
    {"attn_q", "self_attn.q_proj"},
    {"attn_k", "self_attn.k_proj"},
    {"attn_v", "self_attn.v_proj"},
    {"attn_output", "self_attn.o_proj"},
    {"attn_q_norm", "self_attn.q_norm"},
    {"attn_k_norm", "self_attn.k_norm"},
    {"ffn_norm", "post_attention_layernorm"},
    {"ffn_gate", "mlp.gate_proj"},
    {"ffn_up", "mlp.up_proj"},
    {"ffn_down", "mlp.down_proj"},
    {"ffn_gate_inp", "mlp.gate"},
    {"ffn_gate_exps", "mlp.experts.*.gate_proj"},
    {"ffn_up_exps", "mlp.experts.*.up_proj"},
    {"ffn_down_exps", "mlp.experts.*.down_proj"},
    {"ffn_gate_inp_shexp", "mlp.shared_expert_gate"},
    {"ffn_gate_shexp", "mlp.shared_expert.gate_proj"},
    {"ffn_up_shexp", "mlp.shared_expert.up_proj"},
    {"ffn_down_shexp", "mlp.shared_expert.down_proj"},
};

/// Norms on both sides of each sublayer (Gemma), or after it (OLMo 2).
constexpr TensorName both_norms_names[] = {
    {"attn_norm", "input_layernorm"},
    {"attn_q", "self_attn.q_proj"},
    {"attn_k", "self_attn.k_proj"},
    {"attn_v", "self_attn.v_proj"},
    {"attn_output", "self_attn.o_proj"},
    {"attn_q_norm", "self_attn.q_norm"},
    {"attn_k_norm", "self_attn.k_norm"},
    {"post_attention_norm", "post_attention_layernorm"},
    {"ffn_norm", "pre_feedforward_layernorm"},
    {"post_ffw_norm", "post_feedforward_layernorm"},
    {"ffn_gate", "mlp.gate_proj"},
    {"ffn_up", "mlp.up_proj"},
    {"ffn_down", "mlp.down_proj"},
};

} // namespace

const std::span<const TensorName> llama_inside = inside_names, both_norms_inside = both_norms_names;

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
                     .epsilon = defaults.epsilon_key.empty() ? defaults.epsilon
                                                             : config.epsilon(defaults.epsilon_key, defaults.epsilon),
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
    return decoder_like(config, files, sizes, {.tied = tied}, block);
}

Description decoder_like(const Config& config, const WeightFiles& files, const LlamaSizes& sizes,
                         const DecoderParts& parts, const MakeBlock& block) {
    const Tensors tensors(files, {"model.", ""}, "embed_tokens.weight");
    Stack stack{.name = "decoder", .width = sizes.hidden};
    stack.embedding.tokens = tensors.at("embed_tokens.weight", {sizes.vocabulary, sizes.hidden});
    for (std::int64_t layer = 0; layer < sizes.layers; ++layer)
        stack.blocks.push_back(block(tensors.below("layers." + std::to_string(layer) + "."), layer));
    stack.norm = parts.norm ? *parts.norm
                 : parts.is_layer_norm
                     ? tensors.layer_norm_with_or_without_bias(parts.final_norm, sizes.hidden, sizes.epsilon)
                     : tensors.rms_norm(parts.final_norm, sizes.hidden, sizes.epsilon);
    Description description{.vocabulary = sizes.vocabulary};
    if (has_head(config, {"ForCausalLM"}))
        description.head = {.output = output_of(tensors.outside(), "lm_head", stack.embedding.tokens,
                                                config.flag("tie_word_embeddings", parts.tied), sizes.vocabulary,
                                                sizes.hidden)};
    if (description.head && parts.head_has_bias)
        description.head->output.bias = tensors.outside().at("lm_head.bias", {sizes.vocabulary});
    else if (!description.head)
        add_task_head(config, tensors.outside(), sizes.hidden,
                      {.output = "score", .pooling = Head::Pooling::Last, .token_output = "score"}, description);
    description.decoder = std::move(stack);
    return description;
}

void GraniteFactors::apply(Block& block) const {
    block.self.scale = scores;
    block.self_norms.factor = block.feed_forward_norms.factor = residual;
}

void GraniteFactors::apply(Description& description) const {
    description.decoder->embedding.factor = embedding;
    if (description.head)
        description.head->factor = logits;
}

GraniteFactors granite_factors(const Config& config) {
    const double scaling = config.number("logits_scaling", 1.0);
    if (scaling == 0.0)
        config.fail("logits_scaling", ATTNLAB_TEXT("a number other than 0"));
    return {.embedding = config.number("embedding_multiplier", 1.0),
            .scores = config.number("attention_multiplier", 1.0),
            .residual = config.number("residual_multiplier", 1.0),
            .logits = 1.0 / scaling};
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

Json llama_gguf_config(const GgufKeys& keys, std::string_view type, bool is_partial) {
    auto config = common_gguf_config(keys, type);
    const auto width = keys.head_width();
    config["head_dim"] = width;
    config["num_key_value_heads"] =
        keys.integer(keys.has("attention.head_count_kv") ? "attention.head_count_kv" : "attention.head_count");
    config["rms_norm_eps"] = keys.number("attention.layer_norm_rms_epsilon");
    add_gguf_rotary(keys, width, is_partial, config);
    return config;
}

Json experts_gguf_config(const GgufKeys& keys, std::string_view type) {
    auto config = llama_gguf_config(keys, type);
    keys.copy_integer("expert_count", config, "num_experts");
    keys.copy_integer("expert_used_count", config, "num_experts_per_tok");
    keys.copy_integer("expert_feed_forward_length", config, "moe_intermediate_size");
    return config;
}

Json layer_norm_gguf_config(const GgufKeys& keys, std::string_view type, const char* epsilon, bool is_partial) {
    auto config = common_gguf_config(keys, type);
    const auto width = keys.head_width();
    config["head_dim"] = width;
    config["num_key_value_heads"] =
        keys.integer(keys.has("attention.head_count_kv") ? "attention.head_count_kv" : "attention.head_count");
    config[epsilon] = keys.number("attention.layer_norm_epsilon");
    add_gguf_rotary(keys, width, is_partial, config);
    return config;
}

Json granite_gguf_config(const GgufKeys& keys, std::string_view type) {
    auto config = llama_gguf_config(keys, type);
    config["attention_multiplier"] = keys.factor_or("attention.scale", root_scale(keys.head_width()));
    config["embedding_multiplier"] = keys.factor_or("embedding_scale", 1.0);
    config["residual_multiplier"] = keys.factor_or("residual_scale", 1.0);
    config["logits_scaling"] = keys.factor_or("logit_scale", 1.0);
    return config;
}

Json llama_gguf_config(const GgufKeys& keys, std::string_view type) { return llama_gguf_config(keys, type, false); }

GgufArchitecture llama_gguf(std::string_view name, Json (*config)(const GgufKeys& keys, std::string_view type),
                            std::span<const TensorName> inside, std::span<const TensorName> outside) {
    return {.name = name, .outside = outside, .inside = inside, .block = llama_blocks, .config = config};
}

GgufArchitecture interleaved(GgufArchitecture architecture) {
    architecture.interleaved = true;
    return architecture;
}

GgufArchitecture with_own_head(GgufArchitecture architecture) {
    architecture.needs_head = true;
    return architecture;
}

} // namespace attnlab::model
