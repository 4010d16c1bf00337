#include "core/io/safetensors.h"

#include "core/io/elements.h"
#include "core/io/file_numbers.h"
#include "core/io/json.h"
#include "core/run_control.h"

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
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
        throw Error(
            {ATTNLAB_TEXT("%1: is not a safetensors file, but may be a pointer to one; 'git lfs pull' fetches it"),
             {name}});
    const auto length = safetensors_header_length(first);
    if (length > static_cast<std::uint64_t>(largest_safetensors_header))
        throw Error({ATTNLAB_TEXT("%1: is not a safetensors file: its header would take %2 bytes, expected at most %3"),
                     {name, std::to_string(length), std::to_string(largest_safetensors_header)}});
    const auto held = static_cast<std::int64_t>(length);
    if (bytes.size() - length_bytes < held)
        throw Error({ATTNLAB_TEXT("%1: is cut short within its header: has %2 bytes, expected at least %3"),
                     {name, std::to_string(bytes.size()), std::to_string(length_bytes + held)}});
    auto header = bytes.text(length_bytes, held, control);
    if (!header.starts_with('{'))
        throw Error({ATTNLAB_TEXT("%1: is not a safetensors file: its header does not begin with '{'"), {name}});
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

namespace {

constexpr std::size_t piece_elements = std::size_t{1} << 16; ///< written per piece

struct Source {
    std::string name;
    const ByteSource& bytes;
    std::shared_ptr<const InputFile> file; ///< if given: large tensors stay in it
};

constexpr bool swapped = std::endian::native != std::endian::little;

Tensor loaded_entry(const SafetensorsEntry& entry, const ByteSource& bytes, const ReadLimits& limits) {
    auto values = elements_at(bytes, entry.begin, *entry.type, swapped, entry.count, entry.full_name, limits);
    return Tensor(entry.shape, std::move(values), entry.type->dtype);
}

Tensor read_tensor(const SafetensorsEntry& entry, const Source& source, const ReadLimits& limits) {
    const auto& type = *entry.type;
    if (source.file && stays_in_file(type, entry.count, limits))
        return Tensor::from(
            entry.shape, numbers_in(source.file, entry.begin, type, swapped, entry.count, entry.full_name), type.dtype);
    if (!source.file || !limits.defer)
        return loaded_entry(entry, source.bytes, limits);
    const auto read = [entry, file = source.file, limits](std::int64_t first, std::span<double> values) {
        checked_count(entry.shape, entry.full_name, limits);
        read_elements(*file, entry.begin + first * entry.type->size, *entry.type, swapped, values, entry.full_name,
                      static_cast<std::size_t>(first));
    };
    const auto load = [entry, file = source.file, limits] {
        checked_count(entry.shape, entry.full_name, limits);
        return loaded_entry(entry, *file, limits);
    };
    return deferred(entry.shape, type.dtype, {load, read, entry.count * static_cast<std::int64_t>(sizeof(double)), 0});
}

TensorMap read(const Source& source, const ReadLimits& limits, std::map<std::string, Message>* refused,
               SafetensorsMetadata* metadata) {
    auto left = limits;
    const auto accept = [&](const SafetensorsEntry& entry) {
        limits.checkpoint();
        if (!entry.type && !refused)
            throw UnreadableType(unreadable_type(entry));
        if (!entry.type)
            refused->emplace(entry.name, unreadable_type(entry));
        if (!entry.type || (source.file && stays_in_file(*entry.type, entry.count, limits)))
            return;
        if (limits.defer)
            return check_rank(entry.shape, entry.full_name);
        checked_count(entry.shape, entry.full_name, left);
        left.max_bytes -= entry.count * static_cast<std::int64_t>(sizeof(double));
    };
    TensorMap tensors;
    for (const auto& entry : safetensors_entries(source.bytes, source.name, accept, metadata, limits.control)) {
        limits.checkpoint();
        if (entry.type)
            tensors.emplace(entry.name, read_tensor(entry, source, limits));
    }
    return tensors;
}

/// A tensor and its type in the file.
struct Written {
    const std::string* name;
    const Tensor* tensor;
    const ElementType* type;
};

/// The official order: larger elements first, so that each tensor begins at a multiple of its element's size.
std::vector<Written> in_written_order(const TensorMap& tensors) {
    std::vector<Written> order;
    for (const auto& [name, tensor] : tensors)
        order.push_back({&name, &tensor, &written_type(tensor)});
    std::stable_sort(order.begin(), order.end(), [](const Written& a, const Written& b) {
        return std::tuple(-a.type->size, a.type->dtype) < std::tuple(-b.type->size, b.type->dtype);
    });
    return order;
}

std::string header_of(const std::vector<Written>& order, std::string_view file, const SafetensorsMetadata& metadata) {
    auto header = nlohmann::ordered_json::object();
    if (!metadata.empty())
        header[safetensors_metadata] = metadata;
    std::int64_t end = 0;
    for (const auto& [name, tensor, type] : order) {
        const auto begin = end;
        end += tensor->size() * type->size;
        if (name->empty() || *name == safetensors_metadata)
            throw Error({ATTNLAB_TEXT("%1: '%2' cannot be the name of a tensor"), {std::string(file), *name}});
        // Appended without a lookup: searching the existing keys each time would take quadratic time.
        header.get_ref<nlohmann::ordered_json::object_t&>().push_back(
            {*name, {{"dtype", type->safetensors}, {"shape", tensor->shape()}, {"data_offsets", {begin, end}}}});
    }
    std::string text;
    try {
        text = header.dump();
    } catch (const nlohmann::json::type_error&) {
        throw Error({ATTNLAB_TEXT("%1: the name of a tensor is not UTF-8 text"), {std::string(file)}});
    }
    text.resize((text.size() + 7) / 8 * 8, ' ');
    return text;
}

void write_numbers(std::ostream& stream, const Written& written, const RunControl& control) {
    std::string bytes;
    std::int64_t done = 0;
    in_pieces(*written.tensor, [&](std::span<const double> piece) {
        control.checkpoint();
        bytes.clear();
        written.type->append(bytes, piece);
        stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        done += std::ssize(piece);
        control.report(static_cast<double>(done) / static_cast<double>(written.tensor->size()));
        return static_cast<bool>(stream);
    });
}

} // namespace

