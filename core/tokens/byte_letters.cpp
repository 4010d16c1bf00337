#include "core/tokens/byte_letters.h"

#include "core/tokens/unicode.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace attnlab::tokens {
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
