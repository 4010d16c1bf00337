// Reads JSON: nlohmann's parser, and a tree with lines and paths built from its events.
#include "core/io/json.h"

#include "core/io/file_formats.h"
#include "core/lookup.h"
#include "core/run_control.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

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
        fail(line(), ATTNLAB_TEXT("%1: is not valid JSON near byte %2: %3"),
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
                     ATTNLAB_TEXT("%1: is not valid JSON near byte %2: %3"), {std::to_string(nul + 1), "NUL"});
    const CountingIterator begin{text.data(), &builder.furthest, limits.control},
        end{text.data() + text.size(), &builder.furthest, limits.control};
    nlohmann::json::sax_parse(begin, end, &builder);
    if (!limits.any_root)
        result->root.members();
    return Json(std::move(result));
}

namespace {

/// Appends the path from `from` to `wanted`. False where `wanted` is not below `from`.
bool append_path(const JsonNode& from, const JsonNode* wanted, std::string& path) {
    if (&from == wanted)
        return true;
    const auto length = path.size();
    if (const auto* items = std::get_if<JsonNode::Items>(&from.held())) {
        for (std::size_t i = 0; i < items->size(); ++i) {
            path += "[" + std::to_string(i) + "]";
            if (append_path((*items)[i], wanted, path))
                return true;
            path.resize(length);
        }
    } else if (const auto* members = std::get_if<JsonNode::Members>(&from.held())) {
        for (const auto& [key, node] : *members) {
            path += (length == 0 ? "" : ".") + key;
            if (append_path(node, wanted, path))
                return true;
            path.resize(length);
        }
    }
    return false;
}

struct ToJson {
    nlohmann::json operator()(const JsonNode::Items& items) const {
        auto list = nlohmann::json::array();
        for (const auto& item : items)
            list.push_back(to_json(item));
        return list;
    }
    nlohmann::json operator()(const JsonNode::Members& members) const {
        auto object = nlohmann::json::object();
        for (const auto& [key, member] : members)
            object[key] = to_json(member);
        return object;
    }
    nlohmann::json operator()(const auto& value) const { return value; }
};

/// Writes what dump(to_json()) does, and polls meanwhile.
class MessageWriter {
public:
    explicit MessageWriter(const RunControl& control) : control_(control) {}

    const std::string& written() const { return written_; }
    void operator()(const JsonNode& node) {
        count();
        std::visit(*this, node.held());
    }
    void operator()(std::nullptr_t) { written_ += "null"; }
    void operator()(bool value) { written_ += value ? "true" : "false"; }
    void operator()(std::int64_t value) { written_ += std::to_string(value); }
    void operator()(std::uint64_t value) { written_ += std::to_string(value); }
    void operator()(double value) { written_ += dump(value); }
    void operator()(const std::string& text) {
        constexpr std::size_t most = 4096;
        written_ += dump(text.size() > most ? excerpt(text, most) : text);
    }
    void operator()(const JsonNode::Items& items) {
        const char* before = "[";
        for (const auto& item : items) {
            written_ += std::exchange(before, ",");
            (*this)(item);
        }
        written_ += items.empty() ? "[]" : "]";
    }
    void operator()(const JsonNode::Members& members) {
        std::vector<const JsonNode::Members::value_type*> sorted;
        for (const auto& member : members)
            sorted.push_back(&member);
        std::sort(sorted.begin(), sorted.end(), [this](const auto* a, const auto* b) {
            count();
            return a->first < b->first;
        });
        const char* before = "{";
        for (const auto* member : sorted) {
            written_ += std::exchange(before, ",");
            (*this)(member->first);
            written_ += ':';
            (*this)(member->second);
        }
        written_ += members.empty() ? "{}" : "}";
    }

private:
    void count() {
        constexpr std::size_t between_checkpoints = 1 << 12;
        if (++steps_ % between_checkpoints == 0)
            control_.checkpoint();
    }

    const RunControl& control_;
    std::string written_;
    std::size_t steps_ = 0;
};

} // namespace

const std::string& JsonNode::name_of_text() const { return text_->name; }

