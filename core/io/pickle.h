// Reads Python's pickle without executing anything: tensors, numbers, text and containers written by torch.save.
#pragma once

#include "core/io/elements.h"
#include "core/io/file_bytes.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace attnlab::io {

struct PickleText {
    std::string_view text; ///< UTF-8 as in the file, unchecked
};
struct PickleBytes {
    std::string_view bytes;
};
struct PickleSequence;
struct PickleDictionary;
struct PickledTensor;
struct PickleObject;

/// None, a number, text, or a reference into the document. Containers may be shared, and may contain themselves.
using PickleValue = std::variant<std::monostate, bool, std::int64_t, double, PickleText, PickleBytes, PickleSequence*,
                                 PickleDictionary*, PickledTensor*, PickleObject*>;

struct PickleSequence {
    enum class Kind { Tuple, List, Set };
    Kind kind = Kind::Tuple;
    std::vector<PickleValue> items;
};

/// Also for collections.OrderedDict and Counter.
struct PickleDictionary {
    std::vector<std::pair<PickleValue, PickleValue>> items; ///< in file order; keys may be repeated
};

/// A tensor as described by the pickle: not checked against the contents of the file.
struct PickledTensor {
    std::string_view type;                ///< "float32" for PyTorch, "f4" for NumPy
    const ElementType* element = nullptr; ///< null where a Tensor cannot hold this type
    std::string_view storage;             ///< the key of the member with the numbers: "0" for data/0
    std::int64_t storage_count = 0;       ///< elements of the storage, or its bytes where `storage_in_bytes`
    bool storage_in_bytes = false;
    std::int64_t offset = 0;                 ///< of the first element
    const PickleSequence* shape = nullptr;   ///< a tuple of integers; null in an array that is never filled in
    const PickleSequence* strides = nullptr; ///< the same, in elements; null for NumPy arrays
    bool negated = false;                    ///< lazy negation of PyTorch: the sign of every number is to be inverted

    bool is_numpy = false; ///< then the numbers are in the pickle itself:
    std::string_view bytes;
    bool big_endian = false;
    bool fortran_order = false; ///< the first axis varies fastest
};

struct TorchType;

/// Not data: an allowed name, the type of an array, or a value that is only referred to.
struct PickleObject {
    enum class Role { Name, StorageType, Type, Storage, NumpyType, Value };
    Role role = Role::Value;
    std::string_view name{};         ///< "torch.float32", "torch.device"
    const TorchType* type = nullptr; ///< of a storage, or of its elements
    std::string_view key{};          ///< of a storage; NumPy's code of an element type
    std::int64_t count = 0;          ///< of a storage's elements
    std::int64_t element_size = 0;   ///< the bytes of one of them
    bool big_endian = false;         ///< of NumPy's element type
};

/// Owns the values of a document. Memory is counted before it is allocated.
class PickleArena {
public:
    PickleArena(std::string name, std::size_t most_memory) : name_(std::move(name)), most_(most_memory) {}
    PickleArena(const PickleArena&) = delete;
    PickleArena& operator=(const PickleArena&) = delete;

    PickleSequence* make(PickleSequence value);
    PickleDictionary* make(PickleDictionary value);
    PickledTensor* make(PickledTensor value);
    PickleObject* make(PickleObject value);
    std::string_view keep(std::string bytes);

    /// Throws Error when the document exceeds its memory limit.
    void charge(std::size_t bytes);
    void charge_items(std::size_t count) { charge(count * sizeof(PickleValue)); }

    const std::deque<PickleObject>& objects() const { return objects_; }

    const std::string& name() const { return name_; }
    /// The byte offset of the current instruction, for messages.
    std::size_t position = 0;
    /// For input that no pickler writes.
    [[noreturn]] void fail() const;

private:
    std::string name_;
    std::size_t most_;
    std::size_t taken_ = 0;
    std::deque<PickleSequence> sequences_;
    std::deque<PickleDictionary> dictionaries_;
    std::deque<PickledTensor> tensors_;
    std::deque<PickleObject> objects_;
    std::deque<std::string> texts_;
};

/// The bytes of a pickle. It ends where its instructions end, which its first byte does not say: a file is read only as
/// far as they go. Views stay valid as long as this object.
class PickleBytesReader {
public:
    explicit PickleBytesReader(std::string bytes);
    /// From byte `begin` of `file` on, at most `most` bytes. `file` must outlive the reading.
    PickleBytesReader(const ByteSource& file, std::int64_t begin, std::int64_t most, const RunControl* control);

    /// nullopt, without reading, where fewer bytes are left.
    std::optional<std::string_view> take(std::uint64_t count);
    /// The bytes up to a line break, which is skipped. nullopt where the first `longest` + 1 bytes have none.
    std::optional<std::string_view> line(std::size_t longest);

    /// Of the next byte, in the file.
    std::size_t position() const { return end_ - (piece_.size() - next_); }
    bool at_end() const { return left() == 0; }
    /// The most bytes that may be read, if the file has more.
    std::optional<std::int64_t> limit() const { return limit_; }

private:
    std::uint64_t left() const { return piece_.size() - next_ + unread_; }
    /// At most `count` bytes, which are not taken.
    std::string_view ahead(std::size_t count);

    const ByteSource* file_ = nullptr;
    const RunControl* control_ = nullptr;
    std::deque<std::string> pieces_;
    std::string_view piece_; ///< the last one
    std::size_t next_ = 0;   ///< in the piece
    std::size_t end_ = 0;    ///< of the piece, in the file
    std::size_t unread_ = 0; ///< bytes after the piece
    std::optional<std::int64_t> limit_;
};

/// The value of a pickle of protocol 2 to 5. Names outside an allow-list are refused when they are met, so no function
/// is looked up, let alone called; neither stack nor memory grows with sizes that the bytes claim.
class PickleDocument {
public:
    /// Enough for a quarter of a million tensors.
    static constexpr std::size_t enough_memory = std::size_t{512} << 20;

    /// `name` is used in messages; the values may take `most_memory` bytes in addition to `bytes`. Throws Error;
    /// Cancelled where `control`, if not null, is.
    PickleDocument(std::string bytes, std::string name, std::size_t most_memory = enough_memory,
                   const RunControl* control = nullptr);
    /// The pickle that begins at byte `begin` of `file` and may be followed by other bytes; at most `most` are read.
    PickleDocument(const ByteSource& file, std::int64_t begin, std::int64_t most, std::string name,
                   const RunControl* control = nullptr);

    const PickleValue& root() const { return root_; }
    /// The storages that it refers to, each as often as it does.
    std::vector<const PickleObject*> storages() const;
    /// The first byte after it, in its file.
    std::int64_t end() const { return static_cast<std::int64_t>(bytes_.position()); }

private:
    PickleBytesReader bytes_;
    PickleArena arena_;
    PickleValue root_;
};

} // namespace attnlab::io
