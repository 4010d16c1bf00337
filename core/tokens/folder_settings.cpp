#include "core/tokens/folder_settings.h"

#include "core/io/file_bytes.h"
#include "core/io/file_formats.h"
#include "core/lookup.h"
#include "core/tokens/unread_settings.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <unordered_map>

namespace attnlab::tokens {
namespace {

constexpr std::int64_t largest_settings = std::int64_t{1} << 24;

constexpr std::size_t steps_of_setting = 16; ///< of a Budget

/// In the order in which Transformers adds them.
constexpr std::array<std::string_view, 7> special_keys = {"bos_token", "eos_token", "unk_token", "sep_token",
                                                          "pad_token", "cls_token", "mask_token"};

std::optional<io::Json> read_settings(const std::filesystem::path& file, const RunControl& control) {
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored))
        return {};
    return io::parse_json(io::read_file(file, largest_settings, &control), file.filename().string(),
                          {.control = &control});
}

/// A text, or an object with its "content". `special`: where the object does not say.
AddedToken token_of(const io::JsonNode& node, bool special = true) {
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
    token.special = flag(node, "special", special);
    token.normalized = flag(node, "normalized", !token.special);
    return token;
}

bool is_token(const io::JsonNode& node) {
    return node.is_text() || (std::holds_alternative<io::JsonNode::Members>(node.held()) && node.find("content"));
}

std::string without_fast(std::string name) {
    if (name.ends_with("Fast"))
        name.resize(name.size() - 4);
    return name;
}

struct NamedKind {
    std::string_view name;
    TokenizerKind kind;
};

constexpr NamedKind kinds_of_class[] = {
    {"BertTokenizer", TokenizerKind::Bert},       {"DistilBertTokenizer", TokenizerKind::Bert},
    {"ElectraTokenizer", TokenizerKind::Bert},    {"GPT2Tokenizer", TokenizerKind::Gpt2},
    {"RobertaTokenizer", TokenizerKind::Roberta}, {"BartTokenizer", TokenizerKind::Roberta},
    {"LlamaTokenizer", TokenizerKind::Llama},     {"Qwen2Tokenizer", TokenizerKind::Qwen2},
    {"GemmaTokenizer", TokenizerKind::Gemma},     {"GPTNeoXTokenizer", TokenizerKind::GptNeox},
    {"T5Tokenizer", TokenizerKind::T5},
};

/// The class that Transformers 5 registers for a type of model. Empty: read as it stands, whatever the files say.
struct Registered {
    std::string_view type, name;
    bool always = false; ///< the class that the files state is known to be wrong
};

constexpr Registered registered_classes[] = {
    {"bert", "BertTokenizer"},
    {"distilbert", "BertTokenizer"},
    {"electra", "BertTokenizer"},
    {"roberta", "RobertaTokenizer"},
    {"bart", "RobertaTokenizer"},
    {"gpt2", "GPT2Tokenizer"},
    {"opt", "GPT2Tokenizer"},
    {"gpt_neox", "GPTNeoXTokenizer"},
    {"qwen2", "Qwen2Tokenizer", true},
    {"qwen3", "Qwen2Tokenizer"},
    {"gemma", "GemmaTokenizer"},
    {"gemma2", "GemmaTokenizer"},
    {"gemma3", "GemmaTokenizer"},
    {"gemma3_text", "GemmaTokenizer"},
    {"t5", "T5Tokenizer"},
    {"mt5", "T5Tokenizer"},
    {"mistral", ""},
    {"ministral", ""},
    {"olmo2", ""},
    {"olmo3", ""},
    {"phi3", "", true},
};

TokenizerKind kind_of_class(std::string_view name) {
    for (const auto& known : kinds_of_class)
        if (known.name == name)
            return known.kind;
    return TokenizerKind::Other;
}

