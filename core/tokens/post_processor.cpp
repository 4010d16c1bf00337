#include "core/tokens/post_processor.h"

#include "core/message.h"
#include "core/tokens/byte_letters.h"
#include "core/tokens/unicode.h"

#include <algorithm>
#include <map>
#include <utility>

namespace attnlab::tokens {
namespace {

void set_type(std::vector<Token>& list, int type) {
    for (auto& token : list)
        token.type = type;
}

/// Of tokens that there are, or will be.
struct Amount {
    std::size_t count = 0, spelling_bytes = 0;

    Amount& operator+=(const Amount& more) {
        count += more.count;
        spelling_bytes += more.spelling_bytes;
        return *this;
    }
    /// Throws Error for too many.
    void require() const { Budget::require_tokens(count, spelling_bytes); }
};

Amount amount_of(const Token& token) { return {1, token.text.size()}; }

Amount amount_of(const std::vector<Token>& tokens) {
    Amount amount;
    for (const auto& token : tokens)
        amount += amount_of(token);
    return amount;
}

void append(std::vector<Token>& list, const std::vector<Token>& more, Budget& budget) {
    for (const auto& token : more) {
        budget.spend(1 + token.text.size());
        list.push_back(token);
    }
}

/// How many characters at the beginning and at the end of a token are spaces.
std::pair<std::int64_t, std::int64_t> spaces_around(std::string_view text) {
    std::int64_t leading = 0, trailing = 0, count = 0;
    for_each_character(text, [&](char32_t character, std::size_t) {
        const bool space = character == letter_of_byte(' ') || is_whitespace(character);
        if (space && leading == count)
            ++leading;
        trailing = space ? trailing + 1 : 0;
        ++count;
    });
    return {leading, trailing};
}

/// A space that was put before the text (`add_prefix_space`) takes no place of it.
void trim(std::vector<Token>& list, bool add_prefix_space, Budget& budget) {
    for (std::size_t i = 0; i < list.size(); ++i) {
        auto& token = list[i];
        budget.spend(1 + token.text.size());
        auto [leading, trailing] = spaces_around(token.text);
        if (leading > 0 && add_prefix_space && (i == 0 || token.begin == 0))
            --leading;
        token.begin = std::min(token.begin + leading, token.end);
        if (trailing > 0 && token.end >= trailing)
            token.end = std::max(token.end - trailing, token.begin);
    }
}

class Steps : public PostProcessor {
public:
    explicit Steps(std::vector<PostProcessorPointer> steps) : steps_(std::move(steps)) {}
    TokenLists process(TokenLists lists, Budget& budget) const override {
        for (const auto& step : steps_)
            lists = step->process(std::move(lists), budget);
        return lists;
    }

private:
    std::vector<PostProcessorPointer> steps_;
};

class Named : public PostProcessor {
public:
    Named(std::string name, PostProcessorPointer processor)
        : name_(std::move(name)), processor_(std::move(processor)) {}
    TokenLists process(TokenLists lists, Budget& budget) const override {
        return naming(name_, [&] { return processor_->process(std::move(lists), budget); });
    }

private:
    std::string name_;
    PostProcessorPointer processor_;
};

class ByTemplate : public PostProcessor {
public:
    ByTemplate(Template single, Template pair) : single_(std::move(single)), pair_(std::move(pair)) {}
    TokenLists process(TokenLists lists, Budget& budget) const override {
        if (lists.size() > 2)
            throw Error(Message(ATTNLAB_TEXT("a template follows another")));
        const auto& parts = lists.size() == 1 ? single_ : pair_;
        std::map<const std::vector<Token>*, Amount> amounts; // a template may repeat a long list
        Amount total;
        for (const auto& part : parts) {
            const auto& tokens = tokens_of(part, lists);
            const auto [known, is_new] = amounts.try_emplace(&tokens);
            if (is_new)
                known->second = amount_of(tokens);
            budget.spend(is_new ? 1 + tokens.size() : 1);
            total += known->second;
        }
        total.require();
        TokenLists result;
        for (const auto& part : parts) {
            if (part.sequence >= std::ssize(lists))
                continue;
            append(result.emplace_back(), tokens_of(part, lists), budget);
            set_type(result.back(), part.type);
        }
        return result;
    }

private:
    static const std::vector<Token>& tokens_of(const TemplatePart& part, const TokenLists& lists) {
        static const std::vector<Token> none;
        if (part.sequence < 0)
            return *part.tokens;
        return part.sequence < std::ssize(lists) ? lists[static_cast<std::size_t>(part.sequence)] : none;
    }

