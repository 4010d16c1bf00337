#include "core/model/weights/gguf_metadata.h"

#include <algorithm>

namespace attnlab::model {
namespace {

/// For messages: "text", "an array of 3 numbers".
struct KindOfValue {
    Message operator()(bool value) const { return value ? "true" : "false"; }
    Message operator()(std::int64_t value) const { return {"%1", {std::to_string(value)}}; }
    Message operator()(double value) const { return {"%1", {to_text(value)}}; }
    Message operator()(const std::string&) const { return ATTNLAB_TEXT("text"); }
    template <class Item>
    Message operator()(const std::vector<Item>& items) const {
        return {ATTNLAB_TEXT("an array of %1"), {std::to_string(items.size())}};
    }
};

/// As JSON.
struct TextOfValue {
    static constexpr std::size_t most_items = 256;

    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const { return attnlab::to_text(value); }
    std::string operator()(const std::string& value) const { return '"' + value + '"'; }
    std::string operator()(const GgufValue& value) const { return value_text(value); }
    template <class Item>
    std::string operator()(const std::vector<Item>& items) const {
        std::string list;
        for (std::size_t i = 0; i < std::min(items.size(), most_items); ++i)
            list += (i == 0 ? "" : ",") + (*this)(items[i]);
        return "[" + list + (items.size() > most_items ? ",...]" : "]");
    }
};

} // namespace

std::string value_text(const GgufValue& value) { return std::visit(TextOfValue(), value.held); }

const GgufValue* GgufMetadata::find(std::string_view key) const {
    const auto found = values_.find(key);
    if (found == values_.end())
        return nullptr;
    read_.emplace(key);
    return &found->second;
}

std::vector<std::string> GgufMetadata::unread() const {
    std::vector<std::string> left;
    for (const auto& [key, value] : values_)
        if (!read_.contains(key))
            left.push_back(key);
    return left;
}

void GgufMetadata::fail(std::string_view key, const char* expected) const {
    const auto* value = find(key);
    if (!value)
        throw Error({ATTNLAB_TEXT("%1: has no '%2', expected %3"), {file_, std::string(key), Message(expected)}});
    throw Error({ATTNLAB_TEXT("%1: '%2' is %3, expected %4"),
                 {file_, std::string(key), std::visit(KindOfValue(), value->held), Message(expected)}});
}

template <class Held>
const Held& GgufMetadata::at(std::string_view key, const char* expected) const {
    const auto* value = find(key);
    const auto* held = value ? std::get_if<Held>(&value->held) : nullptr;
    return held ? *held : (fail(key, expected), *held);
}

const std::string& GgufMetadata::text(std::string_view key) const { return at<std::string>(key, ATTNLAB_TEXT("text")); }
std::int64_t GgufMetadata::integer(std::string_view key) const {
    return at<std::int64_t>(key, ATTNLAB_TEXT("an integer"));
}
bool GgufMetadata::boolean(std::string_view key) const { return at<bool>(key, ATTNLAB_TEXT("true or false")); }
const GgufTexts& GgufMetadata::texts(std::string_view key) const {
    return at<GgufTexts>(key, ATTNLAB_TEXT("an array of text"));
}
const GgufIntegers& GgufMetadata::integers(std::string_view key) const {
    return at<GgufIntegers>(key, ATTNLAB_TEXT("an array of integers"));
}
const GgufNumbers& GgufMetadata::numbers(std::string_view key) const {
    return at<GgufNumbers>(key, ATTNLAB_TEXT("an array of numbers"));
}

double GgufMetadata::number(std::string_view key) const {
    const auto* value = find(key);
    if (const auto* whole = value ? std::get_if<std::int64_t>(&value->held) : nullptr)
        return static_cast<double>(*whole);
    return at<double>(key, ATTNLAB_TEXT("a number"));
}

} // namespace attnlab::model
