// Implements the part of npz.h about writing.
#include "core/io/file_bytes.h"
#include "core/io/file_numbers.h"
#include "core/io/npy.h"
#include "core/io/npz.h"
#include "core/io/zip_handles.h"
#include "core/io/zip_members.h"
#include "core/io/zip_output.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <ostream>
#include <utility>

namespace attnlab::io {
namespace {

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
    ArchiveWriter writer(file, path, control);
    for (const auto& [name, text] : archive.others) {
        check_writable(name, false, path);
        writer.add(name, bytes_of(text), false);
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
