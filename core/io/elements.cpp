#include "core/io/elements.h"

#include "core/io/file_numbers.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>

namespace attnlab::io {
namespace {

constexpr std::int64_t exact_integer_limit = std::int64_t{1} << 53;
constexpr int double_mantissa_bits = 52;

/// An IEEE 754 format narrower than double, as bits: a sign, an exponent and a mantissa.
template <class Bits, int exponent_bits, int mantissa_bits>
struct NarrowFloat {
    static constexpr int bias = (1 << (exponent_bits - 1)) - 1;
    static constexpr std::uint64_t all_ones = (1u << exponent_bits) - 1;
    static constexpr int dropped_bits = double_mantissa_bits - mantissa_bits;

    Bits bits;
};
using Half = NarrowFloat<std::uint16_t, 5, 10>;
using BFloat16 = NarrowFloat<std::uint16_t, 8, 7>;
using Single = NarrowFloat<std::uint32_t, 8, 23>;

struct Bool {
    std::uint8_t bits;
};

/// 2^exponent, for exponents of normal numbers.
constexpr double power_of_two(int exponent) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << double_mantissa_bits);
}

/// Exact; a NaN keeps its sign and payload.
template <class Bits, int exponent_bits, int mantissa_bits>
double to_double(NarrowFloat<Bits, exponent_bits, mantissa_bits> narrow) {
    using Narrow = decltype(narrow);
    const std::uint64_t bits = narrow.bits;
    const std::uint64_t sign = bits >> (exponent_bits + mantissa_bits) << 63;
    const std::uint64_t exponent = bits >> mantissa_bits & Narrow::all_ones;
    const std::uint64_t mantissa = bits & ((std::uint64_t{1} << mantissa_bits) - 1);
    if (exponent == 0) { // zero and subnormals
        const double magnitude = static_cast<double>(mantissa) * power_of_two(1 - Narrow::bias - mantissa_bits);
        return sign ? -magnitude : magnitude;
    }
    const std::uint64_t wide_exponent = exponent == Narrow::all_ones ? 0x7ff : exponent - Narrow::bias + 1023;
    return std::bit_cast<double>(sign | wide_exponent << double_mantissa_bits | mantissa << Narrow::dropped_bits);
}

double to_double(Bool value) { return value.bits ? 1.0 : 0.0; }

template <class T>
requires std::is_arithmetic_v<T>
double to_double(T value) { return static_cast<double>(value); }

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

/// The inverse of to_double where it exists.
template <class Bits, int exponent_bits, int mantissa_bits>
bool from_double(double value, NarrowFloat<Bits, exponent_bits, mantissa_bits>& narrow) {
    using Narrow = NarrowFloat<Bits, exponent_bits, mantissa_bits>;
    const auto wide = std::bit_cast<std::uint64_t>(value);
    const auto sign = wide >> 63 << (exponent_bits + mantissa_bits);
    const auto exponent = static_cast<int>(wide >> double_mantissa_bits & 0x7ff) - 1023;
    const auto mantissa = wide & ((std::uint64_t{1} << double_mantissa_bits) - 1);
    const bool is_finite = exponent != 1024;
    if (exponent < 1 - Narrow::bias) { // zero, and possibly a subnormal
        const double steps = std::abs(value) * power_of_two(Narrow::bias - 1 + mantissa_bits);
        narrow.bits = static_cast<Bits>(sign | static_cast<std::uint64_t>(steps));
        return steps == std::floor(steps);
    }
    if (mantissa & ((std::uint64_t{1} << Narrow::dropped_bits) - 1) || (is_finite && exponent > Narrow::bias))
        return false;
    const auto narrow_exponent = is_finite ? static_cast<std::uint64_t>(exponent + Narrow::bias) : Narrow::all_ones;
    narrow.bits = static_cast<Bits>(sign | narrow_exponent << mantissa_bits | mantissa >> Narrow::dropped_bits);
    return true;
}

bool from_double(double value, Bool& result) {
    result.bits = value == 1.0;
    return same_bits(value, to_double(result));
}

bool from_double(double value, double& result) {
    result = value;
    return true;
}

bool from_double(double value, float& result) {
    Single narrow{};
    const bool exact = from_double(value, narrow);
    result = std::bit_cast<float>(narrow);
    return exact;
}

template <class T>
requires std::is_integral_v<T>
bool from_double(double value, T& result) {
    constexpr auto limit = static_cast<double>(exact_integer_limit);
    constexpr double low = std::max(static_cast<double>(std::numeric_limits<T>::min()), -limit);
    constexpr double high = std::min(static_cast<double>(std::numeric_limits<T>::max()), limit);
    if (!(value >= low && value <= high))
        return false;
    result = static_cast<T>(value);
    return same_bits(value, to_double(result));
}

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

