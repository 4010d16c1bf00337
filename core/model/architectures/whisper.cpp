// Whisper: an encoder of the log-mel spectrogram of a sound, and a decoder that writes its text.
#include "core/model/architectures.h"
#include "core/model/sound.h"

#include <string>
#include <utility>

namespace attnlab::model {
namespace {

constexpr KnownEntry settings_of_whisper[] = {
    {.names = "apply_spec_augment mask_time_* mask_feature_*", .why = ATTNLAB_TEXT("counts in training alone")},
    {.names = "scale_embedding", .why = why_not_read::built_in, .values = "false"},
    {.names = "median_filter_width alignment_heads is_multilingual lang_to_id task_to_id",
     .why = ATTNLAB_TEXT("is about generating text")},
    {.names = "use_weighted_layer_sum classifier_proj_size", .why = why_not_read::task}};
constexpr KnownEntry tensors_of_whisper[] = {{.names = "proj_out.weight", .why = why_not_read::copy}};

struct WhisperSide {
    std::string name; ///< "encoder" or "decoder"
    std::int64_t hidden, layers, heads, inner;
    const Activation* activation;
};

WhisperSide whisper_side(const Config& config, const std::string& name) {
    return {.name = name,
            .hidden = config.size("d_model", 384),
            .layers = config.layers(name + "_layers", 4),
            .heads = config.size(name + "_attention_heads", 6),
            .inner = config.size(name + "_ffn_dim", 1536),
            .activation = activation_of(config, "activation_function", "gelu")};
}

Stack whisper_stack(const Config& config, const Tensors& tensors, const WhisperSide& side) {
    const auto width = even_head_width(config, side.name + "_attention_heads", side.hidden, side.heads);
    const auto attention = [&](const Tensors& below) {
        const auto square = [&](std::string_view name, bool has_bias) {
            return below.linear(name, side.hidden, side.hidden, has_bias);
        };
        return Attention{.heads = side.heads,
                         .key_value_heads = side.heads,
                         .width = width,
                         .query_scale = root_scale(width),
                         .query = square("q_proj", true),
                         .key = square("k_proj", false),
                         .value = square("v_proj", true),
                         .output = square("out_proj", true)};
    };
    const bool decodes = side.name == "decoder";
    Stack stack{.name = side.name, .width = side.hidden};
    for (std::int64_t layer = 0; layer < side.layers; ++layer) {
        const auto below = tensors.below(side.name + ".layers." + std::to_string(layer) + ".");
        const auto norms = [&](std::string_view name) {
            return Norms{.before = below.layer_norm(name, side.hidden, 1e-5)};
        };
        Block block{.self = attention(below.below("self_attn.")),
                    .self_norms = norms("self_attn_layer_norm"),
                    .feed_forward = {.activation = side.activation,
                                     .up = below.linear("fc1", side.hidden, side.inner, true),
                                     .down = below.linear("fc2", side.inner, side.hidden, true)},
                    .feed_forward_norms = norms("final_layer_norm")};
        block.self.causal = decodes;
        if (decodes) {
            block.cross = attention(below.below("encoder_attn."));
            block.cross_norms = norms("encoder_attn_layer_norm");
        }
        stack.blocks.push_back(std::move(block));
    }
    stack.norm = tensors.layer_norm(side.name + ".layer_norm", side.hidden, 1e-5);
    return stack;
}

/// Two convolutions, of which the second halves the time.
Frames whisper_frames(const Config& config, const Tensors& tensors, std::int64_t hidden) {
    constexpr std::int64_t rows = 3;
    Frames frames{.channels = config.size("num_mel_bins", 80),
                  .steps = 2 * config.size("max_source_positions", 1500),
                  .hop = 160,
                  .window = 400};
    for (std::int64_t i = 0; i < 2; ++i) {
        const auto name = "encoder.conv" + std::to_string(i + 1);
        const auto inputs = i == 0 ? frames.channels : hidden;
        frames.convolutions.push_back({.window = {.weight = tensors.at(name + ".weight", {hidden, inputs, rows}),
                                                  .bias = tensors.at(name + ".bias", {hidden}),
                                                  .inputs = inputs * rows,
                                                  .outputs = hidden},
                                       .rows = rows,
                                       .stride = i + 1,
                                       .before = 1,
                                       .after = 1,
                                       .activation = find_activation("gelu")});
    }
    return frames;
}

Description describe_whisper(const Config& config, const WeightFiles& files) {
    const Tensors tensors(files, {"model.", ""}, "encoder.conv1.weight");
    const auto vocabulary = config.size("vocab_size", 51865);
    const auto positions = config.size("max_target_positions", 448);
    auto encoder = whisper_stack(config, tensors, whisper_side(config, "encoder"));
    auto decoder = whisper_stack(config, tensors, whisper_side(config, "decoder"));
    const auto hidden = encoder.width;
    const auto table = [&](const std::string& side, std::int64_t rows) {
        return Positions{.kind = Positions::Kind::Learned,
                         .table = tensors.at(side + ".embed_positions.weight", {rows, hidden})};
    };
    encoder.embedding = {.frames = whisper_frames(config, tensors, hidden),
                         .positions = table("encoder", config.size("max_source_positions", 1500))};
    decoder.embedding = {.tokens = tensors.at("decoder.embed_tokens.weight", {vocabulary, hidden}),
                         .positions = table("decoder", positions)};
    Description description{.encoder = std::move(encoder),
                            .decoder = std::move(decoder),
                            .vocabulary = vocabulary,
                            .longest = positions,
                            .decoder_start = config.integer("decoder_start_token_id").value_or(50257)};
    for (const auto& id : forced_ids(config)) {
        if (!id)
            break;
        description.prompt.push_back(*id);
    }
    if (has_head(config, {"ForConditionalGeneration"}))
        description.head =
            Head{.output = output_of(tensors.outside(), "proj_out", description.decoder->embedding.tokens,
                                     config.flag("tie_word_embeddings", true), vocabulary, hidden)};
    return description;
}

} // namespace

std::vector<Architecture> whisper_architectures() {
    return {{.type = "whisper",
             .describe = describe_whisper,
             .settings = settings_of_whisper,
             .tensors = tensors_of_whisper}};
}

} // namespace attnlab::model
