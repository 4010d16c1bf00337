// An error in a lesson, with its position.
#pragma once

#include "core/message.h"

#include <string>

namespace attnlab::lessons {

struct Mistake {
    std::string file;
    int line = 0; ///< from 1; 0: the file as a whole
    Message message;

    /// "lessons/02-why-divide/scene.json:14: ...", like compilers.
    std::string text() const;
};

/// Thrown for a lesson that cannot be read. what() is the text of its mistake.
class LessonError : public Error {
public:
    explicit LessonError(Mistake mistake);
    LessonError(std::string file, int line, Message message);
    const Mistake& mistake() const { return mistake_; }

private:
    Mistake mistake_;
};

} // namespace attnlab::lessons
