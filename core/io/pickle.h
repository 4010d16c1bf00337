// Python's pickle, read without running anything: what torch.save writes of tensors, numbers, text and containers.
#pragma once

#include "core/io/elements.h"

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace attnlab::io {

struct PickleText {
    std::string_view text; ///< UTF-8 as it is in the file, unchecked
};
struct PickleBytes {
    std::string_view bytes;
};
struct PickleSequence;
struct PickleDictionary;
struct PickledTensor;
struct PickleObject;

/// None, a number, text, or what lies in the document. Containers may be shared, and may hold themselves.
using PickleValue = std::variant<std::monostate, bool, std::int64_t, double, PickleText, PickleBytes, PickleSequence*,
                                 PickleDictionary*, PickledTensor*, PickleObject*>;

struct PickleSequence {
    enum class Kind { Tuple, List, Set };
    Kind kind = Kind::Tuple;
    std::vector<PickleValue> items;
};

/// Also for collections.OrderedDict and Counter.
struct PickleDictionary {
    std::vector<std::pair<PickleValue, PickleValue>> items; ///< as they stand there; a key may be there twice
};

/// A tensor as the pickle describes it: nothing is checked against what lies in the file.
struct PickledTensor {
    std::string_view type;                ///< "float32" as PyTorch has it, "f4" as NumPy has it
    const ElementType* element = nullptr; ///< nothing where a Tensor cannot hold this type
    std::string_view storage;             ///< the key of the member that has the numbers: "0" for data/0
    std::int64_t storage_count = 0;       ///< elements of the storage, or its bytes where `storage_in_bytes`
    bool storage_in_bytes = false;
    std::int64_t offset = 0;                 ///< of the first element
    const PickleSequence* shape = nullptr;   ///< a tuple of integers; nothing in an array that is never filled in
    const PickleSequence* strides = nullptr; ///< the same, in elements; nothing in an array of NumPy's
    bool negated = false;                    ///< PyTorch has yet to turn the sign of every number

    bool is_numpy = false; ///< then the numbers are in the pickle itself:
    std::string_view bytes;
    bool big_endian = false;
    bool fortran_order = false; ///< the first axis is the fastest
};

struct TorchType;

/// What is no data: a name of the allow-list, the type of an array, or a value that is only ever mentioned.
struct PickleObject {
    enum class Role { Name, StorageType, Type, Storage, NumpyType, Value };
    Role role = Role::Value;
    std::string_view name{};         ///< "torch.float32", "torch.device"
    const TorchType* type = nullptr; ///< of a storage, or of its elements
    std::string_view key{};          ///< of a storage; NumPy's code of an element type
    std::int64_t count = 0;          ///< of a storage's elements
    bool big_endian = false;         ///< of NumPy's element type
};

/// Where the values of a document lie. Memory is counted before it is asked for.
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

    /// Throws Error when the document takes more than it may.
    void charge(std::size_t bytes);
    void charge_items(std::size_t count) { charge(count * sizeof(PickleValue)); }

    const std::string& name() const { return name_; }
    /// The byte that the instruction now at work stands at, for messages.
    std::size_t position = 0;
    /// For what no pickler writes.
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

/// The value that a pickle of protocol 2 to 5 stands for. Names outside of an allow-list are refused when they are met,
/// so no function is looked up, let alone called; neither stack nor memory grows with what the bytes claim.
class PickleDocument {
public:
    /// Of a quarter of a million tensors.
    static constexpr std::size_t enough_memory = std::size_t{512} << 20;

    /// `name` is what messages call the bytes; the values may take `most_memory` bytes beside them. Throws Error.
    PickleDocument(std::string bytes, std::string name, std::size_t most_memory = enough_memory);

    const PickleValue& root() const { return root_; }

private:
    std::string bytes_;
    PickleArena arena_;
    PickleValue root_;
};

} // namespace attnlab::io
