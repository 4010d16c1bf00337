// Texts by their bytes: which of them begin at a place of a text.
#pragma once

#include "core/tokens/budget.h"

#include <cstdint>
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

} // namespace attnlab::tokens
