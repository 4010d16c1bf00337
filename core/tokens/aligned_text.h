// A text on its way through a tokenizer, with the place of each byte in the original, and the limits of a call.
#pragma once

#include "core/message.h"
#include "core/run_control.h"
#include "core/tokens/unicode.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

// Text that is normalized and split, and that knows where each of its bytes comes from.

/// Code points of the text that was given.
struct Origin {
    std::int32_t begin = 0, end = 0;
    bool operator==(const Origin&) const = default;
};

/// A character of a changed text. `change` says how it came about: 0 replaces one character, 1 is inserted, and -n
/// replaces 1 + n characters.
struct Changed {
    char32_t character;
    int change;
};

/// A part of a text that a pattern matches, or that lies between two of its matches.
struct Match {
    std::uint32_t begin, end;
    bool matched;
};

/// Collects matches, and what lies between them.
class Matches {
public:
    /// `size` is that of the text in bytes.
    explicit Matches(std::size_t size) : size_(size) {}
    /// Of bytes at or after the end of the match before. Throws Error for too many.
    void add(std::size_t begin, std::size_t end) {
        add_between(begin);
        push(begin, end, true);
        covered_ = end;
    }
    /// Together they are the whole text.
    std::vector<Match> all() {
        add_between(size_);
        return std::move(matches_);
    }

private:
    void add_between(std::size_t end) {
        if (covered_ < end)
            push(covered_, end, false);
    }
    void push(std::size_t begin, std::size_t end, bool matched) {
        Budget::require_matches(matches_.size() + 1);
        matches_.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), matched});
    }

    std::vector<Match> matches_;
    std::size_t size_, covered_ = 0;
};

/// Collects the characters of a text that changes.
class ChangedText {
public:
    explicit ChangedText(Budget& budget) : budget_(budget) {}
    /// Throws Error where the text gets too large.
    void add(char32_t character, int change) {
        budget_.spend(1);
        bytes_ += utf8_size(character);
        budget_.require_text(bytes_);
        characters.push_back({character, change});
    }

    std::vector<Changed> characters;

private:
    Budget& budget_;
    std::size_t bytes_ = 0;
};

/// What changes it throws Error where it would take more than `budget` allows, and Cancelled.
class AlignedText {
public:
    /// `original` is UTF-8.
    AlignedText(std::string_view original, Budget& budget);

    const std::string& text() const { return text_; }
    bool empty() const { return text_.empty(); }
    /// The range of the original text that it comes from.
    Origin whole() const { return whole_; }
    /// The range of the original text that the bytes from `begin` to `end` come from.
    Origin origin(std::size_t begin, std::size_t end) const;
    AlignedText slice(std::size_t begin, std::size_t end) const;

    /// Replaces all characters.
    void transform(std::span<const Changed> changed, Budget& budget);
    /// Replaces each match by `content`, which gets the origin of the last byte replaced. `matches` cover the text.
    void replace(std::span<const Match> matches, std::string_view content, Budget& budget);
    /// Puts nothing before an empty text.
    void prepend(std::string_view content, Budget& budget);
    /// Keeps the bytes from `begin` to `end`.
    void trim(std::size_t begin, std::size_t end);

    /// Keeps the characters for which `keep(character)`.
    template <class Keep>
    void filter(Keep keep, Budget& budget) {
        std::size_t kept = 0;
        for (std::size_t at = 0; at < text_.size();) {
            budget.spend(1);
            const auto [character, bytes] = character_at(text_, at);
            for (const auto end = at + bytes; at < end; ++at)
                if (keep(character)) {
                    text_[kept] = text_[at];
                    origins_[kept++] = origins_[at];
                }
        }
        text_.resize(kept);
        origins_.resize(kept);
    }
    /// Each character becomes `to(character)`.
    template <class To>
    void map(To to, Budget& budget) {
        ChangedText changed(budget);
        for_each_character(text_, [&](char32_t character, std::size_t) { changed.add(to(character), 0); });
        transform(changed.characters, budget);
    }

private:
    AlignedText() = default;

    std::string text_;
    /// Of each byte the code point n that it comes from, or -1 - n for what was inserted before n.
    std::vector<std::int32_t> origins_;
    Origin whole_;
};

// A text on its way through a tokenizer: parts of it, some of which are tokens already.

struct Piece {
    AlignedText text;
    std::optional<std::int64_t> added; ///< the id of the added token that this is
};
using Pieces = std::vector<Piece>;

inline std::size_t bytes_of(const Pieces& pieces) {
    std::size_t bytes = 0;
    for (const auto& piece : pieces)
        bytes += piece.text.text().size();
    return bytes;
}

/// Replaces each piece that is no token by the texts that `split(text)` makes of it; empty ones go. `split` sees the
/// budget without what the other pieces hold.
template <class Split>
void split_pieces(Pieces& pieces, Budget& budget, Split split) {
    Pieces parts;
    parts.reserve(pieces.size());
    auto bytes = bytes_of(pieces);
    for (auto& piece : pieces) {
        budget.spend(1);
        if (piece.added) {
            parts.push_back(std::move(piece));
            continue;
        }
        auto text = std::move(piece.text); // whose memory is freed once it is split
        bytes -= text.text().size();
        budget.set_beside(bytes, parts.size());
        for (auto& part : split(text))
            if (!part.empty()) {
                bytes += part.text().size();
                parts.push_back({std::move(part), {}});
            }
    }
    budget.set_beside(0, 0);
    pieces = std::move(parts);
}

/// Calls `change(text)` for each piece that is no token.
template <class Change>
void change_pieces(Pieces& pieces, Budget& budget, Change change) {
    auto bytes = bytes_of(pieces);
    for (auto& piece : pieces) {
        budget.spend(1);
        if (piece.added)
            continue;
        bytes -= piece.text.text().size();
        budget.set_beside(bytes, 0);
        change(piece.text);
        bytes += piece.text.text().size();
    }
    budget.set_beside(0, 0);
}

} // namespace attnlab::tokens
