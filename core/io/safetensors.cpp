#include "core/io/safetensors.h"

#include "core/io/elements.h"
#include "core/io/file_numbers.h"
#include "core/io/json.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include <nlohmann/json.hpp>

namespace attnlab::io {
namespace {

constexpr std::int64_t length_bytes = 8;
constexpr const char* metadata_name = "__metadata__";
constexpr std::size_t piece_elements = std::size_t{1} << 16; ///< written per piece

struct Source {
    std::string name;
    const ByteSource& bytes;
    std::shared_ptr<const InputFile> file; ///< if given: large tensors stay in it
};

/// A tensor as the header declares it.
struct Entry {
    std::string name;
    std::string full_name; ///< with the file's name, for messages
    const ElementType* type = nullptr;
    Shape shape;
    std::int64_t count = 0;
    std::int64_t begin = 0; ///< of its data, from the end of the header
    std::int64_t end = 0;
    bool stays_in_file = false;
};

std::uint64_t header_length(std::string_view bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;)
        value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
}

std::string read_header(const Source& source) {
    if (source.bytes.size() < length_bytes)
        throw Error({ATTNLAB_TEXT("%1: is cut short within its header: has %2 bytes, expected at least %3"),
                     {source.name, std::to_string(source.bytes.size()), std::to_string(length_bytes)}});
    const auto first = source.bytes.text(0, length_bytes);
    if (first == "version ") // a Git LFS pointer in place of a large file
        throw Error({ATTNLAB_TEXT("%1: is no safetensors file, but may be a pointer to one; 'git lfs pull' fetches it"),
                     {source.name}});
    const auto length = header_length(first);
    if (length > static_cast<std::uint64_t>(largest_safetensors_header))
        throw Error({ATTNLAB_TEXT("%1: is no safetensors file: its header would take %2 bytes, expected at most %3"),
                     {source.name, std::to_string(length), std::to_string(largest_safetensors_header)}});
    const auto held = static_cast<std::int64_t>(length);
    if (source.bytes.size() - length_bytes < held)
        throw Error({ATTNLAB_TEXT("%1: is cut short within its header: has %2 bytes, expected at least %3"),
                     {source.name, std::to_string(source.bytes.size()), std::to_string(length_bytes + held)}});
    auto header = source.bytes.text(length_bytes, held);
    if (!header.starts_with('{'))
        throw Error({ATTNLAB_TEXT("%1: is no safetensors file: its header does not begin with '{'"), {source.name}});
    return header;
}

void check_metadata(const JsonNode& node) {
    for (const auto& [key, value] : node.members())
        value.text();
}

const ElementType& type_of(const JsonNode& node, const std::string& full_name) {
    const auto& name = node.text();
    const auto types = element_types();
    const auto type = std::find_if(types.begin(), types.end(),
                                   [&](const ElementType& candidate) { return candidate.safetensors == name; });
    if (type != types.end())
        return *type;
    if (name.starts_with('C'))
        throw UnreadableType({ATTNLAB_TEXT("%1: holds complex numbers ('%2'), expected real ones"), {full_name, name}});
    throw UnreadableType(unknown_type(name, full_name));
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

/// Without a type when it is unsupported and `refused` takes it.
Entry entry_of(const JsonNode& node, const std::string& name, const std::string& file, bool in_file,
               const ReadLimits& limits, std::map<std::string, Message>* refused) {
    Entry entry;
    entry.name = name;
    entry.full_name = file + ": " + name;
    for (const char* key : {"dtype", "shape", "data_offsets"})
        if (!node.find(key))
            throw Error({ATTNLAB_TEXT("%1: '%2' is missing"), {entry.full_name, key}});
    entry.shape = shape_of(node.at("shape"));
    check_rank(entry.shape, entry.full_name);
    std::tie(entry.begin, entry.end) = offsets_of(node.at("data_offsets"));
    try {
        entry.type = &type_of(node.at("dtype"), entry.full_name);
    } catch (const UnreadableType& error) {
        if (!refused)
            throw;
        refused->emplace(name, error.message());
        return entry;
    }
    entry.count = element_count(entry.shape, entry.full_name);
    entry.stays_in_file = in_file && stays_in_file(*entry.type, entry.count, limits);
    if (!entry.stays_in_file)
        checked_count(entry.shape, entry.full_name, limits);
    // No overflow: element_count keeps count * 8 within 64 bits.
    if (entry.end - entry.begin != entry.count * entry.type->size)
        throw Error(
            {ATTNLAB_TEXT("%1: has %2 bytes of numbers, expected %3 for shape %4 of type '%5'"),
             {entry.full_name, std::to_string(entry.end - entry.begin), std::to_string(entry.count * entry.type->size),
              to_string(entry.shape), std::string(entry.type->safetensors)}});
    return entry;
}

/// Sorts the entries by offset and throws unless they fill the data.
void lay_out(std::vector<Entry>& entries, std::int64_t data_size, const std::string& file) {
    std::sort(entries.begin(), entries.end(),
              [](const Entry& a, const Entry& b) { return std::tie(a.begin, a.end) < std::tie(b.begin, b.end); });
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

std::vector<Entry> entries_of(const std::string& header, const Source& source, ReadLimits limits,
                              std::map<std::string, Message>* refused) {
    const auto json = parse_json(header, source.name + ": header", {.max_bytes = largest_safetensors_header});
    std::vector<Entry> entries;
    for (const auto& [name, node] : json.root().members()) {
        if (name == metadata_name) {
            check_metadata(node);
            continue;
        }
        if (name.empty())
            throw Error({ATTNLAB_TEXT("%1: holds a tensor without a name"), {source.name}});
        entries.push_back(entry_of(node, name, source.name, source.file != nullptr, limits, refused));
        if (!entries.back().stays_in_file)
            limits.max_bytes -= entries.back().count * static_cast<std::int64_t>(sizeof(double));
    }
    lay_out(entries, source.bytes.size() - length_bytes - static_cast<std::int64_t>(header.size()), source.name);
    return entries;
}

constexpr bool swapped = std::endian::native != std::endian::little;

Tensor read_tensor(const Entry& entry, const Source& source, std::int64_t data_begin) {
    if (entry.stays_in_file)
        return Tensor::from(
            entry.shape,
            numbers_in(source.file, data_begin + entry.begin, *entry.type, swapped, entry.count, entry.full_name),
            entry.type->dtype);
    std::vector<double> values(static_cast<std::size_t>(entry.count));
    read_elements(source.bytes, data_begin + entry.begin, *entry.type, swapped, values, entry.full_name);
    return Tensor(entry.shape, std::move(values), entry.type->dtype);
}

TensorMap read(const Source& source, const ReadLimits& limits, std::map<std::string, Message>* refused) {
    const auto header = read_header(source);
    const auto data_begin = length_bytes + static_cast<std::int64_t>(header.size());
    TensorMap tensors;
    for (const auto& entry : entries_of(header, source, limits, refused))
        if (entry.type)
            tensors.emplace(entry.name, read_tensor(entry, source, data_begin));
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

std::string header_of(const std::vector<Written>& order, std::string_view file) {
    auto header = nlohmann::ordered_json::object();
    std::int64_t end = 0;
    for (const auto& [name, tensor, type] : order) {
        const auto begin = end;
        end += tensor->size() * type->size;
        if (name->empty() || *name == metadata_name)
            throw Error({ATTNLAB_TEXT("%1: '%2' cannot be the name of a tensor"), {std::string(file), *name}});
        // Appended without a lookup: searching the existing keys each time would take quadratic time.
        header.get_ref<nlohmann::ordered_json::object_t&>().push_back(
            {*name, {{"dtype", type->safetensors}, {"shape", tensor->shape()}, {"data_offsets", {begin, end}}}});
    }
    std::string text;
    try {
        text = header.dump();
    } catch (const nlohmann::json::type_error&) {
        throw Error({ATTNLAB_TEXT("%1: the name of a tensor is no UTF-8 text"), {std::string(file)}});
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

bool begins_safetensors(std::string_view beginning) {
    return beginning.size() > length_bytes && beginning[length_bytes] == '{' &&
           header_length(beginning.substr(0, length_bytes)) <= static_cast<std::uint64_t>(largest_safetensors_header);
}

TensorMap read_safetensors(const std::filesystem::path& path, const ReadLimits& limits,
                           std::map<std::string, Message>* refused) {
    const auto file = std::make_shared<const InputFile>(path);
    return read({path.string(), *file, file}, limits, refused);
}

TensorMap read_safetensors(std::span<const std::byte> bytes, std::string_view name, const ReadLimits& limits) {
    return read({std::string(name), HeldBytes(bytes), nullptr}, limits, nullptr);
}

void write_safetensors(std::ostream& stream, const TensorMap& tensors, std::string_view name,
                       const RunControl& control) {
    const auto order = in_written_order(tensors);
    const auto header = header_of(order, name);
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

void write_safetensors(const std::filesystem::path& path, const TensorMap& tensors, const RunControl& control) {
    const auto write = [&](std::ostream& file) { write_safetensors(file, tensors, path.string(), control); };
    write_file(path, write, control);
}

} // namespace attnlab::io
