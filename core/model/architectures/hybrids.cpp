// Decoders of which only some layers have attention: LFM 2, Jamba and Qwen3-Next. The other layers are computed, and
// have nothing to show.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/llama_family.h"
#include "core/model/gguf/gguf_config.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace attnlab::model {
namespace {

constexpr std::int64_t most_layers = 1 << 16; ///< of GGUF; what reads the configuration has its own

/// Whether each layer has attention: where `layer_types` has `attention`, and not `other`.
std::vector<bool> layers_with_attention(const Config& config, std::int64_t layers, std::string_view attention,
                                        std::string_view other) {
    const auto types = config.texts("layer_types");
    if (std::ssize(types) < layers)
        config.fail("layer_types", {ATTNLAB_TEXT("%1 entries"), {std::to_string(layers)}});
    std::vector<bool> has;
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        const auto& type = types[static_cast<std::size_t>(layer)];
        if (type != attention && type != other)
            config.fail("layer_types", {ATTNLAB_TEXT("%1 for each layer, not %2"),
                                        {std::string(attention) + ", " + std::string(other), type}});
        has.push_back(type == attention);
    }
    return has;
}

/// A note that names the layers without attention.
void name_other_layers(const Config& config, const std::vector<bool>& has_attention, const char* what,
                       Description& description) {
    std::string others;
    for (std::size_t layer = 0; layer < has_attention.size(); ++layer)
        if (!has_attention[layer])
            others += (others.empty() ? "" : ", ") + std::to_string(layer);
    if (!others.empty())
        description.unread.settings.push_back(
            {config.node().name_of_text(),
             "layer_types",
             "[…]",
             {ATTNLAB_TEXT("layers %1 have no attention to show: %2"), {others, Message{what}}}});
}

/// The width of the feed-forward: two thirds of the given one, rounded up to a multiple.
std::int64_t lfm2_inner(const Config& config) {
    const auto inner =
        config.has("block_ff_dim") ? config.size("block_ff_dim") : config.size("intermediate_size", 12288);
    const auto multiple = config.size("block_multiple_of", 256);
    if (!config.flag("block_auto_adjust_ff_dim", true))
        return inner;
    const auto two_thirds = 2 * inner / 3;
    if (config.mentions("block_ffn_dim_multiplier") && !config.has("block_ffn_dim_multiplier"))
        return two_thirds;
    const double scaled = config.number("block_ffn_dim_multiplier", 1.0) * static_cast<double>(two_thirds);
    if (!(scaled >= 1.0 && scaled <= static_cast<double>(largest_size)))
        config.fail("block_ffn_dim_multiplier", ATTNLAB_TEXT("a number above 0"));
    return (static_cast<std::int64_t>(scaled) + multiple - 1) / multiple * multiple;
}

