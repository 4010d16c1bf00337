// ModernBERT, NomicBERT, EuroBERT and ESM: encoders whose positions are rotary.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/llama_family.h"
#include "core/model/architectures/shared/task_head.h"
#include "core/model/gguf/gguf_config.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace attnlab::model {
namespace {

constexpr const char* no_effect_beside_rotary = ATTNLAB_TEXT("positions are rotary");

constexpr KnownEntry settings_of_modernbert[] = {
    {.names = "position_embedding_type", .why = no_effect_beside_rotary, .values = "\"absolute\""},
    {.names = "initializer_cutoff_factor sparse_prediction sparse_pred_ignore_index repad_logits_with_grad",
     .why = ATTNLAB_TEXT("counts in training alone")},
    {.names = "deterministic_flash_attn reference_compile compile",
     .why = ATTNLAB_TEXT("chooses the code that computes attention, not its result")},
    {.names = "classifier_pooling classifier_bias classifier_activation decoder_bias", .why = why_not_read::task}};
constexpr KnownEntry tensors_of_modernbert[] = {{.names = "head.* decoder.* classifier.*", .why = why_not_read::task}};
constexpr KnownEntry settings_of_nomic[] = {
    {.names = "position_embedding_type", .why = no_effect_beside_rotary},
    {.names = "use_xentropy fused_* dense_seq_output pad_vocab_size_multiple last_layer_subset max_trained_positions "
              "scale_attn_weights reorder_and_upcast_attn use_flash_attn layer_norm_epsilon n_positions",
     .why = why_not_read::old_version}};
constexpr KnownEntry tensors_of_nomic[] = {{.names = "cls.predictions.bias *rotary_emb.*", .why = why_not_read::copy}};
constexpr KnownEntry tensors_of_eurobert[] = {{.names = "lm_head.* dense.*", .why = why_not_read::task}};
constexpr KnownEntry settings_of_eurobert[] = {rotary_position_setting,
                                               {.names = "classifier_pooling clf_pooling", .why = why_not_read::task}};
constexpr KnownEntry settings_of_esm[] = {
    {.names = "vocab_list", .why = ATTNLAB_TEXT("is about tokens, which the tokenizer makes")},
    {.names = "rope_theta rope_parameters emb_layer_norm_after use_lm_head_bias", .why = why_not_read::built_in}};
constexpr KnownEntry tensors_of_esm[] = {
    {.names = "*contact_head.* lm_head.bias", .why = why_not_read::task},
    {.names = "*embeddings.position_embeddings.weight", .why = no_effect_beside_rotary},
    {.names = "*rotary_embeddings.inv_freq", .why = ATTNLAB_TEXT("a copy of a tensor that is read")}};

constexpr TensorName modernbert_outside[] = {{"token_embd", "model.embeddings.tok_embeddings"},
                                             {"token_embd_norm", "model.embeddings.norm"},
                                             {"output_norm", "model.final_norm"}};
constexpr TensorName modernbert_inside[] = {
    {"attn_norm", "attn_norm"}, {"attn_qkv", "attn.Wqkv"}, {"attn_output", "attn.Wo"},
    {"ffn_norm", "mlp_norm"},   {"ffn_up", "mlp.Wi"},      {"ffn_down", "mlp.Wo"},
};
constexpr TensorName nomic_outside[] = {{"token_embd", "embeddings.word_embeddings"},
                                        {"token_types", "embeddings.token_type_embeddings"},
                                        {"token_embd_norm", "emb_ln"}};
constexpr TensorName nomic_inside[] = {
    {"attn_qkv", "attn.Wqkv"},      {"attn_output", "attn.out_proj"}, {"attn_output_norm", "norm1"},
    {"ffn_gate", "mlp.fc12"},       {"ffn_up", "mlp.fc11"},           {"ffn_down", "mlp.fc2"},
    {"layer_output_norm", "norm2"},
};

/// The query, key and value parts of a fused matrix of three times the width.
void set_fused(Attention& attention, const Linear& fused, std::int64_t width) {
    attention.query = part_of(fused, 0, width);
    attention.key = part_of(fused, width, width);
    attention.value = part_of(fused, 2 * width, width);
}

/// Windows reach to both sides; the first layer has no norm before its attention.
Description describe_modernbert(const Config& config, const WeightFiles& files) {
    const auto hidden = config.size("hidden_size", 768), inner = config.size("intermediate_size", 1152);
    const auto heads = config.size("num_attention_heads", 12), layers = config.layers("num_hidden_layers", 22);
    const auto vocabulary = config.size("vocab_size", 50368);
    const auto width = even_head_width(config, "num_attention_heads", hidden, heads);
    const auto epsilon = config.epsilon("norm_eps", 1e-5);
    const bool norm_bias = config.flag("norm_bias", false), attention_bias = config.flag("attention_bias", false);
    const bool inner_bias = config.flag("mlp_bias", false);
    const auto* activation = activation_of(config, "hidden_activation", "gelu");
    const auto half_window = config.size("local_attention", 128) / 2;
    const auto every = config.has("layer_types") ? 1 : config.size("global_attn_every_n_layers", 3);
    config.ignore("global_attn_every_n_layers", why_not_read::other_key);
    const auto types = layer_types(config, layers, [&](auto layer) { return layer % every != 0; });
    config.refuse("rope_scaling");
    const auto rotary = read_rotary_by_layer(
        config, {.head_width = width, .base = 160000.0, .base_key = "global_rope_theta"}, "local_rope_theta", 10000.0);

    const Tensors tensors(files, {"model.", ""}, "embeddings.tok_embeddings.weight");
    const auto outside = tensors.outside();
    const auto norm = [&](const Tensors& of, const std::string& name) {
        return Norm{.epsilon = epsilon,
                    .weight = of.at(name + ".weight", {hidden}),
                    .bias = norm_bias ? of.at(name + ".bias", {hidden}) : nullptr};
    };
    Stack stack{.name = "encoder", .width = hidden};
    stack.embedding = {.tokens = tensors.at("embeddings.tok_embeddings.weight", {vocabulary, hidden}),
                       .norm = norm(tensors, "embeddings.norm")};
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        const auto below = tensors.below("layers." + std::to_string(layer) + ".");
        const bool slides = types[static_cast<std::size_t>(layer)] == LayerType::Sliding;
        const auto both = below.linear("mlp.Wi", hidden, 2 * inner, inner_bias);
        Block block{.self = {.heads = heads,
                             .key_value_heads = heads,
                             .width = width,
                             .scale = root_scale(width),
                             .output = below.linear("attn.Wo", hidden, hidden, attention_bias),
                             .rotary = slides ? rotary.sliding : rotary.full,
                             .window = slides ? half_window + 1 : 0},
                    .feed_forward = {.activation = activation,
                                     .gate = part_of(both, 0, inner),
                                     .up = part_of(both, inner, inner),
                                     .down = below.linear("mlp.Wo", inner, hidden, inner_bias)},
                    .feed_forward_norms = {.before = norm(below, "mlp_norm")}};
        set_fused(block.self, below.linear("attn.Wqkv", hidden, 3 * hidden, attention_bias), hidden);
        if (layer > 0)
            block.self_norms.before = norm(below, "attn_norm");
        stack.blocks.push_back(std::move(block));
    }
    stack.norm = norm(tensors, "final_norm");
    Description description{.vocabulary = vocabulary};
    if (outside.has("head.dense.weight")) {
        Head head{.transform = outside.linear("head.dense", hidden, hidden, config.flag("classifier_bias", false)),
                  .activation = activation_of(config, "classifier_activation", "gelu"),
                  .norm = norm(outside, "head.norm")};
        if (has_head(config, {"ForMaskedLM"})) {
            head.output = output_of(outside, "decoder", stack.embedding.tokens,
                                    config.flag("tie_word_embeddings", true), vocabulary, hidden);
            if (config.flag("decoder_bias", true))
                head.output.bias = outside.at("decoder.bias", {vocabulary});
            description.head = head;
        } else if (add_task_head(config, outside, hidden, {.span_output = "classifier"}, description);
                   description.head) {
            const auto pooling = config.text("classifier_pooling", "cls");
            if (pooling != "cls" && pooling != "mean")
                config.fail("classifier_pooling", "cls, mean");
            if (description.head->is_of_whole_input() && pooling == "mean")
                description.head->pooling = Head::Pooling::Mean;
            description.head->transform = head.transform;
            description.head->activation = head.activation;
            description.head->norm = head.norm;
        }
    }
    description.encoder = std::move(stack);
    return description;
}