template <class T>
void decode(std::span<const std::byte> bytes, bool swapped, std::span<double> values, std::string_view name,
            std::size_t first) {
    std::array<std::byte, sizeof(T)> element;
    for (std::size_t i = 0; i < values.size(); ++i) {
        std::memcpy(element.data(), bytes.data() + i * sizeof(T), sizeof(T));
        if (swapped)
            std::reverse(element.begin(), element.end());
        const auto value = std::bit_cast<T>(element);
        check_exact(value, first + i, name);
        values[i] = to_double(value);
    }
}

template <class T>
bool holds(std::span<const double> values) {
    return std::all_of(values.begin(), values.end(), [](double value) {
        T ignored{};
        return from_double(value, ignored);
    });
}

template <class T>
void append(std::string& bytes, std::span<const double> values) {
    auto position = bytes.size();
    bytes.resize(position + values.size() * sizeof(T));
    for (const double value : values) {
        T held{};
        from_double(value, held);
        auto element = std::bit_cast<std::array<char, sizeof(T)>>(held);
        if constexpr (std::endian::native != std::endian::little)
            std::reverse(element.begin(), element.end());
        std::memcpy(bytes.data() + position, element.data(), sizeof(T));
        position += sizeof(T);
    }
}

template <class T>
constexpr ElementType type(std::string_view npy, std::string_view safetensors, DType dtype) {
    return {npy, safetensors, dtype, sizeof(T), decode<T>, holds<T>, append<T>};
}

/// The first type of each dtype is used for writing.
constexpr ElementType table[] = {
    type<Bool>("b1", "BOOL", DType::Bool),          type<std::int64_t>("i8", "I64", DType::Int64),
    type<std::int32_t>("i4", "I32", DType::Int64),  type<std::int16_t>("i2", "I16", DType::Int64),
    type<std::int8_t>("i1", "I8", DType::Int64),    type<std::uint64_t>("u8", "U64", DType::Int64),
    type<std::uint32_t>("u4", "U32", DType::Int64), type<std::uint16_t>("u2", "U16", DType::Int64),
    type<std::uint8_t>("u1", "U8", DType::Int64),   type<BFloat16>("", "BF16", DType::BFloat16),
    type<Half>("f2", "F16", DType::Float16),        type<float>("f4", "F32", DType::Float32),
    type<double>("f8", "F64", DType::Float64),
};

} // namespace

std::span<const ElementType> element_types() { return table; }

const ElementType& written_type(DType dtype) {
    return *std::find_if(std::begin(table), std::end(table),
                         [&](const ElementType& candidate) { return candidate.dtype == dtype; });
}

const ElementType& written_type(const Tensor& tensor) {
    const auto& own = written_type(tensor.dtype());
    const auto fits = [&own](std::span<const double> numbers) { return own.holds(numbers); };
    // A file-backed tensor may be large.
    const auto source = tensor.source();
    const auto place = source ? place_of(*source) : std::nullopt;
    if (place && place->type->dtype == tensor.dtype()) {
        const auto written_fits = [&](std::int64_t, std::span<const double> numbers) { return fits(numbers); };
        return tensor.each_written(written_fits) ? own : written_type(DType::Float64);
    }
    return in_pieces(tensor, fits) ? own : written_type(DType::Float64);
}

bool in_pieces(const Tensor& tensor, const std::function<bool(std::span<const double> piece)>& see) {
    constexpr std::int64_t at_once = 1 << 16;
    std::vector<double> read;
    for (std::int64_t first = 0; first < tensor.size(); first += at_once) {
        read.resize(static_cast<std::size_t>(std::min(at_once, tensor.size() - first)));
        tensor.read(first, std::span(read));
        if (!see(read))
            return false;
    }
    return true;
}

bool stays_in_file(const ElementType& type, std::int64_t count, const ReadLimits& limits) {
    return type.dtype != DType::Int64 && type.dtype != DType::Bool && count >= limits.map_from / type.size;
}

void check_rank(const Shape& shape, std::string_view name) {
    if (shape.size() > largest_rank)
        throw Error({ATTNLAB_TEXT("%1: has more than %2 axes"), {std::string(name), std::to_string(largest_rank)}});
}

std::int64_t checked_count(const Shape& shape, std::string_view name, const ReadLimits& limits) {
    check_rank(shape, name);
    const auto own_count = element_count(shape, name);
    // Sizes next to a zero must be valid too: products of some of them are computed later.
    Shape nonzero = shape;
    std::replace(nonzero.begin(), nonzero.end(), std::int64_t{0}, std::int64_t{1});
    const auto count = element_count(nonzero, name);
    const auto most = std::min(limits.max_elements, most_in_memory(limits) / static_cast<std::int64_t>(sizeof(double)));
    if (count > most)
        throw Error({ATTNLAB_TEXT("%1: has shape %2, which is %3 numbers; at most %4 may be read"),
                     {std::string(name), to_string(shape), std::to_string(count), std::to_string(most)}});
    return own_count;
}

Message unknown_type(std::string_view type, std::string_view name) {
    return {ATTNLAB_TEXT("%1: holds elements of type '%2', expected bool, integers of 8 to 64 bits or floats of 16 to "
                         "64 bits"),
            {std::string(name), std::string(type)}};
}

} // namespace attnlab::io
