#include "core/io/json.h"

#include "core/io/file_formats.h"
#include "core/run_control.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>
#include <vector>

namespace attnlab::io {
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
            node.fail(ATTNLAB_TEXT("%1: '%2' is unknown to this version, expected %3"),
                      {node.path(), listed(std::span<const std::string_view>(known.begin(), known.size()))});
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

std::string listed(std::span<const std::string_view> words) {
    std::string text;
    for (const auto word : words)
        text += (text.empty() ? "" : ", ") + std::string(word);
    return text;
}

} // namespace attnlab::io
