// UTF-8: decoding, encoding, checking and lower case.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace attnlab {

struct Character {
    char32_t value;
    std::size_t bytes;
};

/// The character at `at` of text that is_utf8().
Character character_at(std::string_view text, std::size_t at);
/// The character at `at` of any text; nullopt if the bytes there are not valid UTF-8.
std::optional<Character> valid_character_at(std::string_view text, std::size_t at);
/// Requires that `character` is not a surrogate and at most U+10FFFF.
void append_character(std::string& text, char32_t character);
std::size_t utf8_size(char32_t character);
/// A byte of a character after its first.
constexpr bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }
/// Without surrogates and overlong forms.
bool is_utf8(std::string_view text);
std::int64_t count_characters(std::string_view text);
/// Invalid bytes become U+FFFD, one for each longest beginning of a character (as in Unicode, chapter 3.9).
std::string with_replacements(std::string_view bytes);
/// Written without spaces between words: Han, Hiragana, Katakana and their punctuation.
bool is_unspaced(char32_t letter);
/// A to Z become a to z, whatever the locale; all other bytes stay.
constexpr char lowered(char byte) { return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte; }
std::string lowered(std::string text);

/// Calls `use(character, begin)` for each character of text that is_utf8().
template <class Use>
void for_each_character(std::string_view text, Use use) {
    for (std::size_t at = 0; at < text.size();) {
        const auto [value, bytes] = character_at(text, at);
        use(value, at);
        at += bytes;
    }
}

} // namespace attnlab
