#include "core/io/torch_file.h"

#include "core/io/file_bytes.h"
#include "core/io/strided_numbers.h"
#include "core/io/torch_archive.h"
#include "core/io/torch_leaves.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace attnlab::io {
namespace {

constexpr std::int64_t largest_pickle = std::int64_t{256} << 20;
constexpr std::size_t beginning_size = 16;
/// Numbers that repeated elements and overlapping views may add to those that are in the file.
constexpr std::int64_t most_repeated = std::int64_t{1} << 27;
/// All that is in memory may take so many times what a single array may before it stays in its file; beyond that those
/// of so small a part of it stay too.
constexpr std::int64_t held_factor = 8, small_part = 1024;

/// A tensor whose description has been compared with what lies in the file.
struct View {
    std::string name; ///< with the file's, for messages
    Shape shape;
    std::int64_t count = 0;
    StridedLayout layout;           ///< of fewest axes
    std::int64_t storage_count = 0; ///< elements that its storage has
    const void* storage = nullptr;  ///< its first byte
    bool is_in_file = true;         ///< and not in the pickle
    std::string_view key;           ///< of its storage
};

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

/// Row-major, or with the first axis fastest.
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
void check_reach(const PickledTensor& tensor, const View& view, const Shape& strides, std::int64_t there) {
    if (strides.size() != view.shape.size() ||
        std::any_of(strides.begin(), strides.end(), [](auto s) { return s < 0; }))
        throw Error({ATTNLAB_TEXT("%1: has strides %2 for shape %3, expected as many, and none below 0"),
                     {view.name, to_string(strides), to_string(view.shape)}});
    if (view.count == 0)
        return;
    auto left = there - 1 - tensor.offset; // elements behind the last one that is reached
    for (std::size_t axis = 0; axis < strides.size() && left >= 0; ++axis) {
        const auto steps = view.shape[axis] - 1;
        left = steps > 0 && strides[axis] > left / steps ? -1 : left - steps * strides[axis];
    }
    if (tensor.offset < 0 || left < 0)
        throw Error(
            {ATTNLAB_TEXT("%1: reaches out of its storage of %2 numbers: it has shape %3, strides %4 and begins "
                          "at number %5"),
             {view.name, std::to_string(there), to_string(view.shape), to_string(strides),
              std::to_string(tensor.offset)}});
}

class TorchReader {
public:
    TorchReader(FileContents file, std::string stem, const ReadLimits& limits)
        : archive_(std::move(file)), stem_(std::move(stem)), limits_(limits) {}

    TorchFile read() {
        const auto pickled = archive_.pickle();
        const auto name = archive_.file().name + ": data.pkl";
        const auto most = std::min(largest_pickle, limits_.max_bytes);
        if (static_cast<std::int64_t>(pickled.size()) > most)
            throw Error({ATTNLAB_TEXT("%1: has %2 bytes; at most %3 may be read"),
                         {name, std::to_string(pickled.size()), std::to_string(most)}});
        const PickleDocument document(std::string(reinterpret_cast<const char*>(pickled.data()), pickled.size()), name);
        auto leaves = leaves_of(document.root(), stem_, archive_.file().name);
        check_names(leaves);
        std::vector<View> views;
        for (const auto& [tensor_name, tensor] : leaves.tensors)
            views.push_back(view_of(tensor_name, *tensor));
        keep_more_in_file(views);
        TorchFile result{{}, std::move(leaves.labels), std::move(leaves.others)};
        for (std::size_t i = 0; i < views.size(); ++i)
            result.tensors.emplace_back(std::move(leaves.tensors[i].first), tensor_of(views[i]));
        return result;
    }

private:
    void check_names(const TorchLeaves& leaves) const {
        std::set<std::string_view> names;
        for (const auto& [name, ignored] : leaves.tensors) {
            if (name.empty())
                throw Error({ATTNLAB_TEXT("%1: holds a tensor without a name"), {archive_.file().name}});
            if (!names.insert(name).second)
                throw Error(
                    {ATTNLAB_TEXT("%1: holds two tensors that would be called '%2'"), {archive_.file().name, name}});
        }
    }

    View view_of(const std::string& tensor_name, const PickledTensor& tensor) const {
        View view;
        view.name = archive_.file().name + ": " + tensor_name;
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
        auto bytes = tensor.is_numpy ? std::as_bytes(std::span(tensor.bytes)) : storage_of(tensor, element, view.name);
        const auto there = static_cast<std::int64_t>(bytes.size()) / element.size;
        if (tensor.is_numpy && static_cast<std::int64_t>(bytes.size()) != view.count * element.size)
            throw Error({ATTNLAB_TEXT("%1: has %2 bytes of numbers, expected %3 for shape %4 of type '%5'"),
                         {view.name, std::to_string(bytes.size()), std::to_string(view.count * element.size),
                          to_string(view.shape), std::string(tensor.type)}});
        auto strides = tensor.is_numpy ? dense_strides(view.shape, tensor.fortran_order) : numbers_of(*tensor.strides);
        check_reach(tensor, view, strides, there);
        view.is_in_file = !tensor.is_numpy;
        view.key = tensor.storage;
        view.storage = bytes.data();
        view.storage_count = there;
        if (view.count > 0)
            bytes = bytes.subspan(static_cast<std::size_t>(tensor.offset * element.size));
        const bool big_endian = tensor.is_numpy ? tensor.big_endian : archive_.big_endian();
        if (view.count > there) // what is repeated is in no file that bounds it
            checked_count(view.shape, view.name, limits_);
        view.layout = with_fewest_axes({bytes, &element, is_swapped(big_endian), view.shape, std::move(strides)});
        return view;
    }

