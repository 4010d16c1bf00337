// Text of the engine for the user, kept apart from its arguments so that the window can translate it.
#pragma once

#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

/// Marks a literal for translation; the translation tools search for this name.
#define ATTNLAB_TEXT(literal) literal

namespace attnlab {

struct Message;

/// What fills a placeholder: a name or number, the same in every language, or words, which are translated in their
/// turn.
class Argument {
public:
    Argument() = default;
    Argument(std::string text) : text_(std::move(text)) {}
    Argument(const char* text) : text_(text) {}
    Argument(Message words);

    /// Null for a text.
    const Message* words() const { return words_.get(); }
    /// In English.
    const std::string& text() const { return text_; }

private:
    std::string text_;
    std::shared_ptr<const Message> words_;
};

/// A text with placeholders: an English literal marked by ATTNLAB_TEXT with %1 .. %9, also the key of its translation.
struct Message {
    const char* text = "";
    std::vector<Argument> arguments;

    Message() = default;
    Message(const char* literal, std::vector<Argument> holes = {}) : text(literal), arguments(std::move(holes)) {}

    bool empty() const { return *text == '\0'; }
    /// The sentence in English.
    std::string english() const { return filled(text); }
    /// Replaces the placeholders of `translated` by the arguments. An argument that contains "%1" itself is not
    /// expanded.
    std::string filled(const std::string& translated) const;

    bool operator==(const Message& other) const { return english() == other.english(); }
};

/// Joins messages by the text `pair`: with "%1, %2" they are a list. Empty if there are none.
Message joined(const std::vector<Message>& messages, const char* pair);

/// Bad data or an impossible request. what() is the English sentence.
class Error : public std::runtime_error {
public:
    explicit Error(Message message) : std::runtime_error(message.english()), message_(std::move(message)) {}
    const Message& message() const { return message_; }

private:
    Message message_;
};

/// An Error for a name that is not in a table. Its message ends with the known names.
class UnknownName : public Error {
public:
    using Error::Error;
};

/// Thrown by a computation that RunControl cancelled; not an error, hence not derived from Error.
class Cancelled : public std::exception {
public:
    const char* what() const noexcept override { return "cancelled"; }
};

/// The shortest decimal text that reads back as the same double; "inf", "-inf" and "nan" for the rest.
std::string to_text(double value);

} // namespace attnlab
