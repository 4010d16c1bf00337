#include "core/tokens/vocabulary.h"

#include "core/io/file_formats.h"
#include "core/message.h"

#include <algorithm>
#include <functional>

namespace attnlab::tokens {
namespace {

std::uint64_t hash_of(std::string_view text) { return std::hash<std::string_view>()(text); }

} // namespace

void Vocabulary::reserve(std::size_t count) {
    texts_.reserve(count);
    ids_.reserve(count);
    by_id_.reserve(count);
}

void Vocabulary::add(std::string text, std::int64_t id) {
    if (id < 0 || id > std::int64_t{UINT32_MAX})
        throw Error({ATTNLAB_TEXT("the token '%1' has the id %2, expected 0 to %3"),
                     {io::excerpt(text), std::to_string(id), std::to_string(UINT32_MAX)}});
    if (index_of(text) != HashIndex::none)
        throw Error({ATTNLAB_TEXT("the token '%1' is there twice"), {io::excerpt(text)}});
    if (const auto* other = text_of(id))
        throw Error({ATTNLAB_TEXT("the tokens '%1' and '%2' have the same id, %3"),
                     {io::excerpt(*other), io::excerpt(text), std::to_string(id)}});
    longest_ = std::max(longest_, text.size());
    texts_.add(hash_of(text), static_cast<std::uint32_t>(entries_.size()));
    entries_.push_back({std::move(text), id});
    add_id(id, entries_.back().text);
}

void Vocabulary::add_again(const std::string& text, std::int64_t id) {
    const auto known = index_of(text);
    if (known == HashIndex::none) {
        add(text, id);
        return;
    }
    entries_[known].id = id;
    if (!text_of(id))
        add_id(id, entries_[known].text);
}

void Vocabulary::add_id(std::int64_t id, const std::string& text) {
    ids_.add(static_cast<std::uint64_t>(id), static_cast<std::uint32_t>(by_id_.size()));
    by_id_.emplace_back(id, &text);
}

std::uint32_t Vocabulary::index_of(std::string_view text) const {
    return texts_.find(hash_of(text), [&](std::uint32_t index) { return entries_[index].text == text; });
}

std::optional<std::int64_t> Vocabulary::id_of(std::string_view text) const {
    const auto found = index_of(text);
    return found == HashIndex::none ? std::nullopt : std::optional(entries_[found].id);
}

const std::string* Vocabulary::text_of(std::int64_t id) const {
    const auto found =
        ids_.find(static_cast<std::uint64_t>(id), [&](std::uint32_t index) { return by_id_[index].first == id; });
    return found == HashIndex::none ? nullptr : by_id_[found].second;
}

} // namespace attnlab::tokens
