#include "core/io/torch_container.h"

#include "core/io/zip_archive.h"
#include "core/message.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <variant>
#include <vector>
#include <zlib.h>

namespace attnlab::io {
namespace {

constexpr std::int64_t largest_pickle = std::int64_t{256} << 20;

/// The part of the first member's path up to and including the first '/', as in PyTorch.
std::string folder_of(const std::vector<ZipMember>& members) {
    const auto name = members.empty() ? std::string() : members.front().name;
    return name.substr(0, name.find('/') + 1);
}

/// A zip archive: data.pkl describes the content, data/0, data/1, ... are the numbers.
class TorchArchive : public TorchContainer {
public:
    TorchArchive(const ByteSource& bytes, const std::string& file, const ReadLimits& limits);

    bool big_endian() const override { return big_endian_; }
    const PickleDocument& document() const override { return *document_; }
    std::string storage_name(std::string_view key) const override { return "data/" + std::string(key); }
    Extent storage(std::string_view key, const std::string& user) const override;
    void check_storage(std::string_view key) const override;

private:
    /// Null if there is none of this name.
    const ZipMember* member(const std::string& name) const;
    Extent extent_of(const ZipMember& member) const;
    /// The member's extent, after verifying its checksum.
    Extent checked(const ZipMember& member) const;
    bool reads_big_endian() const;
    /// data.pkl. Throws Error when it has more than `most` bytes.
    std::string pickle(std::int64_t most) const;

    const ByteSource& bytes_;
    const RunControl* control_;
    std::string folder_; ///< "model/": the folder of all members
    std::map<std::string, ZipMember, std::less<>> members_;
    bool big_endian_ = false;
    std::optional<PickleDocument> document_;
    mutable std::set<std::string> checked_; ///< names of members
};

TorchArchive::TorchArchive(const ByteSource& bytes, const std::string& file, const ReadLimits& limits)
    : TorchContainer(file), bytes_(bytes), control_(limits.control) {
    const auto members = zip_members(bytes_, most_zip_members, control_);
    if (!members)
        throw Error({ATTNLAB_TEXT("%1: is not a zip archive, or was cut off or damaged: it has no directory at its "
                                  "end that lists its members"),
                     {name()}});
    folder_ = folder_of(*members);
    for (const auto& member : *members) {
        if (control_)
            control_->checkpoint();
        if (!members_.emplace(member.name, member).second)
            throw Error(
                {ATTNLAB_TEXT("%1: is there twice, expected one member of each name"), {name() + ": " + member.name}});
    }
    if (members_.contains(folder_ + "constants.pkl"))
        throw Error({ATTNLAB_TEXT("%1: is a TorchScript program (torch.jit.save), which is not read; save its "
                                  "state_dict() with torch.save"),
                     {name()}});
    if (!members_.contains(folder_ + "data.pkl"))
        throw Error({ATTNLAB_TEXT("%1: is a zip archive without '%2', which torch.save writes"),
                     {name(), folder_ + "data.pkl"}});
    big_endian_ = reads_big_endian();
    document_.emplace(pickle(std::min(largest_pickle, limits.max_bytes)), name() + ": data.pkl",
                      PickleDocument::enough_memory, control_);
}

const ZipMember* TorchArchive::member(const std::string& name) const {
    const auto found = members_.find(folder_ + name);
    return found == members_.end() ? nullptr : &found->second;
}

Extent TorchArchive::extent_of(const ZipMember& member) const {
    const auto full_name = name() + ": " + member.name;
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
        throw Error({ATTNLAB_TEXT("%1: is damaged: its checksum does not match"), {name() + ": " + member.name}});
    return extent;
}

std::string TorchArchive::pickle(std::int64_t most) const {
    const auto& found = *member("data.pkl");
    if (found.size > static_cast<std::uint64_t>(std::max<std::int64_t>(0, most)))
        throw Error({ATTNLAB_TEXT("%1: has %2 bytes; at most %3 may be read"),
                     {name() + ": " + found.name, std::to_string(found.size), std::to_string(most)}});
    const auto extent = checked(found);
    return bytes_.text(extent.offset, extent.size, control_);
}

Extent TorchArchive::storage(std::string_view key, const std::string& user) const {
    const auto* found = member(storage_name(key));
    if (!found)
        throw Error({ATTNLAB_TEXT("%1: its numbers should be in '%2', which is not in the archive"),
                     {user, excerpt(folder_ + storage_name(key))}});
    return extent_of(*found);
}

void TorchArchive::check_storage(std::string_view key) const { checked(*member(storage_name(key))); }

bool TorchArchive::reads_big_endian() const {
    const auto* found = member("byteorder");
    if (!found)
        return false; // as in archives from before 2.1
    const auto extent = checked(*found);
    const auto order = bytes_.text(extent.offset, std::min<std::int64_t>(extent.size, 16));
    if (order != "little" && order != "big")
        throw Error({ATTNLAB_TEXT("%1: says that its byte order is '%2', expected 'little' or 'big'"),
                     {name(), excerpt(order)}});
    return order == "big";
}

/// The format before PyTorch 1.6: pickles of a magic number, of a version, of a machine, of the objects and of the keys
/// of their storages; then the storages in the order of these keys, each as the number of its elements (int64) and
/// the elements. https://github.com/pytorch/pytorch/blob/main/torch/serialization.py (_legacy_save)
class LegacyTorchFile : public TorchContainer {
public:
    LegacyTorchFile(const ByteSource& bytes, const std::string& file, const ReadLimits& limits)
        : TorchContainer(file), bytes_(bytes), control_(limits.control),
          most_(std::min(largest_pickle, limits.max_bytes)), document_(bytes, end_of_header(), most_, file, control_) {
        find_storages();
    }

