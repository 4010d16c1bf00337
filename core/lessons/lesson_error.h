// An error in a lesson with its position, and JSON that remembers its lines.
#pragma once

#include "core/io/json.h"
#include "core/message.h"

#include <string>
#include <vector>

namespace attnlab::lessons {

struct Mistake {
    std::string file;
    int line = 0; ///< from 1; 0: the file as a whole
    Message message;

    /// "lessons/02-why-divide/scene.json:14: ...", like compilers.
    std::string text() const;
};

/// Thrown for a lesson that cannot be read. what() is the text of its mistakes, one a line.
class LessonError : public Error {
public:
    /// One or more.
    explicit LessonError(std::vector<Mistake> mistakes);
    explicit LessonError(Mistake mistake);
    LessonError(std::string file, int line, Message message);
    const std::vector<Mistake>& mistakes() const { return mistakes_; }

private:
    std::vector<Mistake> mistakes_;
};

/// Runs `act`; the mistakes of a LessonError that it throws are appended to `mistakes`.
template <class Act>
bool collected(std::vector<Mistake>& mistakes, Act act) {
    try {
        act();
        return true;
    } catch (const LessonError& error) {
        mistakes.insert(mistakes.end(), error.mistakes().begin(), error.mistakes().end());
        return false;
    }
}

// JSON of lessons, with errors that give the line.

using io::JsonNode;

/// `text` must be an object. `file` is used in messages. Errors of the text, also those found later by its nodes, are
/// thrown as LessonError.
io::Json parse_json(std::string_view text, const std::string& file);

/// Throws a LessonError for the line of `node`.
[[noreturn]] void fail(const JsonNode& node, const Message& message);

} // namespace attnlab::lessons
