#include "core/model/weights/gguf_file.h"

#include "core/model/weights/mapped_weights.h"
#include "core/run_control.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <set>

namespace attnlab::model {
namespace {

/// For messages: "text", "an array of 3 numbers".
struct KindOfValue {
    Message operator()(bool value) const { return value ? "true" : "false"; }
    Message operator()(std::int64_t value) const { return {"%1", {std::to_string(value)}}; }
    Message operator()(double value) const { return {"%1", {to_text(value)}}; }
    Message operator()(const std::string&) const { return ATTNLAB_TEXT("text"); }
    template <class Item>
    Message operator()(const std::vector<Item>& items) const {
        return {ATTNLAB_TEXT("an array of %1"), {std::to_string(items.size())}};
    }
};

/// As JSON.
struct TextOfValue {
    static constexpr std::size_t most_items = 256;

    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const { return attnlab::to_text(value); }
    std::string operator()(const std::string& value) const { return '"' + value + '"'; }
    std::string operator()(const GgufValue& value) const { return value_text(value); }
    template <class Item>
    std::string operator()(const std::vector<Item>& items) const {
        std::string list;
        for (std::size_t i = 0; i < std::min(items.size(), most_items); ++i)
            list += (i == 0 ? "" : ",") + (*this)(items[i]);
        return "[" + list + (items.size() > most_items ? ",...]" : "]");
    }
};

} // namespace

std::string value_text(const GgufValue& value) { return std::visit(TextOfValue(), value.held); }

const GgufValue* GgufMetadata::find(std::string_view key) const {
    const auto found = values_.find(key);
    if (found == values_.end())
        return nullptr;
    read_.emplace(key);
    return &found->second;
}

std::vector<std::string> GgufMetadata::unread() const {
    std::vector<std::string> left;
    for (const auto& [key, value] : values_)
        if (!read_.contains(key))
            left.push_back(key);
    return left;
}

void GgufMetadata::fail(std::string_view key, const char* expected) const {
    const auto* value = find(key);
    if (!value)
        throw Error({ATTNLAB_TEXT("%1: has no '%2', expected %3"), {file_, std::string(key), Message(expected)}});
    throw Error({ATTNLAB_TEXT("%1: '%2' is %3, expected %4"),
                 {file_, std::string(key), std::visit(KindOfValue(), value->held), Message(expected)}});
}

template <class Held>
const Held& GgufMetadata::at(std::string_view key, const char* expected) const {
    const auto* value = find(key);
    const auto* held = value ? std::get_if<Held>(&value->held) : nullptr;
    return held ? *held : (fail(key, expected), *held);
}

const std::string& GgufMetadata::text(std::string_view key) const { return at<std::string>(key, ATTNLAB_TEXT("text")); }
std::int64_t GgufMetadata::integer(std::string_view key) const {
    return at<std::int64_t>(key, ATTNLAB_TEXT("an integer"));
}
bool GgufMetadata::boolean(std::string_view key) const { return at<bool>(key, ATTNLAB_TEXT("true or false")); }
const GgufTexts& GgufMetadata::texts(std::string_view key) const {
    return at<GgufTexts>(key, ATTNLAB_TEXT("an array of text"));
}
const GgufIntegers& GgufMetadata::integers(std::string_view key) const {
    return at<GgufIntegers>(key, ATTNLAB_TEXT("an array of integers"));
}
const GgufNumbers& GgufMetadata::numbers(std::string_view key) const {
    return at<GgufNumbers>(key, ATTNLAB_TEXT("an array of numbers"));
}

double GgufMetadata::number(std::string_view key) const {
    const auto* value = find(key);
    if (const auto* whole = value ? std::get_if<std::int64_t>(&value->held) : nullptr)
        return static_cast<double>(*whole);
    return at<double>(key, ATTNLAB_TEXT("a number"));
}

namespace {

/// Types of values in the file.
enum MetadataType : std::uint32_t { U8, I8, U16, I16, U32, I32, Float32, Bool, Text, Array, U64, I64, Float64 };
constexpr std::uint64_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 1, 8, 12, 8, 8, 8}; ///< the least that one takes
constexpr int deepest = 4;

bool is_integer(std::uint32_t type) { return type <= I32 || type == U64 || type == I64; }
bool is_float(std::uint32_t type) { return type == Float32 || type == Float64; }

} // namespace

