#include "core/tensor.h"

#include "core/chunked_numbers.h"
#include "core/message.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace attnlab {
namespace {

bool equal_numbers(std::span<const double> a, std::span<const double> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

/// Compares values of equal shape, wherever they are stored.
bool equal_piecewise(const Tensor& a, const Tensor& b) {
    std::vector<double> of_a(std::min<std::size_t>(static_cast<std::size_t>(a.size()), 1 << 16)), of_b(of_a.size());
    for (std::int64_t first = 0; first < a.size(); first += std::ssize(of_a)) {
        const auto count = static_cast<std::size_t>(std::min<std::int64_t>(std::ssize(of_a), a.size() - first));
        a.read(first, std::span(of_a).first(count));
        b.read(first, std::span(of_b).first(count));
        if (!equal_numbers(std::span(of_a).first(count), std::span(of_b).first(count)))
            return false;
    }
    return true;
}

bool is_same(const std::shared_ptr<const NumberSource>& a, const std::shared_ptr<const NumberSource>& b) {
    return a == b || (a && b && a->is_same(*b));
}

} // namespace

std::string to_string(const Shape& shape) {
    std::string text = "(";
    for (std::size_t i = 0; i < shape.size(); ++i)
        text += (i ? ", " : "") + std::to_string(shape[i]);
    return text + (shape.size() == 1 ? ",)" : ")");
}

std::int64_t element_count(const Shape& shape, std::string_view name) {
    // In WebAssembly, std::size_t has 32 bits.
    constexpr auto most = static_cast<std::int64_t>(std::numeric_limits<std::ptrdiff_t>::max() / sizeof(double));
    bool empty = false;
    // Sizes next to a 0 must be valid too: code multiplies them on their own.
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
    tensor.storage_ = std::make_shared<Storage>(ChunkedNumbers(std::move(source)));
    return tensor;
}

Tensor::Storage::Storage(ChunkedNumbers held)
    : chunks(std::make_shared<ChunkedNumbers>(std::move(held))), size(chunks->size()), in_one_piece(false) {}

bool Tensor::in_memory() const { return in_one_piece() || !storage_->chunks->source(); }

std::span<const double> Tensor::fetched() const {
    const std::lock_guard lock(storage_->fetching);
    if (!in_one_piece()) {
        std::vector<double> values(static_cast<std::size_t>(size()));
        storage_->chunks->read(0, std::span(values));
        storage_->values = std::move(values);
        storage_->in_one_piece.store(true, std::memory_order_release);
    }
    return storage_->values;
}

double Tensor::value(std::int64_t offset) const {
    double one = 0.0;
    read(offset, std::span(&one, 1));
    return one;
}

void Tensor::read(std::int64_t first, std::span<double> values) const {
    if (!in_one_piece())
        return storage_->chunks->read(first, values);
    std::copy_n(storage_->values.begin() + first, values.size(), values.begin());
}

void Tensor::read(std::int64_t first, std::span<float> values) const {
    if (!in_one_piece())
        return storage_->chunks->read(first, values);
    std::transform(storage_->values.begin() + first,
                   storage_->values.begin() + first + static_cast<std::ptrdiff_t>(values.size()), values.begin(),
                   [](double value) { return static_cast<float>(value); });
}

std::int64_t Tensor::dim(int axis) const {
    return shape_.at(static_cast<std::size_t>(axis < 0 ? axis + rank() : axis));
}

std::span<double> Tensor::mutable_values() {
    if (!in_one_piece()) {
        std::vector<double> all(static_cast<std::size_t>(size()));
        read(0, std::span(all));
        storage_ = std::make_shared<Storage>(std::move(all));
    } else if (storage_->chunks || !is_sole_owner(storage_)) {
        storage_ = std::make_shared<Storage>(std::vector<double>(storage_->values));
    }
    return storage_->values;
}

void Tensor::write(std::int64_t first, std::span<const double> values) {
    if (first < 0 || std::ssize(values) > size() - first)
        throw std::out_of_range("Tensor: numbers outside the shape " + to_string(shape_));
    if (!storage_->chunks) {
        std::copy(values.begin(), values.end(), mutable_values().begin() + first);
        return;
    }
    if (in_one_piece() || !is_sole_owner(storage_))
        storage_ = std::make_shared<Storage>(ChunkedNumbers(*storage_->chunks));
    storage_->chunks->write(first, values);
}

std::shared_ptr<const NumberSource> Tensor::source() const {
    return storage_->chunks ? storage_->chunks->source() : nullptr;
}

bool Tensor::each_written(const std::function<bool(std::int64_t first, std::span<const double> numbers)>& see) const {
    return !source() || storage_->chunks->each_chunk(see);
}

void Tensor::share_chunks(Tensor& before, Tensor& after) {
    constexpr std::int64_t least = 8192; // 64 KiB; smaller tensors are copied whole
    if (after.size() < least || after.size() != before.size() || after.storage_->chunks || before.source() ||
        after.storage_ == before.storage_)
        return;
    if (!before.storage_->chunks)
        before.storage_ = std::make_shared<Storage>(ChunkedNumbers(before.values()));
    ChunkedNumbers changed = *before.storage_->chunks;
    changed.assign(after.values());
    after.storage_ = std::make_shared<Storage>(std::move(changed));
}

Tensor Tensor::released() const {
    Tensor result = *this;
    if (storage_->chunks && in_one_piece())
        result.storage_ = std::make_shared<Storage>(ChunkedNumbers(*storage_->chunks));
    return result;
}

void Tensor::each_allocation(const std::function<bool(const void* identity, std::size_t bytes)>& see,
                             const Tensor* seen) const {
    if (in_one_piece())
        see(storage_.get(), storage_->values.size() * sizeof(double));
    if (storage_->chunks)
        storage_->chunks->each_allocation(see, seen ? seen->storage_->chunks.get() : nullptr);
}

bool Tensor::shares_storage_with(const Tensor& other) const {
    return storage_ == other.storage_ ||
           (storage_->chunks && other.storage_->chunks && storage_->chunks->shares_all_with(*other.storage_->chunks));
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
    write(offset({index.begin(), index.size()}), std::span(&value, 1));
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
    if (shares_storage_with(other))
        return true;
    if (const auto& mine = storage_->chunks, &others = other.storage_->chunks;
        mine && others && is_same(mine->source(), others->source()))
        return mine->equals(*others);
    if (in_one_piece() && other.in_one_piece())
        return equal_numbers(values(), other.values());
    return equal_piecewise(*this, other);
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
