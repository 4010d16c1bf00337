// The settings of a model, from its config.json.
#pragma once

#include "core/io/json.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attnlab::model {

/// A member of config.json that no accessor has asked for.
struct UnreadSetting {
    std::string key; ///< "rope_parameters.beta_fast"
    const io::JsonNode* value = nullptr;
    Message why = {}; ///< of Config::ignore(); else empty
};

/// An object of config.json. A member that is null counts as absent, as in Transformers. All accessors throw Error that
/// names file and key, and record that the key was read, for unread(). Valid as long as its Json.
class Config {
public:
    explicit Config(const io::JsonNode& object) : object_(&object), record_(std::make_shared<Record>()) {}

    /// The same object where each first key of `aliases` replaces the second one if it is there, as in Transformers.
    using Aliases = std::vector<std::pair<std::string_view, std::string_view>>;
    Config with_aliases(Aliases aliases) const;

    /// The same object in which `key` is absent. The key counts as read.
    Config without(std::string_view key) const;

    bool has(std::string_view key) const { return find(key) != nullptr; }
    /// Written in the file, be it as null.
    bool mentions(std::string_view key) const { return member(key) != nullptr; }
    const io::JsonNode* find(std::string_view key) const;
    std::optional<Config> object(std::string_view key) const;

    /// A size from 1 to largest_size. Without `absent` the key is required.
    std::int64_t size(std::string_view key, std::optional<std::int64_t> absent = {}) const;
    /// The same up to most_layers, which may be 0.
    std::int64_t layers(std::string_view key, std::optional<std::int64_t> absent = {}) const;
    std::optional<std::int64_t> integer(std::string_view key) const;
    std::optional<double> number(std::string_view key) const;
    double number(std::string_view key, double absent) const { return number(key).value_or(absent); }
    /// What a norm adds under its root: 0 or more.
    double epsilon(std::string_view key, double absent) const;
    bool flag(std::string_view key, bool absent) const;
    std::string text(std::string_view key, std::string_view absent) const;
    std::vector<double> numbers(std::string_view key) const;
    std::vector<std::string> texts(std::string_view key) const;

    /// "config.json: 'rope_type' is "x", expected one of a, b".
    [[noreturn]] void fail(std::string_view key, const Message& expected) const;
    /// Throws Error unless the key is absent or false.
    void refuse(std::string_view key) const;

    /// Declares that a key has no effect here, for a reason that only this model's other settings give.
    void ignore(std::string_view key, const Message& why) const;
    /// What is left of the whole file, in its order, also in objects that were read in part.
    std::vector<UnreadSetting> unread() const;

    const io::JsonNode& node() const { return *object_; }

private:
    /// Shared by the objects of one file.
    struct Record {
        std::set<const io::JsonNode*> read, entered; ///< entered: objects whose members are recorded one by one
        std::map<const io::JsonNode*, Message> ignored;
    };
    Config(const io::JsonNode& object, std::shared_ptr<Record> record) : object_(&object), record_(std::move(record)) {}

    /// nullptr where there is none, also by an alias.
    const io::JsonNode* member(std::string_view key) const;
    const io::JsonNode& at(std::string_view key) const;
    void collect(const io::JsonNode& object, const std::string& prefix, std::vector<UnreadSetting>& found) const;

    const io::JsonNode* object_;
    std::shared_ptr<Record> record_;
    Aliases aliases_ = {};
    std::vector<std::string_view> hidden_ = {};
};

/// Hostile sizes end here, before anything is made of them; products of two stay within int64.
inline constexpr std::int64_t largest_size = std::int64_t{1} << 28;
inline constexpr std::int64_t most_layers = 1024;

} // namespace attnlab::model
