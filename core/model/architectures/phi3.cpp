// Phi-3: Llama with fused projections and rotary positions that may cover a part of a head.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/llama_family.h"

namespace attnlab::model {
namespace {

constexpr TensorName phi3_inside[] = {
    {"attn_norm", "input_layernorm"},         {"attn_qkv", "self_attn.qkv_proj"}, {"attn_output", "self_attn.o_proj"},
    {"ffn_norm", "post_attention_layernorm"}, {"ffn_up", "mlp.gate_up_proj"},     {"ffn_down", "mlp.down_proj"},
};
constexpr KnownEntry settings_of_phi3[] = {
    rotary_position_setting,
    {.names = ".attention.sliding_window*",
     .why = ATTNLAB_TEXT("llama.cpp computes models of this kind without windows, and so does AttnLab"),
     .is_said = true},
    {.names = "full_attn_mod interpolate_factor", .why = why_not_read::built_in, .values = "1"}};

Description describe_phi3(const Config& config, const WeightFiles& files) {
    const LlamaDefaults defaults{.hidden = 3072, .inner = 8192, .vocabulary = 32064, .longest = 4096, .epsilon = 1e-5};
    const auto sizes = llama_sizes(config, defaults);
    auto rotary_defaults = llama_rotary(sizes, defaults);
    rotary_defaults.partial = true;
    rotary_defaults.other_names = true;
    rotary_defaults.original_length = 4096;
    const auto rotary = read_rotary(config, rotary_defaults);
    const auto window = window_of(config, {});
    return llama_like(config, files, sizes, defaults.tied, [&](const Tensors& tensors, std::int64_t) {
        const auto norm = [&](std::string_view name) { return tensors.rms_norm(name, sizes.hidden, sizes.epsilon); };
        const auto query = sizes.query_width(), key = sizes.key_width();
        const auto fused = tensors.linear("self_attn.qkv_proj", sizes.hidden, query + 2 * key, false);
        const auto gate_up = tensors.linear("mlp.gate_up_proj", sizes.hidden, 2 * sizes.inner, false);
        return Block{.self = {.heads = sizes.heads,
                              .key_value_heads = sizes.key_value_heads,
                              .width = sizes.head_width,
                              .scale = root_scale(sizes.head_width),
                              .query = part_of(fused, 0, query),
                              .key = part_of(fused, query, key),
                              .value = part_of(fused, query + key, key),
                              .output = tensors.linear("self_attn.o_proj", query, sizes.hidden, false),
                              .rotary = rotary,
                              .causal = true,
                              .window = window},
                     .self_norms = {.before = norm("input_layernorm")},
                     .feed_forward = {.activation = sizes.activation,
                                      .gate = part_of(gate_up, 0, sizes.inner),
                                      .up = part_of(gate_up, sizes.inner, sizes.inner),
                                      .down = tensors.linear("mlp.down_proj", sizes.inner, sizes.hidden, false)},
                     .feed_forward_norms = {.before = norm("post_attention_layernorm")}};
    });
}

Json phi3_gguf_config(const GgufKeys& keys, std::string_view type) {
    if (!keys.has_tensor("rope_factors_long.weight")) // with these tensors no type is needed, and YaRN is longrope
        keys.require_one_of("rope.scaling.type", "none, linear, longrope");
    return llama_gguf_config(keys, type, true);
}

} // namespace

std::vector<Architecture> phi3_architectures() {
    return {{.type = "phi3",
             .describe = describe_phi3,
             .gguf = {.name = "phi3",
                      .outside = llama_outside,
                      .inside = phi3_inside,
                      .block = llama_blocks,
                      .config = phi3_gguf_config},
             .settings = settings_of_phi3,
             .padding = 32000}};
}

} // namespace attnlab::model
