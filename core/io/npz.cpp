#include "core/io/npz.h"

#include "core/io/file_bytes.h"
#include "core/io/mapped_file.h"
#include "core/io/npy.h"
#include "core/io/zip_handles.h"
#include "core/io/zip_members.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <set>

namespace attnlab::io {
namespace {

constexpr std::string_view array_suffix = ".npy";
constexpr std::uint64_t npy_header_room = 1 << 17; ///< a header may make a member larger than its numbers
constexpr std::uint64_t largest_deflate_ratio = 1032;

[[noreturn]] void fail_to_open(const std::string& name, zip_error_t* error) {
    if (zip_error_code_zip(error) == ZIP_ER_NOZIP)
        throw Error(
            {ATTNLAB_TEXT("%1: is no zip archive, or one that is cut short: it has no directory at its end"), {name}});
    throw Error({ATTNLAB_TEXT("%1: cannot be read as a zip archive: %2"), {name, zip_error_strerror(error)}});
}

/// Takes the source, also when it throws.
Zip open_for_reading(zip_source_t* source, const std::string& name, ZipError& error) {
    zip_t* zip = source ? zip_open_from_source(source, ZIP_RDONLY, error.get()) : nullptr;
    if (!zip) {
        zip_source_free(source);
        fail_to_open(name, error.get());
    }
    return Zip(zip);
}

/// Inflates the members of one archive, within the limits; large arrays that are stored as they are stay in `path`,
/// where there is one.
class ArchiveReader {
public:
    ArchiveReader(Zip zip, std::string name, std::uint64_t archive_bytes, const ReadLimits& limits,
                  std::filesystem::path path = {})
        : zip_(std::move(zip)), name_(std::move(name)), archive_bytes_(archive_bytes), limits_(limits),
          path_(std::move(path)) {}

    Archive read() {
        Archive archive;
        std::set<std::string> seen;
        const auto count = zip_get_num_entries(zip_.get(), 0);
        for (zip_int64_t index = 0; index < count; ++index) {
            const auto member = static_cast<zip_uint64_t>(index);
            const char* raw_name = zip_get_name(zip_.get(), member, 0);
            if (!raw_name)
                throw Error({ATTNLAB_TEXT("%1: a member's name cannot be read"), {name_}});
            const std::string member_name = raw_name;
            const auto full_name = name_ + ": " + member_name;
            if (!seen.insert(member_name).second)
                throw Error({ATTNLAB_TEXT("%1: is there twice, expected one member of each name"), {full_name}});
            const auto declared = checked(member, member_name, full_name);
            if (member_name.ends_with(array_suffix)) {
                auto tensor = read_array(member, declared, member_name, full_name);
                if (tensor.in_memory())
                    use_up(tensor.size() * static_cast<std::int64_t>(sizeof(double)));
                archive.tensors.emplace(member_name.substr(0, member_name.size() - array_suffix.size()),
                                        std::move(tensor));
                continue;
            }
            auto bytes = read_member(member, declared, full_name);
            use_up(static_cast<std::int64_t>(bytes.size()));
            archive.others.emplace(member_name, std::move(bytes));
        }
        return archive;
    }

private:
    /// What the directory says of a member.
    struct Declared {
        std::uint64_t size;
        bool stored;
    };

    void use_up(std::int64_t bytes) { limits_.max_bytes = std::max<std::int64_t>(0, limits_.max_bytes - bytes); }

    Tensor read_array(zip_uint64_t index, const Declared& declared, const std::string& member_name,
                      const std::string& full_name) {
        if (!path_.empty() && declared.stored && declared.size >= static_cast<std::uint64_t>(limits_.map_from)) {
            if (!file_)
                file_ = std::make_shared<const MappedFile>(path_);
            if (const auto first = stored_member(file_->bytes(), member_name, declared.size)) {
                // Its checksum is compared, a little at a time.
                std::vector<char> piece(1 << 16);
                read_through(index, declared.size, full_name, [&](std::uint64_t) { return std::span(piece); });
                return read_npy(file_, *first, declared.size, full_name, limits_);
            }
        }
        const auto bytes = read_member(index, declared, full_name);
        return read_npy(std::as_bytes(std::span(bytes)), full_name, limits_);
    }

    std::string read_member(zip_uint64_t index, const Declared& declared, const std::string& full_name) {
        const auto most = static_cast<std::uint64_t>(limits_.max_bytes) + npy_header_room;
        if (declared.size > most) {
            const std::vector<std::string> holes{full_name, std::to_string(declared.size), std::to_string(most)};
            if (declared.stored)
                throw Error({ATTNLAB_TEXT("%1: takes %2 bytes; at most %3 more may be read"), holes});
            throw Error({ATTNLAB_TEXT("%1: takes %2 bytes; at most %3 more may be read. Uncompressed (numpy.savez) it "
                                      "could stay in its file"),
                         holes});
        }
        std::string bytes(declared.size, '\0');
        read_through(index, declared.size, full_name,
                     [&](std::uint64_t done) { return std::span(bytes).subspan(done); });
        return bytes;
    }

    /// Inflates all of a member, each piece into room_at(how much there was before it).
    void read_through(zip_uint64_t index, std::uint64_t size, const std::string& full_name,
                      const std::function<std::span<char>(std::uint64_t)>& room_at) {
        const ZipFile file(zip_fopen_index(zip_.get(), index, 0));
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
        // The checksum is compared when the end is met, so ask for one byte more.
        char beyond = 0;
        const auto extra = zip_fread(file.get(), &beyond, 1);
        if (extra < 0)
            fail_to_inflate(full_name, file.get());
        if (extra > 0)
            throw Error({ATTNLAB_TEXT("%1: inflates to more than the %2 bytes that the archive declares"),
                         {full_name, std::to_string(size)}});
    }

    /// Once all that the directory says about the member is plausible.
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
        return {stat.size, stored};
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
    std::filesystem::path path_;
    std::shared_ptr<const MappedFile> file_;
};

} // namespace

Archive read_npz(const std::filesystem::path& path, const ReadLimits& limits) {
    const auto size = file_size_of(path);
    ZipError error;
    auto* source = zip_source_file_create(path.c_str(), 0, 0, error.get());
    auto zip = open_for_reading(source, path.string(), error);
    return ArchiveReader(std::move(zip), path.string(), static_cast<std::uint64_t>(size), limits, path).read();
}

Archive read_npz(std::span<const std::byte> bytes, std::string_view name, const ReadLimits& limits) {
    if (bytes.empty())
        throw Error({ATTNLAB_TEXT("%1: is empty"), {std::string(name)}});
    ZipError error;
    auto* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, error.get());
    auto zip = open_for_reading(source, std::string(name), error);
    return ArchiveReader(std::move(zip), std::string(name), bytes.size(), limits).read();
}

} // namespace attnlab::io
