#include "core/tokens/read_parts.h"

namespace attnlab::tokens {

bool is_null(const io::JsonNode& node) { return std::holds_alternative<std::nullptr_t>(node.held()); }

const io::JsonNode* member(const io::JsonNode& part, std::string_view key) {
    const auto* node = part.find(key);
    return node && !is_null(*node) ? node : nullptr;
}

bool flag(const io::JsonNode& part, std::string_view key, bool otherwise) {
    const auto* node = member(part, key);
    return node ? node->boolean() : otherwise;
}

std::optional<std::string> optional_text(const io::JsonNode& part, std::string_view key) {
    const auto* node = member(part, key);
    return node ? std::optional(node->text()) : std::nullopt;
}

std::size_t count_in(const io::JsonNode& node) {
    if (node.integer() < 0)
        node.fail_expecting({ATTNLAB_TEXT("%1 or more"), {"0"}});
    return static_cast<std::size_t>(node.integer());
}

char32_t one_character(const io::JsonNode& node) {
    if (count_characters(node.text()) != 1)
        node.fail_expecting(ATTNLAB_TEXT("one character"));
    return character_at(node.text(), 0).value;
}

Pattern read_pattern(const io::JsonNode& node) {
    if (node.members().size() != 1)
        node.fail_expecting({ATTNLAB_TEXT("%1 or %2"), {"String", "Regex"}});
    const auto& [kind, pattern] = node.members().front();
    if (kind != "String" && kind != "Regex")
        fail_unknown(node, kind);
    return within(node, [&, &text = pattern, regex = kind == "Regex"] {
        return regex ? Pattern::oniguruma(text.text()) : Pattern::literal(text.text());
    });
}

std::string name_of(const io::JsonNode& part, const std::string& type) { return part.path() + " (" + type + ")"; }

void fail_unknown(const io::JsonNode& part, const std::string& type) {
    part.fail(ATTNLAB_TEXT("%1: %2: '%3' is unknown"), {part.path(), type});
}

} // namespace attnlab::tokens
