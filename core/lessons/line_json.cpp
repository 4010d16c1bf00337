#include "core/lessons/line_json.h"

namespace attnlab::lessons {

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
