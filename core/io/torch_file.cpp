#include "core/io/torch_file.h"

#include "core/io/deferred_numbers.h"
#include "core/io/file_numbers.h"
#include "core/io/strided_numbers.h"
#include "core/io/torch_contents.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace attnlab::io {
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
            return read_from(HeldBytes(std::as_bytes(std::span(view.in_pickle))), layout);
        if (layout.has_whole_rows() || layout.extent() / 2 > view.count * layout.type->size)
            return read_from(*bytes, layout);
        // Most of it is needed, so it is read at once.
        const auto all = bytes->text(layout.offset, layout.extent(), limits.control);
        auto within = layout;
        within.offset = 0;
        return read_from(HeldBytes(std::as_bytes(std::span(all))), within);
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
        load(arrays);
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
            source_->contents.archive().check_storage(view.key);
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
            throw Error({ATTNLAB_TEXT("%1: repeats numbers of its storage so often that the arrays of the file take %2 "
                                      "numbers more than the file holds; save it after contiguous()"),
                         {view.name, std::to_string(repeated_)}});
        DeferredNumbers::How how{.load = [source = source_, &view, limits = limits_] {
            checked_count(view.shape, view.name, limits);
            if (!view.is_numpy)
                source->contents.archive().check_storage(view.key);
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
    HeldBytes bytes_;
};

} // namespace

bool begins_pickle(std::string_view beginning) {
    return beginning.size() > 1 && beginning[0] == '\x80' && beginning[1] >= 2 && beginning[1] <= 5;
}

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
