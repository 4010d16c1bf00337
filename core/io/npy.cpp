#include "core/io/npy.h"

#include "core/io/npy_header.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>

namespace attnlab::io {
namespace {

constexpr std::int64_t exact_integer_limit = std::int64_t{1} << 53;

struct Bool {
    std::uint8_t bits;
};
struct Half {
    std::uint16_t bits;
};

/// IEEE 754 binary16; exact, and a NaN keeps its sign and payload.
double to_double(Half half) {
    const std::uint64_t sign = std::uint64_t{half.bits} >> 15 << 63;
    const std::uint64_t exponent = half.bits >> 10 & 0x1f;
    const std::uint64_t mantissa = half.bits & 0x3ff;
    if (exponent == 0) { // zero and subnormals: mantissa * 2^-24
        const double magnitude = static_cast<double>(mantissa) * 0x1p-24;
        return sign ? -magnitude : magnitude;
    }
    const std::uint64_t wide_exponent = exponent == 0x1f ? 0x7ff : exponent - 15 + 1023;
    return std::bit_cast<double>(sign | wide_exponent << 52 | mantissa << 42);
}

double to_double(Bool value) { return value.bits ? 1.0 : 0.0; }

template <class T>
requires std::is_arithmetic_v<T>
double to_double(T value) { return static_cast<double>(value); }

template <class T>
void check_exact(T value, std::size_t index, std::string_view name) {
    if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
        bool exact = value <= static_cast<T>(exact_integer_limit);
        if constexpr (std::is_signed_v<T>)
            exact = exact && value >= -exact_integer_limit;
        if (!exact)
            throw Error({ATTNLAB_TEXT("%1: element %2 is %3; integers beyond 2^53 cannot be held exactly, save the "
                                      "array as float64"),
                         {std::string(name), std::to_string(index), std::to_string(value)}});
    }
}

/// The numbers in the order of the file.
template <class T>
std::vector<double> decode(std::span<const std::byte> data, bool swapped, std::string_view name) {
    std::vector<double> values(data.size() / sizeof(T));
    std::array<std::byte, sizeof(T)> bytes;
    for (std::size_t i = 0; i < values.size(); ++i) {
        std::memcpy(bytes.data(), data.data() + i * sizeof(T), sizeof(T));
        if (swapped)
            std::reverse(bytes.begin(), bytes.end());
        const auto value = std::bit_cast<T>(bytes);
        check_exact(value, i, name);
        values[i] = to_double(value);
    }
    return values;
}

struct ElementType {
    std::string_view code; ///< NumPy's, without the byte order
    DType dtype;
    std::int64_t size; ///< bytes
    std::vector<double> (*decode)(std::span<const std::byte>, bool, std::string_view);
};

constexpr ElementType element_types[] = {
    {"b1", DType::Bool, 1, decode<Bool>},           {"i1", DType::Int64, 1, decode<std::int8_t>},
    {"i2", DType::Int64, 2, decode<std::int16_t>},  {"i4", DType::Int64, 4, decode<std::int32_t>},
    {"i8", DType::Int64, 8, decode<std::int64_t>},  {"u1", DType::Int64, 1, decode<std::uint8_t>},
    {"u2", DType::Int64, 2, decode<std::uint16_t>}, {"u4", DType::Int64, 4, decode<std::uint32_t>},
    {"u8", DType::Int64, 8, decode<std::uint64_t>}, {"f2", DType::Float16, 2, decode<Half>},
    {"f4", DType::Float32, 4, decode<float>},       {"f8", DType::Float64, 8, decode<double>},
};

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
        return {
            ATTNLAB_TEXT("%1: holds elements of type '%2', expected bool, integers of 8 to 64 bits or floats of 16 to "
                         "64 bits"),
            holes};
    }
}

const ElementType& element_type(const std::string& descr, std::string_view name, bool& swapped) {
    const bool has_order = !descr.empty() && std::string_view("<>|=").find(descr.front()) != std::string_view::npos;
    const auto code = std::string_view(descr).substr(has_order ? 1 : 0);
    const auto type = std::find_if(std::begin(element_types), std::end(element_types),
                                   [&](const ElementType& candidate) { return candidate.code == code; });
    if (type == std::end(element_types))
        throw Error(refusal(descr, code.empty() ? '\0' : code.front(), name));
    constexpr char foreign = std::endian::native == std::endian::little ? '>' : '<';
    swapped = descr.front() == foreign;
    return *type;
}

