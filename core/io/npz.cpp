#include "core/io/npz.h"

#include "core/io/file_bytes.h"
#include "core/io/json.h"
#include "core/io/npy.h"
#include "core/io/zip_members.h"
#include "core/io/zip_output.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <set>

#include <unistd.h>
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

/// The open file itself: another may have taken its name.
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

/// Inflates the members of one archive, within the limits; large arrays that are stored as they are stay in `file`,
/// where there is one.
class ArchiveReader {
public:
    ArchiveReader(Zip zip, std::string name, std::uint64_t archive_bytes, const ReadLimits& limits,
                  std::shared_ptr<const InputFile> file = nullptr)
        : zip_(std::move(zip)), name_(std::move(name)), archive_bytes_(archive_bytes), limits_(limits),
          file_(std::move(file)) {}

    Archive read() {
        const auto members = declared_members();
        Archive archive;
        for (const auto& member : members) {
            const auto full_name = name_ + ": " + member.name;
            if (member.name.ends_with(array_suffix)) {
                auto tensor = read_array(member, full_name);
                if (tensor.in_memory())
                    use_up(tensor.size() * static_cast<std::int64_t>(sizeof(double)));
                archive.tensors.emplace(member.name.substr(0, member.name.size() - array_suffix.size()),
                                        std::move(tensor));
            } else if (member.name == workspace_member) {
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
    /// What the directory says of a member.
    struct Declared {
        zip_uint64_t index;
        std::string name;
        std::uint64_t size;
        std::uint64_t stored_size;
        bool stored;
    };

    void use_up(std::int64_t bytes) { limits_.max_bytes = std::max<std::int64_t>(0, limits_.max_bytes - bytes); }

    /// All of the directory, before anything is inflated.
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
            // Members that share their bytes would be inflated from next to nothing, over and over.
            together += members.back().stored_size;
            if (together > archive_bytes_)
                throw Error({ATTNLAB_TEXT("%1: its members are declared with %2 bytes or more in an archive of %3"),
                             {name_, std::to_string(together), std::to_string(archive_bytes_)}});
        }
        return members;
    }

    Tensor read_array(const Declared& member, const std::string& full_name) {
        if (file_ && member.stored && member.size >= static_cast<std::uint64_t>(limits_.map_from))
            if (const auto first = stored_member(*file_, member.name, member.size)) {
                // Its checksum is compared, a little at a time.
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
            const std::vector<std::string> holes{full_name, std::to_string(member.size), std::to_string(most)};
            if (member.stored || !is_array)
                throw Error({ATTNLAB_TEXT("%1: takes %2 bytes; at most %3 more may be read"), holes});
            throw Error({ATTNLAB_TEXT("%1: takes %2 bytes; at most %3 more may be read. Uncompressed (numpy.savez) it "
                                      "could stay in its file"),
                         holes});
        }
        std::string bytes(member.size, '\0');
        read_through(member, full_name, [&](std::uint64_t done) { return std::span(bytes).subspan(done); });
        return bytes;
    }

    /// Inflates all of a member, each piece into room_at(how much there was before it).
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
    const auto file = std::make_shared<const InputFile>(path);
    try {
        ZipError error;
        auto zip = open_for_reading(source_of(*file, error), path.string(), error);
        const auto size = static_cast<std::uint64_t>(file->size());
        auto archive = ArchiveReader(std::move(zip), path.string(), size, limits, file).read();
        file->check();
        return archive;
    } catch (const Error&) {
        file->check(); // what looks like damage may be a change meanwhile
        throw;
    }
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