/// The special tokens that the class has unless the files state others.
FolderSettings::Defaults defaults_of(TokenizerKind kind) {
    switch (kind) {
    case TokenizerKind::Other:
        return {};
    case TokenizerKind::Bert:
        return {{"unk_token", "[UNK]"},
                {"sep_token", "[SEP]"},
                {"pad_token", "[PAD]"},
                {"cls_token", "[CLS]"},
                {"mask_token", "[MASK]"}};
    case TokenizerKind::Gpt2:
        return {{"bos_token", "<|endoftext|>"}, {"eos_token", "<|endoftext|>"}, {"unk_token", "<|endoftext|>"}};
    case TokenizerKind::Roberta:
        return {{"bos_token", "<s>"},   {"eos_token", "</s>"}, {"unk_token", "<unk>"},  {"sep_token", "</s>"},
                {"pad_token", "<pad>"}, {"cls_token", "<s>"},  {"mask_token", "<mask>"}};
    case TokenizerKind::Llama:
        return {{"bos_token", "<s>"}, {"eos_token", "</s>"}, {"unk_token", "<unk>"}};
    case TokenizerKind::Qwen2:
        return {{"eos_token", "<|endoftext|>"}, {"unk_token", "<|endoftext|>"}, {"pad_token", "<|endoftext|>"}};
    case TokenizerKind::Gemma:
        return {{"bos_token", "<bos>"},
                {"eos_token", "<eos>"},
                {"unk_token", "<unk>"},
                {"pad_token", "<pad>"},
                {"mask_token", "<mask>"}};
    case TokenizerKind::GptNeox:
        return {{"bos_token", "<|endoftext|>"},
                {"eos_token", "<|endoftext|>"},
                {"unk_token", "<|endoftext|>"},
                {"pad_token", "<|padding|>"}};
    case TokenizerKind::T5:
        return {{"eos_token", "</s>"}, {"unk_token", "<unk>"}, {"pad_token", "<pad>"}};
    }
    return {};
}

/// The number of T5's "<extra_id_0>" and so on.
std::int64_t sentinels(const io::JsonNode* stated) {
    constexpr std::int64_t usual = 100, most = 10000;
    if (!stated)
        return usual;
    if (stated->integer() < 0 || stated->integer() > most)
        stated->fail_expecting({ATTNLAB_TEXT("a number from %1 to %2"), {"0", std::to_string(most)}});
    return stated->integer();
}

} // namespace

bool applies_prefix_space(TokenizerKind kind) {
    return kind == TokenizerKind::Gpt2 || kind == TokenizerKind::Roberta || kind == TokenizerKind::Qwen2 ||
           kind == TokenizerKind::GptNeox;
}

FolderSettings::FolderSettings(const std::filesystem::path& folder, const RunControl& control)
    : control_(control), model_(read_settings(folder / "config.json", control)),
      tokenizer_(read_settings(folder / "tokenizer_config.json", control)),
      map_(read_settings(folder / "special_tokens_map.json", control)),
      added_(read_settings(folder / "added_tokens.json", control)), read_(std::make_shared<std::set<std::string>>()) {}

const io::JsonNode* FolderSettings::stated(std::string_view key) const {
    control_.checkpoint(); // the search takes time in a file of many settings
    read_->emplace(key);
    return tokenizer_ ? member(tokenizer_->root(), key) : nullptr;
}

std::optional<std::string> FolderSettings::tokenizer() const {
    if (const auto* name = stated("tokenizer_class"))
        if (!name->is_text("TokenizersBackend") && !name->is_text("PreTrainedTokenizerFast"))
            return name->text();
    return model_ ? optional_text(model_->root(), "model_type") : std::nullopt;
}

TokenizerKind FolderSettings::kind(bool has_bytes) const {
    const auto type = model_ ? optional_text(model_->root(), "model_type").value_or("") : "";
    const auto* said = stated("tokenizer_class");
    auto name = said ? said->text() : model_ ? optional_text(model_->root(), "tokenizer_class").value_or("") : "";
    name = without_fast(name);
    const auto* registered = lookup(registered_classes, type, &Registered::type);
    if (name.empty())
        return registered ? kind_of_class(registered->name) : TokenizerKind::Other;
    if (name == "LlamaTokenizer" && has_bytes)
        return TokenizerKind::Other;
    return kind_of_class(registered && (registered->name.empty() || registered->always) ? registered->name : name);
}

