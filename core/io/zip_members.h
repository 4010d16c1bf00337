// Where a member of a zip archive lies in the file: what libzip keeps to itself.
#pragma once

#include "core/io/file_bytes.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::io {

/// The first byte of a member that is stored as it is, `size` bytes long. Nothing where the archive is not laid out in
/// the plain way that says so: such a member can still be read through libzip. Throws Error as ByteSource.
std::optional<std::int64_t> stored_member(const ByteSource& archive, std::string_view name, std::uint64_t size);

/// What the directory says of a member.
struct ZipMember {
    std::string name;
    std::uint64_t size;
    std::uint32_t checksum;
    bool is_encrypted;
    bool is_stored;       ///< as it is, not compressed
    std::uint64_t header; ///< where its own header should be
};

/// All members in the order of the directory. Nothing where the archive has no directory, one that cannot be, or one of
/// more than `most` members. Throws Error as ByteSource.
std::optional<std::vector<ZipMember>> zip_members(const ByteSource& archive, std::size_t most);

/// The first byte of a member, all of which lies in the archive as it is; nothing where it does not. Throws Error as
/// ByteSource.
std::optional<std::int64_t> first_byte(const ByteSource& archive, const ZipMember& member);

} // namespace attnlab::io
