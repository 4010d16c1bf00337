// Labels of tokens in files of their own: text, one a line, and JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attnlab::io {

/// Bytes of such a file.
inline constexpr std::int64_t largest_labels_file = std::int64_t{1} << 26;

/// True for a text that is no table: more than half of its lines, or of the words of its only line, hold no number.
bool is_label_text(std::string_view text);

/// One label a line, as it stands there; where all are in one line, they are parted by blanks. Empty lines at the end
/// are left out. Throws Error naming `name` for UTF-16, and beyond the limits of labels.
std::vector<std::string> read_label_text(std::string_view text, std::string_view name);

/// A list of texts, called `own_name`, or an object of such lists: {"tokens": ["the", "cat"]}. A list of one list of
/// texts is a batch of one; of several lists within a list each has its place at the end of its name: "tokens.0".
/// Throws Error naming `name`, the place and what was expected.
std::vector<std::pair<std::string, std::vector<std::string>>>
read_labels_json(const std::string& text, const std::string& name, const std::string& own_name);

} // namespace attnlab::io
