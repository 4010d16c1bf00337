#include "core/io/pickle_objects.h"

#include "core/io/file_numbers.h"
#include "core/utf8.h"

#include <algorithm>

namespace attnlab::io {

/// An element type as PyTorch names it.
struct TorchType {
    std::string_view storage;     ///< the class of its storages; empty where they are untyped bytes
    std::string_view name;        ///< "torch.float32"
    std::string_view safetensors; ///< its name in the table of elements; empty where a Tensor cannot hold it
    std::int64_t size = 0;        ///< the bytes of a number in a storage; 0 for types without storages of their own
};

namespace {

constexpr TorchType torch_types[] = {
    {"torch.DoubleStorage", "torch.float64", "F64", 8},
    {"torch.FloatStorage", "torch.float32", "F32", 4},
    {"torch.HalfStorage", "torch.float16", "F16", 2},
    {"torch.BFloat16Storage", "torch.bfloat16", "BF16", 2},
    {"torch.BoolStorage", "torch.bool", "BOOL", 1},
    {"torch.LongStorage", "torch.int64", "I64", 8},
    {"torch.IntStorage", "torch.int32", "I32", 4},
    {"torch.ShortStorage", "torch.int16", "I16", 2},
    {"torch.CharStorage", "torch.int8", "I8", 1},
    {"torch.ByteStorage", "torch.uint8", "U8", 1},
    {"", "torch.uint16", "U16"},
    {"", "torch.uint32", "U32"},
    {"", "torch.uint64", "U64"},
    {"torch.ComplexDoubleStorage", "torch.complex128", "", 16},
    {"torch.ComplexFloatStorage", "torch.complex64", "", 8},
    {"", "torch.complex32", ""},
    {"", "torch.float8_e5m2", ""},
    {"", "torch.float8_e4m3fn", ""},
    {"", "torch.float8_e5m2fnuz", ""},
    {"", "torch.float8_e4m3fnuz", ""},
    {"", "torch.float8_e8m0fnu", ""},
    {"", "torch.float4_e2m1fn_x2", ""},
    {"torch.storage.UntypedStorage", "", "", 1}, // the tensor has the element type
};

const ElementType* element_of(const TorchType& type) {
    const auto elements = element_types();
    const auto found = std::find_if(elements.begin(), elements.end(), [&](const ElementType& candidate) {
        return !type.safetensors.empty() && candidate.safetensors == type.safetensors;
    });
    return found == elements.end() ? nullptr : &*found;
}

/// The items of a tuple, each checked for its expected type.
class Arguments {
public:
    Arguments(const PickleArena& arena, const PickleValue& value)
        : arena_(arena), items_(as<PickleSequence*>(value)->items) {}

    std::size_t size() const { return items_.size(); }
    void require(bool holds) const {
        if (!holds)
            arena_.fail();
    }
    void require_size(std::size_t least, std::size_t most) const { require(size() >= least && size() <= most); }
    const PickleValue& at(std::size_t index) const {
        require(index < size());
        return items_[index];
    }
    template <class T>
    const T& get(std::size_t index) const {
        return as<T>(at(index));
    }
    const PickleObject& object(std::size_t index, PickleObject::Role role) const {
        const auto& found = *get<PickleObject*>(index);
        require(found.role == role);
        return found;
    }
    /// A tuple of integers.
    const PickleSequence* sizes(std::size_t index) const {
        const auto* found = get<PickleSequence*>(index);
        require(found->kind == PickleSequence::Kind::Tuple);
        for (const auto& item : found->items)
            as<std::int64_t>(item);
        return found;
    }

private:
    template <class T>
    const T& as(const PickleValue& value) const {
        const auto* found = std::get_if<T>(&value);
        require(found != nullptr);
        return *found;
    }