/// Refuses what files of before Transformers 5 may say of another model under the same name.
void check_nomic(const Config& config) {
    for (const auto* key : {"prenorm", "parallel_block", "causal", "use_rms_norm", "qkv_proj_bias", "mlp_fc1_bias",
                            "mlp_fc2_bias", "rotary_emb_interleaved", "rotary_scaling_factor", "rotary_emb_scale_base",
                            "moe_every_n_layers", "num_experts"})
        config.refuse(key);
    if (config.number("rotary_emb_fraction", 1.0) != 1.0)
        config.fail("rotary_emb_fraction", "1.0");
    if (config.text("activation_function", "swiglu") != "swiglu")
        config.fail("activation_function", "swiglu");
}

Description describe_nomic(const Config& config, const WeightFiles& files) {
    check_nomic(config);
    const auto key = [&](std::string_view now, std::string_view before) { return config.has(now) ? now : before; };
    const auto hidden = config.size(key("hidden_size", "n_embd"), 768);
    const auto inner = config.size(key("intermediate_size", "n_inner"), 3072);
    const auto heads = config.size(key("num_attention_heads", "n_head"), 12);
    const auto layers = config.layers(key("num_hidden_layers", "n_layer"), 12);
    const auto epsilon = config.epsilon(key("layer_norm_eps", "layer_norm_epsilon"), 1e-12);
    const auto vocabulary = config.size("vocab_size", 30528);
    const auto width = config.size("head_dim", even_head_width(config, "num_attention_heads", hidden, heads));
    if (width * heads != hidden)
        config.fail("head_dim", {"%1", {std::to_string(hidden / heads)}});
    const auto* activation = activation_of(config, "hidden_act", "silu");
    const auto rotary =
        read_rotary(config, {.head_width = width,
                             .base = 1000.0,
                             .base_key = config.has("rotary_emb_base") ? "rotary_emb_base" : "rope_theta",
                             .longest = 2048});

    const Tensors tensors(files, {"nomic_bert.", "bert.", ""}, "embeddings.word_embeddings.weight");
    const auto outside = tensors.outside();
    const auto norm = [&](const Tensors& of, std::string_view name) { return of.layer_norm(name, hidden, epsilon); };
    Stack stack{.name = "encoder", .width = hidden};
    stack.embedding = {.tokens = tensors.at("embeddings.word_embeddings.weight", {vocabulary, hidden}),
                       .norm = norm(tensors, "emb_ln")};
    if (const auto types = config.integer("type_vocab_size").value_or(2); types > 0)
        stack.embedding.types = tensors.at("embeddings.token_type_embeddings.weight", {types, hidden});
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        const auto below = tensors.below("encoder.layers." + std::to_string(layer) + ".");
        Block block{.self = {.heads = heads,
                             .key_value_heads = heads,
                             .width = width,
                             .scale = root_scale(width),
                             .output = below.linear("attn.out_proj", hidden, hidden, false),
                             .rotary = rotary},
                    .self_norms = {.sum = norm(below, "norm1")},
                    .feed_forward = {.activation = activation,
                                     .gate = below.linear("mlp.fc12", hidden, inner, false),
                                     .up = below.linear("mlp.fc11", hidden, inner, false),
                                     .down = below.linear("mlp.fc2", inner, hidden, false)},
                    .feed_forward_norms = {.sum = norm(below, "norm2")}};
        set_fused(block.self, below.linear("attn.Wqkv", hidden, 3 * hidden, false), hidden);
        stack.blocks.push_back(std::move(block));
    }
    Description description{.vocabulary = vocabulary};
    const std::string head = "cls.predictions.";
    if (outside.has(head + "transform.dense.weight")) {
        description.head = {.transform = outside.linear(head + "transform.dense", hidden, hidden, true),
                            .activation = activation,
                            .norm = norm(outside, head + "transform.layer_norm"),
                            .output =
                                output_of(outside, head + "decoder", stack.embedding.tokens, true, vocabulary, hidden)};
        const auto own = head + "decoder.bias";
        description.head->output.bias = outside.at(outside.has(own) ? own : head + "bias", {vocabulary});
    } else {
        const std::string pooler =
            outside.has("bert.pooler.dense.weight") ? "bert.pooler.dense" : "nomic_bert.pooler.dense";
        add_task_head(config, outside, hidden, {.transform = pooler}, description);
    }
    description.encoder = std::move(stack);
    return description;
}

