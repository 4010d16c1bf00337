// DeBERTa, 1 to 3: BERT whose scores have products with keys and queries of distances.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/task_head.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace attnlab::model {
namespace {

constexpr KnownEntry settings_of_deberta[] = {
    {.names = "pooler_hidden_act pooler_hidden_size pooler_dropout cls_dropout legacy conv_act conv_groups",
     .why = why_not_read::task}};
constexpr KnownEntry tensors_of_deberta[] = {
    {.names = "mask_predictions.* lm_predictions.* cls.predictions.* pooler.* classifier.* qa_outputs.*",
     .why = why_not_read::task},
    {.names = "deberta.embeddings.position_embeddings.weight embeddings.position_embeddings.weight",
     .why = ATTNLAB_TEXT("position_biased_input is not true")}};

/// "c2p|p2c", or a list.
std::vector<std::string> position_kinds(const Config& config) {
    std::vector<std::string> kinds;
    const auto* found = config.find("pos_att_type");
    if (found && found->is_list()) {
        kinds = config.texts("pos_att_type");
    } else if (found) {
        auto words = config.text("pos_att_type", "");
        for (std::size_t at = 0; at != words.npos && !words.empty();) {
            const auto end = words.find('|');
            auto word = words.substr(0, end);
            std::erase(word, ' ');
            kinds.push_back(word);
            at = end;
            words = end == words.npos ? "" : words.substr(end + 1);
        }
    }
    for (const auto& kind : kinds)
        if (kind != "c2p" && kind != "p2c")
            config.fail("pos_att_type", "c2p, p2c");
    return kinds;
}

struct DebertaSizes {
    std::int64_t hidden = 0, inner = 0, heads = 0, width = 0, positions = 0;
    double epsilon = 0.0;
    const Activation* activation = nullptr;
};

/// Without the projections of each layer.
Disentangled distances_of(const Config& config, const Tensors& tensors, const DebertaSizes& sizes, bool is_first) {
    Disentangled form;
    const auto given = config.integer("max_relative_positions").value_or(-1);
    form.largest_distance = given < 1 ? sizes.positions : given;
    const auto buckets = is_first ? -1 : config.integer("position_buckets").value_or(-1);
    if (form.largest_distance > largest_size)
        config.fail("max_relative_positions", {ATTNLAB_TEXT("%1 or less"), {std::to_string(largest_size)}});
    if (buckets > largest_size)
        config.fail("position_buckets", {ATTNLAB_TEXT("%1 or less"), {std::to_string(largest_size)}});
    if (buckets == 1)
        config.fail("position_buckets", {ATTNLAB_TEXT("%1 or more"), {"2"}});
    form.buckets = std::max<std::int64_t>(buckets, 0);
    form.span = buckets > 0 ? buckets : form.largest_distance;
    if (form.buckets > 0 && form.largest_distance - 1 <= form.buckets / 2)
        config.fail("max_relative_positions", {ATTNLAB_TEXT("more than %1"), {std::to_string(form.buckets / 2 + 1)}});
    form.embeddings = tensors.at("encoder.rel_embeddings.weight", {2 * form.span, sizes.hidden});
    const auto norm = is_first ? "none" : config.text("norm_rel_ebd", "none");
    if (norm == "layer_norm")
        form.norm = tensors.layer_norm("encoder.LayerNorm", sizes.hidden, sizes.epsilon);
    else if (norm != "none")
        config.fail("norm_rel_ebd", "none, layer_norm");
    return form;
}

/// Queries, keys and values of a head follow one another in one matrix; keys have no bias.
void set_fused(const Tensors& tensors, const DebertaSizes& sizes, Attention& self) {
    auto fused = tensors.linear("in_proj", sizes.hidden, 3 * sizes.hidden, false);
    fused.group = sizes.width;
    fused.stride = 3 * sizes.width;
    fused.has_own_bias = true;
    self.query = part_of(fused, 0, sizes.hidden);
    self.query.bias = tensors.at("q_bias", {sizes.hidden});
    self.key = part_of(fused, sizes.width, sizes.hidden);
    self.value = part_of(fused, 2 * sizes.width, sizes.hidden);
    self.value.bias = tensors.at("v_bias", {sizes.hidden});
}

Description describe_deberta(const Config& config, const WeightFiles& files, bool is_first) {
    if (is_first)
        config.refuse("talking_head");
    if (!is_first && config.integer("conv_kernel_size").value_or(0) > 0)
        config.fail("conv_kernel_size", ATTNLAB_TEXT("0: AttnLab does not compute its convolution"));
    DebertaSizes sizes{.hidden = config.size("hidden_size", is_first ? 768 : 1536),
                       .inner = config.size("intermediate_size", is_first ? 3072 : 6144),
                       .heads = config.size("num_attention_heads", is_first ? 12 : 24),
                       .positions = config.size("max_position_embeddings", 512),
                       .epsilon = config.epsilon("layer_norm_eps", 1e-7),
                       .activation = activation_of(config, "hidden_act", "gelu")};
    sizes.width = even_head_width(config, "num_attention_heads", sizes.hidden, sizes.heads);
    if (!is_first && config.size("attention_head_size", sizes.width) != sizes.width)
        config.fail("attention_head_size", {"%1", {std::to_string(sizes.width)}});
    const auto vocabulary = config.size("vocab_size", is_first ? 50265 : 128100);
    const auto embedded = config.size("embedding_size", sizes.hidden);
    const auto types = config.integer("type_vocab_size").value_or(0);
    const Tensors tensors(files, {"deberta.", ""}, "embeddings.word_embeddings.weight");
    const auto outside = tensors.outside();
    Stack stack{.name = "encoder", .width = sizes.hidden};
    auto& embedding = stack.embedding;
    embedding.tokens = tensors.at("embeddings.word_embeddings.weight", {vocabulary, embedded});
    if (types > 0)
        embedding.types = tensors.at("embeddings.token_type_embeddings.weight", {types, embedded});
    if (config.flag("position_biased_input", true))
        embedding.positions = {.kind = Positions::Kind::Learned,
                               .table =
                                   tensors.at("embeddings.position_embeddings.weight", {sizes.positions, embedded})};
    if (embedded != sizes.hidden) {
        if (types > 0 || embedding.positions.table)
            config.fail("embedding_size", {"%1", {std::to_string(sizes.hidden)}});
        embedding.projection = tensors.linear("embeddings.embed_proj", embedded, sizes.hidden, false);
    }
    embedding.norm = tensors.layer_norm("embeddings.LayerNorm", sizes.hidden, sizes.epsilon);

    const auto kinds = position_kinds(config);
    const auto has_kind = [&](const char* kind) { return std::ranges::find(kinds, kind) != kinds.end(); };
    const bool is_relative = config.flag("relative_attention", false);
    if (!is_relative)
        for (const auto* key : {"max_relative_positions", "position_buckets", "norm_rel_ebd", "share_att_key"})
            config.ignore(key, ATTNLAB_TEXT("relative_attention is not true"));
    const bool shares = !is_first && config.flag("share_att_key", false);
    const auto distances = is_relative ? distances_of(config, tensors, sizes, is_first) : Disentangled();
    const double parts = 1.0 + (has_kind("c2p") ? 1.0 : 0.0) + (has_kind("p2c") ? 1.0 : 0.0);
    for (std::int64_t layer = 0; layer < config.layers("num_hidden_layers", is_first ? 12 : 24); ++layer) {
        const auto below = tensors.below("encoder.layer." + std::to_string(layer) + ".");
        const auto square = [&](std::string_view name) { return below.linear(name, sizes.hidden, sizes.hidden, true); };
        const auto norm = [&](std::string_view name) { return below.layer_norm(name, sizes.hidden, sizes.epsilon); };
        Block block{.self = {.heads = sizes.heads,
                             .key_value_heads = sizes.heads,
                             .width = sizes.width,
                             .scale = 1.0 / std::sqrt(static_cast<double>(sizes.width) * parts),
                             .output = square("attention.output.dense")},
                    .self_norms = {.sum = norm("attention.output.LayerNorm")},
                    .feed_forward = {.activation = sizes.activation,
                                     .up = below.linear("intermediate.dense", sizes.hidden, sizes.inner, true),
                                     .down = below.linear("output.dense", sizes.inner, sizes.hidden, true)},
                    .feed_forward_norms = {.sum = norm("output.LayerNorm")}};
        if (is_first) {
            set_fused(below.below("attention.self."), sizes, block.self);
        } else {
            block.self.query = square("attention.self.query_proj");
            block.self.key = square("attention.self.key_proj");
            block.self.value = square("attention.self.value_proj");
        }
        if (is_relative) {
            block.self.disentangled = distances;
            auto& own = *block.self.disentangled;
            if (has_kind("c2p"))
                own.key = shares     ? block.self.key
                          : is_first ? below.linear("attention.self.pos_proj", sizes.hidden, sizes.hidden, false)
                                     : square("attention.self.pos_key_proj");
            if (has_kind("p2c"))
                own.query = shares ? block.self.query
                                   : square(is_first ? "attention.self.pos_q_proj" : "attention.self.pos_query_proj");
        }
        stack.blocks.push_back(std::move(block));
    }
    Description description{.vocabulary = vocabulary,
                            .longest = embedding.positions.table ? sizes.positions : std::int64_t{0}};
    const std::string head = "cls.predictions.", own_head = "lm_predictions.lm_head.";
    const bool is_legacy = config.flag("legacy", true), guesses = has_head(config, {"ForMaskedLM"});
    if (guesses && !is_legacy && outside.has(own_head + "dense.weight")) {
        description.head = {
            .transform = outside.linear(own_head + "dense", sizes.hidden, sizes.hidden, true),
            .activation = sizes.activation,
            .norm = outside.layer_norm(own_head + "LayerNorm", sizes.hidden, sizes.epsilon),
            .output = {.weight = tensors.at("embeddings.word_embeddings.weight", {vocabulary, sizes.hidden}),
                       .bias = outside.at(own_head + "bias", {vocabulary}),
                       .inputs = sizes.hidden,
                       .outputs = vocabulary}};
    } else if (guesses && is_legacy && outside.has(head + "transform.dense.weight")) {
        description.head = {.transform = outside.linear(head + "transform.dense", sizes.hidden, embedded, true),
                            .activation = sizes.activation,
                            .norm = outside.layer_norm(head + "transform.LayerNorm", embedded, sizes.epsilon),
                            .output = output_of(outside, head + "decoder", embedding.tokens,
                                                config.flag("tie_word_embeddings", true), vocabulary, embedded)};
        const auto own = head + "decoder.bias";
        description.head->output.bias = outside.at(outside.has(own) ? own : head + "bias", {vocabulary});
    } else {
        add_task_head(config, outside, sizes.hidden,
                      {.transform = "pooler.dense", .activation = config.text("pooler_hidden_act", "gelu")},
                      description);
    }
    description.encoder = std::move(stack);
    return description;
}

} // namespace

std::vector<Architecture> deberta_architectures() {
    using C = const Config&;
    using W = const WeightFiles&;
    return {{.type = "deberta",
             .describe = [](C config, W files) { return describe_deberta(config, files, true); },
             .settings = settings_of_deberta,
             .tensors = tensors_of_deberta},
            {.type = "deberta-v2",
             .describe = [](C config, W files) { return describe_deberta(config, files, false); },
             .settings = settings_of_deberta,
             .tensors = tensors_of_deberta}};
}

} // namespace attnlab::model
