#include "core/io/mapped_file.h"

#include "core/io/guarded_ranges.h"

#include <cerrno>
#include <system_error>

#include <sys/mman.h>
#include <unistd.h>

namespace attnlab::io {

MappedFile::MappedFile(const std::filesystem::path& path) : file_(path) {
    file_.settle();
    const auto size = static_cast<std::size_t>(file_.size());
    const int descriptor = file_.duplicate();
    void* place = descriptor < 0 ? MAP_FAILED : ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    const int code = errno;
    if (descriptor >= 0)
        ::close(descriptor);
    if (place != MAP_FAILED && !(guard_ = guard(static_cast<const std::byte*>(place), size)))
        ::munmap(place, size);
    if (!guard_)
        throw Error({ATTNLAB_TEXT("%1: cannot be mapped into memory: %2"),
                     {path.string(), std::generic_category().message(place == MAP_FAILED ? code : ENOMEM)}});
    bytes_ = {static_cast<const std::byte*>(place), size};
}

MappedFile::~MappedFile() {
    release(guard_);
    ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size()); // NOLINT: munmap takes no const
}

void MappedFile::check() const {
    file_.check();
    if (is_broken(*guard_))
        throw Error({ATTNLAB_TEXT("%1: could not be read while it was open; open it again"), {file_.path().string()}});
}

} // namespace attnlab::io
