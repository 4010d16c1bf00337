// Reads the header of a .gguf file from its beginning on.
#pragma once

#include "core/io/file_bytes.h"
#include "core/model/weights/gguf_metadata.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace attnlab::model {

class GgufCursor {
public:
    /// Reads at most `end` bytes. `name` is used in messages; `control`, if not null, is polled.
    GgufCursor(const io::ByteSource& bytes, std::string name, std::int64_t end, const RunControl* control = nullptr)
        : bytes_(bytes), name_(std::move(name)), end_(end), control_(control) {}

    const std::string& name() const { return name_; }
    std::int64_t position() const { return buffer_begin_ + static_cast<std::int64_t>(used_); }

    /// Throws Error unless `count` things of at least `each` bytes can follow.
    void require(std::uint64_t count, std::uint64_t each);
    /// A little-endian number.
    template <class Number>
    Number number() {
        Number value;
        copy(reinterpret_cast<char*>(&value), sizeof(value));
        return value;
    }
    std::string text();
    /// A value of a metadata type. `depth` is that of arrays in arrays.
    GgufValue value(std::uint32_t type, const std::string& key, int depth = 0);

private:
    void copy(char* to, std::size_t count);
    GgufValue array(const std::string& key, int depth);
    template <class Item, class Read>
    std::vector<Item> items(std::uint64_t count, std::uint64_t each, Read read);
    std::int64_t integer(std::uint32_t type, const std::string& key);
    bool boolean(const std::string& key);

    const io::ByteSource& bytes_;
    std::string name_;
    std::int64_t end_;
    const RunControl* control_;
    std::string buffer_;
    std::int64_t buffer_begin_ = 0;
    std::size_t used_ = 0;
};

} // namespace attnlab::model
