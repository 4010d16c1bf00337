#include "core/io/npy.h"

#include "core/io/elements.h"
#include "core/io/file_numbers.h"
#include "core/message.h"
#include "core/utf8.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <memory>
#include <optional>
#include <ostream>
#include <system_error>
#include <utility>

namespace attnlab::io {
namespace {

constexpr std::string_view magic = "\x93NUMPY";

/// Parses the only kind of Python literal that a header may be: {'descr': '<f8', 'fortran_order': False, 'shape': (2,
/// 3)}.
class HeaderParser {
public:
    HeaderParser(std::string_view text, std::string_view name) : text_(text), name_(name) {}

    NpyHeader parse() {
        expect('{');
        while (!accept('}')) {
            read_entry();
            if (!accept(',')) {
                expect('}');
                break;
            }
        }
        skip_blanks();
        if (position_ != text_.size())
            fail();
        require(descr_.has_value(), "descr");
        require(fortran_order_.has_value(), "fortran_order");
        require(shape_.has_value(), "shape");
        return {*descr_, *fortran_order_, *shape_, 0};
    }

private:
    [[noreturn]] void fail() const {
        throw Error({ATTNLAB_TEXT("%1: its header cannot be understood at character %2, expected a dictionary with "
                                  "descr, fortran_order and shape"),
                     {std::string(name_), std::to_string(position_ + 1)}});
    }

    void require(bool present, const char* key) const {
        if (!present)
            throw Error({ATTNLAB_TEXT("%1: its header has no '%2'"), {std::string(name_), key}});
    }

    void read_entry() {
        const auto key = read_string();
        expect(':');
        if (key == "descr" && !descr_)
            descr_ = read_descr();
        else if (key == "fortran_order" && !fortran_order_)
            fortran_order_ = read_bool();
        else if (key == "shape" && !shape_)
            shape_ = read_shape();
        else
            fail();
    }

    void skip_blanks() {
        while (position_ < text_.size() && std::string_view(" \t\r\n").find(text_[position_]) != std::string_view::npos)
            ++position_;
    }

    bool accept(char wanted) {
        skip_blanks();
        if (position_ == text_.size() || text_[position_] != wanted)
            return false;
        ++position_;
        return true;
    }

    void expect(char wanted) {
        if (!accept(wanted))
            fail();
    }

    bool accept_word(std::string_view word) {
        skip_blanks();
        if (!text_.substr(position_).starts_with(word))
            return false;
        position_ += word.size();
        return true;
    }

    std::string read_string() {
        if (!accept_word("u'") && !accept_word("'") && !accept_word("u\"") && !accept_word("\""))
            fail();
        const char quote = text_[position_ - 1];
        const auto end = text_.find(quote, position_);
        if (end == std::string_view::npos)
            fail();
        const auto content = text_.substr(position_, end - position_);
        if (content.find('\\') != std::string_view::npos)
            fail();
        position_ = end + 1;
        return std::string(content);
    }

    std::string read_descr() {
        if (accept('[') || accept('('))
            throw Error({ATTNLAB_TEXT("%1: holds records (several fields in one element), expected plain numbers; save "
                                      "each field as an array of its own"),
                         {std::string(name_)}});
        return read_string();
    }

    bool read_bool() {
        if (accept_word("True"))
            return true;
        if (!accept_word("False"))
            fail();
        return false;
    }

    Shape read_shape() {
        Shape shape;
        bool comma = true;
        expect('(');
        while (!accept(')')) {
            if (!comma)
                fail();
            shape.push_back(read_size());
            comma = accept(',');
            if (shape.size() > largest_rank)
                throw Error(
                    {ATTNLAB_TEXT("%1: has more than %2 axes"), {std::string(name_), std::to_string(largest_rank)}});
        }
        if (shape.size() == 1 && !comma)
            fail(); // (3) is a number in Python, not a tuple
        return shape;
    }

