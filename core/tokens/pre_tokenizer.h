// Pre-tokenizers split a text into words.
#pragma once

#include "core/tokens/aligned_text.h"
#include "core/tokens/pattern.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
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
            found.add(at, at + utf8_size(character));
    });
    return found.all();
}

/// The parts that are not empty. `matches` cover the text. Throws Error for more parts than `budget` allows.
std::vector<AlignedText> split(const AlignedText& text, std::span<const Match> matches, Behavior behavior,
                               Budget& budget);

// How tokenizers cut a text into words before they look at the vocabulary.

/// Thread-safe.
class PreTokenizer {
public:
    virtual ~PreTokenizer() = default;
    /// Throws Error where the pieces would be more than `budget` allows, and Cancelled.
    virtual void apply(Pieces& pieces, Budget& budget) const = 0;
};

using PreTokenizerPointer = std::unique_ptr<const PreTokenizer>;

enum class Prepend { Never, First, Always };

PreTokenizerPointer sequence_pre_tokenizer(std::vector<PreTokenizerPointer> steps);
/// Its errors begin with `name`.
PreTokenizerPointer named_pre_tokenizer(std::string name, PreTokenizerPointer pre_tokenizer);
/// GPT-2's: bytes as letters, and its expression between words.
PreTokenizerPointer byte_level_pre_tokenizer(bool add_prefix_space, bool use_regex);
PreTokenizerPointer bert_pre_tokenizer();
/// Runs of letters, and runs of what is neither a letter nor a space.
PreTokenizerPointer whitespace_pre_tokenizer();
/// Matches of the characters of which `is` is true.
PreTokenizerPointer character_pre_tokenizer(bool (*is)(char32_t), Behavior behavior);
PreTokenizerPointer delimiter_pre_tokenizer(char32_t delimiter);
/// With `invert` what lies between the matches counts as matched.
PreTokenizerPointer split_pre_tokenizer(Pattern pattern, Behavior behavior, bool invert);
/// SentencePiece's: a space is the letter `replacement`, which begins a word.
PreTokenizerPointer metaspace_pre_tokenizer(char32_t replacement, Prepend prepend, bool split);
PreTokenizerPointer fixed_length_pre_tokenizer(std::size_t characters);

} // namespace attnlab::tokens
