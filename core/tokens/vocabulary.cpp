#include "core/tokens/vocabulary.h"

#include "core/io/file_formats.h"
#include "core/message.h"

#include <algorithm>

namespace attnlab::tokens {

void Vocabulary::reserve(std::size_t count) {
    ids_.reserve(count);
    texts_.reserve(count);
}

void Vocabulary::add(std::string text, std::int64_t id) {
    if (id < 0 || id > std::int64_t{UINT32_MAX})
        throw Error({ATTNLAB_TEXT("the token '%1' has the id %2, expected 0 to %3"),
                     {io::excerpt(text), std::to_string(id), std::to_string(UINT32_MAX)}});
    longest_ = std::max(longest_, text.size());
    const auto [entry, is_new] = ids_.try_emplace(std::move(text), id);
    if (!is_new)
        throw Error({ATTNLAB_TEXT("the token '%1' is there twice"), {io::excerpt(entry->first)}});
    const auto [other, is_first] = texts_.try_emplace(id, &entry->first);
    if (!is_first)
        throw Error({ATTNLAB_TEXT("the tokens '%1' and '%2' have the same id, %3"),
                     {io::excerpt(*other->second), io::excerpt(entry->first), std::to_string(id)}});
}

void Vocabulary::add_again(const std::string& text, std::int64_t id) {
    const auto known = ids_.find(text);
    if (known == ids_.end()) {
        add(text, id);
        return;
    }
    known->second = id;
    texts_.try_emplace(id, &known->first);
}

std::optional<std::int64_t> Vocabulary::id_of(std::string_view text) const {
    const auto found = ids_.find(text);
    return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

const std::string* Vocabulary::text_of(std::int64_t id) const {
    const auto found = texts_.find(id);
    return found == texts_.end() ? nullptr : found->second;
}

} // namespace attnlab::tokens
