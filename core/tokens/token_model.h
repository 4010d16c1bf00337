// Models of tokenizers: they turn a word into tokens.
#pragma once

#include "core/tokens/aligned_text.h"
#include "core/tokens/vocabulary.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace attnlab::tokens {

struct ModelToken {
    std::int64_t id;
    std::string_view text;  ///< of the model, or a part of the word
    std::size_t begin, end; ///< bytes of the word
};
using ModelTokens = std::vector<ModelToken>;

/// Thread-safe.
class Model {
public:
    explicit Model(Vocabulary vocabulary) : vocabulary_(std::move(vocabulary)) {}
    virtual ~Model() = default;

    /// Throws Error where the vocabulary has nothing for a word, and for more tokens than `budget` allows; Cancelled.
    virtual ModelTokens tokenize(std::string_view word, Budget& budget) const = 0;
    const Vocabulary& vocabulary() const { return vocabulary_; }

protected:
    static void push(ModelTokens& tokens, const ModelToken& token) {
        Budget::require_tokens(tokens.size() + 1, 0);
        tokens.push_back(token);
    }

    const Vocabulary vocabulary_;
};

using ModelPointer = std::unique_ptr<const Model>;

/// BPE merges in order of priority.
using Merges = std::vector<std::pair<std::string, std::string>>;

struct BpeOptions {
    std::optional<std::string> unk_token;
    std::string continuing_subword_prefix; ///< of all characters of a word but the first
    std::string end_of_word_suffix;
    bool fuse_unk = false;
    bool byte_fallback = false; ///< characters that the vocabulary lacks are bytes, "<0xE2>"
    bool ignore_merges = false; ///< a word that the vocabulary has is one token
};
// Building a model is one call of `budget`, too: what reads many tokens throws Cancelled.

/// Throws Error where the vocabulary lacks what a merge needs.
ModelPointer bpe_model(Vocabulary vocabulary, const Merges& merges, BpeOptions options, Budget& budget);

struct WordPieceOptions {
    std::string unk_token = "[UNK]";
    std::string continuing_subword_prefix = "##";
    std::int64_t max_input_chars_per_word = 100;
};
/// Throws Error where the tokens are too long together, as unigram_model().
ModelPointer wordpiece_model(Vocabulary vocabulary, WordPieceOptions options, Budget& budget);
ModelPointer word_level_model(Vocabulary vocabulary, std::string unk_token);

/// A token is its index; the likeliest division by the sum of scores.
struct UnigramToken {
    std::string text;
    double score;
};
/// Throws Error for a score that is not a finite number and an `unk` outside the vocabulary.
ModelPointer unigram_model(const std::vector<UnigramToken>& tokens, std::optional<std::int64_t> unk, bool byte_fallback,
                           Budget& budget);

/// As llama.cpp has SentencePiece's BPE: of two neighbours that the vocabulary has as one token, those with the highest
/// score are merged first. Characters that it lacks are bytes, else `unk`. `scores` are by id.
ModelPointer score_model(Vocabulary vocabulary, std::unordered_map<std::int64_t, float> scores,
                         std::optional<std::int64_t> unk);

/// "<0xE2>".
std::string byte_token(unsigned char byte);

} // namespace attnlab::tokens
