#pragma once

#include <string>
#include <string_view>

namespace attnlab::tokens {

/// RFC 4648, with padding. Throws Error for anything else.
std::string from_base64(std::string_view text);
std::string to_base64(std::string_view bytes);

} // namespace attnlab::tokens
