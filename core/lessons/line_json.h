// JSON of lessons: every mistake is pointed at by its line.
#pragma once

#include "core/io/json.h"
#include "core/lessons/mistake.h"

namespace attnlab::lessons {

using io::JsonNode;
using io::listed;

/// `text` must be an object. `file` is what messages call it. What is wrong with it, or found wrong by its nodes later,
/// is thrown as LessonError.
io::Json parse_json(std::string_view text, const std::string& file);

/// A mistake in the line of `node`, as LessonError.
[[noreturn]] void fail(const JsonNode& node, const Message& message);

} // namespace attnlab::lessons
