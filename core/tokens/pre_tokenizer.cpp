#include "core/tokens/pre_tokenizer.h"

#include "core/tokens/normalizer.h"

#include <utility>

namespace attnlab::tokens {
namespace {

/// A pre-tokenizer that calls a function object for all pieces.
template <class Cut>
class Cutting : public PreTokenizer {
public:
    explicit Cutting(Cut function) : cut_(std::move(function)) {}
    void apply(Pieces& pieces, Budget& budget) const override { cut_(pieces, budget); }

private:
    Cut cut_;
};

template <class Cut>
PreTokenizerPointer cutting(Cut cut) {
    return std::make_unique<Cutting<Cut>>(std::move(cut));
}

/// One that splits every piece by itself.
template <class Split>
PreTokenizerPointer splitting(Split function) {
    return cutting([function = std::move(function)](Pieces& pieces, Budget& budget) {
        split_pieces(pieces, budget, [&](AlignedText& text) { return function(text, budget); });
    });
}

void invert_all(std::vector<Match>& matches) {
    for (auto& match : matches)
        match.matched = !match.matched;
}

std::vector<AlignedText> alone(AlignedText text) {
    std::vector<AlignedText> parts;
    parts.push_back(std::move(text));
    return parts;
}

} // namespace

PreTokenizerPointer sequence_pre_tokenizer(std::vector<PreTokenizerPointer> steps) {
    return cutting([steps = std::move(steps)](Pieces& pieces, Budget& budget) {
        for (const auto& step : steps) {
            budget.spend(1);
            step->apply(pieces, budget);
        }
    });
}

PreTokenizerPointer named_pre_tokenizer(std::string name, PreTokenizerPointer pre_tokenizer) {
    return cutting([name = std::move(name), inner = std::move(pre_tokenizer)](Pieces& pieces, Budget& budget) {
        naming(name, [&] { inner->apply(pieces, budget); });
    });
}

PreTokenizerPointer byte_level_pre_tokenizer(bool add_prefix_space, bool use_regex) {
    constexpr auto words = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
    return cutting([=, pattern = Pattern::oniguruma(words)](Pieces& pieces, Budget& budget) {
        split_pieces(pieces, budget, [&](AlignedText& text) {
            if (add_prefix_space && !text.text().starts_with(' '))
                text.prepend(" ", budget);
            return use_regex ? split(text, pattern.find(text.text(), budget), Behavior::Isolated, budget)
                             : alone(std::move(text));
        });
        change_pieces(pieces, budget, [&](AlignedText& text) { spell_bytes(text, budget); });
    });
}

PreTokenizerPointer bert_pre_tokenizer() {
    std::vector<PreTokenizerPointer> steps;
    steps.push_back(character_pre_tokenizer(is_whitespace, Behavior::Removed));
    steps.push_back(character_pre_tokenizer(is_punctuation, Behavior::Isolated));
    return sequence_pre_tokenizer(std::move(steps));
}

PreTokenizerPointer whitespace_pre_tokenizer() {
    constexpr auto words = R"([\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]++|)"
                           R"([^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}\p{White_Space}]++)";
    return split_pre_tokenizer(Pattern::pcre2(words), Behavior::Removed, true);
}

PreTokenizerPointer character_pre_tokenizer(bool (*is)(char32_t), Behavior behavior) {
    return splitting([=](AlignedText& text, Budget& budget) {
        return split(text, characters_that(text.text(), budget, is), behavior, budget);
    });
}

PreTokenizerPointer delimiter_pre_tokenizer(char32_t delimiter) {
    return splitting([=](AlignedText& text, Budget& budget) {
        const auto is = [=](char32_t character) { return character == delimiter; };
        return split(text, characters_that(text.text(), budget, is), Behavior::Removed, budget);
    });
}

PreTokenizerPointer split_pre_tokenizer(Pattern pattern, Behavior behavior, bool invert) {
    return splitting([=, pattern = std::move(pattern)](AlignedText& text, Budget& budget) {
        auto matches = pattern.find(text.text(), budget);
        if (invert)
            invert_all(matches);
        return split(text, matches, behavior, budget);
    });
}

PreTokenizerPointer metaspace_pre_tokenizer(char32_t replacement, Prepend prepend, bool splits) {
    std::string content;
    append(content, replacement);
    return splitting([=](AlignedText& text, Budget& budget) {
        const auto is_space = [](char32_t character) { return character == U' '; };
        text.replace(characters_that(text.text(), budget, is_space), content, budget);
        const bool wanted = prepend == Prepend::Always || (prepend == Prepend::First && text.whole().begin == 0);
        if (wanted && !text.text().starts_with(content))
            text.prepend(content, budget);
        if (!splits)
            return alone(std::move(text));
        const auto is = [=](char32_t character) { return character == replacement; };
        return split(text, characters_that(text.text(), budget, is), Behavior::MergedWithNext, budget);
    });
}

PreTokenizerPointer fixed_length_pre_tokenizer(std::size_t characters) {
    return splitting([=](AlignedText& text, Budget& budget) {
        Matches parts(text.text().size());
        std::size_t count = 0, begin = 0;
        for_each_character(text.text(), [&](char32_t, std::size_t at) {
            budget.spend(1);
            if (count > 0 && count % characters == 0)
                parts.add(std::exchange(begin, at), at);
            ++count;
        });
        return split(text, parts.all(), Behavior::Isolated, budget);
    });
}

} // namespace attnlab::tokens
