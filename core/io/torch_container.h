// The two parts of a file of torch.save: a pickle that describes its objects, and the numbers of each storage. Either a
// zip archive, or the format before PyTorch 1.6, where they follow each other.
#pragma once

#include "core/io/file_bytes.h"
#include "core/io/file_formats.h"
#include "core/io/pickle.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace attnlab::io {

/// A piece of the file.
struct Extent {
    std::int64_t offset;
    std::int64_t size;
};

class TorchContainer {
public:
    explicit TorchContainer(std::string name) : name_(std::move(name)) {}
    virtual ~TorchContainer() = default;
    TorchContainer(const TorchContainer&) = delete;
    TorchContainer& operator=(const TorchContainer&) = delete;

    /// Of the file, for messages.
    const std::string& name() const { return name_; }
    virtual bool big_endian() const = 0;
    virtual const PickleDocument& document() const = 0;
    /// For messages: "data/0".
    virtual std::string storage_name(std::string_view key) const = 0;
    /// The numbers of a storage. Throws Error naming `user`, the tensor, when they are missing or not readable.
    virtual Extent storage(std::string_view key, const std::string& user) const = 0;
    /// Verifies the checksum of a storage if the file has one. Throws Error.
    virtual void check_storage(std::string_view key) const = 0;

private:
    std::string name_;
};

/// `bytes` and the limits' control must outlive it; `name` is used in messages. Throws Error for other data: another
/// format of PyTorch, an invalid directory, storages of another size than declared; Cancelled.
std::unique_ptr<const TorchContainer> open_torch(const ByteSource& bytes, const std::string& name,
                                                 const ReadLimits& limits);

/// True for a zip archive with a data.pkl where torch.save and TorchScript put it. Throws Error as ByteSource;
/// Cancelled where `control`, if not null, is.
bool has_torch_pickle(const ByteSource& archive, const RunControl* control = nullptr);

/// True for the first bytes of a file of the format before PyTorch 1.6.
bool has_legacy_torch_signature(std::string_view beginning);

/// True for the first two bytes of a pickle of protocol 2 to 5.
bool has_pickle_signature(std::string_view beginning);

} // namespace attnlab::io
