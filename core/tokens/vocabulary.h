// Tokens and their ids, with the lookup tables by text and by prefix.
#pragma once

#include "core/tokens/aligned_text.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attnlab::tokens {

/// Thread-safe while it does not change.
class ByteTrie {
public:
    /// Replaces the value of a text that is there. Throws Error where all texts together are too long.
    void add(std::string_view text, std::int64_t value) {
        std::uint32_t node = 0;
        for (const char byte : text)
            node = child_made(node, static_cast<unsigned char>(byte));
        nodes_[node].value = value;
    }

    /// Calls `use(length, value)` for each text that begins `text`, the shortest first.
    template <class Use>
    void beginnings(std::string_view text, Budget& budget, Use use) const {
        constexpr std::size_t steps = 4; // a node has up to 256 children
        std::uint32_t node = 0;
        for (std::size_t length = 0; length < text.size();) {
            budget.spend(steps);
            node = child(node, static_cast<unsigned char>(text[length]));
            if (node == none)
                return;
            ++length;
            if (nodes_[node].value >= 0)
                use(length, nodes_[node].value);
        }
    }

    /// The longest: its length and value; 0 and -1 for none.
    std::pair<std::size_t, std::int64_t> longest(std::string_view text, Budget& budget) const {
        std::pair<std::size_t, std::int64_t> found{0, -1};
        beginnings(text, budget, [&](std::size_t length, std::int64_t value) { found = {length, value}; });
        return found;
    }

private:
    static constexpr std::uint32_t none = 0;                        ///< the root is no child
    static constexpr std::size_t most_nodes = std::size_t{1} << 24; ///< 400 MB; those of 250,000 tokens take 1/16

    /// The children of a node are a list. That of the root, which has most, is a table.
    struct Node {
        std::int64_t value = -1;
        std::uint32_t first_child = none, next = none;
        unsigned char byte = 0;
    };

    std::uint32_t child(std::uint32_t node, unsigned char byte) const {
        if (node == 0)
            return first_[byte];
        auto at = nodes_[node].first_child;
        while (at != none && nodes_[at].byte != byte)
            at = nodes_[at].next;
        return at;
    }

    std::uint32_t child_made(std::uint32_t node, unsigned char byte) {
        if (const auto known = child(node, byte); known != none)
            return known;
        if (nodes_.size() >= most_nodes)
            throw Error({ATTNLAB_TEXT("the tokens need more than %1 nodes of a tree"), {std::to_string(most_nodes)}});
        const auto made = static_cast<std::uint32_t>(nodes_.size());
        nodes_.push_back({.next = nodes_[node].first_child, .byte = byte});
        nodes_[node].first_child = made;
        if (node == 0)
            first_[byte] = made;
        return made;
    }

    std::vector<Node> nodes_{1};
    std::vector<std::uint32_t> first_ = std::vector<std::uint32_t>(256, none);
};

/// Open-addressing hash table with linear probing, from items to their indices in a list. It allocates no memory per
/// entry, so large vocabularies are read faster than into a std::unordered_map.
class HashIndex {
public:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    void reserve(std::size_t count) {
        std::size_t slots = 16;
        while (slots < 2 * count)
            slots *= 2;
        if (slots > slots_.size())
            enlarge(slots);
    }

    /// The index with this hash for which `is_it(index)` holds, or none.
    template <class IsIt>
    std::uint32_t find(std::uint64_t hash, const IsIt& is_it) const {
        if (slots_.empty())
            return none;
        const auto mixed = mix(hash);
        for (auto at = mixed & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
            const auto& slot = slots_[at];
            if (slot.index == none || (slot.hash == mixed && is_it(slot.index)))
                return slot.index;
        }
    }

    /// `index` is not `none`, and find() does not find it.
    void add(std::uint64_t hash, std::uint32_t index) {
        reserve(++count_);
        put({mix(hash), index});
    }

private:
    struct Slot {
        std::uint32_t hash = 0; ///< 32 mixed bits of it
        std::uint32_t index = none;
    };
    static std::uint32_t mix(std::uint64_t hash) {
        hash *= 0x9e3779b97f4a7c15U;
        return static_cast<std::uint32_t>(hash ^ hash >> 32);
    }

    void put(const Slot& slot) {
        auto at = slot.hash & (slots_.size() - 1);
        while (slots_[at].index != none)
            at = (at + 1) & (slots_.size() - 1);
        slots_[at] = slot;
    }

    void enlarge(std::size_t slots) {
        std::vector<Slot> before(slots);
        before.swap(slots_);
        for (const auto& slot : before)
            if (slot.index != none)
                put(slot);
    }

    std::vector<Slot> slots_; ///< none, or a power of two
    std::size_t count_ = 0;
};

// Texts of tokens and their ids.

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
