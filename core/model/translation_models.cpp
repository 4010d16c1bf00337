// Encoders with decoders: T5, BART and Marian.
#include "core/model/architectures.h"

#include <cmath>

namespace attnlab::model {
namespace {

struct T5Sizes {
    std::int64_t hidden, inner, heads, head_width, buckets, largest_distance;
    double epsilon;
    const Activation* activation = nullptr;
    bool gated = false;

    std::int64_t width() const { return heads * head_width; }
};

T5Sizes t5_sizes(const Config& config) {
    T5Sizes sizes{.hidden = config.size("d_model", 512),
                  .inner = config.size("d_ff", 2048),
                  .heads = config.size("num_heads", 8),
                  .head_width = config.size("d_kv", 64),
                  .buckets = config.size("relative_attention_num_buckets", 32),
                  .largest_distance = config.size("relative_attention_max_distance", 128),
                  .epsilon = config.number("layer_norm_epsilon", 1e-6)};
    if (sizes.buckets < 4)
        config.fail("relative_attention_num_buckets", {ATTNLAB_TEXT("%1 or more"), {"4"}});
    if (sizes.largest_distance <= sizes.buckets / 2)
        config.fail("relative_attention_max_distance",
                    {ATTNLAB_TEXT("more than %1"), {std::to_string(sizes.buckets / 2)}});
    auto name = config.text("feed_forward_proj", "relu");
    const bool gated = name.starts_with("gated-");
    if (gated)
        name = name == "gated-gelu" ? "gelu_new" : name.substr(std::string_view("gated-").size());
    sizes.gated = config.flag("is_gated_act", gated);
    const auto* key = config.has("dense_act_fn") ? "dense_act_fn" : "feed_forward_proj";
    sizes.activation = find_activation(config.text("dense_act_fn", name));
    if (!sizes.activation)
        config.fail(key, {"%1", {known_activations()}});
    return sizes;
}

Attention t5_attention(const Tensors& tensors, const T5Sizes& sizes) {
    const auto projection = [&](std::string_view name) {
        return tensors.linear(name, sizes.hidden, sizes.width(), false);
    };
    return {.heads = sizes.heads,
            .key_value_heads = sizes.heads,
            .width = sizes.head_width,
            .query = projection("q"),
            .key = projection("k"),
            .value = projection("v"),
            .output = tensors.linear("o", sizes.width(), sizes.hidden, false)};
}

FeedForward t5_feed_forward(const Tensors& tensors, const T5Sizes& sizes) {
    FeedForward made{.activation = sizes.activation,
                     .up = tensors.linear(sizes.gated ? "wi_1" : "wi", sizes.hidden, sizes.inner, false),
                     .down = tensors.linear("wo", sizes.inner, sizes.hidden, false)};
    if (sizes.gated)
        made.gate = tensors.linear("wi_0", sizes.hidden, sizes.inner, false);
    return made;
}

/// The first layer has the table of distances, which all share.
Stack t5_stack(const Tensors& tensors, const T5Sizes& sizes, std::string name, std::int64_t layers) {
    const bool decodes = name == "decoder";
    const auto norm = [&](const std::string& of) { return tensors.rms_norm(of, sizes.hidden, sizes.epsilon); };
    const auto* const distances = "block.0.layer.0.SelfAttention.relative_attention_bias.weight";
    Stack stack{.name = std::move(name), .width = sizes.hidden};
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        const auto at = "block." + std::to_string(layer) + ".layer.";
        const std::string last = decodes ? "2" : "1";
        Block block{.self = t5_attention(tensors.below(at + "0.SelfAttention."), sizes),
                    .self_norms = {.before = norm(at + "0.layer_norm")},
                    .feed_forward = t5_feed_forward(tensors.below(at + last + ".DenseReluDense."), sizes),
                    .feed_forward_norms = {.before = norm(at + last + ".layer_norm")}};
        block.self.buckets = {.values = tensors.at(distances, {sizes.buckets, sizes.heads}),
                              .buckets = sizes.buckets,
                              .largest_distance = sizes.largest_distance,
                              .bidirectional = !decodes};
        block.self.causal = decodes;
        if (decodes) {
            block.cross = t5_attention(tensors.below(at + "1.EncDecAttention."), sizes);
            block.cross_norms.before = norm(at + "1.layer_norm");
        }
        stack.blocks.push_back(block);
    }
    stack.norm = norm("final_layer_norm");
    return stack;
}

/// Other names of settings of BART and Marian.
Config bart_config(const Config& file) {
    return file.with_aliases({{"hidden_size", "d_model"},
                              {"num_attention_heads", "encoder_attention_heads"},
                              {"num_hidden_layers", "encoder_layers"}});
}

/// BART and Marian differ in positions and in a norm of the embedding.
struct BartSide {
    std::string name; ///< "encoder" or "decoder"
    std::int64_t hidden, layers, heads, head_width, inner;
    const Activation* activation;
};

BartSide bart_side(const Config& config, const std::string& name) {
    const auto hidden = config.size("d_model", 1024);
    const auto heads_key = name + "_attention_heads";
    const auto heads = config.size(heads_key, 16);
    return {.name = name,
            .hidden = hidden,
            .layers = config.layers(name + "_layers", 12),
            .heads = heads,
            .head_width = even_head_width(config, heads_key, hidden, heads),
            .inner = config.size(name + "_ffn_dim", 4096),
            .activation = activation_of(config, "activation_function", "gelu")};
}

Attention bart_attention(const Tensors& tensors, const BartSide& side) {
    const auto square = [&](std::string_view name) { return tensors.linear(name, side.hidden, side.hidden, true); };
    return {.heads = side.heads,
            .key_value_heads = side.heads,
            .width = side.head_width,
            .scale = root_scale(side.head_width),
            .query = square("q_proj"),
            .key = square("k_proj"),
            .value = square("v_proj"),
            .output = square("out_proj")};
}

Stack bart_stack(const Tensors& tensors, const BartSide& side) {
    const bool decodes = side.name == "decoder";
    Stack stack{.name = side.name, .width = side.hidden};
    for (std::int64_t layer = 0; layer < side.layers; ++layer) {
        const auto below = tensors.below(side.name + ".layers." + std::to_string(layer) + ".");
        const auto norm = [&](std::string_view name) { return below.layer_norm(name, side.hidden, 1e-5); };
        Block block{.self = bart_attention(below.below("self_attn."), side),
                    .self_norms = {.sum = norm("self_attn_layer_norm")},
                    .feed_forward = {.activation = side.activation,
                                     .up = below.linear("fc1", side.hidden, side.inner, true),
                                     .down = below.linear("fc2", side.inner, side.hidden, true)},
                    .feed_forward_norms = {.sum = norm("final_layer_norm")}};
        block.self.causal = decodes;
        if (decodes) {
            block.cross = bart_attention(below.below("encoder_attn."), side);
            block.cross_norms.sum = norm("encoder_attn_layer_norm");
        }
        stack.blocks.push_back(block);
    }
    return stack;
}

/// The embedding of a side: its own where the file has one, else the shared one.
const Weight* side_embedding(const Tensors& tensors, const std::string& side, std::int64_t vocabulary,
                             std::int64_t hidden) {
    const auto own = side + ".embed_tokens.weight";
    return tensors.at(tensors.has(own) ? own : "shared.weight", {vocabulary, hidden});
}

/// The embedding that a head without a matrix of its own has.
const Weight* head_embedding(const Tensors& tensors, const Weight* of_decoder) {
    return tensors.has("shared.weight") ? tensors.at("shared.weight", of_decoder->shape) : of_decoder;
}

/// The bias of `bart_head` is a row of its own.
Head bart_head(const Config& config, const Tensors& tensors, const Weight* embedding, std::int64_t vocabulary,
               std::int64_t hidden) {
    Head head{.output = output_of(tensors.outside(), "lm_head", head_embedding(tensors, embedding),
                                  config.flag("tie_word_embeddings", true), vocabulary, hidden)};
    head.output.bias = tensors.outside().find("final_logits_bias", {1, vocabulary});
    return head;
}

} // namespace

