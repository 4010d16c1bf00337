#include "core/io/file_numbers.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <set>
#include <utility>

namespace attnlab::io {

void DeferredNumbers::read(std::int64_t first, std::span<double> values) const {
    if (how_.read)
        return how_.read(first, values);
    const std::lock_guard lock(mutex_);
    if (!loaded_)
        loaded_ = how_.load();
    loaded_->read(first, values);
}

void DeferredNumbers::read(std::int64_t first, std::span<float> values) const {
    std::vector<double> exact(values.size());
    read(first, std::span(exact));
    std::transform(exact.begin(), exact.end(), values.begin(), [](double value) { return static_cast<float>(value); });
}

Tensor deferred(Shape shape, DType dtype, DeferredNumbers::How how) {
    const auto count = element_count(shape);
    return Tensor::from(std::move(shape), std::make_shared<const DeferredNumbers>(count, std::move(how)), dtype);
}

const DeferredNumbers* deferred_in(const Tensor& tensor) {
    return dynamic_cast<const DeferredNumbers*>(tensor.source().get());
}

ArraysInMemory::ArraysInMemory(std::span<Tensor* const> arrays) {
    std::set<const DeferredNumbers*> counted;
    for (const auto* array : arrays) {
        const auto* numbers = deferred_in(*array);
        if (numbers && counted.insert(numbers).second) {
            bytes += numbers->bytes(); // no overflow: each is within the size of its file, times what deflate can do
            meanwhile = std::max(meanwhile, numbers->bytes_meanwhile());
        } else if (!numbers && array->in_memory()) {
            bytes += array->size() * static_cast<std::int64_t>(sizeof(double));
        }
    }
}

void ArraysInMemory::require(const ReadLimits& limits, std::string_view file, std::int64_t more) const {
    const auto most = most_in_memory(limits), needed = bytes + meanwhile + more;
    if (needed > most && needed == more)
        throw Error({ATTNLAB_TEXT("%1: takes %2 bytes; at most %3 more may be read"),
                     {std::string(file), std::to_string(needed), std::to_string(most)}});
    if (needed > most)
        throw Error({ATTNLAB_TEXT("%1: takes %2 bytes in memory, 8 for a number; at most %3 more may be read. Large "
                                  "arrays of floats can stay in a file that is not compressed (numpy.savez)"),
                     {std::string(file), std::to_string(needed), std::to_string(most)}});
}

void load(std::span<Tensor* const> arrays, const RunControl* control) {
    std::map<const NumberSource*, std::pair<std::shared_ptr<const NumberSource>, Tensor>> loaded;
    for (auto* array : arrays) {
        const auto* numbers = deferred_in(*array);
        if (!numbers)
            continue;
        auto found = loaded.find(numbers);
        if (found == loaded.end())
            found = loaded.emplace(numbers, std::pair(array->source(), numbers->load())).first;
        *array = found->second.second.reshaped(array->shape()).with_dtype(array->dtype());
    }
    while (!loaded.empty()) { // one by one, since freeing many takes time
        if (control)
            control->checkpoint();
        loaded.erase(loaded.begin());
    }
}

namespace {

/// True for elements with the same representation in the file and in memory, which are read directly.
template <class Number>
bool is_as_held(const ElementType& type, bool swapped) {
    return type.dtype == (sizeof(Number) == 4 ? DType::Float32 : DType::Float64) && !swapped;
}

class FileNumbers : public NumberSource {
public:
    FileNumbers(std::shared_ptr<const InputFile> file, std::int64_t offset, const ElementType& type, bool swapped,
                std::int64_t count, std::string name)
        : file_(std::move(file)), offset_(offset), type_(type), swapped_(swapped), count_(count),
          name_(std::move(name)) {}

    FilePlace place() const { return {file_, offset_, &type_, swapped_}; }

    bool is_same(const NumberSource& other) const override {
        const auto* same = dynamic_cast<const FileNumbers*>(&other);
        return same && same->offset_ == offset_ && &same->type_ == &type_ && same->swapped_ == swapped_ &&
               same->count_ == count_ && same->file_->stamp() == file_->stamp() && same->file_->path() == file_->path();
    }

    std::int64_t size() const override { return count_; }

    void read(std::int64_t first, std::span<double> values) const override {
        read_elements(*file_, offset_ + first * type_.size, type_, swapped_, values, name_,
                      static_cast<std::size_t>(first));
    }

