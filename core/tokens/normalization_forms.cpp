// NFC, NFD, NFKC and NFKD (Unicode Standard Annex 15). utf8proc knows how a character decomposes and which two compose;
// the loops are here, since each character has to keep its place in the original.
#include "core/tokens/normalizer.h"

#include <utf8proc.h>

#include <algorithm>
#include <optional>

namespace attnlab::tokens {
namespace {

constexpr int not_combining = 0;

int combining_class(char32_t character) {
    return utf8proc_get_property(static_cast<utf8proc_int32_t>(character))->combining_class;
}

/// Decomposed, marks in canonical order.
std::vector<Changed> decomposed(std::string_view text, bool compatible, Budget& budget) {
    ChangedText changed(budget);
    auto& result = changed.characters;
    const auto option = static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | (compatible ? UTF8PROC_COMPAT : 0));
    std::size_t marks = 0; // where the last run of marks begins
    const auto sort_marks = [&] {
        std::stable_sort(result.begin() + static_cast<std::ptrdiff_t>(marks), result.end(),
                         [&](const Changed& a, const Changed& b) {
                             budget.spend(1);
                             return combining_class(a.character) < combining_class(b.character);
                         });
        marks = result.size();
    };
    for_each_character(text, [&](char32_t character, std::size_t) {
        utf8proc_int32_t parts[32] = {static_cast<utf8proc_int32_t>(character)};
        int boundary = 0;
        const auto count =
            character < 0x80
                ? 1
                : std::max<utf8proc_ssize_t>(utf8proc_decompose_char(parts[0], parts, 32, option, &boundary), 1);
        for (utf8proc_ssize_t i = 0; i < count; ++i) {
            const auto part = static_cast<char32_t>(parts[i]);
            if (part < 0x80 || combining_class(part) == not_combining)
                sort_marks();
            changed.add(part, i == 0 ? 0 : 1);
        }
    });
    sort_marks();
    return std::move(changed.characters);
}

std::optional<char32_t> composed_hangul(char32_t first, char32_t second) {
    constexpr char32_t lead = 0x1100, vowel = 0x1161, trail = 0x11a7, syllable = 0xac00;
    constexpr char32_t leads = 19, vowels = 21, trails = 28;
    if (first - lead < leads && second - vowel < vowels)
        return syllable + ((first - lead) * vowels + (second - vowel)) * trails;
    if (first - syllable < leads * vowels * trails && (first - syllable) % trails == 0 && second > trail &&
        second - trail < trails)
        return first + (second - trail);
    return {};
}

/// The character that two compose to.
std::optional<char32_t> composed(char32_t first, char32_t second) {
    if (second < 0x300)
        return {};
    if (const auto hangul = composed_hangul(first, second))
        return hangul;
    utf8proc_int32_t both[] = {static_cast<utf8proc_int32_t>(first), static_cast<utf8proc_int32_t>(second)};
    const auto option = static_cast<utf8proc_option_t>(UTF8PROC_COMPOSE | UTF8PROC_STABLE);
    if (utf8proc_normalize_utf32(both, 2, option) != 1)
        return {};
    return static_cast<char32_t>(both[0]);
}

/// Composes in place, as the algorithm of the annex: a mark is blocked by one of the same or a higher class.
void compose(std::vector<Changed>& text, Budget& budget) {
    std::size_t kept = 0;
    std::optional<std::size_t> starter; // an index below `kept`
    int last_class = -1;                // of the mark before, -1 right after the starter
    for (const auto& [character, change] : text) {
        budget.spend(1);
        const int own_class = combining_class(character);
        if (starter && last_class < own_class)
            if (const auto both = composed(text[*starter].character, character)) {
                text[*starter] = {*both, text[*starter].change + change - 1};
                continue;
            }
        if (own_class == not_combining) {
            starter = kept;
            last_class = -1;
        } else {
            last_class = own_class;
        }
        text[kept++] = {character, change};
    }
    text.resize(kept);
}

} // namespace

void normalize(AlignedText& text, NormalizationForm form, Budget& budget) {
    if (std::ranges::all_of(text.text(), [](char byte) { return static_cast<unsigned char>(byte) < 0x80; }))
        return;
    const bool compatible = form == NormalizationForm::Compatible || form == NormalizationForm::CompatibleComposed;
    auto changed = decomposed(text.text(), compatible, budget);
    if (form == NormalizationForm::CanonicalComposed || form == NormalizationForm::CompatibleComposed)
        compose(changed, budget);
    text.transform(changed, budget);
}

} // namespace attnlab::tokens
