// Reads matrices that a student handed in, in whatever form they were written.
#pragma once

#include "core/recognition/contents.h"

#include <filesystem>

namespace attnlab::ui {

/// The arrays of a file: formats of arrays, and texts with one matrix (.json, .md, .tex, .m, .py: a list, LaTeX, a
/// Markdown table), which is named by the file. A JSON object has one array for each of its lists. Throws Error that
/// names the file.
Contents readHandIn(const std::filesystem::path& path);

} // namespace attnlab::ui