FolderSettings::ClassName FolderSettings::class_name() const {
    constexpr const char* key = "tokenizer_class";
    const auto type = model_ ? optional_text(model_->root(), "model_type") : std::nullopt;
    const auto* registered = lookup(registered_classes, type.value_or(""), &Registered::type);
    const bool always = registered && registered->always;
    const auto* said = stated(key);
    if (said && !always)
        return {said->text(), "tokenizer_config.json", key};
    if (const auto name = model_ ? optional_text(model_->root(), key) : std::nullopt; name && !always)
        return {*name, "config.json", key};
    return {type.value_or("TokenizersBackend"), "config.json", "model_type"};
}

bool FolderSettings::is_old_mistral() const {
    if (!model_)
        return false;
    constexpr std::string_view types[] = {"mistral", "mistral3", "voxtral", "ministral", "pixtral"};
    const auto type = optional_text(model_->root(), "model_type").value_or("");
    const auto version = optional_text(model_->root(), "transformers_version").value_or("");
    return std::ranges::find(types, type) != std::end(types) && (version.empty() || version < "5");
}

/// special_tokens_map.json counts, and first, unless tokenizer_config.json lists the added tokens.
const io::JsonNode* FolderSettings::find(std::string_view key) const {
    const auto* own = stated(key);
    if (map_ && !stated("added_tokens_decoder"))
        if (const auto* node = member(map_->root(), key))
            return node;
    return own;
}

bool FolderSettings::flag(std::string_view key, bool otherwise) const {
    const auto* node = stated(key);
    return node ? node->boolean() : otherwise;
}

std::string FolderSettings::text(std::string_view key, std::string_view otherwise) const {
    const auto* node = find(key);
    return node ? token_of(*node).content : std::string(otherwise);
}

/// added_tokens_decoder by its ids; added_tokens.json without it.
std::vector<AddedToken> FolderSettings::listed_tokens(Budget& budget) const {
    std::vector<std::pair<std::int64_t, AddedToken>> listed;
    const auto add = [&](std::int64_t id, AddedToken token) {
        budget.spend(steps_of_setting + token.content.size());
        listed.emplace_back(id, std::move(token));
    };
    if (const auto* list = stated("added_tokens_decoder")) {
        for (const auto& [id, token] : list->members())
            add(std::strtoll(id.c_str(), nullptr, 10), token_of(token, false));
    } else if (added_) {
        for (const auto& [content, id] : added_->root().members())
            add(id.integer(), {.content = content});
    }
    std::ranges::stable_sort(listed, {}, [&](const auto& entry) {
        budget.spend(1);
        return entry.first;
    });
    std::vector<AddedToken> tokens;
    for (auto& entry : listed) {
        budget.spend(1);
        tokens.push_back(std::move(entry.second));
    }
    return tokens;
}

std::vector<AddedToken> FolderSettings::special_tokens(const Defaults& defaults, Budget& budget) const {
    std::vector<AddedToken> special;
    const auto add = [&](AddedToken token) {
        budget.spend(steps_of_setting + token.content.size());
        token.special = true;
        if (!token.content.empty())
            special.push_back(std::move(token));
    };
    for (const auto key : special_keys) {
        const auto otherwise = std::ranges::find(defaults, key, &Defaults::value_type::first);
        if (const auto* node = find(key))
            add(token_of(*node));
        else if (otherwise != defaults.end())
            add({.content = otherwise->second, .normalized = false});
    }
    const auto is_special_key = [](std::string_view key) {
        return std::ranges::find(special_keys, key) != special_keys.end();
    };
    for (const auto* file : {&tokenizer_, &map_}) // "image_token" of models with more than text
        if (*file && (file == &tokenizer_ || !stated("added_tokens_decoder")))
            for (const auto& [key, value] : (*file)->root().members()) {
                budget.spend(steps_of_setting);
                if (key.ends_with("_token") && is_token(value) && !is_special_key(key)) {
                    read_->insert(key);
                    add(token_of(value));
                }
            }
    const auto *extra = find("extra_special_tokens"), *additional = find("additional_special_tokens");
    const auto is_empty = [](const io::JsonNode* node) { return !node || (node->is_list() && node->items().empty()); };
    if (const auto* chosen = is_empty(extra) ? additional : extra) {
        if (chosen->is_list())
            for (const auto& item : chosen->items())
                add(token_of(item));
        else
            for (const auto& [key, value] : chosen->members())
                add(token_of(value));
    }
    return special;
}

