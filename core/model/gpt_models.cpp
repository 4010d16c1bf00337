// GPT-2, GPT-NeoX (Pythia) and OPT.
#include "core/model/architectures.h"

#include <cmath>

namespace attnlab::model {
namespace {

constexpr std::int64_t opt_offset = 2; ///< of its learned positions

Attention gpt2_attention(const Config& config, const Tensors& tensors, std::int64_t hidden, std::int64_t layer) {
    const auto heads = config.size("n_head", 12);
    const auto width = even_head_width(config, "n_head", hidden, heads);
    const auto fused = tensors.conv1d("attn.c_attn", hidden, 3 * hidden);
    double scale = config.flag("scale_attn_weights", true) ? root_scale(width) : 1.0;
    if (config.flag("scale_attn_by_inverse_layer_idx", false))
        scale /= static_cast<double>(layer + 1);
    return {.heads = heads,
            .key_value_heads = heads,
            .width = width,
            .scale = scale,
            .query = part_of(fused, 0, hidden),
            .key = part_of(fused, hidden, hidden),
            .value = part_of(fused, 2 * hidden, hidden),
            .output = tensors.conv1d("attn.c_proj", hidden, hidden),
            .causal = true};
}

/// Queries, keys and values of a head follow one another in one matrix.
Attention gpt_neox_attention(const Config& config, const Tensors& tensors, std::int64_t hidden) {
    const auto heads = config.size("num_attention_heads", 64);
    const auto width = even_head_width(config, "num_attention_heads", hidden, heads);
    const bool has_bias = config.flag("attention_bias", true);
    auto fused = tensors.linear("attention.query_key_value", hidden, 3 * hidden, has_bias);
    fused.group = width;
    fused.stride = 3 * width;
    return {.heads = heads,
            .key_value_heads = heads,
            .width = width,
            .scale = root_scale(width),
            .query = part_of(fused, 0, hidden),
            .key = part_of(fused, width, hidden),
            .value = part_of(fused, 2 * width, hidden),
            .output = tensors.linear("attention.dense", hidden, hidden, has_bias),
            .rotary = read_rotary(config, {.head_width = width,
                                           .partial = true,
                                           .partial_factor = 0.25,
                                           .base_key = "rotary_emb_base",
                                           .partial_key = "rotary_pct",
                                           .longest = 2048}),
            .causal = true};
}

/// Some norms of OPT have no weights.
Norm opt_norm(const Config& config, const Tensors& tensors, std::string_view name, std::int64_t width) {
    return config.flag("layer_norm_elementwise_affine", true) ? tensors.layer_norm(name, width, 1e-5) : Norm{};
}

Block opt_block(const Config& config, const Tensors& tensors, std::int64_t hidden) {
    const auto heads = config.size("num_attention_heads", 12);
    const auto width = even_head_width(config, "num_attention_heads", hidden, heads);
    const auto inner = config.size("ffn_dim", 3072);
    const bool has_bias = config.flag("enable_bias", true);
    const auto square = [&](std::string_view name) { return tensors.linear(name, hidden, hidden, has_bias); };
    const auto norms = [&](std::string_view name) {
        const auto norm = opt_norm(config, tensors, name, hidden);
        return config.flag("do_layer_norm_before", true) ? Norms{.before = norm} : Norms{.sum = norm};
    };
    return {.self = {.heads = heads,
                     .key_value_heads = heads,
                     .width = width,
                     .query_scale = root_scale(width),
                     .query = square("self_attn.q_proj"),
                     .key = square("self_attn.k_proj"),
                     .value = square("self_attn.v_proj"),
                     .output = square("self_attn.out_proj"),
                     .causal = true},
            .self_norms = norms("self_attn_layer_norm"),
            .feed_forward = {.activation = activation_of(config, "activation_function", "relu"),
                             .up = tensors.linear("fc1", hidden, inner, has_bias),
                             .down = tensors.linear("fc2", inner, hidden, has_bias)},
            .feed_forward_norms = norms("final_layer_norm")};
}

} // namespace

Description describe_gpt2(const Config& file, const WeightFiles& files) {
    const auto config = file.with_aliases({{"hidden_size", "n_embd"},
                                           {"max_position_embeddings", "n_positions"},
                                           {"num_attention_heads", "n_head"},
                                           {"num_hidden_layers", "n_layer"}});
    config.refuse("add_cross_attention");
    const Tensors tensors(files, {"transformer.", ""}, "wte.weight");
    const auto hidden = config.size("n_embd", 768);
    const auto inner = config.size("n_inner", 4 * hidden);
    const auto positions = config.size("n_positions", 1024);
    const auto vocabulary = config.size("vocab_size", 50257);
    const auto epsilon = config.number("layer_norm_epsilon", 1e-5);
    const auto* activation = activation_of(config, "activation_function", "gelu_new");
    Stack stack{.name = "decoder", .width = hidden};
    stack.embedding = {
        .tokens = tensors.at("wte.weight", {vocabulary, hidden}),
        .positions = {.kind = Positions::Kind::Learned, .table = tensors.at("wpe.weight", {positions, hidden})}};
    for (std::int64_t layer = 0; layer < config.layers("n_layer", 12); ++layer) {
        const auto below = tensors.below("h." + std::to_string(layer) + ".");
        stack.blocks.push_back({.self = gpt2_attention(config, below, hidden, layer),
                                .self_norms = {.before = below.layer_norm("ln_1", hidden, epsilon)},
                                .feed_forward = {.activation = activation,
                                                 .up = below.conv1d("mlp.c_fc", hidden, inner),
                                                 .down = below.conv1d("mlp.c_proj", inner, hidden)},
                                .feed_forward_norms = {.before = below.layer_norm("ln_2", hidden, epsilon)}});
    }
    stack.norm = tensors.layer_norm("ln_f", hidden, epsilon);
    Description description{.vocabulary = vocabulary, .longest = positions};
    if (has_head(config, {"LMHeadModel", "DoubleHeadsModel"}))
        description.head = {.output = output_of(tensors.outside(), "lm_head", stack.embedding.tokens,
                                                config.flag("tie_word_embeddings", true), vocabulary, hidden)};
    description.decoder = std::move(stack);
    return description;
}

Description describe_gpt_neox(const Config& config, const WeightFiles& files) {
    const Tensors tensors(files, {"gpt_neox.", ""}, "embed_in.weight");
    const auto hidden = config.size("hidden_size", 6144);
    const auto inner = config.size("intermediate_size", 24576);
    const auto vocabulary = config.size("vocab_size", 50432);
    const auto epsilon = config.number("layer_norm_eps", 1e-5);
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
    description.decoder = std::move(stack);
    return description;
}

Description describe_opt(const Config& config, const WeightFiles& files) {
    const Tensors tensors(files, {"model.decoder.", "decoder."}, "embed_tokens.weight");
    const auto hidden = config.size("hidden_size", 768);
    const auto outer = config.size("word_embed_proj_dim", hidden);
    const auto positions = config.size("max_position_embeddings", 2048);
    const auto vocabulary = config.size("vocab_size", 50272);
    Stack stack{.name = "decoder", .width = hidden};
    stack.embedding = {.tokens = tensors.at("embed_tokens.weight", {vocabulary, outer}),
                       .positions = {.kind = Positions::Kind::Learned,
                                     .table = tensors.at("embed_positions.weight", {positions + opt_offset, hidden}),
                                     .offset = opt_offset}};
    for (std::int64_t layer = 0; layer < config.layers("num_hidden_layers", 12); ++layer)
        stack.blocks.push_back(opt_block(config, tensors.below("layers." + std::to_string(layer) + "."), hidden));
    if (config.flag("do_layer_norm_before", true) && !config.flag("_remove_final_layer_norm", false))
        stack.norm = opt_norm(config, tensors, "final_layer_norm", hidden);
    if (outer != hidden) {
        stack.embedding.projection = tensors.linear("project_in", outer, hidden, false);
        stack.projection = tensors.linear("project_out", hidden, outer, false);
    }
    Description description{.vocabulary = vocabulary, .longest = positions};
    if (has_head(config, {"ForCausalLM"}))
        description.head = {.output = output_of(tensors.outside(), "lm_head", stack.embedding.tokens,
                                                config.flag("tie_word_embeddings", true), vocabulary, outer)};
    description.decoder = std::move(stack);
    return description;
}

} // namespace attnlab::model
