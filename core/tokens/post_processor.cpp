#include "core/tokens/post_processor.h"

#include "core/message.h"
#include "core/tokens/byte_letters.h"
#include "core/tokens/unicode.h"

#include <algorithm>
#include <utility>

namespace attnlab::tokens {
namespace {

void set_type(std::vector<Token>& list, int type) {
    for (auto& token : list)
        token.type = type;
}

void append(std::vector<Token>& list, const std::vector<Token>& more) {
    list.insert(list.end(), more.begin(), more.end());
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
void trim(std::vector<Token>& list, bool add_prefix_space) {
    for (std::size_t i = 0; i < list.size(); ++i) {
        auto& token = list[i];
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
    TokenLists process(TokenLists lists) const override {
        for (const auto& step : steps_)
            lists = step->process(std::move(lists));
        return lists;
    }

private:
    std::vector<PostProcessorPointer> steps_;
};

class ByTemplate : public PostProcessor {
public:
    ByTemplate(Template single, Template pair) : single_(std::move(single)), pair_(std::move(pair)) {}
    TokenLists process(TokenLists lists) const override {
        if (lists.size() > 2)
            throw Error(Message(ATTNLAB_TEXT("post_processor: a template follows another")));
        TokenLists parts;
        for (const auto& part : lists.size() == 1 ? single_ : pair_) {
            if (part.sequence >= std::ssize(lists))
                continue;
            parts.push_back(part.sequence < 0 ? part.tokens : lists[static_cast<std::size_t>(part.sequence)]);
            set_type(parts.back(), part.type);
        }
        return parts;
    }

private:
    Template single_, pair_;
};

class Bert : public PostProcessor {
public:
    Bert(Token cls, Token sep) : cls_(std::move(cls)), sep_(std::move(sep)) {}
    TokenLists process(TokenLists lists) const override {
        for (std::size_t i = 0; i < lists.size(); ++i) {
            std::vector<Token> whole;
            if (i == 0)
                whole.push_back(cls_);
            append(whole, lists[i]);
            whole.push_back(sep_);
            whole.back().type = i == 0 ? 0 : 1;
            lists[i] = std::move(whole);
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
    TokenLists process(TokenLists lists) const override {
        for (std::size_t i = 0; i < lists.size(); ++i) {
            if (trim_)
                trim(lists[i], add_prefix_space_);
            std::vector<Token> whole{i == 0 ? cls_ : sep_};
            append(whole, lists[i]);
            whole.push_back(sep_);
            set_type(whole, 0);
            lists[i] = std::move(whole);
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
    TokenLists process(TokenLists lists) const override {
        if (trim_)
            for (auto& list : lists)
                trim(list, add_prefix_space_);
        return lists;
    }

private:
    bool trim_, add_prefix_space_;
};

} // namespace

PostProcessorPointer sequence_post_processor(std::vector<PostProcessorPointer> steps) {
    return std::make_unique<Steps>(std::move(steps));
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

Token special_token(std::int64_t id, std::string text) {
    return {.id = id, .text = std::move(text), .begin = 0, .end = 0, .special = true, .type = 0};
}

} // namespace attnlab::tokens
