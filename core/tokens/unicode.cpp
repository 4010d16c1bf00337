#include "core/tokens/unicode.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utf8proc.h>

namespace attnlab::tokens {
namespace {

utf8proc_category_t category(char32_t character) { return utf8proc_category(static_cast<utf8proc_int32_t>(character)); }

} // namespace

bool is_whitespace(char32_t character) {
    return (character >= 0x9 && character <= 0xd) || character == 0x20 || character == 0x85 || character == 0xa0 ||
           character == 0x1680 || (character >= 0x2000 && character <= 0x200a) || character == 0x2028 ||
           character == 0x2029 || character == 0x202f || character == 0x205f || character == 0x3000;
}

bool is_numeric(char32_t character) {
    const auto is = category(character);
    return is == UTF8PROC_CATEGORY_ND || is == UTF8PROC_CATEGORY_NL || is == UTF8PROC_CATEGORY_NO;
}

bool is_punctuation(char32_t character) {
    if (character < 0x80)
        return character > 0x20 && character < 0x7f && !(character >= '0' && character <= '9') &&
               !((character | 0x20) >= 'a' && (character | 0x20) <= 'z');
    const auto is = category(character);
    return is >= UTF8PROC_CATEGORY_PC && is <= UTF8PROC_CATEGORY_PO;
}

bool is_mark(char32_t character) {
    const auto is = category(character);
    return is == UTF8PROC_CATEGORY_MN || is == UTF8PROC_CATEGORY_MC || is == UTF8PROC_CATEGORY_ME;
}

bool is_nonspacing_mark(char32_t character) { return category(character) == UTF8PROC_CATEGORY_MN; }

bool is_control(char32_t character) {
    const auto is = category(character);
    return is == UTF8PROC_CATEGORY_CC || is == UTF8PROC_CATEGORY_CF || is == UTF8PROC_CATEGORY_CO;
}

std::u32string lower(char32_t character) {
    if (character == 0x130) // İ
        return {U'i', 0x307};
    return {static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(character)))};
}

namespace {

constexpr bool stands_for_itself(unsigned byte) {
    return (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
}

constexpr auto letters_of_bytes = [] {
    std::array<char32_t, 256> letters{};
    char32_t other = 0x100;
    for (unsigned byte = 0; byte < letters.size(); ++byte)
        letters[byte] = stands_for_itself(byte) ? char32_t{byte} : other++;
    return letters;
}();

constexpr char32_t end_of_letters = *std::ranges::max_element(letters_of_bytes) + 1;
constexpr auto bytes_by_letter = [] {
    std::array<std::int16_t, end_of_letters> bytes{};
    bytes.fill(-1);
    for (std::size_t byte = 0; byte < letters_of_bytes.size(); ++byte)
        bytes[letters_of_bytes[byte]] = static_cast<std::int16_t>(byte);
    return bytes;
}();

} // namespace

char32_t letter_of_byte(unsigned char byte) { return letters_of_bytes[byte]; }

std::optional<std::string> bytes_of_letters(std::string_view letters) {
    std::string bytes;
    for (std::size_t at = 0; at < letters.size();) {
        const auto [letter, size] = character_at(letters, at);
        if (letter >= end_of_letters || bytes_by_letter[letter] < 0)
            return {};
        bytes += static_cast<char>(bytes_by_letter[letter]);
        at += size;
    }
    return bytes;
}

} // namespace attnlab::tokens
