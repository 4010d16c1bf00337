#include "core/lessons/line_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

namespace attnlab::lessons {
namespace {

constexpr std::size_t deepest = 32;

/// Walks over text and tells others, who have lost sight of it, how far it is.
struct CountingIterator {
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    const char* at;
    const char** furthest;

    reference operator*() const { return *at; }
    CountingIterator& operator++() {
        *furthest = ++at;
        return *this;
    }
    CountingIterator operator++(int) {
        auto before = *this;
        ++*this;
        return before;
    }
    bool operator==(const CountingIterator& other) const { return at == other.at; }
};

/// Takes the parser's events and builds the tree.
class TreeBuilder : public nlohmann::json_sax<nlohmann::json> {
public:
    TreeBuilder(std::string_view text, const std::string& file)
        : furthest(text.data()), text_(text), file_(std::make_shared<const std::string>(file)) {}

    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(number_integer_t value) override { return add(std::int64_t{value}); }
    bool number_unsigned(number_unsigned_t value) override {
        constexpr auto most = std::numeric_limits<std::int64_t>::max();
        return value <= std::uint64_t{most} ? add(static_cast<std::int64_t>(value)) : add(static_cast<double>(value));
    }
    bool number_float(number_float_t value, const string_t&) override { return add(value); }
    bool string(string_t& value) override { return add(value); }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(JsonNode::Members{}); }
    bool start_array(std::size_t) override { return open(JsonNode::Items{}); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }

    bool key(string_t& name) override {
        auto& members = std::get<JsonNode::Members>(open_.back().held);
        if (std::ranges::find(members, name, &std::pair<std::string, JsonNode>::first) != members.end())
            throw LessonError(*file_, line(), {ATTNLAB_TEXT("key '%1' is there twice"), {name}});
        open_.back().key = name;
        return true;
    }

    bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& error) override {
        // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while parsing ... - what"
        std::string what = error.what();
        if (const auto dash = what.find(" - "); dash != what.npos)
            what = what.substr(dash + 3);
        else if (const auto bracket = what.find("] "); bracket != what.npos)
            what = what.substr(bracket + 2);
        throw LessonError(*file_, line(), {ATTNLAB_TEXT("is no valid JSON here: %1"), {what}});
    }

    JsonNode take() { return std::move(root_.front()); }

    const char* furthest;

private:
    struct Open {
        JsonNode::Held held;
        int line;
        std::string path;
        std::string key;
    };

    /// Of the last token. The parser has read one character beyond a number, which may be the end of its line.
    int line() {
        const char* end = furthest > text_.data() ? furthest - 1 : furthest;
        line_ += static_cast<int>(std::count(counted_ ? counted_ : text_.data(), end, '\n'));
        counted_ = end;
        return line_;
    }

    std::string path() const {
        if (open_.empty())
            return "";
        const auto& parent = open_.back();
        if (const auto* items = std::get_if<JsonNode::Items>(&parent.held))
            return parent.path + "[" + std::to_string(items->size()) + "]";
        return parent.path.empty() ? parent.key : parent.path + "." + parent.key;
    }

    bool add(JsonNode::Held held) {
        place(JsonNode(std::move(held), line(), path(), file_));
        return true;
    }

    void place(JsonNode node) {
        if (open_.empty())
            root_.push_back(std::move(node));
        else if (auto* items = std::get_if<JsonNode::Items>(&open_.back().held))
            items->push_back(std::move(node));
        else
            std::get<JsonNode::Members>(open_.back().held).emplace_back(open_.back().key, std::move(node));
    }

    bool open(JsonNode::Held held) {
        if (open_.size() >= deepest)
            throw LessonError(*file_, line(),
                              {ATTNLAB_TEXT("is nested more than %1 levels deep"), {std::to_string(deepest)}});
        const auto here = line();
        open_.push_back({std::move(held), here, path(), {}});
        return true;
    }

    bool close() {
        auto done = std::move(open_.back());
        open_.pop_back();
        place(JsonNode(std::move(done.held), done.line, std::move(done.path), file_));
        return true;
    }

