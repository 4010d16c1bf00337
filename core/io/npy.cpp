#include "core/io/npy.h"

#include "core/io/elements.h"
#include "core/io/file_numbers.h"
#include "core/io/npy_header.h"

#include <algorithm>
#include <bit>
#include <ostream>

namespace attnlab::io {
namespace {

Message refusal(const std::string& descr, char kind, std::string_view name) {
    const std::vector<std::string> holes{std::string(name), descr};
    switch (kind) {
    case 'O':
        return {ATTNLAB_TEXT("%1: holds Python objects (pickled), which could run code when read; save it as numbers"),
                holes};
    case 'c':
        return {ATTNLAB_TEXT("%1: holds complex numbers ('%2'), expected real ones"), holes};
    case 'S':
    case 'a':
    case 'U':
        return {ATTNLAB_TEXT("%1: holds text ('%2'), expected numbers"), holes};
    case 'M':
    case 'm':
        return {ATTNLAB_TEXT("%1: holds dates or times ('%2'), expected numbers"), holes};
    case 'V':
        return {ATTNLAB_TEXT("%1: holds records or raw bytes ('%2'), expected numbers; save bfloat16 as float32"),
                holes};
    default:
        return unknown_type(descr, name);
    }
}

const ElementType& element_type(const std::string& descr, std::string_view name, bool& swapped) {
    const bool has_order = !descr.empty() && std::string_view("<>|=").find(descr.front()) != std::string_view::npos;
    const auto code = std::string_view(descr).substr(has_order ? 1 : 0);
    const auto types = element_types();
    const auto type = std::find_if(types.begin(), types.end(), [&](const ElementType& candidate) {
        return !code.empty() && candidate.npy == code;
    });
    if (type == types.end())
        throw Error(refusal(descr, code.empty() ? '\0' : code.front(), name));
    constexpr char foreign = std::endian::native == std::endian::little ? '>' : '<';
    swapped = descr.front() == foreign;
    return *type;
}

/// From Fortran order (first axis fastest) to C order (last axis fastest).
std::vector<double> in_c_order(const std::vector<double>& values, const Shape& shape) {
    Shape strides;
    std::int64_t stride = 1;
    for (const auto size : shape) {
        strides.push_back(stride);
        stride *= size;
    }
    std::vector<double> result(values.size());
    Shape index(shape.size(), 0);
    std::int64_t position = 0;
    for (auto& value : result) {
        value = values[static_cast<std::size_t>(position)];
        for (std::size_t axis = shape.size(); axis-- > 0;) {
            position += strides[axis];
            if (++index[axis] < shape[axis])
                break;
            position -= strides[axis] * shape[axis];
            index[axis] = 0;
        }
    }
    return result;
}

std::string written_header(const ElementType& type, const Shape& shape) {
    const std::string descr = (type.size == 1 ? "|" : "<") + std::string(type.npy);
    std::string dictionary = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + to_string(shape) + ", }";
    // The numbers begin at a multiple of 64 bytes, as NumPy has it.
    constexpr std::size_t fixed = 10;
    const auto length = (fixed + dictionary.size() + 1 + 63) / 64 * 64 - fixed;
    dictionary.resize(length - 1, ' ');
    std::string header("\x93NUMPY\x01\x00", 8);
    header += static_cast<char>(length & 0xff);
    header += static_cast<char>(length >> 8);
    return header + dictionary + '\n';
}

/// Where an array lies.
struct NpyBytes {
    const ByteSource& bytes;
    std::int64_t offset;
    std::int64_t size;
};

const ElementType& type_to_write(const Tensor& tensor) {
    if (tensor.source())
        return compact_npy_type(tensor);
    const bool is_floating = tensor.dtype() != DType::Bool && tensor.dtype() != DType::Int64;
    return is_floating ? written_type(DType::Float64) : written_type(tensor);
}

/// What the header says.
struct Layout {
    NpyHeader header;
    const ElementType* type;
    bool swapped;
};

Layout layout_of(const NpyBytes& npy, std::string_view name) {
    Layout found{read_npy_header(npy.bytes, npy.offset, npy.size, name), nullptr, false};
    found.type = &element_type(found.header.descr, name, found.swapped);
    return found;
}

void check_size(const Layout& found, std::int64_t size, std::int64_t count, std::string_view name) {
    // No overflow: element_count keeps count * 8 within 64 bits.
    const auto expected = count * found.type->size;
    const auto there = size - found.header.data_offset;
    if (there != expected)
        throw Error({ATTNLAB_TEXT("%1: has %2 bytes of numbers, expected %3 for shape %4 of type '%5'"),
                     {std::string(name), std::to_string(there), std::to_string(expected), to_string(found.header.shape),
                      found.header.descr}});
}

Tensor read(const NpyBytes& npy, const std::shared_ptr<const InputFile>& file, std::string_view name,
            const ReadLimits& limits) {
    const auto found = layout_of(npy, name);
    const auto& header = found.header;
    const auto first = npy.offset + header.data_offset;
    const auto count = element_count(header.shape, name);
    if (file && !header.fortran_order && stays_in_file(*found.type, count, limits)) {
        check_size(found, npy.size, count, name);
        return Tensor::from(header.shape, numbers_in(file, first, *found.type, found.swapped, count, std::string(name)),
                            found.type->dtype);
    }
    checked_count(header.shape, name, limits);
    check_size(found, npy.size, count, name);
    std::vector<double> values(static_cast<std::size_t>(count));
    read_elements(npy.bytes, first, *found.type, found.swapped, values, name);
    if (header.fortran_order)
        values = in_c_order(values, header.shape);
    return Tensor(header.shape, std::move(values), found.type->dtype);
}

} // namespace

Tensor read_npy(std::span<const std::byte> bytes, std::string_view name, const ReadLimits& limits) {
    const HeldBytes held(bytes);
    return read({held, 0, held.size()}, nullptr, name, limits);
}

Tensor read_npy(const std::filesystem::path& path, const ReadLimits& limits) {
    const auto file = std::make_shared<const InputFile>(path);
    return read_npy(file, 0, file->size(), path.string(), limits);
}

Tensor read_npy(const std::shared_ptr<const InputFile>& file, std::int64_t offset, std::int64_t size,
                std::string_view name, const ReadLimits& limits) {
    return read({*file, offset, size}, file, name, limits);
}

const ElementType& compact_npy_type(const Tensor& tensor) {
    const auto& type = written_type(tensor);
    return type.npy.empty() ? written_type(DType::Float32) : type;
}

NpyPieces::NpyPieces(const Tensor& tensor) : NpyPieces(tensor, type_to_write(tensor)) {}

NpyPieces::NpyPieces(const Tensor& tensor, const ElementType& type)
    : tensor_(tensor), type_(type), header_(written_header(type, tensor.shape())) {}

std::int64_t NpyPieces::size() const { return std::ssize(header_) + tensor_.size() * type_.size; }

bool NpyPieces::next(std::string& bytes) {
    bytes.clear();
    if (at_ < 0) {
        bytes = header_;
        at_ = 0;
        return true;
    }
    constexpr std::int64_t at_once = 1 << 16;
    std::vector<double> numbers(static_cast<std::size_t>(std::min(at_once, tensor_.size() - at_)));
    tensor_.read(at_, std::span(numbers));
    type_.append(bytes, numbers);
    at_ += std::ssize(numbers);
    return !numbers.empty();
}

std::string write_npy(const Tensor& tensor) {
    NpyPieces pieces(tensor);
    std::string text, piece;
    text.reserve(static_cast<std::size_t>(pieces.size()));
    while (pieces.next(piece))
        text += piece;
    return text;
}

void write_npy(std::ostream& stream, const Tensor& tensor, const RunControl& control) {
    NpyPieces pieces(tensor);
    std::int64_t done = 0;
    for (std::string piece; stream && pieces.next(piece); control.checkpoint()) {
        stream.write(piece.data(), static_cast<std::streamsize>(piece.size()));
        done += std::ssize(piece);
        control.report(static_cast<double>(done) / static_cast<double>(pieces.size()));
    }
}

std::string write_npy(const Shape& shape, std::span<const float> values) {
    const auto& type = written_type(DType::Float32);
    auto text = written_header(type, shape);
    text.reserve(text.size() + values.size_bytes());
    constexpr std::size_t some = 4096;
    std::vector<double> part;
    for (std::size_t first = 0; first < values.size(); first += some) {
        const auto floats = values.subspan(first, std::min(some, values.size() - first));
        part.assign(floats.begin(), floats.end());
        type.append(text, part);
    }
    return text;
}

} // namespace attnlab::io
