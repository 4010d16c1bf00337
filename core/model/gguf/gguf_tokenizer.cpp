// The tokenizer in a .gguf file, with the rules of llama.cpp.
#include "core/model/gguf/gguf_config.h"

#include "core/tokens/parts.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>

namespace attnlab::model {
namespace {

std::string full(std::string_view key) { return "tokenizer.ggml." + std::string(key); }

std::optional<std::int64_t> id(const GgufMetadata& metadata, std::string_view key) {
    return metadata.has(full(key)) ? std::optional(metadata.integer(full(key))) : std::nullopt;
}

bool flag(const GgufMetadata& metadata, std::string_view key, bool absent) {
    return metadata.has(full(key)) ? metadata.boolean(full(key)) : absent;
}

tokens::PartsKind kind_of(const GgufMetadata& metadata) {
    const auto& model = metadata.text(full("model"));
    if (model == "gpt2")
        return tokens::PartsKind::ByteLevelBpe;
    if (model == "llama")
        return tokens::PartsKind::ScoredBpe;
    if (model == "bert")
        return tokens::PartsKind::WordPiece;
    if (model == "t5")
        return tokens::PartsKind::Unigram;
    throw Error(
        {ATTNLAB_TEXT("%1: '%2' is '%3', expected gpt2, llama, bert or t5"), {metadata.file(), full("model"), model}});
}

/// Special tokens of files that do not name them.
struct DefaultIds {
    std::optional<std::int64_t> bos = {}, eos = {}, unk = {}, sep = {};
};

DefaultIds default_ids(const tokens::TokenizerParts& parts) {
    switch (parts.kind) {
    case tokens::PartsKind::ByteLevelBpe:
        if (parts.pre == "glm4" || parts.pre == "chatglm-bpe")
            return {.eos = 11};
        return {.bos = 11, .eos = 11};
    case tokens::PartsKind::ScoredBpe:
        return {.bos = 1, .eos = 2, .unk = 0};
    case tokens::PartsKind::WordPiece:
        return {.bos = 101, .unk = 100, .sep = 102};
    case tokens::PartsKind::Unigram:
        break;
    }
    return {.eos = 1, .unk = 2};
}

void set_ids(const GgufMetadata& metadata, tokens::TokenizerParts& parts) {
    const auto absent = default_ids(parts);
    const auto id_or = [&](std::string_view key, std::optional<std::int64_t> other) {
        const bool has_other = other && *other < std::ssize(parts.tokens);
        return metadata.has(full(key)) || !has_other ? id(metadata, key) : other;
    };
    parts.bos = id_or("bos_token_id", absent.bos);
    parts.eos = id_or("eos_token_id", absent.eos);
    parts.unk = id_or("unknown_token_id", absent.unk);
    parts.sep = id_or("seperator_token_id", absent.sep); // llama.cpp spells it so
    parts.cls = parts.bos ? parts.bos : id(metadata, "cls_token_id");
    const auto first = id(metadata, "cls_token_id");
    if (parts.kind == tokens::PartsKind::WordPiece && first && first != parts.cls)
        throw Error({ATTNLAB_TEXT("%1: '%2' is %3, expected %4"),
                     {metadata.file(), full("cls_token_id"), std::to_string(*first),
                      Message(ATTNLAB_TEXT("%1 as for '%2'"), {std::to_string(*parts.cls), full("bos_token_id")})}});
}

/// Tokens that llama.cpp finds in texts whatever their type, unless the file has the id of another one.
struct ControlNames {
    std::string_view key = "", older_key = ""; ///< of that id; empty: none
    std::span<const std::string_view> names = {};
};

constexpr std::string_view ends[] = {"<|eot_id|>",
                                     "<|im_end|>",
                                     "<|end|>",
                                     "<|return|>",
                                     "<|call|>",
                                     "<|flush|>",
                                     "<|calls|>",
                                     "<end_of_turn>",
                                     "<|endoftext|>",
                                     "</s>",
                                     "<|eom_id|>",
                                     "<EOT>",
                                     "_<EOT>",
                                     "[EOT]",
                                     "[EOS]",
                                     "<|end_of_text|>",
                                     "<end_of_utterance>",
                                     "<eos>",
                                     "<turn|>",
                                     "<|tool_response>",
                                     "<\uff5cend\u2581of\u2581sentence\uff5c>",
                                     "[e~["};
constexpr std::string_view fill_prefixes[] = {
    "<|fim_prefix|>", "<fim-prefix>", "<fim_prefix>",    "<\uff5cfim\u2581begin\uff5c>",
    "<PRE>",          "\u2581<PRE>",  "<|code_prefix|>", "<|prefix|>"};
constexpr std::string_view fill_suffixes[] = {
    "<|fim_suffix|>", "<fim-suffix>", "<fim_suffix>",    "<\uff5cfim\u2581hole\uff5c>",
    "<SUF>",          "\u2581<SUF>",  "<|code_suffix|>", "<|suffix|>"};
constexpr std::string_view fill_middles[] = {
    "<|fim_middle|>", "<fim-middle>", "<fim_middle>",    "<\uff5cfim\u2581end\uff5c>",
    "<MID>",          "\u2581<MID>",  "<|code_middle|>", "<|middle|>"};
constexpr std::string_view fill_pads[] = {"<|fim_pad|>", "<fim-pad>", "<fim_pad>", "<PAD>", "[PAD]"};
constexpr std::string_view repositories[] = {"<|fim_repo|>", "<|repo_name|>", "<fim-repo>", "<REPO>", "<reponame>"};
constexpr std::string_view separators[] = {"<|file_sep|>"};
constexpr std::string_view parts_of_turns[] = {"<|channel|>", "<|message|>", "<|start|>", "<|constrain|>"};

constexpr ControlNames control_names[] = {{.names = ends},
                                          {.names = parts_of_turns},
                                          {"fim_pre_token_id", "prefix_token_id", fill_prefixes},
                                          {"fim_suf_token_id", "suffix_token_id", fill_suffixes},
                                          {"fim_mid_token_id", "middle_token_id", fill_middles},
                                          {.key = "fim_pad_token_id", .names = fill_pads},
                                          {.key = "fim_rep_token_id", .names = repositories},
                                          {.key = "fim_sep_token_id", .names = separators}};

void set_types(const GgufMetadata& metadata, tokens::TokenizerParts& parts) {
    if (metadata.has(full("token_type")))
        for (const auto type : metadata.integers(full("token_type")))
            parts.types.push_back(static_cast<tokens::TokenType>(type));
    if (!parts.types.empty() && parts.types.size() != parts.tokens.size())
        return; // build_tokenizer() refuses it
    for (const auto& [key, older_key, names] : control_names) {
        if ((!key.empty() && metadata.has(full(key))) || (!older_key.empty() && metadata.has(full(older_key))))
            continue;
        for (std::size_t token = 0; token < parts.tokens.size(); ++token)
            if (std::ranges::find(names, parts.tokens[token]) != names.end()) {
                parts.types.resize(parts.tokens.size(), tokens::TokenType::Normal);
                if (parts.types[token] != tokens::TokenType::UserDefined)
                    parts.types[token] = tokens::TokenType::Control;
            }
    }
}

/// Files do not store which special tokens take the spaces around them: llama.cpp reads it off names.
void set_stripping(const GgufMetadata& metadata, tokens::TokenizerParts& parts) {
    const auto text = [&](std::string_view key) { return metadata.has(key) ? metadata.text(key) : std::string(); };
    auto name = text("general.name");
    std::ranges::transform(name, name.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    const auto contains = [](std::string_view whole, std::initializer_list<std::string_view> some) {
        return std::ranges::any_of(some, [&](auto part) { return whole.find(part) != whole.npos; });
    };
    if (contains(parts.pre, {"jina-v2-de", "jina-v2-es", "jina-v2-code"}) ||
        contains(text("general.architecture"), {"nomic-bert-moe", "jina-bert-v3"}))
        parts.strips_before = "<mask>";
    else if (contains(name, {"phi-3", "phi3"}))
        parts.special_strip_after = true;
    else if (contains(name, {"modern-bert"}))
        parts.strips_before = "[MASK]";
}

/// Throws Error where a text is to begin or end with a token that the file does not have.
void check_added(const GgufMetadata& metadata, bool adds, std::optional<std::int64_t> added, std::string_view key,
                 std::string_view id_key) {
    if (adds && !added)
        throw Error(
            {ATTNLAB_TEXT("%1: '%2' is true, but there is no '%3'"), {metadata.file(), full(key), full(id_key)}});
}

} // namespace

std::shared_ptr<const tokens::Tokenizer> gguf_tokenizer(const GgufMetadata& metadata, const RunControl& control) {
    if (!metadata.has(full("model")) || metadata.text(full("model")) == "none")
        return nullptr;
    tokens::TokenizerParts parts;
    parts.name = metadata.file();
    parts.kind = kind_of(metadata);
    if (metadata.has(full("pre")))
        parts.pre = metadata.text(full("pre"));
    parts.tokens = metadata.texts(full("tokens"));
    const bool is_scored = parts.kind == tokens::PartsKind::ScoredBpe;
    const bool is_unigram = parts.kind == tokens::PartsKind::Unigram;
    if (is_scored || is_unigram)
        for (const double score : metadata.numbers(full("scores")))
            parts.scores.push_back(static_cast<float>(score));
    set_types(metadata, parts);
    if (parts.kind == tokens::PartsKind::ByteLevelBpe)
        parts.merges = metadata.texts(full("merges"));
    set_ids(metadata, parts);
    set_stripping(metadata, parts);
    parts.add_bos =
        flag(metadata, "add_bos_token",
             is_scored || (parts.kind == tokens::PartsKind::ByteLevelBpe && tokens::pre_adds_bos(parts.pre)));
    parts.add_eos = flag(metadata, "add_eos_token", is_unigram);
    if (parts.kind != tokens::PartsKind::WordPiece) { // which always adds both
        check_added(metadata, parts.add_bos, parts.bos, "add_bos_token", "bos_token_id");
        check_added(metadata, parts.add_eos, parts.eos, "add_eos_token", "eos_token_id");
    }
    parts.add_space_prefix = flag(metadata, "add_space_prefix", true);
    if (parts.kind == tokens::PartsKind::WordPiece) {
        parts.lowercase = flag(metadata, "normalizer.lowercase", true);
        parts.strip_accents = flag(metadata, "normalizer.strip_accents", parts.lowercase);
    }
    if (is_unigram) {
        parts.joins_spaces = flag(metadata, "remove_extra_whitespaces", false);
        if (metadata.has(full("precompiled_charsmap")))
            for (const auto byte : metadata.integers(full("precompiled_charsmap")))
                parts.charsmap.push_back(static_cast<char>(byte));
    }
    return build_tokenizer(parts, control);
}

} // namespace attnlab::model
