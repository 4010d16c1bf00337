// Splitting a text where a pattern matches.
#pragma once

#include "core/tokens/aligned_text.h"

#include <span>
#include <vector>

namespace attnlab::tokens {

/// What becomes of the matches. The examples split at "-".
enum class Behavior {
    Removed,            ///< "a-b": a, b
    Isolated,           ///< "a-b": a, -, b
    MergedWithPrevious, ///< "a-b": a-, b
    MergedWithNext,     ///< "a-b": a, -b
    Contiguous,         ///< "a--b": a, --, b; Isolated makes it a, -, -, b
};

/// The characters of which `is` is true, as matches, and what lies between.
template <class Is>
std::vector<Match> characters_that(std::string_view text, Is is) {
    std::vector<Match> found;
    std::size_t covered = 0;
    for_each_character(text, [&](char32_t character, std::size_t at) {
        if (!is(character))
            return;
        if (covered < at)
            found.push_back({covered, at, false});
        covered = at + bytes_of(character);
        found.push_back({at, covered, true});
    });
    if (covered < text.size())
        found.push_back({covered, text.size(), false});
    return found;
}

/// The parts that are not empty. `matches` cover the text.
std::vector<AlignedText> split(const AlignedText& text, std::span<const Match> matches, Behavior behavior);

} // namespace attnlab::tokens
