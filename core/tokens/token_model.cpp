// WordPiece, word-level and unigram models, and their reader.
#include "core/tokens/token_model.h"

#include "core/io/file_formats.h"
#include "core/message.h"
#include "core/tokens/pipeline.h"
#include "core/tokens/vocabulary.h"
#include "core/utf8.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnlab::tokens {

// WordPiece: the longest piece of the vocabulary at a time; and word level: whole words.
namespace {

[[noreturn]] void fail_unknown_word(std::string_view word, std::string_view unk) {
    throw Error({ATTNLAB_TEXT("the vocabulary lacks '%1', and its token for what it lacks, '%2'"),
                 {io::excerpt(word), io::excerpt(unk)}});
}

class WordPiece : public Model {
public:
    WordPiece(Vocabulary vocabulary, WordPieceOptions options, Budget& budget)
        : Model(std::move(vocabulary)), options_(std::move(options)), unk_(vocabulary_.id_of(options_.unk_token)) {
        vocabulary_.for_each([&](const std::string& text, std::int64_t id) {
            budget.spend(16 + 2 * text.size());
            begin_.add(text, id);
            if (text.starts_with(options_.continuing_subword_prefix))
                inside_.add(std::string_view(text).substr(options_.continuing_subword_prefix.size()), id);
        });
    }

    ModelTokens tokenize(std::string_view word, Budget& budget) const override {
        ModelTokens tokens;
        if (count_characters(word) > options_.max_input_chars_per_word)
            return unknown(word);
        for (std::size_t at = 0; at < word.size();) {
            const auto [length, id] = (at == 0 ? begin_ : inside_).longest(word.substr(at), budget);
            if (length == 0)
                return unknown(word);
            push(tokens, {id, *vocabulary_.text_of(id), at, at + length});
            at += length;
        }
        return tokens;
    }

private:
    ModelTokens unknown(std::string_view word) const {
        if (!unk_)
            fail_unknown_word(word, options_.unk_token);
        return {{*unk_, options_.unk_token, 0, word.size()}};
    }

    WordPieceOptions options_;
    std::optional<std::int64_t> unk_;
    ByteTrie begin_, inside_;
};

class WordLevel : public Model {
public:
    WordLevel(Vocabulary vocabulary, std::string unk_token)
        : Model(std::move(vocabulary)), unk_token_(std::move(unk_token)), unk_(vocabulary_.id_of(unk_token_)) {}

    ModelTokens tokenize(std::string_view word, Budget&) const override {
        if (const auto id = vocabulary_.id_of(word))
            return {{*id, word, 0, word.size()}};
        if (!unk_)
            fail_unknown_word(word, unk_token_);
        return {{*unk_, unk_token_, 0, word.size()}};
    }

private:
    std::string unk_token_;
    std::optional<std::int64_t> unk_;
};

} // namespace

ModelPointer wordpiece_model(Vocabulary vocabulary, WordPieceOptions options, Budget& budget) {
    return std::make_unique<WordPiece>(std::move(vocabulary), std::move(options), budget);
}

ModelPointer word_level_model(Vocabulary vocabulary, std::string unk_token) {
    return std::make_unique<WordLevel>(std::move(vocabulary), std::move(unk_token));
}

// SentencePiece's unigram model (Kudo 2018): the division of a word whose tokens have the largest sum of scores.

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
            const auto bytes = utf8_size(character);
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

// Implements read_model() of pipeline.h: the vocabulary of tokenizer.json.