void GgufCursor::require(std::uint64_t count, std::uint64_t each) {
    const auto left = static_cast<std::uint64_t>(end_ - position());
    if (count > left / each)
        throw Error({ATTNLAB_TEXT("%1: is cut short or damaged within its header: at byte %2 it announces %3 things of "
                                  "at least %4 bytes each"),
                     {name_, std::to_string(position()), std::to_string(count), std::to_string(each)}});
}

void GgufCursor::copy(char* to, std::size_t count) {
    require(count, 1);
    while (count > 0) {
        if (used_ == buffer_.size()) {
            if (control_)
                control_->checkpoint();
            buffer_begin_ = position();
            buffer_ = bytes_.text(buffer_begin_, std::min<std::int64_t>(1 << 16, end_ - buffer_begin_));
            used_ = 0;
        }
        const auto part = std::min(count, buffer_.size() - used_);
        std::memcpy(to, buffer_.data() + used_, part);
        used_ += part;
        to += part;
        count -= part;
    }
}

std::string GgufCursor::text() {
    const auto length = number<std::uint64_t>();
    require(length, 1);
    std::string text(static_cast<std::size_t>(length), '\0');
    copy(text.data(), text.size());
    return text;
}

std::int64_t GgufCursor::integer(std::uint32_t type, const std::string& key) {
    switch (type) {
    case U8:
        return number<std::uint8_t>();
    case I8:
        return number<std::int8_t>();
    case U16:
        return number<std::uint16_t>();
    case I16:
        return number<std::int16_t>();
    case U32:
        return number<std::uint32_t>();
    case I32:
        return number<std::int32_t>();
    case I64:
        return number<std::int64_t>();
    default:
        break;
    }
    const auto value = number<std::uint64_t>();
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        throw Error({ATTNLAB_TEXT("%1: '%2' is %3, expected an integer within 64 bits with a sign"),
                     {name_, key, std::to_string(value)}});
    return static_cast<std::int64_t>(value);
}

bool GgufCursor::boolean(const std::string& key) {
    const auto value = number<std::uint8_t>();
    if (value > 1)
        throw Error({ATTNLAB_TEXT("%1: '%2' is %3, expected 0 or 1 for a bool"), {name_, key, std::to_string(value)}});
    return value == 1;
}

template <class Item, class Read>
std::vector<Item> GgufCursor::items(std::uint64_t count, std::uint64_t each, Read read) {
    require(count, each);
    std::vector<Item> items;
    items.reserve(static_cast<std::size_t>(count));
    for (std::uint64_t i = 0; i < count; ++i)
        items.push_back(read());
    return items;
}

GgufValue GgufCursor::array(const std::string& key, int depth) {
    if (depth == deepest)
        throw Error({ATTNLAB_TEXT("%1: '%2' has arrays that are nested more than %3 deep"),
                     {name_, key, std::to_string(deepest)}});
    const auto type = number<std::uint32_t>();
    const auto count = number<std::uint64_t>();
    const auto each = type < std::size(sizes) ? sizes[type] : 1;
    if (is_integer(type))
        return {items<std::int64_t>(count, each, [&] { return integer(type, key); })};
    if (type == Bool)
        return {items<std::int64_t>(count, each, [&] { return boolean(key) ? 1 : 0; })};
    if (type == Float32)
        return {items<double>(count, each, [&] { return double{number<float>()}; })};
    if (type == Float64)
        return {items<double>(count, each, [&] { return number<double>(); })};
    if (type == Text)
        return {items<std::string>(count, each, [&] { return text(); })};
    return {items<GgufValue>(count, each, [&] { return value(type, key, depth + 1); })};
}

