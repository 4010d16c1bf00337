// Texts of tokens and their ids.
#pragma once

#include "core/tokens/hash_index.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attnlab::tokens {

/// Thread-safe while it does not change.
class Vocabulary {
public:
    Vocabulary() = default;
    Vocabulary(Vocabulary&&) = default;
    Vocabulary& operator=(Vocabulary&&) = default;

    void reserve(std::size_t count);
    /// Ids are 0 to 2^32 - 1. Throws Error for an id beyond, and where another text has it.
    void add(std::string text, std::int64_t id);
    /// The same, but a text may be there again: its id is the last one.
    void add_again(const std::string& text, std::int64_t id);

    std::optional<std::int64_t> id_of(std::string_view text) const;
    /// Null where there is none.
    const std::string* text_of(std::int64_t id) const;
    std::int64_t size() const { return static_cast<std::int64_t>(by_id_.size()); }
    std::size_t longest() const { return longest_; } ///< bytes

    /// Calls `use(text, id)` for each.
    template <class Use>
    void for_each(Use use) const {
        for (const auto& [id, text] : by_id_)
            use(*text, id);
    }

private:
    struct Entry {
        std::string text;
        std::int64_t id;
    };

    /// In entries_; HashIndex::none where it is not.
    std::uint32_t index_of(std::string_view text) const;
    void add_id(std::int64_t id, const std::string& text);

    std::deque<Entry> entries_; ///< stay where they are
    HashIndex texts_;           ///< of entries_
    std::vector<std::pair<std::int64_t, const std::string*>> by_id_;
    HashIndex ids_; ///< of by_id_
    std::size_t longest_ = 0;
};

} // namespace attnlab::tokens