/// In a list of windows as in a period, the first layer of each period has none.
Json modernbert_gguf_config(const GgufKeys& keys, std::string_view type) {
    constexpr auto pattern = "attention.sliding_window_pattern";
    auto config = common_gguf_config(keys, type);
    keys.plain_head_width();
    config["norm_eps"] = keys.number("attention.layer_norm_epsilon");
    config["local_attention"] = keys.integer("attention.sliding_window");
    config["global_rope_theta"] = keys.number_or("rope.freq_base", 10000.0);
    config["local_rope_theta"] = keys.number_or("rope.freq_base_swa", 10000.0);
    const auto* value = keys.metadata().find(keys.full(pattern));
    if (value && std::holds_alternative<GgufIntegers>(value->held))
        add_gguf_layer_types(keys, 0, config);
    else
        keys.copy_integer(pattern, config, "global_attn_every_n_layers");
    keys.require_one_of("hidden_activation", "gelu, silu");
    if (keys.has("hidden_activation"))
        config["hidden_activation"] = keys.text("hidden_activation");
    add_gguf_scaling(keys, config);
    if (config.contains("rope_scaling")) { // each kind of layers has its own positions, without scaling
        for (const auto* key : {"rope.scaling.factor", "rope.scale_linear"})
            keys.require_number(key, 1.0);
        keys.require_one_of("rope.scaling.type", "none, linear");
    }
    return config;
}

