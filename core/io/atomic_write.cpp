// Implements the part of file_bytes.h about writing a file whole or not at all.
#include "core/io/file_bytes.h"
#include "core/io/file_formats.h"
#include "core/io/output_stream.h"
#include "core/io/temporary_file.h"

#include <cerrno>
#include <mutex>
#include <set>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace attnlab::io {
namespace {

std::filesystem::path folder_of(const std::filesystem::path& target) {
    return target.has_parent_path() ? target.parent_path() : ".";
}

/// The end of a chain of symbolic links, existing or not.
std::filesystem::path followed(std::filesystem::path path) {
    std::error_code code;
    constexpr int most_links = 40; // the kernel's limit
    for (int i = 0; i < most_links && std::filesystem::is_symlink(path, code); ++i)
        path = folder_of(path) / std::filesystem::read_symlink(path, code);
    return path;
}

/// The path to be replaced by the rename: the target of a link, never a folder or a device.
std::filesystem::path checked_target(const std::filesystem::path& path) {
    auto target = followed(path);
    std::error_code code;
    const auto status = std::filesystem::status(target, code);
    if (status.type() == std::filesystem::file_type::not_found)
        return target; // does not exist yet
    if (status.type() == std::filesystem::file_type::none)
        fail_to_write(path, code.value());
    if (status.type() == std::filesystem::file_type::directory)
        throw Error({ATTNLAB_TEXT("%1: is a folder, expected a file"), {path.string()}});
    if (status.type() != std::filesystem::file_type::regular)
        throw Error({ATTNLAB_TEXT("%1: is no ordinary file"), {path.string()}});
    if (::access(target.c_str(), W_OK) != 0)
        fail_to_write(path, errno);
    return target;
}

/// Scans each folder only once; files of processes that die later are removed by the next one.
void remove_stale_temporaries_once(const std::filesystem::path& folder) {
    static std::mutex mutex;
    static std::set<std::filesystem::path> seen;
    const std::scoped_lock lock(mutex);
    std::error_code none_there;
    if (seen.insert(std::filesystem::absolute(folder, none_there)).second)
        remove_stale_temporaries(folder);
}

void flush_folder(const std::filesystem::path& folder) {
    // Not every file system supports this; the save itself has succeeded.
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    ::fsync(descriptor);
    ::close(descriptor);
}

/// False where an unnamed file cannot be given a name: nothing has changed then.
bool write_through(TemporaryFile::Kind kind, const std::filesystem::path& target,
                   const std::function<void(std::ostream&)>& write, const RunControl& control) {
    TemporaryFile file(target, kind);
    OutputStream stream(file.descriptor(), target);
    write(stream);
    stream.flush();
    if (::fsync(file.descriptor()) != 0)
        fail_to_write(target, errno);
    control.checkpoint();
    if (!file.take_name())
        return false;
    file.replace_target();
    return true;
}

} // namespace

void check_output(const std::filesystem::path& path) {
    const auto folder = folder_of(checked_target(path));
    std::error_code none_there;
    if (std::filesystem::exists(folder, none_there) && !std::filesystem::is_directory(folder, none_there))
        fail_to_write(path, ENOTDIR);
    if (::access(folder.c_str(), W_OK | X_OK) != 0)
        fail_to_write(path, errno);
    remove_stale_temporaries_once(folder);
}

void write_file(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write,
                const RunControl& control) {
    control.checkpoint();
    const auto target = checked_target(path);
    const auto folder = folder_of(target);
    remove_stale_temporaries_once(folder);
    if (!write_through(TemporaryFile::Kind::Unnamed, target, write, control))
        write_through(TemporaryFile::Kind::Named, target, write, control);
    flush_folder(folder);
}

} // namespace attnlab::io
