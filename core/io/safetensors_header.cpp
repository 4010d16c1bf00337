#include "core/io/safetensors_header.h"

#include "core/io/json.h"
#include "core/run_control.h"

#include <algorithm>
#include <tuple>

namespace attnlab::io {
namespace {

constexpr std::int64_t length_bytes = 8;

std::string read_header(const ByteSource& bytes, const std::string& name, const RunControl* control) {
    if (bytes.size() < length_bytes)
        throw Error({ATTNLAB_TEXT("%1: is cut short within its header: has %2 bytes, expected at least %3"),
                     {name, std::to_string(bytes.size()), std::to_string(length_bytes)}});
    const auto first = bytes.text(0, length_bytes);
    if (first == "version ") // a Git LFS pointer in place of a large file
        throw Error({ATTNLAB_TEXT("%1: is no safetensors file, but may be a pointer to one; 'git lfs pull' fetches it"),
                     {name}});
    const auto length = safetensors_header_length(first);
    if (length > static_cast<std::uint64_t>(largest_safetensors_header))
        throw Error({ATTNLAB_TEXT("%1: is no safetensors file: its header would take %2 bytes, expected at most %3"),
                     {name, std::to_string(length), std::to_string(largest_safetensors_header)}});
    const auto held = static_cast<std::int64_t>(length);
    if (bytes.size() - length_bytes < held)
        throw Error({ATTNLAB_TEXT("%1: is cut short within its header: has %2 bytes, expected at least %3"),
                     {name, std::to_string(bytes.size()), std::to_string(length_bytes + held)}});
    auto header = bytes.text(length_bytes, held, control);
    if (!header.starts_with('{'))
        throw Error({ATTNLAB_TEXT("%1: is no safetensors file: its header does not begin with '{'"), {name}});
    return header;
}

void read_metadata(const JsonNode& node, SafetensorsMetadata* metadata) {
    for (const auto& [key, value] : node.members()) {
        const auto& text = value.text();
        if (metadata)
            metadata->emplace(key, text);
    }
}

const ElementType* type_of(const std::string& name) {
    const auto types = element_types();
    const auto type = std::find_if(types.begin(), types.end(),
                                   [&](const ElementType& candidate) { return candidate.safetensors == name; });
    return type == types.end() ? nullptr : &*type;
}

Shape shape_of(const JsonNode& node) {
    Shape shape;
    for (const auto& size : node.items())
        shape.push_back(size.integer());
    return shape;
}

std::pair<std::int64_t, std::int64_t> offsets_of(const JsonNode& node) {
    constexpr const char* expected =
        ATTNLAB_TEXT("%1: '%2' is %3, expected where its data begin and end, as two integers");
    if (!node.is_list() || node.items().size() != 2)
        node.fail_as(expected);
    const auto begin = node.items()[0].integer(), end = node.items()[1].integer();
    if (begin < 0 || end < begin)
        node.fail_as(expected);
    return {begin, end};
}

/// With offsets from the end of the header.
SafetensorsEntry entry_of(const JsonNode& node, const std::string& name, const std::string& file) {
    SafetensorsEntry entry;
    entry.name = name;
    entry.full_name = file + ": " + name;
    for (const char* key : {"dtype", "shape", "data_offsets"})
        if (!node.find(key))
            throw Error({ATTNLAB_TEXT("%1: '%2' is missing"), {entry.full_name, key}});
    entry.shape = shape_of(node.at("shape"));
    check_rank(entry.shape, entry.full_name);
    std::tie(entry.begin, entry.end) = offsets_of(node.at("data_offsets"));
    entry.type_name = node.at("dtype").text();
    entry.type = type_of(entry.type_name);
    if (!entry.type)
        return entry;
    entry.count = element_count(entry.shape, entry.full_name);
    // No overflow: element_count keeps count * 8 within 64 bits.
    if (entry.end - entry.begin != entry.count * entry.type->size)
        throw Error({ATTNLAB_TEXT("%1: has %2 bytes of numbers, expected %3 for shape %4 of type '%5'"),
                     {entry.full_name, std::to_string(entry.end - entry.begin),
                      std::to_string(entry.count * entry.type->size), to_string(entry.shape), entry.type_name}});
    return entry;
}

/// Sorts the entries by offset and throws unless they fill the data.
void lay_out(std::vector<SafetensorsEntry>& entries, std::int64_t data_size, const std::string& file) {
    std::sort(entries.begin(), entries.end(), [](const SafetensorsEntry& a, const SafetensorsEntry& b) {
        return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
    });
    std::int64_t filled = 0;
    for (const auto& entry : entries) {
        if (entry.begin != filled)
            throw Error({entry.begin < filled
                             ? ATTNLAB_TEXT("%1: its data begin at byte %2, expected %3: it overlaps another tensor")
                             : ATTNLAB_TEXT("%1: its data begin at byte %2, expected %3: there is a gap before it"),
                         {entry.full_name, std::to_string(entry.begin), std::to_string(filled)}});
        if (entry.end > data_size)
            throw Error({ATTNLAB_TEXT("%1: its data end at byte %2, but only %3 follow the header: the file is cut "
                                      "short"),
                         {entry.full_name, std::to_string(entry.end), std::to_string(data_size)}});
        filled = entry.end;
    }
    if (filled != data_size)
        throw Error({ATTNLAB_TEXT("%1: has %2 bytes after its header, expected the %3 of its tensors"),
                     {file, std::to_string(data_size), std::to_string(filled)}});
}

} // namespace

std::uint64_t safetensors_header_length(std::string_view bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;)
        value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
}

Message unreadable_type(const SafetensorsEntry& entry) {
    if (entry.type_name.starts_with('C'))
        return {ATTNLAB_TEXT("%1: holds complex numbers ('%2'), expected real ones"),
                {entry.full_name, entry.type_name}};
    return unknown_type(entry.type_name, entry.full_name);
}

std::vector<SafetensorsEntry> safetensors_entries(const ByteSource& bytes, const std::string& name,
                                                  const std::function<void(const SafetensorsEntry&)>& accept,
                                                  SafetensorsMetadata* metadata, const RunControl* control) {
    const auto header = read_header(bytes, name, control);
    const auto json =
        parse_json(header, name + ": header", {.max_bytes = largest_safetensors_header, .control = control});
    std::vector<SafetensorsEntry> entries;
    for (const auto& [key, node] : json.root().members()) {
        if (control)
            control->checkpoint();
        if (key == safetensors_metadata) {
            read_metadata(node, metadata);
            continue;
        }
        if (key.empty())
            throw Error({ATTNLAB_TEXT("%1: holds a tensor without a name"), {name}});
        check_name(key, name);
        entries.push_back(entry_of(node, key, name));
        if (accept)
            accept(entries.back());
    }
    const auto data_begin = length_bytes + static_cast<std::int64_t>(header.size());
    lay_out(entries, bytes.size() - data_begin, name);
    for (auto& entry : entries) {
        entry.begin += data_begin;
        entry.end += data_begin;
    }
    return entries;
}

} // namespace attnlab::io