Description describe_lfm2(const Config& config, const WeightFiles& files) {
    const LlamaDefaults defaults{.hidden = 2560,
                                 .inner = 12288,
                                 .vocabulary = 65536,
                                 .longest = 128000,
                                 .key_value_heads = 8,
                                 .epsilon = 1e-5,
                                 .base = 1000000.0,
                                 .epsilon_key = "norm_eps"};
    auto sizes = llama_sizes(config, defaults);
    sizes.inner = lfm2_inner(config);
    const auto rotary = read_rotary(config, llama_rotary(sizes, defaults));
    const bool has_bias = config.flag("conv_bias", false);
    const auto rows = config.size("conv_L_cache", 3);
    const bool is_gguf = files.are_all_needed();
    std::vector<bool> has_attention;
    if (config.has("layer_types")) {
        has_attention = layers_with_attention(config, sizes.layers, "full_attention", "conv");
        config.ignore("full_attn_idxs", why_not_read::other_key);
    } else {
        const auto indices = config.has("full_attn_idxs") ? config.numbers("full_attn_idxs") : std::vector<double>();
        for (std::int64_t layer = 0; layer < sizes.layers; ++layer)
            has_attention.push_back(!config.has("full_attn_idxs") ||
                                    std::ranges::find(indices, static_cast<double>(layer)) != indices.end());
    }
    const bool tied = config.flag("tie_embedding", config.flag("tie_word_embeddings", true));
    auto description = decoder_like(
        config, files, sizes, {.tied = tied, .final_norm = "embedding_norm"},
        [&](const Tensors& tensors, std::int64_t layer) {
            const auto norm = [&](std::string_view name, std::int64_t width) {
                return tensors.rms_norm(name, width, sizes.epsilon);
            };
            const auto linear = [&](std::string_view name, std::int64_t inputs, std::int64_t outputs) {
                return tensors.linear(name, inputs, outputs, false);
            };
            Block block{.self_norms = {.before = norm("operator_norm", sizes.hidden)},
                        .feed_forward = {.activation = find_activation("silu"),
                                         .gate = linear("feed_forward.w1", sizes.hidden, sizes.inner),
                                         .up = linear("feed_forward.w3", sizes.hidden, sizes.inner),
                                         .down = linear("feed_forward.w2", sizes.inner, sizes.hidden)},
                        .feed_forward_norms = {.before = norm("ffn_norm", sizes.hidden)}};
            if (has_attention[static_cast<std::size_t>(layer)]) {
                block.self = {.heads = sizes.heads,
                              .key_value_heads = sizes.key_value_heads,
                              .width = sizes.head_width,
                              .scale = root_scale(sizes.head_width),
                              .query = linear("self_attn.q_proj", sizes.hidden, sizes.query_width()),
                              .key = linear("self_attn.k_proj", sizes.hidden, sizes.key_width()),
                              .value = linear("self_attn.v_proj", sizes.hidden, sizes.key_width()),
                              .output = linear("self_attn.out_proj", sizes.query_width(), sizes.hidden),
                              .query_norm = norm("self_attn.q_layernorm", sizes.head_width),
                              .key_norm = norm("self_attn.k_layernorm", sizes.head_width),
                              .rotary = rotary,
                              .causal = true};
                return block;
            }
            block.convolution = {.in = tensors.linear("conv.in_proj", sizes.hidden, 3 * sizes.hidden, has_bias),
                                 .out = tensors.linear("conv.out_proj", sizes.hidden, sizes.hidden, has_bias),
                                 .weight = tensors.at("conv.conv.weight", is_gguf ? Shape{sizes.hidden, rows}
                                                                                  : Shape{sizes.hidden, 1, rows}),
                                 .bias = has_bias ? tensors.at("conv.conv.bias", {sizes.hidden}) : nullptr,
                                 .rows = rows};
            return block;
        });
    name_other_layers(config, has_attention, ATTNLAB_TEXT("they are convolutions over a few tokens, and are computed"),
                      description);
    return description;
}

GatedExpert expert_of(const Tensors& tensors, std::int64_t hidden, std::int64_t inner) {
    return {.gate = tensors.linear("gate_proj", hidden, inner, false),
            .up = tensors.linear("up_proj", hidden, inner, false),
            .down = tensors.linear("down_proj", inner, hidden, false)};
}

FeedForward as_feed_forward(const GatedExpert& one, const Activation* activation) {
    return {.activation = activation, .gate = one.gate, .up = one.up, .down = one.down};
}

/// The router, and the experts below "experts.".
RoutedExperts hybrid_experts(const Tensors& tensors, std::string_view router, std::int64_t hidden, std::int64_t inner,
                             std::int64_t count, std::int64_t chosen, bool sums_to_one) {
    RoutedExperts experts{
        .router = tensors.linear(router, hidden, count, false), .chosen = chosen, .sums_to_one = sums_to_one};
    for (std::int64_t expert = 0; expert < count; ++expert)
        experts.each.push_back(expert_of(tensors.below("experts." + std::to_string(expert) + "."), hidden, inner));
    return experts;
}

