#include "core/capture/pass_name.h"

#include <charconv>

namespace attnlab {
namespace {

bool read_number(std::string_view text, std::int64_t& number) {
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    return !text.empty() && read.ec == std::errc() && read.ptr == text.data() + text.size() && number >= 0;
}

} // namespace

std::optional<PassNameParts> parts_of_pass_name(std::string_view name) {
    PassNameParts parts;
    const auto at = name.find('@');
    if (at != std::string_view::npos && !read_number(name.substr(at + 1), parts.run))
        return std::nullopt;
    name = name.substr(0, at);
    const auto first = name.find('.'), last = name.rfind('.');
    if (first == std::string_view::npos)
        return std::nullopt;
    const bool has_kind = last != first;
    if (!read_number(name.substr(first + 1, has_kind ? last - first - 1 : name.npos), parts.layer))
        return std::nullopt;
    parts.stack = name.substr(0, first);
    parts.kind = has_kind ? name.substr(last + 1) : "self";
    if (parts.kind != "self" && parts.kind != "cross")
        return std::nullopt;
    return parts;
}

} // namespace attnlab