    std::span<const std::byte> storage_of(const PickledTensor& tensor, const ElementType& element,
                                          const std::string& name) const {
        const auto bytes = archive_.storage(tensor.storage, name);
        const auto each = tensor.storage_in_bytes ? 1 : element.size;
        const auto there = static_cast<std::int64_t>(bytes.size());
        if (there % each != 0 || there / each != tensor.storage_count)
            throw Error({ATTNLAB_TEXT("%1: its storage '%2' has %3 bytes, expected %4 numbers of %5"),
                         {name, "data/" + std::string(tensor.storage), std::to_string(there),
                          std::to_string(tensor.storage_count), std::to_string(each)}});
        return bytes;
    }

    /// Many arrays of a large file, each small enough to be read, may be too much for memory together.
    void keep_more_in_file(const std::vector<View>& views) {
        if (!archive_.file().mapped)
            return;
        const auto each = static_cast<std::int64_t>(sizeof(double));
        std::int64_t left = std::min(limits_.max_bytes, limits_.map_from > limits_.max_bytes / held_factor
                                                            ? limits_.max_bytes
                                                            : limits_.map_from * held_factor);
        for (const auto& view : views) {
            if (stays_in_file(view))
                continue;
            if (view.count > left / each) {
                limits_.map_from = std::max<std::int64_t>(1, limits_.map_from / small_part);
                return;
            }
            left -= view.count * each;
        }
    }

    bool stays_in_file(const View& view) const {
        return view.is_in_file && view.count > 0 && stays_mapped(*view.layout.type, view.count, limits_);
    }

    Tensor tensor_of(const View& view) {
        const auto& type = *view.layout.type;
        const auto& file = archive_.file();
        const bool stays = stays_in_file(view);
        if (view.is_in_file && !(stays && file.mapped))
            archive_.check_storage(view.key);
        if (!stays)
            return held(view);
        if (!file.mapped || !is_contiguous(view.layout))
            return Tensor::from(view.shape, strided_numbers(view.layout, file.owner(), file.mapped, view.name),
                                type.dtype);
        const auto first = view.layout.bytes.data() - file.bytes().data();
        return Tensor::from(
            view.shape, numbers_in(file.mapped, first, type, view.layout.swapped, view.count, view.name), type.dtype);
    }

    /// Read into memory, once for all names of the same numbers.
    Tensor held(const View& view) {
        const auto& layout = view.layout;
        const std::tuple same(layout.bytes.data(), layout.type, view.shape, layout.strides);
        if (const auto known = held_.find(same); view.count > 0 && known != held_.end())
            return known->second;
        checked_count(view.shape, view.name, limits_);
        if (storages_.insert(view.storage).second)
            repeated_ -= view.storage_count;
        repeated_ += view.count;
        if (repeated_ > most_repeated)
            throw Error({ATTNLAB_TEXT("%1: repeats numbers of its storage so often that the arrays of the file take %2 "
                                      "numbers more than the file holds; save it after contiguous()"),
                         {view.name, std::to_string(repeated_)}});
        limits_.max_bytes -= view.count * static_cast<std::int64_t>(sizeof(double));
        std::vector<double> values(static_cast<std::size_t>(view.count));
        read_strided(layout, 0, values, view.name);
        Tensor tensor(view.shape, std::move(values), layout.type->dtype);
        held_.emplace(same, tensor);
        return tensor;
    }

    TorchArchive archive_;
    std::string stem_;
    ReadLimits limits_;
    std::map<std::tuple<const std::byte*, const ElementType*, Shape, Shape>, Tensor> held_;
    std::set<const void*> storages_;
    std::int64_t repeated_ = 0; ///< numbers in memory beyond those of the storages, where positive
};

} // namespace

const std::vector<std::string>& torch_suffixes() {
    static const std::vector<std::string> suffixes{"pt", "pth", "bin", "ckpt"};
    return suffixes;
}

bool begins_pickle(std::string_view beginning) {
    return beginning.size() > 1 && beginning[0] == '\x80' && beginning[1] >= 2 && beginning[1] <= 5;
}

bool is_torch_file(const std::filesystem::path& path) {
    return read_beginning(path, 2) == "PK" && has_torch_pickle(MappedFile(path).bytes());
}

TorchFile read_torch(const std::filesystem::path& path, const ReadLimits& limits) {
    const auto name = path.string();
    if (const auto why = why_no_torch_archive(read_beginning(path, beginning_size), name); !why.empty())
        throw Error(why);
    FileContents file{name, nullptr, nullptr};
    if (file_size_of(path) < limits.map_from)
        file.copied = std::make_shared<const std::string>(read_file(path, limits.map_from));
    else
        file.mapped = std::make_shared<const MappedFile>(path);
    return TorchReader(std::move(file), path.stem().string(), limits).read();
}

TorchFile read_torch(std::span<const std::byte> bytes, std::string_view name, const ReadLimits& limits) {
    std::string copy(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (const auto why = why_no_torch_archive(std::string_view(copy).substr(0, beginning_size), std::string(name));
        !why.empty())
        throw Error(why);
    return TorchReader({std::string(name), nullptr, std::make_shared<const std::string>(std::move(copy))},
                       std::filesystem::path(name).stem().string(), limits)
        .read();
}

} // namespace attnlab::io
