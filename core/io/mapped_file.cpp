#include "core/io/mapped_file.h"

#include "core/io/file_bytes.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace attnlab::io {
namespace {

class MappedNumbers : public NumberSource {
public:
    MappedNumbers(std::shared_ptr<const MappedFile> file, std::int64_t offset, const ElementType& type, bool swapped,
                  std::int64_t count, std::string name)
        : file_(std::move(file)), offset_(offset), type_(type), swapped_(swapped), count_(count),
          name_(std::move(name)) {}

    MappedPlace place() const { return {file_, offset_, &type_, swapped_}; }

    bool is_same(const NumberSource& other) const override {
        const auto* same = dynamic_cast<const MappedNumbers*>(&other);
        return same && same->offset_ == offset_ && &same->type_ == &type_ && same->swapped_ == swapped_ &&
               same->count_ == count_ && same->file_->stamp() == file_->stamp() && same->file_->path() == file_->path();
    }

    std::int64_t size() const override { return count_; }

    void read(std::int64_t first, std::span<double> values) const override {
        type_.decode(bytes_of(first, values.size()), swapped_, values, name_, static_cast<std::size_t>(first));
    }

    void read(std::int64_t first, std::span<float> values) const override {
        if (type_.safetensors == "F32" && !swapped_) {
            std::memcpy(values.data(), bytes_of(first, values.size()).data(), values.size_bytes());
            return;
        }
        std::array<double, 1024> piece;
        for (std::size_t done = 0; done < values.size(); done += piece.size()) {
            const auto part = std::span(piece).first(std::min(piece.size(), values.size() - done));
            read(first + static_cast<std::int64_t>(done), part);
            std::transform(part.begin(), part.end(), values.begin() + static_cast<std::ptrdiff_t>(done),
                           [](double value) { return static_cast<float>(value); });
        }
    }

private:
    std::span<const std::byte> bytes_of(std::int64_t first, std::size_t count) const {
        file_->check();
        return file_->bytes().subspan(static_cast<std::size_t>(offset_ + first * type_.size),
                                      count * static_cast<std::size_t>(type_.size));
    }

    std::shared_ptr<const MappedFile> file_;
    std::int64_t offset_;
    const ElementType& type_;
    bool swapped_;
    std::int64_t count_;
    std::string name_;
};

} // namespace

MappedFile::MappedFile(const std::filesystem::path& path) : name_(path.string()) {
    const auto size = static_cast<std::size_t>(file_size_of(path));
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    void* address = descriptor_ < 0 ? MAP_FAILED : ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor_, 0);
    if (address == MAP_FAILED) {
        const int why = errno;
        if (descriptor_ >= 0)
            ::close(descriptor_);
        throw Error({ATTNLAB_TEXT("%1: cannot be mapped into memory: %2"), {name_, std::strerror(why)}});
    }
    bytes_ = {static_cast<const std::byte*>(address), size};
    path_ = std::filesystem::absolute(path);
    stamp_ = stamp_of(descriptor_).value_or(FileStamp());
}

MappedFile::~MappedFile() {
    // munmap takes the address back as mmap gave it.
    ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size()); // NOLINT(cppcoreguidelines-pro-type-const-cast)
    ::close(descriptor_);
}

void MappedFile::check() const {
    struct stat now {};
    if (::fstat(descriptor_, &now) != 0 || static_cast<std::size_t>(now.st_size) < bytes_.size())
        throw Error({ATTNLAB_TEXT("%1: was cut short while it was open; open it again"), {name_}});
}

std::shared_ptr<const NumberSource> numbers_in(std::shared_ptr<const MappedFile> file, std::int64_t offset,
                                               const ElementType& type, bool swapped, std::int64_t count,
                                               std::string name) {
    return std::make_shared<MappedNumbers>(std::move(file), offset, type, swapped, count, std::move(name));
}

std::optional<MappedPlace> place_of(const NumberSource& numbers) {
    const auto* mapped = dynamic_cast<const MappedNumbers*>(&numbers);
    return mapped ? std::optional(mapped->place()) : std::nullopt;
}

} // namespace attnlab::io