    std::int64_t read_size() {
        skip_blanks();
        std::int64_t size = 0;
        const auto rest = text_.substr(position_);
        const auto [end, code] = std::from_chars(rest.data(), rest.data() + rest.size(), size);
        if (code == std::errc::result_out_of_range)
            throw Error(
                {ATTNLAB_TEXT("%1: its shape has a size that is more than memory can address"), {std::string(name_)}});
        if (code != std::errc{})
            fail();
        position_ = static_cast<std::size_t>(end - text_.data());
        if (position_ < text_.size() && text_[position_] == 'L')
            ++position_; // Python 2 wrote long integers this way
        return size;
    }

    std::string_view text_;
    std::string_view name_;
    std::size_t position_ = 0;
    std::optional<std::string> descr_;
    std::optional<bool> fortran_order_;
    std::optional<Shape> shape_;
};

std::int64_t little_endian(std::string_view bytes) {
    std::int64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;)
        value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
}

[[noreturn]] void fail_cut_short(std::string_view name, std::int64_t has, std::int64_t expected) {
    throw Error({ATTNLAB_TEXT("%1: is cut short within its header: has %2 bytes, expected at least %3"),
                 {std::string(name), std::to_string(has), std::to_string(expected)}});
}

} // namespace

NpyHeader read_npy_header(const ByteSource& bytes, std::int64_t offset, std::int64_t size, std::string_view name) {
    constexpr std::int64_t longest_beginning = 12;
    const auto beginning = bytes.text(offset, std::min(size, longest_beginning));
    const auto compared = std::min(beginning.size(), magic.size());
    if (beginning.empty() || beginning.substr(0, compared) != magic.substr(0, compared))
        throw Error(
            {ATTNLAB_TEXT("%1: is not a NumPy array: it does not begin with the bytes 93 NUMPY"), {std::string(name)}});
    if (size < 10)
        fail_cut_short(name, size, 10);

    const int major = static_cast<unsigned char>(beginning[6]), minor = static_cast<unsigned char>(beginning[7]);
    if (major < 1 || major > 3 || minor != 0)
        throw Error({ATTNLAB_TEXT("%1: has NPY format version %2.%3, expected 1.0, 2.0 or 3.0"),
                     {std::string(name), std::to_string(major), std::to_string(minor)}});

    const std::int64_t length_bytes = major == 1 ? 2 : 4;
    const auto begin = 8 + length_bytes;
    if (size < begin)
        fail_cut_short(name, size, begin);
    const auto length = little_endian(std::string_view(beginning).substr(8, static_cast<std::size_t>(length_bytes)));
    if (length > largest_npy_header)
        throw Error({ATTNLAB_TEXT("%1: its header takes %2 bytes; at most %3 may be read"),
                     {std::string(name), std::to_string(length), std::to_string(largest_npy_header)}});
    if (size - begin < length)
        fail_cut_short(name, size, begin + length);

    const auto text = bytes.text(offset + begin, length);
    auto header = HeaderParser(text, name).parse();
    header.data_offset = begin + length;
    return header;
}