    const PickleArena& arena_;
    const std::vector<PickleValue>& items_;
};

using Role = PickleObject::Role;
using Call = PickleValue (*)(PickleArena& arena, const Arguments& arguments);

bool is_negated(const Arguments& arguments, std::size_t index) {
    if (index >= arguments.size() || std::holds_alternative<std::monostate>(arguments.at(index)))
        return false;
    const auto& items = arguments.get<PickleDictionary*>(index)->items;
    return std::any_of(items.begin(), items.end(), [](const auto& item) {
        const auto* key = std::get_if<PickleText>(&item.first);
        const auto* is_set = std::get_if<bool>(&item.second);
        const bool of_complex_numbers = key && key->text == "conj"; // refused by their type
        return !of_complex_numbers && !(is_set && !*is_set);
    });
}

/// storage, offset, shape, strides, and items for training only.
PickledTensor viewed(const Arguments& arguments) {
    const auto& storage = arguments.object(0, Role::Storage);
    PickledTensor tensor;
    tensor.type = storage.type->name;
    tensor.element = element_of(*storage.type);
    tensor.storage = storage.key;
    tensor.storage_count = storage.count;
    tensor.storage_in_bytes = storage.type->name.empty();
    tensor.offset = arguments.get<std::int64_t>(1);
    tensor.shape = arguments.sizes(2);
    tensor.strides = arguments.sizes(3);
    return tensor;
}

PickleValue rebuild_tensor(PickleArena& arena, const Arguments& arguments) {
    arguments.require_size(4, 7);
    auto tensor = viewed(arguments);
    arguments.require(!tensor.storage_in_bytes);
    tensor.negated = is_negated(arguments, 6);
    return arena.make(tensor);
}

PickleValue rebuild_typed_tensor(PickleArena& arena, const Arguments& arguments) {
    arguments.require_size(7, 8);
    auto tensor = viewed(arguments);
    const auto& type = *arguments.object(6, Role::Type).type;
    arguments.require(tensor.storage_in_bytes);
    tensor.type = type.name;
    tensor.element = element_of(type);
    tensor.negated = is_negated(arguments, 7);
    return arena.make(tensor);
}

PickleValue rebuild_parameter(PickleArena&, const Arguments& arguments) {
    arguments.require_size(3, 4);
    return arguments.get<PickledTensor*>(0);
}

/// function, type, arguments, state: a tensor with attributes.
PickleValue rebuild_from_type(PickleArena& arena, const Arguments& arguments) {
    arguments.require_size(4, 4);
    const auto name = arguments.object(0, Role::Name).name;
    const Arguments inner(arena, arguments.at(2));
    if (name == "torch._utils._rebuild_tensor_v2")
        return rebuild_tensor(arena, inner);
    arguments.require(name == "torch._utils._rebuild_tensor_v3");
    return rebuild_typed_tensor(arena, inner);
}

PickleValue same_tuple(PickleArena&, const Arguments& arguments) {
    arguments.require_size(1, 1);
    return arguments.get<PickleSequence*>(0);
}

PickleValue same_dictionary(PickleArena&, const Arguments& arguments) {
    arguments.require_size(1, 1);
    return arguments.get<PickleDictionary*>(0);
}

PickleValue dictionary(PickleArena& arena, const Arguments& arguments) {
    arguments.require_size(0, 0);
    return arena.make(PickleDictionary{});
}

PickleValue set(PickleArena& arena, const Arguments& arguments) {
    arguments.require_size(1, 1);
    return arena.make(PickleSequence{PickleSequence::Kind::Set, arguments.get<PickleSequence*>(0)->items});
}

/// None, bytes, or text that encodes bytes, one character each.
PickleValue bytes(PickleArena& arena, const Arguments& arguments) {
    arguments.require_size(0, 2);
    if (arguments.size() == 0)
        return PickleBytes{};
    if (std::holds_alternative<PickleBytes>(arguments.at(0)))
        return arguments.at(0);
    const auto text = arguments.get<PickleText>(0).text;
    const auto encoding = arguments.get<PickleText>(1).text;
    arguments.require(encoding == "latin1" || encoding == "latin-1");
    std::string decoded;
    arena.charge(text.size());
    decoded.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const auto character = valid_character_at(text, at);
        arguments.require(character && character->value < 0x100);
        decoded += static_cast<char>(character->value);
        at += character->bytes;
    }
    return PickleBytes{arena.keep(std::move(decoded))};
}

template <const char* name>
PickleValue mentioned(PickleArena& arena, const Arguments&) {
    return arena.make(PickleObject{.name = name});
}
constexpr char device[] = "torch.device", layout[] = "torch.layout", complex_number[] = "complex";

PickleValue numpy_type(PickleArena& arena, const Arguments& arguments) {
    arguments.require_size(1, 3);
    return arena.make(
        PickleObject{.role = Role::NumpyType, .name = "numpy.dtype", .key = arguments.get<PickleText>(0).text});
}

const ElementType* element_of(std::string_view numpy_code) {
    const auto elements = element_types();
    const auto found = std::find_if(elements.begin(), elements.end(), [&](const ElementType& candidate) {
        return !numpy_code.empty() && candidate.npy == numpy_code;
    });
    return found == elements.end() ? nullptr : &*found;
}

PickledTensor numpy_array(const PickleObject& type) {
    PickledTensor tensor;
    tensor.is_numpy = true;
    tensor.type = type.key;
    tensor.element = element_of(type.key);
    tensor.big_endian = type.big_endian;
    return tensor;
}

/// To be filled in by its state.
PickleValue numpy_reconstruct(PickleArena& arena, const Arguments& arguments) {
    arguments.require_size(3, 3);
    arguments.require(arguments.object(0, Role::Name).name == "numpy.ndarray");
    PickledTensor tensor;
    tensor.is_numpy = true;
    return arena.make(tensor);
}

/// bytes, type, shape, order: arrays in protocol 5.
PickleValue numpy_from_buffer(PickleArena& arena, const Arguments& arguments) {
    arguments.require_size(4, 5);
    auto tensor = numpy_array(arguments.object(1, Role::NumpyType));
    tensor.bytes = arguments.get<PickleBytes>(0).bytes;
    tensor.shape = arguments.sizes(2);
    tensor.fortran_order = arguments.get<PickleText>(3).text == "F";
    return arena.make(tensor);
}

PickleValue numpy_scalar(PickleArena& arena, const Arguments& arguments) {
    arguments.require_size(2, 2);
    const auto& type = arguments.object(0, Role::NumpyType);
    const auto* element = element_of(type.key);
    const auto* held = std::get_if<PickleBytes>(&arguments.at(1));
    // 64-bit integers may be beyond what a double represents, and plain numbers beside tensors are not needed.
    const bool is_wide = element && element->dtype == DType::Int64 && element->size == 8;
    if (!element || !held || is_wide)
        return arena.make(PickleObject{.name = "numpy.generic"});
    arguments.require(held->bytes.size() == static_cast<std::size_t>(element->size));
    double value = 0.0;
    element->decode(std::as_bytes(std::span(held->bytes)), is_swapped(type.big_endian), std::span(&value, 1),
                    arena.name(), 0);
    if (element->dtype == DType::Bool)
        return value != 0.0;
    if (element->dtype == DType::Int64)
        return static_cast<std::int64_t>(value);
    return value;
}

struct Known {
    std::string_view name;
    Call call = nullptr; ///< null for a name that is passed on
};

constexpr Known known[] = {
    {"torch._utils._rebuild_tensor", rebuild_tensor},
    {"torch._utils._rebuild_tensor_v2", rebuild_tensor},
    {"torch._utils._rebuild_tensor_v3", rebuild_typed_tensor},
    {"torch._utils._rebuild_parameter", rebuild_parameter},
    {"torch._utils._rebuild_parameter_with_state", rebuild_parameter},
    {"torch._tensor._rebuild_from_type_v2", rebuild_from_type},
    {"torch.Tensor"},
    {"torch.nn.parameter.Parameter"},
    {"torch.Size", same_tuple},
    {"torch.device", mentioned<device>},
    {"torch.serialization._get_layout", mentioned<layout>},
    {"collections.OrderedDict", dictionary},
    {"collections.Counter", same_dictionary},
    {"builtins.set", set},
    {"builtins.bytes", bytes},
    {"builtins.bytearray", bytes},
    {"builtins.complex", mentioned<complex_number>},
    {"_codecs.encode", bytes},
    {"numpy.ndarray"},
    {"numpy.dtype", numpy_type},
    {"numpy.core.multiarray._reconstruct", numpy_reconstruct},
    {"numpy._core.multiarray._reconstruct", numpy_reconstruct},
    {"numpy.core.multiarray.scalar", numpy_scalar},
    {"numpy._core.multiarray.scalar", numpy_scalar},
    {"numpy.core.numeric._frombuffer", numpy_from_buffer},
    {"numpy._core.numeric._frombuffer", numpy_from_buffer},
};

template <class Row, std::size_t count, class Name>
const Row* find(const Row (&table)[count], std::string_view name, Name Row::*column) {
    const auto* found = std::find_if(std::begin(table), std::end(table),
                                     [&](const Row& row) { return !name.empty() && row.*column == name; });
    return found == std::end(table) ? nullptr : found;
}

} // namespace

