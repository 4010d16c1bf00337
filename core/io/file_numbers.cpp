#include "core/io/file_numbers.h"

#include <algorithm>
#include <array>

namespace attnlab::io {
namespace {

/// True for elements with the same representation in the file and in memory, which are read directly.
template <class Number>
bool is_as_held(const ElementType& type, bool swapped) {
    return type.dtype == (sizeof(Number) == 4 ? DType::Float32 : DType::Float64) && !swapped;
}

class FileNumbers : public NumberSource {
public:
    FileNumbers(std::shared_ptr<const InputFile> file, std::int64_t offset, const ElementType& type, bool swapped,
                std::int64_t count, std::string name)
        : file_(std::move(file)), offset_(offset), type_(type), swapped_(swapped), count_(count),
          name_(std::move(name)) {}

    FilePlace place() const { return {file_, offset_, &type_, swapped_}; }

    bool is_same(const NumberSource& other) const override {
        const auto* same = dynamic_cast<const FileNumbers*>(&other);
        return same && same->offset_ == offset_ && &same->type_ == &type_ && same->swapped_ == swapped_ &&
               same->count_ == count_ && same->file_->stamp() == file_->stamp() && same->file_->path() == file_->path();
    }

    std::int64_t size() const override { return count_; }

    void read(std::int64_t first, std::span<double> values) const override {
        read_elements(*file_, offset_ + first * type_.size, type_, swapped_, values, name_,
                      static_cast<std::size_t>(first));
    }

    void read(std::int64_t first, std::span<float> values) const override {
        if (is_as_held<float>(type_, swapped_)) {
            file_->read(offset_ + first * type_.size, std::as_writable_bytes(values));
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
    std::shared_ptr<const InputFile> file_;
    std::int64_t offset_;
    const ElementType& type_;
    bool swapped_;
    std::int64_t count_;
    std::string name_;
};

} // namespace

std::shared_ptr<const NumberSource> numbers_in(std::shared_ptr<const InputFile> file, std::int64_t offset,
                                               const ElementType& type, bool swapped, std::int64_t count,
                                               std::string name) {
    file->settle();
    return std::make_shared<FileNumbers>(std::move(file), offset, type, swapped, count, std::move(name));
}

std::optional<FilePlace> place_of(const NumberSource& numbers) {
    const auto* in_file = dynamic_cast<const FileNumbers*>(&numbers);
    return in_file ? std::optional(in_file->place()) : std::nullopt;
}

void read_elements(const ByteSource& bytes, std::int64_t offset, const ElementType& type, bool swapped,
                   std::span<double> values, std::string_view name, std::size_t first) {
    if (is_as_held<double>(type, swapped)) {
        bytes.read(offset, std::as_writable_bytes(values));
        return;
    }
    std::array<std::byte, 1 << 16> piece;
    const auto size = static_cast<std::size_t>(type.size);
    while (!values.empty()) {
        const auto part = values.first(std::min(values.size(), piece.size() / size));
        const auto there = std::span(piece).first(part.size() * size);
        bytes.read(offset, there);
        type.decode(there, swapped, part, name, first);
        values = values.subspan(part.size());
        offset += std::ssize(there);
        first += part.size();
    }
}

std::vector<double> elements_at(const ByteSource& bytes, std::int64_t offset, const ElementType& type, bool swapped,
                                std::int64_t count, std::string_view name, const ReadLimits& limits) {
    return numbers_in_pieces(count, limits, [&](std::int64_t first, std::span<double> piece) {
        read_elements(bytes, offset + first * type.size, type, swapped, piece, name, static_cast<std::size_t>(first));
    });
}

std::vector<double> numbers_in_pieces(std::int64_t count, const ReadLimits& limits,
                                      const std::function<void(std::int64_t first, std::span<double> piece)>& read) {
    constexpr std::int64_t at_once = 1 << 17;
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(count));
    for (std::int64_t first = 0; first < count; first = std::ssize(values)) {
        limits.checkpoint();
        values.resize(static_cast<std::size_t>(std::min(count, first + at_once)));
        read(first, std::span(values).subspan(static_cast<std::size_t>(first)));
    }
    return values;
}

} // namespace attnlab::io
