// Classes of Unicode characters, and the visible characters that stand for bytes.
#pragma once

#include "core/utf8.h"

#include <optional>
#include <string>
#include <string_view>

namespace attnlab::tokens {

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

// The visible characters that stand for bytes in byte-level vocabularies, since GPT-2.

/// The character by which GPT-2's vocabulary writes a byte: printable bytes of Latin-1 are written as that character,
/// the n-th of the others as U+0100 + n. A space becomes "Ġ".
char32_t letter_of_byte(unsigned char byte);
/// The inverse, for each character of `letters`; nullopt if one of them is not the character of a byte.
std::optional<std::string> bytes_of_letters(std::string_view letters);

} // namespace attnlab::tokens
