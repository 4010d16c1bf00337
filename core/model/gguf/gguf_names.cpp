#include "core/model/gguf/gguf_names.h"

#include <algorithm>
#include <utility>

namespace attnlab::model {
namespace {

std::string_view renamed(std::span<const TensorName> names, std::string_view stem) {
    const auto found = std::find_if(names.begin(), names.end(), [&](const auto& name) { return name.first == stem; });
    return found == names.end() ? std::string_view() : found->second;
}

constexpr char any_expert = '*';

/// "mlp.experts.7.up_proj" is like "mlp.experts.*.up_proj".
bool is_like(std::string_view stem, std::string_view pattern) {
    const auto star = pattern.find(any_expert);
    if (star == pattern.npos)
        return stem == pattern;
    const auto before = pattern.substr(0, star), behind = pattern.substr(star + 1);
    return stem.size() > before.size() + behind.size() && stem.starts_with(before) && stem.ends_with(behind);
}

std::string_view original(std::span<const TensorName> names, std::string_view stem) {
    const auto found =
        std::find_if(names.begin(), names.end(), [&](const auto& name) { return is_like(stem, name.second); });
    return found == names.end() ? std::string_view() : found->first;
}

/// The other spelling of a name, with its ending, ".weight" or ".bias", if it has one; empty where there is none.
template <class Rename>
std::string with_ending(std::span<const TensorName> names, std::string_view name, const Rename& rename) {
    if (const auto whole = rename(names, name); !whole.empty())
        return std::string(whole);
    const auto ending = name.rfind('.');
    const auto found = ending == name.npos ? std::string_view() : rename(names, name.substr(0, ending));
    return found.empty() ? std::string() : std::string(found) + std::string(name.substr(ending));
}

/// Between two spellings. `from` and `to` precede the number of a block.
template <class Rename>
std::string in_other_spelling(const GgufArchitecture& names, std::string_view name, std::string_view GgufBlocks::*from,
                              std::string_view GgufBlocks::*to, const Rename& rename) {
    const GgufBlocks only{.in_model = names.block, .inside = names.inside};
    for (const auto& blocks : names.stacks.empty() ? std::span(&only, 1) : names.stacks) {
        const auto before = blocks.*from;
        if (!name.starts_with(before))
            continue;
        const auto dot = name.find('.', before.size());
        const auto found = dot == name.npos ? std::string() : with_ending(blocks.inside, name.substr(dot + 1), rename);
        return found.empty()
                   ? std::string()
                   : std::string(blocks.*to) + std::string(name.substr(before.size(), dot + 1 - before.size())) + found;
    }
    return with_ending(names.outside, name, rename);
}

} // namespace

std::string transformers_name(const GgufArchitecture& names, std::string_view name) {
    return in_other_spelling(names, name, &GgufBlocks::in_file, &GgufBlocks::in_model, renamed);
}

std::string gguf_name(const GgufArchitecture& names, std::string_view name) {
    const auto other = in_other_spelling(names, name, &GgufBlocks::in_model, &GgufBlocks::in_file, original);
    return other.empty() ? std::string(name) : other;
}

namespace {

bool is_turned(const GgufArchitecture& architecture, const std::string& name) {
    return !architecture.turned.empty() && name.find(architecture.turned) != name.npos && name.ends_with(".weight");
}

/// Rows of a matrix, or numbers of a bias, from `first` on.
Weight rows_of_weight(const Weight& whole, std::int64_t first, std::int64_t count, const std::string& name) {
    auto part = whole;
    const auto row = whole.bytes.size() / static_cast<std::size_t>(whole.shape.front());
    part.name = name;
    part.shape.front() = count;
    part.bytes = whole.bytes.subspan(static_cast<std::size_t>(first) * row, static_cast<std::size_t>(count) * row);
    return part;
}

} // namespace

RenamedWeights::RenamedWeights(std::shared_ptr<const WeightFiles> files, const GgufArchitecture& architecture,
                               const GgufHeads& heads)
    : files_(std::move(files)), architecture_(architecture) {
    auto names = files_->names();
    for (auto& refused : files_->unread()) // so that find() says why
        names.push_back(std::move(refused));
    for (const auto& name : names) {
        const auto other = transformers_name(architecture, name);
        if (other.find(any_expert) != other.npos)
            add_experts(other, name);
        else if (!other.empty())
            add(other, name);
        else if (name.find(fused_matrix) != name.npos)
            add_parts(name, heads);
    }
}

void RenamedWeights::add(const std::string& name, const std::string& file_name) {
    if (!names_.emplace(name, file_name).second)
        return;
    if (is_turned(architecture_, name)) {
        const auto* weight = files_->peek(file_name);
        auto& turned = made_.emplace(name, *weight).first->second;
        std::reverse(turned.shape.begin(), turned.shape.end());
        stored_.emplace(&turned, weight);
    }
    order_.push_back(name);
}

void RenamedWeights::add_parts(const std::string& file_name, const GgufHeads& heads) {
    const auto rows = heads.heads * heads.width, key_rows = heads.key_value_heads * heads.width;
    const std::pair<std::string_view, std::int64_t> parts[] = {
        {".attn_q.", rows}, {".attn_k.", key_rows}, {".attn_v.", key_rows}};
    std::int64_t first = 0;
    for (const auto& [part, count] : parts) {
        auto part_name = file_name;
        part_name.replace(part_name.find(fused_matrix), fused_matrix.size(), part);
        const auto name = transformers_name(architecture_, part_name);
        if (name.empty()) // the architecture has no such matrices
            return;
        const auto* whole = files_->peek(file_name);
        if (whole->shape.empty() || whole->shape.front() != rows + 2 * key_rows)
            throw Error({ATTNLAB_TEXT("%1: has shape %2, expected %3 rows: those of queries, keys and values"),
                         {whole->where, to_string(whole->shape), std::to_string(rows + 2 * key_rows)}});
        if (names_.emplace(name, file_name).second) {
            made_.emplace(name, rows_of_weight(*whole, first, count, part_name));
            order_.push_back(name);
        }
        first += count;
    }
}

void RenamedWeights::add_experts(const std::string& name, const std::string& file_name) {
    const auto* all = files_->peek(file_name);
    constexpr std::int64_t most_experts = 1 << 12; // each has names and shapes of its own
    if (!all || all->shape.size() < 2 || all->shape.front() > most_experts)
        return;
    for (std::int64_t expert = 0; expert < all->shape.front(); ++expert) {
        auto own = name;
        own.replace(own.find(any_expert), 1, std::to_string(expert));
        if (!names_.emplace(own, file_name).second)
            continue;
        auto part = rows_of_weight(*all, expert, 1, file_name);
        part.shape.erase(part.shape.begin());
        made_.emplace(own, std::move(part));
        order_.push_back(own);
    }
}

const Weight* RenamedWeights::peek(std::string_view name) const {
    if (const auto made = made_.find(name); made != made_.end())
        return &made->second;
    const auto found = names_.find(name);
    return found == names_.end() ? nullptr : files_->peek(found->second);
}

const Weight* RenamedWeights::find(std::string_view name) const {
    const auto found = names_.find(name);
    if (found == names_.end())
        return nullptr;
    const auto* weight = files_->find(found->second);
    const auto made = made_.find(name);
    return made == made_.end() ? weight : &made->second;
}

const Weight* RenamedWeights::stored(const Weight* found) const {
    const auto other = stored_.find(found);
    return other == stored_.end() ? found : other->second;
}

} // namespace attnlab::model
