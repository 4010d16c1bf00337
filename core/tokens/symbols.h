// A word as a list of symbols of which neighbours are merged, in the order of a queue.
#pragma once

#include "core/tokens/budget.h"

#include <cstdint>
#include <queue>
#include <vector>

namespace attnlab::tokens {

struct Symbol {
    std::uint32_t id;
    std::uint32_t bytes; ///< 0: merged into one before it
    std::int32_t previous = -1, next = -1;
};

/// Appends to a linked list. Throws Error for too many.
inline void push_symbol(std::vector<Symbol>& symbols, std::uint32_t id, std::size_t bytes) {
    Budget::require_symbols(symbols.size() + 1);
    const auto at = static_cast<std::int32_t>(symbols.size());
    if (at > 0)
        symbols.back().next = at;
    symbols.push_back({id, static_cast<std::uint32_t>(bytes), at - 1, -1});
}

/// Merges neighbours until none can be. `candidate(i, j)` is an optional with members `priority`, of which the lowest
/// comes first, and `id`, for neighbours i and j. Of equal priorities the first in the word comes first.
template <class Candidate>
void merge_symbols(std::vector<Symbol>& symbols, Budget& budget, Candidate candidate) {
    constexpr std::size_t steps = 8; // of a look into the vocabulary
    using Merge = typename decltype(candidate(std::size_t{}, std::size_t{}))::value_type;
    struct Entry {
        Merge merge;
        std::uint32_t at;
        bool operator<(const Entry& other) const { // the greatest leaves the queue first
            return merge.priority != other.merge.priority ? merge.priority > other.merge.priority : at > other.at;
        }
    };
    std::priority_queue<Entry> queue;
    const auto offer = [&](std::int32_t at) {
        budget.spend(steps);
        if (at < 0 || symbols[static_cast<std::size_t>(at)].next < 0)
            return;
        const auto first = static_cast<std::uint32_t>(at);
        if (const auto merge = candidate(first, static_cast<std::size_t>(symbols[first].next)))
            queue.push({*merge, first});
    };
    for (std::int32_t at = 0; at + 1 < std::ssize(symbols); ++at)
        offer(at);
    while (!queue.empty()) {
        budget.spend(steps);
        const auto [merge, at] = queue.top();
        queue.pop();
        auto& symbol = symbols[at];
        if (symbol.bytes == 0 || symbol.next < 0)
            continue;
        auto& right = symbols[static_cast<std::size_t>(symbol.next)];
        const auto now = candidate(std::size_t{at}, static_cast<std::size_t>(symbol.next));
        if (!now || now->id != merge.id) // the pair has changed since
            continue;
        symbol.id = merge.id;
        symbol.bytes += right.bytes;
        right.bytes = 0;
        symbol.next = right.next;
        if (symbol.next >= 0)
            symbols[static_cast<std::size_t>(symbol.next)].previous = static_cast<std::int32_t>(at);
        offer(symbol.previous);
        offer(static_cast<std::int32_t>(at));
    }
}

} // namespace attnlab::tokens
