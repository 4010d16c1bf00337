#include "core/model/weights/gguf_metadata.h"

namespace attnlab::model {
namespace {

/// For messages: "text", "an array of 3 numbers".
struct KindOfValue {
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const { return to_text(value); }
    std::string operator()(const std::string&) const { return "text"; }
    template <class Item>
    std::string operator()(const std::vector<Item>& items) const {
        return "an array of " + std::to_string(items.size());
    }
};

} // namespace

const GgufValue* GgufMetadata::find(std::string_view key) const {
    const auto found = values_.find(key);
    return found == values_.end() ? nullptr : &found->second;
}

void GgufMetadata::fail(std::string_view key, const char* expected) const {
    const auto* value = find(key);
    if (!value)
        throw Error({ATTNLAB_TEXT("%1: has no '%2', expected %3"), {file_, std::string(key), expected}});
    throw Error({ATTNLAB_TEXT("%1: '%2' is %3, expected %4"),
                 {file_, std::string(key), std::visit(KindOfValue(), value->held), expected}});
}

template <class Held>
const Held& GgufMetadata::at(std::string_view key, const char* expected) const {
    const auto* value = find(key);
    const auto* held = value ? std::get_if<Held>(&value->held) : nullptr;
    return held ? *held : (fail(key, expected), *held);
}

const std::string& GgufMetadata::text(std::string_view key) const { return at<std::string>(key, "text"); }
std::int64_t GgufMetadata::integer(std::string_view key) const { return at<std::int64_t>(key, "an integer"); }
bool GgufMetadata::boolean(std::string_view key) const { return at<bool>(key, "true or false"); }
const GgufTexts& GgufMetadata::texts(std::string_view key) const { return at<GgufTexts>(key, "an array of text"); }
const GgufIntegers& GgufMetadata::integers(std::string_view key) const {
    return at<GgufIntegers>(key, "an array of integers");
}
const GgufNumbers& GgufMetadata::numbers(std::string_view key) const {
    return at<GgufNumbers>(key, "an array of numbers");
}

double GgufMetadata::number(std::string_view key) const {
    const auto* value = find(key);
    if (const auto* whole = value ? std::get_if<std::int64_t>(&value->held) : nullptr)
        return static_cast<double>(*whole);
    return at<double>(key, "a number");
}

} // namespace attnlab::model
