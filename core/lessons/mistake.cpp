#include "core/lessons/mistake.h"

namespace attnlab::lessons {

std::string Mistake::text() const {
    return file + (line > 0 ? ":" + std::to_string(line) : "") + ": " + message.english();
}

LessonError::LessonError(Mistake mistake) : Error({"%1", {mistake.text()}}), mistake_(std::move(mistake)) {}

LessonError::LessonError(std::string file, int line, Message message)
    : LessonError(Mistake{std::move(file), line, std::move(message)}) {}

} // namespace attnlab::lessons