GgufValue GgufCursor::value(std::uint32_t type, const std::string& key, int depth) {
    if (is_integer(type))
        return {integer(type, key)};
    if (is_float(type))
        return {type == Float32 ? double{number<float>()} : number<double>()};
    if (type == Bool)
        return {boolean(key)};
    if (type == Text)
        return {text()};
    if (type == Array)
        return array(key, depth);
    throw Error(
        {ATTNLAB_TEXT("%1: '%2' has a value of type %3, which is not known"), {name_, key, std::to_string(type)}});
}

namespace {

using enum WeightType;
constexpr GgufType types[] = {
    {0, "F32", 1, 4, F32},        {1, "F16", 1, 2, F16},        {2, "Q4_0", 32, 18, Q4_0},
    {3, "Q4_1", 32, 20, Q4_1},    {6, "Q5_0", 32, 22, Q5_0},    {7, "Q5_1", 32, 24, Q5_1},
    {8, "Q8_0", 32, 34, Q8_0},    {9, "Q8_1", 32, 40, {}},      {10, "Q2_K", 256, 84, {}},
    {11, "Q3_K", 256, 110, {}},   {12, "Q4_K", 256, 144, Q4_K}, {13, "Q5_K", 256, 176, Q5_K},
    {14, "Q6_K", 256, 210, Q6_K}, {15, "Q8_K", 256, 292, {}},   {16, "IQ2_XXS", 256, 66, {}},
    {17, "IQ2_XS", 256, 74, {}},  {18, "IQ3_XXS", 256, 98, {}}, {19, "IQ1_S", 256, 50, {}},
    {20, "IQ4_NL", 32, 18, {}},   {21, "IQ3_S", 256, 110, {}},  {22, "IQ2_S", 256, 82, {}},
    {23, "IQ4_XS", 256, 136, {}}, {24, "I8", 1, 1, {}},         {25, "I16", 1, 2, {}},
    {26, "I32", 1, 4, {}},        {27, "I64", 1, 8, {}},        {28, "F64", 1, 8, F64},
    {29, "IQ1_M", 256, 56, {}},   {30, "BF16", 1, 2, BF16},     {34, "TQ1_0", 256, 54, {}},
    {35, "TQ2_0", 256, 66, {}},   {39, "MXFP4", 32, 17, MXFP4},
};

constexpr std::uint32_t most_axes = 4;
constexpr std::int64_t default_alignment = 32, largest_alignment = 1 << 20;
constexpr const char* alignment_key = "general.alignment";

void check_magic(GgufCursor& cursor, const io::ByteSource& bytes) {
    const auto magic = bytes.text(0, std::min<std::int64_t>(4, bytes.size()));
    if (magic == "vers") // "version https://git-lfs..."
        throw Error({ATTNLAB_TEXT("%1: is not a GGUF file, but may be a pointer to one; 'git lfs pull' fetches it"),
                     {cursor.name()}});
    if (magic == "lmgg" || magic == "fmgg" || magic == "tjgg")
        throw Error({ATTNLAB_TEXT("%1: is in a format of ggml from before GGUF, which is not read; convert it with "
                                  "llama.cpp"),
                     {cursor.name()}});
    if (!begins_gguf(magic))
        throw Error({ATTNLAB_TEXT("%1: is not a GGUF file: it does not begin with 'GGUF'"), {cursor.name()}});
    cursor.number<std::uint32_t>();
}

std::int64_t read_version(GgufCursor& cursor) {
    const auto version = cursor.number<std::uint32_t>();
    if (version != 0 && (version & 0xffff) == 0)
        throw Error({ATTNLAB_TEXT("%1: is in big-endian byte order, which is not read"), {cursor.name()}});
    if (version != 2 && version != 3)
        throw Error(
            {ATTNLAB_TEXT("%1: is version %2 of GGUF, expected 2 or 3"), {cursor.name(), std::to_string(version)}});
    return version;
}

void read_metadata(GgufCursor& cursor, std::uint64_t count, GgufMetadata& metadata) {
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto key = cursor.text();
        const auto type = cursor.number<std::uint32_t>();
        if (!metadata.add(key, cursor.value(type, key)))
            throw Error({ATTNLAB_TEXT("%1: key '%2' is there twice"), {cursor.name(), key}});
    }
}

