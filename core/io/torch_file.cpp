#include "core/io/torch_file.h"

#include "core/io/file_numbers.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

namespace attnlab::io {
namespace {

constexpr std::size_t deepest = 64;
constexpr std::size_t longest_key = 1000;
constexpr std::int64_t most_leaves = std::int64_t{1} << 18;
constexpr std::int64_t most_items = std::int64_t{1} << 22;
constexpr std::int64_t most_text = std::int64_t{64} << 20; ///< bytes of names and labels

bool is_number(const PickleValue& value) {
    return std::holds_alternative<bool>(value) || std::holds_alternative<std::int64_t>(value) ||
           std::holds_alternative<double>(value);
}

template <class Is>
bool all_of(const PickleSequence& sequence, Is is) {
    return std::all_of(sequence.items.begin(), sequence.items.end(), is);
}

/// The message for a value that neither is nor contains a tensor.
struct Description {
    Message operator()(std::monostate) const { return {ATTNLAB_TEXT("nothing (None)")}; }
    Message operator()(bool value) const { return {value ? ATTNLAB_TEXT("True") : ATTNLAB_TEXT("False")}; }
    Message operator()(std::int64_t value) const { return {ATTNLAB_TEXT("the number %1"), {std::to_string(value)}}; }
    Message operator()(double value) const { return {ATTNLAB_TEXT("the number %1"), {to_text(value)}}; }
    Message operator()(PickleText value) const { return {ATTNLAB_TEXT("the text '%1'"), {excerpt(value.text)}}; }
    Message operator()(PickleBytes value) const {
        return {ATTNLAB_TEXT("%1 bytes"), {std::to_string(value.bytes.size())}};
    }
    Message operator()(const PickleSequence* value) const {
        if (value->items.empty())
            return {ATTNLAB_TEXT("an empty list")};
        return {value->kind == PickleSequence::Kind::Set ? ATTNLAB_TEXT("a set of %1 values")
                                                         : ATTNLAB_TEXT("a list of %1 numbers"),
                {std::to_string(value->items.size())}};
    }
    Message operator()(const PickleDictionary*) const { return {ATTNLAB_TEXT("an empty dictionary")}; }
    Message operator()(const PickledTensor*) const { return {}; }
    Message operator()(const PickleObject* value) const {
        return {ATTNLAB_TEXT("an object of type '%1'"), {std::string(value->name)}};
    }
};

class LeafWalk {
public:
    LeafWalk(const std::string& file, const RunControl* control) : file_(file), control_(control) {}

    TorchLeaves over(const PickleValue& root, const std::string& alone) {
        visit(root, alone);
        while (!open_.empty()) {
            if (control_)
                control_->checkpoint();
            auto& top = open_.back();
            path_.resize(top.path_length);
            if (top.next == top.size()) {
                open_.pop_back();
                continue;
            }
            const auto index = top.next++;
            const auto key = top.dictionary ? text_of(top.dictionary->items[index].first) : std::to_string(index);
            if (key.size() > longest_key)
                refuse_key();
            path_ += (open_.size() > 1 ? "." : "") + key;
            visit(top.dictionary ? top.dictionary->items[index].second : top.sequence->items[index], path_);
        }
        return std::move(leaves_);
    }

private:
    /// A container being traversed.
    struct Open {
        const PickleSequence* sequence;
        const PickleDictionary* dictionary;
        std::size_t path_length;
        std::size_t next = 0;

        std::size_t size() const { return dictionary ? dictionary->items.size() : sequence->items.size(); }
    };

    void visit(const PickleValue& value, const std::string& name) {
        take(items_, 1, most_items);
        if (const auto* const* sequence = std::get_if<PickleSequence*>(&value))
            return visit(**sequence, value, name);
        const auto* const* dictionary = std::get_if<PickleDictionary*>(&value);
        if (dictionary && !(*dictionary)->items.empty())
            return open({nullptr, *dictionary, path_.size()});
        if (const auto* const* tensor = std::get_if<PickledTensor*>(&value))
            leaves_.tensors.emplace_back(leaf(name), *tensor);
        else
            leaves_.others.emplace_back(leaf(name), std::visit(Description{}, value));
    }

