// Mixtral, Qwen MoE, OLMoE, Granite MoE, Phi MoE and Llama 4: Llama with experts.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/llama_family.h"

#include <algorithm>

namespace attnlab::model {
namespace {

constexpr KnownEntry settings_of_qwen2_moe[] = {
    rotary_position_setting, {.names = "attention_bias", .why = why_not_read::built_in, .values = "true"}};
constexpr KnownEntry settings_of_experts[] = {
    rotary_position_setting, {.names = "router_jitter_noise input_jitter_noise", .why = why_not_read::built_in}};

constexpr KnownEntry settings_of_llama4[] = {
    rotary_position_setting,
    {.names = "layer_types for_llm_compressor", .why = why_not_read::other_key},
    {.names = "router_jitter_noise attn_scale floor_scale",
     .why = ATTNLAB_TEXT("has no effect on texts of this length")}};
constexpr KnownEntry settings_of_phimoe[] = {
    rotary_position_setting,
    {.names = "input_jitter_noise", .why = ATTNLAB_TEXT("counts in training alone")},
    {.names = "rope_parameters.* rope_scaling.* original_max_position_embeddings", .why = why_not_read::other_key}};

/// Names of the tensors of one expert.
struct ExpertNames {
    std::string router, each, gate, up, down;
};
const ExpertNames usual_names{"mlp.gate", "mlp.experts.", "gate_proj", "up_proj", "down_proj"};
const ExpertNames mixtral_names{"block_sparse_moe.gate", "block_sparse_moe.experts.", "w1", "w3", "w2"};

GatedExpert gated(const Tensors& tensors, const ExpertNames& names, std::int64_t hidden, std::int64_t inner) {
    return {.gate = tensors.linear(names.gate, hidden, inner, false),
            .up = tensors.linear(names.up, hidden, inner, false),
            .down = tensors.linear(names.down, inner, hidden, false)};
}

std::int64_t chosen_of(const Config& config, std::int64_t absent, std::int64_t count) {
    const auto chosen = config.size("num_experts_per_tok", absent);
    if (chosen > count)
        config.fail("num_experts_per_tok", {ATTNLAB_TEXT("at most the %1 experts"), {std::to_string(count)}});
    return chosen;
}

FeedForward experts_of(const Tensors& tensors, const ExpertNames& names, const LlamaSizes& sizes, std::int64_t inner,
                       std::int64_t count, std::int64_t chosen, bool sums_to_one) {
    FeedForward made{.activation = sizes.activation};
    made.routed_experts = {.router = tensors.linear(names.router, sizes.hidden, count, false),
                           .chosen = chosen,
                           .sums_to_one = sums_to_one};
    for (std::int64_t expert = 0; expert < count; ++expert)
        made.routed_experts->each.push_back(
            gated(tensors.below(names.each + std::to_string(expert) + "."), names, sizes.hidden, inner));
    return made;
}

Block block_of(const Tensors& tensors, const LlamaSizes& sizes, const Biases& biases, FeedForward feed_forward) {
    const auto norm = [&](std::string_view name) { return tensors.rms_norm(name, sizes.hidden, sizes.epsilon); };
    return {.self = llama_attention(tensors, sizes, biases),
            .self_norms = {.before = norm("input_layernorm")},
            .feed_forward = std::move(feed_forward),
            .feed_forward_norms = {.before = norm("post_attention_layernorm")}};
}

Description describe_mixtral(const Config& config, const WeightFiles& files) {
    const LlamaDefaults defaults{
        .inner = 14336, .longest = 131072, .key_value_heads = 8, .epsilon = 1e-5, .base = 1000000.0};
    const auto sizes = llama_sizes(config, defaults);
    const auto rotary = read_rotary(config, llama_rotary(sizes, defaults));
    const auto window = window_of(config, {});
    const auto count = config.size("num_local_experts", 8), chosen = chosen_of(config, 2, count);
    return llama_like(config, files, sizes, defaults.tied, [&](const Tensors& tensors, std::int64_t) {
        auto block =
            block_of(tensors, sizes, {}, experts_of(tensors, mixtral_names, sizes, sizes.inner, count, chosen, true));
        block.self.rotary = rotary;
        block.self.window = window;
        return block;
    });
}

/// True for a layer with experts: every `decoder_sparse_step`-th, except the layers in `mlp_only_layers`.
std::vector<bool> sparse_layers(const Config& config, std::int64_t layers) {
    const auto step = config.size("decoder_sparse_step", 1);
    std::vector<double> dense;
    if (config.has("mlp_only_layers"))
        dense = config.numbers("mlp_only_layers");
    std::vector<bool> sparse;
    for (std::int64_t layer = 0; layer < layers; ++layer)
        sparse.push_back((layer + 1) % step == 0 &&
                         std::ranges::find(dense, static_cast<double>(layer)) == dense.end());
    return sparse;
}

/// A window in use is refused: files of these kinds have none.
void refuse_window(const Config& config) {
    config.refuse("use_sliding_window");
    for (const auto* key : {"sliding_window", "max_window_layers"})
        config.ignore(key, ATTNLAB_TEXT("use_sliding_window is not true"));
}

Description describe_qwen2_moe(const Config& config, const WeightFiles& files) {
    const LlamaDefaults defaults{.hidden = 2048,
                                 .inner = 5632,
                                 .layers = 24,
                                 .heads = 16,
                                 .vocabulary = 151936,
                                 .longest = 32768,
                                 .key_value_heads = 16};
    refuse_window(config);
    const auto sizes = llama_sizes(config, defaults);
    const auto rotary = read_rotary(config, llama_rotary(sizes, defaults));
    const bool has_bias = config.flag("qkv_bias", true), sums = config.flag("norm_topk_prob", false);
    const auto inner = config.size("moe_intermediate_size", 1408);
    const auto shared = config.size("shared_expert_intermediate_size", 5632);
    const auto count = config.size("num_experts", 60), chosen = chosen_of(config, 4, count);
    const auto sparse = sparse_layers(config, sizes.layers);
    return llama_like(config, files, sizes, defaults.tied, [&](const Tensors& tensors, std::int64_t layer) {
        FeedForward made;
        if (sparse[static_cast<std::size_t>(layer)]) {
            made = experts_of(tensors, usual_names, sizes, inner, count, chosen, sums);
            made.routed_experts->shared = gated(tensors.below("mlp.shared_expert."), usual_names, sizes.hidden, shared);
            made.routed_experts->shared_gate = tensors.linear("mlp.shared_expert_gate", sizes.hidden, 1, false);
        } else {
            made = llama_feed_forward(tensors, sizes, false);
        }
        auto block = block_of(tensors, sizes, {.query_key_value = has_bias}, std::move(made));
        block.self.rotary = rotary;
        return block;
    });
}

Description describe_qwen3_moe(const Config& file, const WeightFiles& files) {
    const auto config = file.with_aliases({{"num_local_experts", "num_experts"}});
    const LlamaDefaults defaults{
        .hidden = 2048, .inner = 6144, .layers = 24, .vocabulary = 151936, .longest = 32768, .key_value_heads = 4};
    refuse_window(config);
    const auto sizes = llama_sizes(config, defaults);
    const auto rotary = read_rotary(config, llama_rotary(sizes, defaults));
    const bool has_bias = config.flag("attention_bias", false), sums = config.flag("norm_topk_prob", false);
    const auto inner = config.size("moe_intermediate_size", 768);
    const auto count = config.size("num_experts", 128), chosen = chosen_of(config, 8, count);
    const auto sparse = sparse_layers(config, sizes.layers);
    return llama_like(config, files, sizes, defaults.tied, [&](const Tensors& tensors, std::int64_t layer) {
        auto block = block_of(tensors, sizes, {has_bias, has_bias},
                              sparse[static_cast<std::size_t>(layer)]
                                  ? experts_of(tensors, usual_names, sizes, inner, count, chosen, sums)
                                  : llama_feed_forward(tensors, sizes, false));
        block.self.rotary = rotary;
        block.self.query_norm = tensors.rms_norm("self_attn.q_norm", sizes.head_width, sizes.epsilon);
        block.self.key_norm = tensors.rms_norm("self_attn.k_norm", sizes.head_width, sizes.epsilon);
        return block;
    });
}

Description describe_olmoe(const Config& config, const WeightFiles& files) {
    const LlamaDefaults defaults{.hidden = 2048,
                                 .inner = 2048,
                                 .layers = 16,
                                 .heads = 16,
                                 .vocabulary = 50304,
                                 .longest = 4096,
                                 .epsilon = 1e-5};
    const auto sizes = llama_sizes(config, defaults);
    const auto rotary = read_rotary(config, llama_rotary(sizes, defaults));
    const bool has_bias = config.flag("attention_bias", false), sums = config.flag("norm_topk_prob", false);
    const auto count = config.size("num_experts", 64), chosen = chosen_of(config, 8, count);
    if (config.has("clip_qkv"))
        config.fail("clip_qkv", ATTNLAB_TEXT("null: here the limit is not supported"));
    return llama_like(config, files, sizes, defaults.tied, [&](const Tensors& tensors, std::int64_t) {
        auto block = block_of(tensors, sizes, {has_bias, has_bias},
                              experts_of(tensors, usual_names, sizes, sizes.inner, count, chosen, sums));
        block.self.rotary = rotary;
        block.self.query_norm = tensors.rms_norm("self_attn.q_norm", sizes.query_width(), sizes.epsilon);
        block.self.key_norm = tensors.rms_norm("self_attn.k_norm", sizes.key_width(), sizes.epsilon);
        block.self.norm_spans_heads = true;
        return block;
    });
}

/// Two tensors hold all experts in order; in GGUF each has its own. The factors have the same settings as in Granite.
Description describe_granitemoe(const Config& config, const WeightFiles& files) {
    const LlamaDefaults defaults;
    const auto sizes = llama_sizes(config, defaults);
    const auto rotary = read_rotary(config, llama_rotary(sizes, defaults));
    const bool has_bias = config.flag("attention_bias", false);
    const auto count = config.size("num_local_experts", 8), chosen = chosen_of(config, 2, count);
    const auto factors = granite_factors(config);
    const auto experts_in_order = [&](const Tensors& below) {
        const Linear gate_up{.weight = below.at("input_linear.weight", {count, 2 * sizes.inner, sizes.hidden}),
                             .inputs = sizes.hidden,
                             .outputs = count * 2 * sizes.inner};
        const Linear down{.weight = below.at("output_linear.weight", {count, sizes.hidden, sizes.inner}),
                          .inputs = sizes.inner,
                          .outputs = count * sizes.hidden};
        FeedForward made{.activation = sizes.activation};
        made.routed_experts = {.router = below.linear("router.layer", sizes.hidden, count, false), .chosen = chosen};
        for (std::int64_t expert = 0; expert < count; ++expert)
            made.routed_experts->each.push_back({.gate = part_of(gate_up, 2 * expert * sizes.inner, sizes.inner),
                                                 .up = part_of(gate_up, (2 * expert + 1) * sizes.inner, sizes.inner),
                                                 .down = part_of(down, expert * sizes.hidden, sizes.hidden)});
        return made;
    };
    auto description = llama_like(config, files, sizes, defaults.tied, [&](const Tensors& tensors, std::int64_t) {
        const bool is_gguf = tensors.has(mixtral_names.router + ".weight");
        auto block = block_of(tensors, sizes, {has_bias, has_bias},
                              is_gguf ? experts_of(tensors, mixtral_names, sizes, sizes.inner, count, chosen, true)
                                      : experts_in_order(tensors.below("block_sparse_moe.")));
        block.self.rotary = rotary;
        factors.apply(block);
        return block;
    });
    factors.apply(description);
    return description;
}

/// Which layers turn queries and keys, and which have experts; Llama 4.
struct Llama4Layers {
    std::vector<bool> turn, have_experts;
};

Llama4Layers llama4_layers(const Config& config, std::int64_t layers) {
    Llama4Layers found;
    const auto interval = config.size("no_rope_layer_interval", 4), step = config.size("interleave_moe_layer_step", 1);
    const auto turn = config.has("no_rope_layers") ? config.numbers("no_rope_layers") : std::vector<double>();
    if (!turn.empty() && std::ssize(turn) < layers)
        config.fail("no_rope_layers", {ATTNLAB_TEXT("%1 entries"), {std::to_string(layers)}});
    const bool is_listed = config.has("moe_layers");
    const auto listed = is_listed ? config.numbers("moe_layers") : std::vector<double>();
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        found.turn.push_back(turn.empty() ? (layer + 1) % interval != 0 : turn[static_cast<std::size_t>(layer)] != 0.0);
        found.have_experts.push_back(is_listed ? std::ranges::find(listed, static_cast<double>(layer)) != listed.end()
                                               : (layer + 1) % step == 0);
    }
    return found;
}

/// The weight of an expert multiplies what it reads. Layers with rotary positions read the tokens of their own chunk,
/// the queries of others grow with the position: texts that are long enough for either are refused.
Description describe_llama4(const Config& config, const WeightFiles& files) {
    const LlamaDefaults defaults{.hidden = 5120,
                                 .inner = 8192,
                                 .layers = 48,
                                 .heads = 40,
                                 .vocabulary = 202048,
                                 .longest = 131072,
                                 .key_value_heads = 8,
                                 .head_width = 128,
                                 .epsilon = 1e-5,
                                 .base = 500000.0};
    const auto sizes = llama_sizes(config, defaults);
    auto rotary = read_rotary(config, llama_rotary(sizes, defaults));
    rotary.interleaved = true;
    const bool has_bias = config.flag("attention_bias", false), has_norms = config.flag("use_qk_norm", true);
    const auto dense = config.size("intermediate_size_mlp", 16384);
    const auto count = config.size("num_local_experts", 16), chosen = chosen_of(config, 1, count);
    const auto layers = llama4_layers(config, sizes.layers);
    auto description = llama_like(config, files, sizes, false, [&](const Tensors& tensors, std::int64_t layer) {
        const auto below = tensors.below("feed_forward.");
        FeedForward made{.activation = sizes.activation};
        if (layers.have_experts[static_cast<std::size_t>(layer)]) {
            const Linear both{.weight = below.at("experts.gate_up_proj", {count, sizes.hidden, 2 * sizes.inner}),
                              .inputs = sizes.hidden,
                              .outputs = 2 * sizes.inner,
                              .inputs_first = true};
            const Linear down{.weight = below.at("experts.down_proj", {count, sizes.inner, sizes.hidden}),
                              .inputs = sizes.inner,
                              .outputs = sizes.hidden,
                              .inputs_first = true};
            made.routed_experts = {.router = below.linear("router", sizes.hidden, count, false),
                                   .chosen = chosen,
                                   .sums_to_one = false,
                                   .by_sigmoid = true,
                                   .scales_input = true,
                                   .shared =
                                       gated(below.below("shared_expert."), usual_names, sizes.hidden, sizes.inner)};
            for (std::int64_t expert = 0; expert < count; ++expert) {
                GatedExpert one{
                    .gate = part_of(both, 0, sizes.inner), .up = part_of(both, sizes.inner, sizes.inner), .down = down};
                one.gate->matrix = one.up.matrix = one.down.matrix = expert;
                made.routed_experts->each.push_back(one);
            }
        } else {
            const auto one = gated(below, usual_names, sizes.hidden, dense);
            made.gate = one.gate;
            made.up = one.up;
            made.down = one.down;
        }
        auto block = block_of(tensors, sizes, {has_bias, has_bias}, std::move(made));
        if (layers.turn[static_cast<std::size_t>(layer)]) {
            block.self.rotary = rotary;
            if (has_norms) // turning keeps lengths, so that the norm may come first
                block.self.query_norm = block.self.key_norm = Norm{.kind = Norm::Kind::Rms, .epsilon = sizes.epsilon};
        }
        return block;
    });
    const auto chunk =
        config.integer("attention_chunk_size").value_or(config.mentions("attention_chunk_size") ? 0 : 8192);
    const auto floor = config.size("floor_scale", 8192);
    config.number("attn_scale", 0.1);
    const bool turns_all = std::ranges::find(layers.turn, false) == layers.turn.end();
    if (chunk > 0)
        description.longest = chunk;
    if (config.flag("attn_temperature_tuning", true) && !turns_all)
        description.longest = std::max<std::int64_t>(1, chunk > 0 ? std::min(chunk, floor - 1) : floor - 1);
    return description;
}

/// LongRoPE of this kind: its short factors for all texts that it allows, and a magnitude of its own.
void read_phi_magnitude(const Config& config, Rotary& rotary, Description& description) {
    for (const auto* key : {"rope_parameters", "rope_scaling"}) {
        const auto rope = config.object(key);
        if (!rope || rope->text("rope_type", rope->text("type", "default")) == "default")
            continue;
        const auto magnitude = rope->number("short_mscale");
        if (!magnitude || !rope->has("long_mscale"))
            rope->fail("short_mscale", ATTNLAB_TEXT("a number, as long_mscale"));
        const auto longest = rope->integer("original_max_position_embeddings")
                                 .value_or(config.integer("original_max_position_embeddings").value_or(0));
        if (longest < 1 || longest > largest_size)
            rope->fail("original_max_position_embeddings", {ATTNLAB_TEXT("%1 or more"), {"1"}});
        rope->number("long_mscale");
        rotary.factor = *magnitude;
        rotary.long_from = 0;
        rotary.long_frequencies.clear();
        description.longest = longest;
    }
}

Description describe_phimoe(const Config& config, const WeightFiles& files) {
    const LlamaDefaults defaults{.inner = 6400,
                                 .vocabulary = 32064,
                                 .longest = 131072,
                                 .key_value_heads = 8,
                                 .epsilon = 1e-5,
                                 .base = 1000000.0};
    const auto sizes = llama_sizes(config, defaults);
    auto rotary = read_rotary(config, llama_rotary(sizes, defaults));
    Description limits;
    read_phi_magnitude(config, rotary, limits);
    const bool has_bias = config.flag("attention_bias", false);
    const auto window = window_of(config, {});
    const auto count = config.size("num_local_experts", 16);
    if (count < 2 || config.size("num_experts_per_tok", 2) != 2)
        config.fail("num_experts_per_tok", ATTNLAB_TEXT("2, of 2 experts or more"));
    const CloseExperts close{.tolerance = 2.0 * config.number("router_jitter_noise", 0.01)};
    auto description =
        decoder_like(config, files, sizes, {.is_layer_norm = true, .head_has_bias = config.flag("lm_head_bias", false)},
                     [&](const Tensors& tensors, std::int64_t) {
                         const auto norm = [&](std::string_view name) {
                             return tensors.layer_norm(name, sizes.hidden, sizes.epsilon);
                         };
                         auto block = block_of(tensors, sizes, {has_bias, has_bias},
                                               experts_of(tensors, mixtral_names, sizes, sizes.inner, count, 2, true));
                         block.feed_forward.routed_experts->close = close;
                         block.self_norms.before = norm("input_layernorm");
                         block.feed_forward_norms.before = norm("post_attention_layernorm");
                         block.self.rotary = rotary;
                         block.self.window = window;
                         return block;
                     });
    description.longest = limits.longest;
    return description;
}

/// The file does not say it: llama.cpp normalizes the weights of the chosen experts for Qwen 3, but not for Qwen 2 and
/// OLMoE.
Json qwen3_moe_gguf_config(const GgufKeys& keys, std::string_view type) {
    auto config = experts_gguf_config(keys, type);
    config["norm_topk_prob"] = true;
    return config;
}

Json qwen2_moe_gguf_config(const GgufKeys& keys, std::string_view type) {
    auto config = experts_gguf_config(keys, type);
    keys.copy_integer("expert_shared_feed_forward_length", config, "shared_expert_intermediate_size");
    return config;
}

constexpr TensorName granitemoe_inside[] = {{"attn_norm", "input_layernorm"},
                                            {"attn_q", "self_attn.q_proj"},
                                            {"attn_k", "self_attn.k_proj"},
                                            {"attn_v", "self_attn.v_proj"},
                                            {"attn_output", "self_attn.o_proj"},
                                            {"ffn_norm", "post_attention_layernorm"},
                                            {"ffn_gate_inp", "block_sparse_moe.gate"},
                                            {"ffn_gate_exps", "block_sparse_moe.experts.*.w1"},
                                            {"ffn_up_exps", "block_sparse_moe.experts.*.w3"},
                                            {"ffn_down_exps", "block_sparse_moe.experts.*.w2"}};

Json granitemoe_gguf_config(const GgufKeys& keys, std::string_view type) {
    auto config = granite_gguf_config(keys, type);
    config["num_local_experts"] = keys.integer("expert_count");
    config["num_experts_per_tok"] = keys.integer("expert_used_count");
    return config;
}

GgufArchitecture granitemoe_gguf() {
    auto architecture = interleaved(llama_gguf("granitemoe", granitemoe_gguf_config, granitemoe_inside));
    architecture.has_experts = true;
    return architecture;
}

GgufArchitecture experts_gguf(std::string_view name, Json (*config)(const GgufKeys&, std::string_view)) {
    auto architecture = llama_gguf(name, config);
    architecture.has_experts = true;
    return architecture;
}

} // namespace

std::vector<Architecture> mixtral_architectures() {
    return {{.type = "granitemoe",
             .describe = describe_granitemoe,
             .gguf = granitemoe_gguf(),
             .settings = settings_of_experts},
            {.type = "llama4_text", .describe = describe_llama4, .settings = settings_of_llama4},
            {.type = "mixtral", .describe = describe_mixtral, .settings = settings_of_experts},
            {.type = "olmoe",
             .describe = describe_olmoe,
             .gguf = with_own_head(experts_gguf("olmoe", experts_gguf_config)),
             .settings = settings_of_experts},
            {.type = "phimoe", .describe = describe_phimoe, .settings = settings_of_phimoe},
            {.type = "qwen2_moe",
             .describe = describe_qwen2_moe,
             .gguf = with_own_head(experts_gguf("qwen2moe", qwen2_moe_gguf_config)),
             .settings = settings_of_qwen2_moe},
            {.type = "qwen3_moe",
             .describe = describe_qwen3_moe,
             .gguf = experts_gguf("qwen3moe", qwen3_moe_gguf_config),
             .settings = settings_of_experts}};
}

} // namespace attnlab::model
