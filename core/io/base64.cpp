#include "core/io/base64.h"

#include "core/message.h"

#include <cstdint>

namespace attnlab::io {
namespace {

constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

} // namespace

std::string from_base64(std::string_view text) {
    bool valid = text.size() % 4 == 0;
    for (int padding = 0; padding < 2 && text.ends_with('='); ++padding)
        text.remove_suffix(1);
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3);
    std::uint32_t held = 0;
    int bits = 0;
    for (const char letter : text) {
        const auto digit = digits.find(letter);
        valid = valid && digit != digits.npos;
        held = held << 6 | (static_cast<std::uint32_t>(digit) & 0x3fU);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            bytes += static_cast<char>(held >> bits & 0xffU);
        }
    }
    if (!valid)
        throw Error(Message(ATTNLAB_TEXT("the text is not in base 64")));
    return bytes;
}

std::string to_base64(std::string_view bytes) {
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const auto part = bytes.substr(at, 3);
        std::uint32_t held = 0;
        for (std::size_t i = 0; i < 3; ++i)
            held = held << 8 | (i < part.size() ? static_cast<unsigned char>(part[i]) : 0U);
        for (std::size_t i = 0; i < 4; ++i)
            text += i <= part.size() ? digits[held >> (18 - 6 * i) & 0x3fU] : '=';
    }
    return text;
}

} // namespace attnlab::io
