// UTF-8 characters, their classes, and the visible characters that stand for bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace attnlab::tokens {

struct Character {
    char32_t value;
    std::size_t bytes;
};

/// The character at `at` of text that is_utf8().
Character character_at(std::string_view text, std::size_t at);
void append(std::string& text, char32_t character);
std::size_t bytes_of(char32_t character);
/// Without surrogates and overlong forms.
bool is_utf8(std::string_view text);
std::int64_t count_characters(std::string_view text);
/// Invalid bytes become U+FFFD, one for each longest beginning of a character (as in Unicode, chapter 3.9).
std::string with_replacements(std::string_view bytes);

/// The property White_Space.
bool is_whitespace(char32_t character);
/// The categories Nd, Nl and No.
bool is_numeric(char32_t character);
/// The categories P*, and every mark of ASCII that is no letter or digit.
bool is_punctuation(char32_t character);
/// Mn, Mc and Me.
bool is_mark(char32_t character);
bool is_nonspacing_mark(char32_t character);
/// Cc, Cf and Co, not Cn.
bool is_control(char32_t character);

/// In lower case: one character, or "i̇" for "İ".
std::u32string lower(char32_t character);

/// Calls `use(character, begin)` for each character.
template <class Use>
void for_each_character(std::string_view text, Use use) {
    for (std::size_t at = 0; at < text.size();) {
        const auto [value, bytes] = character_at(text, at);
        use(value, at);
        at += bytes;
    }
}

// The visible characters that stand for bytes in byte-level vocabularies, since GPT-2.

/// The character by which GPT-2's vocabulary writes a byte: printable bytes of Latin-1 are written as that character,
/// the n-th of the others as U+0100 + n. A space becomes "Ġ".
char32_t letter_of_byte(unsigned char byte);
/// The inverse, for each character of `letters`; nullopt if one of them is not the character of a byte.
std::optional<std::string> bytes_of_letters(std::string_view letters);

} // namespace attnlab::tokens
