// T5: an encoder with a decoder, biases by distance, RMS norms. Switch Transformers has experts, LongT5 windows.
#include "core/model/architectures.h"
#include "core/model/gguf/gguf_config.h"

#include <string>
#include <string_view>
#include <vector>

namespace attnlab::model {
namespace {

constexpr KnownEntry settings_of_t5[] = {
    {.names = "n_positions", .why = why_not_read::old_version},
    {.names = "num_decoder_layers", .why = ATTNLAB_TEXT("the model has an encoder alone")}};
constexpr KnownEntry settings_of_longt5[] = {
    {.names = "n_positions", .why = why_not_read::old_version},
    {.names = "global_block_size", .why = ATTNLAB_TEXT("encoder_attention_type is local")}};
constexpr KnownEntry settings_of_switch[] = {
    {.names = "n_positions feed_forward_proj is_gated_act", .why = why_not_read::old_version},
    {.names = "router_type router_dtype router_ignore_padding_tokens batch_prioritized_routing",
     .why = why_not_read::other_key},
    {.names = "router_*_coef router_jitter_noise", .why = ATTNLAB_TEXT("counts in training alone")}};
constexpr KnownEntry tensors_of_t5[] = {
    {.names = "*encoder.embed_tokens.weight *shared.weight", .why = why_not_read::copy},
    {.names = "decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight",
     .why = why_not_read::old_version},
    {.names = "dec.blk.0.cross_attn_rel_b.weight", .why = why_not_read::old_version},
    {.names = "decoder.*", .why = ATTNLAB_TEXT("the model has an encoder alone")}};

constexpr TensorName t5_outside[] = {{"token_embd", "shared"},
                                     {"output", "lm_head"},
                                     {"enc.output_norm", "encoder.final_layer_norm"},
                                     {"dec.output_norm", "decoder.final_layer_norm"}};
constexpr TensorName t5_encoder_inside[] = {
    {"attn_norm", "layer.0.layer_norm"},     {"attn_q", "layer.0.SelfAttention.q"},
    {"attn_k", "layer.0.SelfAttention.k"},   {"attn_v", "layer.0.SelfAttention.v"},
    {"attn_o", "layer.0.SelfAttention.o"},   {"attn_rel_b", "layer.0.SelfAttention.relative_attention_bias"},
    {"ffn_norm", "layer.1.layer_norm"},      {"ffn_gate", "layer.1.DenseReluDense.wi_0"},
    {"ffn_up", "layer.1.DenseReluDense.wi"}, {"ffn_down", "layer.1.DenseReluDense.wo"},
};
constexpr TensorName t5_decoder_inside[] = {
    {"attn_norm", "layer.0.layer_norm"},           {"attn_q", "layer.0.SelfAttention.q"},
    {"attn_k", "layer.0.SelfAttention.k"},         {"attn_v", "layer.0.SelfAttention.v"},
    {"attn_o", "layer.0.SelfAttention.o"},         {"attn_rel_b", "layer.0.SelfAttention.relative_attention_bias"},
    {"cross_attn_norm", "layer.1.layer_norm"},     {"cross_attn_q", "layer.1.EncDecAttention.q"},
    {"cross_attn_k", "layer.1.EncDecAttention.k"}, {"cross_attn_v", "layer.1.EncDecAttention.v"},
    {"cross_attn_o", "layer.1.EncDecAttention.o"}, {"ffn_norm", "layer.2.layer_norm"},
    {"ffn_gate", "layer.2.DenseReluDense.wi_0"},   {"ffn_up", "layer.2.DenseReluDense.wi"},
    {"ffn_down", "layer.2.DenseReluDense.wo"},
};
constexpr GgufBlocks t5_stacks[] = {{.in_file = "enc.blk.", .in_model = "encoder.block.", .inside = t5_encoder_inside},
                                    {.in_file = "dec.blk.", .in_model = "decoder.block.", .inside = t5_decoder_inside}};

struct T5Sizes {
    std::int64_t hidden, inner, heads, head_width, buckets, largest_distance;
    double epsilon;
    const Activation* activation = nullptr;
    bool gated = false;