Description describe_t5(const Config& file, const WeightFiles& files) {
    const auto config = file.with_aliases({{"hidden_size", "d_model"},
                                           {"num_attention_heads", "num_heads"},
                                           {"num_hidden_layers", "num_layers"},
                                           {"head_dim", "d_kv"}});
    const auto sizes = t5_sizes(config);
    const Tensors tensors(files, {""}, "shared.weight");
    const auto vocabulary = config.size("vocab_size", 32128);
    const auto layers = config.layers("num_layers", 6);
    Description description{.vocabulary = vocabulary, .decoder_start = config.integer("decoder_start_token_id")};
    description.encoder = t5_stack(tensors.below("encoder."), sizes, "encoder", layers);
    description.encoder->embedding.tokens = side_embedding(tensors, "encoder", vocabulary, sizes.hidden);
    if (!has_head(config, {"EncoderModel"}) || !config.has("architectures")) {
        description.decoder = t5_stack(tensors.below("decoder."), sizes, "decoder",
                                       config.layers("num_decoder_layers", file.layers("num_layers", 6)));
        description.decoder->embedding.tokens = side_embedding(tensors, "decoder", vocabulary, sizes.hidden);
    }
    if (description.decoder && has_head(config, {"ForConditionalGeneration", "WithLMHeadModel"})) {
        const bool absent = config.flag("tie_word_embeddings", true) && !config.mentions("scale_decoder_outputs");
        description.head = {.factor = config.flag("scale_decoder_outputs", absent) ? root_scale(sizes.hidden) : 1.0,
                            .output = output_of(tensors, "lm_head",
                                                head_embedding(tensors, description.decoder->embedding.tokens), true,
                                                vocabulary, sizes.hidden)};
    }
    return description;
}