namespace {

Message refusal(const std::string& descr, char kind, std::string_view name) {
    const std::vector<Argument> holes{std::string(name), descr};
    switch (kind) {
    case 'O':
        return {ATTNLAB_TEXT("%1: holds Python objects (pickled), which could run code when read; save it as numbers"),
                holes};
    case 'c':
        return {ATTNLAB_TEXT("%1: holds complex numbers ('%2'), expected real ones"), holes};
    case 'S':
    case 'a':
    case 'U':
        return {ATTNLAB_TEXT("%1: holds text ('%2'), expected numbers"), holes};
    case 'M':
    case 'm':
        return {ATTNLAB_TEXT("%1: holds dates or times ('%2'), expected numbers"), holes};
    case 'V':
        return {ATTNLAB_TEXT("%1: holds records or raw bytes ('%2'), expected numbers; save bfloat16 as float32"),
                holes};
    default:
        return unknown_type(descr, name);
    }
}

bool swapped_order(std::string_view descr) {
    constexpr char foreign = std::endian::native == std::endian::little ? '>' : '<';
    return descr.starts_with(foreign);
}

[[noreturn]] void fail_by_type(const std::string& descr, char kind, std::string_view name) {
    throw UnreadableType(refusal(descr, kind, name), std::string_view("SaU").find(kind) != std::string_view::npos);
}

const ElementType& element_type(const std::string& descr, std::string_view name, bool& swapped) {
    const bool has_order = !descr.empty() && std::string_view("<>|=").find(descr.front()) != std::string_view::npos;
    const auto code = std::string_view(descr).substr(has_order ? 1 : 0);
    const auto types = element_types();
    // With a byte order V2 is bfloat16 as ml_dtypes and JAX have it; NumPy's own raw bytes are '|V2'.
    const bool bfloat16 = descr == "<V2" || descr == ">V2";
    const auto type = std::find_if(types.begin(), types.end(), [&](const ElementType& candidate) {
        return bfloat16 ? candidate.dtype == DType::BFloat16 : !code.empty() && candidate.npy == code;
    });
    if (type == types.end())
        fail_by_type(descr, code.empty() ? '\0' : code.front(), name);
    swapped = swapped_order(descr);
    return *type;
}

/// From Fortran order (first axis fastest) to C order (last axis fastest).
std::vector<double> in_c_order(const std::vector<double>& values, const Shape& shape, const ReadLimits& limits) {
    Shape strides;
    std::int64_t stride = 1;
    for (const auto size : shape) {
        strides.push_back(stride);
        stride *= size;
    }
    Shape index(shape.size(), 0);
    std::int64_t position = 0;
    return numbers_in_pieces(std::ssize(values), limits, [&](std::int64_t, std::span<double> piece) {
        for (auto& value : piece) {
            value = values[static_cast<std::size_t>(position)];
            for (std::size_t axis = shape.size(); axis-- > 0;) {
                position += strides[axis];
                if (++index[axis] < shape[axis])
                    break;
                position -= strides[axis] * shape[axis];
                index[axis] = 0;
            }
        }
    });
}

std::string written_header(const ElementType& type, const Shape& shape) {
    const std::string descr = (type.size == 1 ? "|" : "<") + std::string(type.npy);
    std::string dictionary = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + to_string(shape) + ", }";
    // The numbers begin at a multiple of 64 bytes, as in NumPy.
    constexpr std::size_t fixed = 10;
    const auto length = (fixed + dictionary.size() + 1 + 63) / 64 * 64 - fixed;
    dictionary.resize(length - 1, ' ');
    std::string header("\x93NUMPY\x01\x00", 8);
    header += static_cast<char>(length & 0xff);
    header += static_cast<char>(length >> 8);
    return header + dictionary + '\n';
}

/// The bytes of an array.
struct NpyBytes {
    std::shared_ptr<const ByteSource> bytes;
    std::int64_t offset;
    std::int64_t size;
};

const ElementType& type_to_write(const Tensor& tensor) {
    if (tensor.source())
        return compact_npy_type(tensor);
    const bool is_floating = tensor.dtype() != DType::Bool && tensor.dtype() != DType::Int64;
    return is_floating ? written_type(DType::Float64) : written_type(tensor);
}

/// The decoded header.
struct Layout {
    NpyHeader header;
    const ElementType* type;
    bool swapped;
};

Layout layout_of(const NpyBytes& npy, std::string_view name) {
    Layout found{read_npy_header(*npy.bytes, npy.offset, npy.size, name), nullptr, false};
    found.type = &element_type(found.header.descr, name, found.swapped);
    return found;
}

void check_size(const Layout& found, std::int64_t size, std::int64_t count, std::string_view name) {
    // No overflow: element_count keeps count * 8 within 64 bits.
    const auto expected = count * found.type->size;
    const auto there = size - found.header.data_offset;
    if (there != expected)
        throw Error({ATTNLAB_TEXT("%1: has %2 bytes of numbers, expected %3 for shape %4 of type '%5'"),
                     {std::string(name), std::to_string(there), std::to_string(expected), to_string(found.header.shape),
                      found.header.descr}});
}

/// All numbers, checked.
Tensor loaded_npy(const NpyBytes& npy, const Layout& found, const std::string& name, const ReadLimits& limits) {
    const auto& header = found.header;
    const auto count = checked_count(header.shape, name, limits);
    std::vector<double> values;
    try {
        values =
            elements_at(*npy.bytes, npy.offset + header.data_offset, *found.type, found.swapped, count, name, limits);
    } catch (const Error&) {
        npy.bytes->verify(); // a number that is refused may be damaged
        throw;
    }
    npy.bytes->verify();
    if (header.fortran_order)
        values = in_c_order(values, header.shape, limits);
    return Tensor(header.shape, std::move(values), found.type->dtype);
}

Tensor read(const NpyBytes& npy, const std::shared_ptr<const InputFile>& file, const std::string& name,
            const ReadLimits& limits) {
    const auto found = layout_of(npy, name);
    const auto& header = found.header;
    const auto first = npy.offset + header.data_offset;
    const auto count = element_count(header.shape, name);
    if (file && !header.fortran_order && stays_in_file(*found.type, count, limits)) {
        check_size(found, npy.size, count, name);
        return Tensor::from(header.shape, numbers_in(file, first, *found.type, found.swapped, count, name),
                            found.type->dtype);
    }
    if (limits.defer)
        check_rank(header.shape, name);
    else
        checked_count(header.shape, name, limits);
    check_size(found, npy.size, count, name);
    if (!limits.defer)
        return loaded_npy(npy, found, name, limits);
    DeferredNumbers::How how{.load = [=] { return loaded_npy(npy, found, name, limits); }};
    if (!header.fortran_order)
        how.read = [=](std::int64_t from, std::span<double> values) {
            checked_count(found.header.shape, name, limits);
            read_elements(*npy.bytes, first + from * found.type->size, *found.type, found.swapped, values, name,
                          static_cast<std::size_t>(from));
        };
    how.bytes = count * static_cast<std::int64_t>(sizeof(double));
    how.meanwhile = header.fortran_order ? how.bytes : 0;
    return deferred(header.shape, found.type->dtype, std::move(how));
}

/// One text of a fixed width without its zero padding; nullopt where it is not valid Unicode.
std::optional<std::string> text_of(std::string_view bytes, bool is_utf32, bool swapped) {
    std::string text;
    if (!is_utf32) {
        text = bytes.substr(0, bytes.find_last_not_of('\0') + 1);
        return is_utf8(text) ? std::optional(text) : std::nullopt;
    }
    std::size_t zeros = 0;
    for (std::size_t at = 0; at < bytes.size(); at += 4) {
        std::uint32_t point = 0;
        for (std::size_t i = 0; i < 4; ++i)
            point |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + (swapped ? 3 - i : i)]))
                     << (8 * i);
        if (point == 0) {
            ++zeros;
            continue;
        }
        text.append(std::exchange(zeros, 0), '\0');
        if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff))
            return std::nullopt;
        append_character(text, point);
    }
    return text;
}

} // namespace

