// BLOOM, MPT and Falcon: fused projections; the first two add ALiBi, a slope by distance, to scores.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/task_head.h"
#include "core/model/gguf/gguf_config.h"

#include <bit>
#include <cmath>

namespace attnlab::model {
namespace {

constexpr KnownEntry settings_of_bloom[] = {
    {.names = "slow_but_exact masked_softmax_fusion bias_dropout_fusion attention_softmax_in_fp32 unk_token_id",
     .why = ATTNLAB_TEXT("changes the order and the rounding of operations alone")},
    {.names = "n_inner offset_alibi seq_length skip_bias_add skip_bias_add_qkv", .why = why_not_read::old_version}};
constexpr KnownEntry settings_of_mpt[] = {
    {.names = "init_device verbose embedding_fraction fc_type use_pad_tok_in_ffn init_config* resid_pdrop emb_pdrop",
     .why = why_not_read::old_version},
    {.names = "attn_config.id2label attn_config.label2id", .why = why_not_read::task},
    {.names = "attn_config.return_dict", .why = why_not_read::old_version},
    {.names = "norm_type", .why = why_not_read::built_in, .values = "\"low_precision_layernorm\""},
    {.names = "learned_pos_emb no_bias attn_config.alibi", .why = why_not_read::built_in},
    {.names = "attn_config.attn_type", .why = why_not_read::built_in, .values = "\"multihead_attention\""},
    {.names = "attn_config.attn_impl attn_config.model_type attn_config.attn_uses_sequence_id attn_config.attn_pdrop",
     .why = ATTNLAB_TEXT("chooses the code that computes attention, not its result")}};
constexpr KnownEntry settings_of_falcon[] = {
    {.names = "apply_residual_connection_post_layernorm", .why = why_not_read::old_version, .values = "false"}};

constexpr TensorName bloom_outside[] = {{"token_embd", "transformer.word_embeddings"},
                                        {"token_embd_norm", "transformer.word_embeddings_layernorm"},
                                        {"output_norm", "transformer.ln_f"},
                                        {"output", "lm_head"}};
constexpr TensorName bloom_inside[] = {
    {"attn_norm", "input_layernorm"},        {"attn_qkv", "self_attention.query_key_value"},
    {"attn_output", "self_attention.dense"}, {"ffn_norm", "post_attention_layernorm"},
    {"ffn_up", "mlp.dense_h_to_4h"},         {"ffn_down", "mlp.dense_4h_to_h"},
};
constexpr TensorName mpt_outside[] = {
    {"token_embd", "transformer.wte"}, {"output_norm", "transformer.norm_f"}, {"output", "lm_head"}};
constexpr TensorName mpt_inside[] = {
    {"attn_norm", "norm_1"}, {"attn_qkv", "attn.Wqkv"}, {"attn_output", "attn.out_proj"},
    {"ffn_norm", "norm_2"},  {"ffn_up", "ffn.up_proj"}, {"ffn_down", "ffn.down_proj"},
};
constexpr TensorName falcon_outside[] = {
    {"token_embd", "transformer.word_embeddings"}, {"output_norm", "transformer.ln_f"}, {"output", "lm_head"}};
/// A layer with two norms has `attn_norm_2` before its attention and `attn_norm` before its feed-forward part.
constexpr TensorName falcon_inside[] = {
    {"attn_norm", "input_layernorm"},
    {"attn_norm_2", "ln_attn"},
    {"attn_qkv", "self_attention.query_key_value"},
    {"attn_output", "self_attention.dense"},
    {"ffn_up", "mlp.dense_h_to_4h"},
    {"ffn_down", "mlp.dense_4h_to_h"},
};

/// Press et al. 2022: powers of 2^(-8 / n), and for other numbers of heads every second one of the next power of two.
std::vector<float> alibi_slopes(std::int64_t heads) {
    const auto whole = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(heads)));
    std::vector<float> slopes;
    for (std::int64_t i = 1; i <= whole; ++i)
        slopes.push_back(static_cast<float>(std::exp2(-8.0 * static_cast<double>(i) / static_cast<double>(whole))));
    for (std::int64_t i = 1; std::ssize(slopes) < heads; i += 2)
        slopes.push_back(static_cast<float>(std::exp2(-4.0 * static_cast<double>(i) / static_cast<double>(whole))));
    return slopes;
}

