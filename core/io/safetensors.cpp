#include "core/io/safetensors.h"

#include "core/io/deferred_numbers.h"
#include "core/io/elements.h"
#include "core/io/file_numbers.h"
#include "core/io/safetensors_header.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include <nlohmann/json.hpp>

namespace attnlab::io {
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

std::string header_of(const std::vector<Written>& order, std::string_view file) {
    auto header = nlohmann::ordered_json::object();
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
    return read({std::string(name), HeldBytes(bytes), nullptr}, limits, nullptr, nullptr);
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