std::int64_t hybrid_chosen(const Config& config, std::int64_t absent, std::int64_t count) {
    const auto chosen = config.size("num_experts_per_tok", absent);
    if (chosen > count)
        config.fail("num_experts_per_tok", {ATTNLAB_TEXT("at most the %1 experts"), {std::to_string(count)}});
    return chosen;
}

/// Mamba between its projections, as Jamba has it: with norms of the step and of both parts.
StateSpace jamba_mixer(const Config& config, const Tensors& tensors, const LlamaSizes& sizes, bool is_gguf) {
    const auto inner = config.size("mamba_expand", 2) * sizes.hidden, state = config.size("mamba_d_state", 16);
    const auto rows = config.size("mamba_d_conv", 4);
    const auto* given = config.find("mamba_dt_rank");
    const auto rank = given && given->is_number() ? config.size("mamba_dt_rank") : (sizes.hidden + 15) / 16;
    if (given && !given->is_number() && config.text("mamba_dt_rank", "auto") != "auto")
        config.fail("mamba_dt_rank", ATTNLAB_TEXT("a number, or auto"));
    const bool has_bias = config.flag("mamba_proj_bias", false);
    const auto norm = [&](std::string_view name, std::int64_t width) {
        return tensors.rms_norm(name, width, sizes.epsilon);
    };
    return {.in = tensors.linear("in_proj", sizes.hidden, 2 * inner, has_bias),
            .out = tensors.linear("out_proj", inner, sizes.hidden, has_bias),
            .weight = tensors.at("conv1d.weight", is_gguf ? Shape{inner, rows} : Shape{inner, 1, rows}),
            .bias = config.flag("mamba_conv_bias", true) ? tensors.at("conv1d.bias", {inner}) : nullptr,
            .inner = inner,
            .rows = rows,
            .rank = rank,
            .state = state,
            .parts = tensors.linear("x_proj", inner, rank + 2 * state, false),
            .step = tensors.linear("dt_proj", rank, inner, true),
            .step_norm = norm("dt_layernorm", rank),
            .b_norm = norm("b_layernorm", state),
            .c_norm = norm("c_layernorm", state),
            .log_a = tensors.at("A_log", {inner, state}),
            .skip = tensors.at("D", {inner}),
            .has_plain_a = is_gguf,
            .activation = sizes.activation};
}

/// Without positions. One of several layers has attention, and one of several experts.
Description describe_jamba(const Config& config, const WeightFiles& files) {
    const LlamaDefaults defaults{.inner = 14336, .vocabulary = 65536, .longest = 262144, .key_value_heads = 8};
    const auto sizes = llama_sizes(config, defaults);
    const auto period = config.size("attn_layer_period", 8), first = config.integer("attn_layer_offset").value_or(4);
    const auto expert_period = config.size("expert_layer_period", 2);
    const auto first_expert = config.integer("expert_layer_offset").value_or(1);
    const auto count = config.size("num_experts", 16);
    const auto chosen = count > 1 ? hybrid_chosen(config, 2, count) : config.size("num_experts_per_tok", 2);
    std::vector<bool> has_attention;
    for (std::int64_t layer = 0; layer < sizes.layers; ++layer)
        has_attention.push_back(layer % period == first);
    auto description = decoder_like(
        config, files, sizes, {.tied = config.flag("tie_word_embeddings", false), .final_norm = "final_layernorm"},
        [&](const Tensors& tensors, std::int64_t layer) {
            const auto norm = [&](std::string_view name) {
                return tensors.rms_norm(name, sizes.hidden, sizes.epsilon);
            };
            const auto below = tensors.below("feed_forward.");
            Block block{.self_norms = {.before = norm("input_layernorm")},
                        .feed_forward_norms = {.before = norm("pre_ff_layernorm")}};
            if (has_attention[static_cast<std::size_t>(layer)])
                block.self = llama_attention(tensors, sizes, {});
            else
                block.state_space = jamba_mixer(config, tensors.below("mamba."), sizes, files.are_all_needed());
            if (count > 1 && layer % expert_period == first_expert) {
                block.feed_forward.activation = sizes.activation;
                block.feed_forward.routed_experts =
                    hybrid_experts(below, "router", sizes.hidden, sizes.inner, count, chosen, false);
            } else {
                block.feed_forward = as_feed_forward(expert_of(below, sizes.hidden, sizes.inner), sizes.activation);
            }
            return block;
        });
    name_other_layers(config, has_attention, ATTNLAB_TEXT("they are state spaces (Mamba), and are computed"),
                      description);
    return description;
}