Description describe_bloom(const Config& file, const WeightFiles& files) {
    const auto config = file.with_aliases(
        {{"num_hidden_layers", "n_layer"}, {"num_attention_heads", "n_head"}, {"n_embed", "hidden_size"}});
    config.refuse("apply_residual_connection_post_layernorm");
    const Tensors tensors(files, {"transformer.", ""}, "word_embeddings.weight");
    const auto hidden = config.size("hidden_size", 64), heads = config.size("n_head", 8);
    even_head_width(config, "n_head", hidden, heads);
    const auto vocabulary = config.size("vocab_size", 250880);
    const auto epsilon = config.epsilon("layer_norm_epsilon", 1e-5);
    const auto norm = [&](const Tensors& in, std::string_view name) { return in.layer_norm(name, hidden, epsilon); };
    Stack stack{.name = "decoder", .width = hidden};
    stack.embedding = {.tokens = tensors.at("word_embeddings.weight", {vocabulary, hidden}),
                       .norm = norm(tensors, "word_embeddings_layernorm")};
    for (std::int64_t layer = 0; layer < config.layers("n_layer", 2); ++layer) {
        const auto below = tensors.below("h." + std::to_string(layer) + ".");
        Block block{.self = fused_by_head(below.linear("self_attention.query_key_value", hidden, 3 * hidden, true),
                                          hidden, heads),
                    .self_norms = {.before = norm(below, "input_layernorm")},
                    .feed_forward = {.activation = find_activation("gelu_pytorch_tanh"),
                                     .up = below.linear("mlp.dense_h_to_4h", hidden, 4 * hidden, true),
                                     .down = below.linear("mlp.dense_4h_to_h", 4 * hidden, hidden, true)},
                    .feed_forward_norms = {.before = norm(below, "post_attention_layernorm")}};
        block.self.output = below.linear("self_attention.dense", hidden, hidden, true);
        block.self.slopes = alibi_slopes(heads);
        stack.blocks.push_back(std::move(block));
    }
    stack.norm = norm(tensors, "ln_f");
    Description description{.vocabulary = vocabulary};
    if (has_head(config, {"ForCausalLM"}))
        description.head = {.output = output_of(tensors.outside(), "lm_head", stack.embedding.tokens,
                                                config.flag("tie_word_embeddings", true), vocabulary, hidden)};
    else
        add_score_head(config, tensors.outside(), hidden, description);
    description.decoder = std::move(stack);
    return description;
}

/// Its own settings of attention. ALiBi is always there in Transformers.
void read_mpt_attention(const Config& config, Attention& attention) {
    const auto own = config.object("attn_config");
    if (!own)
        return;
    for (const auto* key : {"qk_ln", "prefix_lm"})
        own->refuse(key);
    if (own->number("alibi_bias_max", 8.0) != 8.0)
        own->fail("alibi_bias_max", "8");
    if (!own->flag("alibi", true))
        own->fail("alibi", "true");
    if (const auto limit = own->number("clip_qkv"))
        attention.clip = *limit;
    if (attention.clip < 0.0)
        own->fail("clip_qkv", ATTNLAB_TEXT("a number above 0, or null"));
    attention.scale = own->number("softmax_scale", attention.scale);
}

/// Norms and matrices without biases.
Description describe_mpt(const Config& file, const WeightFiles& files) {
    const auto config = file.with_aliases(
        {{"hidden_size", "d_model"}, {"num_attention_heads", "n_heads"}, {"num_hidden_layers", "n_layers"}});
    const Tensors tensors(files, {"transformer.", ""}, "wte.weight");
    const auto hidden = config.size("d_model", 2048), heads = config.size("n_heads", 16);
    const auto width = even_head_width(config, "n_heads", hidden, heads);
    const auto inner = hidden * config.size("expansion_ratio", 4);
    if (inner != 4 * hidden)
        config.fail("expansion_ratio", "4");
    const auto vocabulary = config.size("vocab_size", 50368);
    if (config.number("logit_scale", 1.0) != 1.0)
        config.fail("logit_scale", "1, null");
    const auto epsilon = config.epsilon("layer_norm_epsilon", 1e-5);
    const auto norm = [&](const Tensors& in, std::string_view name) {
        return in.layer_norm_with_or_without_bias(name, hidden, epsilon);
    };
    Stack stack{.name = "decoder", .width = hidden};
    stack.embedding.tokens = tensors.at("wte.weight", {vocabulary, hidden});
    for (std::int64_t layer = 0; layer < config.layers("n_layers", 24); ++layer) {
        const auto below = tensors.below("blocks." + std::to_string(layer) + ".");
        const auto fused = below.linear("attn.Wqkv", hidden, 3 * hidden, false);
        Block block{.self = {.heads = heads,
                             .key_value_heads = heads,
                             .width = width,
                             .scale = root_scale(width),
                             .query = part_of(fused, 0, hidden),
                             .key = part_of(fused, hidden, hidden),
                             .value = part_of(fused, 2 * hidden, hidden),
                             .output = below.linear("attn.out_proj", hidden, hidden, false),
                             .slopes = alibi_slopes(heads),
                             .causal = true},
                    .self_norms = {.before = norm(below, "norm_1")},
                    .feed_forward = {.activation = find_activation("gelu"),
                                     .up = below.linear("ffn.up_proj", hidden, inner, false),
                                     .down = below.linear("ffn.down_proj", inner, hidden, false)},
                    .feed_forward_norms = {.before = norm(below, "norm_2")}};
        read_mpt_attention(config, block.self);
        stack.blocks.push_back(std::move(block));
    }
    stack.norm = norm(tensors, "norm_f");
    Description description{.vocabulary = vocabulary, .longest = config.size("max_seq_len", 2048)};
    if (has_head(config, {"ForCausalLM"}))
        description.head = {.output = output_of(tensors.outside(), "lm_head", stack.embedding.tokens,
                                                config.flag("tie_word_embeddings", true), vocabulary, hidden)};
    else
        add_score_head(config, tensors.outside(), hidden, description);
    description.decoder = std::move(stack);
    return description;
}

