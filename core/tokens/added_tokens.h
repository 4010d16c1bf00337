// Tokens beside the vocabulary of a model, which are found in a text before it is split.
#pragma once

#include "core/tokens/aligned_text.h"
#include "core/tokens/normalizer.h"
#include "core/tokens/vocabulary.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace attnlab::tokens {

struct AddedToken {
    std::string content;
    bool single_word = false; ///< not within a word
    bool lstrip = false;      ///< takes the spaces before it
    bool rstrip = false;
    bool normalized = true; ///< looked for in the normalized text
    bool special = false;
};

class AddedTokens {
public:
    AddedTokens() = default;
    /// A token that `model` lacks gets the next free id, as in the `tokenizers` library. Throws Error for one that
    /// cannot be found in a text, for too long ones, and Cancelled. `split_special`: special tokens are not looked for.
    AddedTokens(const std::vector<AddedToken>& tokens, const Vocabulary& model, const Normalizer* normalizer,
                Budget& budget, bool split_special = false);

    /// Finds them in a text, and normalizes what lies between.
    Pieces divide(AlignedText text, const Normalizer* normalizer, Budget& budget) const;

    std::optional<std::int64_t> id_of(std::string_view content) const;
    /// The token's own text. Null for an id that is no added token.
    const std::string* text_of(std::int64_t id) const;
    /// The text of a token for a decoder: normalized, if the token is looked for in normalized text. Null for another
    /// id.
    const std::string* decoded(std::int64_t id) const;
    /// The number of added tokens that the model's vocabulary lacks.
    std::int64_t beside_model() const { return beside_model_; }

private:
    void split(Pieces& pieces, const ByteTrie& trie, Budget& budget) const;
    void add_matches(const AlignedText& text, const ByteTrie& trie, Pieces& pieces, Budget& budget) const;

    std::unordered_map<std::int64_t, AddedToken> tokens_;
    std::unordered_map<std::int64_t, std::string> decoded_;
    std::unordered_map<std::string, std::int64_t> ids_;
    ByteTrie plain_, normalized_;
    std::int64_t beside_model_ = 0;
    bool split_special_ = false;
};

} // namespace attnlab::tokens
