#include "core/io/npz.h"

#include "core/io/elements.h"
#include "core/io/file_bytes.h"
#include "core/io/file_numbers.h"
#include "core/io/json.h"
#include "core/io/npy.h"
#include "core/io/zip_archive.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <ostream>
#include <set>
#include <utility>

namespace attnlab::io {
namespace {

constexpr std::uint64_t npy_header_room = 1 << 17; ///< a member may be larger than its numbers by its header
constexpr std::uint64_t largest_deflate_ratio = 1032;

[[noreturn]] void fail_to_open(const std::string& name, zip_error_t* error) {
    if (zip_error_code_zip(error) == ZIP_ER_NOZIP)
        throw Error({ATTNLAB_TEXT("%1: is not a zip archive, or was cut off: it has no directory at its end"), {name}});
    throw Error({ATTNLAB_TEXT("%1: cannot be read as a zip archive: %2"), {name, zip_error_strerror(error)}});
}

/// Shared by what is read later.
class OpenArchive {
public:
    /// `source` may be null, otherwise it is what `from` reads. Throws Error; Cancelled where `control` is.
    OpenArchive(std::shared_ptr<const ByteSource> from, std::string named, std::shared_ptr<const InputFile> source,
                const RunControl* control)
        : name(std::move(named)), bytes(static_cast<std::uint64_t>(from->size())), file(std::move(source)),
          from_(std::move(from)), input_(*from_, control), zip_(opened(control)) {}

    zip_t* zip() const { return zip_.get(); }
    /// What looks like damage may be a concurrent change, or a read that was cancelled.
    void check_input() {
        input_.rethrow();
        if (file)
            file->check();
    }

    const std::string name;
    const std::uint64_t bytes;
    const std::shared_ptr<const InputFile> file; ///< null for an archive in memory
    std::mutex mutex;                            ///< libzip's handles are for one thread at a time

private:
    Zip opened(const RunControl* control) {
        // Before libzip, which cannot be stopped while it builds its tables.
        if (has_more_members(*from_, most_zip_members, control))
            throw Error({ATTNLAB_TEXT("%1: holds more than %2 members"), {name, std::to_string(most_zip_members)}});
        ZipError error;
        auto* source = input_.source();
        zip_t* zip = zip_open_from_source(source, ZIP_RDONLY, error.get());
        if (!zip) {
            zip_source_free(source);
            input_.rethrow();
            fail_to_open(name, error.get());
        }
        return Zip(zip);
    }

    std::shared_ptr<const ByteSource> from_;
    ZipInput input_;
    Zip zip_; ///< reads through input_
};

/// The directory entry of a member.
struct Declared {
    zip_uint64_t index;
    std::string name;
    std::string full_name; ///< with the archive, for messages
    std::uint64_t size;
    std::uint64_t stored_size;
    bool stored;
};

/// The bytes of a member, inflated from front to back in pieces; reading further back begins anew.
class InflatedBytes : public ByteSource {
public:
    InflatedBytes(std::shared_ptr<OpenArchive> archive, const Declared& member, const RunControl* control)
        : archive_(std::move(archive)), index_(member.index), name_(member.full_name), size_(member.size),
          control_(control) {}
    ~InflatedBytes() override {
        const std::lock_guard lock(archive_->mutex);
        stream_.reset();
    }
    InflatedBytes(const InflatedBytes&) = delete;
    InflatedBytes& operator=(const InflatedBytes&) = delete;

    std::int64_t size() const override { return static_cast<std::int64_t>(size_); }

    void read(std::int64_t offset, std::span<std::byte> bytes) const override {
        const std::lock_guard lock(archive_->mutex);
        const auto first = static_cast<std::uint64_t>(offset);
        if (!stream_ || first < done_)
            begin();
        skip(first);
        while (!bytes.empty())
            bytes = bytes.subspan(inflate(bytes));
        archive_->check_input();
    }

    /// Closes what is not needed for a while.
    void rest() const {
        const std::lock_guard lock(archive_->mutex);
        stream_.reset();
    }