    void read(std::int64_t first, std::span<float> values) const override {
        if (is_as_held<float>(type_, swapped_)) {
            file_->read(offset_ + first * type_.size, std::as_writable_bytes(values));
            return;
        }
        std::array<double, 1024> piece;
        for (std::size_t done = 0; done < values.size(); done += piece.size()) {
            const auto part = std::span(piece).first(std::min(piece.size(), values.size() - done));
            read(first + static_cast<std::int64_t>(done), part);
            std::transform(part.begin(), part.end(), values.begin() + static_cast<std::ptrdiff_t>(done),
                           [](double value) { return static_cast<float>(value); });
        }
    }

private:
    std::shared_ptr<const InputFile> file_;
    std::int64_t offset_;
    const ElementType& type_;
    bool swapped_;
    std::int64_t count_;
    std::string name_;
};

} // namespace

std::shared_ptr<const NumberSource> numbers_in(std::shared_ptr<const InputFile> file, std::int64_t offset,
                                               const ElementType& type, bool swapped, std::int64_t count,
                                               std::string name) {
    file->settle();
    return std::make_shared<FileNumbers>(std::move(file), offset, type, swapped, count, std::move(name));
}

std::optional<FilePlace> place_of(const NumberSource& numbers) {
    const auto* in_file = dynamic_cast<const FileNumbers*>(&numbers);
    return in_file ? std::optional(in_file->place()) : std::nullopt;
}

void read_elements(const ByteSource& bytes, std::int64_t offset, const ElementType& type, bool swapped,
                   std::span<double> values, std::string_view name, std::size_t first) {
    if (is_as_held<double>(type, swapped)) {
        bytes.read(offset, std::as_writable_bytes(values));
        return;
    }
    std::array<std::byte, 1 << 16> piece;
    const auto size = static_cast<std::size_t>(type.size);
    while (!values.empty()) {
        const auto part = values.first(std::min(values.size(), piece.size() / size));
        const auto there = std::span(piece).first(part.size() * size);
        bytes.read(offset, there);
        type.decode(there, swapped, part, name, first);
        values = values.subspan(part.size());
        offset += std::ssize(there);
        first += part.size();
    }
}

std::vector<double> elements_at(const ByteSource& bytes, std::int64_t offset, const ElementType& type, bool swapped,
                                std::int64_t count, std::string_view name, const ReadLimits& limits) {
    return numbers_in_pieces(count, limits, [&](std::int64_t first, std::span<double> piece) {
        read_elements(bytes, offset + first * type.size, type, swapped, piece, name, static_cast<std::size_t>(first));
    });
}

std::vector<double> numbers_in_pieces(std::int64_t count, const ReadLimits& limits,
                                      const std::function<void(std::int64_t first, std::span<double> piece)>& read) {
    constexpr std::int64_t at_once = 1 << 17;
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(count));
    for (std::int64_t first = 0; first < count; first = std::ssize(values)) {
        limits.checkpoint();
        values.resize(static_cast<std::size_t>(std::min(count, first + at_once)));
        read(first, std::span(values).subspan(static_cast<std::size_t>(first)));
    }
    return values;
}

namespace {

/// A row-major walk over the elements.
class IndexWalk {
public:
    IndexWalk(const StridedLayout& layout, std::int64_t first) : layout_(layout), index_(layout.shape.size()) {
        for (std::size_t axis = index_.size(); axis-- > 0;) {
            index_[axis] = first % layout.shape[axis];
            first /= layout.shape[axis];
            place_ += index_[axis] * layout.strides[axis];
        }
    }