DeltaRule qwen_mixer(const Config& config, const Tensors& tensors, const LlamaSizes& sizes) {
    const auto key_heads = config.size("linear_num_key_heads", 16);
    const auto value_heads = config.size("linear_num_value_heads", 32);
    if (value_heads % key_heads != 0)
        config.fail("linear_num_value_heads", {ATTNLAB_TEXT("a multiple of %1"), {std::to_string(key_heads)}});
    const auto key_width = config.size("linear_key_head_dim", 128);
    const auto value_width = config.size("linear_value_head_dim", 128);
    const auto keys = key_heads * key_width, values = value_heads * value_width;
    const auto rows = config.size("linear_conv_kernel_dim", 4);
    return {.in = tensors.linear("in_proj_qkvz", sizes.hidden, 2 * keys + 2 * values, false),
            .rates = tensors.linear("in_proj_ba", sizes.hidden, 2 * value_heads, false),
            .out = tensors.linear("out_proj", values, sizes.hidden, false),
            .weight = tensors.at("conv1d.weight", {2 * keys + values, 1, rows}),
            .rows = rows,
            .key_heads = key_heads,
            .value_heads = value_heads,
            .key_width = key_width,
            .value_width = value_width,
            .step_bias = tensors.at("dt_bias", {value_heads}),
            .log_decay = tensors.at("A_log", {value_heads}),
            .norm = tensors.rms_norm("norm", value_width, sizes.epsilon),
            .activation = sizes.activation};
}

/// Each head has a query and a gate, one behind the other; norms are offsets from 1.
Attention qwen_gated_attention(const Tensors& tensors, const LlamaSizes& sizes, bool has_bias) {
    auto both = tensors.linear("self_attn.q_proj", sizes.hidden, 2 * sizes.query_width(), has_bias);
    both.group = sizes.head_width;
    both.stride = 2 * sizes.head_width;
    const auto linear = [&](std::string_view name, std::int64_t width) {
        return tensors.linear(name, sizes.hidden, width, has_bias);
    };
    const auto norm = [&](std::string_view name) {
        auto made = tensors.rms_norm(name, sizes.head_width, sizes.epsilon);
        made.adds_one = true;
        return made;
    };
    return {.heads = sizes.heads,
            .key_value_heads = sizes.key_value_heads,
            .width = sizes.head_width,
            .scale = root_scale(sizes.head_width),
            .query = part_of(both, 0, sizes.query_width()),
            .key = linear("self_attn.k_proj", sizes.key_width()),
            .value = linear("self_attn.v_proj", sizes.key_width()),
            .output = tensors.linear("self_attn.o_proj", sizes.query_width(), sizes.hidden, has_bias),
            .query_norm = norm("self_attn.q_norm"),
            .key_norm = norm("self_attn.k_norm"),
            .causal = true,
            .gate = part_of(both, sizes.head_width, sizes.query_width())};
}

