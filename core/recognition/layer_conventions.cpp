#include "core/recognition/layer_conventions.h"

#include <algorithm>
#include <iterator>

namespace attnlab {
namespace {

constexpr std::string_view t5_self = "SelfAttention.", t5_cross = "EncDecAttention.", t5_block = "block.";

} // namespace

std::optional<std::int64_t> token_width(const ArrayName& meaning, const Tensor& tensor) {
    const auto& role = meaning.role;
    if (meaning.form == NameForm::ByHead && role == "w_q" && tensor.rank() == 3)
        return tensor.dim(1);
    if (tensor.rank() != 2)
        return std::nullopt;
    if (role == "in_proj_weight" || role == "q_proj_weight")
        return tensor.dim(1);
    if (role == "w_q" || role == "w_qkv")
        return tensor.dim(meaning.form == NameForm::Linear || meaning.form == NameForm::FusedLinear ||
                                  meaning.form == NameForm::FusedByHead
                              ? 1
                              : 0);
    return std::nullopt;
}

bool shares_relative_bias(std::string_view owner, std::string_view reader) {
    const auto stack = owner.rfind(t5_block);
    return owner.ends_with(t5_self) && reader.ends_with(t5_self) && stack != owner.npos &&
           reader.starts_with(owner.substr(0, stack + t5_block.size()));
}

bool stores_gain_without_one(std::string_view prefix, const Contents& contents) {
    constexpr std::string_view attention = "self_attn.";
    if (!prefix.ends_with(attention))
        return false;
    const auto block = prefix.substr(0, prefix.size() - attention.size());
    const auto any = [&](auto fits) {
        return std::any_of(contents.arrays.begin(), contents.arrays.end(), [&](const HeldArray& array) {
            const std::string_view name = array.name;
            return name.starts_with(block) && fits(name.substr(block.size()));
        });
    };
    constexpr std::string_view norms[] = {"input_layernorm.weight", "post_attention_layernorm.weight",
                                          "pre_feedforward_layernorm.weight", "post_feedforward_layernorm.weight"};
    const bool has_norms = std::all_of(std::begin(norms), std::end(norms), [&](std::string_view norm) {
        return any([&](std::string_view name) { return name == norm; });
    });
    // Others with norms of these names: Gemma 4, Gemma 3n, TimesFM.
    return has_norms && !any([](std::string_view name) {
               return name == "layer_scalar" || name.starts_with("altup.") || name.starts_with("mlp.ff0.");
           });
}

std::optional<Message> convention_of(std::string_view prefix) {
    if (!prefix.ends_with(t5_self) && !prefix.ends_with(t5_cross))
        return std::nullopt;
    return Message{ATTNLAB_TEXT("%1 is a layer of T5, which does not divide its scores (scale none) and in its "
                                "self-attention adds relative_attention_bias (position t5)"),
                   {std::string(prefix)}};
}

} // namespace attnlab
