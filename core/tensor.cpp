#include "core/tensor.h"

#include "core/message.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace attnlab {

std::string to_string(const Shape& shape) {
    std::string text = "(";
    for (std::size_t i = 0; i < shape.size(); ++i)
        text += (i ? ", " : "") + std::to_string(shape[i]);
    return text + (shape.size() == 1 ? ",)" : ")");
}

std::int64_t element_count(const Shape& shape, std::string_view name) {
    constexpr auto most = std::numeric_limits<std::int64_t>::max() / static_cast<std::int64_t>(sizeof(double));
    bool empty = false;
    // The sizes beside a 0 must be sane too: code multiplies them on their own.
    std::int64_t count = 1;
    for (const auto size : shape) {
        if (size < 0)
            throw Error({ATTNLAB_TEXT("%1: has shape %2, expected sizes that are not negative"),
                         {std::string(name), to_string(shape)}});
        empty = empty || size == 0;
        if (size > 0 && count > most / size)
            throw Error({ATTNLAB_TEXT("%1: has shape %2, which is more than memory can address"),
                         {std::string(name), to_string(shape)}});
        count *= std::max<std::int64_t>(1, size);
    }
    return empty ? 0 : count;
}

std::string_view name_of(DType dtype) {
    switch (dtype) {
    case DType::Bool:
        return "bool";
    case DType::Int64:
        return "int64";
    case DType::BFloat16:
        return "bfloat16";
    case DType::Float16:
        return "float16";
    case DType::Float32:
        return "float32";
    case DType::Float64:
        return "float64";
    }
    return "";
}

Tensor::Tensor(Shape shape, double fill, DType dtype) : shape_(std::move(shape)), dtype_(dtype) {
    storage_ = std::make_shared<Storage>(std::vector<double>(static_cast<std::size_t>(element_count(shape_)), fill));
}

Tensor::Tensor(Shape shape, std::vector<double> values, DType dtype) : shape_(std::move(shape)), dtype_(dtype) {
    if (element_count(shape_) != static_cast<std::int64_t>(values.size()))
        throw std::invalid_argument("Tensor: " + std::to_string(values.size()) + " values for shape " +
                                    to_string(shape_));
    storage_ = std::make_shared<Storage>(std::move(values));
}

Tensor Tensor::from(Shape shape, std::shared_ptr<const NumberSource> source, DType dtype) {
    if (element_count(shape) != source->size())
        throw std::invalid_argument("Tensor: a source of " + std::to_string(source->size()) + " values for shape " +
                                    to_string(shape));
    Tensor tensor;
    tensor.shape_ = std::move(shape);
    tensor.dtype_ = dtype;
    tensor.storage_ = std::make_shared<Storage>(std::move(source));
    return tensor;
}

std::span<const double> Tensor::fetched() const {
    const std::lock_guard lock(storage_->fetching);
    if (!in_memory()) {
        std::vector<double> values(static_cast<std::size_t>(size()));
        storage_->source->read(0, values);
        storage_->values = std::move(values);
        storage_->in_memory.store(true, std::memory_order_release);
    }
    return storage_->values;
}

double Tensor::value(std::int64_t offset) const {
    double one = 0.0;
    read(offset, std::span(&one, 1));
    return one;
}

void Tensor::read(std::int64_t first, std::span<double> values) const {
    if (!in_memory())
        return storage_->source->read(first, values);
    std::copy_n(storage_->values.begin() + first, values.size(), values.begin());
}

void Tensor::read(std::int64_t first, std::span<float> values) const {
    if (!in_memory())
        return storage_->source->read(first, values);
    std::transform(storage_->values.begin() + first,
                   storage_->values.begin() + first + static_cast<std::ptrdiff_t>(values.size()), values.begin(),
                   [](double value) { return static_cast<float>(value); });
}

std::int64_t Tensor::dim(int axis) const {
    return shape_.at(static_cast<std::size_t>(axis < 0 ? axis + rank() : axis));
}

std::span<double> Tensor::mutable_values() {
    if (storage_.use_count() > 1 || !in_memory() || storage_->source) {
        const auto all = values();
        storage_ = std::make_shared<Storage>(std::vector<double>(all.begin(), all.end()));
    }
    // What other threads read from a copy that they have dropped comes before what is written now.
    std::atomic_thread_fence(std::memory_order_acquire);
    return storage_->values;
}

std::int64_t Tensor::offset(std::span<const std::int64_t> index) const {
    if (index.size() != shape_.size())
        throw std::out_of_range("Tensor: index of the wrong rank");
    std::int64_t result = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
        if (index[axis] < 0 || index[axis] >= shape_[axis])
            throw std::out_of_range("Tensor: index outside the shape " + to_string(shape_));
        result = result * shape_[axis] + index[axis];
    }
    return result;
}

double Tensor::at(std::initializer_list<std::int64_t> index) const {
    return value(offset({index.begin(), index.size()}));
}

void Tensor::set(std::initializer_list<std::int64_t> index, double value) {
    const auto position = static_cast<std::size_t>(offset({index.begin(), index.size()}));
    mutable_values()[position] = value;
}

Tensor Tensor::reshaped(Shape shape) const {
    if (element_count(shape) != size())
        throw std::invalid_argument("Tensor: cannot reshape " + to_string(shape_) + " to " + to_string(shape));
    Tensor result = *this;
    result.shape_ = std::move(shape);
    return result;
}

Tensor Tensor::with_dtype(DType dtype) const {
    Tensor result = *this;
    result.dtype_ = dtype;
    return result;
}

bool Tensor::operator==(const Tensor& other) const {
    if (shape_ != other.shape_ || dtype_ != other.dtype_)
        return false;
    return storage_ == other.storage_ ||
           std::equal(values().begin(), values().end(), other.values().begin(),
                      [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); });
}

MatrixView matrix_at(const Tensor& tensor, std::int64_t leading) {
    const auto columns = tensor.rank() > 0 ? tensor.dim(-1) : 1;
    const auto rows = tensor.rank() > 1 ? tensor.dim(-2) : 1;
    if (leading < 0 || (leading + 1) * rows * columns > tensor.size())
        throw std::out_of_range("matrix_at: no such matrix in " + to_string(tensor.shape()));
    return {tensor.data() + leading * rows * columns, rows, columns};
}

std::int64_t matrix_count(const Tensor& tensor) {
    std::int64_t count = 1;
    for (int axis = 0; axis < tensor.rank() - 2; ++axis)
        count *= tensor.dim(axis);
    return count;
}

} // namespace attnlab