std::int64_t checked_count(const Shape& shape, std::string_view name, const ReadLimits& limits) {
    // Sizes beside a zero must be sane too: products of some of them are taken later.
    Shape nonzero = shape;
    std::replace(nonzero.begin(), nonzero.end(), std::int64_t{0}, std::int64_t{1});
    const auto count = element_count(nonzero, name);
    const auto most = std::min(limits.max_elements, limits.max_bytes / static_cast<std::int64_t>(sizeof(double)));
    if (count > most)
        throw Error({ATTNLAB_TEXT("%1: has shape %2, which is %3 numbers; at most %4 may be read"),
                     {std::string(name), to_string(shape), std::to_string(count), std::to_string(most)}});
    return element_count(shape, name);
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

/// The type that holds every value exactly: numbers that were edited may have outgrown a bool or integer array.
std::string_view written_type(const Tensor& tensor) {
    const auto all = [&](auto fits) { return std::all_of(tensor.values().begin(), tensor.values().end(), fits); };
    if (tensor.dtype() == DType::Bool && all([](double value) { return value == 0.0 || value == 1.0; }))
        return "|b1";
    constexpr auto limit = static_cast<double>(exact_integer_limit);
    const auto is_integer = [](double value) {
        return value >= -limit && value <= limit && value == static_cast<double>(static_cast<std::int64_t>(value));
    };
    return tensor.dtype() == DType::Int64 && all(is_integer) ? "<i8" : "<f8";
}

std::string written_header(std::string_view type, const Shape& shape) {
    std::string dictionary =
        "{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': " + to_string(shape) + ", }";
    // The numbers begin at a multiple of 64 bytes, as NumPy has it.
    constexpr std::size_t fixed = 10;
    const auto length = (fixed + dictionary.size() + 1 + 63) / 64 * 64 - fixed;
    dictionary.resize(length - 1, ' ');
    std::string header("\x93NUMPY\x01\x00", 8);
    header += static_cast<char>(length & 0xff);
    header += static_cast<char>(length >> 8);
    return header + dictionary + '\n';
}

void store_little_endian(char* target, std::uint64_t bits) {
    auto bytes = std::bit_cast<std::array<char, 8>>(bits);
    if constexpr (std::endian::native != std::endian::little)
        std::reverse(bytes.begin(), bytes.end());
    std::memcpy(target, bytes.data(), bytes.size());
}

} // namespace

Tensor read_npy(std::span<const std::byte> bytes, std::string_view name, const ReadLimits& limits) {
    auto header = read_npy_header(bytes, name);
    bool swapped = false;
    const auto& type = element_type(header.descr, name, swapped);
    const auto count = checked_count(header.shape, name, limits);
    const auto data = bytes.subspan(header.data_offset);
    // No overflow: element_count keeps count * 8 within 64 bits.
    if (static_cast<std::int64_t>(data.size()) != count * type.size)
        throw Error({ATTNLAB_TEXT("%1: has %2 bytes of numbers, expected %3 for shape %4 of type '%5'"),
                     {std::string(name), std::to_string(data.size()), std::to_string(count * type.size),
                      to_string(header.shape), header.descr}});
    auto values = type.decode(data, swapped, name);
    if (header.fortran_order)
        values = in_c_order(values, header.shape);
    return Tensor(std::move(header.shape), std::move(values), type.dtype);
}

std::string write_npy(const Tensor& tensor) {
    const auto type = written_type(tensor);
    auto text = written_header(type, tensor.shape());
    const auto begin = text.size();
    const auto values = tensor.values();
    if (type == "|b1") {
        text.resize(begin + values.size());
        std::transform(values.begin(), values.end(), text.begin() + static_cast<std::ptrdiff_t>(begin),
                       [](double value) { return value != 0.0 ? '\1' : '\0'; });
        return text;
    }
    const bool integers = type == "<i8";
    text.resize(begin + values.size() * 8);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto bits = integers ? static_cast<std::uint64_t>(static_cast<std::int64_t>(values[i]))
                                   : std::bit_cast<std::uint64_t>(values[i]);
        store_little_endian(text.data() + begin + i * 8, bits);
    }
    return text;
}

} // namespace attnlab::io
