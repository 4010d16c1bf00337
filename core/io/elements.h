// Single numbers as files hold them: one table of types for .npy and .safetensors.
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
    std::string_view npy;         ///< NumPy's code without the byte order: "f4"; empty where it has none
    std::string_view safetensors; ///< "F32"
    DType dtype;                  ///< of a Tensor made of them
    std::int64_t size;            ///< bytes

    /// Fills `values` from as many elements. Throws Error naming `name` for an integer that a double cannot hold;
    /// `first` is what the message calls the first element. `swapped`: in the byte order that is not this machine's.
    void (*decode)(std::span<const std::byte> bytes, bool swapped, std::span<double> values, std::string_view name,
                   std::size_t first);
    /// True when every value would read back as the same bits.
    bool (*holds)(std::span<const double> values);
    /// Appends little-endian elements; for values that it holds.
    void (*append)(std::string& bytes, std::span<const double> values);
};

std::span<const ElementType> element_types();

/// The type to write `tensor` as without changing a bit: that of its dtype, or float64 where a value is none of these.
const ElementType& written_type(const Tensor& tensor);
const ElementType& written_type(DType dtype);

/// Calls `see` with all numbers of the tensor, some at a time and wherever they lie, until it answers false. False when
/// it did.
bool in_pieces(const Tensor& tensor, const std::function<bool(std::span<const double> piece)>& see);

/// True for arrays of so many elements that stay in their file: large ones of floats, which no value can spoil.
bool stays_in_file(const ElementType& type, std::int64_t count, const ReadLimits& limits);

/// Throws Error naming `name` beyond largest_rank.
void check_rank(const Shape& shape, std::string_view name);

/// The number of elements, once it is within the limits. Throws Error naming `name`.
std::int64_t checked_count(const Shape& shape, std::string_view name, const ReadLimits& limits);

/// What to say about a type that is not in the table.
Message unknown_type(std::string_view type, std::string_view name);

/// An array that is whole but of a type that is not read. Files that hold others beside it can be read without it.
class UnreadableType : public Error {
public:
    explicit UnreadableType(Message message, bool is_text = false) : Error(std::move(message)), is_text_(is_text) {}
    bool is_text() const { return is_text_; }

private:
    bool is_text_;
};

} // namespace attnlab::io
