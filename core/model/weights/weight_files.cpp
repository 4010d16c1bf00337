#include "core/model/weights/weight_files.h"

#include "core/model/weights/weight_types.h"

#include <algorithm>
#include <stdexcept>

namespace attnlab::model {

std::int64_t Weight::columns() const { return shape.empty() ? 1 : shape.back(); }

std::int64_t Weight::rows() const {
    std::int64_t rows = 1;
    for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis)
        rows *= shape[axis];
    return rows;
}

void Weight::read_rows(std::int64_t first, std::int64_t count, std::span<float> out) const {
    if (first < 0 || count < 0 || first > rows() - count || std::ssize(out) != count * columns())
        throw std::out_of_range("Weight::read_rows: such rows are not there");
    if (out.empty())
        return;
    const auto& info = info_of(type);
    const auto row_bytes = columns() / info.block * info.bytes;
    info.widen(bytes.data() + first * row_bytes, out);
}

void Weight::read_part(std::int64_t row, std::int64_t column, std::span<float> out) const {
    if (row < 0 || row >= rows() || column < 0 || column > columns() - std::ssize(out))
        throw std::out_of_range("Weight::read_part: such numbers are not there");
    const auto& info = info_of(type);
    if (info.block == 1)
        return info.widen(bytes.data() + (row * columns() + column) * info.bytes, out);
    std::vector<float> whole(static_cast<std::size_t>(columns()));
    read_rows(row, 1, whole);
    std::copy_n(whole.begin() + column, out.size(), out.begin());
}

namespace {

/// "module.embed.weight" for "embed.weight": what a wrapper of the model was saved with. Empty unless all names have
/// the prefix.
std::string with_prefix(const std::vector<std::string>& names, std::string_view name) {
    const auto found = std::ranges::find_if(names, [&](std::string_view other) {
        const auto prefix = other.substr(0, other.size() - std::min(other.size(), name.size()));
        return other.ends_with(name) && prefix.ends_with('.') &&
               std::ranges::all_of(names, [&](std::string_view each) { return each.starts_with(prefix); });
    });
    return found == names.end() ? "" : *found;
}

} // namespace

const Weight& WeightFiles::at(std::string_view name, const Shape& expected) const {
    const auto* weight = find(name);
    if (const auto other = weight ? std::string() : with_prefix(names(), name); !other.empty())
        throw Error({ATTNLAB_TEXT("%1: has no tensor '%2', but '%3'; save the tensors without the prefix '%4'"),
                     {where(), std::string(name), other, other.substr(0, other.size() - name.size())}});
    if (!weight)
        throw Error({ATTNLAB_TEXT("%1: has no tensor '%2', expected one of shape %3"),
                     {where(), name_in_files(name), to_string(expected)}});
    if (weight->shape != expected)
        throw Error({ATTNLAB_TEXT("%1: has shape %2, expected %3"),
                     {weight->where, to_string(weight->shape), to_string(expected)}});
    return *weight;
}

} // namespace attnlab::model
