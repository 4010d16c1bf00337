// JSON whose values know their lines, so that every mistake in a lesson can be pointed at.
#pragma once

#include "core/lessons/mistake.h"

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace attnlab::lessons {

/// One value. All members that read it throw LessonError where it is of another kind.
class JsonNode {
public:
    using Items = std::vector<JsonNode>;
    using Members = std::vector<std::pair<std::string, JsonNode>>; ///< in the order of the file
    using Held = std::variant<std::nullptr_t, bool, std::int64_t, double, std::string, Items, Members>;

    JsonNode(Held held, int line, std::string path, std::shared_ptr<const std::string> file)
        : held_(std::move(held)), line_(line), path_(std::move(path)), file_(std::move(file)) {}

    int line() const { return line_; }
    const std::string& file() const { return *file_; }

    const Members& members() const;
    const Items& items() const;
    const std::string& text() const;
    bool boolean() const;
    std::int64_t integer() const;
    double number() const; ///< or "inf", "-inf"

    bool is_text() const { return std::holds_alternative<std::string>(held_); }
    bool is_text(std::string_view word) const { return is_text() && std::get<std::string>(held_) == word; }
    bool is_list() const { return std::holds_alternative<Items>(held_); }
    bool is_integer() const { return std::holds_alternative<std::int64_t>(held_); }
    bool is_boolean() const { return std::holds_alternative<bool>(held_); }

    /// Of an object: a member, or null.
    const JsonNode* find(std::string_view key) const;
    /// Of an object: a member that must be there.
    const JsonNode& at(std::string_view key) const;
    void require_keys(std::initializer_list<std::string_view> known) const;
    /// A text that must be one of some words.
    const std::string& one_of(std::span<const std::string_view> words) const;

    [[noreturn]] void fail(const Message& message) const;
    /// "'steps[0].board' is "lab", expected ..."
    [[noreturn]] void fail_expecting(const std::string& what) const;

private:
    std::string described() const;

    Held held_;
    int line_;
    std::string path_;
    std::shared_ptr<const std::string> file_;
};

/// `text` must be an object. `file` is what messages call it. Throws LessonError, also for keys that are there twice
/// and for deep nesting.
JsonNode parse_json(std::string_view text, const std::string& file);

/// "a, b, c".
std::string listed(std::span<const std::string_view> words);

} // namespace attnlab::lessons
