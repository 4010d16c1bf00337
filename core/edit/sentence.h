// Another sentence for the tokens of a problem.
#pragma once

#include "core/attention.h"
#include "core/run_control.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab {

inline constexpr std::int64_t longest_sentence = 512; ///< words

/// A token as it is typed: white space within it is replaced by no-break spaces, so that words_in() reads it back.
std::string typed_form(std::string_view token);
/// The tokens as one line, for words_in().
std::string typed_sentence(const std::vector<std::string>& tokens);

/// The words of a typed line: parted by white space, or, where Han characters or kana come without any, each of these a
/// word of its own, with the marks that follow it. A part that is typed as one of `known` is that token.
std::vector<std::string> words_in(std::string_view text, const std::vector<std::string>& known);

/// The sentences of a problem: its queries', and its keys' where they have words of their own. A token without a name
/// is an empty word.
struct Sentences {
    std::vector<std::string> queries;
    std::optional<std::vector<std::string>> keys; ///< nullopt: the keys are the same tokens
    bool operator==(const Sentences&) const = default;
};

/// nullopt where there are no tokens.
std::optional<Sentences> sentences_of(const AttentionProblem& problem);

/// Why the problem cannot get other words; empty where it can.
Message refusal_of_sentences(const AttentionProblem& problem);

/// For each word the old token with its numbers; -1: the word is new. The n-th occurrence of a word is its n-th token,
/// or its first where there were fewer. Another word names the token at its place if that has no name.
std::vector<std::int64_t> known_rows(const std::vector<std::string>& words, const std::vector<std::string>& tokens);

/// The problem with these words. Known words keep their rows of the arrays of tokens (x, context, query, key, value);
/// new ones get N(0, 1), the same for the same word. Masks and biases keep their cells by place, as in resized();
/// groups (sentence_ids) of tokens beyond the old end are that of the last. Throws Error for no words, too many, what
/// refusal_of_sentences() refuses, and where the mechanism cannot do with that many. Throws Cancelled.
AttentionProblem with_sentences(const AttentionProblem& problem, const Sentences& words,
                                const RunControl& control = {});

/// The words with_sentences() has drawn the numbers of: most of their rows are still those. None of sentences that are
/// too long to be typed.
std::vector<std::string> drawn_words(const AttentionProblem& problem);
/// The arrays that hold such rows.
std::vector<std::string> arrays_of_drawn_words(const AttentionProblem& problem);

} // namespace attnlab