    /// Inflates what is left, and no byte more than the archive declares.
    void verify() const override {
        const std::lock_guard lock(archive_->mutex);
        if (!stream_)
            begin();
        skip(size_);
        // The checksum is compared at the end, so read one byte more.
        char beyond = 0;
        const auto extra = zip_fread(stream_.get(), &beyond, 1);
        if (extra < 0)
            fail_to_inflate();
        if (extra > 0)
            throw Error({ATTNLAB_TEXT("%1: inflates to more than the %2 bytes that the archive declares"),
                         {name_, std::to_string(size_)}});
        stream_.reset();
    }

private:
    void begin() const {
        stream_.reset(zip_fopen_index(archive_->zip(), index_, 0));
        done_ = 0;
        if (!stream_) {
            archive_->check_input();
            throw Error({ATTNLAB_TEXT("%1: cannot be read: %2"), {name_, zip_strerror(archive_->zip())}});
        }
    }

    void skip(std::uint64_t to) const {
        std::vector<std::byte> unused(static_cast<std::size_t>(std::min<std::uint64_t>(to - done_, 1 << 16)));
        while (done_ < to)
            inflate(std::span(unused).first(std::min<std::uint64_t>(unused.size(), to - done_)));
    }

    std::size_t inflate(std::span<std::byte> bytes) const {
        constexpr std::size_t at_once = 1 << 20;
        if (control_)
            control_->checkpoint();
        const auto got = zip_fread(stream_.get(), bytes.data(), std::min(bytes.size(), at_once));
        if (got < 0)
            fail_to_inflate();
        if (got == 0)
            archive_->check_input();
        if (got == 0)
            throw Error({ATTNLAB_TEXT("%1: ends after %2 bytes, expected %3"),
                         {name_, std::to_string(done_), std::to_string(size_)}});
        done_ += static_cast<std::uint64_t>(got);
        return static_cast<std::size_t>(got);
    }

    [[noreturn]] void fail_to_inflate() const {
        archive_->check_input();
        zip_error_t* error = zip_file_get_error(stream_.get());
        if (zip_error_code_zip(error) == ZIP_ER_CRC)
            throw Error({ATTNLAB_TEXT("%1: is damaged: its checksum does not match"), {name_}});
        throw Error({ATTNLAB_TEXT("%1: is damaged: %2"), {name_, zip_error_strerror(error)}});
    }

    const std::shared_ptr<OpenArchive> archive_;
    const zip_uint64_t index_;
    const std::string name_;
    const std::uint64_t size_;
    const RunControl* const control_; ///< polled; may be null
    mutable ZipFile stream_;
    mutable std::uint64_t done_ = 0; ///< bytes that stream_ has given
};

/// Reads an archive: first the directory and the headers of the arrays, which say what all of it will take in memory,
/// and then, within the limits, the rest.
class ArchiveReader {
public:
    ArchiveReader(std::shared_ptr<OpenArchive> archive, const ReadLimits& limits)
        : archive_(std::move(archive)), limits_(limits) {}

    Archive read(Members asked, OtherTypes other_types) {
        Archive result;
        std::vector<const Declared*> texts, others;
        const auto members = declared_members();
        for (const auto& member : members) {
            limits_.checkpoint();
            if (member.name.ends_with(array_suffix)) {
                if (asked == Members::WorkspaceAlone)
                    continue;
                try {
                    result.tensors.emplace(array_name(member), described(member));
                } catch (const UnreadableType& error) {
                    const auto name = array_name(member);
                    const bool is_labels = error.is_text() && (name == "query_tokens" || name == "key_tokens");
                    if (other_types == OtherTypes::Refuse && !is_labels)
                        throw;
                    if (error.is_text())
                        texts.push_back(&member);
                    else
                        result.refused.emplace(name, error.message());
                }
            } else if (member.name == workspace_member || asked == Members::All) {
                require_size(member, static_cast<std::uint64_t>(JsonLimits{}.max_bytes), false);
                others.push_back(&member);
            } else {
                result.unread.push_back(member.name);
            }
        }
        std::vector<Tensor*> arrays;
        for (auto& [name, tensor] : result.tensors)
            arrays.push_back(&tensor);
        require_memory(arrays, texts, others);
        for (const auto* member : texts)
            read_texts(*member, result);
        for (const auto* member : others)
            result.others.emplace(member->name, bytes_of(*member));
        if (!limits_.defer)
            load(arrays, limits_.control);
        return result;
    }

private:
    static std::string array_name(const Declared& member) {
        return member.name.substr(0, member.name.size() - array_suffix.size());
    }

