// The key-value pairs of a .gguf file.
#pragma once

#include "core/message.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace attnlab::model {

struct GgufValue;
using GgufIntegers = std::vector<std::int64_t>;
using GgufNumbers = std::vector<double>;
using GgufTexts = std::vector<std::string>;
using GgufArrays = std::vector<GgufValue>;

/// Integers of every width are 64 bits wide, floats are double; an array of bool is one of the integers 0 and 1.
struct GgufValue {
    std::variant<bool, std::int64_t, double, std::string, GgufIntegers, GgufNumbers, GgufTexts, GgufArrays> held;
};

/// Values by key: "llama.block_count". Accessors throw Error that names file, key, what is there and what was expected.
class GgufMetadata {
public:
    explicit GgufMetadata(std::string file) : file_(std::move(file)) {}

    const std::string& file() const { return file_; }
    const std::map<std::string, GgufValue, std::less<>>& values() const { return values_; }
    /// False when there is one of this key.
    bool add(std::string key, GgufValue value) { return values_.emplace(std::move(key), std::move(value)).second; }

    /// nullptr where there is none. Records that the key was read, for unread().
    const GgufValue* find(std::string_view key) const;
    bool has(std::string_view key) const { return find(key) != nullptr; }

    /// The keys that no accessor was asked for.
    std::vector<std::string> unread() const;

    const std::string& text(std::string_view key) const;
    std::int64_t integer(std::string_view key) const;
    double number(std::string_view key) const; ///< also of an integer
    bool boolean(std::string_view key) const;
    const GgufTexts& texts(std::string_view key) const;
    const GgufIntegers& integers(std::string_view key) const;
    const GgufNumbers& numbers(std::string_view key) const;

private:
    template <class Held>
    const Held& at(std::string_view key, const char* expected) const;
    [[noreturn]] void fail(std::string_view key, const char* expected) const;

    std::string file_;
    std::map<std::string, GgufValue, std::less<>> values_;
    mutable std::set<std::string, std::less<>> read_;
};

/// As JSON; of a long array the beginning.
std::string value_text(const GgufValue& value);

} // namespace attnlab::model