std::int64_t alignment_of(const GgufMetadata& metadata) {
    if (!metadata.has(alignment_key))
        return default_alignment;
    const auto alignment = metadata.integer(alignment_key);
    if (alignment < 1 || alignment > largest_alignment || (alignment & (alignment - 1)) != 0)
        throw Error({ATTNLAB_TEXT("%1: '%2' is %3, expected a power of two of at most %4"),
                     {metadata.file(), alignment_key, std::to_string(alignment), std::to_string(largest_alignment)}});
    return alignment;
}

const GgufType& type_of(std::uint32_t id, const std::string& full_name) {
    const auto* type = std::find_if(std::begin(types), std::end(types), [=](const auto& t) { return t.id == id; });
    if (type == std::end(types))
        throw Error({ATTNLAB_TEXT("%1: is of type %2 of ggml, which is not known"), {full_name, std::to_string(id)}});
    return *type;
}

Shape read_shape(GgufCursor& cursor, const std::string& full_name) {
    const auto axes = cursor.number<std::uint32_t>();
    if (axes > most_axes)
        throw Error({ATTNLAB_TEXT("%1: has more than %2 axes"), {full_name, std::to_string(most_axes)}});
    Shape shape(axes);
    for (auto& size : shape)
        size = cursor.number<std::int64_t>();
    std::reverse(shape.begin(), shape.end());
    return shape;
}

std::int64_t bytes_of(const GgufTensor& tensor) {
    const auto count = element_count(tensor.shape, tensor.full_name);
    const auto columns = tensor.shape.empty() ? 1 : tensor.shape.back();
    if (columns % tensor.type->block != 0)
        throw Error({ATTNLAB_TEXT("%1: has rows of %2 numbers, expected a multiple of %3 for type '%4'"),
                     {tensor.full_name, std::to_string(columns), std::to_string(tensor.type->block),
                      std::string(tensor.type->name)}});
    return count / tensor.type->block * tensor.type->bytes; // no overflow: element_count keeps count * 8 within 64 bits
}

/// With an offset from the end of the header.
GgufTensor read_tensor(GgufCursor& cursor, std::int64_t alignment) {
    GgufTensor tensor;
    tensor.name = cursor.text();
    if (tensor.name.empty())
        throw Error({ATTNLAB_TEXT("%1: holds a tensor without a name"), {cursor.name()}});
    tensor.full_name = cursor.name() + ": " + tensor.name;
    tensor.shape = read_shape(cursor, tensor.full_name);
    tensor.type = &type_of(cursor.number<std::uint32_t>(), tensor.full_name);
    tensor.size = bytes_of(tensor);
    const auto begin = cursor.number<std::uint64_t>();
    if (begin % static_cast<std::uint64_t>(alignment) != 0)
        throw Error({ATTNLAB_TEXT("%1: its data begin at byte %2, expected a multiple of the alignment %3"),
                     {tensor.full_name, std::to_string(begin), std::to_string(alignment)}});
    tensor.begin = begin > static_cast<std::uint64_t>(INT64_MAX) ? INT64_MAX : static_cast<std::int64_t>(begin);
    return tensor;
}

/// Polls every few thousand steps.
class Polls {
public:
    explicit Polls(const RunControl* control) : control_(control) {}
    void count() const {
        constexpr std::size_t between_checkpoints = 1 << 12;
        if (control_ && ++steps_ % between_checkpoints == 0)
            control_->checkpoint();
    }

private:
    const RunControl* control_;
    mutable std::size_t steps_ = 0;
};

