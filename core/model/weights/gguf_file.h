// A .gguf file: header, metadata and tensors.
#pragma once

#include "core/io/file_bytes.h"
#include "core/message.h"
#include "core/model/weights/weight_files.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace attnlab::model {

// The key-value pairs of a .gguf file.

struct GgufValue;
using GgufIntegers = std::vector<std::int64_t>;
using GgufNumbers = std::vector<double>;
using GgufTexts = std::vector<std::string>;
using GgufArrays = std::vector<GgufValue>;

/// Integers of every width are 64 bits wide, floats are double; an array of bool is one of the integers 0 and 1.
struct GgufValue {
    std::variant<bool, std::int64_t, double, std::string, GgufIntegers, GgufNumbers, GgufTexts, GgufArrays> held;
};

/// Values by key: "llama.block_count". Accessors throw Error that names file, key, what is there and what was expected.
class GgufMetadata {
public:
    explicit GgufMetadata(std::string file) : file_(std::move(file)) {}

    const std::string& file() const { return file_; }
    const std::map<std::string, GgufValue, std::less<>>& values() const { return values_; }
    /// False when there is one of this key.
    bool add(std::string key, GgufValue value) { return values_.emplace(std::move(key), std::move(value)).second; }

    /// nullptr where there is none. Records that the key was read, for unread().
    const GgufValue* find(std::string_view key) const;
    bool has(std::string_view key) const { return find(key) != nullptr; }

    /// The keys that no accessor was asked for.
    std::vector<std::string> unread() const;

    const std::string& text(std::string_view key) const;
    std::int64_t integer(std::string_view key) const;
    double number(std::string_view key) const; ///< also of an integer
    bool boolean(std::string_view key) const;
    const GgufTexts& texts(std::string_view key) const;
    const GgufIntegers& integers(std::string_view key) const;
    const GgufNumbers& numbers(std::string_view key) const;

private:
    template <class Held>
    const Held& at(std::string_view key, const char* expected) const;
    [[noreturn]] void fail(std::string_view key, const char* expected) const;

    std::string file_;
    std::map<std::string, GgufValue, std::less<>> values_;
    mutable std::set<std::string, std::less<>> read_;
};

/// As JSON; of a long array the beginning.
std::string value_text(const GgufValue& value);

// Reads the header of a .gguf file from its beginning on.

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

// The header of a .gguf file (versions 2 and 3, little-endian): metadata, and where each tensor's numbers are.
// https://github.com/ggml-org/ggml/blob/master/docs/gguf.md

/// A type of ggml.
struct GgufType {
    std::uint32_t id;
    std::string_view name;
    std::int64_t block, bytes;      ///< as in WeightTypeInfo
    std::optional<WeightType> type; ///< none for what is not read
};

struct GgufTensor {
    std::string name;
    std::string full_name; ///< with the file's name, for messages
    Shape shape;           ///< row-major: ggml's dimensions in reverse
    const GgufType* type = nullptr;
    std::int64_t begin = 0; ///< of its data, from the beginning of the file
    std::int64_t size = 0;  ///< bytes
};

struct GgufHeader {
    std::int64_t version = 0;
    std::int64_t alignment = 0;
    GgufMetadata metadata;
    std::vector<GgufTensor> tensors; ///< in the order of the file
};

/// The largest header with metadata: that of a vocabulary of a million tokens has some 50 MB.
inline constexpr std::int64_t largest_gguf_header = std::int64_t{256} << 20;

/// True for the first four bytes of such a file.
bool begins_gguf(std::string_view beginning);

/// Everything is checked against the size of the file before memory for it is asked for. Throws Error naming file, and
/// tensor or key; Cancelled where `control`, if not null, is.
GgufHeader read_gguf_header(const io::ByteSource& bytes, const std::string& name, const RunControl* control = nullptr);

// Models in one .gguf file, as llama.cpp has them.

struct GgufFile {
    GgufMetadata metadata;
    std::shared_ptr<const WeightFiles> weights; ///< by the names of the file: "blk.0.attn_q.weight"
};

/// Versions 2 and 3, little-endian. Tensors of types that are not read are refused when they are asked for. Throws
/// Error; Cancelled.
GgufFile open_gguf(const std::filesystem::path& path, const RunControl& control = {});

} // namespace attnlab::model
