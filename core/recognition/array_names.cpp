#include "core/recognition/array_names.h"

#include "core/mechanisms.h"
#include "core/stages/decay.h"
#include "core/stages/mask.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "core/stages/view.h"
#include "core/utf8.h"

#include <algorithm>
#include <map>
#include <set>

namespace attnlab {
namespace {

using enum NameForm;

// In lower case. The longest matching ending counts.
constexpr KnownName known_endings[] = {
    {"q", "query", Alias},
    {"queries", "query", Alias},
    {"query_states", "query", Alias},
    {"query_layer", "query", Alias},
    {"xq", "query", Alias},
    {"k", "key", Alias},
    {"keys", "key", Alias},
    {"key_states", "key", Alias},
    {"key_layer", "key", Alias},
    {"xk", "key", Alias},
    {"v", "value", Alias},
    {"values", "value", Alias},
    {"value_states", "value", Alias},
    {"value_layer", "value", Alias},
    {"xv", "value", Alias},
    {"qkv", "qkv", FusedTokens},
    {"hidden_states", "x", Alias},
    {"inputs_embeds", "x", Alias},
    {"encoder_hidden_states", "context", Alias},
    {"attn_weights", "weights", Alias},
    {"attention_weights", "weights", Alias},
    {"attn_probs", "weights", Alias},
    {"attention_probs", "weights", Alias},
    {"attentions", "weights", Alias},
    {"attention", "weights", Alias},
    {"attn", "weights", Alias},
    {"src_key_padding_mask", "key_padding_mask", Alias},
    {"tgt_key_padding_mask", "key_padding_mask", Alias},
    {"memory_key_padding_mask", "key_padding_mask", Alias},
    {"mask", "attn_mask", Alias},
    {"src_mask", "attn_mask", Alias},
    {"tgt_mask", "attn_mask", Alias},
    {"memory_mask", "attn_mask", Alias},
    {"attn_bias_mask", "attn_bias", Alias},
    {"position_bias", "attn_bias", Alias},
    {"alibi", "attn_bias", Alias},
    {"relative_attention_bias.weight", "relative_attention_bias", Alias},
    {"q_norm.weight", "query_gain", Alias},
    {"k_norm.weight", "key_gain", Alias},
    {"sinks", "sinks", Unsupported},
    {"attention_mask", "attn_mask", AttentionMask},
    {"encoder_attention_mask", "attn_mask", CrossMask},
    {"causal_mask", "attn_mask", CausalMask},
    {"attn.bias", "attn_mask", ModelMask},
    {"attn.masked_bias", "attn_mask", ModelMask},
    {"attn.ignore", "attn_mask", ModelMask},
    {"seq_lens", "valid_lens", Alias},
    {"seq_lengths", "valid_lens", Alias},
    {"kv_lens", "valid_lens", Alias},
    {"key_lens", "valid_lens", Alias},
    {"cache_seqlens", "valid_lens", Alias},
    {"cache_position", "query_offset", Positions},
    {"global_attention_mask", "global_attention_mask", GlobalTokens},
    {"global_attentions", "global_attentions", GlobalRows},

    // Transformers, and the models whose names it uses.
    {"self.query.weight", "w_q", Linear},
    {"self.query.bias", "b_q", Bias},
    {"self.key.weight", "w_k", Linear},
    {"self.key.bias", "b_k", Bias},
    {"self.value.weight", "w_v", Linear},
    {"self.value.bias", "b_v", Bias},
    {"attention.query.weight", "w_q", Linear},
    {"attention.query.bias", "b_q", Bias},
    {"attention.key.weight", "w_k", Linear},
    {"attention.key.bias", "b_k", Bias},
    {"attention.value.weight", "w_v", Linear},
    {"attention.value.bias", "b_v", Bias},
    {"query.weight", "w_q", Linear},
    {"query.bias", "b_q", Bias},
    {"key.weight", "w_k", Linear},
    {"key.bias", "b_k", Bias},
    {"value.weight", "w_v", Linear},
    {"value.bias", "b_v", Bias},
    {"output.dense.weight", "w_o", Linear},
    {"output.dense.bias", "b_o", Bias},
    {"dense.weight", "w_o", Linear},
    {"dense.bias", "b_o", Bias},
    {"q_proj.weight", "w_q", Linear},
    {"q_proj.bias", "b_q", Bias},
    {"k_proj.weight", "w_k", Linear},
    {"k_proj.bias", "b_k", Bias},
    {"v_proj.weight", "w_v", Linear},
    {"v_proj.bias", "b_v", Bias},
    {"o_proj.weight", "w_o", Linear},
    {"o_proj.bias", "b_o", Bias},
    {"out_proj.weight", "w_o", Linear},
    {"out_proj.bias", "b_o", Bias},
    {"q_lin.weight", "w_q", Linear},
    {"q_lin.bias", "b_q", Bias},
    {"k_lin.weight", "w_k", Linear},
    {"k_lin.bias", "b_k", Bias},
    {"v_lin.weight", "w_v", Linear},
    {"v_lin.bias", "b_v", Bias},
    {"out_lin.weight", "w_o", Linear},
    {"out_lin.bias", "b_o", Bias},
    {"q.weight", "w_q", Linear},
    {"k.weight", "w_k", Linear},
    {"v.weight", "w_v", Linear},
    {"o.weight", "w_o", Linear},
    {"w_q.weight", "w_q", Linear},
    {"w_q.bias", "b_q", Bias},
    {"w_k.weight", "w_k", Linear},
    {"w_k.bias", "b_k", Bias},
    {"w_v.weight", "w_v", Linear},
    {"w_v.bias", "b_v", Bias},
    {"w_o.weight", "w_o", Linear},
    {"w_o.bias", "b_o", Bias},
    {"wq.weight", "w_q", Linear},
    {"wk.weight", "w_k", Linear},
    {"wv.weight", "w_v", Linear},
    {"wo.weight", "w_o", Linear},
    {"to_q.weight", "w_q", Linear},
    {"to_q.bias", "b_q", Bias},
    {"to_k.weight", "w_k", Linear},
    {"to_k.bias", "b_k", Bias},
    {"to_v.weight", "w_v", Linear},
    {"to_v.bias", "b_v", Bias},
    {"to_out.weight", "w_o", Linear},
    {"to_out.bias", "b_o", Bias},
    {"to_out.0.weight", "w_o", Linear},
    {"to_out.0.bias", "b_o", Bias},
    {"c_attn.weight", "w_qkv", FusedConv1D},
    {"c_attn.bias", "b_qkv", FusedBias},
    {"c_proj.weight", "w_o", Conv1D},
    {"c_proj.bias", "b_o", Bias},
    {"query_key_value.weight", "w_qkv", FusedByHead},
    {"query_key_value.bias", "b_qkv", FusedByHeadBias},
    {"qkv.weight", "w_qkv", FusedLinear},
    {"qkv.bias", "b_qkv", FusedBias},
    {"qkv_proj.weight", "w_qkv", FusedLinear},
    {"qkv_proj.bias", "b_qkv", FusedBias},
    {"to_qkv.weight", "w_qkv", FusedLinear},
    {"to_qkv.bias", "b_qkv", FusedBias},
    {"wqkv.weight", "w_qkv", FusedLinear},
    {"wqkv.bias", "b_qkv", FusedBias},
    {"w_q", "w_q", ByHead},
    {"w_k", "w_k", ByHead},
    {"w_v", "w_v", ByHead},
    {"w_o", "w_o", ByHead},
    {"b_q", "b_q", ByHead},
    {"b_k", "b_k", ByHead},
    {"b_v", "b_v", ByHead},
    {"b_o", "b_o", ByHead},
    {"proj.weight", "w_o", Linear},
    {"proj.bias", "b_o", Bias},

    {"in_proj_weight", "in_proj_weight", TorchModule},
    {"in_proj_bias", "in_proj_bias", TorchModule},
    {"q_proj_weight", "q_proj_weight", TorchModule},
    {"k_proj_weight", "k_proj_weight", TorchModule},
    {"v_proj_weight", "v_proj_weight", TorchModule},

    {"output", "output", Result},
    {"out", "output", Result},
    {"attn_output", "output", Result},
    {"context_layer", "output", Result},
    {"head_output", "head_output", Result},
    {"lse", "lse", Result},
    {"softmax_lse", "lse", Result},
    {"logsumexp", "lse", Result},
    {"scores", "scores", Result},
    {"attn_scores", "scores", Result},
    {"logits", "logits", Result},

    {"tokens", "query_tokens", Tokens},
    {"labels", "query_tokens", Tokens},
    {"query_tokens", "query_tokens", Tokens},
    {"key_tokens", "key_tokens", Tokens},
};

/// Every name that a row of the tables declares.
const std::set<std::string, std::less<>>& own_names() {
    static const auto names = [] {
        std::set<std::string, std::less<>> all;
        const auto add = [&](std::span<const Input> inputs) {
            for (const auto& input : inputs)
                all.emplace(input.name);
        };
        for (const auto& variant : mechanisms())
            add(variant.inputs);
        for (const auto& mode : scale_modes())
            add(mode.inputs);
        for (const auto& term : position_terms())
            add(term.inputs);
        for (const auto& kind : mask_kinds())
            add(kind.inputs);
        for (const auto& decay : decays())
            add(decay.inputs);
        for (const auto& view : weights_views())
            add(view.inputs);
        return all;
    }();
    return names;
}

const KnownName* find_ending(std::string_view ending) {
    static const auto table = [] {
        std::map<std::string_view, const KnownName*> endings;
        for (const auto& known : known_endings)
            endings.emplace(known.ending, &known);
        return endings;
    }();
    const auto found = table.find(ending);
    return found == table.end() ? nullptr : found->second;
}

/// The start of the next part of a name, or its end.
std::size_t next_part(std::string_view name, std::size_t start) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    for (auto at = start; at < name.size(); ++at)
        if (name[at] == '.' || name[at] == '/' || (name[at] == '_' && at > 0 && is_digit(name[at - 1])))
            return at + 1;
    return name.size();
}

} // namespace

std::span<const KnownName> known_names() { return known_endings; }

bool is_input_name(std::string_view name) { return own_names().contains(name); }

std::optional<ArrayName> known_name(std::string_view name) {
    // Longest ending first: the whole name, then the part after each dot or slash.
    for (std::size_t start = 0; start < name.size();) {
        const auto ending = name.substr(start);
        const std::string prefix(name.substr(0, start));
        const auto* known = find_ending(lowered(std::string(ending)));
        // "q_proj.weight" is an input of latent attention, and in most files what makes the queries of another kind.
        const bool is_convention = known && known->role != ending && ending.find('.') != ending.npos;
        if (own_names().contains(ending) && !is_convention)
            return ArrayName{prefix, std::string(ending), Own};
        if (known)
            return ArrayName{prefix, std::string(known->role), known->form};
        start = next_part(name, start);
    }
    return std::nullopt;
}

} // namespace attnlab
