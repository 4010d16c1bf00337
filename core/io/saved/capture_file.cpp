#include "core/io/saved/capture_file.h"

#include "core/io/file_formats.h"
#include "core/io/json.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace attnlab::io {
namespace {

/// Positions and windows: beyond the length of any text.
constexpr std::int64_t farthest = std::int64_t{1} << 40;
constexpr std::int64_t most_heads = std::int64_t{1} << 20;

std::int64_t integer_in(const JsonNode& node, std::int64_t least, std::int64_t most) {
    const auto value = node.integer();
    if (value < least || value > most)
        node.fail_expecting({ATTNLAB_TEXT("an integer from %1 to %2"), {std::to_string(least), std::to_string(most)}});
    return value;
}

double finite(const JsonNode& node, bool above_zero) {
    const double value = node.number();
    if (!std::isfinite(value) || (above_zero && value <= 0.0))
        node.fail_expecting(above_zero ? ATTNLAB_TEXT("a number above 0") : ATTNLAB_TEXT("a finite number"));
    return value;
}

const std::string& name_in(const JsonNode& node) {
    if (node.text().empty() || std::ssize(node.text()) > longest_label)
        node.fail_expecting(ATTNLAB_TEXT("a name"));
    return node.text();
}

std::vector<std::string> labels_in(const JsonNode& node, const std::string& file) {
    std::vector<std::string> labels;
    for (const auto& label : node.items())
        add_label(label.text(), labels, file);
    return labels;
}

std::vector<std::string> reasons_in(const JsonNode& node) {
    std::vector<std::string> reasons;
    for (const auto& reason : node.items()) {
        if (!is_capture_reason(reason.text()) || std::ranges::find(reasons, reason.text()) != reasons.end())
            reason.fail_expecting(ATTNLAB_TEXT("a reason that the format knows, once"));
        reasons.push_back(reason.text());
    }
    return reasons;
}

CapturedPass pass_in(const JsonNode& node) {
    node.require_keys({"name", "heads", "key_value_heads", "mechanism", "scale", "soft_cap", "causal", "offset",
                       "window", "mask", "bias", "query_tokens", "key_tokens", "ignored", "differs", "likely"});
    CapturedPass pass;
    pass.name = name_in(node.at("name"));
    pass.heads = integer_in(node.at("heads"), 1, most_heads);
    pass.key_value_heads = integer_in(node.at("key_value_heads"), 1, most_heads);
    const auto read = [&](const char* key, auto use) {
        if (const auto* member = node.find(key))
            use(*member);
    };
    read("mechanism", [&](const JsonNode& mechanism) { pass.mechanism = name_in(mechanism); });
    read("scale", [&](const JsonNode& scale) { pass.scale = finite(scale, false); });
    read("soft_cap", [&](const JsonNode& cap) { pass.soft_cap = finite(cap, true); });
    read("causal", [&](const JsonNode& causal) { pass.causal = causal.boolean(); });
    read("offset", [&](const JsonNode& offset) { pass.offset = integer_in(offset, -farthest, farthest); });
    read("window", [&](const JsonNode& window) { pass.window = integer_in(window, 1, farthest); });
    read("mask", [&](const JsonNode& mask) { pass.mask = name_in(mask); });
    read("bias", [&](const JsonNode& bias) { pass.bias = name_in(bias); });
    read("query_tokens", [&](const JsonNode& tokens) { pass.query_tokens = name_in(tokens); });
    read("key_tokens", [&](const JsonNode& tokens) { pass.key_tokens = name_in(tokens); });
    read("ignored", [&](const JsonNode& ignored) { pass.ignored = reasons_in(ignored); });
    read("differs", [&](const JsonNode& differs) { pass.differs = finite(differs, true); });
    read("likely", [&](const JsonNode& likely) { pass.likely = reasons_in(likely); });
    return pass;
}

} // namespace

Capture read_capture(std::string_view text, const std::string& file, TensorMap tensors, const RunControl* control) {
    const auto json = parse_json(text, file + ": " + capture_metadata, {.control = control});
    const auto& root = json.root();
    if (const auto& schema = root.at("schema"); schema.integer() != capture_schema)
        schema.fail_expecting(ATTNLAB_TEXT("1: a newer version may mean something else"));
    root.require_keys({"schema", "made_by", "title", "tokens", "passes"});
    Capture capture{.file = file, .tensors = std::move(tensors)};
    if (const auto* title = root.find("title"))
        capture.title = excerpt(title->text(), 200);
    if (const auto* made_by = root.find("made_by"))
        made_by->text();
    if (const auto* tokens = root.find("tokens"))
        for (const auto& [name, lists] : tokens->members()) {
            if (lists.items().empty())
                lists.fail_expecting(ATTNLAB_TEXT("a list of labels for each sequence"));
            for (const auto& labels : lists.items())
                capture.tokens[name].push_back(labels_in(labels, file));
        }
    std::set<std::string> names;
    for (const auto& node : root.at("passes").items()) {
        capture.passes.push_back(pass_in(node));
        if (!names.insert(capture.passes.back().name).second)
            node.at("name").fail_expecting(ATTNLAB_TEXT("a name that no other pass has"));
    }
    if (capture.passes.empty())
        root.at("passes").fail_expecting(ATTNLAB_TEXT("at least one pass"));
    check(capture);
    return capture;
}

} // namespace attnlab::io
