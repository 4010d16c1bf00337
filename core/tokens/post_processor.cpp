#include "core/tokens/post_processor.h"

#include "core/message.h"
#include "core/tokens/pipeline.h"
#include "core/tokens/unicode.h"

#include <algorithm>
#include <limits>
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

// Implements read_post_processor() of pipeline.h.

namespace {

/// ["[SEP]", 102].
Token read_pair(const io::JsonNode& node) {
    if (node.items().size() != 2)
        node.fail_expecting(ATTNLAB_TEXT("a token and its id"));
    return special_token(node.items()[1].integer(), node.items()[0].text());
}

int read_type(const io::JsonNode& node) {
    const auto type = node.integer();
    if (type < 0 || type > std::numeric_limits<int>::max())
        node.fail_expecting(ATTNLAB_TEXT("a token type"));
    return static_cast<int>(type);
}

SharedTokens read_special(const io::JsonNode& token) {
    const auto& ids = token.at("ids").items();
    const auto& texts = token.at("tokens").items();
    if (ids.size() != texts.size())
        token.fail_expecting(ATTNLAB_TEXT("as many ids as tokens"));
    std::vector<Token> tokens;
    for (std::size_t i = 0; i < ids.size(); ++i)
        tokens.push_back(special_token(ids[i].integer(), texts[i].text()));
    return shared_tokens(std::move(tokens));
}

Template read_template(const io::JsonNode& list, const io::JsonNode& specials) {
    Template parts;
    std::map<std::string, SharedTokens> read;
    const auto special = [&](const std::string& id) {
        auto& tokens = read[id];
        if (!tokens)
            tokens = read_special(specials.at(id));
        return tokens;
    };
    for (const auto& item : list.items()) {
        if (item.members().size() != 1)
            item.fail_expecting({ATTNLAB_TEXT("%1 or %2"), {"SpecialToken", "Sequence"}});
        const auto& [kind, held] = item.members().front();
        const auto& id = held.at("id").text();
        TemplatePart part;
        part.type = read_type(held.at("type_id"));
        if (kind == "Sequence" && (id == "A" || id == "B"))
            part.sequence = id == "A" ? 0 : 1;
        else if (kind == "SpecialToken")
            part.tokens = special(id);
        else
            fail_unknown(item, kind == "Sequence" ? id : kind);
        parts.push_back(std::move(part));
    }
    return parts;
}

PostProcessorPointer read_one_post_processor(const io::JsonNode& part, const std::string& type) {
    if (type == "TemplateProcessing")
        return template_post_processor(read_template(part.at("single"), part.at("special_tokens")),
                                       read_template(part.at("pair"), part.at("special_tokens")));
    if (type == "BertProcessing")
        return bert_post_processor(read_pair(part.at("cls")), read_pair(part.at("sep")));
    if (type == "RobertaProcessing")
        return roberta_post_processor(read_pair(part.at("cls")), read_pair(part.at("sep")),
                                      part.at("trim_offsets").boolean(), part.at("add_prefix_space").boolean());
    if (type == "ByteLevel")
        return byte_level_post_processor(part.at("trim_offsets").boolean(), part.at("add_prefix_space").boolean());
    fail_unknown(part, type);
}

} // namespace

PostProcessorPointer read_post_processor(const io::JsonNode& part, const RunControl& control) {
    control.checkpoint();
    const auto& type = part.at("type").text();
    if (type == "Sequence")
        return sequence_post_processor(read_all(
            part.at("processors"), [&](const io::JsonNode& step) { return read_post_processor(step, control); }));
    return named_post_processor(name_of(part, type), read_one_post_processor(part, type));
}

} // namespace attnlab::tokens
