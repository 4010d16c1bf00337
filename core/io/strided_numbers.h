// Arrays whose elements do not lie one behind the other: transposed, cut out of a larger one, or repeated.
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

/// Where the elements of an array lie: element (i, j, ...) is number i * strides[0] + j * strides[1] + ... from byte
/// `offset` on.
struct StridedLayout {
    std::int64_t offset;
    const ElementType* type;
    bool swapped;
    Shape shape;
    Shape strides; ///< none negative, as many as sizes

    /// Bytes from the first element to the end of the last one; 0 where there is none.
    std::int64_t extent() const;
    /// Rows lie in one piece, or repeat one number.
    bool has_whole_rows() const { return strides.empty() || strides.back() <= 1; }
    /// All elements lie one behind the other.
    bool is_contiguous() const { return strides.empty() || (strides.size() == 1 && strides.front() == 1); }
};

/// The same elements under fewer axes, as far as neighbours can be told as one: what the members above and all below
/// expect.
StridedLayout with_fewest_axes(StridedLayout layout);

/// Fills `values` with the elements from the flat, row-major index `first` on. Throws Error as ByteSource and
/// ElementType::decode.
void read_strided(const ByteSource& bytes, const StridedLayout& layout, std::int64_t first, std::span<double> values,
                  std::string_view name);

/// The same as numbers that stay where they are.
std::shared_ptr<const NumberSource> strided_numbers(std::shared_ptr<const ByteSource> bytes, StridedLayout layout,
                                                    std::string name);

} // namespace attnlab::io