Json eurobert_gguf_config(const GgufKeys& keys, std::string_view type) {
    auto config = llama_gguf_config(keys, type);
    config["architectures"] = {"EuroBertModel"};
    return config;
}

Json nomic_gguf_config(const GgufKeys& keys, std::string_view type) {
    auto config = common_gguf_config(keys, type);
    config["layer_norm_eps"] = keys.number("attention.layer_norm_epsilon");
    config["type_vocab_size"] = keys.rows("token_types.weight");
    add_gguf_rotary(keys, keys.plain_head_width(), false, config);
    return config;
}

/// Llama that reads in both directions.
Description describe_eurobert(const Config& config, const WeightFiles& files) {
    const LlamaDefaults defaults{.hidden = 768,
                                 .inner = 3072,
                                 .layers = 12,
                                 .heads = 12,
                                 .vocabulary = 128256,
                                 .longest = 8192,
                                 .epsilon = 1e-5};
    const auto sizes = llama_sizes(config, defaults);
    const bool has_bias = config.flag("attention_bias", false), inner_bias = config.flag("mlp_bias", false);
    const auto rotary = read_rotary(config, llama_rotary(sizes, defaults));
    auto description = llama_like(config, files, sizes, false, [&](const Tensors& tensors, std::int64_t) {
        auto block = llama_block(tensors, sizes, {has_bias, has_bias, inner_bias});
        block.self.rotary = rotary;
        block.self.causal = false;
        return block;
    });
    description.head.reset();
    description.encoder = std::exchange(description.decoder, std::nullopt);
    description.encoder->name = "encoder";
    const Tensors outside(files, {""}, "lm_head.weight");
    if (has_head(config, {"ForMaskedLM"})) {
        description.head = {.output =
                                output_of(outside, "lm_head", description.encoder->embedding.tokens,
                                          config.flag("tie_word_embeddings", false), sizes.vocabulary, sizes.hidden)};
        if (inner_bias)
            description.head->output.bias = outside.at("lm_head.bias", {sizes.vocabulary});
    }
    return description;
}

/// The frequencies of the file count: published ones are rounded to float16.
void read_frequencies(const Tensors& tensors, Rotary& rotary) {
    for (const auto* name : {"rotary_embeddings.inv_freq", "encoder.layer.0.attention.self.rotary_embeddings.inv_freq",
                             "encoder.layer.*.attention.self.rotary_embeddings.inv_freq"})
        if (tensors.has(name)) {
            tensors.at(name, {std::ssize(rotary.frequencies)})->read_rows(0, 1, rotary.frequencies);
            return;
        }
}

