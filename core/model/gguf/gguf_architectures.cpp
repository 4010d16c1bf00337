#include "core/model/gguf/gguf_architectures.h"

#include <algorithm>

namespace attnlab::model {
namespace {

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
std::string with_other_stem(const GgufArchitecture& names, std::string_view name, std::string_view block,
                            std::string_view other_block, const Rename& rename) {
    const auto ending = name.rfind('.');
    if (ending == name.npos)
        return {};
    const auto stem = name.substr(0, ending), suffix = name.substr(ending);
    if (!stem.starts_with(block)) {
        const auto found = rename(names.outside, stem);
        return found.empty() ? std::string() : std::string(found) + std::string(suffix);
    }
    const auto dot = stem.find('.', block.size());
    const auto found = dot == stem.npos ? std::string_view() : rename(names.inside, stem.substr(dot + 1));
    if (found.empty())
        return {};
    return std::string(other_block) + std::string(stem.substr(block.size(), dot + 1 - block.size())) +
           std::string(found) + std::string(suffix);
}

constexpr std::string_view gguf_block = "blk.";

} // namespace

std::string transformers_name(const GgufArchitecture& names, std::string_view name) {
    return with_other_stem(names, name, gguf_block, names.block, renamed);
}

std::string gguf_name(const GgufArchitecture& names, std::string_view name) {
    const auto other = with_other_stem(names, name, names.block, gguf_block, original);
    return other.empty() ? std::string(name) : other;
}

} // namespace attnlab::model
