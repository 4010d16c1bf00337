#include "core/tokens/pre_tokenizer.h"

#include "core/tokens/normalizer.h"
#include "core/tokens/pipeline.h"

#include <algorithm>
#include <array>
#include <utility>

namespace attnlab::tokens {
namespace {

/// Each part takes the next one where `joins(part, next)` says so.
template <class Joins>
std::vector<Match> joined(std::span<const Match> matches, Joins joins) {
    std::vector<Match> parts;
    bool last_matched = false;
    for (const auto& match : matches) {
        if (!parts.empty() && joins(last_matched, match.matched))
            parts.back().end = match.end;
        else
            parts.push_back(match);
        last_matched = match.matched;
    }
    return parts;
}

std::vector<Match> joined_with_next(std::span<const Match> matches) {
    std::vector<Match> parts;
    bool last_matched = false;
    for (auto match = matches.rbegin(); match != matches.rend(); ++match) {
        if (match->matched && !last_matched && !parts.empty())
            parts.back().begin = match->begin;
        else
            parts.push_back(*match);
        last_matched = match->matched;
    }
    std::ranges::reverse(parts);
    return parts;
}

std::vector<Match> parts_of(std::span<const Match> matches, Behavior behavior) {
    switch (behavior) {
    case Behavior::Contiguous:
        return joined(matches, [](bool last, bool next) { return last == next; });
    case Behavior::MergedWithPrevious:
        return joined(matches, [](bool last, bool next) { return next && !last; });
    case Behavior::MergedWithNext:
        return joined_with_next(matches);
    case Behavior::Removed:
    case Behavior::Isolated:
        break;
    }
    return {matches.begin(), matches.end()};
}

} // namespace

std::vector<AlignedText> split(const AlignedText& text, std::span<const Match> matches, Behavior behavior,
                               Budget& budget) {
    auto kept = parts_of(matches, behavior);
    std::erase_if(kept, [&](const Match& part) {
        return part.begin == part.end || (part.matched && behavior == Behavior::Removed);
    });
    budget.require_pieces(kept.size());
    std::vector<AlignedText> parts;
    parts.reserve(kept.size());
    for (const auto& part : kept) {
        budget.spend(1 + part.end - part.begin);
        parts.push_back(text.slice(part.begin, part.end));
    }
    return parts;
}

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
    append_character(content, replacement);
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

// Implements read_pre_tokenizer() of pipeline.h.

namespace {

Behavior read_behavior(const io::JsonNode& node) {
    constexpr std::array<std::string_view, 5> names = {"Removed", "Isolated", "MergedWithPrevious", "MergedWithNext",
                                                       "Contiguous"};
    const auto& name = node.one_of(names);
    for (std::size_t i = 0; i < names.size(); ++i)
        if (name == names[i])
            return static_cast<Behavior>(i);
    return Behavior::Isolated;
}

PreTokenizerPointer read_metaspace(const io::JsonNode& part) {
    return metaspace_pre_tokenizer(one_character(part.at("replacement")), read_prepend_scheme(part),
                                   flag(part, "split", true));
}

} // namespace

Prepend read_prepend_scheme(const io::JsonNode& part) {
    constexpr std::array<std::string_view, 3> names = {"never", "first", "always"};
    const auto* scheme = member(part, "prepend_scheme");
    const std::string name = scheme ? scheme->one_of(names) : "always";
    if (flag(part, "add_prefix_space", true)) // how older files say it
        return name == names[0] ? Prepend::Never : name == names[1] ? Prepend::First : Prepend::Always;
    if (scheme && name != "never")
        scheme->fail_expecting(ATTNLAB_TEXT("never, as add_prefix_space is false"));
    return Prepend::Never;
}

namespace {

PreTokenizerPointer read_one_pre_tokenizer(const io::JsonNode& part, const std::string& type,
                                           const PartSettings& settings) {
    if (type == "ByteLevel")
        return byte_level_pre_tokenizer(settings.prefix_space.value_or(part.at("add_prefix_space").boolean()),
                                        flag(part, "use_regex", true));
    if (type == "BertPreTokenizer")
        return bert_pre_tokenizer();
    if (type == "Whitespace")
        return whitespace_pre_tokenizer();
    if (type == "WhitespaceSplit")
        return character_pre_tokenizer(is_whitespace, Behavior::Removed);
    if (type == "Punctuation") {
        const auto* behavior = member(part, "behavior");
        return character_pre_tokenizer(is_punctuation, behavior ? read_behavior(*behavior) : Behavior::Isolated);
    }
    if (type == "Digits")
        return character_pre_tokenizer(is_numeric, part.at("individual_digits").boolean() ? Behavior::Isolated
                                                                                          : Behavior::Contiguous);
    if (type == "Split")
        return split_pre_tokenizer(read_pattern(part.at("pattern")), read_behavior(part.at("behavior")),
                                   part.at("invert").boolean());
    if (type == "CharDelimiterSplit")
        return delimiter_pre_tokenizer(one_character(part.at("delimiter")));
    if (type == "Metaspace")
        return read_metaspace(part);
    if (type == "FixedLength") {
        const auto length = count_in(part.at("length"));
        if (length == 0)
            part.at("length").fail_expecting({ATTNLAB_TEXT("%1 or more"), {"1"}});
        return fixed_length_pre_tokenizer(length);
    }
    fail_unknown(part, type);
}

} // namespace

PreTokenizerPointer read_pre_tokenizer(const io::JsonNode& part, const RunControl& control,
                                       const PartSettings& settings) {
    control.checkpoint();
    const auto& type = part.at("type").text();
    if (type == "Sequence")
        return sequence_pre_tokenizer(read_all(part.at("pretokenizers"), [&](const io::JsonNode& step) {
            return read_pre_tokenizer(step, control, settings);
        }));
    return named_pre_tokenizer(name_of(part, type), read_one_pre_tokenizer(part, type, settings));
}

} // namespace attnlab::tokens