    /// The whole directory, before anything is inflated.
    std::vector<Declared> declared_members() const {
        std::vector<Declared> members;
        std::set<std::string> seen;
        std::uint64_t together = 0;
        const auto count = zip_get_num_entries(archive_->zip(), 0);
        for (zip_int64_t index = 0; index < count; ++index) {
            limits_.checkpoint();
            const char* name = zip_get_name(archive_->zip(), static_cast<zip_uint64_t>(index), 0);
            if (!name)
                throw Error({ATTNLAB_TEXT("%1: a member's name cannot be read"), {archive_->name}});
            check_name(name, archive_->name);
            const auto full_name = archive_->name + ": " + name;
            if (!seen.insert(name).second)
                throw Error({ATTNLAB_TEXT("%1: is there twice, expected one member of each name"), {full_name}});
            members.push_back(checked(static_cast<zip_uint64_t>(index), name, full_name));
            // Overlapping members could be inflated from little data again and again.
            together += members.back().stored_size;
            if (together > archive_->bytes)
                throw Error({ATTNLAB_TEXT("%1: its members are declared with %2 bytes or more in an archive of %3"),
                             {archive_->name, std::to_string(together), std::to_string(archive_->bytes)}});
        }
        return members;
    }

    /// Throws where all that will be read takes more memory than there is. Callers that defer add up arrays themselves.
    void require_memory(std::span<Tensor* const> arrays, const std::vector<const Declared*>& texts,
                        const std::vector<const Declared*>& others) const {
        std::int64_t bytes = 0; // no overflow: each is within the archive's size and what deflate can do
        for (const auto* member : texts)
            bytes += 2 * static_cast<std::int64_t>(member->size); // as bytes and as labels
        for (const auto* member : others)
            bytes += static_cast<std::int64_t>(member->size);
        ArraysInMemory(limits_.defer ? std::span<Tensor* const>() : arrays).require(limits_, archive_->name, bytes);
    }

    void read_texts(const Declared& member, Archive& result) const {
        const auto bytes = bytes_of(member);
        try {
            result.labels.emplace(array_name(member),
                                  read_npy_texts(std::as_bytes(std::span(bytes)), member.full_name, limits_));
        } catch (const UnreadableType& of_texts) {
            result.refused.emplace(array_name(member), of_texts.message());
        }
    }

    /// The array, deferred.
    Tensor described(const Declared& member) const {
        auto within = limits_;
        within.defer = true;
        if (auto left = left_in_file(member, within))
            return *std::move(left);
        if (!limits_.defer)
            require_size(member, static_cast<std::uint64_t>(limits_.max_bytes) + npy_header_room, !member.stored);
        auto tensor = inflated_later(member, within);
        if (!limits_.defer)
            checked_count(tensor.shape(), member.full_name, limits_);
        return tensor;
    }

    Tensor inflated_later(const Declared& member, const ReadLimits& within) const {
        const auto bytes = std::make_shared<const InflatedBytes>(archive_, member, limits_.control);
        try {
            auto tensor = read_npy(std::shared_ptr<const ByteSource>(bytes), member.full_name, within);
            bytes->rest();
            return tensor;
        } catch (const UnreadableType&) {
            throw;
        } catch (const Error&) {
            bytes->verify(); // what is refused may be damaged
            throw;
        }
    }

    /// A large uncompressed array, which stays in the file once its checksum is compared; nullopt for others.
    std::optional<Tensor> left_in_file(const Declared& member, const ReadLimits& within) const {
        const auto& file = archive_->file;
        if (!file || !member.stored || member.size < static_cast<std::uint64_t>(limits_.map_from))
            return std::nullopt;
        const auto first = stored_member(*file, member.name, member.size, limits_.control);
        if (!first)
            return std::nullopt;
        auto tensor = read_npy(file, *first, static_cast<std::int64_t>(member.size), member.full_name, within);
        if (deferred_in(tensor)) // in memory, after all
            return std::nullopt;
        return deferred(tensor.shape(), tensor.dtype(),
                        {.load =
                             [tensor, archive = archive_, member, control = limits_.control] {
                                 InflatedBytes(archive, member, control).verify();
                                 return tensor;
                             },
                         .read = [tensor](std::int64_t from, std::span<double> values) { tensor.read(from, values); }});
    }