std::vector<std::string> read_npy_texts(std::span<const std::byte> bytes, std::string_view name,
                                        const ReadLimits& limits) {
    const MemoryBytes held(bytes);
    const auto header = read_npy_header(held, 0, held.size(), name);
    const std::string_view descr = header.descr;
    const auto start = descr.find_first_not_of("<>|=");
    const char kind = start < descr.size() ? descr[start] : '\0';
    if (kind != 'U' && kind != 'S' && kind != 'a')
        throw Error({ATTNLAB_TEXT("%1: is of type '%2', expected text"), {std::string(name), header.descr}});
    std::int64_t width = 0;
    const auto digits = descr.substr(start + 1);
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), width);
    constexpr std::int64_t utf32_unit = 4;
    if (code != std::errc{} || end != digits.data() + digits.size() || width < 0 || width > longest_label)
        throw Error({ATTNLAB_TEXT("%1: holds text of type '%2'; at most %3 characters each may be read"),
                     {std::string(name), header.descr, std::to_string(longest_label)}});
    // Labels of one sequence, possibly in a batch of one.
    const auto count = element_count(header.shape, name);
    const auto longest = header.shape.empty() ? 1 : *std::max_element(header.shape.begin(), header.shape.end());
    if (count != longest)
        throw UnreadableType({ATTNLAB_TEXT("%1: holds texts of shape %2, expected one axis: labels of one sequence"),
                              {std::string(name), to_string(header.shape)}},
                             true);
    if (count > most_labels)
        throw Error({ATTNLAB_TEXT("%1: has more than %2 labels"), {std::string(name), std::to_string(most_labels)}});
    const auto size = kind == 'U' ? width * utf32_unit : width;
    const auto there = held.size() - header.data_offset;
    if (there != count * size)
        throw Error({ATTNLAB_TEXT("%1: has %2 bytes of text, expected %3 for shape %4 of type '%5'"),
                     {std::string(name), std::to_string(there), std::to_string(count * size), to_string(header.shape),
                      header.descr}});
    std::vector<std::string> texts;
    for (std::int64_t i = 0; i < count; ++i) {
        limits.checkpoint();
        const auto element = held.text(header.data_offset + i * size, size);
        auto text = text_of(element, kind == 'U', swapped_order(descr));
        if (!text)
            throw Error({ATTNLAB_TEXT("%1: its text number %2, counted from 0, is not Unicode"),
                         {std::string(name), std::to_string(i)}});
        add_label(std::move(*text), texts, name);
    }
    return texts;
}

