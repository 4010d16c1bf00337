// Arrays whose numbers stay in their file until they are read: after the header, in place, or with strides.
#pragma once

#include "core/chunked_numbers.h"
#include "core/io/elements.h"
#include "core/io/file_bytes.h"
#include "core/io/file_formats.h"
#include "core/tensor.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::io {

// Arrays of which only the header has been read.

/// The numbers of an array that a reader has described and not yet read (ReadLimits::defer).
class DeferredNumbers : public NumberSource {
public:
    struct How {
        /// Reads the array, with every check of the reader. Throws Error.
        std::function<Tensor()> load;
        /// Reads some of its numbers, without a checksum; empty: all are loaded at the first read.
        std::function<void(std::int64_t first, std::span<double> values)> read = {};
        std::int64_t bytes = 0;     ///< in memory once it is loaded; 0 for an array that stays in its file
        std::int64_t meanwhile = 0; ///< more bytes while it is loaded
    };
    DeferredNumbers(std::int64_t count, How how) : count_(count), how_(std::move(how)) {}

    std::int64_t bytes() const { return how_.bytes; }
    std::int64_t bytes_meanwhile() const { return how_.meanwhile; }
    Tensor load() const { return how_.load(); }

    std::int64_t size() const override { return count_; }
    void read(std::int64_t first, std::span<double> values) const override;
    void read(std::int64_t first, std::span<float> values) const override;

private:
    const std::int64_t count_;
    const How how_;
    mutable std::mutex mutex_;
    mutable std::optional<Tensor> loaded_;
};

Tensor deferred(Shape shape, DType dtype, DeferredNumbers::How how);

/// Null for other arrays.
const DeferredNumbers* deferred_in(const Tensor& tensor);

/// The bytes of memory that arrays of a file need.
struct ArraysInMemory {
    std::int64_t bytes = 0, meanwhile = 0; ///< when all are loaded, and more while one of them is

    /// Deferred numbers that several arrays share count once.
    explicit ArraysInMemory(std::span<Tensor* const> arrays);
    /// Throws Error naming `file` where this and `more` bytes exceed most_in_memory().
    void require(const ReadLimits& limits, std::string_view file, std::int64_t more = 0) const;
};

/// Replaces the deferred ones by the arrays. `control` may be null. Throws Error, Cancelled.
void load(std::span<Tensor* const> arrays, const RunControl* control);

// Numbers that stay in their file until they are read.

/// `count` elements from byte `offset` of a file on, in this machine's byte order unless `swapped`. Not for types whose
/// values may be rejected (64-bit integers). `name` is the array's name in messages. Throws Error as InputFile::settle.
std::shared_ptr<const NumberSource> numbers_in(std::shared_ptr<const InputFile> file, std::int64_t offset,
                                               const ElementType& type, bool swapped, std::int64_t count,
                                               std::string name);

/// The position of a file-backed array: enough to find it again.
struct FilePlace {
    std::shared_ptr<const InputFile> file;
    std::int64_t offset = 0;
    const ElementType* type = nullptr;
    bool swapped = false;
};

/// nullopt where the numbers are not from numbers_in().
std::optional<FilePlace> place_of(const NumberSource& numbers);

/// Reads `values` from the elements that begin at `offset`, in pieces. `first` is the index of the first one in
/// messages. Throws Error as ByteSource and ElementType::decode.
void read_elements(const ByteSource& bytes, std::int64_t offset, const ElementType& type, bool swapped,
                   std::span<double> values, std::string_view name, std::size_t first = 0);
/// `count` of them in memory of their own. Throws as above, and Cancelled.
std::vector<double> elements_at(const ByteSource& bytes, std::int64_t offset, const ElementType& type, bool swapped,
                                std::int64_t count, std::string_view name, const ReadLimits& limits);

/// `count` numbers in memory, of which `read` makes those from its first argument on. Polls the limits between pieces,
/// and touches no memory before its piece: a cancelled read has little to free. Throws Cancelled.
std::vector<double> numbers_in_pieces(std::int64_t count, const ReadLimits& limits,
                                      const std::function<void(std::int64_t first, std::span<double> piece)>& read);

// Arrays whose elements are not contiguous: transposed, slices of larger ones, or repeated.

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
