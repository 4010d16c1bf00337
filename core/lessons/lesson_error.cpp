#include "core/lessons/lesson_error.h"

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

io::Json parse_json(std::string_view text, const std::string& file) {
    return io::parse_json(text, file, {},
                          [](const std::string& name, int line, const char* literal, std::vector<Argument> holes) {
                              constexpr std::size_t place_length = 4; // of "%1: ", which a Mistake adds itself
                              holes.insert(holes.begin(), std::string());
                              throw LessonError(name, line, {literal + place_length, std::move(holes)});
                          });
}

void fail(const JsonNode& node, const Message& message) {
    throw LessonError(node.name_of_text(), node.line(), message);
}

} // namespace attnlab::lessons
