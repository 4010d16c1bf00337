// GPT-Neo and GPT-BigCode: GPT-2 with windows and unscaled scores, and with one key for all heads.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/task_head.h"
#include "core/model/gguf/gguf_config.h"

#include <algorithm>
#include <functional>

namespace attnlab::model {
namespace {

constexpr KnownEntry settings_of_gpt_neo[] = {{.names = "attention_types", .why = why_not_read::other_key}};
constexpr KnownEntry settings_of_gpt_bigcode[] = {
    {.names = "num_key_value_heads", .why = why_not_read::other_key},
    {.names = "attention_softmax_in_fp32 scale_attention_softmax_in_fp32",
     .why = ATTNLAB_TEXT("changes the order and the rounding of operations alone")},
    {.names = "inference_runner validate_runner_input pre_allocate_kv_cache max_batch_size max_sequence_length",
     .why = why_not_read::old_version}};

struct NeoSizes {
    std::int64_t hidden, inner, heads, width, vocabulary, positions;
    double epsilon;
    const Activation* activation;
};

/// Embedding, blocks, norm and head: all of GPT-2's names, and matrices of (out, in).
Description neo_like(const Config& config, const WeightFiles& files, const NeoSizes& sizes, std::int64_t layers,
                     const std::function<Attention(const Tensors& tensors, std::int64_t layer)>& attention) {
    const Tensors tensors(files, {"transformer.", ""}, "wte.weight");
    Stack stack{.name = "decoder", .width = sizes.hidden};
    stack.embedding = {.tokens = tensors.at("wte.weight", {sizes.vocabulary, sizes.hidden}),
                       .positions = {.kind = Positions::Kind::Learned,
                                     .table = tensors.at("wpe.weight", {sizes.positions, sizes.hidden})}};
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        const auto below = tensors.below("h." + std::to_string(layer) + ".");
        Block block{.self = attention(below, layer),
                    .self_norms = {.before = below.layer_norm("ln_1", sizes.hidden, sizes.epsilon)},
                    .feed_forward = {.activation = sizes.activation,
                                     .up = below.linear("mlp.c_fc", sizes.hidden, sizes.inner, true),
                                     .down = below.linear("mlp.c_proj", sizes.inner, sizes.hidden, true)},
                    .feed_forward_norms = {.before = below.layer_norm("ln_2", sizes.hidden, sizes.epsilon)}};
        block.self.heads = sizes.heads;
        block.self.width = sizes.width;
        block.self.causal = true;
        stack.blocks.push_back(std::move(block));
    }
    stack.norm = tensors.layer_norm("ln_f", sizes.hidden, sizes.epsilon);
    Description description{.vocabulary = sizes.vocabulary, .longest = sizes.positions};
    if (has_head(config, {"ForCausalLM", "LMHeadModel"}))
        description.head = {.output =
                                output_of(tensors.outside(), "lm_head", stack.embedding.tokens,
                                          config.flag("tie_word_embeddings", true), sizes.vocabulary, sizes.hidden)};
    else
        add_score_head(config, tensors.outside(), sizes.hidden, description);
    description.decoder = std::move(stack);
    return description;
}

/// "global" or "local" for each layer: `attention_layers`, else `attention_types`: [[["global", "local"], 12]].
std::vector<std::string> kinds_of_layers(const Config& config, std::int64_t layers) {
    std::vector<std::string> kinds;
    if (config.has("attention_layers")) {
        kinds = config.texts("attention_layers");
    } else if (const auto* types = config.find("attention_types")) {
        for (const auto& type : types->items()) {
            const auto& parts = type.items();
            if (parts.size() != 2 || parts[1].integer() < 0 || parts[1].integer() > most_layers)
                config.fail("attention_types", ATTNLAB_TEXT("lists of kinds, each with a number"));
            for (std::int64_t i = 0; i < parts[1].integer(); ++i)
                for (const auto& kind : parts[0].items())
                    kinds.push_back(kind.text());
        }
    } else {
        for (std::int64_t layer = 0; layer < layers; ++layer)
            kinds.emplace_back(layer % 2 == 0 ? "global" : "local");
    }
    const auto* key = config.has("attention_layers") ? "attention_layers" : "attention_types";
    if (std::ssize(kinds) != layers)
        config.fail(key, {ATTNLAB_TEXT("%1 entries"), {std::to_string(layers)}});
    for (const auto& kind : kinds)
        if (kind != "global" && kind != "local")
            config.fail(key, {ATTNLAB_TEXT("global or local for each layer, not %1"), {kind}});
    return kinds;
}

/// Scores are not divided by the root of the width.
Description describe_gpt_neo(const Config& file, const WeightFiles& files) {
    const auto config = file.with_aliases({{"num_attention_heads", "num_heads"}, {"num_hidden_layers", "num_layers"}});
    if (!config.flag("is_causal", true)) // which Transformers does not read here
        config.fail("is_causal", "true");
    const auto hidden = config.size("hidden_size", 2048), heads = config.size("num_heads", 16);
    const NeoSizes sizes{.hidden = hidden,
                         .inner = config.size("intermediate_size", 4 * hidden),
                         .heads = heads,
                         .width = even_head_width(config, "num_heads", hidden, heads),
                         .vocabulary = config.size("vocab_size", 50257),
                         .positions = config.size("max_position_embeddings", 2048),
                         .epsilon = config.epsilon("layer_norm_epsilon", 1e-5),
                         .activation = activation_of(config, "activation_function", "gelu_new")};
    const auto layers = config.layers("num_layers", 24);
    const auto window = config.size("window_size", 256);
    const auto kinds = kinds_of_layers(config, layers);
    return neo_like(config, files, sizes, layers, [&](const Tensors& tensors, std::int64_t layer) {
        const auto square = [&](std::string_view name, bool has_bias) {
            return tensors.linear("attn.attention." + std::string(name), hidden, hidden, has_bias);
        };
        return Attention{.key_value_heads = heads,
                         .query = square("q_proj", false),
                         .key = square("k_proj", false),
                         .value = square("v_proj", false),
                         .output = square("out_proj", true),
                         .window = kinds[static_cast<std::size_t>(layer)] == "local" ? window : 0};
    });
}

/// One key and value for all heads, or a matrix with all three of each head.
Description describe_gpt_bigcode(const Config& file, const WeightFiles& files) {
    const auto config = file.with_aliases({{"hidden_size", "n_embd"},
                                           {"max_position_embeddings", "n_positions"},
                                           {"num_attention_heads", "n_head"},
                                           {"num_hidden_layers", "n_layer"}});
    config.refuse("add_cross_attention");
    const auto hidden = config.size("n_embd", 768), heads = config.size("n_head", 12);
    const auto width = even_head_width(config, "n_head", hidden, heads);
    const NeoSizes sizes{.hidden = hidden,
                         .inner = config.size("n_inner", 4 * hidden),
                         .heads = heads,
                         .width = width,
                         .vocabulary = config.size("vocab_size", 50257),
                         .positions = config.size("n_positions", 1024),
                         .epsilon = config.epsilon("layer_norm_epsilon", 1e-5),
                         .activation = activation_of(config, "activation_function", "gelu_pytorch_tanh")};
    const bool shares = config.flag("multi_query", true);
    const double scale = config.flag("scale_attn_weights", true) ? root_scale(width) : 1.0;
    return neo_like(config, files, sizes, config.layers("n_layer", 12), [&](const Tensors& tensors, std::int64_t) {
        Attention made{.key_value_heads = shares ? 1 : heads,
                       .scale = scale,
                       .output = tensors.linear("attn.c_proj", hidden, hidden, true)};
        auto fused = tensors.linear("attn.c_attn", hidden, shares ? hidden + 2 * width : 3 * hidden, true);
        if (shares) {
            made.query = part_of(fused, 0, hidden);
            made.key = part_of(fused, hidden, width);
            made.value = part_of(fused, hidden + width, width);
        } else {
            fused.group = width;
            fused.stride = 3 * width;
            made.query = part_of(fused, 0, hidden);
            made.key = part_of(fused, width, hidden);
            made.value = part_of(fused, 2 * width, hidden);
        }
        return made;
    });
}

constexpr TensorName starcoder_outside[] = {{"token_embd", "transformer.wte"},
                                            {"position_embd", "transformer.wpe"},
                                            {"output_norm", "transformer.ln_f"},
                                            {"output", "lm_head"}};
constexpr TensorName starcoder_inside[] = {
    {"attn_norm", "ln_1"}, {"attn_qkv", "attn.c_attn"}, {"attn_output", "attn.c_proj"},
    {"ffn_norm", "ln_2"},  {"ffn_up", "mlp.c_fc"},      {"ffn_down", "mlp.c_proj"},
};

Json starcoder_gguf_config(const GgufKeys& keys, std::string_view type) {
    keys.require("attention.head_count_kv", 1);
    keys.require("attention.key_length",
                 keys.integer("embedding_length") / std::max<std::int64_t>(1, keys.integer("attention.head_count")));
    return gpt2_gguf_config(keys, type);
}

} // namespace

std::vector<Architecture> gpt_neo_architectures() {
    return {{.type = "gpt_bigcode",
             .describe = describe_gpt_bigcode,
             .gguf = {.name = "starcoder",
                      .outside = starcoder_outside,
                      .inside = starcoder_inside,
                      .block = "transformer.h.",
                      .config = starcoder_gguf_config,
                      .has_rotary = false},
             .settings = settings_of_gpt_bigcode},
            {.type = "gpt_neo", .describe = describe_gpt_neo, .settings = settings_of_gpt_neo}};
}

} // namespace attnlab::model
