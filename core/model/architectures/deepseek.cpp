// DeepSeek 2 and 3: latent attention (MLA), and experts that are chosen within groups. GLM 4 MoE has the experts alone,
// MiniCPM 3 the attention.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/llama_family.h"
#include "core/model/gguf/gguf_config.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace attnlab::model {
namespace {

constexpr KnownEntry settings_of_deepseek[] = {
    rotary_position_setting,
    {.names = "ep_size moe_layer_freq seq_aux aux_loss_alpha num_mtp_layers scoring_func "
              "topk_method head_dim qk_head_dim num_key_value_heads norm_topk_prob n_group topk_group",
     .why = why_not_read::built_in}};

constexpr TensorName deepseek_inside[] = {
    {"attn_norm", "input_layernorm"},
    {"attn_q", "self_attn.q_proj"},
    {"attn_q_a", "self_attn.q_a_proj"},
    {"attn_q_a_norm", "self_attn.q_a_layernorm"},
    {"attn_q_b", "self_attn.q_b_proj"},
    {"attn_kv_a_mqa", "self_attn.kv_a_proj_with_mqa"},
    {"attn_kv_a_norm", "self_attn.kv_a_layernorm"},
    {"attn_kv_b", "self_attn.kv_b_proj"},
    {"attn_k_b", "self_attn.k_b_proj"},
    {"attn_v_b", "self_attn.v_b_proj"},
    {"attn_output", "self_attn.o_proj"},
    {"ffn_norm", "post_attention_layernorm"},
    {"ffn_gate", "mlp.gate_proj"},
    {"ffn_up", "mlp.up_proj"},
    {"ffn_down", "mlp.down_proj"},
    {"ffn_gate_inp", "mlp.gate"},
    {"exp_probs_b", "mlp.gate.e_score_correction"},
    {"ffn_gate_exps", "mlp.experts.*.gate_proj"},
    {"ffn_up_exps", "mlp.experts.*.up_proj"},
    {"ffn_down_exps", "mlp.experts.*.down_proj"},
    {"ffn_gate_shexp", "mlp.shared_experts.gate_proj"},
    {"ffn_up_shexp", "mlp.shared_experts.up_proj"},
    {"ffn_down_shexp", "mlp.shared_experts.down_proj"},
};
constexpr const char* guesses_further = ATTNLAB_TEXT("guesses tokens behind the next one");

constexpr TensorName glm4_moe_inside[] = {
    {"attn_norm", "input_layernorm"},
    {"attn_q", "self_attn.q_proj"},
    {"attn_k", "self_attn.k_proj"},
    {"attn_v", "self_attn.v_proj"},
    {"attn_output", "self_attn.o_proj"},
    {"attn_q_norm", "self_attn.q_norm"},
    {"attn_k_norm", "self_attn.k_norm"},
    {"post_attention_norm", "post_attention_layernorm"},
    {"ffn_gate", "mlp.gate_proj"},
    {"ffn_up", "mlp.up_proj"},
    {"ffn_down", "mlp.down_proj"},
    {"ffn_gate_inp", "mlp.gate"},
    {"exp_probs_b", "mlp.gate.e_score_correction"},
    {"ffn_gate_exps", "mlp.experts.*.gate_proj"},
    {"ffn_up_exps", "mlp.experts.*.up_proj"},
    {"ffn_down_exps", "mlp.experts.*.down_proj"},
    {"ffn_gate_shexp", "mlp.shared_experts.gate_proj"},
    {"ffn_up_shexp", "mlp.shared_experts.up_proj"},
    {"ffn_down_shexp", "mlp.shared_experts.down_proj"},
};

/// Some files have the projection of keys and values whole and in parts.
constexpr KnownEntry tensors_of_deepseek[] = {
    {.names = "blk.*.attn_k_b.weight blk.*.attn_v_b.weight", .why = why_not_read::copy},
    {.names = "blk.*.nextn.*", .why = guesses_further}};

/// Layers behind the last one are no part of the language model: their tensors are listed.
void set_guessing_layers_aside(const Config& config, const WeightFiles& files, Description& description) {
    constexpr std::int64_t most = 16;
    const auto first = std::ssize(description.decoder->blocks);
    const auto count = std::min(config.integer("num_nextn_predict_layers").value_or(0), most);
    if (count < 1)
        return;
    for (const auto& name : files.names())
        for (auto layer = first; layer < first + count; ++layer)
            if (name.starts_with("model.layers." + std::to_string(layer) + ".")) {
                files.find(name); // counts it as read
                description.unread.tensors.push_back(
                    {files.where(), files.name_in_files(name), {}, guesses_further, false});
            }
}

struct LatentSizes {
    std::int64_t query_rank = 0, rank = 0, plain = 0, turned = 0, values = 0;