    std::int64_t width() const { return heads * head_width; }
};

/// T5, mT5 whose logits are not scaled, and UMT5 whose layers have tables of their own.
struct T5Kind {
    std::string_view feed_forward = "relu";
    std::int64_t heads = 8, layers = 6, inner = 2048;
    bool scales_logits = true, shares_distances = true, has_experts = false;
};
const T5Kind t5_kind, mt5_kind{"gated-gelu", 6, 8, 1024, false}, umt5_kind{"gated-gelu", 6, 8, 1024, true, false},
    switch_kind{"relu", 12, 12, 2048, true, true, true};

T5Sizes t5_sizes(const Config& config, const T5Kind& kind) {
    T5Sizes sizes{.hidden = config.size("d_model", 512),
                  .inner = config.size("d_ff", kind.inner),
                  .heads = config.size("num_heads", kind.heads),
                  .head_width = config.size("d_kv", 64),
                  .buckets = config.size("relative_attention_num_buckets", 32),
                  .largest_distance = config.size("relative_attention_max_distance", 128),
                  .epsilon = config.epsilon("layer_norm_epsilon", 1e-6)};
    if (sizes.buckets < 4)
        config.fail("relative_attention_num_buckets", {ATTNLAB_TEXT("%1 or more"), {"4"}});
    if (sizes.largest_distance <= sizes.buckets / 2)
        config.fail("relative_attention_max_distance",
                    {ATTNLAB_TEXT("more than %1"), {std::to_string(sizes.buckets / 2)}});
    auto name = kind.has_experts ? std::string(kind.feed_forward) : config.text("feed_forward_proj", kind.feed_forward);
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
    const bool has_one_name = tensors.has("wi.weight"); // GGUF, with a gate and without
    FeedForward made{.activation = sizes.activation,
                     .up =
                         tensors.linear(sizes.gated && !has_one_name ? "wi_1" : "wi", sizes.hidden, sizes.inner, false),
                     .down = tensors.linear("wo", sizes.inner, sizes.hidden, false)};
    if (sizes.gated)
        made.gate = tensors.linear("wi_0", sizes.hidden, sizes.inner, false);
    return made;
}

/// The best expert of each row, up to a number of rows for each expert.
struct SwitchExperts {
    std::int64_t count = 0, capacity = 0;
    bool has_bias = false;
    std::vector<bool> in_encoder = {}, in_decoder = {}; ///< which layers have them
};

FeedForward switch_feed_forward(const Tensors& tensors, const T5Sizes& sizes, const SwitchExperts& experts,
                                bool is_sparse) {
    FeedForward made{.activation = sizes.activation};
    if (!is_sparse) {
        made.up = tensors.linear("wi", sizes.hidden, sizes.inner, false);
        made.down = tensors.linear("wo", sizes.inner, sizes.hidden, false);
        return made;
    }
    made.routed_experts = {.router = tensors.linear("router.classifier", sizes.hidden, experts.count, experts.has_bias),
                           .chosen = 1,
                           .sums_to_one = false,
                           .capacity = experts.capacity};
    for (std::int64_t expert = 0; expert < experts.count; ++expert) {
        const auto below = tensors.below("experts.expert_" + std::to_string(expert) + ".");
        made.routed_experts->each.push_back({.up = below.linear("wi", sizes.hidden, sizes.inner, false),
                                             .down = below.linear("wo", sizes.inner, sizes.hidden, false)});
    }
    return made;
}

/// What differs between kinds within the stacks.
struct T5Stacks {
    bool shares_distances = true; ///< the first layer has the table of distances, which all share
    std::string_view encoder_attention = "SelfAttention";
    std::int64_t encoder_window = 0;
    const SwitchExperts* experts = nullptr;
};

Stack t5_stack(const Tensors& tensors, const T5Sizes& sizes, std::string name, std::int64_t layers,
               const T5Stacks& form) {
    const bool decodes = name == "decoder";
    const auto norm = [&](const std::string& of) { return tensors.rms_norm(of, sizes.hidden, sizes.epsilon); };
    Stack stack{.name = std::move(name), .width = sizes.hidden};
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        const auto at = "block." + std::to_string(layer) + ".layer.";
        const std::string last = decodes ? "2" : "1";
        const std::string attention(decodes ? "SelfAttention" : form.encoder_attention);
        Block block{.self = t5_attention(tensors.below(at + "0." + attention + "."), sizes),
                    .self_norms = {.before = norm(at + "0.layer_norm")},
                    .feed_forward_norms = {.before = norm(at + last + ".layer_norm")}};
        block.feed_forward =
            form.experts ? switch_feed_forward(tensors.below(at + last + ".mlp."), sizes, *form.experts,
                                               (decodes ? form.experts->in_decoder
                                                        : form.experts->in_encoder)[static_cast<std::size_t>(layer)])
                         : t5_feed_forward(tensors.below(at + last + ".DenseReluDense."), sizes);
        const auto distances = "block." + std::to_string(form.shares_distances ? 0 : layer) + ".layer.0." + attention +
                               ".relative_attention_bias.weight";
        block.self.buckets = {.values = tensors.at(distances, {sizes.buckets, sizes.heads}),
                              .buckets = sizes.buckets,
                              .largest_distance = sizes.largest_distance,
                              .bidirectional = !decodes};
        block.self.causal = decodes;
        block.self.window = decodes ? 0 : form.encoder_window;
        if (decodes) {
            block.cross = t5_attention(tensors.below(at + "1.EncDecAttention."), sizes);
            block.cross_norms.before = norm(at + "1.layer_norm");
        }
        stack.blocks.push_back(block);
    }
    stack.norm = norm("final_layer_norm");
    return stack;
}

/// The layers of a side that have experts: every n-th, or so that there are as many as the setting says.
std::vector<bool> sparse_layers_of(const Config& config, const std::string& side, std::int64_t layers) {
    const auto count = config.integer("num_sparse_" + side + "_layers").value_or(3);
    const auto step = config.integer(side + "_sparse_step").value_or(count > 0 ? layers / count : layers);
    std::vector<bool> sparse;
    for (std::int64_t layer = 0; layer < layers; ++layer)
        sparse.push_back(step == 1 || (step > 0 && layer % step == 1));
    return sparse;
}

/// Whether hidden states are divided by the root of their width before the head. Where no scale_decoder_outputs says
/// so, as in older files and in Switch Transformers, they are if the embeddings are tied.
bool scales_logits(const Config& config, const T5Kind& kind) {
    if (!kind.scales_logits)
        return false;
    const bool is_tied = config.flag("tie_word_embeddings", true);
    return !kind.has_experts && config.mentions("scale_decoder_outputs") ? config.flag("scale_decoder_outputs", false)
                                                                         : is_tied;
}

/// Sizes that settings do not say, the stacks, and the head.
Description t5_like(const Config& file, const WeightFiles& files, const T5Kind& kind, T5Stacks form = {}) {
    const auto config = file.with_aliases({{"hidden_size", "d_model"},
                                           {"num_attention_heads", "num_heads"},
                                           {"num_hidden_layers", "num_layers"},
                                           {"head_dim", "d_kv"}});
    const auto sizes = t5_sizes(config, kind);
    const Tensors tensors(files, {""}, "shared.weight");
    const auto vocabulary = config.size("vocab_size", 32128);
    const auto layers = config.layers("num_layers", kind.layers);
    const auto decoder_layers = config.layers("num_decoder_layers", file.layers("num_layers", kind.layers));
    form.shares_distances = kind.shares_distances;
    SwitchExperts experts;
    if (kind.has_experts) {
        experts = {.count = config.size("num_experts", 8),
                   .capacity = config.size("expert_capacity", 64),
                   .has_bias = config.flag("router_bias", false),
                   .in_encoder = sparse_layers_of(config, "encoder", layers),
                   .in_decoder = sparse_layers_of(config, "decoder", decoder_layers)};
        form.experts = &experts;
    }
    Description description{.vocabulary = vocabulary, .decoder_start = config.integer("decoder_start_token_id")};
    description.encoder = t5_stack(tensors.below("encoder."), sizes, "encoder", layers, form);
    description.encoder->embedding.tokens = side_embedding(tensors, "encoder", vocabulary, sizes.hidden);
    if (!has_head(config, {"EncoderModel"}) || !config.has("architectures")) {
        description.decoder = t5_stack(tensors.below("decoder."), sizes, "decoder", decoder_layers, form);
        description.decoder->embedding.tokens = side_embedding(tensors, "decoder", vocabulary, sizes.hidden);
    }
    const bool scales = scales_logits(config, kind);
    // All but Switch Transformers are tied whatever the settings say.
    const bool is_tied = !kind.has_experts || config.flag("tie_word_embeddings", true);
    if (description.decoder && has_head(config, {"ForConditionalGeneration", "WithLMHeadModel"}))
        description.head = {.factor = scales ? root_scale(sizes.hidden) : 1.0,
                            .output = output_of(tensors, "lm_head",
                                                head_embedding(tensors, description.decoder->embedding.tokens), is_tied,
                                                vocabulary, sizes.hidden)};
    return description;
}

Description describe_t5(const Config& file, const WeightFiles& files) { return t5_like(file, files, t5_kind); }
Description describe_mt5(const Config& file, const WeightFiles& files) { return t5_like(file, files, mt5_kind); }
Description describe_switch(const Config& config, const WeightFiles& files) {
    config.refuse("add_router_probs");
    return t5_like(config, files, switch_kind);
}

/// A token of the encoder reads `local_radius` tokens to each side.
Description describe_longt5(const Config& config, const WeightFiles& files) {
    if (config.text("encoder_attention_type", "local") != "local")
        config.fail("encoder_attention_type",
                    ATTNLAB_TEXT("local: AttnLab does not compute the sums of blocks that tokens also read"));
    return t5_like(config, files, t5_kind,
                   {.encoder_attention = "LocalSelfAttention", .encoder_window = config.size("local_radius", 127) + 1});
}

Description describe_umt5(const Config& file, const WeightFiles& files) { return t5_like(file, files, umt5_kind); }

/// Without a gate the activation is ReLU. Only the first T5 has no gate, and it divides hidden states by the root of
/// their width before the head, which the file does not say. Tables of distances in all layers are those of UMT5.
Json t5_gguf_config(const GgufKeys& keys, std::string_view type) {
    const bool is_gated = keys.has_tensor("enc.blk.0.ffn_gate.weight"), is_tied = !keys.has_tensor("output.weight");
    keys.require("attention.value_length", keys.integer("attention.key_length"));
    keys.require("attention.head_count_kv", keys.integer("attention.head_count"));
    keys.has("attention.layer_norm_epsilon"); // the same number once more
    Json config{{"model_type", keys.has_tensor("enc.blk.1.attn_rel_b.weight") ? "umt5" : type},
                {"architectures", {keys.has_encoder_alone() ? "T5EncoderModel" : "T5ForConditionalGeneration"}},
                {"vocab_size", keys.rows("token_embd.weight")},
                {"d_model", keys.integer("embedding_length")},
                {"d_ff", keys.integer("feed_forward_length")},
                {"d_kv", keys.integer("attention.key_length")},
                {"num_layers", keys.integer("block_count")},
                {"num_heads", keys.integer("attention.head_count")},
                {"relative_attention_num_buckets", keys.integer("attention.relative_buckets_count")},
                {"layer_norm_epsilon", keys.number("attention.layer_norm_rms_epsilon")},
                {"feed_forward_proj", is_gated ? "gated-gelu" : "relu"},
                {"tie_word_embeddings", is_tied}};
    if (keys.has_encoder_alone())
        return config;
    config["num_decoder_layers"] = config["num_layers"];
    config["scale_decoder_outputs"] = !is_gated;
    keys.copy_integer("decoder_block_count", config, "num_decoder_layers");
    keys.copy_integer("decoder_start_token_id", config, "decoder_start_token_id");
    return config;
}

} // namespace

std::vector<Architecture> t5_architectures() {
    return {{.type = "longt5", .describe = describe_longt5, .settings = settings_of_longt5, .tensors = tensors_of_t5},
            {.type = "switch_transformers",
             .describe = describe_switch,
             .settings = settings_of_switch,
             .tensors = tensors_of_t5},
            {.type = "mt5", .describe = describe_mt5, .settings = settings_of_t5, .tensors = tensors_of_t5},
            {.type = "umt5", .describe = describe_umt5, .settings = settings_of_t5, .tensors = tensors_of_t5},
            {.type = "t5",
             .describe = describe_t5,
             .gguf = {.name = "t5",
                      .encoder_name = "t5encoder",
                      .outside = t5_outside,
                      .stacks = t5_stacks,
                      .config = t5_gguf_config,
                      .has_rotary = false},
             .settings = settings_of_t5,
             .tensors = tensors_of_t5}};
}

} // namespace attnlab::model
