#include "core/tokens/split.h"

#include <algorithm>

namespace attnlab::tokens {
namespace {

/// Each part takes the next one where `joins(part, next)` says so.
template <class Joins>
std::vector<Match> joined(std::span<const Match> matches, Joins joins) {
    std::vector<Match> parts;
    bool last_matched = false;
    for (const auto& match : matches) {
        if (!parts.empty() && joins(last_matched, match.matched))
            parts.back().end = match.end;
        else
            parts.push_back(match);
        last_matched = match.matched;
    }
    return parts;
}

std::vector<Match> joined_with_next(std::span<const Match> matches) {
    std::vector<Match> parts;
    bool last_matched = false;
    for (auto match = matches.rbegin(); match != matches.rend(); ++match) {
        if (match->matched && !last_matched && !parts.empty())
            parts.back().begin = match->begin;
        else
            parts.push_back(*match);
        last_matched = match->matched;
    }
    std::ranges::reverse(parts);
    return parts;
}

std::vector<Match> parts_of(std::span<const Match> matches, Behavior behavior) {
    switch (behavior) {
    case Behavior::Contiguous:
        return joined(matches, [](bool last, bool next) { return last == next; });
    case Behavior::MergedWithPrevious:
        return joined(matches, [](bool last, bool next) { return next && !last; });
    case Behavior::MergedWithNext:
        return joined_with_next(matches);
    case Behavior::Removed:
    case Behavior::Isolated:
        break;
    }
    return {matches.begin(), matches.end()};
}

} // namespace

std::vector<AlignedText> split(const AlignedText& text, std::span<const Match> matches, Behavior behavior,
                               Budget& budget) {
    auto kept = parts_of(matches, behavior);
    std::erase_if(kept, [&](const Match& part) {
        return part.begin == part.end || (part.matched && behavior == Behavior::Removed);
    });
    budget.require_pieces(kept.size());
    std::vector<AlignedText> parts;
    parts.reserve(kept.size());
    for (const auto& part : kept) {
        budget.spend(1 + part.end - part.begin);
        parts.push_back(text.slice(part.begin, part.end));
    }
    return parts;
}

} // namespace attnlab::tokens
