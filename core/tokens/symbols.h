// A word as a list of symbols of which neighbours are merged, in the order of a queue.
#pragma once

#include <cstdint>
#include <queue>
#include <vector>

namespace attnlab::tokens {

struct Symbol {
    std::int64_t id;
    std::size_t bytes; ///< 0: merged into one before it
    std::ptrdiff_t previous = -1, next = -1;
};

/// Appends to a linked list.
inline void push_symbol(std::vector<Symbol>& symbols, std::int64_t id, std::size_t bytes) {
    const auto at = std::ssize(symbols);
    if (at > 0)
        symbols.back().next = at;
    symbols.push_back({id, bytes, at - 1, -1});
}

/// Merges neighbours until none can be. `candidate(i, j)` is an optional with members `priority`, of which the lowest
/// comes first, and `id`, for neighbours i and j. Of equal priorities the first in the word comes first.
template <class Candidate>
void merge_symbols(std::vector<Symbol>& symbols, Candidate candidate) {
    using Merge = typename decltype(candidate(std::size_t{}, std::size_t{}))::value_type;
    struct Entry {
        Merge merge;
        std::size_t at;
        bool operator<(const Entry& other) const { // the greatest leaves the queue first
            return merge.priority != other.merge.priority ? merge.priority > other.merge.priority : at > other.at;
        }
    };
    std::priority_queue<Entry> queue;
    const auto offer = [&](std::ptrdiff_t at) {
        if (at < 0 || symbols[static_cast<std::size_t>(at)].next < 0)
            return;
        const auto first = static_cast<std::size_t>(at);
        if (const auto merge = candidate(first, static_cast<std::size_t>(symbols[first].next)))
            queue.push({*merge, first});
    };
    for (std::ptrdiff_t at = 0; at + 1 < std::ssize(symbols); ++at)
        offer(at);
    while (!queue.empty()) {
        const auto [merge, at] = queue.top();
        queue.pop();
        auto& symbol = symbols[at];
        if (symbol.bytes == 0 || symbol.next < 0)
            continue;
        auto& right = symbols[static_cast<std::size_t>(symbol.next)];
        const auto now = candidate(at, static_cast<std::size_t>(symbol.next));
        if (!now || now->id != merge.id) // the pair has changed since
            continue;
        symbol.id = merge.id;
        symbol.bytes += right.bytes;
        right.bytes = 0;
        symbol.next = right.next;
        if (symbol.next >= 0)
            symbols[static_cast<std::size_t>(symbol.next)].previous = static_cast<std::ptrdiff_t>(at);
        offer(symbol.previous);
        offer(static_cast<std::ptrdiff_t>(at));
    }
}

} // namespace attnlab::tokens
