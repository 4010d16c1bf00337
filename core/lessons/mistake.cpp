#include "core/lessons/mistake.h"

namespace attnlab::lessons {

std::string Mistake::text() const {
    return file + (line > 0 ? ":" + std::to_string(line) : "") + ": " + message.english();
}

namespace {

std::string lines_of(const std::vector<Mistake>& mistakes) {
    std::string lines;
    for (const auto& mistake : mistakes)
        lines += (lines.empty() ? "" : "\n") + mistake.text();
    return lines;
}

} // namespace

LessonError::LessonError(std::vector<Mistake> mistakes)
    : Error({"%1", {lines_of(mistakes)}}), mistakes_(std::move(mistakes)) {}

LessonError::LessonError(Mistake mistake) : LessonError(std::vector{std::move(mistake)}) {}

LessonError::LessonError(std::string file, int line, Message message)
    : LessonError(Mistake{std::move(file), line, std::move(message)}) {}

} // namespace attnlab::lessons
