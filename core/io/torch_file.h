// Files of torch.save (.pt, .pth, .bin, .ckpt): zip archives whose pickle is read without executing anything.
#pragma once

#include "core/io/file_bytes.h"
#include "core/io/file_formats.h"
#include "core/io/file_numbers.h"
#include "core/io/pickle.h"
#include "core/io/zip_archive.h"
#include "core/message.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attnlab::io {

// The zip archive of torch.save: data.pkl describes the content, data/0, data/1, ... are the numbers.

/// A piece of the archive.
struct Extent {
    std::int64_t offset;
    std::int64_t size;
};

class TorchArchive {
public:
    /// Throws Error for other data: another format of PyTorch, or an invalid directory. `bytes` must outlive it; `name`
    /// is used in messages. Where `control`, if not null, is cancelled, it and its functions throw Cancelled.
    TorchArchive(const ByteSource& bytes, std::string name, const RunControl* control = nullptr);

    const std::string& name() const { return name_; }
    bool big_endian() const { return big_endian_; }
    /// data.pkl. Throws Error when it has more than `most` bytes.
    std::string pickle(std::int64_t most) const;
    /// The numbers of a storage. Throws Error naming `user`, the tensor, when they are missing or not readable.
    Extent storage(std::string_view key, const std::string& user) const;
    /// Verifies the checksum of a storage if the archive has one. Throws Error.
    void check_storage(std::string_view key) const;

private:
    /// Null if there is none of this name.
    const ZipMember* member(const std::string& name) const;
    Extent extent_of(const ZipMember& member) const;
    /// The member's extent, after verifying its checksum.
    Extent checked(const ZipMember& member) const;
    bool reads_big_endian() const;

    const ByteSource& bytes_;
    std::string name_;
    const RunControl* control_;
    std::string folder_; ///< "model/": the folder of all members
    std::map<std::string, ZipMember, std::less<>> members_;
    bool big_endian_ = false;
    mutable std::set<std::string> checked_; ///< names of members
};

/// True for a zip archive with a data.pkl where torch.save and TorchScript put it. Throws Error as ByteSource;
/// Cancelled where `control`, if not null, is.
bool has_torch_pickle(const ByteSource& archive, const RunControl* control = nullptr);

/// Why a file with this beginning is not an archive of torch.save: an older format, a pickle, not a zip archive. Empty
/// where it may be one.
Message why_no_torch_archive(std::string_view beginning, const std::string& name);

// Flattens a pickled value into a list of names.

template <class T>
using Named = std::pair<std::string, T>;

struct TorchLeaves {
    std::vector<Named<const PickledTensor*>> tensors;
    std::vector<Named<std::vector<std::string>>> labels; ///< lists and tuples that contain only text
    std::vector<Named<Message>> others;                  ///< everything else: "the number 3"
};

/// In file order. Names are the keys of dictionaries and the indices in lists and tuples, joined by '.'; a top-level
/// value is called `alone`. Throws Error naming `file` for values nested too deep or in themselves, too many of them,
/// or keys that cannot be names; Cancelled where `control`, if not null, is.
TorchLeaves leaves_of(const PickleValue& root, const std::string& alone, const std::string& file,
                      const RunControl* control = nullptr);

// What a file of torch.save holds: tensors as views of the storages in its archive, checked but not read.

/// A tensor whose description has been checked against the contents of the file.
struct TorchView {
    std::string name; ///< with the file's name, for messages
    Shape shape;
    std::int64_t count = 0;
    StridedLayout layout;           ///< with the fewest axes
    std::string_view key;           ///< of its storage
    std::int64_t storage_count = 0; ///< size of the storage in elements
    std::string_view in_pickle;     ///< its numbers, where they are not in a storage of the file
    bool is_numpy = false;          ///< which is the case for NumPy arrays
};

class TorchContents {
public:
    /// `bytes` must outlive it; `name` is used in messages. Throws Error as read_torch.
    TorchContents(const ByteSource& bytes, const std::string& name, const ReadLimits& limits);

    const TorchArchive& archive() const { return archive_; }
    /// In the order of the file; valid as long as this object.
    const std::vector<Named<TorchView>>& tensors() const { return tensors_; }
    const std::vector<Named<std::vector<std::string>>>& labels() const { return labels_; }
    const std::vector<Named<Message>>& others() const { return others_; }

private:
    void check_names(const TorchLeaves& leaves) const;
    TorchView view_of(const std::string& tensor_name, const PickledTensor& tensor, const ReadLimits& limits) const;
    Extent storage_of(const PickledTensor& tensor, const ElementType& element, const std::string& name) const;

    TorchArchive archive_;
    PickleDocument document_;
    std::vector<Named<TorchView>> tensors_;
    std::vector<Named<std::vector<std::string>>> labels_;
    std::vector<Named<Message>> others_;
};

/// The contents of a file, in order. Names are the keys of dictionaries and the indices in lists and tuples, joined by
/// '.': "layer.0.weight", "attentions.11". A top-level value is named after the file's stem.
struct TorchFile {
    std::vector<std::pair<std::string, Tensor>> tensors;
    /// Lists of text, such as tokens.
    std::vector<std::pair<std::string, std::vector<std::string>>> labels;
    /// Everything else, with a description: "the number 3". Without the internal state of modules.
    std::vector<std::pair<std::string, Message>> others;
};

/// True for the first two bytes of a pickle of protocol 2 to 5, as PyTorch wrote them before it wrote zip archives.
bool has_pickle_signature(std::string_view beginning);

/// True for a zip archive that holds the data.pkl of torch.save or of TorchScript, regardless of its suffix. Throws
/// Error when the file cannot be read; Cancelled where `control`, if not null, is.
bool is_torch_file(const std::filesystem::path& path, const RunControl* control = nullptr);

/// Reads bool, (u)int8..64, (b)float16 and float32/64 in either byte order, views, and NumPy arrays. Refuses with a
/// named reason: classes and functions other than those of tensors and plain values, complex, quantized and 8-bit
/// floating numbers, TorchScript, the format before PyTorch 1.6, integers beyond 2^53, views that exceed their storage.
/// Large arrays of floats stay in the file (ReadLimits::map_from) without a checksum test; so do smaller ones where all
/// together would take several times that in memory. Throws Error naming file and tensor.
TorchFile read_torch(const std::filesystem::path& path, const ReadLimits& limits = {});
/// The same for a file in memory, which is copied; `name` is used in messages.
TorchFile read_torch(std::span<const std::byte> bytes, std::string_view name, const ReadLimits& limits = {});

} // namespace attnlab::io