Description describe_qwen3_next(const Config& config, const WeightFiles& files) {
    const LlamaDefaults defaults{.hidden = 2048,
                                 .inner = 5632,
                                 .layers = 48,
                                 .heads = 16,
                                 .vocabulary = 151936,
                                 .longest = 32768,
                                 .key_value_heads = 2,
                                 .head_width = 256};
    const auto sizes = llama_sizes(config, defaults);
    auto rotary_defaults = llama_rotary(sizes, defaults);
    rotary_defaults.partial = true;
    rotary_defaults.partial_factor = 0.25;
    const auto rotary = read_rotary(config, rotary_defaults);
    const bool has_bias = config.flag("attention_bias", false), sums = config.flag("norm_topk_prob", true);
    std::vector<bool> has_attention;
    if (config.has("layer_types")) {
        has_attention = layers_with_attention(config, sizes.layers, "full_attention", "linear_attention");
        config.ignore("full_attention_interval", why_not_read::other_key);
    } else {
        const auto interval = config.size("full_attention_interval", 4);
        for (std::int64_t layer = 0; layer < sizes.layers; ++layer)
            has_attention.push_back((layer + 1) % interval == 0);
    }
    const auto step = config.size("decoder_sparse_step", 1);
    const auto dense = config.has("mlp_only_layers") ? config.numbers("mlp_only_layers") : std::vector<double>();
    const auto count = config.integer("num_experts").value_or(512);
    const auto inner = config.size("moe_intermediate_size", 512);
    const auto shared = config.size("shared_expert_intermediate_size", 512);
    const auto chosen = count > 0 ? hybrid_chosen(config, 10, count) : 0;
    const auto with_offset = [](Norm norm) {
        norm.adds_one = true;
        return norm;
    };
    auto description = llama_like(config, files, sizes, false, [&](const Tensors& tensors, std::int64_t layer) {
        const auto norm = [&](std::string_view name) {
            return with_offset(tensors.rms_norm(name, sizes.hidden, sizes.epsilon));
        };
        Block block{.self_norms = {.before = norm("input_layernorm")},
                    .feed_forward_norms = {.before = norm("post_attention_layernorm")}};
        if (has_attention[static_cast<std::size_t>(layer)]) {
            block.self = qwen_gated_attention(tensors, sizes, has_bias);
            block.self.rotary = rotary;
        } else {
            block.delta_rule = qwen_mixer(config, tensors.below("linear_attn."), sizes);
        }
        const auto below = tensors.below("mlp.");
        if (count > 0 && (layer + 1) % step == 0 &&
            std::ranges::find(dense, static_cast<double>(layer)) == dense.end()) {
            auto experts = hybrid_experts(below, "gate", sizes.hidden, inner, count, chosen, sums);
            experts.shared = expert_of(below.below("shared_expert."), sizes.hidden, shared);
            experts.shared_gate = below.linear("shared_expert_gate", sizes.hidden, 1, false);
            block.feed_forward = {.activation = sizes.activation, .routed_experts = std::move(experts)};
        } else {
            block.feed_forward = as_feed_forward(expert_of(below, sizes.hidden, sizes.inner), sizes.activation);
        }
        return block;
    });
    description.decoder->norm->adds_one = true;
    name_other_layers(config, has_attention, ATTNLAB_TEXT("they follow the gated delta rule, and are computed"),
                      description);
    return description;
}

constexpr KnownEntry settings_of_jamba[] = {
    {.names = "use_mamba_kernels use_mambapy use_associative_scan num_logits_to_keep calc_logits_for_entire_prompt",
     .why = ATTNLAB_TEXT("chooses the code, not its result")},
    {.names = "layers_block_type layer_types", .why = why_not_read::other_key}};
constexpr KnownEntry tensors_of_qwen3_next[] = {
    {.names = "mtp.*", .why = ATTNLAB_TEXT("guesses tokens behind the next one")}};

constexpr TensorName jamba_outside[] = {
    {"token_embd", "model.embed_tokens"}, {"output_norm", "model.final_layernorm"}, {"output", "lm_head"}};
