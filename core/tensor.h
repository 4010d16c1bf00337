// Dense row-major arrays of numbers with value semantics and shared storage.
#pragma once

#include "core/chunked_numbers.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab {

/// A masked key's score is -infinity.
inline constexpr double infinity = std::numeric_limits<double>::infinity();

class ChunkedNumbers;

using Shape = std::vector<std::int64_t>;

/// "(2, 3, 5)".
std::string to_string(const Shape& shape);

/// The number of elements. Throws Error naming `name` when a size is negative or the product
/// of the sizes (those beside a 0 included) is more than memory can address.
std::int64_t element_count(const Shape& shape, std::string_view name = "tensor");

/// The meaning of the numbers, or their type in a file. A Tensor holds all as double, which is exact for every type
/// here as long as integers are within 2^53; readers refuse larger integers.
enum class DType { Bool, Int64, BFloat16, Float16, Float32, Float64 };

/// The name in NumPy and PyTorch: "bool", "int64", "bfloat16", "float16", "float32", "float64".
std::string_view name_of(DType dtype);

/// A copy shares storage until one of the two is written to, so problems and undo steps are cheap to copy.
/// Distinct Tensor objects may be used from distinct threads, as with any value type.
///
/// The numbers are in one contiguous array, which computations need, or in chunks over an optional source (see
/// ChunkedNumbers); edited copies share equal chunks. values() copies chunks into one array and keeps it beside them
/// until released().
class Tensor {
public:
    Tensor() : Tensor(Shape{0}) {}
    explicit Tensor(Shape shape, double fill = 0.0, DType dtype = DType::Float64);
    /// Throws std::invalid_argument when the number of values does not match the shape.
    Tensor(Shape shape, std::vector<double> values, DType dtype = DType::Float64);

    /// Numbers that stay in `source`: value() and read() read pieces; everything else reads all of them and holds them
    /// as double. Throws std::invalid_argument as above.
    static Tensor from(Shape shape, std::shared_ptr<const NumberSource> source, DType dtype);

    const Shape& shape() const { return shape_; }
    int rank() const { return static_cast<int>(shape_.size()); }
    /// Size along an axis; negative axes count from the end. Throws std::out_of_range.
    std::int64_t dim(int axis) const;
    std::int64_t size() const { return storage_->size; }
    DType dtype() const { return dtype_; }

    /// False while the numbers are in a source: values() and data() then load them (8 bytes each) and may throw Error.
    bool in_memory() const;
    std::span<const double> values() const { return in_one_piece() ? storage_->values : fetched(); }
    const double* data() const { return values().data(); }

    /// One number by its flat offset (see offset()), and a range of them from `first` on, wherever they are stored.
    double value(std::int64_t offset) const;
    void read(std::int64_t first, std::span<double> values) const;
    void read(std::int64_t first, std::span<float> values) const;
    /// All numbers, in one piece of memory and unshared first.
    std::span<double> mutable_values();
    /// Overwrites numbers from `first` on, in storage of its own. In chunks this copies only the chunks written, in a
    /// shared contiguous array all numbers. Throws Error when the source can no longer be read.
    void write(std::int64_t first, std::span<const double> values);
    /// Where the numbers that were not written come from; null for numbers made in memory.
    std::shared_ptr<const NumberSource> source() const;
    /// Calls `see` with the numbers that were written on top of the source, in pieces, until it returns false. Returns
    /// false in that case.
    bool each_written(const std::function<bool(std::int64_t first, std::span<const double> numbers)>& see) const;

    /// Stores both in chunks, so that `after` only takes memory where its bits differ from `before`. Their numbers do
    /// not change. Does nothing for small tensors, other sizes, and numbers that are in a source or already in chunks.
    static void share_chunks(Tensor& before, Tensor& after);
    /// The same numbers without the piece of memory that values() made of chunks.
    Tensor released() const;
    /// Calls `see` with the identity and the bytes of each allocation of the numbers in memory. Where it returns
    /// false, the allocations inside are left out, and so may be those of `seen`, a tensor that was visited before.
    /// Memory of a source is not counted.
    void each_allocation(const std::function<bool(const void* identity, std::size_t bytes)>& see,
                         const Tensor* seen = nullptr) const;

    /// Flat offset of an index with one entry per axis. Throws std::out_of_range.
    std::int64_t offset(std::span<const std::int64_t> index) const;
    double at(std::initializer_list<std::int64_t> index) const;
    void set(std::initializer_list<std::int64_t> index, double value);

    /// The same values in the same order under another shape of equal size; shares storage.
    Tensor reshaped(Shape shape) const;
    Tensor with_dtype(DType dtype) const;
    /// True when both share one storage or all chunks: a cheap "surely equal".
    bool shares_storage_with(const Tensor& other) const;

    /// Equal shape, dtype and values; NaN equals NaN. Sources are not loaded into memory, and neither they nor shared
    /// chunks are compared number by number.
    bool operator==(const Tensor& other) const;

private:
    struct Storage {
        explicit Storage(std::vector<double> held)
            : values(std::move(held)), size(static_cast<std::int64_t>(values.size())), in_one_piece(true) {}
        explicit Storage(ChunkedNumbers held);

        std::vector<double> values;
        std::shared_ptr<ChunkedNumbers> chunks; ///< null: only `values`
        std::int64_t size;
        std::atomic<bool> in_one_piece; ///< `values` holds the numbers
        std::mutex fetching;
    };

    bool in_one_piece() const { return storage_->in_one_piece.load(std::memory_order_acquire); }
    std::span<const double> fetched() const;

    Shape shape_;
    DType dtype_ = DType::Float64;
    std::shared_ptr<Storage> storage_;
};

/// A non-owning read-only view of a rows x columns matrix in contiguous row-major storage.
struct MatrixView {
    const double* data = nullptr;
    std::int64_t rows = 0;
    std::int64_t columns = 0;

    double operator()(std::int64_t row, std::int64_t column) const { return data[row * columns + column]; }
    std::span<const double> row(std::int64_t index) const {
        return {data + index * columns, static_cast<std::size_t>(columns)};
    }
    bool empty() const { return rows == 0 || columns == 0; }
};

/// The matrix spanned by the last two axes at the given leading index (all leading axes, flattened row-major).
/// A rank-1 tensor is one row. The view is valid while `tensor` (or a tensor sharing its storage) lives and is not
/// written to.
MatrixView matrix_at(const Tensor& tensor, std::int64_t leading = 0);
/// The number of such matrices.
std::int64_t matrix_count(const Tensor& tensor);

} // namespace attnlab