/// Groups of queries with their key and value, all queries with one of them, or all three of each head.
Attention falcon_attention(const Config& config, const Tensors& tensors, std::int64_t hidden, bool is_new) {
    const auto heads = config.size("num_attention_heads", 71);
    const auto width = even_head_width(config, "num_attention_heads", hidden, heads);
    const bool shares = config.flag("multi_query", true), has_bias = config.flag("bias", false);
    const auto own_keys = config.size("num_kv_heads", heads);
    const auto keys = is_new ? own_keys : shares ? 1 : heads;
    if (heads % keys != 0)
        config.fail("num_kv_heads", {ATTNLAB_TEXT("a divisor of the %1 heads"), {std::to_string(heads)}});
    auto fused = tensors.linear("self_attention.query_key_value", hidden, hidden + 2 * keys * width, has_bias);
    const auto each = heads / keys * width; // of the queries of a group
    Attention made{.heads = heads, .key_value_heads = keys, .width = width, .scale = root_scale(width), .causal = true};
    fused.stride = each + 2 * width;
    fused.group = each;
    made.query = part_of(fused, 0, hidden);
    fused.group = width;
    made.key = part_of(fused, each, keys * width);
    made.value = part_of(fused, each + width, keys * width);
    made.output = tensors.linear("self_attention.dense", hidden, hidden, has_bias);
    return made;
}

Description describe_falcon(const Config& file, const WeightFiles& files) {
    const auto config = file.with_aliases(
        {{"n_layer", "num_hidden_layers"}, {"n_head", "num_attention_heads"}, {"n_head_kv", "num_kv_heads"}});
    if (config.flag("alibi", false))
        config.fail("alibi", ATTNLAB_TEXT("false: distances are rounded to bfloat16, which is not supported"));
    const Tensors tensors(files, {"transformer.", ""}, "word_embeddings.weight");
    const auto hidden = config.size("hidden_size", 4544);
    const auto inner = config.size("ffn_hidden_size", 4 * hidden);
    const auto vocabulary = config.size("vocab_size", 65024);
    const auto epsilon = config.epsilon("layer_norm_epsilon", 1e-5);
    const auto* activation = activation_of(config, "activation", "gelu");
    const bool has_bias = config.flag("bias", false), is_new = config.flag("new_decoder_architecture", false);
    const bool parallel = config.flag("parallel_attn", true);
    const auto norms = config.integer("num_ln_in_parallel_attn").value_or(is_new ? 2 : 1);
    if (norms < 1 || norms > 2 || (norms == 2 && !is_new))
        config.fail("num_ln_in_parallel_attn", is_new ? "1, 2" : "1");
    if (is_new && !parallel)
        config.fail("parallel_attn", "true");
    Stack stack{.name = "decoder", .width = hidden};
    stack.embedding.tokens = tensors.at("word_embeddings.weight", {vocabulary, hidden});
    for (std::int64_t layer = 0; layer < config.layers("num_hidden_layers", 32); ++layer) {
        const auto below = tensors.below("h." + std::to_string(layer) + ".");
        const auto norm = [&](std::string_view name) { return below.layer_norm(name, hidden, epsilon); };
        Block block{.self = falcon_attention(config, below, hidden, is_new),
                    .feed_forward = {.activation = activation,
                                     .up = below.linear("mlp.dense_h_to_4h", hidden, inner, has_bias),
                                     .down = below.linear("mlp.dense_4h_to_h", inner, hidden, has_bias)},
                    .parallel = parallel};
        block.self_norms.before = norm(norms == 2 ? "ln_attn" : "input_layernorm");
        const bool has_own_norm = norms == 2 && below.has("ln_mlp.weight"); // GGUF has one name for both
        block.feed_forward_norms.before = norm(!parallel      ? "post_attention_layernorm"
                                               : has_own_norm ? "ln_mlp"
                                                              : "input_layernorm");
        block.self.rotary = read_rotary(config, {.head_width = block.self.width, .longest = 2048});
        stack.blocks.push_back(std::move(block));
    }
    stack.norm = tensors.layer_norm("ln_f", hidden, epsilon);
    Description description{.vocabulary = vocabulary};
    if (has_head(config, {"ForCausalLM"}))
        description.head = {.output = output_of(tensors.outside(), "lm_head", stack.embedding.tokens,
                                                config.flag("tie_word_embeddings", true), vocabulary, hidden)};
    else
        add_score_head(config, tensors.outside(), hidden, description);
    description.decoder = std::move(stack);
    return description;
}

