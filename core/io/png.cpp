#include "core/io/png.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>
#include <numeric>
#include <utility>
#include <vector>

namespace attnlab::io {
namespace {

const Bytef* zlib_bytes(const void* bytes) { return static_cast<const Bytef*>(bytes); }

/// Compresses what it is given, piece by piece.
class Deflater {
    z_stream stream_{};
    std::string out_;
    std::array<char, 1 << 16> buffer_{};

    void run(int flush) {
        do {
            stream_.next_out =
                reinterpret_cast<Bytef*>(buffer_.data()); // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
            stream_.avail_out = static_cast<uInt>(buffer_.size());
            ::deflate(&stream_, flush);
            out_.append(buffer_.data(), buffer_.size() - stream_.avail_out);
        } while (stream_.avail_out == 0);
    }

public:
    explicit Deflater(int level) {
        if (::deflateInit(&stream_, level) != Z_OK)
            throw std::bad_alloc();
    }
    ~Deflater() { ::deflateEnd(&stream_); }
    Deflater(const Deflater&) = delete;
    Deflater& operator=(const Deflater&) = delete;

    void add(std::span<const std::uint8_t> bytes) {
        stream_.next_in = const_cast<Bytef*>(zlib_bytes(bytes.data())); // NOLINT(cppcoreguidelines-pro-type-const-cast)
        stream_.avail_in = static_cast<uInt>(bytes.size());
        run(Z_NO_FLUSH);
    }
    std::string finish() {
        run(Z_FINISH);
        return std::move(out_);
    }
};

void unpack_row(const std::uint32_t* pixels, std::span<std::uint8_t> bytes, bool has_alpha) {
    const std::size_t step = has_alpha ? 4 : 3;
    for (std::size_t i = 0; i < bytes.size(); i += step) {
        const std::uint32_t pixel = *pixels++;
        bytes[i] = static_cast<std::uint8_t>(pixel >> 16);
        bytes[i + 1] = static_cast<std::uint8_t>(pixel >> 8);
        bytes[i + 2] = static_cast<std::uint8_t>(pixel);
        if (has_alpha)
            bytes[i + 3] = static_cast<std::uint8_t>(pixel >> 24);
    }
}

} // namespace

std::uint32_t png_number(std::string_view bytes) {
    return std::accumulate(bytes.begin(), bytes.begin() + 4, std::uint32_t{0},
                           [](std::uint32_t all, char byte) { return all << 8 | static_cast<unsigned char>(byte); });
}

std::string png_number(std::uint32_t number) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8)
        bytes += static_cast<char>(number >> shift & 0xffU);
    return bytes;
}

std::uint32_t png_checksum(std::string_view bytes) {
    return static_cast<std::uint32_t>(::crc32_z(0, zlib_bytes(bytes.data()), bytes.size()));
}

std::string png_chunk(std::string_view kind, std::string_view contents) {
    auto chunk = png_number(static_cast<std::uint32_t>(contents.size()));
    chunk.reserve(contents.size() + 12);
    chunk.append(kind).append(contents);
    return chunk + png_number(png_checksum(std::string_view(chunk).substr(4)));
}

std::string png_of(const PngPicture& picture) {
    constexpr int level = 4; // higher ones take longer, and make such pictures hardly smaller
    constexpr std::uint8_t filter_none = 0, filter_up = 2;
    // Rows that hardly differ from the row above are stored as their difference. In other rows deflate finds more
    // without.
    constexpr std::size_t repeated = 20; // one byte in so many differs at most
    const std::size_t row_bytes = std::size_t{picture.width} * (picture.has_alpha ? 4 : 3);
    std::vector<std::uint8_t> row(row_bytes), above(row_bytes), line(row_bytes + 1);
    Deflater deflater(level);
    for (std::uint32_t y = 0; y < picture.height; ++y) {
        unpack_row(picture.pixels + y * picture.row_stride, row, picture.has_alpha);
        std::size_t different = 0;
        for (std::size_t i = 0; i < row_bytes; ++i) {
            line[i + 1] = static_cast<std::uint8_t>(row[i] - above[i]);
            different += line[i + 1] != 0;
        }
        line[0] = filter_up;
        if (y == 0 || different * repeated > row_bytes) {
            line[0] = filter_none;
            std::ranges::copy(row, line.begin() + 1);
        }
        deflater.add(line);
        row.swap(above);
    }
    constexpr char eight_bits = 8, rgb = 2, rgba = 6, per_meter = 1;
    const std::string zeros(3, '\0'); // deflate, adaptive filters, not interlaced
    std::string png(png_signature);
    png += png_chunk("IHDR", png_number(picture.width) + png_number(picture.height) + eight_bits +
                                 (picture.has_alpha ? rgba : rgb) + zeros);
    if (const auto dots = png_number(picture.dots_per_meter); picture.dots_per_meter > 0)
        png += png_chunk("pHYs", dots + dots + per_meter);
    const auto compressed = deflater.finish();
    constexpr std::size_t largest_piece = std::size_t{1} << 30; // a chunk has less than 2^31 bytes
    for (std::size_t at = 0; at < compressed.size(); at += largest_piece)
        png += png_chunk("IDAT", std::string_view(compressed).substr(at, largest_piece));
    return png + png_chunk("IEND", {});
}

} // namespace attnlab::io
