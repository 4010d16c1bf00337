// Builds the tree from the events of nlohmann's parser.
#include "core/io/file_formats.h"
#include "core/io/json.h"
#include "core/run_control.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iterator>

namespace attnlab::io {
namespace {

/// Iterates over text and records the position, which the parser does not expose.
struct CountingIterator {
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    const char* at;
    const char** furthest;
    const RunControl* control;

    reference operator*() const { return *at; }
    CountingIterator& operator++() {
        *furthest = ++at;
        constexpr std::uintptr_t between_checkpoints = 1 << 16;
        if (control && reinterpret_cast<std::uintptr_t>(at) % between_checkpoints == 0)
            control->checkpoint();
        return *this;
    }
    CountingIterator operator++(int) {
        auto before = *this;
        ++*this;
        return before;
    }
    bool operator==(const CountingIterator& other) const { return at == other.at; }
};

/// Receives the parser's events and builds the tree.
class TreeBuilder : public nlohmann::json_sax<nlohmann::json> {
public:
    TreeBuilder(std::string_view text, JsonText& result, const JsonLimits& limits)
        : furthest(text.data()), text_(text), result_(result), limits_(limits) {}

    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(number_integer_t value) override { return add(std::int64_t{value}); }
    bool number_unsigned(number_unsigned_t value) override {
        return value <= std::uint64_t{INT64_MAX} ? add(static_cast<std::int64_t>(value)) : add(std::uint64_t{value});
    }
    bool number_float(number_float_t value, const string_t&) override { return add(value); }
    bool string(string_t& value) override { return add(std::move(value)); }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(JsonNode::Members{}); }
    bool start_array(std::size_t) override { return open(JsonNode::Items{}); }
    bool end_array() override { return close(); }
    bool end_object() override {
        check_keys(std::get<JsonNode::Members>(open_.back().held));
        return close();
    }
    bool key(string_t& name) override {
        open_.back().key = std::move(name);
        return true;
    }

    bool parse_error(std::size_t byte, const std::string&, const nlohmann::json::exception& error) override {
        constexpr int number_out_of_range = 406;
        if (error.id == number_out_of_range)
            fail(line(), ATTNLAB_TEXT("%1: holds a number outside the range of float64"));
        // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while parsing ... - what"
        std::string what = error.what();
        if (const auto dash = what.find(" - "); dash != what.npos)
            what = what.substr(dash + 3);
        else if (const auto bracket = what.find("] "); bracket != what.npos)
            what = what.substr(bracket + 2);
        constexpr std::size_t most = 120;
        fail(line(), ATTNLAB_TEXT("%1: is no valid JSON near byte %2: %3"),
             {std::to_string(byte), excerpt(what, most)});
    }

    [[noreturn]] void fail(int line, const char* literal, std::vector<Argument> holes = {}) const {
        result_.fail(result_.name, line, literal, std::move(holes));
        std::abort(); // not reached: the call above throws
    }

    const char* furthest;

private:
    struct Open {
        JsonNode::Held held;
        int line;
        std::string key;
    };

    /// The line of the last token. After a number the parser has read one character ahead, possibly the end of the
    /// line.
    int line() {
        const char* end = furthest > text_.data() ? furthest - 1 : furthest;
        line_ += static_cast<int>(std::count(counted_ ? counted_ : text_.data(), end, '\n'));
        counted_ = end;
        return line_;
    }

    /// Equal keys have equal hashes, which are sorted faster.
    static bool may_have_equal_keys(const JsonNode::Members& members) {
        std::vector<std::size_t> hashes;
        hashes.reserve(members.size());
        for (const auto& [key, node] : members)
            hashes.push_back(std::hash<std::string>()(key));
        std::ranges::sort(hashes);
        return std::ranges::adjacent_find(hashes) != hashes.end();
    }

    void check_keys(const JsonNode::Members& members) const {
        if (!may_have_equal_keys(members))
            return;
        std::vector<const JsonNode::Members::value_type*> sorted;
        for (const auto& member : members)
            sorted.push_back(&member);
        std::ranges::stable_sort(sorted, {}, [](const auto* member) -> const std::string& { return member->first; });
        const auto twice = std::ranges::adjacent_find(
            sorted, {}, [](const auto* member) -> const std::string& { return member->first; });
        if (twice != sorted.end())
            fail((*std::next(twice))->second.line(), ATTNLAB_TEXT("%1: key '%2' is there twice"), {(*twice)->first});
    }

    void count() {
        if (++values_ > limits_.max_values)
            fail(line(), ATTNLAB_TEXT("%1: holds more than %2 values"), {std::to_string(limits_.max_values)});
    }

    bool add(JsonNode::Held held) {
        count();
        place(JsonNode(std::move(held), line(), result_));
        return true;
    }

    void place(JsonNode node) {
        if (open_.empty())
            result_.root = std::move(node);
        else if (auto* items = std::get_if<JsonNode::Items>(&open_.back().held))
            items->push_back(std::move(node));
        else
            std::get<JsonNode::Members>(open_.back().held).emplace_back(std::move(open_.back().key), std::move(node));
    }

    bool open(JsonNode::Held held) {
        count();
        if (open_.size() >= limits_.max_depth)
            fail(line(), ATTNLAB_TEXT("%1: is nested more than %2 levels deep"), {std::to_string(limits_.max_depth)});
        open_.push_back({std::move(held), line(), {}});
        return true;
    }

    bool close() {
        auto done = std::move(open_.back());
        open_.pop_back();
        place(JsonNode(std::move(done.held), done.line, result_));
        return true;
    }

    std::string_view text_;
    JsonText& result_;
    const JsonLimits& limits_;
    std::int64_t values_ = 0;
    const char* counted_ = nullptr;
    int line_ = 1;
    std::vector<Open> open_;
};

[[noreturn]] void throw_error(const std::string& place, const char* literal, std::vector<Argument> holes) {
    holes.insert(holes.begin(), place);
    throw Error({literal, std::move(holes)});
}

/// For text of one line.
void fail_in(const std::string& name, int, const char* literal, std::vector<Argument> holes) {
    throw_error(name, literal, std::move(holes));
}

void fail_in_line(const std::string& name, int line, const char* literal, std::vector<Argument> holes) {
    throw_error(name + ":" + std::to_string(line), literal, std::move(holes));
}

} // namespace

Json parse_json(std::string_view text, const std::string& name, const JsonLimits& limits, JsonFailure fail) {
    const bool several_lines = text.find('\n') < text.find_last_not_of(" \t\r\n");
    auto result = std::make_unique<JsonText>(name, fail ? fail : several_lines ? fail_in_line : fail_in);
    TreeBuilder builder(text, *result, limits);
    if (std::ssize(text) > limits.max_bytes)
        builder.fail(1, ATTNLAB_TEXT("%1: takes %2 bytes; at most %3 may be read"),
                     {std::to_string(text.size()), std::to_string(limits.max_bytes)});
    if (const auto nul = text.find('\0'); nul != text.npos) // the parser would treat it as the end
        builder.fail(1 + static_cast<int>(std::ranges::count(text.substr(0, nul), '\n')),
                     ATTNLAB_TEXT("%1: is no valid JSON near byte %2: %3"), {std::to_string(nul + 1), "NUL"});
    const CountingIterator begin{text.data(), &builder.furthest, limits.control},
        end{text.data() + text.size(), &builder.furthest, limits.control};
    nlohmann::json::sax_parse(begin, end, &builder);
    if (!limits.any_root)
        result->root.members();
    return Json(std::move(result));
}

} // namespace attnlab::io
