// wav2vec 2.0, HuBERT and WavLM: convolutions of the samples of a sound, and an encoder of their frames.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/task_head.h"

#include <cmath>
#include <string>
#include <utility>

namespace attnlab::model {
namespace {

constexpr const char* of_training = ATTNLAB_TEXT("counts in training alone");
constexpr const char* of_pretraining = ATTNLAB_TEXT("belongs to the task of pretraining");
constexpr KnownEntry settings_of_wav2vec2[] = {
    {.names = "apply_spec_augment mask_time_* mask_feature_* mask_channel_* ctc_loss_reduction ctc_zero_infinity "
              "gradient_checkpointing freeze_feat_extract_train no_mask_*",
     .why = of_training},
    {.names =
         "num_codevectors_per_group num_codevector_groups contrastive_logits_temperature num_negatives codevector_dim "
         "proj_codevector_dim diversity_loss_weight num_ctc_classes replace_prob do_samples_normalization",
     .why = of_pretraining},
    {.names = "classifier_proj_size tdnn_* xvector_output_dim", .why = why_not_read::task},
    {.names = "num_feat_extract_layers", .why = why_not_read::other_key},
    {.names = "adapter_kernel_size adapter_stride num_adapter_layers output_hidden_size adapter_act",
     .why = ATTNLAB_TEXT("counts for models with an adapter")},
    {.names = "feat_proj_layer_norm", .why = why_not_read::built_in, .values = "true"}};
constexpr KnownEntry tensors_of_wav2vec2[] = {
    {.names = "*masked_spec_embed", .why = of_training},
    {.names = "quantizer.* project_q.* project_hid.* projector.* layer_weights tdnn.* feature_extractor.* objective.* "
              "dropout_features.* label_embeddings_concat final_proj.*",
     .why = why_not_read::task}};

/// A list of sizes, one for each convolution.
std::vector<std::int64_t> sizes_of(const Config& config, std::string_view key, const std::vector<std::int64_t>& absent,
                                   std::size_t count) {
    constexpr double most = 1 << 16;
    if (!config.has(key) && absent.size() == count)
        return absent;
    std::vector<std::int64_t> sizes;
    for (const double value : config.numbers(key)) {
        if (!(value >= 1.0) || value > most || value != std::floor(value))
            config.fail(key, {ATTNLAB_TEXT("an integer from %1 to %2"), {"1", std::to_string(1 << 16)}});
        sizes.push_back(static_cast<std::int64_t>(value));
    }
    if (sizes.size() != count || count == 0)
        config.fail(key, {ATTNLAB_TEXT("as many numbers as 'conv_dim' has, %1"), {std::to_string(count)}});
    return sizes;
}

struct SampleConvolutions {
    std::vector<std::int64_t> widths, rows, strides;
};

SampleConvolutions sample_convolutions(const Config& config) {
    const std::vector<std::int64_t> widths(7, 512), rows{10, 3, 3, 3, 3, 2, 2}, strides{5, 2, 2, 2, 2, 2, 2};
    const auto count = config.has("conv_dim") ? config.numbers("conv_dim").size() : widths.size();
    return {sizes_of(config, "conv_dim", widths, count), sizes_of(config, "conv_kernel", rows, count),
            sizes_of(config, "conv_stride", strides, count)};
}

Frames sample_frames(const Config& config, const Tensors& tensors) {
    const auto sizes = sample_convolutions(config);
    const auto norm = config.text("feat_extract_norm", "group");
    if (norm != "group" && norm != "layer")
        config.fail("feat_extract_norm", {ATTNLAB_TEXT("%1 or %2"), {"group", "layer"}});
    const auto* activation = activation_of(config, "feat_extract_activation", "gelu");
    const bool has_bias = config.flag("conv_bias", false);
    Frames frames{.standardizes = true};
    std::int64_t inputs = 1;
    for (std::size_t i = 0; i < sizes.widths.size(); ++i) {
        const auto below = tensors.below("feature_extractor.conv_layers." + std::to_string(i) + ".");
        const auto outputs = sizes.widths[i], rows = sizes.rows[i];
        TimeConvolution convolution{.window = {.weight = below.at("conv.weight", {outputs, inputs, rows}),
                                               .bias = has_bias ? below.at("conv.bias", {outputs}) : nullptr,
                                               .inputs = inputs * rows,
                                               .outputs = outputs},
                                    .rows = rows,
                                    .stride = sizes.strides[i],
                                    .norm_spans_time = norm == "group",
                                    .activation = activation};
        if (norm == "layer" || i == 0)
            convolution.norm = below.layer_norm("layer_norm", outputs, 1e-5);
        frames.convolutions.push_back(convolution);
        inputs = outputs;
    }
    return frames;
}

/// Around each frame; its weights have lengths of their own.
TimeConvolution position_convolution(const Config& config, const Tensors& tensors, std::int64_t hidden) {
    const auto rows = config.size("num_conv_pos_embeddings", 128);
    const auto groups = config.size("num_conv_pos_embedding_groups", 16);
    if (hidden % groups != 0)
        config.fail("num_conv_pos_embedding_groups", {ATTNLAB_TEXT("a divisor of %1"), {std::to_string(hidden)}});
    const auto below = tensors.below("encoder.pos_conv_embed.conv.");
    const bool is_new = below.has("parametrizations.weight.original0");
    const Shape shape{hidden, hidden / groups, rows};
    return {.window = {.weight = below.at(is_new ? "parametrizations.weight.original1" : "weight_v", shape),
                       .bias = below.at("bias", {hidden}),
                       .inputs = hidden / groups * rows,
                       .outputs = hidden},
            .rows = rows,
            .before = rows / 2,
            .after = rows / 2 - (rows % 2 == 0 ? 1 : 0),
            .groups = groups,
            .lengths = below.at(is_new ? "parametrizations.weight.original0" : "weight_g", {1, 1, rows}),
            .activation = activation_of(config, "feat_extract_activation", "gelu")};
}

/// Letters of each frame, or classes of the whole sound.
void add_sound_head(const Config& config, const Tensors& outside, std::int64_t hidden, Description& description) {
    if (config.has("architectures") && has_head(config, {"ForCTC"}) && outside.has("lm_head.weight")) {
        const auto count = outside.rows_of("lm_head.weight");
        description.head =
            Head{.output = outside.linear("lm_head", hidden, count, true), .outcomes = Head::Outcomes::Classes};
        for (std::int64_t id = 0; id < count; ++id)
            description.labels.push_back("#" + std::to_string(id));
        description.blank = config.integer("pad_token_id").value_or(0);
        return;
    }
    if (!config.has("architectures") || !has_head(config, {"ForSequenceClassification"}) ||
        !outside.has("projector.weight"))
        return;
    config.refuse("use_weighted_layer_sum");
    const auto inner = outside.rows_of("projector.weight"), count = outside.rows_of("classifier.weight");
    description.head = Head{.transform = outside.linear("projector", hidden, inner, true),
                            .activation = find_activation("linear"),
                            .output = outside.linear("classifier", inner, count, true),
                            .pooling = Head::Pooling::Mean,
                            .outcomes = Head::Outcomes::Classes};
    description.labels = class_names(config, count);
}

struct SampleKind {
    std::string_view prefix;
    bool has_gates = false; ///< of distances: WavLM
};

Description describe_samples(const Config& config, const WeightFiles& files, const SampleKind& kind) {
    const Tensors tensors(files, {kind.prefix, ""}, "feature_extractor.conv_layers.0.conv.weight");
    config.refuse("add_adapter");
    config.refuse("conv_pos_batch_norm");
    if (config.has("adapter_attn_dim"))
        config.fail("adapter_attn_dim", "null");
    const auto hidden = config.size("hidden_size", 768), inner = config.size("intermediate_size", 3072);
    const auto heads = config.size("num_attention_heads", 12);
    const auto width = even_head_width(config, "num_attention_heads", hidden, heads);
    const double epsilon = config.epsilon("layer_norm_eps", 1e-5);
    const bool norms_before = config.flag("do_stable_layer_norm", false);
    const auto* activation = activation_of(config, "hidden_act", "gelu");
    Stack stack{.name = "encoder", .width = hidden};
    auto frames = sample_frames(config, tensors);
    const auto features = frames.convolutions.back().window.outputs;
    if (config.flag("feat_proj_layer_norm", true))
        frames.norm = tensors.layer_norm("feature_projection.layer_norm", features, epsilon);
    frames.positions = position_convolution(config, tensors, hidden);
    stack.embedding.frames = std::move(frames);
    stack.embedding.projection = tensors.linear("feature_projection.projection", features, hidden, true);
    const auto norm = tensors.layer_norm("encoder.layer_norm", hidden, epsilon);
    (norms_before ? stack.norm : stack.embedding.norm) = norm;
    stack.shows_norm = false;
    const auto buckets = kind.has_gates ? config.size("num_buckets", 320) : 0;
    for (std::int64_t layer = 0; layer < config.layers("num_hidden_layers", 12); ++layer) {
        const auto below = tensors.below("encoder.layers." + std::to_string(layer) + ".");
        const auto square = [&](std::string_view name) {
            return below.linear("attention." + std::string(name), hidden, hidden, true);
        };
        const auto norms = [&](std::string_view name) {
            const auto of_layer = below.layer_norm(name, hidden, epsilon);
            return norms_before ? Norms{.before = of_layer} : Norms{.sum = of_layer};
        };
        Block block{.self = {.heads = heads,
                             .key_value_heads = heads,
                             .width = width,
                             .scale = root_scale(width),
                             .query = square("q_proj"),
                             .key = square("k_proj"),
                             .value = square("v_proj"),
                             .output = square("out_proj")},
                    .self_norms = norms("layer_norm"),
                    .feed_forward = {.activation = activation,
                                     .up = below.linear("feed_forward.intermediate_dense", hidden, inner, true),
                                     .down = below.linear("feed_forward.output_dense", inner, hidden, true)},
                    .feed_forward_norms = norms("final_layer_norm")};
        if (kind.has_gates) {
            block.self.buckets = {.values =
                                      tensors.at("encoder.layers.0.attention.rel_attn_embed.weight", {buckets, heads}),
                                  .buckets = buckets,
                                  .largest_distance = config.size("max_bucket_distance", 800),
                                  .bidirectional = true};
            block.self.distance_gate = {.sums = below.linear("attention.gru_rel_pos_linear", width, 8, true),
                                        .factors = below.at("attention.gru_rel_pos_const", {1, heads, 1, 1})};
        }
        stack.blocks.push_back(std::move(block));
    }
    Description description{.encoder = std::move(stack)};
    add_sound_head(config, tensors.outside(), hidden, description);
    return description;
}

} // namespace

std::vector<Architecture> wav2vec2_architectures() {
    using C = const Config&;
    using W = const WeightFiles&;
    const auto row = [](std::string_view type, Describe describe) {
        return Architecture{
            .type = type, .describe = describe, .settings = settings_of_wav2vec2, .tensors = tensors_of_wav2vec2};
    };
    return {row("hubert", [](C config, W files) { return describe_samples(config, files, {.prefix = "hubert."}); }),
            row("wav2vec2", [](C config, W files) { return describe_samples(config, files, {.prefix = "wav2vec2."}); }),
            row("wavlm", [](C config, W files) {
                return describe_samples(config, files, {.prefix = "wavlm.", .has_gates = true});
            })};
}

} // namespace attnlab::model