Tensor read_npy(std::span<const std::byte> bytes, std::string_view name, const ReadLimits& limits) {
    const auto held = std::make_shared<const MemoryBytes>(bytes);
    auto now = limits;
    now.defer = false; // the bytes are the caller's
    return read({held, 0, held->size()}, nullptr, std::string(name), now);
}

Tensor read_npy(const std::filesystem::path& path, const ReadLimits& limits) {
    const auto file = std::make_shared<const InputFile>(path);
    return read_npy(file, 0, file->size(), path.string(), limits);
}

Tensor read_npy(const std::shared_ptr<const InputFile>& file, std::int64_t offset, std::int64_t size,
                std::string_view name, const ReadLimits& limits) {
    return read({file, offset, size}, file, std::string(name), limits);
}

Tensor read_npy(const std::shared_ptr<const ByteSource>& bytes, std::string_view name, const ReadLimits& limits) {
    return read({bytes, 0, bytes->size()}, nullptr, std::string(name), limits);
}

const ElementType& compact_npy_type(const Tensor& tensor) {
    const auto& type = written_type(tensor);
    return type.npy.empty() ? written_type(DType::Float32) : type;
}

NpyPieces::NpyPieces(const Tensor& tensor) : NpyPieces(tensor, type_to_write(tensor)) {}

NpyPieces::NpyPieces(const Tensor& tensor, const ElementType& type)
    : tensor_(tensor), type_(type), header_(written_header(type, tensor.shape())) {}

std::int64_t NpyPieces::size() const { return std::ssize(header_) + tensor_.size() * type_.size; }

bool NpyPieces::next(std::string& bytes) {
    bytes.clear();
    if (at_ < 0) {
        bytes = header_;
        at_ = 0;
        return true;
    }
    constexpr std::int64_t at_once = 1 << 16;
    std::vector<double> numbers(static_cast<std::size_t>(std::min(at_once, tensor_.size() - at_)));
    tensor_.read(at_, std::span(numbers));
    type_.append(bytes, numbers);
    at_ += std::ssize(numbers);
    return !numbers.empty();
}

std::string write_npy(const Tensor& tensor) {
    NpyPieces pieces(tensor);
    std::string text, piece;
    text.reserve(static_cast<std::size_t>(pieces.size()));
    while (pieces.next(piece))
        text += piece;
    return text;
}

void write_npy(std::ostream& stream, const Tensor& tensor, const RunControl& control) {
    NpyPieces pieces(tensor);
    std::int64_t done = 0;
    for (std::string piece; stream && pieces.next(piece); control.checkpoint()) {
        stream.write(piece.data(), static_cast<std::streamsize>(piece.size()));
        done += std::ssize(piece);
        control.report(static_cast<double>(done) / static_cast<double>(pieces.size()));
    }
}

std::string write_npy(const Shape& shape, std::span<const float> values) {
    const auto& type = written_type(DType::Float32);
    auto text = written_header(type, shape);
    text.reserve(text.size() + values.size_bytes());
    constexpr std::size_t some = 4096;
    std::vector<double> part;
    for (std::size_t first = 0; first < values.size(); first += some) {
        const auto floats = values.subspan(first, std::min(some, values.size() - first));
        part.assign(floats.begin(), floats.end());
        type.append(text, part);
    }
    return text;
}

} // namespace attnlab::io
