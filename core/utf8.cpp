#include "core/utf8.h"

#include <algorithm>
#include <array>
#include <utility>

namespace attnlab {
namespace {

struct Beginning {
    std::size_t bytes; ///< the number of valid bytes
    bool complete;
};

/// The possibly incomplete UTF-8 character at `at`.
Beginning beginning_at(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
    const unsigned first = byte(0);
    if (first < 0x80)
        return {1, true};
    if (first < 0xc2 || first > 0xf4)
        return {1, false};
    const std::size_t wanted = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    std::size_t bytes = 1;
    for (; bytes < wanted && at + bytes < text.size() && is_continuation(text[at + bytes]); ++bytes)
        if (bytes == 1 && ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) > 0x9f) ||
                           (first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) > 0x8f)))
            break;
    return {bytes, bytes == wanted};
}

} // namespace

Character character_at(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[at + i])); };
    const auto rest = [&](std::size_t i) { return byte(i) & 0x3f; };
    const auto first = byte(0);
    if (first < 0x80)
        return {first, 1};
    if (first < 0xe0)
        return {(first & 0x1f) << 6 | rest(1), 2};
    if (first < 0xf0)
        return {(first & 0xf) << 12 | rest(1) << 6 | rest(2), 3};
    return {(first & 0x7) << 18 | rest(1) << 12 | rest(2) << 6 | rest(3), 4};
}

std::optional<Character> valid_character_at(std::string_view text, std::size_t at) {
    return beginning_at(text, at).complete ? std::optional(character_at(text, at)) : std::nullopt;
}

void append_character(std::string& text, char32_t character) {
    const auto put = [&](char32_t byte) { text += static_cast<char>(byte); };
    if (character < 0x80) {
        put(character);
    } else if (character < 0x800) {
        put(0xc0 | character >> 6);
        put(0x80 | (character & 0x3f));
    } else if (character < 0x10000) {
        put(0xe0 | character >> 12);
        put(0x80 | (character >> 6 & 0x3f));
        put(0x80 | (character & 0x3f));
    } else {
        put(0xf0 | character >> 18);
        put(0x80 | (character >> 12 & 0x3f));
        put(0x80 | (character >> 6 & 0x3f));
        put(0x80 | (character & 0x3f));
    }
}

std::size_t utf8_size(char32_t character) {
    return character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
}

bool is_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const auto [bytes, complete] = beginning_at(text, at);
        if (!complete)
            return false;
        at += bytes;
    }
    return true;
}

std::int64_t count_characters(std::string_view text) {
    return std::ranges::count_if(text, [](char byte) { return !is_continuation(byte); });
}

std::string with_replacements(std::string_view bytes) {
    std::string text;
    for (std::size_t at = 0; at < bytes.size();) {
        const auto [count, complete] = beginning_at(bytes, at);
        text += complete ? bytes.substr(at, count) : "\ufffd";
        at += count;
    }
    return text;
}

bool is_unspaced(char32_t letter) {
    constexpr std::array<std::pair<char32_t, char32_t>, 9> ranges{{{0x3001, 0x303f},
                                                                   {0x3040, 0x30ff},
                                                                   {0x31f0, 0x31ff},
                                                                   {0x3400, 0x4dbf},
                                                                   {0x4e00, 0x9fff},
                                                                   {0xf900, 0xfaff},
                                                                   {0xff01, 0xff0f},
                                                                   {0xff1a, 0xff1f},
                                                                   {0x20000, 0x3ffff}}};
    return std::ranges::any_of(ranges,
                               [letter](const auto& range) { return letter >= range.first && letter <= range.second; });
}

std::string lowered(std::string text) {
    for (char& byte : text)
        byte = lowered(byte);
    return text;
}

} // namespace attnlab
