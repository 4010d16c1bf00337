// WordPiece: the longest piece of the vocabulary at a time; and word level: whole words.
#include "core/io/file_formats.h"
#include "core/message.h"
#include "core/tokens/byte_trie.h"
#include "core/tokens/model.h"
#include "core/tokens/unicode.h"

namespace attnlab::tokens {
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

} // namespace attnlab::tokens
