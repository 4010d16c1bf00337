#include "core/io/torch_file.h"

#include "core/io/file_numbers.h"
#include "core/io/strided_numbers.h"
#include "core/io/torch_archive.h"
#include "core/io/torch_leaves.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace attnlab::io {
namespace {

constexpr std::int64_t largest_pickle = std::int64_t{256} << 20;
constexpr std::int64_t beginning_size = 16;
/// The most numbers that repeated elements and overlapping views may add to those in the file.
constexpr std::int64_t most_repeated = std::int64_t{1} << 27;
/// The total in memory may be this multiple of the threshold from which a single array stays in its file; beyond that,
/// arrays smaller by the factor `small_part` stay too.
constexpr std::int64_t held_factor = 8, small_part = 1024;

/// A tensor whose description has been checked against the contents of the file.
struct View {
    std::string name; ///< with the file's name, for messages
    Shape shape;
    std::int64_t count = 0;
    StridedLayout layout;           ///< with the fewest axes
    std::string_view key;           ///< of its storage
    std::int64_t storage_count = 0; ///< size of the storage in elements
    std::string_view in_pickle;     ///< its numbers, where they are not in a storage of the file
    bool is_numpy = false;          ///< which is the case for NumPy arrays
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
void check_reach(const PickledTensor& tensor, const View& view, const Shape& strides, std::int64_t there) {
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

class TorchReader {
public:
    /// `file` is the same as `bytes` where these are from a file.
    TorchReader(std::shared_ptr<const ByteSource> bytes, std::shared_ptr<const InputFile> file, const std::string& name,
                const ReadLimits& limits)
        : bytes_(std::move(bytes)), file_(std::move(file)), archive_(*bytes_, name),
          stem_(std::filesystem::path(name).stem().string()), limits_(limits) {}

    TorchFile read() {
        const PickleDocument document(archive_.pickle(std::min(largest_pickle, limits_.max_bytes)),
                                      archive_.name() + ": data.pkl");
        auto leaves = leaves_of(document.root(), stem_, archive_.name());
        check_names(leaves);
        std::vector<View> views;
        for (const auto& [name, tensor] : leaves.tensors)
            views.push_back(view_of(name, *tensor));
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
                throw Error({ATTNLAB_TEXT("%1: holds a tensor without a name"), {archive_.name()}});
            if (!names.insert(name).second)
                throw Error({ATTNLAB_TEXT("%1: holds two tensors that would be called '%2'"), {archive_.name(), name}});
        }
    }

    View view_of(const std::string& tensor_name, const PickledTensor& tensor) const {
        View view;
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
        const auto extent =
            tensor.is_numpy ? Extent{0, std::ssize(tensor.bytes)} : storage_of(tensor, element, view.name);
        view.storage_count = extent.size / element.size;
        if (tensor.is_numpy && extent.size != view.count * element.size)
            throw Error({ATTNLAB_TEXT("%1: has %2 bytes of numbers, expected %3 for shape %4 of type '%5'"),
                         {view.name, std::to_string(extent.size), std::to_string(view.count * element.size),
                          to_string(view.shape), std::string(tensor.type)}});
        auto strides = tensor.is_numpy ? dense_strides(view.shape, tensor.fortran_order) : numbers_of(*tensor.strides);
        check_reach(tensor, view, strides, view.storage_count);
        if (view.count > view.storage_count) // repeated elements are not bounded by the size of the file
            checked_count(view.shape, view.name, limits_);
        const auto offset = view.count > 0 ? extent.offset + tensor.offset * element.size : 0;
        const bool big_endian = tensor.is_numpy ? tensor.big_endian : archive_.big_endian();
        view.layout = with_fewest_axes({offset, &element, is_swapped(big_endian), view.shape, std::move(strides)});
        return view;
    }

    Extent storage_of(const PickledTensor& tensor, const ElementType& element, const std::string& name) const {
        const auto extent = archive_.storage(tensor.storage, name);
        const auto each = tensor.storage_in_bytes ? 1 : element.size;
        if (extent.size % each != 0 || extent.size / each != tensor.storage_count)
            throw Error({ATTNLAB_TEXT("%1: its storage '%2' has %3 bytes, expected %4 numbers of %5"),
                         {name, "data/" + std::string(tensor.storage), std::to_string(extent.size),
                          std::to_string(tensor.storage_count), std::to_string(each)}});
        return extent;
    }

    /// Many arrays of a large file, each small enough to be read, may together be too large for memory.
    void keep_more_in_file(const std::vector<View>& views) {
        if (!file_)
            return;
        const auto each = static_cast<std::int64_t>(sizeof(double));
        std::int64_t left = std::min(limits_.max_bytes, limits_.map_from > limits_.max_bytes / held_factor
                                                            ? limits_.max_bytes
                                                            : limits_.map_from * held_factor);
        for (const auto& view : views) {
            if (stays(view))
                continue;
            if (view.count > left / each) {
                limits_.map_from = std::max<std::int64_t>(1, limits_.map_from / small_part);
                return;
            }
            left -= view.count * each;
        }
    }

    /// Rows in pieces are combined once; see also columns of NumPy arrays.
    bool stays(const View& view) const {
        return !view.is_numpy && view.count > 0 && view.layout.has_whole_rows() &&
               stays_in_file(*view.layout.type, view.count, limits_);
    }

    Tensor tensor_of(const View& view) {
        const auto& layout = view.layout;
        const bool is_left = stays(view);
        if (!view.is_numpy && !(is_left && file_))
            archive_.check_storage(view.key);
        if (!is_left)
            return held(view);
        if (file_)
            file_->settle();
        auto numbers = file_ && layout.is_contiguous()
                           ? numbers_in(file_, layout.offset, *layout.type, layout.swapped, view.count, view.name)
                           : strided_numbers(bytes_, layout, view.name);
        return Tensor::from(view.shape, std::move(numbers), layout.type->dtype);
    }

    /// Reads into memory, once for all names of the same numbers.
    Tensor held(const View& view) {
        const auto& layout = view.layout;
        const std::tuple same(view.is_numpy ? view.in_pickle.data() : nullptr, layout.offset, layout.type, view.shape,
                              layout.strides);
        if (const auto known = held_.find(same); known != held_.end())
            return known->second;
        checked_count(view.shape, view.name, limits_);
        if (view.is_numpy || storages_.insert(view.key).second)
            repeated_ -= view.storage_count;
        repeated_ += view.count;
        if (repeated_ > most_repeated)
            throw Error({ATTNLAB_TEXT("%1: repeats numbers of its storage so often that the arrays of the file take %2 "
                                      "numbers more than the file holds; save it after contiguous()"),
                         {view.name, std::to_string(repeated_)}});
        limits_.max_bytes -= view.count * static_cast<std::int64_t>(sizeof(double));
        Tensor tensor(view.shape, values_of(view), layout.type->dtype);
        held_.emplace(same, tensor);
        return tensor;
    }

    std::vector<double> values_of(const View& view) const {
        const auto& layout = view.layout;
        std::vector<double> values(static_cast<std::size_t>(view.count));
        if (view.is_numpy) {
            read_strided(HeldBytes(std::as_bytes(std::span(view.in_pickle))), layout, 0, values, view.name);
        } else if (layout.has_whole_rows() || layout.extent() / 2 > view.count * layout.type->size) {
            read_strided(*bytes_, layout, 0, values, view.name);
        } else { // most of it is needed, so it is read at once
            const auto all = bytes_->text(layout.offset, layout.extent());
            auto within = layout;
            within.offset = 0;
            read_strided(HeldBytes(std::as_bytes(std::span(all))), within, 0, values, view.name);
        }
        return values;
    }

    std::shared_ptr<const ByteSource> bytes_;
    std::shared_ptr<const InputFile> file_;
    TorchArchive archive_;
    std::string stem_;
    ReadLimits limits_;
    std::map<std::tuple<const char*, std::int64_t, const ElementType*, Shape, Shape>, Tensor> held_;
    std::set<std::string_view> storages_; ///< keys of the storages of arrays in memory
    std::int64_t repeated_ = 0;           ///< numbers in memory beyond those of the storages, if positive
};

/// Bytes with a copy of their own in memory.
class CopiedBytes : public ByteSource {
public:
    explicit CopiedBytes(std::span<const std::byte> bytes) : copy_(bytes.begin(), bytes.end()), bytes_(copy_) {}

