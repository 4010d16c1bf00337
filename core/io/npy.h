// NumPy's .npy: format versions 1.0 to 3.0 (numpy.lib.format), and the header.
#pragma once

#include "core/io/file_bytes.h"
#include "core/io/file_formats.h"
#include "core/tensor.h"

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::io {

// The header of a .npy file.

/// NumPy writes a few dozen characters and by default reads up to 10,000.
inline constexpr std::int64_t largest_npy_header = std::int64_t{1} << 16;

struct NpyHeader {
    std::string descr; ///< NumPy's type code: "<f8"
    bool fortran_order = false;
    Shape shape;
    std::int64_t data_offset = 0; ///< of the first number, in bytes
};

/// Reads only the header of the `size` bytes at `offset`; the type code and the sizes are not checked. Throws Error
/// naming `name`.
NpyHeader read_npy_header(const ByteSource& bytes, std::int64_t offset, std::int64_t size, std::string_view name);

class ByteSource;
class InputFile;
struct ElementType;

/// Reads bool, (u)int8..64, float16/32/64 in either byte order and either element order. Rejects with a reason: object
/// arrays (pickles), complex, strings, records (all UnreadableType, see elements.h), integers beyond 2^53, shapes that
/// do not match the data. `name` is the array's name in messages.
Tensor read_npy(std::span<const std::byte> bytes, std::string_view name, const ReadLimits& limits = {});

/// The same for a file; a large array stays in it (ReadLimits::map_from). Throws Error naming the file.
Tensor read_npy(const std::filesystem::path& path, const ReadLimits& limits = {});

/// The same for `size` bytes of a file from `offset` on; a large array stays there.
Tensor read_npy(const std::shared_ptr<const InputFile>& file, std::int64_t offset, std::int64_t size,
                std::string_view name, const ReadLimits& limits);

/// The same for other bytes, verified when they are read (ByteSource::verify).
Tensor read_npy(const std::shared_ptr<const ByteSource>& bytes, std::string_view name, const ReadLimits& limits);

/// The texts of an array of one axis (or of several of which the others have length 1): '<U5' or '|S5', UTF-8 in the
/// latter. Throws Error naming `name`, UnreadableType for more axes, Cancelled.
std::vector<std::string> read_npy_texts(std::span<const std::byte> bytes, std::string_view name,
                                        const ReadLimits& limits = {});

/// Version 1.0, C order, little-endian. Bool is '|b1', Int64 '<i8', floating types '<f8': values are written exactly as
/// held, so a Bool or Int64 tensor with a value outside its type becomes '<f8' too. A file-backed array (see
/// Tensor::source) is written as compact_npy_type(), or it would grow with each copy.
std::string write_npy(const Tensor& tensor);
/// The same, in pieces.
void write_npy(std::ostream& stream, const Tensor& tensor, const RunControl& control = {});

/// The smallest written type that holds every value: the tensor's own, '<f4' for bfloat16, or '<f8'.
const ElementType& compact_npy_type(const Tensor& tensor);

/// Generates the bytes of a .npy in pieces, so that a file-backed array is never in memory as a whole.
class NpyPieces {
public:
    /// The tensor must outlive it.
    explicit NpyPieces(const Tensor& tensor);
    /// `type` must hold every value.
    NpyPieces(const Tensor& tensor, const ElementType& type);

    std::int64_t size() const; ///< total, in bytes
    /// Replaces `bytes` by the next piece; false at the end. Throws Error when the numbers cannot be read.
    bool next(std::string& bytes);
    void rewind() { at_ = -1; }

private:
    const Tensor& tensor_;
    const ElementType& type_;
    std::string header_;
    std::int64_t at_ = -1; ///< index of the next number; -1: the header
};

/// '<f4'.
std::string write_npy(const Shape& shape, std::span<const float> values);

} // namespace attnlab::io
