// Token labels in separate files: text with one label a line, and JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attnlab {
struct RunControl;
}

namespace attnlab::io {

/// All throw Cancelled where `control`, if not null, is cancelled.

/// The largest size of such a file in bytes.
inline constexpr std::int64_t largest_labels_file = std::int64_t{1} << 26;

/// True for text that is not a table: more than half of its lines, or of the words of its only line, contain no number.
bool is_label_text(std::string_view text, const RunControl* control = nullptr);

/// Throws Error, with the first line that is no text in UTF-8.
void require_utf8(std::string_view text, std::string_view name);

/// One label a line, unchanged; a single line is split at spaces. Empty lines at the end are ignored. Throws Error
/// naming `name` for UTF-16 and what is not UTF-8, and beyond the limits of labels.
std::vector<std::string> read_label_text(std::string_view text, std::string_view name,
                                         const RunControl* control = nullptr);

/// A list of strings, called `own_name`, or an object of such lists: {"tokens": ["the", "cat"]}. A list of one list of
/// strings is a batch of one; of several lists in a list, each has its index appended to its name: "tokens.0". Throws
/// Error naming `name`, the position and what was expected.
std::vector<std::pair<std::string, std::vector<std::string>>> read_labels_json(const std::string& text,
                                                                               const std::string& name,
                                                                               const std::string& own_name,
                                                                               const RunControl* control = nullptr);

} // namespace attnlab::io
