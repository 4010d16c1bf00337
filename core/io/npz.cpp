#include "core/io/npz.h"

#include "core/io/elements.h"
#include "core/io/file_bytes.h"
#include "core/io/json.h"
#include "core/io/npy.h"
#include "core/io/zip_handles.h"
#include "core/io/zip_members.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <set>

#include <unistd.h>

namespace attnlab::io {
namespace {

constexpr std::uint64_t npy_header_room = 1 << 17; ///< a member may be larger than its numbers by its header
constexpr std::uint64_t largest_deflate_ratio = 1032;

[[noreturn]] void fail_to_open(const std::string& name, zip_error_t* error) {
    if (zip_error_code_zip(error) == ZIP_ER_NOZIP)
        throw Error(
            {ATTNLAB_TEXT("%1: is no zip archive, or one that is cut short: it has no directory at its end"), {name}});
    throw Error({ATTNLAB_TEXT("%1: cannot be read as a zip archive: %2"), {name, zip_error_strerror(error)}});
}

/// Takes ownership of the source, also when it throws.
Zip open_for_reading(zip_source_t* source, const std::string& name, ZipError& error) {
    zip_t* zip = source ? zip_open_from_source(source, ZIP_RDONLY, error.get()) : nullptr;
    if (!zip) {
        zip_source_free(source);
        fail_to_open(name, error.get());
    }
    return Zip(zip);
}

/// From the open file: its path may refer to another file by now.
zip_source_t* source_of(const InputFile& file, ZipError& error) {
    const int descriptor = file.duplicate();
    std::FILE* stream = descriptor < 0 ? nullptr : ::fdopen(descriptor, "rb");
    if (!stream) {
        zip_error_set(error.get(), ZIP_ER_OPEN, errno);
        if (descriptor >= 0)
            ::close(descriptor);
        return nullptr;
    }
    auto* source = zip_source_filep_create(stream, 0, 0, error.get());
    if (!source)
        std::fclose(stream);
    return source;
}

/// Inflates the members of one archive, within the limits; large uncompressed arrays stay in `file`, if given.
class ArchiveReader {
public:
    ArchiveReader(Zip zip, std::string name, std::uint64_t archive_bytes, const ReadLimits& limits,
                  std::shared_ptr<const InputFile> file = nullptr)
        : zip_(std::move(zip)), name_(std::move(name)), archive_bytes_(archive_bytes), limits_(limits),
          file_(std::move(file)) {}

    Archive read(Members asked, OtherTypes other_types) {
        const auto members = declared_members();
        Archive archive;
        for (const auto& member : members) {
            const auto full_name = name_ + ": " + member.name;
            if (member.name.ends_with(array_suffix)) {
                if (asked == Members::WorkspaceAlone)
                    continue;
                const auto name = member.name.substr(0, member.name.size() - array_suffix.size());
                try {
                    auto tensor = read_array(member, full_name);
                    if (tensor.in_memory())
                        use_up(tensor.size() * static_cast<std::int64_t>(sizeof(double)));
                    archive.tensors.emplace(name, std::move(tensor));
                } catch (const UnreadableType& error) {
                    if (other_types == OtherTypes::Refuse)
                        throw;
                    name_other_type(member, name, full_name, error, archive);
                }
            } else if (member.name == workspace_member || asked == Members::All) {
                auto bytes = read_member(member, full_name);
                use_up(static_cast<std::int64_t>(bytes.size()));
                archive.others.emplace(member.name, std::move(bytes));
            } else {
                archive.unread.push_back(member.name);
            }
        }
        return archive;
    }

private:
    /// The directory entry of a member.
    struct Declared {
        zip_uint64_t index;
        std::string name;
        std::uint64_t size;
        std::uint64_t stored_size;
        bool stored;
    };

    void use_up(std::int64_t bytes) { limits_.max_bytes = std::max<std::int64_t>(0, limits_.max_bytes - bytes); }

