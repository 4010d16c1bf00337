// ELECTRA, ALBERT and MPNet: BERT with a narrower embedding, with one block for all layers, and with distances.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/task_head.h"

#include <algorithm>

namespace attnlab::model {
namespace {

constexpr KnownEntry tensors_of_electra[] = {
    {.names = "discriminator_predictions.* classifier.*", .why = why_not_read::task}};
constexpr KnownEntry settings_of_electra[] = {{.names = "summary_*", .why = why_not_read::task}};
constexpr KnownEntry settings_of_albert[] = {
    {.names = "gap_size net_structure_type num_memory_blocks down_scale_factor", .why = why_not_read::old_version}};
constexpr KnownEntry tensors_of_albert[] = {
    {.names = "predictions.bias sop_classifier.* albert.pooler* pooler*", .why = why_not_read::task}};
constexpr KnownEntry tensors_of_mpnet[] = {{.names = "lm_head.bias", .why = why_not_read::copy}};

struct Sizes {
    std::int64_t hidden = 0, embedded = 0, inner = 0, heads = 0, width = 0, positions = 0, vocabulary = 0;
    double epsilon = 0.0;
    const Activation* activation = nullptr;
};

Sizes sizes_of(const Config& config, std::int64_t vocabulary, std::string_view activation, std::int64_t embedded,
               const Sizes& absent) {
    config.refuse("add_cross_attention");
    config.refuse("is_decoder");
    if (config.text("position_embedding_type", "absolute") != "absolute")
        config.fail("position_embedding_type", "absolute");
    Sizes sizes{.hidden = config.size("hidden_size", absent.hidden),
                .embedded = 0,
                .inner = config.size("intermediate_size", absent.inner),
                .heads = config.size("num_attention_heads", absent.heads),
                .width = 0,
                .positions = config.size("max_position_embeddings", 512),
                .vocabulary = config.size("vocab_size", vocabulary),
                .epsilon = config.epsilon("layer_norm_eps", 1e-12),
                .activation = activation_of(config, "hidden_act", activation)};
    sizes.embedded = embedded > 0 ? config.size("embedding_size", embedded) : sizes.hidden;
    sizes.width = even_head_width(config, "num_attention_heads", sizes.hidden, sizes.heads);
    return sizes;
}

/// How they spell the parts of a block.
struct Names {
    std::string_view query, key, value, output, attention_norm, up, down, output_norm;
};
constexpr Names bert_spelling{
    "attention.self.query",       "attention.self.key", "attention.self.value", "attention.output.dense",
    "attention.output.LayerNorm", "intermediate.dense", "output.dense",         "output.LayerNorm"};
constexpr Names albert_spelling{"attention.query",     "attention.key", "attention.value", "attention.dense",
                                "attention.LayerNorm", "ffn",           "ffn_output",      "full_layer_layer_norm"};
constexpr Names mpnet_spelling{"attention.attn.q",    "attention.attn.k",   "attention.attn.v", "attention.attn.o",
                               "attention.LayerNorm", "intermediate.dense", "output.dense",     "output.LayerNorm"};

Block block_of(const Tensors& tensors, const Names& names, const Sizes& sizes) {
    const auto square = [&](std::string_view name) { return tensors.linear(name, sizes.hidden, sizes.hidden, true); };
    const auto norm = [&](std::string_view name) { return tensors.layer_norm(name, sizes.hidden, sizes.epsilon); };
    return {.self = {.heads = sizes.heads,
                     .key_value_heads = sizes.heads,
                     .width = sizes.width,
                     .scale = root_scale(sizes.width),
                     .query = square(names.query),
                     .key = square(names.key),
                     .value = square(names.value),
                     .output = square(names.output)},
            .self_norms = {.sum = norm(names.attention_norm)},
            .feed_forward = {.activation = sizes.activation,
                             .up = tensors.linear(names.up, sizes.hidden, sizes.inner, true),
                             .down = tensors.linear(names.down, sizes.inner, sizes.hidden, true)},
            .feed_forward_norms = {.sum = norm(names.output_norm)}};
}

Embedding embedding_of(const Config& config, const Tensors& tensors, const Sizes& sizes) {
    const auto table = [&](const std::string& name, std::int64_t rows) {
        return tensors.at("embeddings." + name + ".weight", {rows, sizes.embedded});
    };
    return {.tokens = table("word_embeddings", sizes.vocabulary),
            .positions = {.kind = Positions::Kind::Learned, .table = table("position_embeddings", sizes.positions)},
            .types = table("token_type_embeddings", config.size("type_vocab_size", 2)),
            .norm = tensors.layer_norm("embeddings.LayerNorm", sizes.embedded, sizes.epsilon)};
}

/// A transform to the width of the embedding, a norm, and the embedding with a bias.
Head head_of(const Config& config, const Tensors& outside, const std::string& dense, const std::string& norm,
             const std::string& output, const std::string& bias, const Sizes& sizes, const Weight* embedding) {
    Head head{.transform = outside.linear(dense, sizes.hidden, sizes.embedded, true),
              .activation = find_activation("gelu"),
              .norm = outside.layer_norm(norm, sizes.embedded, sizes.epsilon),
              .output = output_of(outside, output, embedding, config.flag("tie_word_embeddings", true),
                                  sizes.vocabulary, sizes.embedded)};
    head.output.bias = outside.at(outside.has(output + ".bias") ? output + ".bias" : bias, {sizes.vocabulary});
    return head;
}

Description describe_electra(const Config& config, const WeightFiles& files) {
    const auto sizes = sizes_of(config, 30522, "gelu", 128, {.hidden = 256, .inner = 1024, .heads = 4});
    const Tensors tensors(files, {"electra.", ""}, "embeddings.word_embeddings.weight");
    Stack stack{.name = "encoder", .width = sizes.hidden, .embedding = embedding_of(config, tensors, sizes)};
    if (sizes.embedded != sizes.hidden)
        stack.embedding.widening = tensors.linear("embeddings_project", sizes.embedded, sizes.hidden, true);
    for (std::int64_t layer = 0; layer < config.layers("num_hidden_layers", 12); ++layer)
        stack.blocks.push_back(
            block_of(tensors.below("encoder.layer." + std::to_string(layer) + "."), bert_spelling, sizes));
    Description description{.vocabulary = sizes.vocabulary, .longest = sizes.positions};
    if (const auto outside = tensors.outside(); outside.has("generator_predictions.dense.weight"))
        description.head = head_of(config, outside, "generator_predictions.dense", "generator_predictions.LayerNorm",
                                   "generator_lm_head", "generator_lm_head.bias", sizes, stack.embedding.tokens);
    else
        add_task_head(config, outside, sizes.hidden,
                      {.transform = "classifier.dense", .activation = "gelu", .output = "classifier.out_proj"},
                      description);
    description.encoder = std::move(stack);
    return description;
}

/// The blocks of a group of layers are one and the same.
Description describe_albert(const Config& config, const WeightFiles& files) {
    const auto sizes = sizes_of(config, 30000, "gelu_new", 128, {.hidden = 4096, .inner = 16384, .heads = 64});
    const Tensors tensors(files, {"albert.", ""}, "embeddings.word_embeddings.weight");
    const auto layers = config.layers("num_hidden_layers", 12), groups = config.size("num_hidden_groups", 1);
    if (config.size("inner_group_num", 1) != 1)
        config.fail("inner_group_num", "1");
    if (groups > std::max<std::int64_t>(1, layers))
        config.fail("num_hidden_groups", {ATTNLAB_TEXT("at most %1"), {std::to_string(layers)}});
    Stack stack{.name = "encoder", .width = sizes.hidden, .embedding = embedding_of(config, tensors, sizes)};
    stack.embedding.widening =
        tensors.linear("encoder.embedding_hidden_mapping_in", sizes.embedded, sizes.hidden, true);
    for (std::int64_t layer = 0; layer < layers; ++layer)
        stack.blocks.push_back(block_of(tensors.below("encoder.albert_layer_groups." +
                                                      std::to_string(layer * groups / layers) + ".albert_layers.0."),
                                        albert_spelling, sizes));
    Description description{.vocabulary = sizes.vocabulary, .longest = sizes.positions};
    if (const auto outside = tensors.outside(); outside.has("predictions.dense.weight")) {
        description.head = head_of(config, outside, "predictions.dense", "predictions.LayerNorm", "predictions.decoder",
                                   "predictions.bias", sizes, stack.embedding.tokens);
        description.head->activation = sizes.activation;
    } else {
        add_task_head(config, outside, sizes.hidden, {.transform = "albert.pooler"}, description);
    }
    description.encoder = std::move(stack);
    return description;
}

/// All layers share one table of distances. The first position is the one after the padding index.
Description describe_mpnet(const Config& config, const WeightFiles& files) {
    constexpr std::int64_t padding = 1, buckets = 32; // Transformers has both in its code
    const auto sizes = sizes_of(config, 30527, "gelu", 0, {.hidden = 768, .inner = 3072, .heads = 12});
    if (config.size("relative_attention_num_buckets", buckets) != buckets)
        config.fail("relative_attention_num_buckets", "32");
    const Tensors tensors(files, {"mpnet.", ""}, "embeddings.word_embeddings.weight");
    Stack stack{.name = "encoder", .width = sizes.hidden};
    stack.embedding = {
        .tokens = tensors.at("embeddings.word_embeddings.weight", {sizes.vocabulary, sizes.hidden}),
        .positions = {.kind = Positions::Kind::Learned,
                      .table = tensors.at("embeddings.position_embeddings.weight", {sizes.positions, sizes.hidden}),
                      .offset = padding + 1,
                      .padding = padding},
        .norm = tensors.layer_norm("embeddings.LayerNorm", sizes.hidden, sizes.epsilon)};
    for (std::int64_t layer = 0; layer < config.layers("num_hidden_layers", 12); ++layer) {
        auto block = block_of(tensors.below("encoder.layer." + std::to_string(layer) + "."), mpnet_spelling, sizes);
        block.self.buckets = {.values = tensors.at("encoder.relative_attention_bias.weight", {buckets, sizes.heads}),
                              .buckets = buckets,
                              .largest_distance = 128,
                              .bidirectional = true};
        stack.blocks.push_back(std::move(block));
    }
    Description description{.vocabulary = sizes.vocabulary, .longest = sizes.positions - padding - 1};
    if (const auto outside = tensors.outside(); outside.has("lm_head.dense.weight"))
        description.head = head_of(config, outside, "lm_head.dense", "lm_head.layer_norm", "lm_head.decoder",
                                   "lm_head.bias", sizes, stack.embedding.tokens);
    else
        add_task_head(config, outside, sizes.hidden, {.transform = "classifier.dense", .output = "classifier.out_proj"},
                      description);
    description.encoder = std::move(stack);
    return description;
}

} // namespace

std::vector<Architecture> electra_architectures() {
    return {
        {.type = "albert", .describe = describe_albert, .settings = settings_of_albert, .tensors = tensors_of_albert},
        {.type = "electra",
         .describe = describe_electra,
         .settings = settings_of_electra,
         .tensors = tensors_of_electra},
        {.type = "mpnet", .describe = describe_mpnet, .tensors = tensors_of_mpnet}};
}

} // namespace attnlab::model