PickleValue named_object(PickleArena& arena, std::string_view module, std::string_view name) {
    // Python 2's name, still written by picklers of protocol 2.
    const auto full_name = std::string(module == "__builtin__" ? "builtins" : module) + "." + std::string(name);
    if (const auto* entry = find(known, full_name, &Known::name))
        return arena.make(PickleObject{.role = Role::Name, .name = entry->name});
    if (const auto* type = find(torch_types, full_name, &TorchType::storage))
        return arena.make(PickleObject{.role = Role::StorageType, .name = type->storage, .type = type});
    if (const auto* type = find(torch_types, full_name, &TorchType::name))
        return arena.make(PickleObject{.role = Role::Type, .name = type->name, .type = type});
    throw Error({ATTNLAB_TEXT("%1: holds an object of '%2', which is not read: only tensors, numbers, text, lists and "
                              "dictionaries are"),
                 {arena.name(), full_name}});
}

PickleValue called(PickleArena& arena, const PickleValue& function, const PickleValue& arguments) {
    const auto* const* object = std::get_if<PickleObject*>(&function);
    const auto* entry = object && (*object)->role == Role::Name ? find(known, (*object)->name, &Known::name) : nullptr;
    if (!entry || !entry->call)
        arena.fail();
    return entry->call(arena, Arguments(arena, arguments));
}

