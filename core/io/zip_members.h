// Finds members of a zip archive in the file, which libzip does not expose.
#pragma once

#include "core/io/file_bytes.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::io {

/// The first byte of an uncompressed member of `size` bytes. nullopt where the archive's layout is not plain enough to
/// tell: such a member can still be read by libzip. `control`, if not null, is polled here and below: throws Cancelled.
/// Throws Error as ByteSource.
std::optional<std::int64_t> stored_member(const ByteSource& archive, std::string_view name, std::uint64_t size,
                                          const RunControl* control = nullptr);

/// The largest number of members of an archive that is read: freeing more would delay a cancelled read.
inline constexpr std::size_t most_zip_members = std::size_t{1} << 18;

/// The directory entry of a member.
struct ZipMember {
    std::string name;
    std::uint64_t size;
    std::uint32_t checksum;
    bool is_encrypted;
    bool is_stored;       ///< uncompressed
    std::uint64_t header; ///< expected offset of its local header
};

/// All members in the order of the directory. nullopt without a directory, with an invalid one, or one of more than
/// `most` members. Throws Error as ByteSource.
std::optional<std::vector<ZipMember>> zip_members(const ByteSource& archive, std::size_t most,
                                                  const RunControl* control = nullptr);

/// True when the directory lists more than `most` members. Reads no names.
bool has_more_members(const ByteSource& archive, std::size_t most, const RunControl* control = nullptr);

/// The first byte of an uncompressed member; nullopt where it is not entirely in the archive. Throws Error as
/// ByteSource.
std::optional<std::int64_t> first_byte(const ByteSource& archive, const ZipMember& member);

} // namespace attnlab::io
