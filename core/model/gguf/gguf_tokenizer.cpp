#include "core/model/gguf/gguf_tokenizer.h"

#include "core/tokens/parts.h"

#include <optional>
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
    throw Error(
        {ATTNLAB_TEXT("%1: '%2' is '%3', expected gpt2, llama or bert"), {metadata.file(), full("model"), model}});
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
    if (is_scored)
        for (const double score : metadata.numbers(full("scores")))
            parts.scores.push_back(static_cast<float>(score));
    if (metadata.has(full("token_type")))
        for (const auto type : metadata.integers(full("token_type")))
            parts.types.push_back(static_cast<tokens::TokenType>(type));
    if (parts.kind == tokens::PartsKind::ByteLevelBpe)
        parts.merges = metadata.texts(full("merges"));
    parts.bos = id(metadata, "bos_token_id");
    parts.eos = id(metadata, "eos_token_id");
    parts.unk = id(metadata, "unknown_token_id");
    parts.cls = metadata.has(full("cls_token_id")) ? id(metadata, "cls_token_id") : parts.bos;
    parts.sep = id(metadata, "seperator_token_id"); // llama.cpp spells it so
    parts.add_bos = flag(metadata, "add_bos_token", is_scored);
    parts.add_eos = flag(metadata, "add_eos_token", false);
    parts.add_space_prefix = flag(metadata, "add_space_prefix", true);
    return build_tokenizer(parts, control);
}

} // namespace attnlab::model