    /// The whole directory, before anything is inflated.
    std::vector<Declared> declared_members() const {
        std::vector<Declared> members;
        std::set<std::string> seen;
        std::uint64_t together = 0;
        const auto count = zip_get_num_entries(zip_.get(), 0);
        for (zip_int64_t index = 0; index < count; ++index) {
            const char* name = zip_get_name(zip_.get(), static_cast<zip_uint64_t>(index), 0);
            if (!name)
                throw Error({ATTNLAB_TEXT("%1: a member's name cannot be read"), {name_}});
            const auto full_name = name_ + ": " + name;
            if (!seen.insert(name).second)
                throw Error({ATTNLAB_TEXT("%1: is there twice, expected one member of each name"), {full_name}});
            members.push_back(checked(static_cast<zip_uint64_t>(index), name, full_name));
            // Overlapping members could be inflated from little data again and again.
            together += members.back().stored_size;
            if (together > archive_bytes_)
                throw Error({ATTNLAB_TEXT("%1: its members are declared with %2 bytes or more in an archive of %3"),
                             {name_, std::to_string(together), std::to_string(archive_bytes_)}});
        }
        return members;
    }

    void name_other_type(const Declared& member, const std::string& name, const std::string& full_name,
                         const UnreadableType& error, Archive& archive) {
        if (!error.is_text()) {
            archive.refused.emplace(name, error.message());
            return;
        }
        const auto bytes = read_member(member, full_name);
        try {
            auto labels = read_npy_texts(std::as_bytes(std::span(bytes)), full_name);
            use_up(static_cast<std::int64_t>(bytes.size()));
            archive.labels.emplace(name, std::move(labels));
        } catch (const UnreadableType& of_texts) {
            archive.refused.emplace(name, of_texts.message());
        }
    }

    Tensor read_array(const Declared& member, const std::string& full_name) {
        if (file_ && member.stored && member.size >= static_cast<std::uint64_t>(limits_.map_from))
            if (const auto first = stored_member(*file_, member.name, member.size)) {
                // Compares its checksum, in pieces.
                std::vector<char> piece(1 << 16);
                read_through(member, full_name, [&](std::uint64_t) { return std::span(piece); });
                return read_npy(file_, *first, static_cast<std::int64_t>(member.size), full_name, limits_);
            }
        const auto bytes = read_member(member, full_name);
        return read_npy(std::as_bytes(std::span(bytes)), full_name, limits_);
    }

    std::string read_member(const Declared& member, const std::string& full_name) {
        const bool is_array = member.name != workspace_member;
        const auto most = is_array ? static_cast<std::uint64_t>(limits_.max_bytes) + npy_header_room
                                   : static_cast<std::uint64_t>(JsonLimits{}.max_bytes);
        if (member.size > most) {
            const std::vector<Argument> holes{full_name, std::to_string(member.size), std::to_string(most)};
            if (member.stored || !member.name.ends_with(array_suffix))
                throw Error({ATTNLAB_TEXT("%1: takes %2 bytes; at most %3 more may be read"), holes});
            throw Error({ATTNLAB_TEXT("%1: takes %2 bytes; at most %3 more may be read. Uncompressed (numpy.savez) it "
                                      "could stay in its file"),
                         holes});
        }
        std::string bytes(member.size, '\0');
        read_through(member, full_name, [&](std::uint64_t done) { return std::span(bytes).subspan(done); });
        return bytes;
    }

    /// Inflates a whole member, each piece into room_at(bytes so far).
    void read_through(const Declared& member, const std::string& full_name,
                      const std::function<std::span<char>(std::uint64_t)>& room_at) {
        const auto size = member.size;
        const ZipFile file(zip_fopen_index(zip_.get(), member.index, 0));
        if (!file)
            throw Error({ATTNLAB_TEXT("%1: cannot be read: %2"), {full_name, zip_strerror(zip_.get())}});
        std::uint64_t done = 0;
        while (done < size) {
            const auto room = room_at(done);
            const auto got = zip_fread(file.get(), room.data(), std::min<std::uint64_t>(room.size(), size - done));
            if (got < 0)
                fail_to_inflate(full_name, file.get());
            if (got == 0)
                throw Error({ATTNLAB_TEXT("%1: ends after %2 bytes, expected %3"),
                             {full_name, std::to_string(done), std::to_string(size)}});
            done += static_cast<std::uint64_t>(got);
        }
        // The checksum is compared at the end, so read one byte more.
        char beyond = 0;
        const auto extra = zip_fread(file.get(), &beyond, 1);
        if (extra < 0)
            fail_to_inflate(full_name, file.get());
        if (extra > 0)
            throw Error({ATTNLAB_TEXT("%1: inflates to more than the %2 bytes that the archive declares"),
                         {full_name, std::to_string(size)}});
    }

