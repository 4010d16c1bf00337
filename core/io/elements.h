// The number types of .npy and .safetensors files.
#pragma once

#include "core/io/file_formats.h"

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace attnlab::io {

inline constexpr std::size_t largest_rank = 64; ///< NumPy's and PyTorch's own limit

struct ElementType {
    std::string_view npy;         ///< NumPy's code without the byte order: "f4"; empty if none
    std::string_view safetensors; ///< "F32"
    DType dtype;                  ///< of a Tensor made from them
    std::int64_t size;            ///< bytes

    /// Decodes as many elements as `values` has. Throws Error naming `name` for an integer that a double cannot
    /// represent; `first` is the index of the first element in messages. `swapped`: not in this machine's byte order.
    void (*decode)(std::span<const std::byte> bytes, bool swapped, std::span<double> values, std::string_view name,
                   std::size_t first);
    /// True when every value can be written and read back with the same bits.
    bool (*holds)(std::span<const double> values);
    /// Appends little-endian elements; requires that holds() is true.
    void (*append)(std::string& bytes, std::span<const double> values);
};

std::span<const ElementType> element_types();

/// The type to write `tensor` losslessly: that of its dtype, or float64 where a value does not fit it.
const ElementType& written_type(const Tensor& tensor);
const ElementType& written_type(DType dtype);

/// Calls `see` with all numbers of the tensor in pieces, wherever they are stored, until it returns false. Returns
/// false in that case.
bool in_pieces(const Tensor& tensor, const std::function<bool(std::span<const double> piece)>& see);

/// True for large arrays of floats, which may stay in their file: any bits are valid values.
bool stays_in_file(const ElementType& type, std::int64_t count, const ReadLimits& limits);

/// Throws Error naming `name` beyond largest_rank.
void check_rank(const Shape& shape, std::string_view name);

/// The number of elements, after checking the limits. Throws Error naming `name`.
std::int64_t checked_count(const Shape& shape, std::string_view name, const ReadLimits& limits);

/// The message about a type that is not in the table.
Message unknown_type(std::string_view type, std::string_view name);

/// An intact array of an unsupported type. Other arrays of the file can still be read.
class UnreadableType : public Error {
public:
    explicit UnreadableType(Message message, bool is_text = false) : Error(std::move(message)), is_text_(is_text) {}
    bool is_text() const { return is_text_; }

private:
    bool is_text_;
};

} // namespace attnlab::io
