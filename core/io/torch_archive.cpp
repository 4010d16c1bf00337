#include "core/io/torch_archive.h"

#include "core/io/torch_file.h"

#include <algorithm>
#include <array>

#include <zlib.h>

namespace attnlab::io {
namespace {

/// The part of the first member's path up to and including the first '/', as in PyTorch.
std::string folder_of(const std::vector<ZipMember>& members) {
    const auto name = members.empty() ? std::string() : members.front().name;
    return name.substr(0, name.find('/') + 1);
}

} // namespace

TorchArchive::TorchArchive(const ByteSource& bytes, std::string name, const RunControl* control)
    : bytes_(bytes), name_(std::move(name)), control_(control) {
    const auto members = zip_members(bytes_, most_zip_members, control_);
    if (!members)
        throw Error(
            {ATTNLAB_TEXT("%1: is no zip archive, or one that is cut short or damaged: it has no directory at its "
                          "end that lists its members"),
             {name_}});
    folder_ = folder_of(*members);
    for (const auto& member : *members) {
        if (control_)
            control_->checkpoint();
        if (!members_.emplace(member.name, member).second)
            throw Error(
                {ATTNLAB_TEXT("%1: is there twice, expected one member of each name"), {name_ + ": " + member.name}});
    }
    if (members_.contains(folder_ + "constants.pkl"))
        throw Error({ATTNLAB_TEXT("%1: is a TorchScript program (torch.jit.save), which is not read; save its "
                                  "state_dict() with torch.save"),
                     {name_}});
    if (!members_.contains(folder_ + "data.pkl"))
        throw Error({ATTNLAB_TEXT("%1: is a zip archive without '%2', which torch.save writes"),
                     {name_, folder_ + "data.pkl"}});
    big_endian_ = reads_big_endian();
}

const ZipMember* TorchArchive::member(const std::string& name) const {
    const auto found = members_.find(folder_ + name);
    return found == members_.end() ? nullptr : &found->second;
}

Extent TorchArchive::extent_of(const ZipMember& member) const {
    const auto full_name = name_ + ": " + member.name;
    if (member.is_encrypted)
        throw Error({ATTNLAB_TEXT("%1: is encrypted, expected a plain member"), {full_name}});
    const auto first = first_byte(bytes_, member);
    if (!first)
        throw Error(
            {ATTNLAB_TEXT("%1: is compressed or damaged, expected a member that is stored as it is"), {full_name}});
    return {*first, static_cast<std::int64_t>(member.size)};
}

Extent TorchArchive::checked(const ZipMember& member) const {
    const auto extent = extent_of(member);
    // Archives without checksums (torch.serialization.set_crc32_options) have zeros.
    if (member.checksum == 0 || !checked_.insert(member.name).second)
        return extent;
    uLong checksum = 0;
    std::array<std::byte, 1 << 16> piece;
    for (std::int64_t done = 0; done < extent.size; done += std::ssize(piece)) {
        if (control_)
            control_->checkpoint();
        const auto part = std::span(piece).first(
            static_cast<std::size_t>(std::min<std::int64_t>(std::ssize(piece), extent.size - done)));
        bytes_.read(extent.offset + done, part);
        checksum = crc32_z(checksum, reinterpret_cast<const Bytef*>(part.data()), part.size());
    }
    if (checksum != member.checksum)
        throw Error({ATTNLAB_TEXT("%1: is damaged: its checksum does not match"), {name_ + ": " + member.name}});
    return extent;
}

std::string TorchArchive::pickle(std::int64_t most) const {
    const auto& found = *member("data.pkl");
    if (found.size > static_cast<std::uint64_t>(std::max<std::int64_t>(0, most)))
        throw Error({ATTNLAB_TEXT("%1: has %2 bytes; at most %3 may be read"),
                     {name_ + ": " + found.name, std::to_string(found.size), std::to_string(most)}});
    const auto extent = checked(found);
    return bytes_.text(extent.offset, extent.size, control_);
}

Extent TorchArchive::storage(std::string_view key, const std::string& user) const {
    const auto name = "data/" + std::string(key);
    const auto* found = member(name);
    if (!found)
        throw Error({ATTNLAB_TEXT("%1: its numbers should be in '%2', which is not in the archive"),
                     {user, excerpt(folder_ + name)}});
    return extent_of(*found);
}

void TorchArchive::check_storage(std::string_view key) const { checked(*member("data/" + std::string(key))); }

bool TorchArchive::reads_big_endian() const {
    const auto* found = member("byteorder");
    if (!found)
        return false; // as in archives from before 2.1
    const auto extent = checked(*found);
    const auto order = bytes_.text(extent.offset, std::min<std::int64_t>(extent.size, 16));
    if (order != "little" && order != "big")
        throw Error({ATTNLAB_TEXT("%1: says that its byte order is '%2', expected 'little' or 'big'"),
                     {name_, excerpt(order)}});
    return order == "big";
}

bool has_torch_pickle(const ByteSource& archive, const RunControl* control) {
    const auto members = zip_members(archive, most_zip_members, control);
    const auto name = members ? folder_of(*members) + "data.pkl" : std::string();
    return members &&
           std::any_of(members->begin(), members->end(), [&](const ZipMember& member) { return member.name == name; });
}

Message why_no_torch_archive(std::string_view beginning, const std::string& name) {
    using namespace std::string_view_literals;
    // The pickled magic number at the start of the format before PyTorch 1.6.
    if (beginning.starts_with("\x80\x02\x8a\x0al\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19."sv))
        return {ATTNLAB_TEXT("%1: is in PyTorch's format of before version 1.6, which is not read; load it in PyTorch "
                             "and save it again with torch.save"),
                {name}};
    if (beginning.starts_with("version ")) // a Git LFS pointer in place of a large file
        return {ATTNLAB_TEXT("%1: is no file of torch.save, but may be a pointer to one; 'git lfs pull' fetches it"),
                {name}};
    if (begins_pickle(beginning))
        return {ATTNLAB_TEXT("%1: is a Python pickle without the zip archive that torch.save writes around it, and not "
                             "read; save it with torch.save"),
                {name}};
    if (!beginning.starts_with("PK"))
        return {ATTNLAB_TEXT("%1: is no zip archive as torch.save writes it, and no other file that is known here"),
                {name}};
    return {};
}

} // namespace attnlab::io
