// Texts of tokens and their ids.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
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
    std::int64_t size() const { return static_cast<std::int64_t>(texts_.size()); }
    std::size_t longest() const { return longest_; } ///< bytes

    /// Calls `use(text, id)` for each.
    template <class Use>
    void for_each(Use use) const {
        for (const auto& [id, text] : texts_)
            use(*text, id);
    }

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };

    std::unordered_map<std::string, std::int64_t, Hash, std::equal_to<>> ids_;
    std::unordered_map<std::int64_t, const std::string*> texts_; ///< point into ids_
    std::size_t longest_ = 0;
};

} // namespace attnlab::tokens
