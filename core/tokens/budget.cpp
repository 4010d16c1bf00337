#include "core/tokens/budget.h"

#include <string>

namespace attnlab::tokens {

void Budget::require_pieces(std::size_t count) const {
    if (count + pieces_beside_ > most_pieces)
        throw Error({ATTNLAB_TEXT("the text would be split into %1 parts, at most %2 are allowed"),
                     {std::to_string(count + pieces_beside_), std::to_string(most_pieces)}});
}

void Budget::fail_text(std::size_t bytes) const {
    throw Error({ATTNLAB_TEXT("the text would take %1 bytes, at most %2 are allowed"),
                 {std::to_string(bytes + bytes_beside_), std::to_string(most_text_bytes)}});
}

void Budget::fail_matches() {
    throw Error({ATTNLAB_TEXT("the text would be divided into more than %1 matches and parts between them"),
                 {std::to_string(most_matches)}});
}

void Budget::fail_symbols(std::size_t count) {
    throw Error({ATTNLAB_TEXT("a word would begin as %1 symbols, at most %2 are allowed"),
                 {std::to_string(count), std::to_string(most_symbols)}});
}

void Budget::fail_tokens(std::size_t count, std::size_t spelling_bytes) {
    if (count > most_tokens)
        throw Error({ATTNLAB_TEXT("there would be %1 tokens, at most %2 are allowed"),
                     {std::to_string(count), std::to_string(most_tokens)}});
    throw Error({ATTNLAB_TEXT("the spellings of the tokens would take %1 bytes, at most %2 are allowed"),
                 {std::to_string(spelling_bytes), std::to_string(most_spelling_bytes)}});
}

} // namespace attnlab::tokens
