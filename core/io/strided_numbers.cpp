#include "core/io/strided_numbers.h"

#include "core/io/mapped_file.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace attnlab::io {
namespace {

/// A row-major walk over the elements.
class Walk {
public:
    Walk(const StridedLayout& layout, std::int64_t first) : layout_(layout), index_(layout.shape.size()) {
        for (std::size_t axis = index_.size(); axis-- > 0;) {
            index_[axis] = first % layout.shape[axis];
            first /= layout.shape[axis];
            place_ += index_[axis] * layout.strides[axis];
        }
    }

    std::int64_t place() const { return place_; }
    /// Elements from this one to the end of the last axis, this one included.
    std::int64_t left_in_row() const { return index_.empty() ? 1 : layout_.shape.back() - index_.back(); }
    /// Goes on by as many, at most those that are left.
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

template <std::size_t size>
void gather(const std::byte* from, std::int64_t stride, std::size_t count, std::byte* to) {
    for (std::size_t i = 0; i < count; ++i)
        std::memcpy(to + i * size, from + static_cast<std::ptrdiff_t>(i) * stride * static_cast<std::ptrdiff_t>(size),
                    size);
}

void gather(const std::byte* from, std::int64_t stride, std::size_t count, std::size_t size, std::byte* to) {
    if (stride == 1) {
        std::memcpy(to, from, count * size);
        return;
    }
    switch (size) {
    case 1:
        return gather<1>(from, stride, count, to);
    case 2:
        return gather<2>(from, stride, count, to);
    case 4:
        return gather<4>(from, stride, count, to);
    default:
        return gather<8>(from, stride, count, to);
    }
}

class StridedNumbers : public NumberSource {
public:
    StridedNumbers(StridedLayout layout, std::shared_ptr<const void> owner, std::shared_ptr<const MappedFile> file,
                   std::string name)
        : layout_(with_fewest_axes(std::move(layout))), owner_(std::move(owner)), file_(std::move(file)),
          name_(std::move(name)), size_(element_count(layout_.shape, name_)) {}

    std::int64_t size() const override { return size_; }

    void read(std::int64_t first, std::span<double> values) const override {
        if (file_)
            file_->check();
        read_strided(layout_, first, values, name_);
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
    StridedLayout layout_;
    std::shared_ptr<const void> owner_;
    std::shared_ptr<const MappedFile> file_;
    std::string name_;
    std::int64_t size_;
};

} // namespace

StridedLayout with_fewest_axes(StridedLayout layout) {
    Shape shape, strides;
    for (std::size_t axis = 0; axis < layout.shape.size(); ++axis) {
        const auto size = layout.shape[axis], stride = layout.strides[axis];
        if (size == 1)
            continue;
        // Divided and not multiplied: what an empty array has beside its zero may be anything.
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

bool is_contiguous(const StridedLayout& layout) {
    const auto fewest = with_fewest_axes(layout);
    return fewest.shape.empty() || (fewest.shape.size() == 1 && fewest.strides.front() == 1);
}

void read_strided(const StridedLayout& layout, std::int64_t first, std::span<double> values, std::string_view name) {
    if (values.empty())
        return;
    const auto size = static_cast<std::size_t>(layout.type->size);
    constexpr std::size_t buffer_elements = 2048;
    std::array<std::byte, buffer_elements * sizeof(double)> buffer;
    Walk walk(layout, first);
    for (std::size_t done = 0; done < values.size();) {
        // Elements of several short rows go through one call of the decoder.
        const auto wanted = std::min(buffer_elements, values.size() - done);
        std::size_t gathered = 0;
        while (gathered < wanted) {
            const auto some = std::min(static_cast<std::size_t>(walk.left_in_row()), wanted - gathered);
            gather(layout.bytes.data() + walk.place() * layout.type->size,
                   layout.strides.empty() ? 0 : layout.strides.back(), some, size, buffer.data() + gathered * size);
            gathered += some;
            walk.advance(static_cast<std::int64_t>(some));
        }
        layout.type->decode(std::span(buffer).first(gathered * size), layout.swapped, values.subspan(done, gathered),
                            name, static_cast<std::size_t>(first) + done);
        done += gathered;
    }
}

std::shared_ptr<const NumberSource> strided_numbers(StridedLayout layout, std::shared_ptr<const void> owner,
                                                    std::shared_ptr<const MappedFile> file, std::string name) {
    return std::make_shared<StridedNumbers>(std::move(layout), std::move(owner), std::move(file), std::move(name));
}

} // namespace attnlab::io