constexpr TensorName jamba_inside[] = {
    {"attn_norm", "input_layernorm"},
    {"attn_q", "self_attn.q_proj"},
    {"attn_k", "self_attn.k_proj"},
    {"attn_v", "self_attn.v_proj"},
    {"attn_output", "self_attn.o_proj"},
    {"ssm_in", "mamba.in_proj"},
    {"ssm_conv1d", "mamba.conv1d"},
    {"ssm_x", "mamba.x_proj"},
    {"ssm_dt", "mamba.dt_proj"},
    {"ssm_dt_norm", "mamba.dt_layernorm"},
    {"ssm_b_norm", "mamba.b_layernorm"},
    {"ssm_c_norm", "mamba.c_layernorm"},
    {"ssm_a", "mamba.A_log"},
    {"ssm_d", "mamba.D"},
    {"ssm_out", "mamba.out_proj"},
    {"ffn_norm", "pre_ff_layernorm"},
    {"ffn_gate", "feed_forward.gate_proj"},
    {"ffn_up", "feed_forward.up_proj"},
    {"ffn_down", "feed_forward.down_proj"},
    {"ffn_gate_inp", "feed_forward.router"},
    {"ffn_gate_exps", "feed_forward.experts.*.gate_proj"},
    {"ffn_up_exps", "feed_forward.experts.*.up_proj"},
    {"ffn_down_exps", "feed_forward.experts.*.down_proj"},
};
constexpr TensorName lfm2_outside[] = {
    {"token_embd", "model.embed_tokens"}, {"token_embd_norm", "model.embedding_norm"}, {"output", "lm_head"}};
constexpr TensorName lfm2_inside[] = {
    {"attn_norm", "operator_norm"},
    {"attn_q", "self_attn.q_proj"},
    {"attn_k", "self_attn.k_proj"},
    {"attn_v", "self_attn.v_proj"},
    {"attn_output", "self_attn.out_proj"},
    {"attn_q_norm", "self_attn.q_layernorm"},
    {"attn_k_norm", "self_attn.k_layernorm"},
    {"shortconv.conv", "conv.conv"},
    {"shortconv.in_proj", "conv.in_proj"},
    {"shortconv.out_proj", "conv.out_proj"},
    {"ffn_norm", "ffn_norm"},
    {"ffn_gate", "feed_forward.w1"},
    {"ffn_up", "feed_forward.w3"},
    {"ffn_down", "feed_forward.w2"},
};

std::int64_t largest_of(const std::vector<std::int64_t>& counts) {
    return counts.empty() ? 0 : *std::ranges::max_element(counts);
}

/// The heads of keys of each layer: 0 where it has no attention. Throws Error if other layers differ.
std::vector<std::int64_t> key_heads_of_layers(const GgufKeys& keys) {
    constexpr auto key_heads = "attention.head_count_kv";
    std::vector<std::int64_t> heads(
        static_cast<std::size_t>(std::clamp<std::int64_t>(keys.integer("block_count"), 0, most_layers)));
    const auto* value = keys.metadata().find(keys.full(key_heads));
    if (const auto* each = value ? std::get_if<GgufIntegers>(&value->held) : nullptr)
        heads = *each;
    else
        std::ranges::fill(heads, keys.integer(key_heads));
    const auto most = largest_of(heads);
    for (const auto count : heads)
        if (count > 0 && count != most)
            throw Error(
                {ATTNLAB_TEXT("%1: '%2' has another number for each block, %3 and so on; blocks that differ are "
                              "not supported"),
                 {keys.metadata().file(), keys.full(key_heads), std::to_string(most) + ", " + std::to_string(count)}});
    return heads;
}

