#include "core/tokens/byte_letters.h"

#include "core/tokens/unicode.h"

#include <array>

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

} // namespace

char32_t letter_of_byte(unsigned char byte) { return letters_of_bytes[byte]; }

std::optional<std::string> bytes_of_letters(std::string_view letters) {
    std::string bytes;
    bool all = true;
    for_each_character(letters, [&](char32_t letter, std::size_t) {
        for (unsigned byte = 0; byte < letters_of_bytes.size(); ++byte)
            if (letters_of_bytes[byte] == letter) {
                bytes += static_cast<char>(byte);
                return;
            }
        all = false;
    });
    return all ? std::optional(bytes) : std::nullopt;
}

} // namespace attnlab::tokens
