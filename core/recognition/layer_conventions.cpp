#include "core/recognition/layer_conventions.h"

namespace attnlab {
namespace {

constexpr std::string_view t5_self = "SelfAttention.", t5_cross = "EncDecAttention.", t5_block = "block.";

} // namespace

std::optional<std::int64_t> token_width(const ArrayName& meaning, const Tensor& tensor) {
    if (tensor.rank() != 2)
        return std::nullopt;
    const auto& role = meaning.role;
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

std::optional<Message> convention_of(std::string_view prefix) {
    if (!prefix.ends_with(t5_self) && !prefix.ends_with(t5_cross))
        return std::nullopt;
    return Message{ATTNLAB_TEXT("%1 is a layer of T5, which does not divide its scores (scale none) and in its "
                                "self-attention adds relative_attention_bias (position t5)"),
                   {std::string(prefix)}};
}

} // namespace attnlab
