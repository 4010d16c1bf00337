#include "core/io/torch_archive.h"

#include "core/io/torch_file.h"

#include <algorithm>

#include <zlib.h>

namespace attnlab::io {
namespace {

constexpr std::size_t most_members = std::size_t{1} << 20;

/// All before and with the first '/' of the first member, as PyTorch has it.
std::string_view folder_of(const std::vector<ZipMember>& members) {
    const auto name = members.empty() ? std::string_view() : members.front().name;
    return name.substr(0, name.find('/') + 1);
}

std::uint32_t checksum_of(std::span<const std::byte> bytes) {
    return static_cast<std::uint32_t>(
        crc32_z(0, reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<z_size_t>(bytes.size())));
}

} // namespace

TorchArchive::TorchArchive(FileContents file) : file_(std::move(file)) {
    const auto members = zip_members(file_.bytes(), most_members);
    if (!members)
        throw Error(
            {ATTNLAB_TEXT("%1: is no zip archive, or one that is cut short or damaged: it has no directory at its "
                          "end that lists its members"),
             {file_.name}});
    folder_ = folder_of(*members);
    for (const auto& member : *members)
        if (!members_.emplace(member.name, member).second)
            throw Error({ATTNLAB_TEXT("%1: is there twice, expected one member of each name"),
                         {file_.name + ": " + std::string(member.name)}});
    if (members_.contains(folder_ + "constants.pkl"))
        throw Error({ATTNLAB_TEXT("%1: is a TorchScript program (torch.jit.save), which is not read; save its "
                                  "state_dict() with torch.save"),
                     {file_.name}});
    if (!members_.contains(folder_ + "data.pkl"))
        throw Error({ATTNLAB_TEXT("%1: is a zip archive without '%2', which torch.save writes"),
                     {file_.name, folder_ + "data.pkl"}});
    big_endian_ = reads_big_endian();
}

const ZipMember* TorchArchive::member(const std::string& name) const {
    const auto found = members_.find(folder_ + name);
    return found == members_.end() ? nullptr : &found->second;
}

std::span<const std::byte> TorchArchive::bytes_of(const ZipMember& member) const {
    const auto full_name = file_.name + ": " + std::string(member.name);
    if (member.is_encrypted)
        throw Error({ATTNLAB_TEXT("%1: is encrypted, expected a plain member"), {full_name}});
    if (!member.first)
        throw Error(
            {ATTNLAB_TEXT("%1: is compressed or damaged, expected a member that is stored as it is"), {full_name}});
    return file_.bytes().subspan(*member.first, member.size);
}

std::span<const std::byte> TorchArchive::checked(const ZipMember& member) const {
    const auto bytes = bytes_of(member);
    // Without checksums, as torch.serialization.set_crc32_options may ask, there are zeros.
    if (member.checksum != 0 && checked_.insert(member.name).second && checksum_of(bytes) != member.checksum)
        throw Error({ATTNLAB_TEXT("%1: is damaged: its checksum does not match"),
                     {file_.name + ": " + std::string(member.name)}});
    return bytes;
}

std::span<const std::byte> TorchArchive::storage(std::string_view key, const std::string& user) const {
    const auto name = "data/" + std::string(key);
    const auto* found = member(name);
    if (!found)
        throw Error(
            {ATTNLAB_TEXT("%1: its numbers should be in '%2', which is not in the archive"), {user, folder_ + name}});
    return bytes_of(*found);
}

void TorchArchive::check_storage(std::string_view key) const { checked(*member("data/" + std::string(key))); }

bool TorchArchive::reads_big_endian() const {
    const auto* found = member("byteorder");
    if (!found)
        return false; // as archives of before 2.1 are
    const auto bytes = checked(*found);
    const std::string_view order(reinterpret_cast<const char*>(bytes.data()), std::min<std::size_t>(bytes.size(), 16));
    if (order != "little" && order != "big")
        throw Error({ATTNLAB_TEXT("%1: says that its byte order is '%2', expected 'little' or 'big'"),
                     {file_.name, std::string(order)}});
    return order == "big";
}

bool has_torch_pickle(std::span<const std::byte> archive) {
    const auto members = zip_members(archive, most_members);
    return members && std::any_of(members->begin(), members->end(), [&](const ZipMember& member) {
               return member.name == std::string(folder_of(*members)) + "data.pkl";
           });
}

Message why_no_torch_archive(std::string_view beginning, const std::string& name) {
    using namespace std::string_view_literals;
    // A pickle of the number that the format before PyTorch 1.6 begins with.
    if (beginning.starts_with("\x80\x02\x8a\x0al\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19."sv))
        return {ATTNLAB_TEXT("%1: is in PyTorch's format of before version 1.6, which is not read; load it in PyTorch "
                             "and save it again with torch.save"),
                {name}};
    if (beginning.starts_with("version ")) // of a text that Git leaves in place of a large file
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
