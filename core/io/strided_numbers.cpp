#include "core/io/strided_numbers.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace attnlab::io {
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
