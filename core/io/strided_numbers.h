// Arrays whose elements do not lie one behind the other: transposed, cut out of a larger one, or repeated.
#pragma once

#include "core/io/elements.h"
#include "core/number_source.h"

#include <bit>
#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace attnlab::io {

class MappedFile;

/// True for numbers that are not in this machine's byte order.
constexpr bool is_swapped(bool big_endian) { return big_endian == (std::endian::native == std::endian::little); }

/// Where the elements of an array lie: element (i, j, ...) is number i * strides[0] + j * strides[1] + ... of `bytes`.
struct StridedLayout {
    std::span<const std::byte> bytes; ///< from the first element on
    const ElementType* type;
    bool swapped;
    Shape shape;
    Shape strides; ///< none negative, as many as sizes; all that they reach lies within `bytes`
};

/// The same elements under fewer axes, as far as neighbours can be told as one. At most one axis of stride 1 is left
/// where they lie one behind the other.
StridedLayout with_fewest_axes(StridedLayout layout);
bool is_contiguous(const StridedLayout& layout);

/// Fills `values` with the elements from the flat, row-major index `first` on; for a layout of fewest axes. Throws
/// Error as ElementType::decode.
void read_strided(const StridedLayout& layout, std::int64_t first, std::span<double> values, std::string_view name);

/// The same as numbers that stay where they are; `owner` keeps the bytes. Where they are those of `file`, every read
/// first checks that they are there.
std::shared_ptr<const NumberSource> strided_numbers(StridedLayout layout, std::shared_ptr<const void> owner,
                                                    std::shared_ptr<const MappedFile> file, std::string name);

} // namespace attnlab::io
