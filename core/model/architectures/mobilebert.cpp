// Smaller BERTs: SqueezeBERT, whose layers read groups of inputs, ConvBERT, of which half of each attention is a
// convolution, and MobileBERT, whose blocks are narrower than the model.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/bert_family.h"
#include "core/model/architectures/shared/grouped.h"
#include "core/model/architectures/shared/task_head.h"

#include <algorithm>
#include <string>
#include <utility>

namespace attnlab::model {
namespace {

constexpr KnownEntry tensors_of_squeezebert[] = {{.names = "cls.predictions.bias", .why = why_not_read::copy}};
constexpr KnownEntry settings_of_convbert[] = {{.names = "summary_*", .why = why_not_read::task}};
constexpr KnownEntry tensors_of_convbert[] = {{.names = "generator_lm_head.*", .why = why_not_read::copy},
                                              {.names = "classifier.*", .why = why_not_read::task}};
constexpr KnownEntry tensors_of_mobilebert[] = {{.names = "cls.predictions.*", .why = why_not_read::task}};
constexpr KnownEntry settings_of_mobilebert[] = {
    {.names = "trigram_input true_hidden_size", .why = why_not_read::built_in},
    {.names = "layer_norm_eps", .why = ATTNLAB_TEXT("normalization_type is no_norm")}};

/// A convolution over one row is a product; its inputs may come in groups.
Description describe_squeezebert(const Config& config, const WeightFiles& files) {
    constexpr double epsilon_of_blocks = 1e-12; // whatever the settings say
    const auto sizes = bert_sizes(config, 30522);
    if (config.size("embedding_size", sizes.hidden) != sizes.hidden)
        config.fail("embedding_size", {"%1", {std::to_string(sizes.hidden)}});
    const Tensors tensors(files, {"transformer.", ""}, "embeddings.word_embeddings.weight");
    const auto groups = [&](std::string_view key, std::int64_t inputs, std::int64_t outputs, std::int64_t absent = 4) {
        return groups_of(config, key, absent, inputs, outputs);
    };
    const auto of_query = groups("q_groups", sizes.hidden, sizes.hidden);
    const auto of_key = groups("k_groups", sizes.hidden, sizes.hidden);
    const auto of_value = groups("v_groups", sizes.hidden, sizes.hidden);
    const auto of_output = groups("post_attention_groups", sizes.hidden, sizes.hidden, 1);
    const auto of_up = groups("intermediate_groups", sizes.hidden, sizes.inner);
    const auto of_down = groups("output_groups", sizes.inner, sizes.hidden);
    Description description{.vocabulary = sizes.vocabulary, .longest = sizes.positions};
    auto without_blocks = sizes;
    without_blocks.layers = 0;
    auto stack = bert_stack(tensors, bert_names, without_blocks);
    stack.embedding.types = token_types(config, tensors, sizes.hidden);
    for (std::int64_t layer = 0; layer < sizes.layers; ++layer) {
        const auto below = tensors.below("encoder.layers." + std::to_string(layer) + ".");
        const auto square = [&](std::string_view name, std::int64_t own_groups) {
            return pointwise(below, name, sizes.hidden, sizes.hidden, own_groups, true, description);
        };
        const auto norm = [&](std::string_view name) {
            return below.layer_norm(name, sizes.hidden, epsilon_of_blocks);
        };
        stack.blocks.push_back({.self = {.heads = sizes.heads,
                                         .key_value_heads = sizes.heads,
                                         .width = sizes.head_width,
                                         .scale = root_scale(sizes.head_width),
                                         .query = square("attention.query", of_query),
                                         .key = square("attention.key", of_key),
                                         .value = square("attention.value", of_value),
                                         .output = square("post_attention.conv1d", of_output)},
                                .self_norms = {.sum = norm("post_attention.layernorm")},
                                .feed_forward = {.activation = sizes.activation,
                                                 .up = pointwise(below, "intermediate.conv1d", sizes.hidden,
                                                                 sizes.inner, of_up, true, description),
                                                 .down = pointwise(below, "output.conv1d", sizes.inner, sizes.hidden,
                                                                   of_down, true, description)},
                                .feed_forward_norms = {.sum = norm("output.layernorm")}});
    }
    add_bert_head(config, tensors.outside(), stack, sizes, "transformer.pooler.dense", description);
    description.encoder = std::move(stack);
    return description;
}

/// Half of what an attention gives comes from its heads, the other half from a convolution that depends on the query.
Description describe_convbert(const Config& config, const WeightFiles& files) {
    config.refuse("is_decoder");
    const auto sizes = bert_sizes(config, 30522);
    const auto embedded = config.size("embedding_size", 768), ratio = config.size("head_ratio", 2);
    const auto rows = config.size("conv_kernel_size", 9);
    if (rows % 2 == 0)
        config.fail("conv_kernel_size", ATTNLAB_TEXT("an odd number"));
    const auto heads = std::max<std::int64_t>(1, sizes.heads / ratio);
    if (sizes.hidden % (2 * heads) != 0)
        config.fail("num_attention_heads", {ATTNLAB_TEXT("a divisor of %1"), {std::to_string(sizes.hidden / 2)}});
    const auto width = sizes.hidden / heads / 2, all = heads * width;
    const auto groups = groups_of(config, "num_groups", 1, sizes.hidden, sizes.inner);
    const Tensors tensors(files, {"convbert.", ""}, "embeddings.word_embeddings.weight");
    const auto outside = tensors.outside();
    Description description{.vocabulary = sizes.vocabulary, .longest = sizes.positions};
    Stack stack{.name = "encoder", .width = sizes.hidden};
    stack.embedding = {
        .tokens = tensors.at("embeddings.word_embeddings.weight", {sizes.vocabulary, embedded}),
        .positions = {.kind = Positions::Kind::Learned,
                      .table = tensors.at("embeddings.position_embeddings.weight", {sizes.positions, embedded})},
        .types = token_types(config, tensors, embedded),
        .norm = tensors.layer_norm("embeddings.LayerNorm", embedded, sizes.epsilon)};
    if (embedded != sizes.hidden)
        stack.embedding.widening = tensors.linear("embeddings_project", embedded, sizes.hidden, true);
    for (std::int64_t layer = 0; layer < sizes.layers; ++layer) {
        const auto below = tensors.below("encoder.layer." + std::to_string(layer) + ".");
        const auto self = below.below("attention.self.");
        const auto norm = [&](std::string_view name) { return below.layer_norm(name, sizes.hidden, sizes.epsilon); };
        const auto linear = [&](std::string_view name) { return self.linear(name, sizes.hidden, all, true); };
        const auto inner = [&](std::string_view name, std::int64_t inputs, std::int64_t outputs) {
            return groups == 1 ? below.linear(name, inputs, outputs, true)
                               : grouped(below, name, inputs, outputs, groups, description);
        };
        SpanConvolution beside{
            .depthwise = self.at("key_conv_attn_layer.depthwise.weight", {sizes.hidden, 1, rows}),
            .pointwise = pointwise(self, "key_conv_attn_layer.pointwise", sizes.hidden, all, 1, false, description),
            .kernel = self.linear("conv_kernel_layer", all, heads * rows, true),
            .values = linear("conv_out_layer"),
            .rows = rows};
        auto bias = std::make_shared<Weight>(*self.at("key_conv_attn_layer.bias", {all, 1}));
        bias->shape = {all};
        description.own_weights.push_back(bias);
        beside.pointwise.bias = bias.get();
        stack.blocks.push_back({.self = {.heads = heads,
                                         .key_value_heads = heads,
                                         .width = width,
                                         .scale = root_scale(width),
                                         .query = linear("query"),
                                         .key = linear("key"),
                                         .value = linear("value"),
                                         .output = below.linear("attention.output.dense", 2 * all, sizes.hidden, true),
                                         .beside = beside},
                                .self_norms = {.sum = norm("attention.output.LayerNorm")},
                                .feed_forward = {.activation = sizes.activation,
                                                 .up = inner("intermediate.dense", sizes.hidden, sizes.inner),
                                                 .down = inner("output.dense", sizes.inner, sizes.hidden)},
                                .feed_forward_norms = {.sum = norm("output.LayerNorm")}});
    }
    if (outside.has("generator_predictions.dense.weight")) {
        description.head = {.transform = outside.linear("generator_predictions.dense", sizes.hidden, embedded, true),
                            .activation = find_activation("gelu"),
                            .norm = outside.layer_norm("generator_predictions.LayerNorm", embedded, sizes.epsilon),
                            .output = output_of(outside, "generator_lm_head", stack.embedding.tokens,
                                                config.flag("tie_word_embeddings", true), sizes.vocabulary, embedded)};
        description.head->output.bias = outside.at("generator_lm_head.bias", {sizes.vocabulary});
    } else {
        add_task_head(config, outside, sizes.hidden,
                      {.transform = "classifier.dense",
                       .activation = config.text("hidden_act", "gelu"),
                       .output = "classifier.out_proj"},
                      description);
    }
    description.encoder = std::move(stack);
    return description;
}

/// A factor and a bias where BERT has a norm.
Norm no_norm(const Tensors& tensors, const std::string& name, std::int64_t width) {
    return {.kind = Norm::Kind::None,
            .weight = tensors.at(name + ".weight", {width}),
            .bias = tensors.at(name + ".bias", {width})};
}

Description describe_mobilebert(const Config& config, const WeightFiles& files) {
    for (const auto& [key, expected] :
         {std::pair{"use_bottleneck", true}, std::pair{"use_bottleneck_attention", false},
          std::pair{"key_query_shared_bottleneck", true}, std::pair{"trigram_input", true}})
        if (config.flag(key, expected) != expected)
            config.fail(key, expected ? "true" : "false");
    if (config.text("normalization_type", "no_norm") != "no_norm")
        config.fail("normalization_type", "no_norm");
    const auto hidden = config.size("hidden_size", 512), inner = config.size("intermediate_size", 512);
    const auto narrow = config.size("intra_bottleneck_size", 128), embedded = config.size("embedding_size", 128);
    const auto heads = config.size("num_attention_heads", 4), layers = config.layers("num_hidden_layers", 24);
    const auto vocabulary = config.size("vocab_size", 30522), positions = config.size("max_position_embeddings", 512);
    const auto forwards = config.size("num_feedforward_networks", 4);
    const auto width = even_head_width(config, "num_attention_heads", narrow, heads);
    const auto* activation = activation_of(config, "hidden_act", "relu");
    const Tensors tensors(files, {"mobilebert.", ""}, "embeddings.word_embeddings.weight");
    Stack stack{.name = "encoder", .width = hidden};
    stack.embedding = {.tokens = tensors.at("embeddings.word_embeddings.weight", {vocabulary, embedded}),
                       .positions = {.kind = Positions::Kind::Learned,
                                     .table = tensors.at("embeddings.position_embeddings.weight", {positions, hidden})},
                       .types = token_types(config, tensors, hidden),
                       .has_neighbours = true,
                       .projection = tensors.linear("embeddings.embedding_transformation", 3 * embedded, hidden, true),
                       .norm = no_norm(tensors, "embeddings.LayerNorm", hidden)};
    const auto forward = [&](const Tensors& of, const std::string& down) {
        return FeedForward{.activation = activation,
                           .up = of.linear("intermediate.dense", narrow, inner, true),
                           .down = of.linear(down, inner, narrow, true)};
    };
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        const auto below = tensors.below("encoder.layer." + std::to_string(layer) + ".");
        const auto linear = [&](std::string_view name, std::int64_t inputs, std::int64_t outputs) {
            return below.linear(name, inputs, outputs, true);
        };
        Bottleneck form{.in = linear("bottleneck.input.dense", hidden, narrow),
                        .shared = linear("bottleneck.attention.dense", hidden, narrow),
                        .out = linear("output.bottleneck.dense", narrow, hidden),
                        .in_norm = no_norm(below, "bottleneck.input.LayerNorm", narrow),
                        .shared_norm = no_norm(below, "bottleneck.attention.LayerNorm", narrow),
                        .out_norm = no_norm(below, "output.bottleneck.LayerNorm", hidden)};
        for (std::int64_t i = 0; i + 1 < forwards; ++i) {
            const auto own = below.below("ffn." + std::to_string(i) + ".");
            form.first.push_back(forward(own, "output.dense"));
            form.first_norms.push_back(no_norm(own, "output.LayerNorm", narrow));
        }
        stack.blocks.push_back({.self = {.heads = heads,
                                         .key_value_heads = heads,
                                         .width = width,
                                         .scale = root_scale(width),
                                         .query = linear("attention.self.query", narrow, narrow),
                                         .key = linear("attention.self.key", narrow, narrow),
                                         .value = linear("attention.self.value", hidden, narrow),
                                         .output = linear("attention.output.dense", narrow, narrow)},
                                .bottleneck = std::move(form),
                                .self_norms = {.sum = no_norm(below, "attention.output.LayerNorm", narrow)},
                                .feed_forward = forward(below, "output.dense"),
                                .feed_forward_norms = {.sum = no_norm(below, "output.LayerNorm", narrow)}});
    }
    Description description{.vocabulary = vocabulary, .longest = positions};
    add_task_head(config, tensors.outside(), hidden,
                  {.transform = config.flag("classifier_activation", true) ? "mobilebert.pooler.dense" : ""},
                  description);
    description.encoder = std::move(stack);
    return description;
}

} // namespace

std::vector<Architecture> mobilebert_architectures() {
    return {{.type = "convbert",
             .describe = describe_convbert,
             .settings = settings_of_convbert,
             .tensors = tensors_of_convbert},
            {.type = "mobilebert",
             .describe = describe_mobilebert,
             .settings = settings_of_mobilebert,
             .tensors = tensors_of_mobilebert},
            {.type = "squeezebert", .describe = describe_squeezebert, .tensors = tensors_of_squeezebert}};
}

} // namespace attnlab::model