std::vector<AddedToken> FolderSettings::added_tokens(std::vector<AddedToken> special, Budget& budget,
                                                     const io::JsonNode* made) const {
    auto tokens = listed_tokens(budget);
    std::unordered_map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        budget.spend(steps_of_setting);
        places.emplace(tokens[i].content, i);
    }
    const auto listed = tokens.size();
    if (made)
        for (const auto& token : made->items()) {
            budget.spend(steps_of_setting);
            places.emplace(token.at("content").text(), listed);
        }
    for (auto& token : special) {
        budget.spend(steps_of_setting);
        const auto [place, is_new] = places.emplace(token.content, listed);
        if (is_new)
            tokens.push_back(std::move(token));
        else if (place->second < listed)
            tokens[place->second].special = true;
    }
    return tokens;
}

PartSettings FolderSettings::part_settings(TokenizerKind kind, const io::JsonNode& made, Budget& budget) const {
    PartSettings parts;
    if (kind == TokenizerKind::Bert) {
        const bool lowercase = flag("do_lower_case", true);
        parts.letters = {lowercase, flag("strip_accents", lowercase), flag("tokenize_chinese_chars", true)};
    }
    if (applies_prefix_space(kind))
        parts.prefix_space = flag("add_prefix_space", false);
    if (kind == TokenizerKind::Llama && only_writes_spaces(made, budget))
        parts.prepend = !flag("add_prefix_space", true) ? Prepend::Never
                        : flag("legacy", false)         ? Prepend::Always
                                                        : Prepend::First;
    parts.adds_no_special = kind == TokenizerKind::GptNeox;
    parts.split_special = flag("split_special_tokens", false);
    auto special = special_tokens(defaults_of(kind), budget);
    if (kind == TokenizerKind::T5 && !find("extra_special_tokens") && !find("additional_special_tokens"))
        for (std::int64_t i = 0, count = sentinels(stated("extra_ids")); i < count; ++i)
            special.push_back(
                {.content = "<extra_id_" + std::to_string(i) + ">", .normalized = false, .special = true});
    parts.added = added_tokens(special, budget, member(made, "added_tokens"));
    if (kind == TokenizerKind::Qwen2) // which adds its special tokens again, without the spaces around them
        for (const auto& token : special) {
            budget.spend(steps_of_setting);
            parts.added.push_back({.content = token.content, .normalized = false, .special = true});
        }
    return parts;
}

std::vector<io::UnreadEntry> FolderSettings::unread(Budget& budget) const {
    std::vector<io::UnreadEntry> left;
    const auto add = [&](const char* file, const std::string& key, const io::JsonNode& value, const Message& why,
                         bool is_said) {
        left.push_back({file, key, io::dump_for_message(value, control_), why, is_said});
    };
    if (tokenizer_)
        for (const auto& [key, value] : tokenizer_->root().members()) {
            budget.spend(steps_of_setting);
            if (!read_->contains(key))
                add("tokenizer_config.json", key, value, {}, true);
        }
    if (map_ && stated("added_tokens_decoder")) {
        std::unordered_map<std::string_view, const io::JsonNode*> stated_tokens;
        for (const auto& [key, value] : tokenizer_->root().members()) {
            budget.spend(steps_of_setting);
            if (is_token(value))
                stated_tokens.emplace(key, &value);
        }
        for (const auto& [key, value] : map_->root().members()) {
            budget.spend(steps_of_setting);
            const auto found = stated_tokens.find(key);
            const bool is_same = found != stated_tokens.end() && is_token(value) &&
                                 token_of(*found->second).content == token_of(value).content;
            add("special_tokens_map.json", key, value,
                ATTNLAB_TEXT("tokenizer_config.json lists the added tokens, and counts"), !is_same && is_token(value));
        }
    }
    return left;
}

} // namespace attnlab::tokens
