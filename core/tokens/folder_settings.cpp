#include "core/tokens/folder_settings.h"

#include "core/io/file_bytes.h"

#include <algorithm>

namespace attnlab::tokens {
namespace {

constexpr std::int64_t largest_settings = std::int64_t{1} << 24;

std::optional<io::Json> read_settings(const std::filesystem::path& file) {
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored))
        return {};
    return io::parse_json(io::read_file(file, largest_settings), file.filename().string());
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

FolderSettings::FolderSettings(const std::filesystem::path& folder)
    : model_(read_settings(folder / "config.json")), tokenizer_(read_settings(folder / "tokenizer_config.json")),
      map_(read_settings(folder / "special_tokens_map.json")), added_(read_settings(folder / "added_tokens.json")) {}

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

std::vector<AddedToken>
FolderSettings::special_tokens(const std::vector<std::pair<std::string, std::string>>& defaults) const {
    std::vector<AddedToken> tokens;
    const auto add = [&](AddedToken token) {
        if (std::ranges::find(tokens, token.content, &AddedToken::content) == tokens.end())
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

namespace {

/// The first part of the type, in sequences too; null without one.
const io::JsonNode* part_of_type(const io::JsonNode* part, std::string_view type) {
    if (!part || part->at("type").is_text(type))
        return part;
    for (const auto* key : {"normalizers", "pretokenizers"})
        if (const auto* list = member(*part, key))
            for (const auto& step : list->items())
                if (const auto* found = part_of_type(&step, type))
                    return found;
    return nullptr;
}

std::string spelled(bool value) { return value ? "true" : "false"; }

/// The spellings in a setting: a text, a token, a list of them or an object of them.
void add_spellings(const io::JsonNode& node, std::vector<std::string>& texts) {
    if (node.is_text()) {
        texts.push_back(node.text());
    } else if (node.is_list()) {
        for (const auto& item : node.items())
            add_spellings(item, texts);
    } else if (std::holds_alternative<io::JsonNode::Members>(node.held())) {
        if (const auto* content = node.find("content"))
            return add_spellings(*content, texts);
        for (const auto& [key, value] : node.members())
            add_spellings(value, texts);
    }
}

/// Whether the tokenizer puts a space or its sign before a text; nullopt without a part that could.
std::optional<bool> prefixes_space(const io::JsonNode& made) {
    const auto* before = member(made, "pre_tokenizer");
    if (const auto* bytes = part_of_type(before, "ByteLevel"))
        return bytes->at("add_prefix_space").boolean();
    if (const auto* meta = part_of_type(before, "Metaspace"))
        return read_prepend_scheme(*meta) != Prepend::Never;
    if (part_of_type(member(made, "normalizer"), "Prepend"))
        return true;
    return {};
}

} // namespace

std::vector<IgnoredSetting> ignored_settings(const std::filesystem::path& config, const io::JsonNode& made) {
    const auto settings = read_settings(config);
    std::vector<IgnoredSetting> ignored;
    const auto compare = [&](const char* key, std::optional<bool> has) {
        const auto* said = settings->root().find(key);
        if (said && said->is_boolean() && has && said->boolean() != *has)
            ignored.push_back({key,
                               spelled(said->boolean()),
                               {ATTNLAB_TEXT("is %1, but tokenizer.json has %2 and is followed"),
                                {spelled(said->boolean()), spelled(*has)}}});
    };
    if (const auto* bert = part_of_type(member(made, "normalizer"), "BertNormalizer")) {
        const bool lowercase = bert->at("lowercase").boolean();
        compare("do_lower_case", lowercase);
        compare("strip_accents", tokens::flag(*bert, "strip_accents", lowercase));
        compare("tokenize_chinese_chars", bert->at("handle_chinese_chars").boolean());
    }
    compare("add_prefix_space", prefixes_space(made));
    compare("split_special_tokens", false);

    std::vector<std::string> known;
    if (const auto* list = member(made, "added_tokens"))
        for (const auto& token : list->items())
            known.push_back(token.at("content").text());
    for (const auto* key : {"added_tokens_decoder", "additional_special_tokens", "extra_special_tokens", "bos_token",
                            "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"}) {
        std::vector<std::string> texts;
        if (const auto* said = settings->root().find(key))
            add_spellings(*said, texts);
        for (const auto& text : texts)
            if (!text.empty() && std::ranges::find(known, text) == known.end()) {
                ignored.push_back(
                    {key,
                     text,
                     {ATTNLAB_TEXT("has '%1', which is not among the added_tokens of tokenizer.json and is not added"),
                      {text}}});
                known.push_back(text); // said once
            }
    }
    return ignored;
}

} // namespace attnlab::tokens
