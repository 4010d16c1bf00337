#include "core/tokens/normalizer.h"

#include "core/tokens/byte_letters.h"

#include <utility>

namespace attnlab::tokens {
namespace {

/// A normalizer that calls a function object.
template <class Apply>
class Calling : public Normalizer {
public:
    explicit Calling(Apply function) : apply_(std::move(function)) {}
    void apply(AlignedText& text, Budget& budget) const override { apply_(text, budget); }

private:
    Apply apply_;
};

template <class Apply>
NormalizerPointer calling(Apply apply) {
    return std::make_unique<Calling<Apply>>(std::move(apply));
}

void strip(AlignedText& text, bool left, bool right, Budget& budget) {
    const auto& all = text.text();
    std::size_t begin = 0, end = 0;
    bool inside = false;
    for_each_character(all, [&](char32_t character, std::size_t at) {
        budget.spend(1);
        if (is_whitespace(character))
            return;
        if (!std::exchange(inside, true))
            begin = at;
        end = at + bytes_of(character);
    });
    if (!inside && (left || right))
        text.trim(0, 0);
    else
        text.trim(left ? begin : 0, right ? end : all.size());
}

/// As BERT has it, but one block begins 0x100 late, as in the `tokenizers` library.
bool is_chinese(char32_t character) {
    constexpr std::pair<char32_t, char32_t> blocks[] = {{0x3400, 0x4dbf},   {0x4e00, 0x9fff},   {0xf900, 0xfaff},
                                                        {0x20000, 0x2a6df}, {0x2a700, 0x2b73f}, {0x2b740, 0x2b81f},
                                                        {0x2b920, 0x2ceaf}, {0x2f800, 0x2fa1f}};
    for (const auto& [first, last] : blocks)
        if (character >= first && character <= last)
            return true;
    return false;
}

bool is_text_space(char32_t character) { return character == '\t' || character == '\n' || character == '\r'; }

void clean(AlignedText& text, Budget& budget) {
    const auto keep = [](char32_t character) {
        return is_text_space(character) || (character != 0 && character != 0xfffd && !is_control(character));
    };
    text.filter(keep, budget);
    text.map([](char32_t character) { return is_whitespace(character) ? U' ' : character; }, budget);
}

void space_chinese(AlignedText& text, Budget& budget) {
    ChangedText changed(budget);
    for_each_character(text.text(), [&](char32_t character, std::size_t) {
        const bool spaced = is_chinese(character);
        if (spaced)
            changed.add(U' ', 0);
        changed.add(character, spaced ? 1 : 0);
        if (spaced)
            changed.add(U' ', 1);
    });
    text.transform(changed.characters, budget);
}

} // namespace

void make_lower(AlignedText& text, Budget& budget) {
    ChangedText changed(budget);
    for_each_character(text.text(), [&](char32_t character, std::size_t) {
        int change = 0;
        for (const auto part : lower(character))
            changed.add(part, std::exchange(change, 1));
    });
    text.transform(changed.characters, budget);
}

void spell_bytes(AlignedText& text, Budget& budget) {
    ChangedText changed(budget);
    for_each_character(text.text(), [&](char32_t character, std::size_t at) {
        for (std::size_t i = 0; i < bytes_of(character); ++i)
            changed.add(letter_of_byte(static_cast<unsigned char>(text.text()[at + i])), i > 0 ? 1 : 0);
    });
    text.transform(changed.characters, budget);
}

void strip_accents(AlignedText& text, Budget& budget) {
    text.filter([](char32_t character) { return !is_mark(character); }, budget);
}

void clean_for_translation(AlignedText& text, Budget& budget) {
    const auto keep = [](char32_t c) {
        return !((c >= 0x1 && c <= 0x8) || c == 0xb || (c >= 0xe && c <= 0x1f) || c == 0x7f || c == 0x8f || c == 0x9f);
    };
    const auto spaced = [](char32_t c) {
        const bool space = c == 0x9 || c == 0xa || c == 0xc || c == 0xd || c == 0x1680 ||
                           (c >= 0x200b && c <= 0x200f) || c == 0x2028 || c == 0x2029 || c == 0x2581 || c == 0xfeff ||
                           c == 0xfffd;
        return space ? U' ' : c;
    };
    text.filter(keep, budget);
    text.map(spaced, budget);
}

NormalizerPointer sequence_normalizer(std::vector<NormalizerPointer> steps) {
    return calling([steps = std::move(steps)](AlignedText& text, Budget& budget) {
        for (const auto& step : steps) {
            budget.spend(1);
            step->apply(text, budget);
        }
    });
}

NormalizerPointer named_normalizer(std::string name, NormalizerPointer normalizer) {
    return calling([name = std::move(name), normalizer = std::move(normalizer)](AlignedText& text, Budget& budget) {
        naming(name, [&] { normalizer->apply(text, budget); });
    });
}

NormalizerPointer plain_normalizer(void (*apply)(AlignedText&, Budget&)) { return calling(apply); }

NormalizerPointer form_normalizer(NormalizationForm form) {
    return calling([form](AlignedText& text, Budget& budget) { normalize(text, form, budget); });
}

NormalizerPointer strip_normalizer(bool left, bool right) {
    return calling([left, right](AlignedText& text, Budget& budget) { strip(text, left, right, budget); });
}

NormalizerPointer replace_normalizer(Pattern pattern, std::string content) {
    return calling([pattern = std::move(pattern), content = std::move(content)](AlignedText& text, Budget& budget) {
        text.replace(pattern.find(text.text(), budget), content, budget);
    });
}

NormalizerPointer prepend_normalizer(std::string content) {
    return calling(
        [content = std::move(content)](AlignedText& text, Budget& budget) { text.prepend(content, budget); });
}

NormalizerPointer bert_normalizer(const BertNormalization& options) {
    return calling([options](AlignedText& text, Budget& budget) {
        if (options.clean_text)
            clean(text, budget);
        if (options.handle_chinese_chars)
            space_chinese(text, budget);
        if (options.strip_accents) {
            normalize(text, NormalizationForm::Canonical, budget);
            text.filter([](char32_t character) { return !is_nonspacing_mark(character); }, budget);
        }
        if (options.lowercase)
            make_lower(text, budget);
    });
}

} // namespace attnlab::tokens