    std::int64_t size() const override { return bytes_.size(); }
    void read(std::int64_t offset, std::span<std::byte> bytes) const override { bytes_.read(offset, bytes); }

private:
    std::vector<std::byte> copy_;
    HeldBytes bytes_;
};

TorchFile read(const std::shared_ptr<const ByteSource>& bytes, const std::shared_ptr<const InputFile>& file,
               const std::string& name, const ReadLimits& limits) {
    const auto beginning = bytes->text(0, std::min(bytes->size(), beginning_size));
    if (const auto why = why_no_torch_archive(beginning, name); !why.empty())
        throw Error(why);
    return TorchReader(bytes, file, name, limits).read();
}

} // namespace

bool begins_pickle(std::string_view beginning) {
    return beginning.size() > 1 && beginning[0] == '\x80' && beginning[1] >= 2 && beginning[1] <= 5;
}

bool is_torch_file(const std::filesystem::path& path) {
    const InputFile file(path);
    return has_torch_pickle(file);
}

TorchFile read_torch(const std::filesystem::path& path, const ReadLimits& limits) {
    const auto file = std::make_shared<const InputFile>(path);
    try {
        auto contents = read(file, file, path.string(), limits);
        file->check();
        return contents;
    } catch (const Error&) {
        file->check(); // what looks like damage may be a concurrent change
        throw;
    }
}

TorchFile read_torch(std::span<const std::byte> bytes, std::string_view name, const ReadLimits& limits) {
    return read(std::make_shared<const CopiedBytes>(bytes), nullptr, std::string(name), limits);
}

} // namespace attnlab::io