    std::int64_t width() const { return plain + turned; }
};

LatentSizes latent_sizes(const Config& config) {
    LatentSizes sizes{.query_rank = config.mentions("q_lora_rank") && !config.has("q_lora_rank")
                                        ? 0
                                        : config.size("q_lora_rank", 1536),
                      .rank = config.size("kv_lora_rank", 512),
                      .plain = config.size("qk_nope_head_dim", 128),
                      .turned = config.size("qk_rope_head_dim", 64),
                      .values = config.size("v_head_dim", 128)};
    if (sizes.turned % 2 != 0)
        config.fail("qk_rope_head_dim", ATTNLAB_TEXT("an even number"));
    return sizes;
}

/// YaRN also scales the scores, where it has `mscale_all_dim`.
double scale_of(const Config& config, std::int64_t width) {
    double scale = root_scale(width);
    for (const auto* name : {"rope_parameters", "rope_scaling"}) {
        const auto rope = config.object(name);
        if (!rope)
            continue;
        const auto kind = rope->text("rope_type", rope->text("type", "default"));
        const double all = rope->number("mscale_all_dim").value_or(0.0), factor = rope->number("factor").value_or(1.0);
        if (kind == "default" || all == 0.0)
            return scale;
        const double magnitude = factor <= 1.0 ? 1.0 : 0.1 * all * std::log(factor) + 1.0;
        return scale * magnitude * magnitude;
    }
    return scale;
}

/// The keys of each head as GGUF files have them since llama.cpp multiplies queries with them first.
std::vector<Linear> transposed_keys(const Tensors& tensors, std::int64_t heads, const LatentSizes& sizes) {
    const auto* weight = tensors.at("self_attn.k_b_proj.weight", {heads, sizes.rank, sizes.plain});
    std::vector<Linear> keys;
    for (std::int64_t head = 0; head < heads; ++head)
        keys.push_back(
            {.weight = weight, .inputs = sizes.rank, .outputs = sizes.plain, .inputs_first = true, .matrix = head});
    return keys;
}

Attention latent_attention(const Config& config, const Tensors& tensors, std::int64_t hidden, std::int64_t heads,
                           const LatentSizes& sizes) {
    constexpr double epsilon = 1e-6; // of these norms whatever the settings say
    const bool has_bias = config.flag("attention_bias", false);
    Latent latent{.key_value_down =
                      tensors.linear("self_attn.kv_a_proj_with_mqa", hidden, sizes.rank + sizes.turned, has_bias),
                  .norm = tensors.rms_norm("self_attn.kv_a_layernorm", sizes.rank, epsilon),
                  .turned = sizes.turned};
    if (sizes.query_rank > 0) {
        latent.query_down = tensors.linear("self_attn.q_a_proj", hidden, sizes.query_rank, has_bias);
        latent.query_norm = tensors.rms_norm("self_attn.q_a_layernorm", sizes.query_rank, epsilon);
    }
    Linear key, value;
    if (tensors.has("self_attn.k_b_proj.weight") && !tensors.has("self_attn.kv_b_proj.weight")) {
        latent.keys = transposed_keys(tensors, heads, sizes);
        value = {.weight = tensors.at("self_attn.v_b_proj.weight", {heads, sizes.values, sizes.rank}),
                 .inputs = sizes.rank,
                 .outputs = heads * sizes.values};
    } else {
        const auto both =
            tensors.linear("self_attn.kv_b_proj", sizes.rank, heads * (sizes.plain + sizes.values), false);
        const auto part = [&](std::int64_t first, std::int64_t width) {
            auto one = part_of(both, first, heads * width);
            one.group = width;
            one.stride = sizes.plain + sizes.values;
            return one;
        };
        key = part(0, sizes.plain);
        value = part(sizes.plain, sizes.values);
    }
    return {.heads = heads,
            .key_value_heads = heads,
            .width = sizes.width(),
            .value_width = sizes.values,
            .scale = scale_of(config, sizes.width()),
            .query = sizes.query_rank > 0
                         ? tensors.linear("self_attn.q_b_proj", sizes.query_rank, heads * sizes.width(), false)
                         : tensors.linear("self_attn.q_proj", hidden, heads * sizes.width(), false),
            .key = key,
            .value = value,
            .output = tensors.linear("self_attn.o_proj", heads * sizes.values, hidden, has_bias),
            .latent = latent,
            .causal = true};
}

GatedExpert gated(const Tensors& tensors, std::int64_t hidden, std::int64_t inner, bool has_bias) {
    return {.gate = tensors.linear("gate_proj", hidden, inner, has_bias),
            .up = tensors.linear("up_proj", hidden, inner, has_bias),
            .down = tensors.linear("down_proj", inner, hidden, has_bias)};
}

/// Where the settings do not say it.
struct RoutingDefaults {
    std::int64_t count = 256, groups = 8, chosen_groups = 4;
    double factor = 2.5;
};

/// Without the experts: how they are chosen.
RoutedExperts routing(const Config& config, bool is_third, const RoutingDefaults& defaults) {
    RoutedExperts experts{
        .chosen = config.size("num_experts_per_tok", is_third ? std::optional<std::int64_t>(8) : std::nullopt)};
    const auto count = config.size("n_routed_experts", defaults.count);
    if (experts.chosen > count)
        config.fail("num_experts_per_tok", {ATTNLAB_TEXT("at most %1"), {std::to_string(count)}});
    experts.factor = config.number("routed_scaling_factor", defaults.factor);
    experts.by_sigmoid = experts.groups_by_two = is_third;
    experts.sums_to_one = is_third && config.flag("norm_topk_prob", true);
    const auto method = config.text("topk_method", is_third ? "noaux_tc" : "greedy");
    if (!is_third && method != "greedy" && method != "group_limited_greedy")
        config.fail("topk_method", "greedy, group_limited_greedy");
    if (is_third || method == "group_limited_greedy") {
        experts.groups = config.size("n_group", is_third ? std::optional(defaults.groups) : std::nullopt);
        experts.chosen_groups =
            config.size("topk_group", is_third ? std::optional(defaults.chosen_groups) : std::nullopt);
        if (count % experts.groups != 0)
            config.fail("n_group", {ATTNLAB_TEXT("a divisor of %1"), {std::to_string(count)}});
        if (experts.chosen_groups > experts.groups)
            config.fail("topk_group", {ATTNLAB_TEXT("at most %1"), {std::to_string(experts.groups)}});
        if (experts.chosen > experts.chosen_groups * (count / experts.groups))
            config.fail("num_experts_per_tok", {ATTNLAB_TEXT("at most %1"),
                                                {std::to_string(experts.chosen_groups * (count / experts.groups))}});
    }
    return experts;
}

constexpr const char *correction = "mlp.gate.e_score_correction_bias",
                     *gguf_correction = "mlp.gate.e_score_correction.bias";

/// The experts of one layer.
RoutedExperts with_experts(RoutedExperts experts, const Tensors& tensors, std::int64_t hidden, std::int64_t inner,
                           std::int64_t shared, std::int64_t count, bool inner_bias) {
    experts.router = tensors.linear("mlp.gate", hidden, count, false);
    if (experts.by_sigmoid)
        experts.correction = tensors.at(tensors.has(gguf_correction) ? gguf_correction : correction, {count});
    for (std::int64_t expert = 0; expert < count; ++expert)
        experts.each.push_back(
            gated(tensors.below("mlp.experts." + std::to_string(expert) + "."), hidden, inner, false));
    experts.shared = gated(tensors.below("mlp.shared_experts."), hidden, shared, inner_bias);
    return experts;
}

Description describe_deepseek(const Config& config, const WeightFiles& files, bool is_third) {
    const auto latent = latent_sizes(config);
    const auto heads = config.size("num_attention_heads", is_third ? 128 : 32);
    const LlamaSizes sizes{.hidden = config.size("hidden_size", is_third ? 7168 : 4096),
                           .inner = config.size("intermediate_size", is_third ? 18432 : 11008),
                           .layers = config.layers("num_hidden_layers", is_third ? 61 : 32),
                           .heads = heads,
                           .key_value_heads = heads,
                           .head_width = latent.width(),
                           .vocabulary = config.size("vocab_size", is_third ? 129280 : 102400),
                           .epsilon = config.epsilon("rms_norm_eps", 1e-6),
                           .activation = activation_of(config, "hidden_act", "silu")};
    auto rotary = read_rotary(config, {.head_width = latent.turned, .longest = is_third ? 4096 : 2048});
    rotary.interleaved = !is_third || config.flag("rope_interleave", true);
    const bool inner_bias = !is_third && config.flag("mlp_bias", false);
    const auto dense = config.integer("first_k_dense_replace").value_or(is_third ? 3 : 0);
    const auto experts = dense < sizes.layers
                             ? routing(config, is_third, is_third ? RoutingDefaults() : RoutingDefaults{64, 1, 1, 1.0})
                             : RoutedExperts();
    const auto count = dense < sizes.layers ? config.size("n_routed_experts", is_third ? 256 : 64) : 0;
    const auto inner = dense < sizes.layers ? config.size("moe_intermediate_size", is_third ? 2048 : 1407) : 0;
    const auto shared = dense < sizes.layers ? config.size("n_shared_experts", is_third ? 1 : 2) : 0;
    auto description = llama_like(config, files, sizes, false, [&](const Tensors& tensors, std::int64_t layer) {
        const auto norm = [&](std::string_view name) { return tensors.rms_norm(name, sizes.hidden, sizes.epsilon); };
        Block block{.self = latent_attention(config, tensors, sizes.hidden, sizes.heads, latent),
                    .self_norms = {.before = norm("input_layernorm")},
                    .feed_forward = {.activation = sizes.activation},
                    .feed_forward_norms = {.before = norm("post_attention_layernorm")}};
        block.self.rotary = rotary;
        block.self.latent->puts_halves_apart = is_third && rotary.interleaved;
        if (layer < dense) {
            const auto one = gated(tensors.below("mlp."), sizes.hidden, sizes.inner, inner_bias);
            block.feed_forward.gate = one.gate;
            block.feed_forward.up = one.up;
            block.feed_forward.down = one.down;
            return block;
        }
        block.feed_forward.routed_experts =
            with_experts(experts, tensors, sizes.hidden, inner, shared * inner, count, inner_bias);
        return block;
    });
    set_guessing_layers_aside(config, files, description);
    return description;
}

/// Factors of the embedding, of what each sublayer adds, and of logits, as in Granite.
Description describe_minicpm3(const Config& config, const WeightFiles& files) {
    const auto hidden = config.size("hidden_size", 2560), heads = config.size("num_attention_heads", 40);
    const auto query_rank = config.mentions("q_lora_rank") && !config.has("q_lora_rank")
                                ? std::int64_t{0}
                                : config.size("q_lora_rank", 768);
    const LatentSizes latent{.query_rank = query_rank,
                             .rank = config.size("kv_lora_rank", 256),
                             .plain = config.size("qk_nope_head_dim", 64),
                             .turned = config.size("qk_rope_head_dim", 32),
                             .values = config.size("v_head_dim", std::max<std::int64_t>(1, hidden / heads))};
    if (latent.turned % 2 != 0)
        config.fail("qk_rope_head_dim", ATTNLAB_TEXT("an even number"));
    const LlamaSizes sizes{.hidden = hidden,
                           .inner = config.size("intermediate_size", 6400),
                           .layers = config.layers("num_hidden_layers", 62),
                           .heads = heads,
                           .key_value_heads = heads,
                           .head_width = latent.width(),
                           .vocabulary = config.size("vocab_size", 73448),
                           .epsilon = config.epsilon("rms_norm_eps", 1e-5),
                           .activation = activation_of(config, "hidden_act", "silu")};
    const auto rotary = read_rotary(config, {.head_width = latent.turned, .longest = 32768});
    const bool inner_bias = config.flag("mlp_bias", false);
    const double root = std::sqrt(static_cast<double>(std::max<std::int64_t>(sizes.layers, 1)));
    const bool adds_all = config.mentions("scale_depth") && !config.has("scale_depth");
    const double residual = adds_all ? 1.0 : config.number("scale_depth", 1.4) / root;
    const auto base = config.mentions("dim_model_base") && !config.has("dim_model_base")
                          ? hidden
                          : config.size("dim_model_base", 256);
    auto description = llama_like(config, files, sizes, true, [&](const Tensors& tensors, std::int64_t) {
        const auto norm = [&](std::string_view name) { return tensors.rms_norm(name, sizes.hidden, sizes.epsilon); };
        Block block{.self = latent_attention(config, tensors, sizes.hidden, sizes.heads, latent),
                    .self_norms = {.before = norm("input_layernorm"), .factor = residual},
                    .feed_forward = llama_feed_forward(tensors, sizes, inner_bias),
                    .feed_forward_norms = {.before = norm("post_attention_layernorm"), .factor = residual}};
        block.self.rotary = rotary;
        return block;
    });
    description.decoder->embedding.factor = config.number("scale_emb", 12.0);
    if (description.head && description.head->outcomes == Head::Outcomes::Tokens)
        description.head->factor = static_cast<double>(base) / static_cast<double>(hidden);
    return description;
}

/// Half of each head is turned; norms of queries and keys where the settings say so.
Description describe_glm4_moe(const Config& config, const WeightFiles& files) {
    const LlamaDefaults defaults{.hidden = 4096,
                                 .inner = 10944,
                                 .layers = 46,
                                 .heads = 96,
                                 .vocabulary = 151552,
                                 .longest = 131072,
                                 .key_value_heads = 8,
                                 .epsilon = 1e-5};
    const auto sizes = llama_sizes(config, defaults);
    auto rotary_defaults = llama_rotary(sizes, defaults);
    rotary_defaults.partial = true;
    rotary_defaults.partial_factor = 0.5;
    const auto rotary = read_rotary(config, rotary_defaults);
    const bool has_bias = config.flag("attention_bias", false), has_norms = config.flag("use_qk_norm", false);
    const auto dense = config.integer("first_k_dense_replace").value_or(1);
    const auto experts = routing(config, true, {128, 1, 1, 1.0});
    const auto count = config.size("n_routed_experts", 128), inner = config.size("moe_intermediate_size", 1408);
    const auto shared = config.size("n_shared_experts", 1);
    auto description = llama_like(config, files, sizes, false, [&](const Tensors& tensors, std::int64_t layer) {
        const auto norm = [&](std::string_view name, std::int64_t width) {
            return tensors.rms_norm(name, width, sizes.epsilon);
        };
        Block block{.self = llama_attention(tensors, sizes, {.query_key_value = has_bias}),
                    .self_norms = {.before = norm("input_layernorm", sizes.hidden)},
                    .feed_forward = {.activation = sizes.activation},
                    .feed_forward_norms = {.before = norm("post_attention_layernorm", sizes.hidden)}};
        block.self.rotary = rotary;
        if (has_norms) {
            block.self.query_norm = norm("self_attn.q_norm", sizes.head_width);
            block.self.key_norm = norm("self_attn.k_norm", sizes.head_width);
        }
        if (layer < dense)
            block.feed_forward = llama_feed_forward(tensors, sizes, false);
        else
            block.feed_forward.routed_experts =
                with_experts(experts, tensors, sizes.hidden, inner, shared * inner, count, false);
        return block;
    });
    set_guessing_layers_aside(config, files, description);
    return description;
}

/// How experts are chosen. Older files do not say that only groups of them are chosen from, and llama.cpp then chooses
/// from all.
void add_gguf_routing(const GgufKeys& keys, bool is_third, Json& config) {
    const auto one_or = [&](std::string_view key) { return keys.has(key) ? keys.integer(key) : 1; };
    const double factor = keys.has("expert_weights_scale") ? keys.number("expert_weights_scale") : 1.0;
    const auto groups = one_or("expert_group_count");
    config["first_k_dense_replace"] =
        keys.has("leading_dense_block_count") ? keys.integer("leading_dense_block_count") : 0;
    config["n_routed_experts"] = keys.integer("expert_count");
    config["num_experts_per_tok"] = keys.integer("expert_used_count");
    config["n_shared_experts"] = keys.integer("expert_shared_count");
    config["moe_intermediate_size"] = keys.integer("expert_feed_forward_length");
    config["routed_scaling_factor"] = factor == 0.0 ? 1.0 : factor;
    config["n_group"] = groups;
    config["topk_group"] = one_or("expert_group_used_count");
    const bool sums_to_one = keys.has("expert_weights_norm") && keys.flag("expert_weights_norm");
    if (is_third)
        config["norm_topk_prob"] = sums_to_one;
    else if (sums_to_one)
        throw Error({ATTNLAB_TEXT("%1: '%2' is %3, expected %4"),
                     {keys.metadata().file(), keys.full("expert_weights_norm"), "true", "false"}});
    else if (groups > 1)
        config["topk_method"] = "group_limited_greedy";
}

/// The count of blocks includes layers that guess tokens behind the next one.
void add_guessing_layers(const GgufKeys& keys, Json& config) {
    if (!keys.has("nextn_predict_layers"))
        return;
    const auto count = keys.integer("nextn_predict_layers");
    config["num_nextn_predict_layers"] = count;
    config["num_hidden_layers"] = keys.integer("block_count") - count;
}

/// Throws Error for a scaling of positions that llama.cpp and Transformers compute in different ways. llama.cpp also
/// multiplies the scores by the square of the magnitude; Transformers does so for YaRN with a multiplier alone.
void check_latent_scaling(const GgufKeys& keys) {
    constexpr auto multiplier = "rope.scaling.yarn_log_multiplier";
    keys.require_number("rope.scaling.attn_factor", 1.0);
    if (!keys.has("rope.scaling.type") || keys.text("rope.scaling.type") != "yarn") {
        for (const auto* key : {"rope.scaling.factor", "rope.scale_linear"})
            keys.require_number(key, 1.0);
    } else if (!(keys.number(multiplier) > 0.0)) {
        throw Error({ATTNLAB_TEXT("%1: '%2' is %3, expected %4"),
                     {keys.metadata().file(), keys.full(multiplier), to_text(keys.number(multiplier)),
                      Message(ATTNLAB_TEXT("a number above 0"))}});
    }
}

/// GGUF has one name for DeepSeek 2 and 3; the router of DeepSeek 3 uses a sigmoid. Where the projections of keys and
/// values are two tensors, the file declares one key head, as wide as a compressed key and its rotated part.
Json deepseek_gguf_config(const GgufKeys& keys, std::string_view type) {
    constexpr std::int64_t softmax = 1, sigmoid = 2;
    const bool is_third = keys.has("expert_gating_func") && keys.integer("expert_gating_func") == sigmoid;
    if (!is_third)
        keys.require("expert_gating_func", softmax);
    auto config = common_gguf_config(keys, is_third ? "deepseek_v3" : type);
    const bool is_in_parts = keys.has("attention.key_length_mla");
    const auto width = keys.integer(is_in_parts ? "attention.key_length_mla" : "attention.key_length");
    const auto turned = keys.integer("rope.dimension_count"), rank = keys.integer("attention.kv_lora_rank");
    config["kv_lora_rank"] = rank;
    config["q_lora_rank"] = nullptr;
    keys.copy_integer("attention.q_lora_rank", config, "q_lora_rank");
    config["qk_rope_head_dim"] = turned;
    config["qk_nope_head_dim"] = width - turned;
    config["v_head_dim"] = keys.integer(is_in_parts ? "attention.value_length_mla" : "attention.value_length");
    if (is_in_parts) {
        keys.require("attention.key_length", rank + turned);
        keys.require("attention.value_length", rank);
    }
    if (!is_in_parts || keys.integer("attention.head_count_kv") != 1)
        keys.require("attention.head_count_kv", keys.integer("attention.head_count"));
    config["rms_norm_eps"] = keys.number("attention.layer_norm_rms_epsilon");
    check_latent_scaling(keys);
    add_gguf_rotary(keys, turned, false, config);
    if (const auto scaling = config.find("rope_scaling"); scaling != config.end())
        (*scaling)["mscale"] = (*scaling)["mscale_all_dim"] = // stored times 0.1
            10.0 * keys.number("rope.scaling.yarn_log_multiplier");
    if (keys.has_experts())
        add_gguf_routing(keys, is_third, config);
    else
        config["first_k_dense_replace"] = keys.integer("block_count");
    add_guessing_layers(keys, config);
    return config;
}

Json glm4_moe_gguf_config(const GgufKeys& keys, std::string_view type) {
    constexpr std::int64_t sigmoid = 2;
    auto config = llama_gguf_config(keys, type, true);
    keys.require("expert_gating_func", sigmoid);
    config["use_qk_norm"] = keys.has_tensor("blk.0.attn_q_norm.weight");
    if (!config.contains("partial_rotary_factor"))
        config["partial_rotary_factor"] = 1.0;
    add_gguf_routing(keys, true, config);
    add_guessing_layers(keys, config);
    return config;
}

/// The file does not say the factors; llama.cpp has those of the published model.
Json minicpm3_gguf_config(const GgufKeys& keys, std::string_view type) {
    auto config = common_gguf_config(keys, type);
    const auto turned = keys.integer("rope.dimension_count"), heads = keys.integer("attention.head_count");
    config["kv_lora_rank"] = keys.integer("attention.kv_lora_rank");
    config["q_lora_rank"] = nullptr;
    keys.copy_integer("attention.q_lora_rank", config, "q_lora_rank");
    config["qk_rope_head_dim"] = turned;
    config["qk_nope_head_dim"] = keys.integer("attention.key_length") - turned;
    config["v_head_dim"] = keys.integer("embedding_length") / std::max<std::int64_t>(1, heads);
    keys.copy_integer("attention.value_length", config, "v_head_dim");
    keys.require("attention.head_count_kv", heads);
    config["rms_norm_eps"] = keys.number("attention.layer_norm_rms_epsilon");
    add_gguf_rotary(keys, turned, false, config);
    return config;
}

GgufArchitecture with_experts(GgufArchitecture architecture) {
    architecture.has_experts = true;
    return architecture;
}

} // namespace

std::vector<Architecture> deepseek_architectures() {
    using C = const Config&;
    using W = const WeightFiles&;
    return {{.type = "deepseek_v2",
             .describe = [](C config, W files) { return describe_deepseek(config, files, false); },
             .gguf = with_experts(interleaved(llama_gguf("deepseek2", deepseek_gguf_config, deepseek_inside))),
             .settings = settings_of_deepseek,
             .tensors = tensors_of_deepseek},
            {.type = "deepseek_v3",
             .describe = [](C config, W files) { return describe_deepseek(config, files, true); },
             .settings = settings_of_deepseek,
             .tensors = tensors_of_deepseek},
            {.type = "minicpm3",
             .describe = describe_minicpm3,
             .gguf = llama_gguf("minicpm3", minicpm3_gguf_config, deepseek_inside),
             .settings = settings_of_deepseek},
            {.type = "glm4_moe",
             .describe = describe_glm4_moe,
             .gguf = with_experts(llama_gguf("glm4moe", glm4_moe_gguf_config, glm4_moe_inside)),
             .settings = settings_of_deepseek,
             .tensors = tensors_of_deepseek}};
}

} // namespace attnlab::model
