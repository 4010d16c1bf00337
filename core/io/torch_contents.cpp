#include "core/io/torch_contents.h"

#include "core/io/torch_archive.h"
#include "core/io/torch_leaves.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace attnlab::io {
namespace {

constexpr std::int64_t largest_pickle = std::int64_t{256} << 20;

Shape numbers_of(const PickleSequence& tuple) {
    Shape numbers;
    for (const auto& item : tuple.items)
        numbers.push_back(std::get<std::int64_t>(item));
    return numbers;
}

const ElementType& element_of(const PickledTensor& tensor, const std::string& name) {
    if (tensor.element)
        return *tensor.element;
    const std::string type(tensor.type);
    if (tensor.is_numpy && type.starts_with('O'))
        throw Error({ATTNLAB_TEXT("%1: holds Python objects, expected numbers"), {name}});
    if (tensor.is_numpy ? type.starts_with('c') : type.find("complex") != std::string::npos)
        throw Error({ATTNLAB_TEXT("%1: holds complex numbers ('%2'), expected real ones"), {name, type}});
    throw Error(unknown_type(type, name));
}

/// Row-major, or with the first axis varying fastest.
Shape dense_strides(const Shape& shape, bool first_fastest) {
    Shape strides(shape.size());
    std::int64_t stride = 1;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const auto axis = first_fastest ? i : shape.size() - 1 - i;
        strides[axis] = stride;
        stride *= std::max<std::int64_t>(1, shape[axis]);
    }
    return strides;
}

/// Throws unless every element lies within a storage of `there` elements.
void check_reach(const PickledTensor& tensor, const TorchView& view, const Shape& strides, std::int64_t there) {
    if (strides.size() != view.shape.size() ||
        std::any_of(strides.begin(), strides.end(), [](auto s) { return s < 0; }))
        throw Error({ATTNLAB_TEXT("%1: has strides %2 for shape %3, expected as many, and none below 0"),
                     {view.name, to_string(strides), to_string(view.shape)}});
    if (view.count == 0)
        return;
    auto left = tensor.offset < 0 ? -1 : there - 1 - tensor.offset; // elements after the last one used
    for (std::size_t axis = 0; axis < strides.size() && left >= 0; ++axis) {
        const auto steps = view.shape[axis] - 1;
        left = steps > 0 && strides[axis] > left / steps ? -1 : left - steps * strides[axis];
    }
    if (left < 0)
        throw Error(
            {ATTNLAB_TEXT("%1: reaches out of its storage of %2 numbers: it has shape %3, strides %4 and begins "
                          "at number %5"),
             {view.name, std::to_string(there), to_string(view.shape), to_string(strides),
              std::to_string(tensor.offset)}});
}

/// The bytes, if they may be an archive.
const ByteSource& checked_archive(const ByteSource& bytes, const std::string& name) {
    constexpr std::int64_t beginning_size = 16;
    const auto beginning = bytes.text(0, std::min(bytes.size(), beginning_size));
    if (const auto why = why_no_torch_archive(beginning, name); !why.empty())
        throw Error(why);
    return bytes;
}

} // namespace

TorchContents::TorchContents(const ByteSource& bytes, const std::string& name, const ReadLimits& limits)
    : archive_(checked_archive(bytes, name), name, limits.control),
      document_(archive_.pickle(std::min(largest_pickle, limits.max_bytes)), name + ": data.pkl",
                PickleDocument::enough_memory, limits.control) {
    auto leaves = leaves_of(document_.root(), std::filesystem::path(name).stem().string(), name, limits.control);
    check_names(leaves);
    for (auto& [tensor_name, tensor] : leaves.tensors) {
        limits.checkpoint();
        tensors_.emplace_back(tensor_name, view_of(tensor_name, *tensor, limits));
    }
    labels_ = std::move(leaves.labels);
    others_ = std::move(leaves.others);
}

void TorchContents::check_names(const TorchLeaves& leaves) const {
    std::set<std::string_view> names;
    for (const auto& [name, ignored] : leaves.tensors) {
        if (name.empty())
            throw Error({ATTNLAB_TEXT("%1: holds a tensor without a name"), {archive_.name()}});
        if (!names.insert(name).second)
            throw Error({ATTNLAB_TEXT("%1: holds two tensors that would be called '%2'"), {archive_.name(), name}});
    }
}

TorchView TorchContents::view_of(const std::string& tensor_name, const PickledTensor& tensor,
                                 const ReadLimits& limits) const {
    TorchView view;
    view.name = archive_.name() + ": " + tensor_name;
    if (!tensor.shape)
        throw Error({ATTNLAB_TEXT("%1: is damaged: an array without shape and numbers"), {view.name}});
    const auto& element = element_of(tensor, view.name);
    if (tensor.negated)
        throw Error({ATTNLAB_TEXT("%1: is saved as a view of other numbers with their signs turned; save it after "
                                  "resolve_neg() and resolve_conj()"),
                     {view.name}});
    view.shape = numbers_of(*tensor.shape);
    if (view.shape.size() > largest_rank)
        throw Error({ATTNLAB_TEXT("%1: has more than %2 axes"), {view.name, std::to_string(largest_rank)}});
    view.count = element_count(view.shape, view.name);
    view.is_numpy = tensor.is_numpy;
    view.in_pickle = tensor.bytes;
    view.key = tensor.storage;
    const auto extent = tensor.is_numpy ? Extent{0, std::ssize(tensor.bytes)} : storage_of(tensor, element, view.name);
    view.storage_count = extent.size / element.size;
    if (tensor.is_numpy && extent.size != view.count * element.size)
        throw Error({ATTNLAB_TEXT("%1: has %2 bytes of numbers, expected %3 for shape %4 of type '%5'"),
                     {view.name, std::to_string(extent.size), std::to_string(view.count * element.size),
                      to_string(view.shape), std::string(tensor.type)}});
    auto strides = tensor.is_numpy ? dense_strides(view.shape, tensor.fortran_order) : numbers_of(*tensor.strides);
    check_reach(tensor, view, strides, view.storage_count);
    if (view.count > view.storage_count) // repeated elements are not bounded by the size of the file
        checked_count(view.shape, view.name, limits);
    const auto offset = view.count > 0 ? extent.offset + tensor.offset * element.size : 0;
    const bool big_endian = tensor.is_numpy ? tensor.big_endian : archive_.big_endian();
    view.layout = with_fewest_axes({offset, &element, is_swapped(big_endian), view.shape, std::move(strides)});
    return view;
}

Extent TorchContents::storage_of(const PickledTensor& tensor, const ElementType& element,
                                 const std::string& name) const {
    const auto extent = archive_.storage(tensor.storage, name);
    const auto each = tensor.storage_in_bytes ? 1 : element.size;
    if (extent.size % each != 0 || extent.size / each != tensor.storage_count)
        throw Error({ATTNLAB_TEXT("%1: its storage '%2' has %3 bytes, expected %4 numbers of %5"),
                     {name, "data/" + std::string(tensor.storage), std::to_string(extent.size),
                      std::to_string(tensor.storage_count), std::to_string(each)}});
    return extent;
}

} // namespace attnlab::io
