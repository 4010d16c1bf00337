// Names under which programs save what attention reads.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace attnlab {

/// How a named array becomes the input that it stands for.
enum class NameForm {
    Own,           ///< an input of this program under its own name
    Alias,         ///< the same array under another name: q, key_states, attn_bias ...
    AttentionMask, ///< Transformers' attention_mask: 1 or True keeps, or an additive mask
    CrossMask,     ///< the same of cross-attention's keys
    CausalMask,    ///< attn_mask, whose cells say which way it points
    ModelMask,     ///< the table of which a model makes its causal mask
    Linear,        ///< a projection's weight as torch.nn.Linear keeps it, (out, in)
    Bias,          ///< its bias
    FusedLinear,   ///< query, key and value one after the other in the rows of one Linear weight
    FusedBias,     ///< its bias
    FusedConv1D,   ///< the same as GPT-2 keeps it, (in, out), or nanoGPT, (out, in): its shape says it
    Conv1D,        ///< one projection, (in, out), or (out, in) where the layer's FusedConv1D is so
    ByHead,        ///< one projection, a matrix a head, as TransformerLens keeps it; or (in, out)
    FusedByHead,   ///< query, key and value of each group together: (num_kv_heads, num_heads/num_kv_heads + 2, E) rows
    FusedByHeadBias, ///< its bias
    TorchModule,     ///< an entry of torch.nn.MultiheadAttention's state_dict that the mechanism reads itself
    Unsupported,     ///< a part of a layer that no mechanism here has
    Result,          ///< what attention computes: output, lse, ...
    Tokens,          ///< labels
};

/// A name taken apart: "encoder.layer.3.attention.self.query.weight" is the w_q of "encoder.layer.3.attention.".
struct ArrayName {
    std::string prefix; ///< what comes before, its last dot, slash or underscore included; empty for most
    std::string role;   ///< the input: "query", "w_q", ...; for a fused projection "w_qkv" or "b_qkv"
    NameForm form = NameForm::Own;
};

/// A name of the table, in lower case, and what an array is whose name ends so.
struct KnownName {
    std::string_view ending; ///< "q_proj.weight"
    std::string_view role;
    NameForm form;
};

/// Every name beside those of the inputs themselves.
std::span<const KnownName> known_names();

/// What a name says, by its longest known ending: after a dot or slash, or after the underscore that follows a number
/// ("layer3_q"). Nothing for a name that says nothing. Names are compared without regard to case. Ids and shapes decide
/// nothing here.
std::optional<ArrayName> known_name(std::string_view name);

/// True for the name of an input of some mechanism, scale, position or mask.
bool is_input_name(std::string_view name);

} // namespace attnlab