    void visit(const PickleSequence& sequence, const PickleValue& value, const std::string& name) {
        take(items_, static_cast<std::int64_t>(sequence.items.size()), most_items);
        const bool is_text =
            all_of(sequence, [](const auto& item) { return std::holds_alternative<PickleText>(item); });
        if (sequence.kind == PickleSequence::Kind::Set || sequence.items.empty() || all_of(sequence, is_number)) {
            leaves_.others.emplace_back(leaf(name), std::visit(Description{}, value));
        } else if (is_text) {
            std::vector<std::string> labels;
            for (const auto& item : sequence.items) {
                const auto text = std::get<PickleText>(item).text;
                take(text_, static_cast<std::int64_t>(text.size() + sizeof(std::string)), most_text);
                add_label(std::string(text), labels, file_ + ": " + name);
            }
            leaves_.labels.emplace_back(leaf(name), std::move(labels));
        } else {
            open({&sequence, nullptr, path_.size()});
        }
    }

    void open(Open container) {
        if (open_.size() == deepest)
            throw Error({ATTNLAB_TEXT("%1: holds values that are nested more than %2 deep, or within themselves"),
                         {file_, std::to_string(deepest)}});
        open_.push_back(container);
    }

    /// The name, after checking the limit.
    const std::string& leaf(const std::string& name) {
        take(count_, 1, most_leaves);
        take(text_, static_cast<std::int64_t>(name.size()), most_text);
        return name;
    }

    void take(std::int64_t& taken, std::int64_t count, std::int64_t most) const {
        if (count > most - taken)
            throw Error({ATTNLAB_TEXT("%1: holds more values than may be read"), {file_}});
        taken += count;
    }

    [[noreturn]] void refuse_key() const {
        throw Error(
            {ATTNLAB_TEXT("%1: holds a dictionary whose keys are not names: %2 has one that is neither a number "
                          "nor short text"),
             {file_, path_.empty() ? std::string("it") : path_}});
    }

    /// As Python's str(); also for the items of tuples.
    std::string text_of(const PickleValue& key, bool within_tuple = false) {
        if (const auto* text = std::get_if<PickleText>(&key)) {
            if (text->text.size() > longest_key)
                refuse_key();
            return std::string(text->text);
        }
        if (const auto* flag = std::get_if<bool>(&key))
            return *flag ? "True" : "False";
        if (const auto* integer = std::get_if<std::int64_t>(&key))
            return std::to_string(*integer);
        if (const auto* number = std::get_if<double>(&key))
            return to_text(*number);
        if (std::holds_alternative<std::monostate>(key))
            return "None";
        const auto* const* tuple = std::get_if<PickleSequence*>(&key);
        if (!tuple || within_tuple || (*tuple)->kind != PickleSequence::Kind::Tuple ||
            (*tuple)->items.size() > longest_key)
            refuse_key();
        take(items_, static_cast<std::int64_t>((*tuple)->items.size()), most_items);
        std::string joined = "(";
        for (const auto& item : (*tuple)->items) {
            joined += (joined.size() > 1 ? ", " : "") + text_of(item, true);
            if (joined.size() > longest_key)
                refuse_key();
        }
        return joined + ")";
    }

    const std::string& file_;
    const RunControl* control_;
    TorchLeaves leaves_;
    std::vector<Open> open_;
    std::string path_;
    std::int64_t count_ = 0, items_ = 0, text_ = 0;
};

} // namespace

TorchLeaves leaves_of(const PickleValue& root, const std::string& alone, const std::string& file,
                      const RunControl* control) {
    return LeafWalk(file, control).over(root, alone);
}

namespace {

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

} // namespace

TorchContents::TorchContents(const ByteSource& bytes, const std::string& name, const ReadLimits& limits)
    : container_(open_torch(bytes, name, limits)) {
    auto leaves =
        leaves_of(container_->document().root(), std::filesystem::path(name).stem().string(), name, limits.control);
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
            throw Error({ATTNLAB_TEXT("%1: holds a tensor without a name"), {container_->name()}});
        if (!names.insert(name).second)
            throw Error({ATTNLAB_TEXT("%1: holds two tensors that would be called '%2'"), {container_->name(), name}});
    }
}

