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
        Block block{.self = llama_attention(tensors, sizes, {has_bias, has_bias}),
                    .self_norms = {.before = norm("input_layernorm")},
                    .feed_forward_norms = {.before = norm("post_attention_layernorm")}};
        block.self.rotary = rotary;
        block.self.sinks = tensors.at("self_attn.sinks", {sizes.heads});
        block.self.window = types[static_cast<std::size_t>(layer)] == LayerType::Sliding ? window : 0;
        block.feed_forward.experts = {.router = tensors.linear("mlp.router", sizes.hidden, count, true),
                                      .count = count,
                                      .chosen = chosen,
                                      .gate_up = expert("mlp.experts.gate_up_proj", sizes.hidden, 2 * sizes.inner),
                                      .down = expert("mlp.experts.down_proj", sizes.inner, sizes.hidden),
                                      .alpha = config.number("swiglu_alpha", 1.702),
                                      .limit = config.number("swiglu_limit", 7.0)};
        return block;
    });
}

} // namespace

std::vector<Architecture> gpt_oss_architectures() {
    return {{.type = "gpt_oss", .describe = describe_gpt_oss, .settings = llama_settings}};
}

} // namespace attnlab::model
