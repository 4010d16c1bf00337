// PNG (ISO/IEC 15948): chunks, and a writer that is fast for pictures whose rows repeat, such as heatmaps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace attnlab::io {

inline constexpr std::string_view png_signature = "\x89PNG\r\n\x1a\n";
inline constexpr std::size_t png_header_end = 8 + 25; ///< of a PNG: signature and IHDR

/// The big-endian number at the beginning of `bytes`, which are four at least; and the reverse.
std::uint32_t png_number(std::string_view bytes);
std::string png_number(std::uint32_t number);
/// Of the kind and the contents of a chunk.
std::uint32_t png_checksum(std::string_view bytes);
/// A whole chunk.
std::string png_chunk(std::string_view kind, std::string_view contents);

/// Pixels as 0xAARRGGBB, not premultiplied.
struct PngPicture {
    std::uint32_t width, height;      ///< at least 1
    const std::uint32_t* pixels;      ///< the first row
    std::size_t row_stride;           ///< pixels from one row to the next
    bool has_alpha = false;           ///< without, alpha is not read
    std::uint32_t dots_per_meter = 0; ///< 0: not written
};

/// The same pixels have the same bytes. Throws std::bad_alloc if there is no memory for them.
std::string png_of(const PngPicture& picture);

} // namespace attnlab::io
