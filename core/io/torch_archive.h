// The zip archive of torch.save: data.pkl describes the content, data/0, data/1, ... are the numbers.
#pragma once

#include "core/io/file_bytes.h"
#include "core/io/zip_members.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

namespace attnlab::io {

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

} // namespace attnlab::io
