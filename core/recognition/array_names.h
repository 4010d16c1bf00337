// Names under which programs save the inputs of attention.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace attnlab {

/// How a named array is converted to its input.
enum class NameForm {
    Own,           ///< an input of this program under its own name
    Alias,         ///< the same array under another name: q, key_states, attn_bias ...
    AttentionMask, ///< Transformers' attention_mask: 1 or True keeps, or an additive mask
    CrossMask,     ///< the same for the keys of cross-attention
    CausalMask,    ///< attn_mask, whose direction follows from its cells
    ModelMask,     ///< the table from which a model makes its causal mask
    Linear,        ///< a projection's weight as in torch.nn.Linear, (out, in)
    Bias,          ///< its bias
    FusedLinear,   ///< query, key and value concatenated along the rows of one Linear weight
    FusedBias,     ///< its bias
    FusedConv1D,   ///< the same in GPT-2, (in, out), or nanoGPT, (out, in), depending on the shape
    Conv1D,        ///< one projection, (in, out), or (out, in) if the layer's FusedConv1D is
    ByHead,        ///< one projection with a matrix for each head, as in TransformerLens; or (in, out)
    FusedByHead,   ///< query, key and value of each group together: (num_kv_heads, num_heads/num_kv_heads + 2, E) rows
    FusedByHeadBias, ///< its bias
    FusedTokens,     ///< query, key and value of tokens, one after the other along the last axis
    TorchModule,     ///< an entry of torch.nn.MultiheadAttention's state_dict that the mechanism reads itself
    Unsupported,     ///< a part of a layer that no mechanism supports
    Result,          ///< a result of attention: output, lse, ...
    Positions,       ///< the positions of the queries among the keys
    GlobalTokens,    ///< which tokens are global in Longformer
    GlobalRows,      ///< the weights of these
    Tokens,          ///< labels
};

/// A parsed name: "encoder.layer.3.attention.self.query.weight" is the w_q of "encoder.layer.3.attention.".
struct ArrayName {
    std::string prefix; ///< the part before, including its last dot, slash or underscore; empty for most
    std::string role;   ///< the input: "query", "w_q", ...; for a fused projection "w_qkv" or "b_qkv"
    NameForm form = NameForm::Own;
};

/// An ending in the table, in lower case, and its meaning.
struct KnownName {
    std::string_view ending; ///< "q_proj.weight"
    std::string_view role;
    NameForm form;
};

/// Every name besides those of the inputs themselves.
std::span<const KnownName> known_names();

/// The meaning of a name by its longest known ending: after a dot or slash, or after the underscore that follows a
/// number ("layer3_q"). nullopt for an unknown name. Case-insensitive. Does not depend on ids and shapes.
std::optional<ArrayName> known_name(std::string_view name);

/// True for the name of an input of any mechanism, scale, position or mask.
bool is_input_name(std::string_view name);

} // namespace attnlab
