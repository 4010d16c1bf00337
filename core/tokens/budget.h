// What one call of a tokenizer may use: its limits, and its cancellation.
#pragma once

#include "core/message.h"
#include "core/run_control.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace attnlab::tokens {

// A tokenizer.json can ask for any amount of memory: a replacement that doubles a text forty times takes a few KB.
inline constexpr std::size_t most_text_bytes = std::size_t{1} << 25; ///< with the origins of its bytes 160 MiB
inline constexpr std::size_t most_matches = std::size_t{1} << 23;    ///< of a pattern, and the parts between them
inline constexpr std::size_t most_pieces = std::size_t{1} << 22;
inline constexpr std::size_t most_symbols = std::size_t{1} << 23; ///< of one word, before any are merged
inline constexpr std::size_t most_tokens = std::size_t{1} << 22;
inline constexpr std::size_t most_spelling_bytes = std::size_t{1} << 26; ///< of all tokens

/// Of one call, in one thread. The requirements are checked before memory is asked for.
class Budget {
public:
    /// `control` must outlive it.
    explicit Budget(const RunControl& control) : control_(control) {}
    Budget(const Budget&) = delete;
    Budget& operator=(const Budget&) = delete;

    /// Counts work; a step is about a character. Throws Cancelled soon after the caller has cancelled.
    void spend(std::size_t steps) {
        spent_ += steps;
        if (spent_ >= steps_between_looks)
            look();
    }
    void look() {
        spent_ = 0;
        control_.checkpoint();
    }

    /// What other pieces of the text hold while one of them is changed.
    void set_beside(std::size_t bytes, std::size_t pieces) {
        bytes_beside_ = bytes;
        pieces_beside_ = pieces;
    }
    // Throw Error if there would be more than the limit allows.
    void require_text(std::size_t bytes) const {
        if (bytes + bytes_beside_ > most_text_bytes)
            fail_text(bytes);
    }
    void require_pieces(std::size_t count) const;
    static void require_matches(std::size_t count) {
        if (count > most_matches)
            fail_matches();
    }
    static void require_symbols(std::size_t count) {
        if (count > most_symbols)
            fail_symbols(count);
    }
    static void require_tokens(std::size_t count, std::size_t spelling_bytes) {
        if (count > most_tokens || spelling_bytes > most_spelling_bytes)
            fail_tokens(count, spelling_bytes);
    }

private:
    static constexpr std::size_t steps_between_looks = 4096;

    [[noreturn]] void fail_text(std::size_t bytes) const;
    [[noreturn]] static void fail_matches();
    [[noreturn]] static void fail_symbols(std::size_t count);
    [[noreturn]] static void fail_tokens(std::size_t count, std::size_t spelling_bytes);

    const RunControl& control_;
    std::size_t spent_ = 0, bytes_beside_ = 0, pieces_beside_ = 0;
};

/// What `act` returns; its Error gets the name of a part of the tokenizer.
template <class Act>
auto naming(const std::string& part, Act act) {
    try {
        return act();
    } catch (const Error& error) {
        throw Error({ATTNLAB_TEXT("%1: %2"), {part, error.message()}});
    }
}

} // namespace attnlab::tokens
