// The visible characters that stand for bytes in byte-level vocabularies, since GPT-2.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace attnlab::tokens {

/// A printable character of Latin-1 stands for itself, the n-th other byte is U+0100 + n: a space is "Ġ".
char32_t letter_of_byte(unsigned char byte);
/// The bytes that `letters` stand for; nullopt where one of them stands for none.
std::optional<std::string> bytes_of_letters(std::string_view letters);

} // namespace attnlab::tokens
