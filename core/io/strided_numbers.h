// Arrays whose elements are not contiguous: transposed, slices of larger ones, or repeated.
#pragma once

#include "core/io/elements.h"
#include "core/io/file_bytes.h"
#include "core/number_source.h"

#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace attnlab::io {

/// True for numbers that are not in this machine's byte order.
constexpr bool is_swapped(bool big_endian) { return big_endian == (std::endian::native == std::endian::little); }

/// The layout of an array: element (i, j, ...) is number i * strides[0] + j * strides[1] + ... from byte `offset` on.
struct StridedLayout {
    std::int64_t offset;
    const ElementType* type;
    bool swapped;
    Shape shape;
    Shape strides; ///< none negative, as many as sizes

    /// Bytes from the first element to the end of the last one; 0 without elements.
    std::int64_t extent() const;
    /// Rows are contiguous, or repeat one number.
    bool has_whole_rows() const { return strides.empty() || strides.back() <= 1; }
    /// All elements are contiguous.
    bool is_contiguous() const { return strides.empty() || (strides.size() == 1 && strides.front() == 1); }
};

/// The same elements with neighbouring axes merged where possible: required by the members above and all functions
/// below.
StridedLayout with_fewest_axes(StridedLayout layout);

/// Reads elements from the flat, row-major index `first` on. Throws Error as ByteSource and ElementType::decode.
void read_strided(const ByteSource& bytes, const StridedLayout& layout, std::int64_t first, std::span<double> values,
                  std::string_view name);

/// The same as a number source.
std::shared_ptr<const NumberSource> strided_numbers(std::shared_ptr<const ByteSource> bytes, StridedLayout layout,
                                                    std::string name);

} // namespace attnlab::io
