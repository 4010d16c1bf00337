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
std::vector<Match> characters_that(std::string_view text, Budget& budget, Is is) {
    Matches found(text.size());
    for_each_character(text, [&](char32_t character, std::size_t at) {
        budget.spend(1);
        if (is(character))
            found.add(at, at + bytes_of(character));
    });
    return found.all();
}

/// The parts that are not empty. `matches` cover the text. Throws Error for more parts than `budget` allows.
std::vector<AlignedText> split(const AlignedText& text, std::span<const Match> matches, Behavior behavior,
                               Budget& budget);

} // namespace attnlab::tokens