/// The first layer of those of which `has` is true, and how many layers follow from one to the next. Throws Error if
/// that differs.
template <class Has>
std::pair<std::int64_t, std::int64_t> first_and_period(const GgufKeys& keys, std::int64_t layers, const Has& has) {
    std::vector<std::int64_t> found;
    for (std::int64_t layer = 0; layer < layers; ++layer)
        if (has(layer))
            found.push_back(layer);
    const auto first = found.empty() ? layers : found.front();
    const auto period = found.size() > 1 ? found[1] - first : layers + 1;
    for (std::int64_t layer = 0; layer < layers; ++layer)
        if (has(layer) != (layer % period == first))
            throw Error({ATTNLAB_TEXT("%1: the kinds of layers do not repeat; layer %2 differs"),
                         {keys.metadata().file(), std::to_string(layer)}});
    return {first, period};
}

/// The layers with attention, and those with experts, have the same distance from one another.
Json jamba_gguf_config(const GgufKeys& keys, std::string_view type) {
    auto config = common_gguf_config(keys, type);
    const auto heads = key_heads_of_layers(keys);
    const auto layers = std::ssize(heads);
    const auto [first, period] =
        first_and_period(keys, layers, [&](auto layer) { return heads[static_cast<std::size_t>(layer)] > 0; });
    config["attn_layer_offset"] = first;
    config["attn_layer_period"] = period;
    const auto [first_expert, expert_period] = first_and_period(keys, layers, [&](auto layer) {
        return keys.has_tensor("blk." + std::to_string(layer) + ".ffn_gate_inp.weight");
    });
    config["expert_layer_offset"] = first_expert;
    config["expert_layer_period"] = expert_period;
    config["num_experts"] = std::max<std::int64_t>(1, keys.has("expert_count") ? keys.integer("expert_count") : 1);
    keys.copy_integer("expert_used_count", config, "num_experts_per_tok");
    if (const auto most = largest_of(heads); most > 0)
        config["num_key_value_heads"] = most;
    config["head_dim"] = keys.head_width();
    config["mamba_d_conv"] = keys.integer("ssm.conv_kernel");
    config["mamba_d_state"] = keys.integer("ssm.state_size");
    config["mamba_dt_rank"] = keys.integer("ssm.time_step_rank");
    config["mamba_expand"] =
        keys.integer("ssm.inner_size") / std::max<std::int64_t>(1, keys.integer("embedding_length"));
    config["rms_norm_eps"] = keys.number("attention.layer_norm_rms_epsilon");
    return config;
}

GgufArchitecture jamba_gguf() {
    auto architecture = llama_gguf("jamba", jamba_gguf_config, jamba_inside, jamba_outside);
    architecture.has_rotary = false;
    architecture.has_experts = true;
    return architecture;
}

/// A layer without heads of keys is a convolution.
Json lfm2_gguf_config(const GgufKeys& keys, std::string_view type) {
    auto config = common_gguf_config(keys, type);
    const auto heads = key_heads_of_layers(keys);
    config["layer_types"] = Json::array();
    for (const auto count : heads)
        config["layer_types"].push_back(count > 0 ? "full_attention" : "conv");
    if (const auto most = largest_of(heads); most > 0)
        config["num_key_value_heads"] = most;
    config["conv_L_cache"] = keys.integer("shortconv.l_cache");
    config["block_auto_adjust_ff_dim"] = false;
    config["norm_eps"] = keys.number("attention.layer_norm_rms_epsilon");
    config["head_dim"] = keys.head_width();
    add_gguf_rotary(keys, keys.head_width(), false, config);
    return config;
}

} // namespace

std::vector<Architecture> hybrids_architectures() {
    return {{.type = "jamba",
             .describe = describe_jamba,
             .gguf = jamba_gguf(),
             .settings = settings_of_jamba,
             .padding = 0},
            {.type = "qwen3_next",
             .describe = describe_qwen3_next,
             .settings = llama_settings,
             .tensors = tensors_of_qwen3_next},
            {.type = "lfm2",
             .describe = describe_lfm2,
             .gguf = llama_gguf("lfm2", lfm2_gguf_config, lfm2_inside, lfm2_outside),
             .settings = llama_settings}};
}

} // namespace attnlab::model