    void require_size(const Declared& member, std::uint64_t most, bool could_stay) const {
        if (member.size <= most)
            return;
        const std::vector<Argument> holes{member.full_name, std::to_string(member.size), std::to_string(most)};
        if (!could_stay)
            throw Error({ATTNLAB_TEXT("%1: takes %2 bytes; at most %3 more may be read"), holes});
        throw Error({ATTNLAB_TEXT("%1: takes %2 bytes; at most %3 more may be read. Uncompressed (numpy.savez) it "
                                  "could stay in its file"),
                     holes});
    }

    std::string bytes_of(const Declared& member) const {
        const InflatedBytes bytes(archive_, member, limits_.control);
        auto text = bytes.text(0, bytes.size(), limits_.control);
        bytes.verify();
        return text;
    }

    /// The directory entry, after checking that it is plausible.
    Declared checked(zip_uint64_t index, const std::string& member_name, const std::string& full_name) const {
        zip_stat_t stat;
        zip_stat_init(&stat);
        constexpr auto wanted = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
        if (zip_stat_index(archive_->zip(), index, 0, &stat) != 0 || (stat.valid & wanted) != wanted)
            throw Error({ATTNLAB_TEXT("%1: the archive does not give its size"), {full_name}});
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
        if (stat.comp_size > archive_->bytes)
            throw Error({ATTNLAB_TEXT("%1: is declared with %2 bytes in an archive of %3"),
                         {full_name, std::to_string(stat.comp_size), std::to_string(archive_->bytes)}});
        if (stored ? stat.size != stat.comp_size : stat.size / largest_deflate_ratio > stat.comp_size)
            throw Error({ATTNLAB_TEXT("%1: is declared to inflate from %2 to %3 bytes, which cannot be"),
                         {full_name, std::to_string(stat.comp_size), std::to_string(stat.size)}});
        return {index, member_name, full_name, stat.size, stat.comp_size, stored};
    }