std::string JsonNode::path() const {
    std::string path;
    append_path(text_->root, this, path);
    return path;
}

/// The value itself, not translated.
std::string JsonNode::described() const { return excerpt(dump(to_json(*this))); }

void JsonNode::fail(const char* literal, std::vector<Argument> holes) const {
    text_->fail(text_->name, line_, literal, std::move(holes));
    std::abort(); // not reached: the call above throws
}

void JsonNode::fail_as(const char* literal) const { fail(literal, {path(), described()}); }

void JsonNode::fail_expecting(const Message& what) const {
    if (const auto where = path(); !where.empty())
        fail(ATTNLAB_TEXT("%1: '%2' is %3, expected %4"), {where, described(), what});
    fail(ATTNLAB_TEXT("%1: is %2, expected %3"), {described(), what});
}

const JsonNode::Members& JsonNode::members() const {
    if (const auto* members = std::get_if<Members>(&held_))
        return *members;
    if (this == &text_->root)
        fail(ATTNLAB_TEXT("%1: is %2, expected an object"), {described()});
    fail_as(ATTNLAB_TEXT("%1: '%2' is %3, expected an object"));
}

const JsonNode::Items& JsonNode::items() const {
    if (const auto* items = std::get_if<Items>(&held_))
        return *items;
    fail_as(ATTNLAB_TEXT("%1: '%2' is %3, expected a list"));
}

const std::string& JsonNode::text() const {
    if (const auto* text = std::get_if<std::string>(&held_))
        return *text;
    fail_as(ATTNLAB_TEXT("%1: '%2' is %3, expected text"));
}

bool JsonNode::boolean() const {
    if (const auto* value = std::get_if<bool>(&held_))
        return *value;
    fail_as(ATTNLAB_TEXT("%1: '%2' is %3, expected true or false"));
}

std::int64_t JsonNode::integer() const {
    if (const auto* value = std::get_if<std::int64_t>(&held_))
        return *value;
    fail_as(ATTNLAB_TEXT("%1: '%2' is %3, expected an integer of 64 bits"));
}

double JsonNode::number() const {
    if (const auto* value = std::get_if<double>(&held_))
        return *value;
    if (const auto* value = std::get_if<std::int64_t>(&held_))
        return static_cast<double>(*value);
    if (const auto* value = std::get_if<std::uint64_t>(&held_))
        return static_cast<double>(*value);
    if (is_text("-inf"))
        return -std::numeric_limits<double>::infinity();
    if (is_text("inf"))
        return std::numeric_limits<double>::infinity();
    fail_as(ATTNLAB_TEXT("%1: '%2' is %3, expected a number, \"inf\" or \"-inf\""));
}

const JsonNode* JsonNode::find(std::string_view key) const {
    for (const auto& [name, node] : members())
        if (name == key)
            return &node;
    return nullptr;
}

const JsonNode& JsonNode::at(std::string_view key) const {
    if (const auto* node = find(key))
        return *node;
    if (const auto where = path(); !where.empty())
        fail(ATTNLAB_TEXT("%1: '%2' is missing in '%3'"), {std::string(key), where});
    fail(ATTNLAB_TEXT("%1: '%2' is missing"), {std::string(key)});
}

void JsonNode::require_keys(std::initializer_list<std::string_view> known) const {
    for (const auto& [name, node] : members())
        if (std::ranges::find(known, name) == known.end())
            node.fail(ATTNLAB_TEXT("%1: '%2' is unknown to this version, expected %3"), {node.path(), listed(known)});
}

const std::string& JsonNode::one_of(std::span<const std::string_view> words) const {
    if (std::ranges::find(words, text()) == words.end())
        fail_expecting({ATTNLAB_TEXT("one of %1"), {listed(words)}});
    return text();
}

nlohmann::json to_json(const JsonNode& node) { return std::visit(ToJson(), node.held()); }

std::string dump(const nlohmann::json& json, int indent) {
    return json.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string dump_for_message(const JsonNode& node, const RunControl& control) {
    MessageWriter write(control);
    write(node);
    return write.written();
}

} // namespace attnlab::io
