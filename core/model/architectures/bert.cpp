// BERT, RoBERTa, DistilBERT, and others with their blocks: DPR, ERNIE, LayoutLM, Megatron.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/bert_family.h"
#include "core/model/architectures/shared/task_head.h"
#include "core/model/gguf/gguf_config.h"

namespace attnlab::model {
namespace {

constexpr TensorName bert_outside[] = {{"token_embd", "embeddings.word_embeddings"},
                                       {"position_embd", "embeddings.position_embeddings"},
                                       {"token_types", "embeddings.token_type_embeddings"},
                                       {"token_embd_norm", "embeddings.LayerNorm"}};
constexpr TensorName bert_inside[] = {
    {"attn_q", "attention.self.query"},
    {"attn_k", "attention.self.key"},
    {"attn_v", "attention.self.value"},
    {"attn_output", "attention.output.dense"},
    {"attn_output_norm", "attention.output.LayerNorm"},
    {"ffn_up", "intermediate.dense"},
    {"ffn_down", "output.dense"},
    {"layer_output_norm", "output.LayerNorm"},
};

constexpr KnownEntry settings_of_ernie[] = {
    {.names = "task_type_vocab_size", .why = ATTNLAB_TEXT("use_task_id is not true")}};
constexpr KnownEntry settings_of_distilbert[] = {
    {.names = "sinusoidal_pos_embds", .why = ATTNLAB_TEXT("the table of positions is in the files")},
    {.names = "position_embedding_type", .why = why_not_read::built_in, .values = "\"absolute\""}};
constexpr KnownEntry tensors_of_bert[] = {{.names = "cls.predictions.bias", .why = why_not_read::copy}};
constexpr KnownEntry settings_of_dpr[] = {{.names = "projection_dim", .why = why_not_read::task}};
constexpr KnownEntry tensors_of_dpr[] = {
    {.names = "*encode_proj.* span_predictor.qa_outputs.* span_predictor.qa_classifier.*", .why = why_not_read::task}};
constexpr KnownEntry tensors_of_generation[] = {{.names = "lm_head.*", .why = why_not_read::task}};
constexpr KnownEntry tensors_of_roberta[] = {{.names = "lm_head.bias", .why = why_not_read::copy}};
constexpr KnownEntry tensors_of_distilbert[] = {{.names = "vocab_projector.bias", .why = why_not_read::copy}};

constexpr BertNames distilbert_names{.layers = "transformer.layer.",
                                     .query = "attention.q_lin",
                                     .key = "attention.k_lin",
                                     .value = "attention.v_lin",
                                     .output = "attention.out_lin",
                                     .attention_norm = "sa_layer_norm",
                                     .up = "ffn.lin1",
                                     .down = "ffn.lin2",
                                     .output_norm = "output_layer_norm"};

/// The same names under another prefix.
Description bert_like(const Config& config, const WeightFiles& files, std::string_view prefix);

Description describe_bert(const Config& config, const WeightFiles& files) { return bert_like(config, files, "bert."); }

Description describe_ernie(const Config& config, const WeightFiles& files) {
    config.refuse("use_task_id");
    return bert_like(config, files, "ernie.");
}

Description bert_like(const Config& config, const WeightFiles& files, std::string_view prefix) {
    const auto sizes = bert_sizes(config, 30522);
    const Tensors tensors(files, {prefix, ""}, "embeddings.word_embeddings.weight");
    const auto outside = tensors.outside();
    auto stack = bert_stack(tensors, bert_names, sizes);
    const bool is_distilled = files.are_all_needed() && !tensors.has("embeddings.token_type_embeddings.weight");
    if (!is_distilled) // GGUF has DistilBERT, and RoBERTa without unused positions, under the same name
        stack.embedding.types = token_types(config, tensors, sizes.hidden);
    Description description{.vocabulary = sizes.vocabulary, .longest = sizes.positions};
    add_bert_head(config, outside, stack, sizes, std::string(prefix) + "pooler.dense", description);
    description.encoder = std::move(stack);
    return description;
}

/// The encoder of a question or a passage, or the reader of both.
Description describe_dpr(const Config& config, const WeightFiles& files) {
    const auto sizes = bert_sizes(config, 30522);
    const Tensors tensors(files,
                          {"question_encoder.bert_model.", "ctx_encoder.bert_model.",
                           "span_predictor.encoder.bert_model.", "bert_model.", ""},
                          "embeddings.word_embeddings.weight");
    Description description{.vocabulary = sizes.vocabulary, .longest = sizes.positions};
    description.encoder = bert_stack(tensors, bert_names, sizes);
    description.encoder->embedding.types = token_types(config, tensors, sizes.hidden);
    return description;
}

/// Each token also has a box on its page, which a text alone has not: all corners are 0, as in Transformers.
Description describe_layoutlm(const Config& config, const WeightFiles& files) {
    auto sizes = bert_sizes(config, 30522);
    sizes.causal = false; // whatever is_decoder says
    const Tensors tensors(files, {"layoutlm.", ""}, "embeddings.word_embeddings.weight");
    auto stack = bert_stack(tensors, bert_names, sizes);
    stack.embedding.types = token_types(config, tensors, sizes.hidden);
    const auto corners = config.size("max_2d_position_embeddings", 1024);
    for (const std::string name : {"x", "y", "x", "y", "h", "w"})
        stack.embedding.constants.push_back(
            tensors.at("embeddings." + name + "_position_embeddings.weight", {corners, sizes.hidden}));
    Description description{.vocabulary = sizes.vocabulary, .longest = sizes.positions};
    add_bert_head(config, tensors.outside(), stack, sizes, "layoutlm.pooler.dense", description);
    description.encoder = std::move(stack);
    description.unread.settings.push_back(
        {config.node().name_of_text(), "model_type", "\"layoutlm\"",
         ATTNLAB_TEXT("this model also reads where each word stands on its page; here all boxes are 0")});
    return description;
}

/// Without types of tokens.
Description describe_bert_generation(const Config& config, const WeightFiles& files) {
    const auto sizes = bert_sizes(config, 50358);
    const Tensors tensors(files, {"bert.", ""}, "embeddings.word_embeddings.weight");
    Description description{.vocabulary = sizes.vocabulary, .longest = sizes.positions};
    description.encoder = bert_stack(tensors, bert_names, sizes);
    return description;
}

/// Norms before each sublayer, and none behind the embedding.
Description describe_megatron(const Config& config, const WeightFiles& files) {
    const auto sizes = bert_sizes(config, 29056);
    const Tensors tensors(files, {"bert.", ""}, "embeddings.word_embeddings.weight");
    const auto outside = tensors.outside();
    const auto norm = [&](const Tensors& of, std::string_view name) {
        return of.layer_norm(name, sizes.hidden, sizes.epsilon);
    };
    const auto table = [&](const std::string& name, std::int64_t rows) {
        return tensors.at("embeddings." + name + ".weight", {rows, sizes.hidden});
    };
    Stack stack{.name = "encoder", .width = sizes.hidden};
    stack.embedding = {
        .tokens = table("word_embeddings", sizes.vocabulary),
        .positions = {.kind = Positions::Kind::Learned, .table = table("position_embeddings", sizes.positions)},
        .types = table("token_type_embeddings", config.size("type_vocab_size", 2))};
    for (std::int64_t layer = 0; layer < sizes.layers; ++layer) {
        const auto below = tensors.below("encoder.layer." + std::to_string(layer) + ".");
        const auto square = [&](std::string_view name) { return below.linear(name, sizes.hidden, sizes.hidden, true); };
        stack.blocks.push_back(
            {.self = {.heads = sizes.heads,
                      .key_value_heads = sizes.heads,
                      .width = sizes.head_width,
                      .scale = root_scale(sizes.head_width),
                      .query = square("attention.self.query"),
                      .key = square("attention.self.key"),
                      .value = square("attention.self.value"),
                      .output = square("attention.output.dense"),
                      .causal = sizes.causal},
             .self_norms = {.before = norm(below, "attention.ln")},
             .feed_forward = {.activation = sizes.activation,
                              .up = below.linear("intermediate.dense", sizes.hidden, sizes.inner, true),
                              .down = below.linear("output.dense", sizes.inner, sizes.hidden, true)},
             .feed_forward_norms = {.before = norm(below, "ln")}});
    }
    stack.norm = norm(tensors, "encoder.ln");
    Description description{.vocabulary = sizes.vocabulary, .longest = sizes.positions};
    add_bert_head(config, outside, stack, sizes, "bert.pooler.dense", description);
    description.encoder = std::move(stack);
    return description;
}

Description describe_roberta(const Config& config, const WeightFiles& files) {
    const auto sizes = bert_sizes(config, 50265);
    const Tensors tensors(files, {"roberta.", ""}, "embeddings.word_embeddings.weight");
    const auto outside = tensors.outside();
    auto stack = bert_stack(tensors, bert_names, sizes);
    stack.embedding.types = token_types(config, tensors, sizes.hidden);
    Description description{.vocabulary = sizes.vocabulary};
    count_from_padding(config, sizes.positions, stack, description);
    if (outside.has("lm_head.dense.weight")) {
        description.head =
            masked_head(outside, "lm_head.dense", "lm_head.layer_norm", "lm_head.decoder", "lm_head.bias",
                        stack.embedding.tokens, config.flag("tie_word_embeddings", true), sizes);
        description.head->activation = find_activation("gelu");
    } else {
        add_task_head(config, outside, sizes.hidden, {.transform = "classifier.dense", .output = "classifier.out_proj"},
                      description);
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
    else
        add_task_head(config, outside, sizes.hidden, {.transform = "pre_classifier", .activation = "relu"},
                      description);
    description.encoder = std::move(stack);
    return description;
}

Json bert_gguf_config(const GgufKeys& keys, std::string_view type) {
    auto config = common_gguf_config(keys, type);
    keys.plain_head_width();
    config["layer_norm_eps"] = keys.number("attention.layer_norm_epsilon");
    config["max_position_embeddings"] = keys.rows("position_embd.weight");
    if (keys.has_tensor("token_types.weight"))
        config["type_vocab_size"] = keys.rows("token_types.weight");
    return config;
}

} // namespace

std::vector<Architecture> bert_architectures() {
    return {{.type = "bert",
             .describe = describe_bert,
             .gguf = {.name = "bert",
                      .outside = bert_outside,
                      .inside = bert_inside,
                      .block = "encoder.layer.",
                      .config = bert_gguf_config,
                      .causal_key = "is_decoder",
                      .has_rotary = false},
             .tensors = tensors_of_bert},
            {.type = "bert-generation", .describe = describe_bert_generation, .tensors = tensors_of_generation},
            {.type = "dpr", .describe = describe_dpr, .settings = settings_of_dpr, .tensors = tensors_of_dpr},
            {.type = "layoutlm", .describe = describe_layoutlm, .tensors = tensors_of_bert},
            {.type = "megatron-bert", .describe = describe_megatron, .tensors = tensors_of_bert},
            {.type = "camembert", .describe = describe_roberta, .tensors = tensors_of_roberta},
            {.type = "ernie", .describe = describe_ernie, .settings = settings_of_ernie, .tensors = tensors_of_bert},
            {.type = "xlm-roberta", .describe = describe_roberta, .tensors = tensors_of_roberta},
            {.type = "roberta", .describe = describe_roberta, .tensors = tensors_of_roberta},
            {.type = "distilbert",
             .describe = describe_distilbert,
             .settings = settings_of_distilbert,
             .tensors = tensors_of_distilbert}};
}

} // namespace attnlab::model
