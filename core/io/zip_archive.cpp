#include "core/io/zip_archive.h"

#include "core/run_control.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <string>
#include <utility>

namespace attnlab::io {
namespace {

/// Little-endian numbers of an archive. An offset outside gives 0, which matches no signature and passes no check. The
/// surroundings of an offset are buffered, since the next one is likely nearby.
class Numbers {
public:
    explicit Numbers(const ByteSource& bytes, const RunControl* control = nullptr) : bytes_(bytes), control_(control) {}

    std::uint64_t size() const { return static_cast<std::uint64_t>(bytes_.size()); }
    bool holds(std::uint64_t at, std::uint64_t count) const { return at <= size() && count <= size() - at; }
    std::uint64_t number(std::uint64_t at, unsigned width) {
        std::uint64_t value = 0;
        const auto piece = text(at, width);
        for (auto byte = piece.size(); byte-- > 0;)
            value = value << 8 | static_cast<unsigned char>(piece[byte]);
        return value;
    }
    std::uint64_t u16(std::uint64_t at) { return number(at, 2); }
    std::uint64_t u32(std::uint64_t at) { return number(at, 4); }
    std::uint64_t u64(std::uint64_t at) { return number(at, 8); }
    bool says(std::uint64_t at, std::string_view wanted) { return text(at, wanted.size()) == wanted; }
    /// Empty where the archive does not contain all of it. Valid until the next call.
    std::string_view text(std::uint64_t at, std::uint64_t count) {
        if (!holds(at, count))
            return {};
        if (at < first_ || at + count > first_ + around_.size()) {
            if (control_)
                control_->checkpoint();
            constexpr std::uint64_t before = 1 << 12, after = 1 << 13;
            first_ = at - std::min(at, before);
            const auto last = std::min(size(), std::max(at + count, first_ + after));
            around_ = bytes_.text(static_cast<std::int64_t>(first_), static_cast<std::int64_t>(last - first_));
        }
        return std::string_view(around_).substr(at - first_, count);
    }

private:
    const ByteSource& bytes_;
    const RunControl* control_;
    std::uint64_t first_ = 0;
    std::string around_;
};

constexpr std::uint64_t beyond_32_bits = 0xffffffff, stored = 0;

struct Directory {
    std::uint64_t first = 0, last = 0;
};

std::optional<Directory> directory_of(Numbers& archive) {
    constexpr std::uint64_t end_size = 22, longest_comment = 0xffff, locator_size = 20;
    if (archive.size() < end_size)
        return std::nullopt;
    const auto earliest = archive.size() - std::min(archive.size(), end_size + longest_comment);
    auto end = archive.size() - end_size;
    while (!archive.says(end, "PK\5\6"))
        if (end-- == earliest)
            return std::nullopt;
    auto length = archive.u32(end + 12), first = archive.u32(end + 16);
    if (length == beyond_32_bits || first == beyond_32_bits) {
        if (end < locator_size || !archive.says(end - locator_size, "PK\6\7"))
            return std::nullopt;
        const auto wide_end = archive.u64(end - locator_size + 8);
        if (!archive.says(wide_end, "PK\6\6"))
            return std::nullopt;
        length = archive.u64(wide_end + 40);
        first = archive.u64(wide_end + 48);
    }
    if (!archive.holds(first, length))
        return std::nullopt;
    return Directory{first, first + length};
}

struct DirectoryEntry {
    std::uint64_t flags, method, checksum, stored_size, size, local, name, name_length, next;
};

/// Replaces the values that did not fit into 32 bits.
void read_wide_sizes(Numbers& archive, DirectoryEntry& entry, std::uint64_t at, std::uint64_t last) {
    constexpr std::uint64_t wide_id = 1;
    for (std::uint64_t length = 0; at + 4 <= last; at += 4 + length) {
        length = archive.u16(at + 2);
        if (archive.u16(at) != wide_id)
            continue;
        auto field = at + 4;
        for (auto* value : {&entry.size, &entry.stored_size, &entry.local})
            if (*value == beyond_32_bits) {
                *value = archive.u64(field);
                field += 8;
            }
        return;
    }
}

std::optional<DirectoryEntry> entry_at(Numbers& archive, std::uint64_t at, std::uint64_t last) {
    constexpr std::uint64_t fixed = 46;
    if (at + fixed > last || !archive.says(at, "PK\1\2"))
        return std::nullopt;
    const auto extra = archive.u16(at + 30);
    DirectoryEntry entry{archive.u16(at + 8),  archive.u16(at + 10), archive.u32(at + 16),
                         archive.u32(at + 20), archive.u32(at + 24), archive.u32(at + 42),
                         at + fixed,           archive.u16(at + 28), 0};
    const auto first_extra = entry.name + entry.name_length;
    entry.next = first_extra + extra + archive.u16(at + 32);
    if (entry.next > last)
        return std::nullopt;
    read_wide_sizes(archive, entry, first_extra, first_extra + extra);
    return entry;
}

/// The first of `size` bytes of an uncompressed member whose local header is at `local`.
std::optional<std::int64_t> first_byte(Numbers& archive, std::uint64_t local, std::uint64_t size) {
    constexpr std::uint64_t fixed = 30;
    if (!archive.says(local, "PK\3\4") || archive.u16(local + 8) != stored)
        return std::nullopt;
    const auto first = local + fixed + archive.u16(local + 26) + archive.u16(local + 28);
    return archive.holds(first, size) ? std::optional(static_cast<std::int64_t>(first)) : std::nullopt;
}

bool is_stored(const DirectoryEntry& entry) { return entry.method == stored && entry.stored_size == entry.size; }

} // namespace

std::optional<std::int64_t> stored_member(const ByteSource& bytes, std::string_view name, std::uint64_t size,
                                          const RunControl* control) {
    Numbers archive(bytes, control);
    const auto directory = directory_of(archive);
    if (!directory)
        return std::nullopt;
    for (auto entry = entry_at(archive, directory->first, directory->last); entry;
         entry = entry_at(archive, entry->next, directory->last))
        if (entry->name_length == name.size() && archive.says(entry->name, name))
            return entry->size == size && is_stored(*entry) ? first_byte(archive, entry->local, size) : std::nullopt;
    return std::nullopt;
}

std::optional<std::vector<ZipMember>> zip_members(const ByteSource& bytes, std::size_t most,
                                                  const RunControl* control) {
    Numbers archive(bytes, control);
    const auto directory = directory_of(archive);
    if (!directory)
        return std::nullopt;
    std::vector<ZipMember> members;
    for (auto at = directory->first; at < directory->last;) {
        const auto entry = entry_at(archive, at, directory->last);
        if (!entry || members.size() == most)
            return std::nullopt;
        members.push_back({std::string(archive.text(entry->name, entry->name_length)), entry->size,
                           static_cast<std::uint32_t>(entry->checksum), (entry->flags & 1) != 0, is_stored(*entry),
                           entry->local});
        at = entry->next;
    }
    return members;
}

bool has_more_members(const ByteSource& bytes, std::size_t most, const RunControl* control) {
    Numbers archive(bytes, control);
    const auto directory = directory_of(archive);
    auto at = directory ? directory->first : 0;
    for (std::size_t count = 0; directory && at < directory->last; ++count) {
        const auto entry = entry_at(archive, at, directory->last);
        if (!entry)
            return false;
        if (count == most)
            return true;
        at = entry->next;
    }
    return false;
}

std::optional<std::int64_t> first_byte(const ByteSource& bytes, const ZipMember& member) {
    Numbers archive(bytes);
    return member.is_stored ? first_byte(archive, member.header, member.size) : std::nullopt;
}

namespace {

zip_int64_t report_error(void* data, zip_uint64_t length, int zip_code, int system_code) {
    zip_error_t error;
    zip_error_init(&error);
    zip_error_set(&error, zip_code, system_code);
    const auto size = zip_error_to_data(&error, data, length);
    zip_error_fini(&error);
    return size;
}

} // namespace

zip_source_t* ZipOutput::source() {
    zip_source_t* source = zip_source_function_create(&ZipOutput::handle, this, nullptr);
    if (!source)
        throw std::bad_alloc();
    return source;
}

void ZipOutput::rethrow() const {
    if (failure_)
        std::rethrow_exception(failure_);
}

zip_int64_t ZipOutput::handle(void* self, void* data, zip_uint64_t length, zip_source_cmd_t command) {
    auto& output = *static_cast<ZipOutput*>(self);
    try {
        return output.answer(data, length, command);
    } catch (...) {
        output.failure_ = std::current_exception();
        return -1;
    }
}

zip_int64_t ZipOutput::answer(void* data, zip_uint64_t length, zip_source_cmd_t command) {
    switch (command) {
    case ZIP_SOURCE_SUPPORTS:
        // libzip requires all file operations. Reading is never called for a new archive.
        return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT,
                                              ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL,
                                              ZIP_SOURCE_BEGIN_WRITE, ZIP_SOURCE_COMMIT_WRITE,
                                              ZIP_SOURCE_ROLLBACK_WRITE, ZIP_SOURCE_WRITE, ZIP_SOURCE_SEEK_WRITE,
                                              ZIP_SOURCE_TELL_WRITE, ZIP_SOURCE_REMOVE, -1);
    case ZIP_SOURCE_ERROR:
        // Called before anything is written: the archive does not exist yet.
        return failure_ ? report_error(data, length, ZIP_ER_WRITE, EIO)
                        : report_error(data, length, ZIP_ER_READ, ENOENT);
    case ZIP_SOURCE_BEGIN_WRITE:
    case ZIP_SOURCE_ROLLBACK_WRITE: // the owner of the stream discards it
    case ZIP_SOURCE_REMOVE:
    case ZIP_SOURCE_FREE:
        return 0;
    case ZIP_SOURCE_COMMIT_WRITE:
        stream_.flush();
        return 0;
    case ZIP_SOURCE_WRITE:
        stream_.write(static_cast<const char*>(data), static_cast<std::streamsize>(length));
        return static_cast<zip_int64_t>(length);
    case ZIP_SOURCE_SEEK_WRITE: {
        const auto* seek = ZIP_SOURCE_GET_ARGS(zip_source_args_seek_t, data, length, nullptr);
        if (!seek)
            return -1;
        stream_.seekp(seek->offset, seek->whence == SEEK_SET   ? std::ios::beg
                                    : seek->whence == SEEK_CUR ? std::ios::cur
                                                               : std::ios::end);
        return 0;
    }
    case ZIP_SOURCE_TELL_WRITE:
        return stream_.tellp();
    default:
        return -1;
    }
}