namespace {

constexpr std::size_t steps_of_token = 16;

Vocabulary read_vocabulary(const io::JsonNode& node, Budget& budget) {
    Vocabulary vocabulary;
    vocabulary.reserve(node.members().size());
    for (const auto& [text, id] : node.members()) {
        budget.spend(steps_of_token);
        within(node, [&, &token = text, &number = id] { vocabulary.add(token, number.integer()); });
    }
    return vocabulary;
}

Merges read_merges(const io::JsonNode& list, Budget& budget) {
    Merges merges;
    merges.reserve(list.items().size());
    for (const auto& merge : list.items()) {
        budget.spend(steps_of_token);
        if (merge.is_list()) {
            if (merge.items().size() != 2)
                merge.fail_expecting(ATTNLAB_TEXT("two tokens"));
            merges.emplace_back(merge.items()[0].text(), merge.items()[1].text());
            continue;
        }
        const auto& text = merge.text();
        if (text.starts_with("#version"))
            continue;
        const auto space = text.find(' ');
        if (space == text.npos || text.find(' ', space + 1) != text.npos)
            merge.fail_expecting(ATTNLAB_TEXT("two tokens with a space between"));
        merges.emplace_back(text.substr(0, space), text.substr(space + 1));
    }
    return merges;
}

ModelPointer read_bpe(const io::JsonNode& part, Budget& budget) {
    if (const auto* dropout = member(part, "dropout"); dropout && dropout->number() != 0.0)
        dropout->fail_expecting(ATTNLAB_TEXT("null: with it tokens are drawn by chance"));
    BpeOptions options;
    options.unk_token = optional_text(part, "unk_token");
    options.continuing_subword_prefix = optional_text(part, "continuing_subword_prefix").value_or("");
    options.end_of_word_suffix = optional_text(part, "end_of_word_suffix").value_or("");
    options.fuse_unk = flag(part, "fuse_unk", false);
    options.byte_fallback = flag(part, "byte_fallback", false);
    options.ignore_merges = flag(part, "ignore_merges", false);
    const auto merges = read_merges(part.at("merges"), budget);
    auto vocabulary = read_vocabulary(part.at("vocab"), budget);
    return within(part, [&] { return bpe_model(std::move(vocabulary), merges, options, budget); });
}

ModelPointer read_wordpiece(const io::JsonNode& part, Budget& budget) {
    WordPieceOptions options;
    options.unk_token = part.at("unk_token").text();
    options.continuing_subword_prefix = part.at("continuing_subword_prefix").text();
    options.max_input_chars_per_word = static_cast<std::int64_t>(count_in(part.at("max_input_chars_per_word")));
    auto vocabulary = read_vocabulary(part.at("vocab"), budget);
    return within(part, [&] { return wordpiece_model(std::move(vocabulary), options, budget); });
}

ModelPointer read_unigram(const io::JsonNode& part, Budget& budget) {
    std::vector<UnigramToken> tokens;
    tokens.reserve(part.at("vocab").items().size());
    for (const auto& entry : part.at("vocab").items()) {
        budget.spend(steps_of_token);
        if (entry.items().size() != 2)
            entry.fail_expecting(ATTNLAB_TEXT("a token and its score"));
        tokens.push_back({entry.items()[0].text(), entry.items()[1].number()});
    }
    std::optional<std::int64_t> unk;
    if (const auto* id = member(part, "unk_id"))
        unk = id->integer();
    return within(part, [&] { return unigram_model(tokens, unk, flag(part, "byte_fallback", false), budget); });
}

} // namespace

std::string model_type_of(const io::JsonNode& part) {
    if (const auto* type = part.find("type"))
        return type->text();
    if (part.find("merges"))
        return "BPE";
    if (part.find("max_input_chars_per_word"))
        return "WordPiece";
    return part.at("vocab").is_list() ? "Unigram" : "WordLevel";
}

ModelPointer read_model(const io::JsonNode& part, const RunControl& control) {
    Budget budget(control);
    const auto type = model_type_of(part);
    if (type == "BPE")
        return read_bpe(part, budget);
    if (type == "WordPiece")
        return read_wordpiece(part, budget);
    if (type == "Unigram")
        return read_unigram(part, budget);
    if (type == "WordLevel")
        return word_level_model(read_vocabulary(part.at("vocab"), budget), part.at("unk_token").text());
    fail_unknown(part, type);
}

} // namespace attnlab::tokens
