// Dense row-major arrays of numbers with value semantics and shared storage.
#pragma once

#include "core/number_source.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab {

class PatchedNumbers;

using Shape = std::vector<std::int64_t>;

/// "(2, 3, 5)".
std::string to_string(const Shape& shape);

/// The number of elements. Throws Error naming `name` when a size is negative or the product
/// of the sizes (those beside a 0 included) is more than memory can address.
std::int64_t element_count(const Shape& shape, std::string_view name = "tensor");

/// What the numbers are (in a file, or in meaning). A Tensor holds all of them as double, which is exact for every
/// type here as long as integers stay within 2^53; readers refuse integers beyond that.
enum class DType { Bool, Int64, BFloat16, Float16, Float32, Float64 };

/// NumPy's and PyTorch's word for it: "bool", "int64", "bfloat16", "float16", "float32", "float64".
std::string_view name_of(DType dtype);

/// A copy shares storage until one of the two is written to, so Problems and undo steps copy at no cost.
/// Distinct Tensor objects may be used from distinct threads, as with any value type.
class Tensor {
public:
    Tensor() : Tensor(Shape{0}) {}
    explicit Tensor(Shape shape, double fill = 0.0, DType dtype = DType::Float64);
    /// Throws std::invalid_argument when the number of values is not the shape's.
    Tensor(Shape shape, std::vector<double> values, DType dtype = DType::Float64);

    /// Numbers that stay where they are: value() and read() ask for pieces, everything else for all of them, which are
    /// then held as double. Throws std::invalid_argument as above.
    static Tensor from(Shape shape, std::shared_ptr<const NumberSource> source, DType dtype);

    const Shape& shape() const { return shape_; }
    int rank() const { return static_cast<int>(shape_.size()); }
    /// Size along an axis; negative axes count from the end. Throws std::out_of_range.
    std::int64_t dim(int axis) const;
    std::int64_t size() const { return storage_->size; }
    DType dtype() const { return dtype_; }

    /// False while the numbers lie elsewhere: then values() and data() cost 8 bytes a number and may throw Error.
    bool in_memory() const { return storage_->in_memory.load(std::memory_order_acquire); }
    std::span<const double> values() const { return in_memory() ? storage_->values : fetched(); }
    const double* data() const { return values().data(); }

    /// One number by its flat offset (see offset()), and so many from `first` on, wherever they lie.
    double value(std::int64_t offset) const;
    void read(std::int64_t first, std::span<double> values) const;
    void read(std::int64_t first, std::span<float> values) const;
    /// All of them, in memory and unshared first.
    std::span<double> mutable_values();
    /// So many from `first` on, in numbers of its own. Those that lie elsewhere stay there, with what is written kept
    /// on top of them: it costs what is written, not what there is. Throws Error when they cannot be had any more.
    void write(std::int64_t first, std::span<const double> values);
    /// Where the numbers lie, with what was written on top (see PatchedNumbers); null where all were made in memory.
    std::shared_ptr<const NumberSource> source() const { return storage_->source; }

    /// Flat offset of an index with one entry per axis. Throws std::out_of_range.
    std::int64_t offset(std::span<const std::int64_t> index) const;
    double at(std::initializer_list<std::int64_t> index) const;
    void set(std::initializer_list<std::int64_t> index, double value);

    /// The same values in the same order under another shape of equal size; shares storage.
    Tensor reshaped(Shape shape) const;
    Tensor with_dtype(DType dtype) const;
    /// True when both are views of one storage: a cheap "surely equal".
    bool shares_storage_with(const Tensor& other) const { return storage_ == other.storage_; }

    /// Equal shape, dtype and values; NaN equals NaN. Numbers that lie elsewhere stay there; of two that were made from
    /// the same ones, only what was written is looked at.
    bool operator==(const Tensor& other) const;

private:
    struct Storage {
        explicit Storage(std::vector<double> held)
            : values(std::move(held)), size(static_cast<std::int64_t>(values.size())) {}
        explicit Storage(std::shared_ptr<const NumberSource> elsewhere)
            : source(std::move(elsewhere)), size(source->size()), in_memory(false) {}

        std::vector<double> values;
        std::shared_ptr<const NumberSource> source;
        std::shared_ptr<PatchedNumbers> patched; ///< the source, where it was made here by writing to it
        std::int64_t size;
        std::atomic<bool> in_memory = true;
        std::mutex fetching;
    };

    std::span<const double> fetched() const;

    Shape shape_;
    DType dtype_ = DType::Float64;
    std::shared_ptr<Storage> storage_;
};

/// A read-only rows x columns window into contiguous row-major storage that somebody else keeps alive.
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
/// A rank-1 tensor is one row. The view is valid while `tensor` (or a tensor sharing its storage) lives unwritten.
MatrixView matrix_at(const Tensor& tensor, std::int64_t leading = 0);
/// How many such matrices there are.
std::int64_t matrix_count(const Tensor& tensor);

} // namespace attnlab