    std::string_view text_;
    std::shared_ptr<const std::string> file_;
    const char* counted_ = nullptr;
    int line_ = 1;
    std::vector<Open> open_;
    std::vector<JsonNode> root_;
};

} // namespace

std::string listed(std::span<const std::string_view> words) {
    std::string text;
    for (const auto word : words)
        text += (text.empty() ? "" : ", ") + std::string(word);
    return text;
}

JsonNode parse_json(std::string_view text, const std::string& file) {
    TreeBuilder builder(text, file);
    if (const auto nul = text.find('\0'); nul != text.npos) // the parser would take it for the end
        throw LessonError(file, 1 + static_cast<int>(std::ranges::count(text.substr(0, nul), '\n')),
                          ATTNLAB_TEXT("holds a NUL character"));
    const CountingIterator begin{text.data(), &builder.furthest}, end{text.data() + text.size(), &builder.furthest};
    nlohmann::json::sax_parse(begin, end, &builder);
    auto root = builder.take();
    root.members();
    return root;
}

std::string JsonNode::described() const {
    struct {
        std::string operator()(std::nullptr_t) const { return "null"; }
        std::string operator()(bool value) const { return value ? "true" : "false"; }
        std::string operator()(std::int64_t value) const { return std::to_string(value); }
        std::string operator()(double value) const { return to_text(value); }
        std::string operator()(const std::string& value) const { return "\"" + value + "\""; }
        std::string operator()(const Items&) const { return "a list"; }
        std::string operator()(const Members&) const { return "an object"; }
    } writer;
    return std::visit(writer, held_);
}

void JsonNode::fail(const Message& message) const { throw LessonError(*file_, line_, message); }

void JsonNode::fail_expecting(const std::string& what) const {
    if (path_.empty())
        fail({ATTNLAB_TEXT("is %1, expected %2"), {described(), what}});
    fail({ATTNLAB_TEXT("'%1' is %2, expected %3"), {path_, described(), what}});
}

const JsonNode::Members& JsonNode::members() const {
    if (const auto* members = std::get_if<Members>(&held_))
        return *members;
    fail_expecting("an object");
}

const JsonNode::Items& JsonNode::items() const {
    if (const auto* items = std::get_if<Items>(&held_))
        return *items;
    fail_expecting("a list");
}

const std::string& JsonNode::text() const {
    if (const auto* text = std::get_if<std::string>(&held_))
        return *text;
    fail_expecting("text");
}

bool JsonNode::boolean() const {
    if (const auto* value = std::get_if<bool>(&held_))
        return *value;
    fail_expecting("true or false");
}

std::int64_t JsonNode::integer() const {
    if (const auto* value = std::get_if<std::int64_t>(&held_))
        return *value;
    fail_expecting("an integer");
}

double JsonNode::number() const {
    if (const auto* value = std::get_if<double>(&held_))
        return *value;
    if (const auto* value = std::get_if<std::int64_t>(&held_))
        return static_cast<double>(*value);
    if (is_text("-inf"))
        return -std::numeric_limits<double>::infinity();
    if (is_text("inf"))
        return std::numeric_limits<double>::infinity();
    fail_expecting("a number, \"inf\" or \"-inf\"");
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
    if (path_.empty())
        fail({ATTNLAB_TEXT("'%1' is missing"), {std::string(key)}});
    fail({ATTNLAB_TEXT("'%1' is missing in '%2'"), {std::string(key), path_}});
}

void JsonNode::require_keys(std::initializer_list<std::string_view> known) const {
    for (const auto& [name, node] : members())
        if (std::ranges::find(known, name) == known.end())
            node.fail({ATTNLAB_TEXT("'%1' is unknown here, expected %2"),
                       {name, listed(std::span<const std::string_view>(known.begin(), known.size()))}});
}

const std::string& JsonNode::one_of(std::span<const std::string_view> words) const {
    if (std::ranges::find(words, text()) == words.end())
        fail_expecting("one of " + listed(words));
    return text();
}

} // namespace attnlab::lessons
