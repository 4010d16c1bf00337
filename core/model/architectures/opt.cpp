// OPT: learned positions from 2 on, ReLU, and norms on either side of a sublayer.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/task_head.h"

namespace attnlab::model {
namespace {

constexpr KnownEntry settings_of_opt[] = {
    {.names = "position_embedding_type", .why = why_not_read::built_in, .values = "\"absolute\""}};

constexpr std::int64_t opt_offset = 2; ///< of its learned positions

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
    else
        add_score_head(config, tensors.outside(), outer, description);
    description.decoder = std::move(stack);
    return description;
}

} // namespace

std::vector<Architecture> opt_architectures() {
    return {{.type = "opt", .describe = describe_opt, .settings = settings_of_opt, .padding = 1}};
}

} // namespace attnlab::model