    Template single_, pair_;
};

/// Puts `first` before a list and `last` behind it.
void enclose(std::vector<Token>& list, const Token* first, const Token& last, Budget& budget) {
    std::vector<Token> whole;
    if (first)
        whole.push_back(*first);
    append(whole, list, budget);
    whole.push_back(last);
    list = std::move(whole);
}

class Bert : public PostProcessor {
public:
    Bert(Token cls, Token sep) : cls_(std::move(cls)), sep_(std::move(sep)) {}
    TokenLists process(TokenLists lists, Budget& budget) const override {
        auto total = amount_of(cls_);
        for (const auto& list : lists)
            (total += amount_of(list)) += amount_of(sep_);
        total.require();
        for (std::size_t i = 0; i < lists.size(); ++i) {
            enclose(lists[i], i == 0 ? &cls_ : nullptr, sep_, budget);
            lists[i].back().type = i == 0 ? 0 : 1;
        }
        return lists;
    }

private:
    Token cls_, sep_;
};

class Roberta : public PostProcessor {
public:
    Roberta(Token cls, Token sep, bool trim_offsets, bool add_prefix_space)
        : cls_(std::move(cls)), sep_(std::move(sep)), trim_(trim_offsets), add_prefix_space_(add_prefix_space) {}
    TokenLists process(TokenLists lists, Budget& budget) const override {
        Amount total;
        for (std::size_t i = 0; i < lists.size(); ++i)
            ((total += amount_of(i == 0 ? cls_ : sep_)) += amount_of(lists[i])) += amount_of(sep_);
        total.require();
        for (std::size_t i = 0; i < lists.size(); ++i) {
            if (trim_)
                trim(lists[i], add_prefix_space_, budget);
            enclose(lists[i], i == 0 ? &cls_ : &sep_, sep_, budget);
            set_type(lists[i], 0);
        }
        return lists;
    }

private:
    Token cls_, sep_;
    bool trim_, add_prefix_space_;
};

class ByteLevel : public PostProcessor {
public:
    ByteLevel(bool trim_offsets, bool add_prefix_space) : trim_(trim_offsets), add_prefix_space_(add_prefix_space) {}
    TokenLists process(TokenLists lists, Budget& budget) const override {
        if (trim_)
            for (auto& list : lists)
                trim(list, add_prefix_space_, budget);
        return lists;
    }

private:
    bool trim_, add_prefix_space_;
};

} // namespace

PostProcessorPointer sequence_post_processor(std::vector<PostProcessorPointer> steps) {
    return std::make_unique<Steps>(std::move(steps));
}

PostProcessorPointer named_post_processor(std::string name, PostProcessorPointer processor) {
    return std::make_unique<Named>(std::move(name), std::move(processor));
}

PostProcessorPointer template_post_processor(Template single, Template pair) {
    return std::make_unique<ByTemplate>(std::move(single), std::move(pair));
}

PostProcessorPointer bert_post_processor(Token cls, Token sep) {
    return std::make_unique<Bert>(std::move(cls), std::move(sep));
}

PostProcessorPointer roberta_post_processor(Token cls, Token sep, bool trim_offsets, bool add_prefix_space) {
    return std::make_unique<Roberta>(std::move(cls), std::move(sep), trim_offsets, add_prefix_space);
}

PostProcessorPointer byte_level_post_processor(bool trim_offsets, bool add_prefix_space) {
    return std::make_unique<ByteLevel>(trim_offsets, add_prefix_space);
}

SharedTokens shared_tokens(std::vector<Token> tokens) {
    return std::make_shared<const std::vector<Token>>(std::move(tokens));
}

Token special_token(std::int64_t id, std::string text) {
    return {.id = id, .text = std::move(text), .begin = 0, .end = 0, .special = true, .type = 0};
}

} // namespace attnlab::tokens
