// The settings of a model, from its config.json.
#pragma once

#include "core/io/json.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::model {

/// An object of config.json. A member that is null counts as absent, as in Transformers. All accessors throw Error that
/// names file and key. Valid as long as its Json.
class Config {
public:
    explicit Config(const io::JsonNode& object) : object_(&object) {}

    bool has(std::string_view key) const { return find(key) != nullptr; }
    /// Written in the file, be it as null.
    bool mentions(std::string_view key) const { return object_->find(key) != nullptr; }
    const io::JsonNode* find(std::string_view key) const;
    std::optional<Config> object(std::string_view key) const;

    /// A size from 1 to largest_size. Without `absent` the key is required.
    std::int64_t size(std::string_view key, std::optional<std::int64_t> absent = {}) const;
    /// The same up to most_layers, which may be 0.
    std::int64_t layers(std::string_view key, std::optional<std::int64_t> absent = {}) const;
    std::optional<std::int64_t> integer(std::string_view key) const;
    std::optional<double> number(std::string_view key) const;
    double number(std::string_view key, double absent) const { return number(key).value_or(absent); }
    bool flag(std::string_view key, bool absent) const;
    std::string text(std::string_view key, std::string_view absent) const;
    std::vector<double> numbers(std::string_view key) const;
    std::vector<std::string> texts(std::string_view key) const;

    /// "config.json: 'rope_type' is "x", expected one of a, b".
    [[noreturn]] void fail(std::string_view key, const Message& expected) const;
    /// Throws Error unless the key is absent or false.
    void refuse(std::string_view key) const;

    const io::JsonNode& node() const { return *object_; }

private:
    const io::JsonNode& at(std::string_view key) const { return object_->at(key); }

    const io::JsonNode* object_;
};

/// Hostile sizes end here, before anything is made of them; products of two stay within int64.
inline constexpr std::int64_t largest_size = std::int64_t{1} << 28;
inline constexpr std::int64_t most_layers = 1024;

} // namespace attnlab::model
