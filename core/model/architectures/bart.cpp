// BART, LED, Marian, mBART, M2M-100, Pegasus and Blenderbot: encoders with decoders, norms after each sum or before
// each sublayer.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/bert_family.h"
#include "core/model/architectures/shared/task_head.h"

#include <algorithm>
#include <cmath>

namespace attnlab::model {
namespace {

constexpr KnownEntry extra_positions{.names = "extra_pos_embeddings", .why = why_not_read::old_version};
constexpr KnownEntry settings_of_bart[] = {
    extra_positions,
    {.names = "normalize_embedding", .why = why_not_read::built_in, .values = "true"},
    {.names = "position_embedding_type", .why = why_not_read::built_in, .values = "\"absolute\""}};
constexpr KnownEntry settings_of_marian[] = {
    extra_positions, {.names = "static_position_embeddings", .why = why_not_read::built_in, .values = "true"}};
constexpr KnownEntry tensors_of_bart[] = {
    {.names = "*encoder.embed_tokens.weight *shared.weight", .why = why_not_read::copy}};

constexpr KnownEntry tensors_of_led[] = {
    {.names = "*encoder.embed_tokens.weight *shared.weight", .why = why_not_read::copy},
    {.names = "*query_global.* *key_global.* *value_global.*", .why = why_not_marked, .is_said = true}};

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
    bool norms_before = false; ///< each sublayer, and one behind the last block
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

/// `is_windowed`: as the encoder of LED calls its parts.
Attention bart_attention(const Tensors& tensors, const BartSide& side, bool is_windowed = false) {
    const auto square = [&](std::string_view name) { return tensors.linear(name, side.hidden, side.hidden, true); };
    return {.heads = side.heads,
            .key_value_heads = side.heads,
            .width = side.head_width,
            .scale = root_scale(side.head_width),
            .query = square(is_windowed ? "longformer_self_attn.query" : "q_proj"),
            .key = square(is_windowed ? "longformer_self_attn.key" : "k_proj"),
            .value = square(is_windowed ? "longformer_self_attn.value" : "v_proj"),
            .output = square(is_windowed ? "output" : "out_proj")};
}

Stack bart_stack(const Tensors& tensors, const BartSide& side) {
    const bool decodes = side.name == "decoder";
    Stack stack{.name = side.name, .width = side.hidden};
    for (std::int64_t layer = 0; layer < side.layers; ++layer) {
        const auto below = tensors.below(side.name + ".layers." + std::to_string(layer) + ".");
        const auto norms = [&](std::string_view name) {
            const auto norm = below.layer_norm(name, side.hidden, 1e-5);
            return side.norms_before ? Norms{.before = norm} : Norms{.sum = norm};
        };
        Block block{.self = bart_attention(below.below("self_attn."), side,
                                           below.has("self_attn.longformer_self_attn.query.weight")),
                    .self_norms = norms("self_attn_layer_norm"),
                    .feed_forward = {.activation = side.activation,
                                     .up = below.linear("fc1", side.hidden, side.inner, true),
                                     .down = below.linear("fc2", side.inner, side.hidden, true)},
                    .feed_forward_norms = norms("final_layer_norm")};
        block.self.causal = decodes;
        if (decodes) {
            block.cross = bart_attention(below.below("encoder_attn."), side);
            block.cross_norms = norms("encoder_attn_layer_norm");
        }
        stack.blocks.push_back(block);
    }
    if (side.norms_before)
        stack.norm = tensors.layer_norm(side.name + ".layer_norm", side.hidden, 1e-5);
    return stack;
}

/// The bias of `bart_head` is a row of its own.
Head bart_head(const Config& config, const Tensors& tensors, const Weight* embedding, std::int64_t vocabulary,
               std::int64_t hidden) {
    Head head{.output = output_of(tensors.outside(), "lm_head", head_embedding(tensors, embedding),
                                  config.flag("tie_word_embeddings", true), vocabulary, hidden)};
    head.output.bias = tensors.outside().find("final_logits_bias", {1, vocabulary});
    return head;
}

/// The decoder reads the text again; its last end has the classes.
void add_bart_classes(const Config& config, const Tensors& outside, Description& description) {
    add_task_head(config, outside, description.decoder->width,
                  {.transform = "classification_head.dense",
                   .output = "classification_head.out_proj",
                   .pooling = Head::Pooling::Last},
                  description);
    if (!description.head)
        return;
    if (!description.head->is_of_whole_input()) { // answers within a text
        description.head.reset();
        return;
    }
    const auto ends = ends_of(config);
    description.head->ending = ends.empty() ? 2 : ends.front();
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
    else
        add_bart_classes(config, tensors.outside(), description);
    return description;
}

/// BART whose encoder reads half of a window to each side. Programs may mark tokens that read everything; here none is.
Description describe_led(const Config& file, const WeightFiles& files) {
    const auto config = bart_config(file);
    const Tensors tensors(files, {"led.", "model.", ""}, "encoder.embed_positions.weight");
    const auto vocabulary = config.size("vocab_size", 50265);
    const auto stack_of = [&](const std::string& name, std::int64_t positions) {
        const auto side = bart_side(config, name);
        auto stack = bart_stack(tensors, side);
        stack.embedding = {
            .tokens = side_embedding(tensors, name, vocabulary, side.hidden),
            .positions = {.kind = Positions::Kind::Learned,
                          .table = tensors.at(name + ".embed_positions.weight", {positions, side.hidden})},
            .norm = tensors.layer_norm(name + ".layernorm_embedding", side.hidden, 1e-5)};
        return stack;
    };
    const auto longest = config.size("max_encoder_position_embeddings", 16384);
    const auto longest_target = config.size("max_decoder_position_embeddings", 1024);
    Description description{.encoder = stack_of("encoder", longest),
                            .decoder = stack_of("decoder", longest_target),
                            .vocabulary = vocabulary,
                            .longest = std::min(longest, longest_target),
                            .decoder_start = config.integer("decoder_start_token_id").value_or(2)};
    const auto windows = attention_windows(config, std::ssize(description.encoder->blocks));
    for (std::size_t layer = 0; layer < windows.size(); ++layer) {
        auto& self = description.encoder->blocks[layer].self;
        self.window = windows[layer] / 2 + 1;
        self.query_scale = self.scale;
        self.scale = 1.0;
    }
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

/// Kinds with norms before each sublayer.
struct PrenormKind {
    bool norms_embedding = false;
    Positions::Kind positions = Positions::Kind::Learned;
    std::int64_t offset = 0, vocabulary = 50265, start = 2;
    bool scales = false; ///< where the configuration has no scale_embedding
    bool counts_padding = true;
};

Description prenorm_like(const Config& file, const WeightFiles& files, const PrenormKind& kind) {
    const auto config = bart_config(file);
    const Tensors tensors(files, {"model.", ""}, "encoder.layers.0.fc1.weight");
    const auto vocabulary = config.size("vocab_size", kind.vocabulary);
    const auto positions = config.size("max_position_embeddings", 1024);
    const auto stack_of = [&](const std::string& name) {
        auto side = bart_side(config, name);
        side.norms_before = true;
        auto stack = bart_stack(tensors, side);
        stack.embedding = {
            .tokens = side_embedding(tensors, name, vocabulary, side.hidden),
            .factor = config.flag("scale_embedding", kind.scales) ? std::sqrt(static_cast<double>(side.hidden)) : 1.0,
            .positions = {.kind = kind.positions, .offset = kind.offset}};
        const auto table = name + ".embed_positions.weight";
        const Shape shape{positions + kind.offset, side.hidden};
        if (kind.positions == Positions::Kind::Learned)
            stack.embedding.positions.table = tensors.at(table, shape);
        else if (kind.positions == Positions::Kind::Sinusoidal && tensors.has(table)) {
            stack.embedding.positions.kind = Positions::Kind::Learned;
            stack.embedding.positions.table = tensors.at(table, shape);
        }
        if (!kind.counts_padding)
            stack.embedding.positions.padding = config.integer("pad_token_id").value_or(1);
        if (kind.norms_embedding)
            stack.embedding.norm = tensors.layer_norm(name + ".layernorm_embedding", side.hidden, 1e-5);
        return stack;
    };
    Description description{.encoder = stack_of("encoder"),
                            .decoder = stack_of("decoder"),
                            .vocabulary = vocabulary,
                            .longest = positions,
                            .decoder_start = config.integer("decoder_start_token_id").value_or(kind.start)};
    if (has_head(config, {"ForConditionalGeneration"}))
        description.head =
            bart_head(config, tensors, description.decoder->embedding.tokens, vocabulary, description.decoder->width);
    return description;
}

Description describe_mbart(const Config& config, const WeightFiles& files) {
    auto description = prenorm_like(config, files, {.norms_embedding = true, .offset = 2});
    description.decoder_start = config.integer("decoder_start_token_id");
    return description;
}

Description describe_pegasus(const Config& config, const WeightFiles& files) {
    return prenorm_like(config, files, {.positions = Positions::Kind::Sinusoidal, .start = 0});
}

/// The position of padding has no sines, and what follows it does not count it.
Description describe_m2m_100(const Config& config, const WeightFiles& files) {
    const auto padding = config.integer("pad_token_id").value_or(1);
    return prenorm_like(config, files,
                        {.positions = Positions::Kind::Fairseq,
                         .offset = padding + 1,
                         .vocabulary = 128112,
                         .scales = true,
                         .counts_padding = false});
}

Description describe_blenderbot(const Config& config, const WeightFiles& files) {
    return prenorm_like(config, files, {.vocabulary = 8008, .start = 1});
}

constexpr KnownEntry settings_of_prenorm[] = {
    extra_positions,
    {.names = "normalize_before add_final_layer_norm", .why = why_not_read::built_in, .values = "true"},
    {.names = "normalize_embedding add_bias_logits static_position_embeddings do_blenderbot_90_layernorm",
     .why = why_not_read::old_version}};
constexpr KnownEntry tensors_of_prenorm[] = {
    {.names = "*encoder.embed_tokens.weight *decoder.embed_tokens.weight *shared.weight", .why = why_not_read::copy},
    {.names = "*embed_positions.weight*", .why = ATTNLAB_TEXT("a constant that the settings give")}};

} // namespace

std::vector<Architecture> bart_architectures() {
    return {
        {.type = "blenderbot",
         .describe = describe_blenderbot,
         .settings = settings_of_prenorm,
         .tensors = tensors_of_prenorm},
        {.type = "led", .describe = describe_led, .settings = settings_of_bart, .tensors = tensors_of_led},
        {.type = "m2m_100",
         .describe = describe_m2m_100,
         .settings = settings_of_prenorm,
         .tensors = tensors_of_prenorm},
        {.type = "mbart", .describe = describe_mbart, .settings = settings_of_prenorm, .tensors = tensors_of_prenorm},
        {.type = "pegasus",
         .describe = describe_pegasus,
         .settings = settings_of_prenorm,
         .tensors = tensors_of_prenorm},
        {.type = "bart", .describe = describe_bart, .settings = settings_of_bart, .tensors = tensors_of_bart},
        {.type = "marian", .describe = describe_marian, .settings = settings_of_marian, .tensors = tensors_of_bart}};
}

} // namespace attnlab::model