/// What BLOOM and MPT have, whose feed-forward has four times the width.
Json alibi_gguf_config(const GgufKeys& keys, std::string_view type) {
    auto config = common_gguf_config(keys, type);
    keys.plain_head_width();
    keys.require("feed_forward_length", 4 * keys.integer("embedding_length"));
    config.erase("intermediate_size");
    config["layer_norm_epsilon"] = keys.number("attention.layer_norm_epsilon");
    return config;
}

Json mpt_gguf_config(const GgufKeys& keys, std::string_view type) {
    auto config = alibi_gguf_config(keys, type);
    config["max_seq_len"] = config["max_position_embeddings"];
    config.erase("max_position_embeddings");
    const double slope = keys.has("attention.max_alibi_bias") ? keys.number("attention.max_alibi_bias") : 0.0;
    config["attn_config"] = {{"alibi", slope > 0.0}, {"alibi_bias_max", slope}};
    keys.copy_number("attention.clamp_kqv", config["attn_config"], "clip_qkv");
    return config;
}

Json falcon_gguf_config(const GgufKeys& keys, std::string_view type) {
    auto config = common_gguf_config(keys, type);
    const auto heads = keys.integer("attention.head_count");
    const auto own = keys.has("attention.head_count_kv") ? keys.integer("attention.head_count_kv") : heads;
    const bool has_two_norms = keys.has_tensor("blk.0.attn_norm_2.weight");
    const bool is_new = has_two_norms || (own != 1 && own != heads);
    config["ffn_hidden_size"] = config["intermediate_size"];
    config.erase("intermediate_size");
    config["layer_norm_epsilon"] = keys.number("attention.layer_norm_epsilon");
    config["new_decoder_architecture"] = is_new;
    if (is_new)
        config["num_ln_in_parallel_attn"] = has_two_norms ? 2 : 1;
    config["num_kv_heads"] = own;
    config["multi_query"] = own == 1;
    config["bias"] = keys.has_tensor("blk.0.attn_qkv.bias");
    add_gguf_rotary(keys, keys.head_width(), false, config);
    return config;
}

} // namespace

std::vector<Architecture> bloom_architectures() {
    return {{.type = "bloom",
             .describe = describe_bloom,
             .gguf = {.name = "bloom",
                      .outside = bloom_outside,
                      .inside = bloom_inside,
                      .block = "transformer.h.",
                      .config = alibi_gguf_config,
                      .has_rotary = false,
                      .heads_follow_kinds = true},
             .settings = settings_of_bloom},
            {.type = "falcon",
             .describe = describe_falcon,
             .gguf = {.name = "falcon",
                      .outside = falcon_outside,
                      .inside = falcon_inside,
                      .block = "transformer.h.",
                      .config = falcon_gguf_config,
                      .heads_follow_kinds = true},
             .settings = settings_of_falcon},
            {.type = "mpt",
             .describe = describe_mpt,
             .gguf = {.name = "mpt",
                      .outside = mpt_outside,
                      .inside = mpt_inside,
                      .block = "transformer.blocks.",
                      .config = mpt_gguf_config,
                      .has_rotary = false},
             .settings = settings_of_mpt}};
}

} // namespace attnlab::model
