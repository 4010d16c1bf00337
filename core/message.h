// Text that the engine says to people, kept apart from its arguments so that the window can translate it.
#pragma once

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <vector>

/// Marks a literal for translation; the translation tools look for this name.
#define ATTNLAB_TEXT(literal) literal

namespace attnlab {

/// A sentence with holes: `text` is an English literal marked by ATTNLAB_TEXT with holes %1 .. %9, and doubles as
/// the key under which the window finds its translation.
struct Message {
    const char* text = "";
    std::vector<std::string> arguments;

    Message() = default;
    Message(const char* literal, std::vector<std::string> holes = {}) : text(literal), arguments(std::move(holes)) {}

    bool empty() const { return *text == '\0'; }
    /// The sentence in English.
    std::string english() const { return filled(text); }
    /// Puts the arguments into the holes of `translated`. An argument that contains "%1" itself is left as it is.
    std::string filled(const std::string& translated) const;

    bool operator==(const Message& other) const { return english() == other.english(); }
};

/// Bad data or an impossible request. what() is the English sentence.
class Error : public std::runtime_error {
public:
    explicit Error(Message message) : std::runtime_error(message.english()), message_(std::move(message)) {}
    const Message& message() const { return message_; }

private:
    Message message_;
};

/// An Error for a name that is not in a table. Its message ends with the names that are.
class UnknownName : public Error {
public:
    using Error::Error;
};

/// Thrown out of a computation that RunControl cancelled; no error, hence not an Error.
class Cancelled : public std::exception {
public:
    const char* what() const noexcept override { return "cancelled"; }
};

/// The shortest decimal text that reads back as the same double; "inf", "-inf" and "nan" for the rest.
std::string to_text(double value);

} // namespace attnlab