/// Throws unless every tensor lies in the file, apart from the others, and has a name of its own.
void check_layout(const std::vector<GgufTensor>& tensors, std::int64_t data_size, const Polls& polls) {
    std::set<std::string_view> names;
    std::vector<const GgufTensor*> order;
    for (const auto& tensor : tensors) {
        polls.count();
        if (!names.insert(tensor.name).second)
            throw Error({ATTNLAB_TEXT("%1: is there twice, expected one tensor of each name"), {tensor.full_name}});
        if (tensor.begin > data_size || tensor.size > data_size - tensor.begin)
            throw Error({ATTNLAB_TEXT("%1: its %2 bytes begin at byte %3, but only %4 follow the header: the file is "
                                      "cut short"),
                         {tensor.full_name, std::to_string(tensor.size), std::to_string(tensor.begin),
                          std::to_string(data_size)}});
        order.push_back(&tensor);
    }
    std::sort(order.begin(), order.end(), [&](const auto* a, const auto* b) {
        polls.count();
        return a->begin < b->begin;
    });
    std::int64_t filled = 0;
    for (const auto* tensor : order) {
        if (tensor->size > 0 && tensor->begin < filled)
            throw Error({ATTNLAB_TEXT("%1: its data begin at byte %2, expected at least %3: it overlaps another "
                                      "tensor"),
                         {tensor->full_name, std::to_string(tensor->begin), std::to_string(filled)}});
        filled = std::max(filled, tensor->begin + tensor->size);
    }
}

} // namespace

bool begins_gguf(std::string_view beginning) { return beginning.starts_with("GGUF"); }

GgufHeader read_gguf_header(const io::ByteSource& bytes, const std::string& name, const RunControl* control) {
    GgufCursor cursor(bytes, name, std::min(bytes.size(), largest_gguf_header), control);
    check_magic(cursor, bytes);
    GgufHeader header{read_version(cursor), 0, GgufMetadata(name), {}};
    constexpr std::uint64_t least_tensor = 8 + 4 + 4 + 8, least_pair = 8 + 4 + 1;
    const auto tensor_count = cursor.number<std::uint64_t>();
    cursor.require(tensor_count, least_tensor);
    const auto pair_count = cursor.number<std::uint64_t>();
    cursor.require(pair_count, least_pair);
    read_metadata(cursor, pair_count, header.metadata);
    header.alignment = alignment_of(header.metadata);
    cursor.require(tensor_count, least_tensor);
    for (std::uint64_t i = 0; i < tensor_count; ++i)
        header.tensors.push_back(read_tensor(cursor, header.alignment));
    const auto data_begin = (cursor.position() + header.alignment - 1) / header.alignment * header.alignment;
    check_layout(header.tensors, std::max<std::int64_t>(0, bytes.size() - data_begin), Polls(control));
    for (auto& tensor : header.tensors)
        tensor.begin += data_begin;
    return header;
}

namespace {

constexpr const char* parts_key = "split.count";

Message why_unread(const GgufTensor& tensor) {
    if (tensor.type->block == 1)
        return no_weights(tensor.full_name, tensor.type->name);
    return {ATTNLAB_TEXT("%1: is of type '%2', which is not read; convert it to Q8_0, or to Q4_K, Q5_K or Q6_K"),
            {tensor.full_name, std::string(tensor.type->name)}};
}

} // namespace

GgufFile open_gguf(const std::filesystem::path& path, const RunControl& control) {
    const auto file = std::make_shared<const io::MappedFile>(path);
    auto header = read_gguf_header(file->file(), path.string(), &control);
    if (header.metadata.has(parts_key) && header.metadata.integer(parts_key) > 1)
        throw Error({ATTNLAB_TEXT("%1: is one of %2 files of a model; join them with gguf-split of llama.cpp"),
                     {path.string(), std::to_string(header.metadata.integer(parts_key))}});
    auto weights = std::make_shared<MappedWeights>(path.string());
    weights->keep(file);
    for (const auto& tensor : header.tensors) {
        control.checkpoint();
        const auto bytes =
            file->bytes().subspan(static_cast<std::size_t>(tensor.begin), static_cast<std::size_t>(tensor.size));
        if (tensor.type->type)
            weights->add({tensor.name, tensor.full_name, tensor.shape, *tensor.type->type, bytes});
        else
            weights->refuse(tensor.name, why_unread(tensor));
    }
    return {std::move(header.metadata), weights};
}

} // namespace attnlab::model
