// The zip archive that torch.save writes: data.pkl says what there is, data/0, data/1, ... are the numbers.
#pragma once

#include "core/io/mapped_file.h"
#include "core/io/zip_members.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

namespace attnlab::io {

/// The bytes of a file, of which one of the two holds them.
struct FileContents {
    std::string name; ///< for messages
    std::shared_ptr<const MappedFile> mapped;
    std::shared_ptr<const std::string> copied;

    std::span<const std::byte> bytes() const {
        return mapped ? mapped->bytes() : std::as_bytes(std::span<const char>(*copied));
    }
    std::shared_ptr<const void> owner() const {
        return mapped ? std::shared_ptr<const void>(mapped) : std::shared_ptr<const void>(copied);
    }
};

class TorchArchive {
public:
    /// Throws Error for what is no such archive: another format of PyTorch's, or a directory that cannot be.
    explicit TorchArchive(FileContents file);

    const FileContents& file() const { return file_; }
    bool big_endian() const { return big_endian_; }
    /// That which says what there is.
    std::span<const std::byte> pickle() const { return checked(*member("data.pkl")); }
    /// The numbers of a storage. Throws Error naming `user`, which needs them, when they are not there or not readable.
    std::span<const std::byte> storage(std::string_view key, const std::string& user) const;
    /// Compares those with their checksum where the archive has one. Throws Error.
    void check_storage(std::string_view key) const;

private:
    /// Nothing where there is none of this name.
    const ZipMember* member(const std::string& name) const;
    std::span<const std::byte> bytes_of(const ZipMember& member) const;
    std::span<const std::byte> checked(const ZipMember& member) const;
    bool reads_big_endian() const;

    FileContents file_;
    std::string folder_; ///< "model/": all members lie in one
    std::map<std::string_view, ZipMember> members_;
    bool big_endian_ = false;
    mutable std::set<std::string_view> checked_; ///< names of members
};

/// True for a zip archive with a data.pkl where torch.save and TorchScript put it.
bool has_torch_pickle(std::span<const std::byte> archive);

/// Why a file that begins so is none of torch.save's archives: an older format, a pickle, no zip archive at all.
/// Nothing where it may be one.
Message why_no_torch_archive(std::string_view beginning, const std::string& name);

} // namespace attnlab::io