bool has_safetensors_signature(std::string_view beginning) {
    constexpr std::size_t length = 8;
    return beginning.size() > length && beginning[length] == '{' &&
           safetensors_header_length(beginning.substr(0, length)) <=
               static_cast<std::uint64_t>(largest_safetensors_header);
}

TensorMap read_safetensors(const std::filesystem::path& path, const ReadLimits& limits,
                           std::map<std::string, Message>* refused, SafetensorsMetadata* metadata) {
    const auto file = std::make_shared<const InputFile>(path);
    return read({path.string(), *file, file}, limits, refused, metadata);
}

TensorMap read_safetensors(std::span<const std::byte> bytes, std::string_view name, const ReadLimits& limits) {
    return read({std::string(name), MemoryBytes(bytes), nullptr}, limits, nullptr, nullptr);
}

void write_safetensors(std::ostream& stream, const TensorMap& tensors, std::string_view name, const RunControl& control,
                       const SafetensorsMetadata& metadata) {
    const auto order = in_written_order(tensors);
    const auto header = header_of(order, name, metadata);
    std::string length;
    for (int shift = 0; shift < 64; shift += 8)
        length += static_cast<char>(header.size() >> shift & 0xff);
    stream << length << header;
    const auto part = 1.0 / static_cast<double>(std::max<std::size_t>(1, order.size()));
    double done = 0.0;
    for (const auto& written : order) {
        control.checkpoint();
        write_numbers(stream, written, control.part(done, done + part));
        control.report(done += part);
    }
}

void write_safetensors(const std::filesystem::path& path, const TensorMap& tensors, const RunControl& control,
                       const SafetensorsMetadata& metadata) {
    const auto write = [&](std::ostream& file) { write_safetensors(file, tensors, path.string(), control, metadata); };
    write_file(path, write, control);
}

} // namespace attnlab::io
