// What a file of torch.save holds: tensors as views of the storages in its archive, checked but not read.
#pragma once

#include "core/io/pickle.h"
#include "core/io/strided_numbers.h"
#include "core/io/torch_archive.h"
#include "core/io/torch_leaves.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::io {

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

} // namespace attnlab::io
