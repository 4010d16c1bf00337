#include "core/tokens/pipeline.h"

#include "core/message.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace attnlab::tokens {
namespace {

/// The tokens of a text and of its pair, one after another.
struct Encoded {
    TokenLists lists;
    std::size_t count = 0, spelling_bytes = 0;
};

class Whole : public Tokenizer {
public:
    Whole(Pipeline parts, Budget& budget)
        : parts_(std::move(parts)),
          added_(parts_.added, parts_.model->vocabulary(), parts_.normalizer.get(), budget, parts_.split_special) {}

    std::vector<Token> encode(std::string_view text, std::optional<std::string_view> pair,
                              const RunControl& control) const override {
        Budget budget(control);
        budget.look();
        Encoded encoded;
        add_tokens_of(text, encoded, budget);
        if (pair)
            add_tokens_of(*pair, encoded, budget);
        auto lists = std::move(encoded.lists);
        if (parts_.post_processor)
            lists = parts_.post_processor->process(std::move(lists), budget);
        if (lists.size() == 1)
            return std::move(lists.front());
        std::vector<Token> all;
        for (auto& list : lists) {
            budget.spend(list.size());
            std::ranges::move(std::exchange(list, {}), std::back_inserter(all));
        }
        return all;
    }

    std::optional<std::string> text_of(std::int64_t id) const override {
        const auto* text = spelling_of(id);
        return text ? std::optional(*text) : std::nullopt;
    }

    std::string decode(const std::vector<std::int64_t>& ids, const RunControl& control) const override {
        Budget budget(control);
        budget.look();
        auto texts = naming("decoder", [&] { return texts_of(ids, budget); });
        if (parts_.decoder)
            texts = parts_.decoder->decode(std::move(texts), budget);
        const std::string_view between = parts_.decoder ? "" : " ";
        std::string all;
        for (std::size_t i = 0; i < texts.size(); ++i)
            (all += i == 0 ? "" : between) += texts[i];
        return all;
    }

    std::int64_t size() const override { return parts_.model->vocabulary().size() + added_.beside_model(); }

private:
    /// Null for an unknown id.
    const std::string* spelling_of(std::int64_t id) const {
        const auto* text = added_.text_of(id);
        return text ? text : parts_.model->vocabulary().text_of(id);
    }

    std::vector<std::string> texts_of(const std::vector<std::int64_t>& ids, Budget& budget) const {
        std::vector<std::string> texts;
        std::size_t bytes = 0;
        for (const auto id : ids) {
            const auto* added = added_.decoded(id);
            const auto* text = added ? added : spelling_of(id);
            if (!text)
                continue;
            budget.spend(1 + text->size());
            budget.require_text(bytes += text->size());
            Budget::require_tokens(texts.size() + 1, 0);
            texts.push_back(*text);
        }
        return texts;
    }

    void add_tokens_of(std::string_view text, Encoded& encoded, Budget& budget) const {
        if (text.size() > most_text_bytes)
            throw Error({ATTNLAB_TEXT("the text takes %1 bytes; at most %2 may be tokenized"),
                         {std::to_string(text.size()), std::to_string(most_text_bytes)}});
        if (!is_utf8(text))
            throw Error(Message(ATTNLAB_TEXT("the text is not UTF-8")));
        auto pieces = added_.divide(AlignedText(text, budget), parts_.normalizer.get(), budget);
        if (parts_.pre_tokenizer)
            parts_.pre_tokenizer->apply(pieces, budget);
        const auto type = static_cast<int>(encoded.lists.size());
        auto& tokens = encoded.lists.emplace_back();
        const auto add = [&](std::int64_t id, std::string_view spelled, Origin origin) {
            encoded.spelling_bytes += spelled.size();
            Budget::require_tokens(++encoded.count, encoded.spelling_bytes);
            budget.spend(1 + spelled.size());
            tokens.push_back({.id = id,
                              .text = std::string(spelled),
                              .begin = origin.begin,
                              .end = origin.end,
                              .special = false,
                              .type = type});
        };
        naming("model", [&] {
            for (auto& held : pieces) {
                const auto piece = std::move(held); // whose memory is freed once it is done
                const auto& word = piece.text.text();
                budget.spend(1);
                if (piece.added)
                    add(*piece.added, word, piece.text.origin(0, word.size()));
                else if (!word.empty())
                    for (const auto& [id, spelled, begin, end] : parts_.model->tokenize(word, budget))
                        add(id, spelled, piece.text.origin(begin, end));
            }
        });
    }

    Pipeline parts_;
    AddedTokens added_;
};

} // namespace

std::shared_ptr<const Tokenizer> make_tokenizer(Pipeline parts, const RunControl& control) {
    Budget budget(control);
    return std::make_shared<Whole>(std::move(parts), budget);
}

} // namespace attnlab::tokens