void set_state(PickleArena& arena, const PickleValue& target, const PickleValue& state) {
    if (std::holds_alternative<PickleDictionary*>(target))
        return; // attributes of a state_dict: the versions of its modules
    const Arguments given(arena, state);
    if (auto* const* type = std::get_if<PickleObject*>(&target); type && (*type)->role == Role::NumpyType) {
        (*type)->big_endian = given.get<PickleText>(1).text == ">";
        return;
    }
    auto* const* array = std::get_if<PickledTensor*>(&target);
    if (!array || !(*array)->is_numpy || (*array)->shape)
        arena.fail();
    given.require_size(5, 5);
    auto filled = numpy_array(given.object(2, Role::NumpyType));
    filled.shape = given.sizes(1);
    filled.fortran_order = given.get<bool>(3);
    if (filled.element) // others are refused by their type; Python objects are a list here
        filled.bytes = given.get<PickleBytes>(4).bytes;
    **array = filled;
}

PickleValue storage_of(PickleArena& arena, const PickleValue& id) {
    const Arguments parts(arena, id);
    parts.require_size(5, 6); // the fourth is the device
    parts.require(parts.get<PickleText>(0).text == "storage");
    const auto& type = parts.object(1, Role::StorageType);
    const auto key = parts.get<PickleText>(2).text;
    const auto count = parts.get<std::int64_t>(4);
    parts.require(count >= 0);
    if (parts.size() == 6 && !std::holds_alternative<std::monostate>(parts.at(5)))
        throw Error({ATTNLAB_TEXT("%1: its storage '%2' has a part that is a storage of its own, as old versions of "
                                  "PyTorch wrote; load it in PyTorch and save it again with torch.save"),
                     {arena.name(), excerpt(key)}});
    return arena.make(PickleObject{.role = Role::Storage,
                                   .name = type.name,
                                   .type = type.type,
                                   .key = key,
                                   .count = count,
                                   .element_size = type.type->size});
}

} // namespace attnlab::io
