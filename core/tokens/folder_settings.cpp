#include "core/tokens/folder_settings.h"

#include "core/io/file_bytes.h"

#include <algorithm>
#include <set>

namespace attnlab::tokens {
namespace {

constexpr std::int64_t largest_settings = std::int64_t{1} << 24;

std::optional<io::Json> read_settings(const std::filesystem::path& file, const RunControl& control) {
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored))
        return {};
    return io::parse_json(io::read_file(file, largest_settings, &control), file.filename().string(),
                          {.control = &control});
}

/// A text, or an object with its "content".
AddedToken token_of(const io::JsonNode& node) {
    AddedToken token;
    token.normalized = false;
    token.special = true;
    if (node.is_text()) {
        token.content = node.text();
        return token;
    }
    token.content = node.at("content").text();
    token.single_word = flag(node, "single_word", false);
    token.lstrip = flag(node, "lstrip", false);
    token.rstrip = flag(node, "rstrip", false);
    token.normalized = flag(node, "normalized", false);
    token.special = flag(node, "special", true);
    return token;
}

} // namespace

FolderSettings::FolderSettings(const std::filesystem::path& folder, const RunControl& control)
    : model_(read_settings(folder / "config.json", control)),
      tokenizer_(read_settings(folder / "tokenizer_config.json", control)),
      map_(read_settings(folder / "special_tokens_map.json", control)),
      added_(read_settings(folder / "added_tokens.json", control)) {}

std::optional<std::string> FolderSettings::tokenizer() const {
    if (tokenizer_)
        if (auto name = optional_text(tokenizer_->root(), "tokenizer_class");
            name && *name != "TokenizersBackend" && *name != "PreTrainedTokenizerFast")
            return name;
    return model_ ? optional_text(model_->root(), "model_type") : std::nullopt;
}

const io::JsonNode* FolderSettings::find(std::string_view key) const {
    for (const auto* file : {&tokenizer_, &map_})
        if (*file)
            if (const auto* node = member((*file)->root(), key))
                return node;
    return nullptr;
}

bool FolderSettings::flag(std::string_view key, bool otherwise) const {
    return tokenizer_ ? tokens::flag(tokenizer_->root(), key, otherwise) : otherwise;
}

std::string FolderSettings::text(std::string_view key, std::string_view otherwise) const {
    const auto* node = find(key);
    return node ? token_of(*node).content : std::string(otherwise);
}

std::vector<AddedToken> FolderSettings::special_tokens(const std::vector<std::pair<std::string, std::string>>& defaults,
                                                       Budget& budget) const {
    std::vector<AddedToken> tokens;
    std::set<std::string> seen;
    const auto add = [&](AddedToken token) {
        budget.spend(16 + token.content.size());
        if (seen.insert(token.content).second)
            tokens.push_back(std::move(token));
    };
    if (tokenizer_)
        if (const auto* list = member(tokenizer_->root(), "added_tokens_decoder"))
            for (const auto& [id, token] : list->members())
                add(token_of(token));
    if (added_) {
        auto listed = added_->root().members();
        std::ranges::sort(listed, {}, [](const auto& entry) { return entry.second.integer(); });
        for (const auto& [content, id] : listed)
            add({.content = content});
    }
    for (const auto& [key, spelled] : defaults) {
        const auto* node = find(key);
        add(node ? token_of(*node) : AddedToken{.content = spelled, .normalized = false, .special = true});
    }
    return tokens;
}

} // namespace attnlab::tokens
