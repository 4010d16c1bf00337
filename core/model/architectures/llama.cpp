// Llama: RMS norms, rotary positions, grouped queries, a gated feed-forward.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/llama_family.h"

namespace attnlab::model {
namespace {

Description describe_llama(const Config& config, const WeightFiles& files) {
    const LlamaDefaults defaults;
    const auto sizes = llama_sizes(config, defaults);
    const bool has_bias = config.flag("attention_bias", false);
    const Biases biases{has_bias, has_bias, config.flag("mlp_bias", false)};
    const auto rotary = read_rotary(config, llama_rotary(sizes, defaults));
    return llama_like(config, files, sizes, defaults.tied, [&](const Tensors& tensors, std::int64_t) {
        auto block = llama_block(tensors, sizes, biases);
        block.self.rotary = rotary;
        return block;
    });
}

/// llama.cpp has Mixtral under the same name.
constexpr TensorName llama_gguf_inside[] = {{"attn_norm", "input_layernorm"},
                                            {"attn_q", "self_attn.q_proj"},
                                            {"attn_k", "self_attn.k_proj"},
                                            {"attn_v", "self_attn.v_proj"},
                                            {"attn_output", "self_attn.o_proj"},
                                            {"ffn_norm", "post_attention_layernorm"},
                                            {"ffn_gate", "mlp.gate_proj"},
                                            {"ffn_up", "mlp.up_proj"},
                                            {"ffn_down", "mlp.down_proj"},
                                            {"ffn_gate_inp", "block_sparse_moe.gate"},
                                            {"ffn_gate_exps", "block_sparse_moe.experts.*.w1"},
                                            {"ffn_up_exps", "block_sparse_moe.experts.*.w3"},
                                            {"ffn_down_exps", "block_sparse_moe.experts.*.w2"}};

Json llama_or_mixtral_config(const GgufKeys& keys, std::string_view type) {
    auto config = llama_gguf_config(keys, keys.has_experts() ? "mixtral" : type);
    if (keys.has_experts()) {
        config["num_local_experts"] = keys.integer("expert_count");
        config["num_experts_per_tok"] = keys.integer("expert_used_count");
    }
    return config;
}

} // namespace

std::vector<Architecture> llama_architectures() {
    return {{.type = "llama",
             .describe = describe_llama,
             .gguf = {.name = "llama",
                      .outside = llama_outside,
                      .inside = llama_gguf_inside,
                      .block = llama_blocks,
                      .config = llama_or_mixtral_config,
                      .has_experts = true,
                      .interleaved = true},
             .settings = llama_settings}};
}

} // namespace attnlab::model
