// SentencePiece's unigram model (Kudo 2018): the division of a word whose tokens have the largest sum of scores.
#include "core/io/file_formats.h"
#include "core/message.h"
#include "core/tokens/byte_trie.h"
#include "core/tokens/model.h"
#include "core/tokens/unicode.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnlab::tokens {
namespace {

/// What an unknown character costs beside the least likely token.
constexpr double unknown_penalty = 10.0;

Vocabulary vocabulary_of(const std::vector<UnigramToken>& tokens, Budget& budget) {
    Vocabulary vocabulary;
    vocabulary.reserve(tokens.size());
    for (std::int64_t id = 0; const auto& token : tokens) {
        budget.spend(16 + token.text.size());
        vocabulary.add_again(token.text, id++);
    }
    return vocabulary;
}

class Unigram : public Model {
public:
    Unigram(const std::vector<UnigramToken>& tokens, std::optional<std::int64_t> unk, bool byte_fallback,
            Budget& budget)
        : Model(vocabulary_of(tokens, budget)), unk_(unk), byte_fallback_(byte_fallback) {
        if (unk && (*unk < 0 || *unk >= vocabulary_.size()))
            throw Error({ATTNLAB_TEXT("the token for unknown characters is %1, and there are %2"),
                         {std::to_string(*unk), std::to_string(vocabulary_.size())}});
        double least = 0.0;
        for (std::int64_t id = 0; const auto& [text, score] : tokens) {
            if (!std::isfinite(score))
                throw Error({ATTNLAB_TEXT("the score of the token '%1' is %2"), {io::excerpt(text), to_text(score)}});
            least = id == 0 ? score : std::min(least, score);
            budget.spend(16 + text.size());
            scores_.push_back(score);
            if (!text.empty())
                trie_.add(text, id);
            ++id;
        }
        unknown_score_ = least - unknown_penalty;
    }

    ModelTokens tokenize(std::string_view word, Budget& budget) const override {
        ModelTokens tokens;
        for (const auto& [begin, end] : best_division(word, budget)) {
            budget.spend(1 + end - begin);
            const auto text = word.substr(begin, end - begin);
            if (const auto id = vocabulary_.id_of(text))
                push(tokens, {*id, text, begin, end});
            else if (!byte_fallback_ || !add_bytes(text, begin, tokens))
                push(tokens, {unk_of(text), text, begin, end});
        }
        return tokens;
    }

private:
    struct Best { ///< of the beginnings of the word
        double score = 0.0;
        std::uint32_t from = nowhere;
        std::uint32_t id = 0;
    };
    static constexpr auto nowhere = std::numeric_limits<std::uint32_t>::max();

    std::int64_t unk_of(std::string_view text) const {
        if (unk_)
            return *unk_;
        throw Error({ATTNLAB_TEXT("the vocabulary lacks '%1', and a token for what it lacks"), {io::excerpt(text)}});
    }

    std::vector<Best> best_ends(std::string_view word, Budget& budget) const {
        Budget::require_symbols(word.size());
        std::vector<Best> best(word.size() + 1);
        const auto offer = [&](std::size_t from, std::size_t length, double score, std::int64_t id) {
            auto& end = best[from + length];
            const auto sum = score + best[from].score;
            if (end.from == nowhere || sum > end.score)
                end = {sum, static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(id)};
        };
        for_each_character(word, [&](char32_t character, std::size_t begin) {
            const auto bytes = bytes_of(character);
            bool known = false;
            trie_.beginnings(word.substr(begin), budget, [&](std::size_t length, std::int64_t id) {
                offer(begin, length, scores_[static_cast<std::size_t>(id)], id);
                known = known || length == bytes;
            });
            if (!known)
                offer(begin, bytes, unknown_score_, unk_of(word.substr(begin, bytes)));
        });
        return best;
    }

    /// A run of unknown characters is one part.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> best_division(std::string_view word, Budget& budget) const {
        const auto best = best_ends(word, budget);
        std::vector<std::pair<std::uint32_t, std::uint32_t>> parts;
        bool unknown_after = false;
        for (auto end = word.size(); end > 0; end = best[end].from) {
            budget.spend(1);
            const bool unknown = unk_ && best[end].id == *unk_;
            if (unknown && unknown_after)
                parts.back().first = best[end].from;
            else
                parts.emplace_back(best[end].from, static_cast<std::uint32_t>(end));
            unknown_after = unknown;
        }
        std::ranges::reverse(parts);
        return parts;
    }

    bool add_bytes(std::string_view text, std::size_t begin, ModelTokens& tokens) const {
        const auto before = tokens.size();
        for (const char byte : text) {
            const auto id = vocabulary_.id_of(byte_token(static_cast<unsigned char>(byte)));
            if (!id) {
                tokens.resize(before);
                return false;
            }
            push(tokens, {*id, *vocabulary_.text_of(*id), begin, begin + text.size()});
        }
        return true;
    }

    std::optional<std::int64_t> unk_;
    bool byte_fallback_;
    double unknown_score_ = 0.0;
    std::vector<double> scores_;
    ByteTrie trie_;
};

} // namespace

ModelPointer unigram_model(const std::vector<UnigramToken>& tokens, std::optional<std::int64_t> unk, bool byte_fallback,
                           Budget& budget) {
    return std::make_unique<Unigram>(tokens, unk, byte_fallback, budget);
}

} // namespace attnlab::tokens
