// JSON of lessons, with errors that give the line.
#pragma once

#include "core/io/json.h"
#include "core/lessons/mistake.h"

namespace attnlab::lessons {

using io::JsonNode;
using io::listed;

/// `text` must be an object. `file` is used in messages. Errors of the text, also those found later by its nodes, are
/// thrown as LessonError.
io::Json parse_json(std::string_view text, const std::string& file);

/// Throws a LessonError for the line of `node`.
[[noreturn]] void fail(const JsonNode& node, const Message& message);

} // namespace attnlab::lessons