TorchView TorchContents::view_of(const std::string& tensor_name, const PickledTensor& tensor,
                                 const ReadLimits& limits) const {
    TorchView view;
    view.name = container_->name() + ": " + tensor_name;
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
    const bool big_endian = tensor.is_numpy ? tensor.big_endian : container_->big_endian();
    view.layout = with_fewest_axes({offset, &element, is_swapped(big_endian), view.shape, std::move(strides)});
    return view;
}

Extent TorchContents::storage_of(const PickledTensor& tensor, const ElementType& element,
                                 const std::string& name) const {
    const auto extent = container_->storage(tensor.storage, name);
    const auto each = tensor.storage_in_bytes ? 1 : element.size;
    if (extent.size % each != 0 || extent.size / each != tensor.storage_count)
        throw Error({ATTNLAB_TEXT("%1: its storage '%2' has %3 bytes, expected %4 numbers of %5"),
                     {name, container_->storage_name(tensor.storage), std::to_string(extent.size),
                      std::to_string(tensor.storage_count), std::to_string(each)}});
    return extent;
}

namespace {

/// The most numbers that repeated elements and overlapping views may add to those in the file.
constexpr std::int64_t most_repeated = std::int64_t{1} << 27;
/// The total in memory may be this multiple of the threshold from which a single array stays in its file; beyond that,
/// arrays smaller by the factor `small_part` stay too.
constexpr std::int64_t held_factor = 8, small_part = 1024;

/// What numbers that are read later need.
struct TorchSource {
    TorchSource(std::shared_ptr<const ByteSource> from, const std::string& name, const ReadLimits& limits)
        : bytes(std::move(from)), contents(*bytes, name, limits) {}

    std::vector<double> values_of(const TorchView& view, const ReadLimits& limits) const {
        const auto& layout = view.layout;
        const auto read_from = [&](const ByteSource& there, const StridedLayout& at) {
            return numbers_in_pieces(view.count, limits, [&](std::int64_t first, std::span<double> piece) {
                read_strided(there, at, first, piece, view.name);
            });
        };
        if (view.is_numpy)
            return read_from(MemoryBytes(std::as_bytes(std::span(view.in_pickle))), layout);
        if (layout.has_whole_rows() || layout.extent() / 2 > view.count * layout.type->size)
            return read_from(*bytes, layout);
        // Most of it is needed, so it is read at once.
        const auto all = bytes->text(layout.offset, layout.extent(), limits.control);
        auto within = layout;
        within.offset = 0;
        return read_from(MemoryBytes(std::as_bytes(std::span(all))), within);
    }

    std::int64_t bytes_meanwhile(const TorchView& view) const {
        const bool at_once = !view.is_numpy && !view.layout.has_whole_rows() &&
                             view.layout.extent() / 2 <= view.count * view.layout.type->size;
        return at_once ? view.layout.extent() : 0;
    }

    const std::shared_ptr<const ByteSource> bytes;
    const TorchContents contents;
};

class TorchReader {
public:
    /// `file` is the same as `bytes` where these are from a file.
    TorchReader(std::shared_ptr<const ByteSource> bytes, std::shared_ptr<const InputFile> file, const std::string& name,
                const ReadLimits& limits)
        : file_(std::move(file)), source_(std::make_shared<const TorchSource>(std::move(bytes), name, limits)),
          name_(name), limits_(limits) {}

