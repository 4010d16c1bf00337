// Descriptions of encoders: BERT, RoBERTa, DistilBERT and ViT.
#include "core/model/architectures.h"

namespace attnlab::model {

// BERT, RoBERTa and DistilBERT: norms after each sum, learned positions, a transform in front of the head.
namespace {

/// How the three spell the same things.
struct BertNames {
    std::string_view layers, query, key, value, output, attention_norm, up, down, output_norm;
};

constexpr BertNames bert_names{.layers = "encoder.layer.",
                               .query = "attention.self.query",
                               .key = "attention.self.key",
                               .value = "attention.self.value",
                               .output = "attention.output.dense",
                               .attention_norm = "attention.output.LayerNorm",
                               .up = "intermediate.dense",
                               .down = "output.dense",
                               .output_norm = "output.LayerNorm"};
constexpr BertNames distilbert_names{.layers = "transformer.layer.",
                                     .query = "attention.q_lin",
                                     .key = "attention.k_lin",
                                     .value = "attention.v_lin",
                                     .output = "attention.out_lin",
                                     .attention_norm = "sa_layer_norm",
                                     .up = "ffn.lin1",
                                     .down = "ffn.lin2",
                                     .output_norm = "output_layer_norm"};

struct BertSizes {
    std::int64_t hidden, layers, heads, head_width, inner, positions, vocabulary;
    double epsilon;
    const Activation* activation;
    bool causal = false;
};

Block bert_block(const Tensors& tensors, const BertNames& names, const BertSizes& sizes) {
    const auto square = [&](std::string_view name) { return tensors.linear(name, sizes.hidden, sizes.hidden, true); };
    return {.self = {.heads = sizes.heads,
                     .key_value_heads = sizes.heads,
                     .width = sizes.head_width,
                     .scale = root_scale(sizes.head_width),
                     .query = square(names.query),
                     .key = square(names.key),
                     .value = square(names.value),
                     .output = square(names.output),
                     .causal = sizes.causal},
            .self_norms = {.sum = tensors.layer_norm(names.attention_norm, sizes.hidden, sizes.epsilon)},
            .feed_forward = {.activation = sizes.activation,
                             .up = tensors.linear(names.up, sizes.hidden, sizes.inner, true),
                             .down = tensors.linear(names.down, sizes.inner, sizes.hidden, true)},
            .feed_forward_norms = {.sum = tensors.layer_norm(names.output_norm, sizes.hidden, sizes.epsilon)}};
}

Stack bert_stack(const Tensors& tensors, const BertNames& names, const BertSizes& sizes) {
    Stack stack{.name = "encoder", .width = sizes.hidden};
    const Shape table{sizes.positions, sizes.hidden};
    stack.embedding = {.tokens = tensors.at("embeddings.word_embeddings.weight", {sizes.vocabulary, sizes.hidden}),
                       .positions = {.kind = Positions::Kind::Learned,
                                     .table = tensors.at("embeddings.position_embeddings.weight", table)},
                       .norm = tensors.layer_norm("embeddings.LayerNorm", sizes.hidden, sizes.epsilon)};
    for (std::int64_t layer = 0; layer < sizes.layers; ++layer)
        stack.blocks.push_back(
            bert_block(tensors.below(std::string(names.layers) + std::to_string(layer) + "."), names, sizes));
    return stack;
}

/// `prefix`.dense and a norm, then the embedding, or a matrix of its own, with a bias.
Head masked_head(const Tensors& outside, std::string_view transform, std::string_view norm, std::string_view decoder,
                 std::string_view bias, const Weight* embedding, bool tied, const BertSizes& sizes) {
    Head head{.transform = outside.linear(transform, sizes.hidden, sizes.hidden, true),
              .activation = sizes.activation,
              .norm = outside.layer_norm(norm, sizes.hidden, sizes.epsilon),
              .output = output_of(outside, decoder, embedding, tied, sizes.vocabulary, sizes.hidden)};
    const auto own = std::string(decoder) + ".bias";
    head.output.bias = outside.at(outside.has(own) ? own : std::string(bias), {sizes.vocabulary});
    return head;
}

BertSizes bert_sizes(const Config& config, std::int64_t vocabulary) {
    config.refuse("add_cross_attention");
    if (config.text("position_embedding_type", "absolute") != "absolute")
        config.fail("position_embedding_type", "absolute");
    BertSizes sizes{.hidden = config.size("hidden_size", 768),
                    .layers = config.layers("num_hidden_layers", 12),
                    .heads = config.size("num_attention_heads", 12),
                    .head_width = 0,
                    .inner = config.size("intermediate_size", 3072),
                    .positions = config.size("max_position_embeddings", 512),
                    .vocabulary = config.size("vocab_size", vocabulary),
                    .epsilon = config.number("layer_norm_eps", 1e-12),
                    .activation = activation_of(config, "hidden_act", "gelu"),
                    .causal = config.flag("is_decoder", false)};
    sizes.head_width = even_head_width(config, "num_attention_heads", sizes.hidden, sizes.heads);
    return sizes;
}

} // namespace

Description describe_bert(const Config& config, const WeightFiles& files) {
    const auto sizes = bert_sizes(config, 30522);
    const Tensors tensors(files, {"bert.", ""}, "embeddings.word_embeddings.weight");
    const auto outside = tensors.outside();
    auto stack = bert_stack(tensors, bert_names, sizes);
    stack.embedding.types =
        tensors.at("embeddings.token_type_embeddings.weight", {config.size("type_vocab_size", 2), sizes.hidden});
    Description description{.vocabulary = sizes.vocabulary, .longest = sizes.positions};
    if (outside.has("cls.predictions.transform.dense.weight"))
        description.head =
            masked_head(outside, "cls.predictions.transform.dense", "cls.predictions.transform.LayerNorm",
                        "cls.predictions.decoder", "cls.predictions.bias", stack.embedding.tokens,
                        config.flag("tie_word_embeddings", true), sizes);
    description.encoder = std::move(stack);
    return description;
}

Description describe_roberta(const Config& config, const WeightFiles& files) {
    const auto sizes = bert_sizes(config, 50265);
    const Tensors tensors(files, {"roberta.", ""}, "embeddings.word_embeddings.weight");
    const auto outside = tensors.outside();
    auto stack = bert_stack(tensors, bert_names, sizes);
    stack.embedding.types =
        tensors.at("embeddings.token_type_embeddings.weight", {config.size("type_vocab_size", 2), sizes.hidden});
    const auto padding = config.integer("pad_token_id").value_or(1);
    if (padding < 0 || padding >= sizes.positions)
        config.fail("pad_token_id",
                    {ATTNLAB_TEXT("an integer from %1 to %2"), {"0", std::to_string(sizes.positions - 1)}});
    stack.embedding.positions.padding = padding;
    stack.embedding.positions.offset = padding + 1;
    Description description{.vocabulary = sizes.vocabulary, .longest = sizes.positions - padding - 1};
    if (outside.has("lm_head.dense.weight")) {
        description.head =
            masked_head(outside, "lm_head.dense", "lm_head.layer_norm", "lm_head.decoder", "lm_head.bias",
                        stack.embedding.tokens, config.flag("tie_word_embeddings", true), sizes);
        description.head->activation = find_activation("gelu");
    }
    description.encoder = std::move(stack);
    return description;
}

Description describe_distilbert(const Config& file, const WeightFiles& files) {
    const auto config = file.with_aliases(
        {{"hidden_size", "dim"}, {"num_attention_heads", "n_heads"}, {"num_hidden_layers", "n_layers"}});
    BertSizes sizes{.hidden = config.size("dim", 768),
                    .layers = config.layers("n_layers", 6),
                    .heads = config.size("n_heads", 12),
                    .head_width = 0,
                    .inner = config.size("hidden_dim", 3072),
                    .positions = config.size("max_position_embeddings", 512),
                    .vocabulary = config.size("vocab_size", 30522),
                    .epsilon = 1e-12,
                    .activation = activation_of(config, "activation", "gelu")};
    sizes.head_width = even_head_width(config, "n_heads", sizes.hidden, sizes.heads);
    const Tensors tensors(files, {"distilbert.", ""}, "embeddings.word_embeddings.weight");
    const auto outside = tensors.outside();
    auto stack = bert_stack(tensors, distilbert_names, sizes);
    Description description{.vocabulary = sizes.vocabulary, .longest = sizes.positions};
    if (outside.has("vocab_transform.weight"))
        description.head =
            masked_head(outside, "vocab_transform", "vocab_layer_norm", "vocab_projector", "vocab_projector.bias",
                        stack.embedding.tokens, config.flag("tie_word_embeddings", true), sizes);
    description.encoder = std::move(stack);
    return description;
}

// ViT: an encoder over the patches of an image.

namespace {

/// Both sides of a size that is a number or a list of two.
std::pair<std::int64_t, std::int64_t> height_and_width(const Config& config, std::string_view key,
                                                       std::int64_t absent) {
    const auto* found = config.find(key);
    if (!found || !found->is_list()) {
        const auto side = config.size(key, absent);
        return {side, side};
    }
    const auto sides = config.numbers(key);
    constexpr double most = 1 << 16;
    if (sides.size() != 2 || !(sides[0] >= 1.0 && sides[0] <= most && sides[1] >= 1.0 && sides[1] <= most))
        config.fail(key, ATTNLAB_TEXT("a size, or a height and a width"));
    return {static_cast<std::int64_t>(sides[0]), static_cast<std::int64_t>(sides[1])};
}

Block vit_block(const Config& config, const Tensors& tensors, std::int64_t hidden) {
    const auto heads = config.size("num_attention_heads", 12);
    const auto width = even_head_width(config, "num_attention_heads", hidden, heads);
    const auto inner = config.size("intermediate_size", 3072);
    const auto epsilon = config.number("layer_norm_eps", 1e-12);
    const auto projection = [&](std::string_view name) {
        return tensors.linear(name, hidden, hidden, config.flag("qkv_bias", true));
    };
    return {.self = {.heads = heads,
                     .key_value_heads = heads,
                     .width = width,
                     .scale = root_scale(width),
                     .query = projection("attention.attention.query"),
                     .key = projection("attention.attention.key"),
                     .value = projection("attention.attention.value"),
                     .output = tensors.linear("attention.output.dense", hidden, hidden, true)},
            .self_norms = {.before = tensors.layer_norm("layernorm_before", hidden, epsilon)},
            .feed_forward = {.activation = activation_of(config, "hidden_act", "gelu"),
                             .up = tensors.linear("intermediate.dense", hidden, inner, true),
                             .down = tensors.linear("output.dense", inner, hidden, true)},
            .feed_forward_norms = {.before = tensors.layer_norm("layernorm_after", hidden, epsilon)}};
}

Patches vit_patches(const Config& config, const Tensors& tensors, std::int64_t hidden) {
    const auto [image_height, image_width] = height_and_width(config, "image_size", 224);
    const auto [height, width] = height_and_width(config, "patch_size", 16);
    const auto channels = config.size("num_channels", 3);
    if (height > image_height || width > image_width)
        config.fail("patch_size", ATTNLAB_TEXT("a size within the image"));
    return {.channels = channels,
            .image_height = image_height,
            .image_width = image_width,
            .height = height,
            .width = width,
            .projection = {.weight = tensors.at("embeddings.patch_embeddings.projection.weight",
                                                {hidden, channels, height, width}),
                           .bias = tensors.at("embeddings.patch_embeddings.projection.bias", {hidden}),
                           .inputs = channels * height * width,
                           .outputs = hidden},
            .class_token = tensors.at("embeddings.cls_token", {1, 1, hidden})};
}

/// The names of the classes, by number; empty where they are not all there.
std::vector<std::string> class_names(const Config& config, std::int64_t count) {
    std::vector<std::string> names;
    const auto labels = config.object("id2label");
    for (std::int64_t id = 0; labels && id < count; ++id)
        names.push_back(labels->text(std::to_string(id), ""));
    return names;
}

} // namespace

Description describe_vit(const Config& config, const WeightFiles& files) {
    const Tensors tensors(files, {"vit.", ""}, "embeddings.cls_token");
    const auto hidden = config.size("hidden_size", 768);
    Stack stack{.name = "encoder", .width = hidden};
    const auto patches = vit_patches(config, tensors, hidden);
    const Shape table{1, patches.rows() * patches.columns() + 1, hidden};
    stack.embedding.positions = {.kind = Positions::Kind::Learned,
                                 .table = tensors.at("embeddings.position_embeddings", table)};
    stack.embedding.patches = patches;
    for (std::int64_t layer = 0; layer < config.layers("num_hidden_layers", 12); ++layer)
        stack.blocks.push_back(
            vit_block(config, tensors.below("encoder.layer." + std::to_string(layer) + "."), hidden));
    stack.norm = tensors.layer_norm("layernorm", hidden, config.number("layer_norm_eps", 1e-12));
    stack.shows_norm = false;
    Description description;
    if (const auto* classes = files.find("classifier.weight"); classes && !classes->shape.empty()) {
        const auto count = classes->shape.front();
        description.head = {.output = tensors.outside().linear("classifier", hidden, count, true),
                            .of_first_position = true};
        description.labels = class_names(config, count);
    }
    description.encoder = std::move(stack);
    return description;
}

} // namespace attnlab::model
