#include "core/model/gguf/gguf_architectures.h"

#include <algorithm>

namespace attnlab::model {
namespace {

constexpr TensorName llama_outside[] = {
    {"token_embd", "model.embed_tokens"}, {"output_norm", "model.norm"}, {"output", "lm_head"}};
constexpr TensorName llama_inside[] = {
    {"attn_norm", "input_layernorm"},    {"attn_q", "self_attn.q_proj"},
    {"attn_k", "self_attn.k_proj"},      {"attn_v", "self_attn.v_proj"},
    {"attn_output", "self_attn.o_proj"}, {"attn_q_norm", "self_attn.q_norm"},
    {"attn_k_norm", "self_attn.k_norm"}, {"ffn_norm", "post_attention_layernorm"},
    {"ffn_gate", "mlp.gate_proj"},       {"ffn_up", "mlp.up_proj"},
    {"ffn_down", "mlp.down_proj"},
};
/// Norms on both sides of each sublayer (Gemma), or after it (OLMo 2).
constexpr TensorName gemma_inside[] = {
    {"attn_norm", "input_layernorm"},
    {"attn_q", "self_attn.q_proj"},
    {"attn_k", "self_attn.k_proj"},
    {"attn_v", "self_attn.v_proj"},
    {"attn_output", "self_attn.o_proj"},
    {"attn_q_norm", "self_attn.q_norm"},
    {"attn_k_norm", "self_attn.k_norm"},
    {"post_attention_norm", "post_attention_layernorm"},
    {"ffn_norm", "pre_feedforward_layernorm"},
    {"post_ffw_norm", "post_feedforward_layernorm"},
    {"ffn_gate", "mlp.gate_proj"},
    {"ffn_up", "mlp.up_proj"},
    {"ffn_down", "mlp.down_proj"},
};
constexpr TensorName phi3_inside[] = {
    {"attn_norm", "input_layernorm"},         {"attn_qkv", "self_attn.qkv_proj"}, {"attn_output", "self_attn.o_proj"},
    {"ffn_norm", "post_attention_layernorm"}, {"ffn_up", "mlp.gate_up_proj"},     {"ffn_down", "mlp.down_proj"},
};
constexpr TensorName gpt2_outside[] = {{"token_embd", "transformer.wte"},
                                       {"position_embd", "transformer.wpe"},
                                       {"output_norm", "transformer.ln_f"},
                                       {"output", "lm_head"}};
constexpr TensorName gpt2_inside[] = {
    {"attn_norm", "ln_1"}, {"attn_qkv", "attn.c_attn"}, {"attn_output", "attn.c_proj"},
    {"ffn_norm", "ln_2"},  {"ffn_up", "mlp.c_fc"},      {"ffn_down", "mlp.c_proj"},
};
constexpr TensorName gpt_neox_outside[] = {
    {"token_embd", "gpt_neox.embed_in"}, {"output_norm", "gpt_neox.final_layer_norm"}, {"output", "embed_out"}};
constexpr TensorName gpt_neox_inside[] = {
    {"attn_norm", "input_layernorm"},   {"attn_qkv", "attention.query_key_value"},
    {"attn_output", "attention.dense"}, {"ffn_norm", "post_attention_layernorm"},
    {"ffn_up", "mlp.dense_h_to_4h"},    {"ffn_down", "mlp.dense_4h_to_h"},
};
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

constexpr std::string_view llama_block = "model.layers.";
constexpr GgufArchitecture known[] = {
    {"bert", "bert", bert_outside, bert_inside, "encoder.layer."},
    {"gemma2", "gemma2", llama_outside, gemma_inside, llama_block, false, true},
    {"gemma3", "gemma3_text", llama_outside, gemma_inside, llama_block, false, true},
    {"gpt2", "gpt2", gpt2_outside, gpt2_inside, "transformer.h."},
    {"gptneox", "gpt_neox", gpt_neox_outside, gpt_neox_inside, "gpt_neox.layers."},
    {"llama", "llama", llama_outside, llama_inside, llama_block, true},
    {"olmo2", "olmo2", llama_outside, gemma_inside, llama_block},
    {"phi3", "phi3", llama_outside, phi3_inside, llama_block},
    {"qwen2", "qwen2", llama_outside, llama_inside, llama_block},
    {"qwen3", "qwen3", llama_outside, llama_inside, llama_block},
};

std::string known_names() {
    std::string names;
    for (const auto& architecture : known)
        names += (names.empty() ? "" : ", ") + std::string(architecture.name);
    return names;
}

std::string_view renamed(std::span<const TensorName> names, std::string_view stem) {
    const auto found = std::find_if(names.begin(), names.end(), [&](const auto& name) { return name.first == stem; });
    return found == names.end() ? std::string_view() : found->second;
}

std::string_view original(std::span<const TensorName> names, std::string_view stem) {
    const auto found = std::find_if(names.begin(), names.end(), [&](const auto& name) { return name.second == stem; });
    return found == names.end() ? std::string_view() : found->first;
}

/// A name without ".weight", between two spellings. `block` precedes the number of a block.
template <class Rename>
std::string with_other_stem(const GgufArchitecture& architecture, std::string_view name, std::string_view block,
                            std::string_view other_block, const Rename& rename) {
    const auto ending = name.rfind('.');
    if (ending == name.npos)
        return {};
    const auto stem = name.substr(0, ending), suffix = name.substr(ending);
    if (!stem.starts_with(block)) {
        const auto found = rename(architecture.outside, stem);
        return found.empty() ? std::string() : std::string(found) + std::string(suffix);
    }
    const auto dot = stem.find('.', block.size());
    const auto found = dot == stem.npos ? std::string_view() : rename(architecture.inside, stem.substr(dot + 1));
    if (found.empty())
        return {};
    return std::string(other_block) + std::string(stem.substr(block.size(), dot + 1 - block.size())) +
           std::string(found) + std::string(suffix);
}

constexpr std::string_view gguf_block = "blk.";

} // namespace

const GgufArchitecture& gguf_architecture(const GgufMetadata& metadata) {
    const auto& name = metadata.text("general.architecture");
    const auto* found = std::find_if(std::begin(known), std::end(known), [&](const auto& a) { return a.name == name; });
    if (found == std::end(known))
        throw UnknownName(
            {ATTNLAB_TEXT("%1: 'general.architecture' is '%2'; known are %3"), {metadata.file(), name, known_names()}});
    return *found;
}

std::string transformers_name(const GgufArchitecture& architecture, std::string_view name) {
    return with_other_stem(architecture, name, gguf_block, architecture.block, renamed);
}

std::string gguf_name(const GgufArchitecture& architecture, std::string_view name) {
    const auto other = with_other_stem(architecture, name, architecture.block, gguf_block, original);
    return other.empty() ? std::string(name) : other;
}

} // namespace attnlab::model
