#include "core/model/weights/gguf_cursor.h"

#include "core/run_control.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace attnlab::model {
namespace {

/// Types of values in the file.
enum MetadataType : std::uint32_t { U8, I8, U16, I16, U32, I32, Float32, Bool, Text, Array, U64, I64, Float64 };
constexpr std::uint64_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 1, 8, 12, 8, 8, 8}; ///< the least that one takes
constexpr int deepest = 4;

bool is_integer(std::uint32_t type) { return type <= I32 || type == U64 || type == I64; }
bool is_float(std::uint32_t type) { return type == Float32 || type == Float64; }

} // namespace

void GgufCursor::require(std::uint64_t count, std::uint64_t each) {
    const auto left = static_cast<std::uint64_t>(end_ - position());
    if (count > left / each)
        throw Error({ATTNLAB_TEXT("%1: is cut short or damaged within its header: at byte %2 it announces %3 things of "
                                  "at least %4 bytes each"),
                     {name_, std::to_string(position()), std::to_string(count), std::to_string(each)}});
}

void GgufCursor::copy(char* to, std::size_t count) {
    require(count, 1);
    while (count > 0) {
        if (used_ == buffer_.size()) {
            if (control_)
                control_->checkpoint();
            buffer_begin_ = position();
            buffer_ = bytes_.text(buffer_begin_, std::min<std::int64_t>(1 << 16, end_ - buffer_begin_));
            used_ = 0;
        }
        const auto part = std::min(count, buffer_.size() - used_);
        std::memcpy(to, buffer_.data() + used_, part);
        used_ += part;
        to += part;
        count -= part;
    }
}

std::string GgufCursor::text() {
    const auto length = number<std::uint64_t>();
    require(length, 1);
    std::string text(static_cast<std::size_t>(length), '\0');
    copy(text.data(), text.size());
    return text;
}

std::int64_t GgufCursor::integer(std::uint32_t type, const std::string& key) {
    switch (type) {
    case U8:
        return number<std::uint8_t>();
    case I8:
        return number<std::int8_t>();
    case U16:
        return number<std::uint16_t>();
    case I16:
        return number<std::int16_t>();
    case U32:
        return number<std::uint32_t>();
    case I32:
        return number<std::int32_t>();
    case I64:
        return number<std::int64_t>();
    default:
        break;
    }
    const auto value = number<std::uint64_t>();
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        throw Error({ATTNLAB_TEXT("%1: '%2' is %3, expected an integer within 64 bits with a sign"),
                     {name_, key, std::to_string(value)}});
    return static_cast<std::int64_t>(value);
}

bool GgufCursor::boolean(const std::string& key) {
    const auto value = number<std::uint8_t>();
    if (value > 1)
        throw Error({ATTNLAB_TEXT("%1: '%2' is %3, expected 0 or 1 for a bool"), {name_, key, std::to_string(value)}});
    return value == 1;
}

template <class Item, class Read>
std::vector<Item> GgufCursor::items(std::uint64_t count, std::uint64_t each, Read read) {
    require(count, each);
    std::vector<Item> items;
    items.reserve(static_cast<std::size_t>(count));
    for (std::uint64_t i = 0; i < count; ++i)
        items.push_back(read());
    return items;
}

GgufValue GgufCursor::array(const std::string& key, int depth) {
    if (depth == deepest)
        throw Error({ATTNLAB_TEXT("%1: '%2' has arrays that are nested more than %3 deep"),
                     {name_, key, std::to_string(deepest)}});
    const auto type = number<std::uint32_t>();
    const auto count = number<std::uint64_t>();
    const auto each = type < std::size(sizes) ? sizes[type] : 1;
    if (is_integer(type))
        return {items<std::int64_t>(count, each, [&] { return integer(type, key); })};
    if (type == Bool)
        return {items<std::int64_t>(count, each, [&] { return boolean(key) ? 1 : 0; })};
    if (type == Float32)
        return {items<double>(count, each, [&] { return double{number<float>()}; })};
    if (type == Float64)
        return {items<double>(count, each, [&] { return number<double>(); })};
    if (type == Text)
        return {items<std::string>(count, each, [&] { return text(); })};
    return {items<GgufValue>(count, each, [&] { return value(type, key, depth + 1); })};
}

GgufValue GgufCursor::value(std::uint32_t type, const std::string& key, int depth) {
    if (is_integer(type))
        return {integer(type, key)};
    if (is_float(type))
        return {type == Float32 ? double{number<float>()} : number<double>()};
    if (type == Bool)
        return {boolean(key)};
    if (type == Text)
        return {text()};
    if (type == Array)
        return array(key, depth);
    throw Error(
        {ATTNLAB_TEXT("%1: '%2' has a value of type %3, which is not known"), {name_, key, std::to_string(type)}});
}

} // namespace attnlab::model
