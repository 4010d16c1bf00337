#include "core/io/json.h"

#include "core/message.h"

#include <algorithm>
#include <set>

namespace attnlab::io {
namespace {

constexpr int deepest = 64; ///< keeps what walks the tree later from running out of stack

/// Refuses duplicate keys and deep nesting while nlohmann's parser builds the tree.
class StructureGuard {
public:
    explicit StructureGuard(const std::string& name) : name_(name) {}

    bool operator()(int depth, nlohmann::json::parse_event_t event, const nlohmann::json& parsed) {
        using Event = nlohmann::json::parse_event_t;
        if (depth > deepest)
            throw Error({ATTNLAB_TEXT("%1: is nested more than %2 levels deep"), {name_, std::to_string(deepest)}});
        if (event == Event::object_start)
            keys_.emplace_back();
        else if (event == Event::object_end)
            keys_.pop_back();
        else if (event == Event::key && !keys_.back().insert(parsed.get<std::string>()).second)
            throw Error({ATTNLAB_TEXT("%1: key '%2' is there twice"), {name_, parsed.get<std::string>()}});
        return true;
    }

private:
    const std::string& name_;
    std::vector<std::set<std::string>> keys_;
};

/// The value itself, which needs no translation; a long one is cut.
std::string described(const nlohmann::json& value) {
    constexpr std::size_t most = 40;
    auto text = dump(value);
    if (text.size() <= most)
        return text;
    text.resize(most);
    // Not within a character of UTF-8.
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0) == 0x80)
        text.pop_back();
    text.pop_back();
    return text + "…";
}

[[noreturn]] void fail_to_parse(const std::string& name, std::size_t byte) {
    throw Error({ATTNLAB_TEXT("%1: is no valid JSON near byte %2"), {name, std::to_string(byte)}});
}

} // namespace

nlohmann::json parse_object(std::string_view text, const std::string& name) {
    // nlohmann's parser takes a NUL for the end and would leave the rest unread.
    if (const auto nul = text.find('\0'); nul != std::string_view::npos)
        fail_to_parse(name, nul + 1);
    nlohmann::json json;
    try {
        json = nlohmann::json::parse(text.begin(), text.end(), StructureGuard(name));
    } catch (const nlohmann::json::parse_error& error) {
        fail_to_parse(name, error.byte);
    } catch (const nlohmann::json::out_of_range&) {
        throw Error({ATTNLAB_TEXT("%1: holds a number outside the range of float64"), {name}});
    }
    if (!json.is_object())
        throw Error({ATTNLAB_TEXT("%1: is %2, expected an object"), {name, described(json)}});
    return json;
}

std::string dump(const nlohmann::json& json, int indent) {
    return json.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

void JsonPlace::fail(const char* literal) const { throw Error({literal, {name_, path_, described(value_)}}); }

void JsonPlace::require_keys(std::initializer_list<std::string_view> known) const {
    require_object();
    for (const auto& [key, ignored] : value_.items())
        if (std::find(known.begin(), known.end(), key) == known.end())
            throw Error({ATTNLAB_TEXT("%1: '%2' is unknown to this version"), {name_, at(key).path()}});
}

JsonPlace JsonPlace::at(const std::string& key) const {
    return {value_.at(key), path_.empty() ? key : path_ + "." + key, name_};
}

JsonPlace JsonPlace::at(std::size_t index) const {
    return {value_.at(index), path_ + "[" + std::to_string(index) + "]", name_};
}

void JsonPlace::require_object() const {
    if (!value_.is_object())
        fail(ATTNLAB_TEXT("%1: '%2' is %3, expected an object"));
}

void JsonPlace::require_array() const {
    if (!value_.is_array())
        fail(ATTNLAB_TEXT("%1: '%2' is %3, expected a list"));
}

bool JsonPlace::boolean() const {
    if (!value_.is_boolean())
        fail(ATTNLAB_TEXT("%1: '%2' is %3, expected true or false"));
    return value_.get<bool>();
}

std::int64_t JsonPlace::integer() const {
    const bool too_large = value_.is_number_unsigned() && value_.get<std::uint64_t>() > std::uint64_t{INT64_MAX};
    if (!value_.is_number_integer() || too_large)
        fail(ATTNLAB_TEXT("%1: '%2' is %3, expected an integer of 64 bits"));
    return value_.get<std::int64_t>();
}

std::string JsonPlace::text() const {
    if (!value_.is_string())
        fail(ATTNLAB_TEXT("%1: '%2' is %3, expected text"));
    return value_.get<std::string>();
}

} // namespace attnlab::io
