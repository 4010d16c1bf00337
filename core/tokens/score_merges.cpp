// BPE of SentencePiece, as llama.cpp reads it from a vocabulary with scores.
#include "core/io/file_formats.h"
#include "core/message.h"
#include "core/tokens/model.h"
#include "core/tokens/symbols.h"
#include "core/tokens/unicode.h"

#include <limits>

namespace attnlab::tokens {
namespace {

struct ScoredMerge {
    float priority; ///< the score, negative
    std::uint32_t id;
};

class ScoreMerges : public Model {
public:
    ScoreMerges(Vocabulary vocabulary, std::unordered_map<std::int64_t, float> scores, std::optional<std::int64_t> unk)
        : Model(std::move(vocabulary)), scores_(std::move(scores)), unk_(unk) {}

    ModelTokens tokenize(std::string_view word, Budget& budget) const override {
        constexpr auto unknown = std::numeric_limits<std::uint32_t>::max();
        std::vector<Symbol> symbols;
        std::vector<std::uint32_t> begins;
        for_each_character(word, [&](char32_t character, std::size_t begin) {
            const auto bytes = bytes_of(character);
            budget.spend(bytes);
            push_symbol(symbols,
                        static_cast<std::uint32_t>(vocabulary_.id_of(word.substr(begin, bytes)).value_or(unknown)),
                        bytes);
            begins.push_back(static_cast<std::uint32_t>(begin));
        });
        merge_symbols(symbols, budget, [&](std::size_t first, std::size_t second) -> std::optional<ScoredMerge> {
            const std::size_t bytes = symbols[first].bytes + symbols[second].bytes;
            if (bytes > vocabulary_.longest())
                return {};
            budget.spend(bytes / 16);
            const auto id = vocabulary_.id_of(word.substr(begins[first], bytes));
            if (!id)
                return {};
            const auto score = scores_.find(*id);
            return ScoredMerge{score == scores_.end() ? 0.0F : -score->second, static_cast<std::uint32_t>(*id)};
        });
        ModelTokens tokens;
        for (std::size_t i = 0; i < symbols.size(); ++i) {
            budget.spend(1);
            const std::size_t end = begins[i] + symbols[i].bytes;
            if (symbols[i].bytes > 0 && symbols[i].id != unknown)
                push(tokens, {symbols[i].id, *vocabulary_.text_of(symbols[i].id), begins[i], end});
            else if (symbols[i].bytes > 0)
                add_bytes(word, begins[i], end, tokens);
        }
        return tokens;
    }

private:
    void add_bytes(std::string_view word, std::size_t begin, std::size_t end, ModelTokens& tokens) const {
        for (auto at = begin; at < end; ++at) {
            const auto id = vocabulary_.id_of(byte_token(static_cast<unsigned char>(word[at])));
            if (!id && !unk_)
                throw Error({ATTNLAB_TEXT("the vocabulary lacks '%1', and a token for what it lacks"),
                             {io::excerpt(word.substr(begin, end - begin))}});
            if (!id) {
                push(tokens, {*unk_, *vocabulary_.text_of(*unk_), begin, end});
                return;
            }
            push(tokens, {*id, *vocabulary_.text_of(*id), at, at + 1});
        }
    }

    std::unordered_map<std::int64_t, float> scores_;
    std::optional<std::int64_t> unk_;
};

} // namespace

ModelPointer score_model(Vocabulary vocabulary, std::unordered_map<std::int64_t, float> scores,
                         std::optional<std::int64_t> unk) {
    return std::make_unique<ScoreMerges>(std::move(vocabulary), std::move(scores), unk);
}

} // namespace attnlab::tokens
