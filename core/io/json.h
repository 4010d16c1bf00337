// A strict JSON reader: every error is an Error with its position.
#pragma once

#include "core/message.h"

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace attnlab {
struct RunControl;
}

namespace attnlab::io {

/// Limits of a text. A list of a million strings takes about 150 MB while it is read.
struct JsonLimits {
    std::int64_t max_bytes = std::int64_t{1} << 26;
    std::int64_t max_values = std::int64_t{1} << 21; ///< numbers, strings, lists and objects together
    bool any_root = false;                           ///< the text may be a list or a single value, not only an object
    std::size_t max_depth = 64;                      ///< protects recursive walks from stack overflow
    const RunControl* control = nullptr;             ///< if not null: polled, throws Cancelled
};

/// Throws the caller's error type for an error in line `line` of the text `name`. `literal` begins with "%1: ", where
/// %1 is the position; `holes` begin with %2.
using JsonFailure = void (*)(const std::string& name, int line, const char* literal, std::vector<Argument> holes);

/// An entry of a file that has no part in the result: a setting, or a tensor of weights.
struct UnreadEntry {
    std::string file;       ///< "config.json"; for a tensor, the name of its folder or file
    std::string name;       ///< "rope_scaling.finetuned", "vit.pooler.dense.weight"
    std::string value = {}; ///< as JSON; empty for a tensor
    Message why = {};       ///< why the entry does not matter here; empty: not known
    bool is_said = true;    ///< the user should hear of it

    bool is_known() const { return !why.empty(); }
};

struct JsonText;

/// One value. Accessors throw for a value of another type. Valid as long as its Json.
class JsonNode {
public:
    using Items = std::vector<JsonNode>;
    using Members = std::vector<std::pair<std::string, JsonNode>>; ///< in the order of the text
    /// An integer beyond int64 is unsigned.
    using Held = std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string, Items, Members>;

    JsonNode(Held held, int line, const JsonText& text) : held_(std::move(held)), line_(line), text_(&text) {}

    const Held& held() const { return held_; }
    int line() const { return line_; }
    const std::string& name_of_text() const;
    /// "spec.masks[0].id"; found by a search, so only for messages.
    std::string path() const;

    const Members& members() const;
    const Items& items() const;
    const std::string& text() const;
    bool boolean() const;
    std::int64_t integer() const;
    double number() const; ///< or "inf", "-inf"

    bool is_text() const { return std::holds_alternative<std::string>(held_); }
    bool is_text(std::string_view word) const { return is_text() && std::get<std::string>(held_) == word; }
    bool is_list() const { return std::holds_alternative<Items>(held_); }
    bool is_boolean() const { return std::holds_alternative<bool>(held_); }
    bool is_integer() const {
        return std::holds_alternative<std::int64_t>(held_) || std::holds_alternative<std::uint64_t>(held_);
    }
    bool is_number() const { return is_integer() || std::holds_alternative<double>(held_); }

    /// Of an object: a member, or null.
    const JsonNode* find(std::string_view key) const;
    /// A required member of an object.
    const JsonNode& at(std::string_view key) const;
    void require_keys(std::initializer_list<std::string_view> known) const;
    /// A string that must be one of `words`.
    const std::string& one_of(std::span<const std::string_view> words) const;

    /// As JsonFailure; `literal` is marked by ATTNLAB_TEXT.
    [[noreturn]] void fail(const char* literal, std::vector<Argument> holes = {}) const;
    /// The same where %2 is the path and %3 the value: "%1: '%2' is %3, expected text".
    [[noreturn]] void fail_as(const char* literal) const;
    /// "'steps[0].board' is "lab", expected ..."
    [[noreturn]] void fail_expecting(const Message& what) const;

private:
    std::string described() const;

    Held held_;
    int line_;
    const JsonText* text_;
};

struct JsonText {
    JsonText(std::string called, JsonFailure failure)
        : name(std::move(called)), fail(failure), root(nullptr, 1, *this) {}
    JsonText(const JsonText&) = delete;
    JsonText& operator=(const JsonText&) = delete;

    std::string name;
    JsonFailure fail;
    JsonNode root;
};

/// A parsed text: an object and its contents.
class Json {
public:
    explicit Json(std::unique_ptr<const JsonText> text) : text_(std::move(text)) {}
    const JsonNode& root() const { return text_->root; }

private:
    std::unique_ptr<const JsonText> text_;
};

/// Parses `text`, which must be a JSON object (RFC 8259). `name` is used in messages. Rejects duplicate keys, numbers
/// outside the range of float64, a NUL, and sizes beyond the limits; takes linear time. Throws Error whose message
/// begins with the name, and with the line if there are several, unless `fail` throws something else.
Json parse_json(std::string_view text, const std::string& name, const JsonLimits& limits = {},
                JsonFailure fail = nullptr);

nlohmann::json to_json(const JsonNode& node);

/// UTF-8 text of `json`; invalid UTF-8 becomes U+FFFD.
std::string dump(const nlohmann::json& json, int indent = -1);
/// The same of one value, whatever its size, on one line. Texts of more than 4096 bytes are cut. Throws Cancelled.
std::string dump_for_message(const JsonNode& node, const RunControl& control);

} // namespace attnlab::io
