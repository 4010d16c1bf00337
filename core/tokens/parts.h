// A tokenizer from a vocabulary in memory, as GGUF files have them.
#pragma once

#include "core/tokens/tokenizer.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attnlab::tokens {

enum class PartsKind {
    ByteLevelBpe, ///< tokenizer.ggml.model "gpt2": merges, and bytes as letters
    ScoredBpe,    ///< "llama": scores, "▁" for a space, bytes as "<0xE2>"
    WordPiece,    ///< "bert": "##ing", or as llama.cpp spells it, "▁the" and "ing"
    Unigram       ///< "t5": the likeliest division by scores, "▁" for a space
};

/// As in tokenizer.ggml.token_type.
enum class TokenType : std::int32_t { Normal = 1, Unknown, Control, UserDefined, Unused, Byte };

/// A token is its index.
struct TokenizerParts {
    std::string name; ///< of the file, for messages
    PartsKind kind = PartsKind::ByteLevelBpe;
    std::string pre = "default"; ///< of ByteLevelBpe, tokenizer.ggml.pre: "gpt-2", "llama-bpe", "qwen2"
    std::vector<std::string> tokens;
    std::vector<float> scores;                           ///< as many as tokens; of ScoredBpe and Unigram
    std::vector<TokenType> types;                        ///< as many as tokens, or none: all normal
    std::vector<std::string> merges;                     ///< "Ġ t", the first one first
    std::optional<std::int64_t> bos, eos, unk, cls, sep; ///< cls: before a text of WordPiece
    bool add_bos = false, add_eos = false;
    bool add_space_prefix = true;     ///< of ScoredBpe and Unigram
    bool lowercase = true;            ///< of WordPiece
    bool strip_accents = true;        ///< of WordPiece
    std::string strips_before;        ///< the special token that takes the spaces before it; empty: none
    bool special_strip_after = false; ///< special tokens but <s>, <unk> and <|endoftext|> take the spaces behind them
    std::string charsmap;             ///< of Unigram: SentencePiece's table, or empty
    bool joins_spaces = false;        ///< of Unigram: several spaces are one, and those around the text none
};

/// Throws Error that names the file for parts that do not fit; Cancelled. With an unknown `pre` the tokenizer decodes,
/// and encode() throws Error.
std::shared_ptr<const Tokenizer> build_tokenizer(const TokenizerParts& parts, const RunControl& control = {});

/// Whether llama.cpp puts BOS before a text of this `pre` unless the file says otherwise.
bool pre_adds_bos(std::string_view pre);

/// The expressions between words that `pre` names; empty for an unknown name.
std::vector<std::string> pre_tokenizer_patterns(std::string_view pre);

} // namespace attnlab::tokens
