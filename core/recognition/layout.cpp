#include "core/recognition/layout.h"

#include "core/message.h"
#include "core/run_control.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

namespace attnlab {
namespace {

constexpr Layout known_layouts[] = {{"BHLE"}, {"BLHE"}, {"HLE"}, {"LHE"}, {"BLE"}, {"LBE"}, {"LE"}};
constexpr std::string_view with_heads = "BHLE", without_heads = "BLE";

/// The numbers of a tensor with permuted axes.
class PermutedSource : public NumberSource {
public:
    PermutedSource(Tensor tensor, Shape shape, Shape strides)
        : tensor_(std::move(tensor)), shape_(std::move(shape)), strides_(std::move(strides)) {}

    std::int64_t size() const override { return tensor_.size(); }
    void read(std::int64_t first, std::span<double> values) const override { gather(first, values); }
    void read(std::int64_t first, std::span<float> values) const override { gather(first, values); }

private:
    /// Reads runs of the last axis where it is contiguous, and single numbers otherwise.
    template <class Number>
    void gather(std::int64_t first, std::span<Number> values) const {
        const auto width = std::max<std::int64_t>(1, shape_.back());
        for (std::size_t done = 0; done < values.size();) {
            const auto position = first + static_cast<std::int64_t>(done);
            const auto column = position % width;
            const auto run = std::min(width - column, static_cast<std::int64_t>(values.size() - done));
            const auto row = values.subspan(done, static_cast<std::size_t>(run));
            const auto start = offset_of_row(position / width) + column * strides_.back();
            if (strides_.back() == 1) {
                tensor_.read(start, row);
            } else {
                for (std::size_t k = 0; k < row.size(); ++k)
                    tensor_.read(start + static_cast<std::int64_t>(k) * strides_.back(), row.subspan(k, 1));
            }
            done += static_cast<std::size_t>(run);
        }
    }

    std::int64_t offset_of_row(std::int64_t row) const {
        std::int64_t offset = 0;
        for (std::size_t axis = shape_.size() - 1; axis-- > 0;) {
            offset += row % shape_[axis] * strides_[axis];
            row /= shape_[axis];
        }
        return offset;
    }

    Tensor tensor_;
    Shape shape_, strides_;
};

} // namespace

std::span<const Layout> layouts() { return known_layouts; }

const Layout& layout(std::string_view id) {
    for (const auto& known : known_layouts)
        if (known.id == id)
            return known;
    std::string ids;
    for (const auto& known : known_layouts)
        ids += (ids.empty() ? "" : ", ") + std::string(known.id);
    throw Error({ATTNLAB_TEXT("layout: '%1' is not one of %2"), {std::string(id), ids}});
}

bool has_heads(const Layout& layout) { return layout.id.find('H') != layout.id.npos; }

std::string axes_text(const Layout& layout) {
    std::string text;
    for (const char axis : layout.id)
        text += (text.empty() ? "(" : ", ") + std::string(1, axis);
    return text + ")";
}

Tensor permuted(const Tensor& tensor, std::span<const int> order, const RunControl* control) {
    Shape strides(tensor.shape().size(), 1);
    for (std::size_t axis = strides.size(); axis-- > 1;)
        strides[axis - 1] = strides[axis] * tensor.shape()[axis];
    Shape shape, moved;
    for (const int axis : order) {
        shape.push_back(tensor.shape()[static_cast<std::size_t>(axis)]);
        moved.push_back(strides[static_cast<std::size_t>(axis)]);
    }
    if (std::is_sorted(order.begin(), order.end()))
        return tensor;
    auto source = std::make_shared<PermutedSource>(tensor, shape, std::move(moved));
    if (!tensor.in_memory())
        return Tensor::from(std::move(shape), std::move(source), tensor.dtype());
    Tensor result(std::move(shape), 0.0, tensor.dtype());
    constexpr std::size_t at_once = 1 << 16;
    const auto values = result.mutable_values();
    for (std::size_t done = 0; done < values.size(); done += at_once) {
        if (control)
            control->checkpoint();
        source->read(static_cast<std::int64_t>(done), values.subspan(done, std::min(at_once, values.size() - done)));
    }
    return result;
}

Tensor arranged(const Tensor& tensor, const Layout& layout, std::string_view name, const RunControl* control) {
    if (tensor.shape().size() != layout.id.size())
        throw Error({ATTNLAB_TEXT("%1: has shape %2, expected the axes %3 as the layout says"),
                     {std::string(name), to_string(tensor.shape()), axes_text(layout)}});
    const bool heads = has_heads(layout);
    std::vector<int> order;
    Shape shape;
    for (const char axis : heads ? with_heads : without_heads) {
        const auto place = layout.id.find(axis);
        if (place == layout.id.npos && !heads)
            continue;
        if (place != layout.id.npos)
            order.push_back(static_cast<int>(place));
        shape.push_back(place == layout.id.npos ? 1 : tensor.shape()[place]);
    }
    return permuted(tensor, order, control).reshaped(std::move(shape));
}

} // namespace attnlab
