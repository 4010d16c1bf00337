// Bytes as text in base 64, for files of text that hold binary data.
#pragma once

#include <string>
#include <string_view>

namespace attnlab::io {

/// RFC 4648, with padding. Throws Error for anything else.
std::string from_base64(std::string_view text);
std::string to_base64(std::string_view bytes);

} // namespace attnlab::io