    std::shared_ptr<OpenArchive> archive_;
    const ReadLimits& limits_;
};

} // namespace

Archive read_npz(const std::filesystem::path& path, const ReadLimits& limits, Members members, OtherTypes other_types) {
    const auto file = std::make_shared<const InputFile>(path);
    try {
        const auto open = std::make_shared<OpenArchive>(file, path.string(), file, limits.control);
        auto archive = ArchiveReader(open, limits).read(members, other_types);
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
    auto now = limits;
    now.defer = false; // the bytes are the caller's
    const auto open = std::make_shared<OpenArchive>(std::make_shared<const MemoryBytes>(bytes), std::string(name),
                                                    nullptr, limits.control);
    return ArchiveReader(open, now).read(Members::Workspace, other_types);
}

// Implements the part of npz.h about writing.

namespace {

/// The code points of UTF-8 text; bytes that are none become U+FFFD.
std::u32string npy_code_points(std::string_view text) {
    std::u32string points;
    for (std::size_t at = 0; at < text.size();) {
        const auto first = static_cast<unsigned char>(text[at]);
        const std::size_t length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 0;
        char32_t point = length == 0 ? U'\ufffd' : length == 1 ? first : first & (0x7fU >> length);
        bool whole = length > 0 && at + length <= text.size();
        for (std::size_t i = 1; whole && i < length; ++i) {
            const auto next = static_cast<unsigned char>(text[at + i]);
            whole = (next & 0xc0U) == 0x80U;
            point = point << 6 | (next & 0x3fU);
        }
        points += whole ? point : U'\ufffd';
        at += whole ? length : 1;
    }
    return points;
}

/// The texts as an array of NumPy's type '<U'.
std::string npy_of_texts(const std::vector<std::string>& texts) {
    std::vector<std::u32string> letters;
    std::size_t longest = 1;
    for (const auto& text : texts) {
        letters.push_back(npy_code_points(text));
        longest = std::max(longest, letters.back().size());
    }
    std::string header = "{'descr': '<U" + std::to_string(longest) + "', 'fortran_order': False, 'shape': (" +
                         std::to_string(texts.size()) + ",), }";
    constexpr std::size_t before = 10, alignment = 64;
    header.append(alignment - 1 - (before + header.size()) % alignment, ' ');
    header += '\n';
    std::string bytes = "\x93NUMPY";
    bytes += '\1';
    bytes += '\0';
    bytes += static_cast<char>(header.size() & 0xff);
    bytes += static_cast<char>(header.size() >> 8 & 0xff);
    bytes += header;
    for (const auto& text : letters)
        for (std::size_t i = 0; i < longest; ++i) {
            const char32_t point = i < text.size() ? text[i] : U'\0';
            for (int shift = 0; shift < 32; shift += 8)
                bytes += static_cast<char>(point >> shift & 0xffU);
        }
    return bytes;
}

/// The bytes of a member, in pieces.
struct MemberBytes {
    std::int64_t size;
    std::function<void()> rewind;
    std::function<bool(std::string& bytes)> next; ///< false at the end
};

MemberBytes bytes_of(const Tensor& tensor) {
    auto pieces = std::make_shared<NpyPieces>(tensor);
    return {pieces->size(), [pieces] { pieces->rewind(); },
            [pieces](std::string& bytes) { return pieces->next(bytes); }};
}

MemberBytes bytes_of(const std::string& text) {
    auto done = std::make_shared<bool>(false);
    return {std::ssize(text), [done] { *done = false; },
            [done, &text](std::string& bytes) {
                bytes = text;
                return !std::exchange(*done, true);
            }};
}

void check_writable(const std::string& name, bool is_array, const std::filesystem::path& path) {
    const bool fits = !name.empty() && name.find('\0') == std::string::npos && (is_array || !name.ends_with('/'));
    if (!fits || (!is_array && name.ends_with(array_suffix)))
        throw Error({ATTNLAB_TEXT("%1: '%2' cannot be the name of a member"),
                     {path.string(), name.c_str()}}); // NOLINT(readability-redundant-string-cstr): up to a NUL
}

/// The progress of an archive, in uncompressed bytes of its members.
struct Writing {
    const RunControl& control;
    std::int64_t size = 0, done = 0;
    std::exception_ptr failure = nullptr; ///< C code must not be unwound: it is stored here

    void advance(std::size_t bytes) {
        control.checkpoint();
        done += static_cast<std::int64_t>(bytes);
        control.report(static_cast<double>(done) / static_cast<double>(size));
    }
};

/// A member that libzip reads when it reaches it, so that little of it is in memory.
class MemberSource {
public:
    MemberSource(MemberBytes member, Writing& writing) : member_(std::move(member)), writing_(writing) {}

    /// libzip's callback; `self` is a MemberSource on the heap that ZIP_SOURCE_FREE deletes.
    static zip_int64_t handle(void* self, void* data, zip_uint64_t length, zip_source_cmd_t command) {
        auto& source = *static_cast<MemberSource*>(self);
        try {
            return source.answer(data, length, command);
        } catch (...) {
            source.writing_.failure = std::current_exception();
            zip_error_set(source.error_.get(), ZIP_ER_READ, 0);
            return -1;
        }
    }

private:
    zip_int64_t answer(void* data, zip_uint64_t length, zip_source_cmd_t command) {
        switch (command) {
        case ZIP_SOURCE_OPEN:
            member_.rewind();
            bytes_.clear();
            position_ = 0;
            return 0;
        case ZIP_SOURCE_READ:
            return read(static_cast<char*>(data), length);
        case ZIP_SOURCE_CLOSE:
            std::string().swap(bytes_);
            return 0;
        case ZIP_SOURCE_STAT: {
            auto* stat = static_cast<zip_stat_t*>(data);
            zip_stat_init(stat);
            stat->size = static_cast<zip_uint64_t>(member_.size);
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

    zip_int64_t read(char* data, zip_uint64_t length) {
        while (position_ == bytes_.size()) {
            position_ = 0;
            if (!member_.next(bytes_)) {
                bytes_.clear();
                return 0;
            }
            writing_.advance(bytes_.size());
        }
        const auto count = std::min<std::size_t>(length, bytes_.size() - position_);
        std::memcpy(data, bytes_.data() + position_, count);
        position_ += count;
        return static_cast<zip_int64_t>(count);
    }

    MemberBytes member_;
    Writing& writing_;
    std::string bytes_;
    std::size_t position_ = 0;
    ZipError error_;
};

/// True for an array that will be large enough to stay in the file.
bool is_stored(const Tensor& tensor, std::int64_t bytes) { return tensor.source() && bytes >= ReadLimits().map_from; }

/// An archive being written; libzip reads the members when it is finished.
class ArchiveWriter {
public:
    ArchiveWriter(std::ostream& file, const std::filesystem::path& path, const RunControl& control)
        : path_(path), writing_{control}, output_(file) {
        ZipError error;
        zip_source_t* source = output_.source();
        zip_.reset(zip_open_from_source(source, ZIP_CREATE, error.get()));
        if (!zip_) {
            zip_source_free(source);
            throw Error({ATTNLAB_TEXT("%1: cannot be written: %2"), {path_.string(), zip_error_strerror(error.get())}});
        }
    }

    void add(const std::string& name, MemberBytes bytes, bool stored) {
        // Level 1: higher levels hardly shrink matrices of floats.
        constexpr zip_uint32_t level = 1;
        // 1 January 1980, the earliest date of zip: equal archives are equal files.
        constexpr zip_uint16_t date = 1 << 5 | 1;
        writing_.size += bytes.size;
        auto member = std::make_unique<MemberSource>(std::move(bytes), writing_);
        ZipError error;
        zip_source_t* source = zip_source_function_create(MemberSource::handle, member.get(), error.get());
        if (!source)
            throw std::bad_alloc();
        static_cast<void>(member.release()); // it is the source's
        const auto index = zip_file_add(zip_.get(), name.c_str(), source, ZIP_FL_ENC_UTF_8);
        if (index < 0)
            zip_source_free(source);
        const auto added = static_cast<zip_uint64_t>(index);
        if (index < 0 ||
            zip_set_file_compression(zip_.get(), added, stored ? ZIP_CM_STORE : ZIP_CM_DEFLATE, level) != 0 ||
            zip_file_set_dostime(zip_.get(), added, 0, date, 0) != 0)
            throw Error({ATTNLAB_TEXT("%1: member '%2' cannot be written: %3"),
                         {path_.string(), name, zip_strerror(zip_.get())}});
    }

    void finish() {
        if (zip_close(zip_.get()) != 0) {
            if (writing_.failure)
                std::rethrow_exception(writing_.failure);
            output_.rethrow();
            throw Error({ATTNLAB_TEXT("%1: cannot be written: %2"), {path_.string(), zip_strerror(zip_.get())}});
        }
        static_cast<void>(zip_.release()); // zip_close() has freed it
    }

private:
    const std::filesystem::path& path_;
    Writing writing_; ///< outlives the members, which zip_ owns
    ZipOutput output_;
    Zip zip_;
};

void write_members(std::ostream& file, const Archive& archive, const std::filesystem::path& path,
                   const RunControl& control) {
    std::map<std::string, std::string, std::less<>> labels; // outlives the writer, which reads it at its end
    for (const auto& [name, texts] : archive.labels)
        labels.emplace(name, npy_of_texts(texts));
    ArchiveWriter writer(file, path, control);
    for (const auto& [name, text] : archive.others) {
        check_writable(name, false, path);
        writer.add(name, bytes_of(text), false);
    }
    for (const auto& [name, bytes] : labels) {
        check_writable(name, true, path);
        writer.add(name + std::string(array_suffix), bytes_of(bytes), false);
    }
    for (const auto& [name, tensor] : archive.tensors) {
        check_writable(name, true, path);
        auto member = bytes_of(tensor);
        const bool stored = is_stored(tensor, member.size);
        writer.add(name + std::string(array_suffix), std::move(member), stored);
    }
    writer.finish();
}

} // namespace

void write_npz(const std::filesystem::path& path, const Archive& archive, const RunControl& control) {
    if (archive.tensors.empty() && archive.others.empty()) { // libzip would not create a file
        write_file(path, std::string("PK\5\6", 4).append(18, '\0'), control);
        return;
    }
    write_file(
        path, [&](std::ostream& file) { write_members(file, archive, path, control); }, control);
}

TensorMap stored_tensors(const std::filesystem::path& path, const TensorMap& written) {
    TensorMap stored;
    std::shared_ptr<const InputFile> file;
    for (const auto& [name, tensor] : written) {
        const auto size = tensor.source() ? NpyPieces(tensor).size() : 0;
        if (!is_stored(tensor, size))
            continue;
        if (!file)
            file = std::make_shared<const InputFile>(path);
        if (const auto first = stored_member(*file, name + std::string(array_suffix), static_cast<std::uint64_t>(size)))
            stored.emplace(name,
                           read_npy(file, *first, size, path.string() + ": " + name, {}).with_dtype(tensor.dtype()));
    }
    return stored;
}

} // namespace attnlab::io
