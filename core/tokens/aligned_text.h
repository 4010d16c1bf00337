// Text that is normalized and split, and that knows where each of its bytes comes from.
#pragma once

#include "core/tokens/budget.h"
#include "core/tokens/unicode.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::tokens {

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
        bytes_ += bytes_of(character);
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

} // namespace attnlab::tokens
