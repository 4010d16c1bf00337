// JSON read with care: every mistake ends in an Error that names the key.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace attnlab::io {

/// Parses text that is an object; duplicate keys and deep nesting are errors. `name` is what messages call the text.
nlohmann::json parse_object(std::string_view text, const std::string& name);

/// UTF-8 text of `json`; bytes that are no UTF-8 become U+FFFD.
std::string dump(const nlohmann::json& json, int indent = -1);

/// A value and the path to it, for messages: "workspace.json: spec.masks[0].id".
class JsonPlace {
public:
    JsonPlace(const nlohmann::json& value, std::string path, std::string name)
        : value_(value), path_(std::move(path)), name_(std::move(name)) {}

    const nlohmann::json& value() const { return value_; }
    const std::string& path() const { return path_; }

    /// Throws Error unless this is an object whose keys are all among `known`.
    void require_keys(std::initializer_list<std::string_view> known) const;
    bool has(const char* key) const { return value_.contains(key); }
    JsonPlace at(const std::string& key) const;
    JsonPlace at(std::size_t index) const;

    /// Each throws Error when the value is of another type.
    void require_object() const;
    void require_array() const;
    bool boolean() const;
    std::int64_t integer() const;
    std::string text() const;

    /// `literal` is marked by ATTNLAB_TEXT; %1 is the file, %2 the place in it and %3 the value there.
    [[noreturn]] void fail(const char* literal) const;

private:
    const nlohmann::json& value_;
    std::string path_;
    std::string name_;
};

} // namespace attnlab::io
