// Parts a typed sentence into words.
#include "core/edit/sentence.h"

#include <algorithm>
#include <array>
#include <map>

namespace attnlab {
namespace {

constexpr std::string_view no_break_space = "\u00a0";
constexpr std::string_view white = " \t\r\n\f\v";

bool within(char32_t letter, std::initializer_list<std::pair<char32_t, char32_t>> ranges) {
    return std::ranges::any_of(ranges,
                               [letter](const auto& range) { return letter >= range.first && letter <= range.second; });
}

/// Written without spaces: Han, Hiragana, Katakana and their punctuation.
bool is_unspaced(char32_t letter) {
    return within(letter, {{0x3001, 0x303f},
                           {0x3040, 0x30ff},
                           {0x31f0, 0x31ff},
                           {0x3400, 0x4dbf},
                           {0x4e00, 0x9fff},
                           {0xf900, 0xfaff},
                           {0xff01, 0xff0f},
                           {0xff1a, 0xff1f},
                           {0x20000, 0x3ffff}});
}

/// Belongs to the character before it: a combining mark or a variation selector.
bool is_mark(char32_t letter) {
    return within(letter, {{0x300, 0x36f}, {0x3099, 0x309c}, {0xfe00, 0xfe0f}, {0xe0100, 0xe01ef}, {0x200d, 0x200d}});
}

struct Letter {
    std::string_view bytes;
    char32_t code = 0;
};

/// The next character; a byte that is no UTF-8 is one by itself.
Letter take(std::string_view& text) {
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t length = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    constexpr std::array<unsigned char, 5> bits = {0, 0x7f, 0x1f, 0x0f, 0x07};
    Letter letter{text.substr(0, length), static_cast<char32_t>(lead & bits[length])};
    for (const char next : letter.bytes.substr(1))
        letter.code = letter.code << 6 | (static_cast<unsigned char>(next) & 0x3f);
    text.remove_prefix(letter.bytes.size());
    return letter;
}

std::vector<std::string_view> parts_of(std::string_view text) {
    std::vector<std::string_view> parts;
    while (true) {
        const auto first = text.find_first_not_of(white);
        if (first == text.npos)
            return parts;
        text.remove_prefix(first);
        const auto length = std::min(text.find_first_of(white), text.size());
        parts.push_back(text.substr(0, length));
        text.remove_prefix(length);
    }
}

/// Each Han character or kana by itself; what is between them (a Latin word, a number) stays together.
std::vector<std::string> characters_of(std::string_view text) {
    std::vector<std::string> words;
    bool joins = false;
    while (!text.empty()) {
        const auto letter = take(text);
        const bool alone = is_unspaced(letter.code);
        if (!words.empty() && (is_mark(letter.code) || (joins && !alone)))
            words.back() += letter.bytes;
        else
            words.emplace_back(letter.bytes);
        joins = is_mark(letter.code) ? joins : !alone;
    }
    return words;
}

} // namespace

std::string typed_form(std::string_view token) {
    std::string typed;
    for (const char letter : token)
        typed += white.find(letter) == white.npos ? std::string_view(&letter, 1) : no_break_space;
    return typed;
}

std::string typed_sentence(const std::vector<std::string>& tokens) {
    std::string line;
    for (const auto& token : tokens)
        line += (line.empty() ? "" : " ") + typed_form(token);
    return line;
}

std::vector<std::string> words_in(std::string_view text, const std::vector<std::string>& known) {
    const auto parts = parts_of(text);
    std::map<std::string, std::string_view, std::less<>> tokens;
    for (const auto& token : known)
        tokens.emplace(typed_form(token), token);
    std::vector<std::string> words;
    for (const auto part : parts) {
        if (const auto token = tokens.find(part); token != tokens.end())
            words.emplace_back(token->second);
        else if (parts.size() == 1)
            words = characters_of(part);
        else
            words.emplace_back(part);
    }
    return words;
}

} // namespace attnlab
