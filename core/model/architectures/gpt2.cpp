// GPT-2: learned positions, and matrices stored as (in, out).
#include "core/model/architectures.h"
#include "core/model/architectures/shared/task_head.h"
#include "core/model/gguf/gguf_config.h"

namespace attnlab::model {
namespace {

constexpr KnownEntry settings_of_gpt2[] = {
    {.names = "position_embedding_type", .why = why_not_read::built_in, .values = "\"absolute\""}};

constexpr TensorName gpt2_outside[] = {{"token_embd", "transformer.wte"},
                                       {"position_embd", "transformer.wpe"},
                                       {"output_norm", "transformer.ln_f"},
                                       {"output", "lm_head"}};
constexpr TensorName gpt2_inside[] = {
    {"attn_norm", "ln_1"}, {"attn_qkv", "attn.c_attn"}, {"attn_output", "attn.c_proj"},
    {"ffn_norm", "ln_2"},  {"ffn_up", "mlp.c_fc"},      {"ffn_down", "mlp.c_proj"},
};

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
    else
        add_task_head(config, tensors.outside(), hidden, {.output = "score", .pooling = Head::Pooling::Last},
                      description);
    description.decoder = std::move(stack);
    return description;
}

Json gpt2_gguf_config(const GgufKeys& keys, std::string_view type) {
    keys.plain_head_width();
    return {{"model_type", type},
            {"vocab_size", keys.rows("token_embd.weight")},
            {"n_embd", keys.integer("embedding_length")},
            {"n_inner", keys.integer("feed_forward_length")},
            {"n_layer", keys.integer("block_count")},
            {"n_head", keys.integer("attention.head_count")},
            {"n_positions", keys.rows("position_embd.weight")},
            {"layer_norm_epsilon", keys.number("attention.layer_norm_epsilon")},
            {"tie_word_embeddings", !keys.has_tensor("output.weight")}};
}

} // namespace

std::vector<Architecture> gpt2_architectures() {
    return {{.type = "gpt2",
             .describe = describe_gpt2,
             .gguf = {.name = "gpt2",
                      .outside = gpt2_outside,
                      .inside = gpt2_inside,
                      .block = "transformer.h.",
                      .config = gpt2_gguf_config,
                      .has_rotary = false,
                      .turned = ".c_"},
             .settings = settings_of_gpt2}};
}

} // namespace attnlab::model
