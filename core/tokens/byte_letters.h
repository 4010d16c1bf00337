// The visible characters that stand for bytes in byte-level vocabularies, since GPT-2.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace attnlab::tokens {

/// The character by which GPT-2's vocabulary writes a byte: printable bytes of Latin-1 are written as that character,
/// the n-th of the others as U+0100 + n. A space becomes "Ġ".
char32_t letter_of_byte(unsigned char byte);
/// The inverse, for each character of `letters`; nullopt if one of them is not the character of a byte.
std::optional<std::string> bytes_of_letters(std::string_view letters);

} // namespace attnlab::tokens