    TorchFile read() {
        const auto& contents = source_->contents;
        keep_more_in_file(contents.tensors());
        TorchFile result{{}, contents.labels(), contents.others()};
        std::vector<Tensor*> arrays;
        result.tensors.reserve(contents.tensors().size());
        for (const auto& [name, view] : contents.tensors()) {
            limits_.checkpoint();
            result.tensors.emplace_back(name, tensor_of(view));
            arrays.push_back(&result.tensors.back().second);
        }
        if (limits_.defer)
            return result;
        ArraysInMemory(arrays).require(limits_, name_);
        load(arrays, limits_.control);
        return result;
    }

private:
    /// Many arrays of a large file, each small enough to be read, may together be too large for memory.
    void keep_more_in_file(const std::vector<Named<TorchView>>& views) {
        if (!file_)
            return;
        const auto each = static_cast<std::int64_t>(sizeof(double));
        std::int64_t left = std::min(limits_.max_bytes, limits_.map_from > limits_.max_bytes / held_factor
                                                            ? limits_.max_bytes
                                                            : limits_.map_from * held_factor);
        for (const auto& [name, view] : views) {
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
    bool stays(const TorchView& view) const {
        return !view.is_numpy && view.count > 0 && view.layout.has_whole_rows() &&
               stays_in_file(*view.layout.type, view.count, limits_);
    }

    Tensor tensor_of(const TorchView& view) {
        const auto& layout = view.layout;
        if (!stays(view))
            return held(view);
        if (file_)
            file_->settle();
        else
            source_->contents.container().check_storage(view.key);
        auto numbers = file_ && layout.is_contiguous()
                           ? numbers_in(file_, layout.offset, *layout.type, layout.swapped, view.count, view.name)
                           : strided_numbers(source_->bytes, layout, view.name);
        return Tensor::from(view.shape, std::move(numbers), layout.type->dtype);
    }

    /// An array in memory, once for all names of the same numbers.
    Tensor held(const TorchView& view) {
        const auto& layout = view.layout;
        const std::tuple same(view.is_numpy ? view.in_pickle.data() : nullptr, layout.offset, layout.type, view.shape,
                              layout.strides);
        if (const auto known = held_.find(same); known != held_.end())
            return known->second;
        if (!limits_.defer)
            checked_count(view.shape, view.name, limits_);
        if (view.is_numpy || storages_.insert(view.key).second)
            repeated_ -= view.storage_count;
        repeated_ += view.count;
        if (repeated_ > most_repeated)
            throw Error({ATTNLAB_TEXT("%1: repeats the numbers of its storage too often. The arrays of the file would "
                                      "need %2 numbers more than the file holds. Save it after contiguous()"),
                         {view.name, std::to_string(repeated_)}});
        DeferredNumbers::How how{.load = [source = source_, &view, limits = limits_] {
            checked_count(view.shape, view.name, limits);
            if (!view.is_numpy)
                source->contents.container().check_storage(view.key);
            return Tensor(view.shape, source->values_of(view, limits), view.layout.type->dtype);
        }};
        how.bytes = view.count * static_cast<std::int64_t>(sizeof(double));
        how.meanwhile = source_->bytes_meanwhile(view);
        auto tensor = deferred(view.shape, layout.type->dtype, std::move(how));
        held_.emplace(same, tensor);
        return tensor;
    }

    std::shared_ptr<const InputFile> file_;
    const std::shared_ptr<const TorchSource> source_; ///< views refer to its contents
    const std::string name_;
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
    MemoryBytes bytes_;
};

} // namespace

bool is_torch_file(const std::filesystem::path& path, const RunControl* control) {
    const InputFile file(path);
    return has_torch_pickle(file, control);
}

TorchFile read_torch(const std::filesystem::path& path, const ReadLimits& limits) {
    const auto file = std::make_shared<const InputFile>(path);
    try {
        auto contents = TorchReader(file, file, path.string(), limits).read();
        file->check();
        return contents;
    } catch (const Error&) {
        file->check(); // what looks like damage may be a concurrent change
        throw;
    }
}

TorchFile read_torch(std::span<const std::byte> bytes, std::string_view name, const ReadLimits& limits) {
    return TorchReader(std::make_shared<const CopiedBytes>(bytes), nullptr, std::string(name), limits).read();
}

} // namespace attnlab::io
