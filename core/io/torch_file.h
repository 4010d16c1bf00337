// Files of torch.save (.pt, .pth, .bin, .ckpt): the tensors in their pickle, which is read without executing anything.
#pragma once

#include "core/io/file_bytes.h"
#include "core/io/file_formats.h"
#include "core/io/file_numbers.h"
#include "core/io/pickle.h"
#include "core/io/torch_container.h"
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

// What a file of torch.save holds: tensors as views of its storages, checked but not read.

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

    const TorchContainer& container() const { return *container_; }
    /// In the order of the file; valid as long as this object.
    const std::vector<Named<TorchView>>& tensors() const { return tensors_; }
    const std::vector<Named<std::vector<std::string>>>& labels() const { return labels_; }
    const std::vector<Named<Message>>& others() const { return others_; }

private:
    void check_names(const TorchLeaves& leaves) const;
    TorchView view_of(const std::string& tensor_name, const PickledTensor& tensor, const ReadLimits& limits) const;
    Extent storage_of(const PickledTensor& tensor, const ElementType& element, const std::string& name) const;

    std::unique_ptr<const TorchContainer> container_;
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

/// True for a zip archive that holds the data.pkl of torch.save or of TorchScript, regardless of its suffix. Throws
/// Error when the file cannot be read; Cancelled where `control`, if not null, is.
bool is_torch_file(const std::filesystem::path& path, const RunControl* control = nullptr);

/// Reads bool, (u)int8..64, (b)float16 and float32/64 in either byte order, views, and NumPy arrays. Refuses with a
/// named reason: classes and functions other than those of tensors and plain values, complex, quantized and 8-bit
/// floating numbers, TorchScript, integers beyond 2^53, views that exceed their storage.
/// Large arrays of floats stay in the file (ReadLimits::map_from) without a checksum test; so do smaller ones where all
/// together would take several times that in memory. Throws Error naming file and tensor.
TorchFile read_torch(const std::filesystem::path& path, const ReadLimits& limits = {});
/// The same for a file in memory, which is copied; `name` is used in messages.
TorchFile read_torch(std::span<const std::byte> bytes, std::string_view name, const ReadLimits& limits = {});

} // namespace attnlab::io
