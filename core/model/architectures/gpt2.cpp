// GPT, GPT-2 and CTRL: decoders with positions that are added to the embedding; matrices of the first two are stored as
// (in, out).
#include "core/model/architectures.h"
#include "core/model/architectures/shared/task_head.h"
#include "core/model/gguf/gguf_config.h"

#include <cmath>

namespace attnlab::model {
namespace {

constexpr KnownEntry settings_of_gpt2[] = {
    {.names = "position_embedding_type", .why = why_not_read::built_in, .values = "\"absolute\""}};

constexpr KnownEntry tensors_of_ctrl[] = {{.names = "lm_head.bias classifier.*", .why = why_not_read::task}};

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

/// The head for next tokens, or one for the classes of a text.
Description with_gpt2_head(const Config& config, const Tensors& tensors, Stack stack, std::int64_t vocabulary,
                           std::int64_t positions) {
    Description description{.vocabulary = vocabulary, .longest = positions};
    if (has_head(config, {"LMHeadModel", "DoubleHeadsModel"}))
        description.head = {.output = output_of(tensors.outside(), "lm_head", stack.embedding.tokens,
                                                config.flag("tie_word_embeddings", true), vocabulary, stack.width)};
    else
        add_task_head(config, tensors.outside(), stack.width, {.output = "score", .pooling = Head::Pooling::Last},
                      description);
    description.decoder = std::move(stack);
    return description;
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
    const auto epsilon = config.epsilon("layer_norm_epsilon", 1e-5);
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
    return with_gpt2_head(config, tensors, std::move(stack), vocabulary, positions);
}

/// Norms stand behind each sum.
Description describe_openai_gpt(const Config& file, const WeightFiles& files) {
    const auto config = file.with_aliases({{"hidden_size", "n_embd"},
                                           {"max_position_embeddings", "n_positions"},
                                           {"num_attention_heads", "n_head"},
                                           {"num_hidden_layers", "n_layer"}});
    if (!config.flag("is_causal", true)) // which Transformers does not read here
        config.fail("is_causal", "true");
    const Tensors tensors(files, {"transformer.", ""}, "tokens_embed.weight");
    const auto hidden = config.size("n_embd", 768), heads = config.size("n_head", 12);
    const auto positions = config.size("n_positions", 512), vocabulary = config.size("vocab_size", 40478);
    const auto epsilon = config.epsilon("layer_norm_epsilon", 1e-5);
    const auto width = even_head_width(config, "n_head", hidden, heads);
    auto name = config.text("afn", "gelu");
    if (name == "gelu")
        name = "gelu_new"; // as this name is meant here
    else if (name != "relu" && name != "silu" && name != "swish")
        config.fail("afn", "gelu, relu, silu, swish");
    Stack stack{.name = "decoder", .width = hidden};
    stack.embedding = {.tokens = tensors.at("tokens_embed.weight", {vocabulary, hidden}),
                       .positions = {.kind = Positions::Kind::Learned,
                                     .table = tensors.at("positions_embed.weight", {positions, hidden})}};
    for (std::int64_t layer = 0; layer < config.layers("n_layer", 12); ++layer) {
        const auto below = tensors.below("h." + std::to_string(layer) + ".");
        const auto fused = below.conv1d("attn.c_attn", hidden, 3 * hidden);
        stack.blocks.push_back({.self = {.heads = heads,
                                         .key_value_heads = heads,
                                         .width = width,
                                         .scale = root_scale(width),
                                         .query = part_of(fused, 0, hidden),
                                         .key = part_of(fused, hidden, hidden),
                                         .value = part_of(fused, 2 * hidden, hidden),
                                         .output = below.conv1d("attn.c_proj", hidden, hidden),
                                         .causal = true},
                                .self_norms = {.sum = below.layer_norm("ln_1", hidden, epsilon)},
                                .feed_forward = {.activation = find_activation(name),
                                                 .up = below.conv1d("mlp.c_fc", hidden, 4 * hidden),
                                                 .down = below.conv1d("mlp.c_proj", 4 * hidden, hidden)},
                                .feed_forward_norms = {.sum = below.layer_norm("ln_2", hidden, epsilon)}});
    }
    return with_gpt2_head(config, tensors, std::move(stack), vocabulary, positions);
}

/// Norms stand before each sublayer, with an epsilon that no setting changes.
Description describe_ctrl(const Config& file, const WeightFiles& files) {
    constexpr double epsilon_of_blocks = 1e-6;
    const auto config = file.with_aliases({{"hidden_size", "n_embd"},
                                           {"max_position_embeddings", "n_positions"},
                                           {"num_attention_heads", "n_head"},
                                           {"num_hidden_layers", "n_layer"}});
    const Tensors tensors(files, {"transformer.", ""}, "w.weight");
    const auto hidden = config.size("n_embd", 1280), heads = config.size("n_head", 16);
    const auto inner = config.size("dff", 8192), vocabulary = config.size("vocab_size", 246534);
    const auto width = even_head_width(config, "n_head", hidden, heads);
    Stack stack{.name = "decoder", .width = hidden};
    stack.embedding = {.tokens = tensors.at("w.weight", {vocabulary, hidden}),
                       .factor = std::sqrt(static_cast<double>(hidden)),
                       .positions = {.kind = Positions::Kind::Sinusoidal}};
    for (std::int64_t layer = 0; layer < config.layers("n_layer", 48); ++layer) {
        const auto below = tensors.below("h." + std::to_string(layer) + ".");
        const auto square = [&](const std::string& name) {
            return below.linear("multi_head_attention." + name, hidden, hidden, true);
        };
        const auto norm = [&](std::string_view name) { return below.layer_norm(name, hidden, epsilon_of_blocks); };
        stack.blocks.push_back({.self = {.heads = heads,
                                         .key_value_heads = heads,
                                         .width = width,
                                         .scale = root_scale(width),
                                         .query = square("Wq"),
                                         .key = square("Wk"),
                                         .value = square("Wv"),
                                         .output = square("dense"),
                                         .causal = true},
                                .self_norms = {.before = norm("layernorm1")},
                                .feed_forward = {.activation = find_activation("relu"),
                                                 .up = below.linear("ffn.0", hidden, inner, true),
                                                 .down = below.linear("ffn.2", inner, hidden, true)},
                                .feed_forward_norms = {.before = norm("layernorm2")}});
    }
    stack.norm = tensors.layer_norm("layernorm", hidden, config.epsilon("layer_norm_epsilon", 1e-6));
    Description description{.vocabulary = vocabulary, .longest = config.size("n_positions", 256)};
    if (has_head(config, {"LMHeadModel"})) {
        description.head = {.output = output_of(tensors.outside(), "lm_head", stack.embedding.tokens,
                                                config.flag("tie_word_embeddings", true), vocabulary, hidden)};
        description.head->output.bias = tensors.outside().at("lm_head.bias", {vocabulary});
    }
    description.decoder = std::move(stack);
    return description;
}

Json plain_gguf_config(const GgufKeys& keys, std::string_view type) {
    keys.plain_head_width();
    return gpt2_gguf_config(keys, type);
}

} // namespace

std::vector<Architecture> gpt2_architectures() {
    return {{.type = "ctrl", .describe = describe_ctrl, .tensors = tensors_of_ctrl},
            {.type = "openai-gpt", .describe = describe_openai_gpt},
            {.type = "gpt2",
             .describe = describe_gpt2,
             .gguf = {.name = "gpt2",
                      .outside = gpt2_outside,
                      .inside = gpt2_inside,
                      .block = "transformer.h.",
                      .config = plain_gguf_config,
                      .has_rotary = false,
                      .turned = ".c_"},
             .settings = settings_of_gpt2}};
}

} // namespace attnlab::model
