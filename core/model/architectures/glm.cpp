// GLM and GLM 4: Llama with a fused feed-forward and rotary positions that turn neighbours in half of a head.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/llama_family.h"

namespace attnlab::model {
namespace {

/// `has_outer_norms`: of what each sublayer adds, too.
Description glm_like(const Config& config, const WeightFiles& files, bool has_outer_norms) {
    const LlamaDefaults defaults{.inner = 13696,
                                 .layers = 40,
                                 .vocabulary = 151552,
                                 .longest = 131072,
                                 .key_value_heads = 2,
                                 .head_width = 128,
                                 .epsilon = 1.5625e-7};
    const auto sizes = llama_sizes(config, defaults);
    auto rotary_defaults = llama_rotary(sizes, defaults);
    rotary_defaults.partial = true;
    rotary_defaults.partial_factor = 0.5;
    auto rotary = read_rotary(config, rotary_defaults);
    rotary.interleaved = true;
    const bool has_bias = config.flag("attention_bias", true);
    return llama_like(config, files, sizes, defaults.tied, [&](const Tensors& tensors, std::int64_t) {
        const auto norm = [&](std::string_view name) { return tensors.rms_norm(name, sizes.hidden, sizes.epsilon); };
        const auto gate_up = tensors.linear("mlp.gate_up_proj", sizes.hidden, 2 * sizes.inner, false);
        Block block{.self = llama_attention(tensors, sizes, {.query_key_value = has_bias}),
                    .self_norms = {.before = norm("input_layernorm")},
                    .feed_forward = {.activation = sizes.activation,
                                     .gate = part_of(gate_up, 0, sizes.inner),
                                     .up = part_of(gate_up, sizes.inner, sizes.inner),
                                     .down = tensors.linear("mlp.down_proj", sizes.inner, sizes.hidden, false)},
                    .feed_forward_norms = {.before = norm("post_attention_layernorm")}};
        if (has_outer_norms) {
            block.self_norms.after = norm("post_self_attn_layernorm");
            block.feed_forward_norms.after = norm("post_mlp_layernorm");
        }
        block.self.rotary = rotary;
        return block;
    });
}

Description describe_glm(const Config& config, const WeightFiles& files) { return glm_like(config, files, false); }
Description describe_glm4(const Config& config, const WeightFiles& files) { return glm_like(config, files, true); }

constexpr TensorName glm4_inside[] = {{"attn_norm", "input_layernorm"},
                                      {"attn_q", "self_attn.q_proj"},
                                      {"attn_k", "self_attn.k_proj"},
                                      {"attn_v", "self_attn.v_proj"},
                                      {"attn_output", "self_attn.o_proj"},
                                      {"post_attention_norm", "post_self_attn_layernorm"},
                                      {"ffn_norm", "post_attention_layernorm"},
                                      {"ffn_up", "mlp.gate_up_proj"},
                                      {"ffn_down", "mlp.down_proj"},
                                      {"post_ffw_norm", "post_mlp_layernorm"}};

constexpr TensorName glm_inside[] = {{"attn_norm", "input_layernorm"},    {"attn_q", "self_attn.q_proj"},
                                     {"attn_k", "self_attn.k_proj"},      {"attn_v", "self_attn.v_proj"},
                                     {"attn_output", "self_attn.o_proj"}, {"ffn_norm", "post_attention_layernorm"},
                                     {"ffn_up", "mlp.gate_up_proj"},      {"ffn_down", "mlp.down_proj"}};

Json glm_gguf_config(const GgufKeys& keys, std::string_view type) { return llama_gguf_config(keys, type, true); }

} // namespace

std::vector<Architecture> glm_architectures() {
    return {{.type = "glm",
             .describe = describe_glm,
             .gguf = interleaved(llama_gguf("chatglm", glm_gguf_config, glm_inside)),
             .settings = llama_settings,
             .padding = 151329},
            {.type = "glm4",
             .describe = describe_glm4,
             .gguf = interleaved(llama_gguf("glm4", glm_gguf_config, glm4_inside)),
             .settings = llama_settings,
             .padding = 151329}};
}

} // namespace attnlab::model
