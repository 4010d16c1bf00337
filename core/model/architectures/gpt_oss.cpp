// gpt-oss: Llama with experts, sinks and windows in every other layer.
#include "core/io/json.h"
#include "core/model/architectures.h"
#include "core/model/architectures/shared/llama_family.h"

namespace attnlab::model {
namespace {

/// The rotary positions of a configuration that says nothing of them.
constexpr std::string_view gpt_oss_positions = R"({"rope_type": "yarn", "factor": 32.0, "beta_fast": 32.0,
    "beta_slow": 1.0, "truncate": false, "original_max_position_embeddings": 4096})";

Description describe_gpt_oss(const Config& config, const WeightFiles& files) {
    const LlamaDefaults defaults{.hidden = 2880,
                                 .inner = 2880,
                                 .layers = 36,
                                 .heads = 64,
                                 .vocabulary = 201088,
                                 .longest = 131072,
                                 .key_value_heads = 8,
                                 .head_width = 64,
                                 .epsilon = 1e-5,
                                 .base = 150000.0};
    const auto sizes = llama_sizes(config, defaults);
    const auto absent = io::parse_json(gpt_oss_positions, "gpt_oss");
    const bool has_own = config.object("rope_parameters") || config.object("rope_scaling");
    const auto rotary = has_own ? read_rotary(config, llama_rotary(sizes, defaults))
                                : read_rotary(config, Config(absent.root()), llama_rotary(sizes, defaults));
    const auto types = layer_types(config, sizes.layers, [](auto layer) { return layer % 2 == 0; });
    const auto window = window_of(config, 128);
    const auto count = config.size(config.has("num_experts") ? "num_experts" : "num_local_experts", 128);
    const auto chosen = config.size(config.has("experts_per_token") ? "experts_per_token" : "num_experts_per_tok", 4);
    if (chosen > count)
        config.fail("num_experts_per_tok", {ATTNLAB_TEXT("at most the %1 experts"), {std::to_string(count)}});
    const bool has_bias = config.flag("attention_bias", true);
    return llama_like(config, files, sizes, defaults.tied, [&](const Tensors& tensors, std::int64_t layer) {
        const auto norm = [&](std::string_view name) { return tensors.rms_norm(name, sizes.hidden, sizes.epsilon); };
        const auto expert = [&](const std::string& name, std::int64_t inputs, std::int64_t outputs) {
            return Linear{.weight = tensors.at(name, {count, inputs, outputs}),
                          .bias = tensors.at(name + "_bias", {count, outputs}),
                          .inputs = inputs,
                          .outputs = outputs,
                          .inputs_first = true};
        };
        const auto expert_of_gguf = [&](const std::string& name, std::int64_t inputs, std::int64_t outputs) {
            return Linear{.weight = tensors.at(name + ".weight", {count, outputs, inputs}),
                          .bias = tensors.at(name + ".bias", {count, outputs}),
                          .inputs = inputs,
                          .outputs = outputs};
        };
        Block block{.self = llama_attention(tensors, sizes, {has_bias, has_bias}),
                    .self_norms = {.before = norm("input_layernorm")},
                    .feed_forward_norms = {.before = norm("post_attention_layernorm")}};
        block.self.rotary = rotary;
        const bool is_gguf = tensors.has("mlp.experts.gate_proj.weight");
        block.self.sinks = tensors.at(is_gguf ? "self_attn.sinks.weight" : "self_attn.sinks", {sizes.heads});
        block.self.window = types[static_cast<std::size_t>(layer)] == LayerType::Sliding ? window : 0;
        block.feed_forward.experts = {.router = tensors.linear("mlp.router", sizes.hidden, count, true),
                                      .count = count,
                                      .chosen = chosen,
                                      .alpha = config.number("swiglu_alpha", 1.702),
                                      .limit = config.number("swiglu_limit", 7.0)};
        auto& experts = *block.feed_forward.experts;
        if (is_gguf) {
            experts.gate_up = expert_of_gguf("mlp.experts.gate_proj", sizes.hidden, sizes.inner);
            experts.up = expert_of_gguf("mlp.experts.up_proj", sizes.hidden, sizes.inner);
            experts.down = expert_of_gguf("mlp.experts.down_proj", sizes.inner, sizes.hidden);
        } else {
            experts.gate_up = expert("mlp.experts.gate_up_proj", sizes.hidden, 2 * sizes.inner);
            experts.down = expert("mlp.experts.down_proj", sizes.inner, sizes.hidden);
        }
        return block;
    });
}

/// llama.cpp parts the gates of experts from what they multiply.
constexpr TensorName gpt_oss_inside[] = {{"attn_norm", "input_layernorm"},
                                         {"attn_q", "self_attn.q_proj"},
                                         {"attn_k", "self_attn.k_proj"},
                                         {"attn_v", "self_attn.v_proj"},
                                         {"attn_output", "self_attn.o_proj"},
                                         {"attn_sinks", "self_attn.sinks"},
                                         {"post_attention_norm", "post_attention_layernorm"},
                                         {"ffn_gate_inp", "mlp.router"},
                                         {"ffn_gate_exps", "mlp.experts.gate_proj"},
                                         {"ffn_up_exps", "mlp.experts.up_proj"},
                                         {"ffn_down_exps", "mlp.experts.down_proj"}};

Json gpt_oss_gguf_config(const GgufKeys& keys, std::string_view type) {
    if (keys.has("rope.scaling.factor")) // which llama.cpp applies to layers with a window even if the type is none
        keys.require_one_of("rope.scaling.type", "linear, yarn");
    auto config = experts_gguf_config(keys, type);
    keys.copy_integer("expert_feed_forward_length", config, "intermediate_size");
    keys.copy_integer("attention.sliding_window", config, "sliding_window");
    add_gguf_layer_types(keys, 2, config);
    if (!config.contains("rope_scaling") || config["rope_scaling"]["rope_type"] != "yarn")
        config["rope_parameters"] = {{"rope_type", "default"}, {"rope_theta", config["rope_theta"]}};
    return config;
}

GgufArchitecture gpt_oss_gguf() {
    auto architecture = llama_gguf("gpt-oss", gpt_oss_gguf_config, gpt_oss_inside);
    architecture.has_experts = architecture.needs_head = true;
    return architecture;
}

} // namespace

std::vector<Architecture> gpt_oss_architectures() {
    return {{.type = "gpt_oss", .describe = describe_gpt_oss, .gguf = gpt_oss_gguf(), .settings = llama_settings}};
}

} // namespace attnlab::model
