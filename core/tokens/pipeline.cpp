#include "core/tokens/pipeline.h"

#include "core/message.h"

namespace attnlab::tokens {
namespace {

constexpr std::size_t longest_text = std::size_t{1} << 28;

class Whole : public Tokenizer {
public:
    explicit Whole(Pipeline parts)
        : parts_(std::move(parts)), added_(parts_.added, parts_.model->vocabulary(), parts_.normalizer.get()) {}

    std::vector<Token> encode(std::string_view text, std::optional<std::string_view> pair) const override {
        TokenLists lists{tokens_of(text, 0)};
        if (pair)
            lists.push_back(tokens_of(*pair, 1));
        if (parts_.post_processor)
            lists = parts_.post_processor->process(std::move(lists));
        std::vector<Token> all;
        for (auto& list : lists)
            std::ranges::move(list, std::back_inserter(all));
        return all;
    }

    std::optional<std::string> text_of(std::int64_t id) const override {
        const auto* text = added_.text_of(id);
        if (!text)
            text = parts_.model->vocabulary().text_of(id);
        return text ? std::optional(*text) : std::nullopt;
    }

    std::string decode(const std::vector<std::int64_t>& ids) const override {
        std::vector<std::string> texts;
        for (const auto id : ids)
            if (const auto* added = added_.decoded(id))
                texts.push_back(*added);
            else if (auto text = text_of(id))
                texts.push_back(std::move(*text));
        const std::string between = parts_.decoder ? "" : " ";
        if (parts_.decoder)
            texts = parts_.decoder->decode(std::move(texts));
        std::string all;
        for (std::size_t i = 0; i < texts.size(); ++i)
            all += (i == 0 ? "" : between) + texts[i];
        return all;
    }

    std::int64_t size() const override { return parts_.model->vocabulary().size() + added_.beside_model(); }

private:
    std::vector<Token> tokens_of(std::string_view text, int type) const {
        if (text.size() > longest_text)
            throw Error({ATTNLAB_TEXT("the text takes %1 bytes; at most %2 may be tokenized"),
                         {std::to_string(text.size()), std::to_string(longest_text)}});
        if (!is_utf8(text))
            throw Error(Message(ATTNLAB_TEXT("the text is not UTF-8")));
        auto pieces = added_.divide(AlignedText(text), parts_.normalizer.get());
        if (parts_.pre_tokenizer)
            parts_.pre_tokenizer->apply(pieces);
        std::vector<Token> tokens;
        for (const auto& piece : pieces)
            add_tokens(piece, type, tokens);
        return tokens;
    }

    void add_tokens(const Piece& piece, int type, std::vector<Token>& tokens) const {
        const auto add = [&](std::int64_t id, std::string spelled, Origin origin) {
            tokens.push_back({.id = id,
                              .text = std::move(spelled),
                              .begin = origin.begin,
                              .end = origin.end,
                              .special = false,
                              .type = type});
        };
        const auto& text = piece.text.text();
        if (piece.added)
            add(*piece.added, text, piece.text.origin(0, text.size()));
        else if (!text.empty())
            for (auto& [id, spelled, begin, end] : parts_.model->tokenize(text))
                add(id, std::move(spelled), piece.text.origin(begin, end));
    }

    Pipeline parts_;
    AddedTokens added_;
};

} // namespace

std::shared_ptr<const Tokenizer> make_tokenizer(Pipeline parts) { return std::make_shared<Whole>(std::move(parts)); }

} // namespace attnlab::tokens
