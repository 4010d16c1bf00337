#include "core/io/npz.h"

#include "core/io/file_bytes.h"
#include "core/io/mapped_file.h"
#include "core/io/npy.h"
#include "core/io/zip_members.h"
#include "core/io/zip_output.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <set>

#include <zip.h>

namespace attnlab::io {
namespace {

constexpr std::string_view array_suffix = ".npy";
constexpr std::uint64_t npy_header_room = 1 << 17; ///< a header may make a member larger than its numbers
constexpr std::uint64_t largest_deflate_ratio = 1032;

struct ZipDiscard {
    void operator()(zip_t* zip) const { zip_discard(zip); }
};
using Zip = std::unique_ptr<zip_t, ZipDiscard>;

struct ZipFileClose {
    void operator()(zip_file_t* file) const { zip_fclose(file); }
};
using ZipFile = std::unique_ptr<zip_file_t, ZipFileClose>;

/// A zip_error_t that is released with its scope.
class ZipError {
public:
    ZipError() { zip_error_init(&error_); }
    ~ZipError() { zip_error_fini(&error_); }
    ZipError(const ZipError&) = delete;
    ZipError& operator=(const ZipError&) = delete;
    zip_error_t* get() { return &error_; }

private:
    zip_error_t error_;
};

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

/// A member that libzip asks for when it comes to it, so that one member at a time is in memory.
class MemberSource {
public:
    explicit MemberSource(std::function<std::string()> make) : make_(std::move(make)) {}

    /// libzip's callback; `self` is a MemberSource on the heap that ZIP_SOURCE_FREE deletes.
    static zip_int64_t handle(void* self, void* data, zip_uint64_t length, zip_source_cmd_t command) {
        auto& source = *static_cast<MemberSource*>(self);
        try {
            return source.answer(data, length, command);
        } catch (...) { // C code must not be unwound; making a member fails only for want of memory
            zip_error_set(source.error_.get(), ZIP_ER_MEMORY, 0);
            return -1;
        }
    }

private:
    zip_int64_t answer(void* data, zip_uint64_t length, zip_source_cmd_t command) {
        switch (command) {
        case ZIP_SOURCE_OPEN:
            fill();
            position_ = 0;
            return 0;
        case ZIP_SOURCE_READ: {
            const auto count = std::min<std::size_t>(length, bytes_.size() - position_);
            std::memcpy(data, bytes_.data() + position_, count);
            position_ += count;
            return static_cast<zip_int64_t>(count);
        }
        case ZIP_SOURCE_CLOSE:
            std::string().swap(bytes_);
            return 0;
        case ZIP_SOURCE_STAT: {
            if (!size_known_)
                fill();
            auto* stat = static_cast<zip_stat_t*>(data);
            zip_stat_init(stat);
            stat->size = size_;
            stat->valid = ZIP_STAT_SIZE;
            return sizeof(zip_stat_t);
        }
        case ZIP_SOURCE_ERROR:
            return zip_error_to_data(error_.get(), data, length);
        case ZIP_SOURCE_FREE:
            delete this;
            return 0;
        case ZIP_SOURCE_SUPPORTS:
            return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT,
                                                  ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, -1);
        default:
            zip_error_set(error_.get(), ZIP_ER_OPNOTSUPP, 0);
            return -1;
        }
    }

    void fill() {
        if (bytes_.empty())
            bytes_ = make_();
        size_ = bytes_.size();
        size_known_ = true;
    }

    std::function<std::string()> make_;
    std::string bytes_;
    std::size_t position_ = 0;
    std::uint64_t size_ = 0;
    bool size_known_ = false;
    ZipError error_;
};

void add_member(zip_t* zip, const std::string& name, std::function<std::string()> make,
                const std::filesystem::path& path) {
    // Level 1: matrices of floats hardly shrink further, however long one tries.
    constexpr zip_uint32_t level = 1;
    // 1 January 1980, the first day that zip knows: equal archives are equal files.
    constexpr zip_uint16_t date = 1 << 5 | 1;
    auto member = std::make_unique<MemberSource>(std::move(make));
    ZipError error;
    zip_source_t* source = zip_source_function_create(MemberSource::handle, member.get(), error.get());
    if (!source)
        throw std::bad_alloc();
    member.release();
    const auto index = zip_file_add(zip, name.c_str(), source, ZIP_FL_ENC_UTF_8);
    if (index < 0)
        zip_source_free(source);
    const auto added = static_cast<zip_uint64_t>(index);
    if (index < 0 || zip_set_file_compression(zip, added, ZIP_CM_DEFLATE, level) != 0 ||
        zip_file_set_dostime(zip, added, 0, date, 0) != 0)
        throw Error({ATTNLAB_TEXT("%1: member '%2' cannot be written: %3"), {path.string(), name, zip_strerror(zip)}});
}

void check_writable(const std::string& name, bool is_array, const std::filesystem::path& path) {
    const bool fits = !name.empty() && name.find('\0') == std::string::npos && (is_array || !name.ends_with('/'));
    if (!fits || (!is_array && name.ends_with(array_suffix)))
        throw Error({ATTNLAB_TEXT("%1: '%2' cannot be the name of a member"), {path.string(), name.c_str()}});
}

/// libzip does all its work in zip_close, and asks meanwhile whether to go on.
void follow(zip_t* zip, const RunControl& control) {
    auto* told = const_cast<RunControl*>(&control); // libzip hands it back as it is
    constexpr double each_thousandth = 0.001;
    zip_register_progress_callback_with_state(
        zip, each_thousandth,
        [](zip_t*, double fraction, void* state) { static_cast<const RunControl*>(state)->report(fraction); }, nullptr,
        told);
    zip_register_cancel_callback_with_state(
        zip,
        [](zip_t*, void* state) {
            const auto& cancelled = static_cast<const RunControl*>(state)->cancelled;
            return cancelled && cancelled() ? 1 : 0;
        },
        nullptr, told);
}

void write_members(std::ostream& file, const Archive& archive, const std::filesystem::path& path,
                   const RunControl& control) {
    ZipOutput output(file);
    ZipError error;
    zip_source_t* source = output.source();
    Zip zip(zip_open_from_source(source, ZIP_CREATE, error.get()));
    if (!zip) {
        zip_source_free(source);
        throw Error({ATTNLAB_TEXT("%1: cannot be written: %2"), {path.string(), zip_error_strerror(error.get())}});
    }
    for (const auto& [name, tensor] : archive.tensors) {
        check_writable(name, true, path);
        const auto* held = &tensor; // libzip reads it in zip_close, within this function
        add_member(
            zip.get(), name + std::string(array_suffix), [held] { return write_npy(*held); }, path);
    }
    for (const auto& [name, bytes] : archive.others) {
        check_writable(name, false, path);
        const auto* held = &bytes;
        add_member(
            zip.get(), name, [held] { return *held; }, path);
    }
    follow(zip.get(), control);
    if (zip_close(zip.get()) != 0) {
        control.checkpoint();
        output.rethrow();
        throw Error({ATTNLAB_TEXT("%1: cannot be written: %2"), {path.string(), zip_strerror(zip.get())}});
    }
    zip.release();
}

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

void write_npz(const std::filesystem::path& path, const Archive& archive, const RunControl& control) {
    if (archive.tensors.empty() && archive.others.empty()) { // libzip would leave no file
        write_file(path, std::string("PK\5\6", 4).append(18, '\0'), control);
        return;
    }
    const auto write = [&](std::ostream& file) { write_members(file, archive, path, control); };
    write_file(path, write, control);
}

} // namespace attnlab::io