/// Norms before each sublayer. Mask tokens are zeros where `token_dropout` says so.
Description describe_esm(const Config& config, const WeightFiles& files) {
    for (const auto* key : {"is_decoder", "add_cross_attention", "is_folding_model"})
        config.refuse(key);
    const auto hidden = config.size("hidden_size", 768), inner = config.size("intermediate_size", 3072);
    const auto heads = config.size("num_attention_heads", 12), layers = config.layers("num_hidden_layers", 12);
    const auto vocabulary = config.size("vocab_size"), positions = config.size("max_position_embeddings", 1026);
    const auto epsilon = config.epsilon("layer_norm_eps", 1e-12);
    const auto width = even_head_width(config, "num_attention_heads", hidden, heads);
    const auto kind = config.text("position_embedding_type", "absolute");
    if (kind != "absolute" && kind != "rotary")
        config.fail("position_embedding_type", "absolute, rotary");
    const auto mask = config.integer("mask_token_id");

    const Tensors tensors(files, {"esm.", ""}, "embeddings.word_embeddings.weight");
    const auto outside = tensors.outside();
    const auto norm = [&](const Tensors& of, std::string_view name) { return of.layer_norm(name, hidden, epsilon); };
    Stack stack{.name = "encoder", .width = hidden};
    stack.embedding.tokens = tensors.at("embeddings.word_embeddings.weight", {vocabulary, hidden});
    if (config.flag("token_dropout", false))
        stack.embedding.dropped = mask ? *mask : -1;
    if (config.flag("emb_layer_norm_before", false))
        stack.embedding.norm = norm(tensors, "embeddings.layer_norm");
    Description description{.vocabulary = vocabulary};
    std::optional<Rotary> rotary;
    if (kind == "rotary") {
        rotary = read_rotary(config, std::nullopt, {.head_width = width, .longest = positions});
        read_frequencies(tensors, *rotary);
    } else {
        const auto padding = config.integer("pad_token_id").value_or(-1);
        if (padding < 0 || padding + 1 >= positions)
            config.fail("pad_token_id",
                        {ATTNLAB_TEXT("an integer from %1 to %2"), {"0", std::to_string(positions - 2)}});
        stack.embedding.positions = {.kind = Positions::Kind::Learned,
                                     .table = tensors.at("embeddings.position_embeddings.weight", {positions, hidden}),
                                     .offset = padding + 1,
                                     .padding = padding};
        description.longest = positions - padding - 1;
    }
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        const auto below = tensors.below("encoder.layer." + std::to_string(layer) + ".");
        const auto square = [&](std::string_view name) { return below.linear(name, hidden, hidden, true); };
        stack.blocks.push_back({.self = {.heads = heads,
                                         .key_value_heads = heads,
                                         .width = width,
                                         .query_scale = root_scale(width),
                                         .query = square("attention.self.query"),
                                         .key = square("attention.self.key"),
                                         .value = square("attention.self.value"),
                                         .output = square("attention.output.dense"),
                                         .rotary = rotary},
                                .self_norms = {.before = norm(below, "attention.LayerNorm")},
                                .feed_forward = {.activation = find_activation("gelu"),
                                                 .up = below.linear("intermediate.dense", hidden, inner, true),
                                                 .down = below.linear("output.dense", inner, hidden, true)},
                                .feed_forward_norms = {.before = norm(below, "LayerNorm")}});
    }
    stack.norm = norm(tensors, "encoder.emb_layer_norm_after");
    if (outside.has("lm_head.dense.weight")) {
        description.head = {.transform = outside.linear("lm_head.dense", hidden, hidden, true),
                            .activation = find_activation("gelu"),
                            .norm = norm(outside, "lm_head.layer_norm"),
                            .output = output_of(outside, "lm_head.decoder", stack.embedding.tokens,
                                                config.flag("tie_word_embeddings", true), vocabulary, hidden)};
        description.head->output.bias = outside.at("lm_head.bias", {vocabulary});
    } else {
        add_task_head(config, outside, hidden, {.transform = "classifier.dense", .output = "classifier.out_proj"},
                      description);
    }
    description.encoder = std::move(stack);
    return description;
}

} // namespace

std::vector<Architecture> modernbert_architectures() {
    return {{.type = "esm", .describe = describe_esm, .settings = settings_of_esm, .tensors = tensors_of_esm},
            {.type = "eurobert",
             .describe = describe_eurobert,
             .gguf = llama_gguf("eurobert", eurobert_gguf_config),
             .settings = settings_of_eurobert,
             .tensors = tensors_of_eurobert},
            {.type = "modernbert",
             .describe = describe_modernbert,
             .gguf = {.name = "modern-bert",
                      .outside = modernbert_outside,
                      .inside = modernbert_inside,
                      .block = "model.layers.",
                      .config = modernbert_gguf_config},
             .settings = settings_of_modernbert,
             .tensors = tensors_of_modernbert},
            {.type = "nomic_bert",
             .describe = describe_nomic,
             .gguf = {.name = "nomic-bert",
                      .outside = nomic_outside,
                      .inside = nomic_inside,
                      .block = "encoder.layers.",
                      .config = nomic_gguf_config},
             .settings = settings_of_nomic,
             .tensors = tensors_of_nomic}};
}

} // namespace attnlab::model