    bool big_endian() const override { return false; }
    const PickleDocument& document() const override { return document_; }
    std::string storage_name(std::string_view key) const override { return std::string(key); }
    Extent storage(std::string_view key, const std::string& user) const override;
    void check_storage(std::string_view) const override {}

private:
    PickleDocument document_at(std::int64_t begin) const {
        return PickleDocument(bytes_, begin, most_, name(), control_);
    }
    std::int64_t end_of_header() const;
    /// By key, as the description of the objects declares them.
    std::map<std::string_view, const PickleObject*> declared() const;
    void find_storages();
    /// Of the storage whose number of elements is at `begin`.
    Extent extent_at(std::int64_t begin, const PickleObject& storage) const;

    const ByteSource& bytes_;
    const RunControl* control_;
    const std::int64_t most_; ///< bytes of a pickle
    const PickleDocument document_;
    std::map<std::string, Extent, std::less<>> storages_;
};

std::int64_t LegacyTorchFile::end_of_header() const {
    constexpr std::int64_t version = 1001;
    const auto magic_number = document_at(0);
    const auto protocol = document_at(magic_number.end());
    if (const auto* number = std::get_if<std::int64_t>(&protocol.root()); !number || *number != version)
        throw Error({ATTNLAB_TEXT("%1: is in a version of PyTorch's format of before 1.6 that is not known here, "
                                  "expected version %2"),
                     {name(), std::to_string(version)}});
    const auto machine = document_at(protocol.end());
    const auto* const* about = std::get_if<PickleDictionary*>(&machine.root());
    const bool is_little_endian =
        about && std::any_of((*about)->items.begin(), (*about)->items.end(), [](const auto& item) {
            const auto* key = std::get_if<PickleText>(&item.first);
            const auto* value = std::get_if<bool>(&item.second);
            return key && key->text == "little_endian" && value && *value;
        });
    if (!is_little_endian)
        throw Error({ATTNLAB_TEXT("%1: was not written by a little-endian machine; in PyTorch's format of before 1.6, "
                                  "other files are not read; load it in PyTorch and save it again with torch.save"),
                     {name()}});
    return machine.end();
}

std::map<std::string_view, const PickleObject*> LegacyTorchFile::declared() const {
    std::map<std::string_view, const PickleObject*> storages;
    for (const auto* storage : document_.storages()) {
        const auto& first = *storages.emplace(storage->key, storage).first->second;
        if (first.type != storage->type || first.count != storage->count)
            throw Error({ATTNLAB_TEXT("%1: describes its storage '%2' in two ways: as %3 elements of '%4' and as %5 of "
                                      "'%6'"),
                         {name(), excerpt(storage->key), std::to_string(first.count), std::string(first.name),
                          std::to_string(storage->count), std::string(storage->name)}});
    }
    return storages;
}

void LegacyTorchFile::find_storages() {
    const auto keys = document_at(document_.end());
    const auto* const* list = std::get_if<PickleSequence*>(&keys.root());
    if (!list || (*list)->kind != PickleSequence::Kind::List)
        throw Error({ATTNLAB_TEXT("%1: is damaged: the keys of its storages are not a list of texts"), {name()}});
    const auto known = declared();
    auto at = keys.end();
    for (const auto& item : (*list)->items) {
        if (control_)
            control_->checkpoint();
        const auto* key = std::get_if<PickleText>(&item);
        if (!key)
            throw Error({ATTNLAB_TEXT("%1: is damaged: the keys of its storages are not a list of texts"), {name()}});
        const auto found = known.find(key->text);
        if (found == known.end())
            throw Error({ATTNLAB_TEXT("%1: lists a storage '%2' of which its objects say neither size nor type"),
                         {name(), excerpt(key->text)}});
        const auto extent = extent_at(at, *found->second);
        if (!storages_.emplace(key->text, extent).second)
            throw Error({ATTNLAB_TEXT("%1: lists its storage '%2' twice"), {name(), excerpt(key->text)}});
        at = extent.offset + extent.size;
    }
    if (at != bytes_.size())
        throw Error({ATTNLAB_TEXT("%1: has %2 bytes after its last storage, expected none; save each object into a "
                                  "file of its own"),
                     {name(), std::to_string(bytes_.size() - at)}});
}

Extent LegacyTorchFile::extent_at(std::int64_t begin, const PickleObject& storage) const {
    constexpr auto width = static_cast<std::int64_t>(sizeof(std::int64_t));
    const auto left = bytes_.size() - begin;
    if (left < width)
        throw Error({ATTNLAB_TEXT("%1: is cut short before its storage '%2'"), {name(), excerpt(storage.key)}});
    std::uint64_t count = 0;
    const auto number = bytes_.text(begin, width);
    for (auto byte = number.rbegin(); byte != number.rend(); ++byte)
        count = count << 8 | static_cast<unsigned char>(*byte);
    if (count != static_cast<std::uint64_t>(storage.count))
        throw Error({ATTNLAB_TEXT("%1: its storage '%2' has %3 elements, expected %4"),
                     {name(), excerpt(storage.key), std::to_string(count), std::to_string(storage.count)}});
    if (storage.count > (left - width) / storage.element_size)
        throw Error({ATTNLAB_TEXT("%1: is cut short: its storage '%2' should have %3 elements of %4 bytes, but only %5 "
                                  "bytes are left"),
                     {name(), excerpt(storage.key), std::to_string(storage.count), std::to_string(storage.element_size),
                      std::to_string(left - width)}});
    return {begin + width, storage.count * storage.element_size};
}

Extent LegacyTorchFile::storage(std::string_view key, const std::string& user) const {
    const auto found = storages_.find(key);
    if (found == storages_.end())
        throw Error({ATTNLAB_TEXT("%1: its numbers should be in the storage '%2', which is not in the file"),
                     {user, excerpt(key)}});
    return found->second;
}

/// Why a file with this beginning is in neither format. Empty where it may be a zip archive.
Message why_no_torch_archive(std::string_view beginning, const std::string& name) {
    if (beginning.starts_with("version ")) // a Git LFS pointer in place of a large file
        return {ATTNLAB_TEXT("%1: is not a file of torch.save, but may be a pointer to one; 'git lfs pull' fetches it"),
                {name}};
    if (has_pickle_signature(beginning))
        return {ATTNLAB_TEXT("%1: is a Python pickle without the zip archive that torch.save writes around it, and not "
                             "read; save it with torch.save"),
                {name}};
    if (!beginning.starts_with("PK"))
        return {ATTNLAB_TEXT("%1: is neither a zip archive of torch.save nor another file that is known here"), {name}};
    return {};
}

} // namespace

std::unique_ptr<const TorchContainer> open_torch(const ByteSource& bytes, const std::string& name,
                                                 const ReadLimits& limits) {
    constexpr std::int64_t beginning_size = 32;
    const auto beginning = bytes.text(0, std::min(bytes.size(), beginning_size));
    if (has_legacy_torch_signature(beginning))
        return std::make_unique<const LegacyTorchFile>(bytes, name, limits);
    if (const auto why = why_no_torch_archive(beginning, name); !why.empty())
        throw Error(why);
    return std::make_unique<const TorchArchive>(bytes, name, limits);
}

bool has_torch_pickle(const ByteSource& archive, const RunControl* control) {
    const auto members = zip_members(archive, most_zip_members, control);
    const auto name = members ? folder_of(*members) + "data.pkl" : std::string();
    return members &&
           std::any_of(members->begin(), members->end(), [&](const ZipMember& member) { return member.name == name; });
}

bool has_legacy_torch_signature(std::string_view beginning) {
    using namespace std::string_view_literals;
    if (!has_pickle_signature(beginning))
        return false;
    beginning.remove_prefix(2);
    constexpr std::size_t frame_size = 9; // from protocol 4 on: a hint for reading ahead
    if (beginning.starts_with('\x95'))
        beginning.remove_prefix(std::min(frame_size, beginning.size()));
    // PyTorch's magic number as an integer of ten bytes, and the end of the pickle.
    return beginning.starts_with("\x8a\x0al\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19."sv);
}

bool has_pickle_signature(std::string_view beginning) {
    return beginning.size() > 1 && beginning[0] == '\x80' && beginning[1] >= 2 && beginning[1] <= 5;
}

} // namespace attnlab::io