zip_source_t* ZipInput::source() {
    zip_source_t* source = zip_source_function_create(&ZipInput::handle, this, nullptr);
    if (!source)
        throw std::bad_alloc();
    return source;
}

void ZipInput::rethrow() {
    if (failure_)
        std::rethrow_exception(std::exchange(failure_, nullptr));
}

zip_int64_t ZipInput::handle(void* self, void* data, zip_uint64_t length, zip_source_cmd_t command) {
    auto& input = *static_cast<ZipInput*>(self);
    try {
        return input.answer(data, length, command);
    } catch (...) {
        input.failure_ = std::current_exception();
        return -1;
    }
}

zip_int64_t ZipInput::answer(void* data, zip_uint64_t length, zip_source_cmd_t command) {
    switch (command) {
    case ZIP_SOURCE_SUPPORTS:
        return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT,
                                              ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL, -1);
    case ZIP_SOURCE_OPEN:
        position_ = 0;
        return 0;
    case ZIP_SOURCE_CLOSE:
    case ZIP_SOURCE_FREE:
        return 0;
    case ZIP_SOURCE_READ:
        return read(data, length);
    case ZIP_SOURCE_STAT: {
        if (length < sizeof(zip_stat_t))
            return -1;
        auto* stat = static_cast<zip_stat_t*>(data);
        zip_stat_init(stat);
        stat->size = static_cast<zip_uint64_t>(bytes_.size());
        stat->valid = ZIP_STAT_SIZE;
        return sizeof(zip_stat_t);
    }
    case ZIP_SOURCE_ERROR: {
        zip_error_t error;
        zip_error_init(&error);
        zip_error_set(&error, failure_ ? ZIP_ER_READ : ZIP_ER_INVAL, failure_ ? EIO : 0);
        const auto size = zip_error_to_data(&error, data, length);
        zip_error_fini(&error);
        return size;
    }
    case ZIP_SOURCE_SEEK: {
        const auto to = zip_source_seek_compute_offset(static_cast<zip_uint64_t>(position_),
                                                       static_cast<zip_uint64_t>(bytes_.size()), data, length, nullptr);
        if (to < 0)
            return -1;
        position_ = to;
        return 0;
    }
    case ZIP_SOURCE_TELL:
        return position_;
    default:
        return -1;
    }
}

zip_int64_t ZipInput::read(void* data, zip_uint64_t length) {
    constexpr std::int64_t buffered = 1 << 16;
    const auto count =
        static_cast<std::int64_t>(std::min(length, static_cast<zip_uint64_t>(bytes_.size() - position_)));
    auto* to = static_cast<char*>(data);
    for (std::int64_t done = 0; done < count;) {
        const auto in_buffer = position_ - buffer_begin_;
        if (in_buffer < 0 || in_buffer >= std::ssize(buffer_)) {
            if (control_)
                control_->checkpoint();
            buffer_ = bytes_.text(position_, std::min(buffered, bytes_.size() - position_));
            buffer_begin_ = position_;
            continue;
        }
        const auto part = std::min(count - done, std::ssize(buffer_) - in_buffer);
        std::memcpy(to + done, buffer_.data() + in_buffer, static_cast<std::size_t>(part));
        done += part;
        position_ += part;
    }
    return count;
}

} // namespace attnlab::io
