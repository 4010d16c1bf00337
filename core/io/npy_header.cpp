#include "core/io/npy_header.h"

#include "core/io/elements.h"
#include "core/message.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>

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
            {ATTNLAB_TEXT("%1: is no NumPy array: it does not begin with the bytes 93 NUMPY"), {std::string(name)}});
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

} // namespace attnlab::io