Description describe_bart(const Config& file, const WeightFiles& files) {
    const auto config = bart_config(file);
    constexpr std::int64_t offset = 2; ///< of its learned positions
    const Tensors tensors(files, {"model.", ""}, "encoder.embed_positions.weight");
    const auto vocabulary = config.size("vocab_size", 50265);
    const auto positions = config.size("max_position_embeddings", 1024);
    const auto stack_of = [&](const std::string& name) {
        const auto side = bart_side(config, name);
        auto stack = bart_stack(tensors, side);
        const Shape table{positions + offset, side.hidden};
        stack.embedding = {.tokens = side_embedding(tensors, name, vocabulary, side.hidden),
                           .factor = config.flag("scale_embedding", false) ? std::sqrt(static_cast<double>(side.hidden))
                                                                           : 1.0,
                           .positions = {.kind = Positions::Kind::Learned,
                                         .table = tensors.at(name + ".embed_positions.weight", table),
                                         .offset = offset},
                           .norm = tensors.layer_norm(name + ".layernorm_embedding", side.hidden, 1e-5)};
        return stack;
    };
    Description description{.encoder = stack_of("encoder"),
                            .decoder = stack_of("decoder"),
                            .vocabulary = vocabulary,
                            .longest = positions,
                            .decoder_start = config.integer("decoder_start_token_id").value_or(2)};
    if (has_head(config, {"ForConditionalGeneration"}))
        description.head =
            bart_head(config, tensors, description.decoder->embedding.tokens, vocabulary, description.decoder->width);
    return description;
}

Description describe_marian(const Config& file, const WeightFiles& files) {
    const auto config = bart_config(file);
    const Tensors tensors(files, {"model.", ""}, "encoder.layers.0.fc1.weight");
    const auto vocabulary = config.size("vocab_size", 58101);
    const bool shares = config.flag("share_encoder_decoder_embeddings", true);
    const auto target = shares ? vocabulary : config.size("decoder_vocab_size", vocabulary);
    const auto positions = config.size("max_position_embeddings", 1024);
    const auto stack_of = [&](const std::string& name) {
        const auto side = bart_side(config, name);
        auto stack = bart_stack(tensors, side);
        const auto* own = tensors.find(name + ".embed_positions.weight", {positions, side.hidden});
        stack.embedding = {
            .tokens = side_embedding(tensors, name, name == "decoder" ? target : vocabulary, side.hidden),
            .factor = config.flag("scale_embedding", false) ? std::sqrt(static_cast<double>(side.hidden)) : 1.0,
            .positions = {.kind = own ? Positions::Kind::Learned : Positions::Kind::Sinusoidal, .table = own}};
        return stack;
    };
    Description description{.encoder = stack_of("encoder"),
                            .decoder = stack_of("decoder"),
                            .vocabulary = vocabulary,
                            .longest = positions,
                            .decoder_start = config.integer("decoder_start_token_id").value_or(58100)};
    if (has_head(config, {"MTModel"}))
        description.head =
            bart_head(config, tensors, description.decoder->embedding.tokens, target, description.decoder->width);
    return description;
}

} // namespace attnlab::model