    /// The directory entry, after checking that it is plausible.
    Declared checked(zip_uint64_t index, const std::string& member_name, const std::string& full_name) const {
        zip_stat_t stat;
        zip_stat_init(&stat);
        constexpr auto wanted = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
        if (zip_stat_index(zip_.get(), index, 0, &stat) != 0 || (stat.valid & wanted) != wanted)
            throw Error({ATTNLAB_TEXT("%1: the archive does not say how large it is"), {full_name}});
        if (member_name.ends_with('/'))
            throw Error({ATTNLAB_TEXT("%1: is a folder, expected arrays (.npy)"), {full_name}});
        if (member_name.empty() || member_name == array_suffix)
            throw Error({ATTNLAB_TEXT("%1: is a member without a name"), {full_name}});
        if (stat.encryption_method != ZIP_EM_NONE)
            throw Error({ATTNLAB_TEXT("%1: is encrypted, expected a plain member"), {full_name}});
        const bool stored = stat.comp_method == ZIP_CM_STORE;
        if (!stored && stat.comp_method != ZIP_CM_DEFLATE)
            throw Error({ATTNLAB_TEXT("%1: is compressed by method %2, expected stored (0) or deflated (8)"),
                         {full_name, std::to_string(stat.comp_method)}});
        if (stat.comp_size > archive_bytes_)
            throw Error({ATTNLAB_TEXT("%1: is declared with %2 bytes in an archive of %3"),
                         {full_name, std::to_string(stat.comp_size), std::to_string(archive_bytes_)}});
        if (stored ? stat.size != stat.comp_size : stat.size / largest_deflate_ratio > stat.comp_size)
            throw Error({ATTNLAB_TEXT("%1: is declared to inflate from %2 to %3 bytes, which cannot be"),
                         {full_name, std::to_string(stat.comp_size), std::to_string(stat.size)}});
        return {index, member_name, stat.size, stat.comp_size, stored};
    }

    [[noreturn]] static void fail_to_inflate(const std::string& full_name, zip_file_t* file) {
        zip_error_t* error = zip_file_get_error(file);
        if (zip_error_code_zip(error) == ZIP_ER_CRC)
            throw Error({ATTNLAB_TEXT("%1: is damaged: its checksum does not match"), {full_name}});
        throw Error({ATTNLAB_TEXT("%1: is damaged: %2"), {full_name, zip_error_strerror(error)}});
    }

    Zip zip_;
    std::string name_;
    std::uint64_t archive_bytes_;
    ReadLimits limits_;
    std::shared_ptr<const InputFile> file_;
};

} // namespace

Archive read_npz(const std::filesystem::path& path, const ReadLimits& limits, Members members, OtherTypes other_types) {
    const auto file = std::make_shared<const InputFile>(path);
    try {
        ZipError error;
        auto zip = open_for_reading(source_of(*file, error), path.string(), error);
        const auto size = static_cast<std::uint64_t>(file->size());
        auto archive = ArchiveReader(std::move(zip), path.string(), size, limits, file).read(members, other_types);
        file->check();
        return archive;
    } catch (const Error&) {
        file->check(); // what looks like damage may be a concurrent change
        throw;
    }
}

Archive read_npz(std::span<const std::byte> bytes, std::string_view name, const ReadLimits& limits,
                 OtherTypes other_types) {
    if (bytes.empty())
        throw Error({ATTNLAB_TEXT("%1: is empty"), {std::string(name)}});
    ZipError error;
    auto* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, error.get());
    auto zip = open_for_reading(source, std::string(name), error);
    return ArchiveReader(std::move(zip), std::string(name), bytes.size(), limits).read(Members::Workspace, other_types);
}

} // namespace attnlab::io