    std::int64_t place() const { return place_; }
    /// The number of elements from this one to the end of the last axis, inclusive.
    std::int64_t left_in_row() const { return index_.empty() ? 1 : layout_.shape.back() - index_.back(); }
    /// Advances by `count`, at most by those left.
    void advance(std::int64_t count) {
        for (std::size_t axis = index_.size(); axis-- > 0; count = 1) {
            index_[axis] += count;
            place_ += count * layout_.strides[axis];
            if (index_[axis] < layout_.shape[axis])
                return;
            place_ -= index_[axis] * layout_.strides[axis];
            index_[axis] = 0;
        }
    }

private:
    const StridedLayout& layout_;
    Shape index_;
    std::int64_t place_ = 0;
};

/// Reads `count` elements of `size` bytes from byte `offset` on, `stride` elements apart.
void gather(const ByteSource& bytes, std::int64_t offset, std::int64_t stride, std::size_t count, std::size_t size,
            std::byte* to) {
    if (stride == 1)
        return bytes.read(offset, {to, count * size});
    const auto step = static_cast<std::size_t>(stride) * size;
    std::array<std::byte, 1 << 14> piece;
    constexpr std::size_t near = piece.size() / 64;
    const auto at_once = step == 0 ? count : step > near ? 1 : (piece.size() - size) / step + 1;
    for (std::size_t done = 0; done < count; done += at_once) {
        const auto some = std::min(at_once, count - done);
        bytes.read(offset + static_cast<std::int64_t>(done * step), std::span(piece).first((some - 1) * step + size));
        for (std::size_t i = 0; i < some; ++i)
            std::memcpy(to + (done + i) * size, piece.data() + i * step, size);
    }
}

class StridedNumbers : public NumberSource {
public:
    StridedNumbers(std::shared_ptr<const ByteSource> bytes, StridedLayout layout, std::string name)
        : bytes_(std::move(bytes)), layout_(std::move(layout)), name_(std::move(name)),
          size_(element_count(layout_.shape, name_)) {}

    std::int64_t size() const override { return size_; }

    void read(std::int64_t first, std::span<double> values) const override {
        read_strided(*bytes_, layout_, first, values, name_);
    }

    void read(std::int64_t first, std::span<float> values) const override {
        std::array<double, 1024> piece;
        for (std::size_t done = 0; done < values.size(); done += piece.size()) {
            const auto part = std::span(piece).first(std::min(piece.size(), values.size() - done));
            read(first + static_cast<std::int64_t>(done), part);
            std::transform(part.begin(), part.end(), values.begin() + static_cast<std::ptrdiff_t>(done),
                           [](double value) { return static_cast<float>(value); });
        }
    }

private:
    std::shared_ptr<const ByteSource> bytes_;
    StridedLayout layout_;
    std::string name_;
    std::int64_t size_;
};

} // namespace

std::int64_t StridedLayout::extent() const {
    std::int64_t last = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        if (shape[axis] == 0)
            return 0;
        last += (shape[axis] - 1) * strides[axis];
    }
    return (last + 1) * type->size;
}

StridedLayout with_fewest_axes(StridedLayout layout) {
    Shape shape, strides;
    for (std::size_t axis = 0; axis < layout.shape.size(); ++axis) {
        const auto size = layout.shape[axis], stride = layout.strides[axis];
        if (size == 1)
            continue;
        // Divided instead of multiplied: an empty array may have any sizes besides its zero.
        const bool continues =
            !shape.empty() && size > 0 && strides.back() / size == stride && strides.back() % size == 0;
        if (continues) {
            shape.back() *= size;
            strides.back() = stride;
        } else {
            shape.push_back(size);
            strides.push_back(stride);
        }
    }
    layout.shape = std::move(shape);
    layout.strides = std::move(strides);
    return layout;
}

void read_strided(const ByteSource& bytes, const StridedLayout& layout, std::int64_t first, std::span<double> values,
                  std::string_view name) {
    if (values.empty())
        return;
    const auto size = static_cast<std::size_t>(layout.type->size);
    constexpr std::size_t buffer_elements = 2048;
    std::array<std::byte, buffer_elements * sizeof(double)> buffer;
    IndexWalk walk(layout, first);
    for (std::size_t done = 0; done < values.size();) {
        // One call of the decoder handles elements of several short rows.
        const auto wanted = std::min(buffer_elements, values.size() - done);
        std::size_t gathered = 0;
        while (gathered < wanted) {
            const auto some = std::min(static_cast<std::size_t>(walk.left_in_row()), wanted - gathered);
            gather(bytes, layout.offset + walk.place() * layout.type->size,
                   layout.strides.empty() ? 1 : layout.strides.back(), some, size, buffer.data() + gathered * size);
            gathered += some;
            walk.advance(static_cast<std::int64_t>(some));
        }
        layout.type->decode(std::span(buffer).first(gathered * size), layout.swapped, values.subspan(done, gathered),
                            name, static_cast<std::size_t>(first) + done);
        done += gathered;
    }
}

std::shared_ptr<const NumberSource> strided_numbers(std::shared_ptr<const ByteSource> bytes, StridedLayout layout,
                                                    std::string name) {
    return std::make_shared<StridedNumbers>(std::move(bytes), std::move(layout), std::move(name));
}

} // namespace attnlab::io
