// Text that is normalized and split, and that knows where each of its bytes comes from.
#pragma once

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
    std::size_t begin, end;
    bool matched;
};

class AlignedText {
public:
    /// `original` is UTF-8.
    explicit AlignedText(std::string_view original);

    const std::string& text() const { return text_; }
    bool empty() const { return text_.empty(); }
    /// The range of the original text that it comes from.
    Origin whole() const { return whole_; }
    /// The range of the original text that the bytes from `begin` to `end` come from.
    Origin origin(std::size_t begin, std::size_t end) const;
    AlignedText slice(std::size_t begin, std::size_t end) const;

    /// The text that results when its first `dropped` characters go, and `changed` replaces the others.
    void transform(std::span<const Changed> changed, std::size_t dropped = 0);
    /// The whole text is replaced where `matches` say so. What is inserted has the origin of the last byte replaced.
    void replace(std::span<const Match> matches, std::string_view content);
    /// Nothing is put before an empty text.
    void prepend(std::string_view content);
    /// Keeps the bytes from `begin` to `end`.
    void trim(std::size_t begin, std::size_t end);

    /// Keeps the characters for which `keep(character)`.
    template <class Keep>
    void filter(Keep keep) {
        std::size_t kept = 0;
        for (std::size_t at = 0; at < text_.size();) {
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
    void map(To to) {
        std::vector<Changed> changed;
        changed.reserve(text_.size());
        for_each_character(text_, [&](char32_t character, std::size_t) { changed.push_back({to(character), 0}); });
        transform(changed);
    }

private:
    AlignedText() = default;

    std::string text_;
    std::vector<Origin> origins_; ///< of each byte
    Origin whole_;
};

} // namespace attnlab::tokens
