// Normalizers: Unicode forms, SentencePiece's table, and their reader.
#include "core/tokens/normalizer.h"

#include "core/io/base64.h"
#include "core/message.h"
#include "core/tokens/pipeline.h"
#include "core/tokens/unicode.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utf8proc.h>
#include <utility>

namespace attnlab::tokens {

// NFC, NFD, NFKC and NFKD (Unicode Standard Annex 15). utf8proc knows how a character decomposes and which two compose;
// the loops are here, since each character has to keep its place in the original.
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

// SentencePiece's precompiled table of normalizations.

namespace {

/// A unit of a trie of Darts: the letter it is for, whether a value follows, and where its children lie.
class TrieUnit {
public:
    explicit TrieUnit(std::uint32_t bits) : bits_(bits) {}
    bool is_for(unsigned char letter) const { return (bits_ & 0x800000ffU) == letter; }
    bool has_value() const { return (bits_ >> 8 & 1U) != 0; }
    std::size_t value() const { return bits_ & 0x7fffffffU; }
    std::size_t offset() const { return std::size_t{bits_ >> 10} << ((bits_ & 0x200U) >> 6); }

private:
    std::uint32_t bits_;
};

class Charsmap : public Normalizer {
public:
    explicit Charsmap(std::string_view table) {
        std::uint32_t size = 0;
        if (table.size() < sizeof size)
            fail();
        std::memcpy(&size, table.data(), sizeof size);
        table.remove_prefix(sizeof size);
        if (size > table.size() || size % 4 != 0 || size == 0)
            fail();
        units_.resize(size / 4);
        std::memcpy(units_.data(), table.data(), size);
        texts_ = table.substr(size);
        if (!is_utf8(texts_))
            fail();
    }

    void apply(AlignedText& text, Budget& budget) const override {
        ChangedText changed(budget);
        const std::string_view all = text.text();
        bool modified = false;
        for (std::size_t begin = 0; begin < all.size();) {
            const auto cluster = all.substr(begin, cluster_size(all, begin, budget));
            constexpr std::size_t longest = 5; // SentencePiece's tables have no longer ones
            if (const auto other = cluster.size() <= longest ? found(cluster) : std::nullopt) {
                replace(cluster, *other, changed, budget);
                modified = true;
            } else {
                for_each_character(cluster, [&](char32_t character, std::size_t at) {
                    const auto one = cluster.substr(at, utf8_size(character));
                    const auto instead = found(one);
                    modified = modified || instead;
                    if (instead)
                        replace(one, *instead, changed, budget);
                    else
                        changed.add(character, 0);
                });
            }
            begin += cluster.size();
        }
        if (modified)
            text.transform(changed.characters, budget);
    }

private:
    [[noreturn]] static void fail() { throw Error(Message(ATTNLAB_TEXT("the table of characters is damaged"))); }

    /// The bytes of the grapheme cluster at `begin`.
    static std::size_t cluster_size(std::string_view text, std::size_t begin, Budget& budget) {
        utf8proc_int32_t state = 0;
        auto [last, size] = character_at(text, begin);
        while (begin + size < text.size()) {
            budget.spend(1);
            const auto [next, bytes] = character_at(text, begin + size);
            if (utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(last),
                                                 static_cast<utf8proc_int32_t>(next), &state))
                break;
            last = next;
            size += bytes;
        }
        return size;
    }

    std::size_t unit_at(std::size_t at) const { return at < units_.size() ? at : (fail(), 0); }

    /// The text for the shortest beginning of `key` that has one, as the `tokenizers` library takes it.
    std::optional<std::string_view> found(std::string_view key) const {
        std::size_t at = TrieUnit(units_[0]).offset();
        for (const char letter : key) {
            const auto byte = static_cast<unsigned char>(letter);
            if (byte == 0)
                break;
            at ^= byte;
            const TrieUnit unit(units_[unit_at(at)]);
            if (!unit.is_for(byte))
                return {};
            at ^= unit.offset();
            if (!unit.has_value())
                continue;
            const auto text = TrieUnit(units_[unit_at(at)]).value();
            if (text >= texts_.size() || is_continuation(texts_[text]))
                fail();
            return std::string_view(texts_).substr(text, texts_.find('\0', text) - text);
        }
        return {};
    }

    static void replace(std::string_view old, std::string_view by, ChangedText& changed, Budget& budget) {
        budget.spend(by.size());
        const auto more = count_characters(by) - count_characters(old);
        for_each_character(by, [&](char32_t character, std::size_t) { changed.add(character, 0); });
        auto& all = changed.characters;
        for (std::int64_t i = 0; i < more; ++i)
            all[all.size() - 1 - static_cast<std::size_t>(i)].change = 1;
        if (more < 0 && !all.empty())
            all.back().change += static_cast<int>(more);
    }

    std::vector<std::uint32_t> units_;
    std::string texts_; ///< each ends with a NUL
};

} // namespace

NormalizerPointer charsmap_normalizer(std::string_view table) { return std::make_unique<Charsmap>(table); }

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
        end = at + utf8_size(character);
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
        for (std::size_t i = 0; i < utf8_size(character); ++i)
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

// Implements read_normalizer() of pipeline.h.

namespace {

NormalizerPointer read_one_normalizer(const io::JsonNode& part, const std::string& type, const PartSettings& settings) {
    if (type == "NFC")
        return form_normalizer(NormalizationForm::CanonicalComposed);
    if (type == "NFD")
        return form_normalizer(NormalizationForm::Canonical);
    if (type == "NFKC")
        return form_normalizer(NormalizationForm::CompatibleComposed);
    if (type == "NFKD")
        return form_normalizer(NormalizationForm::Compatible);
    if (type == "Lowercase")
        return plain_normalizer(make_lower);
    if (type == "StripAccents")
        return plain_normalizer(strip_accents);
    if (type == "Nmt")
        return plain_normalizer(clean_for_translation);
    if (type == "ByteLevel")
        return plain_normalizer(spell_bytes);
    if (type == "Strip")
        return strip_normalizer(part.at("strip_left").boolean(), part.at("strip_right").boolean());
    if (type == "Prepend")
        return prepend_normalizer(part.at("prepend").text());
    if (type == "Replace")
        return replace_normalizer(read_pattern(part.at("pattern")), part.at("content").text());
    if (type == "Precompiled")
        return within(part,
                      [&] { return charsmap_normalizer(io::from_base64(part.at("precompiled_charsmap").text())); });
    if (type == "BertNormalizer") {
        BertNormalization options;
        options.clean_text = part.at("clean_text").boolean();
        options.handle_chinese_chars = part.at("handle_chinese_chars").boolean();
        options.lowercase = part.at("lowercase").boolean();
        options.strip_accents = flag(part, "strip_accents", options.lowercase);
        if (const auto& letters = settings.letters) {
            options.lowercase = letters->lowercase;
            options.strip_accents = letters->strip_accents;
            options.handle_chinese_chars = letters->handle_chinese_chars;
        }
        return bert_normalizer(options);
    }
    fail_unknown(part, type);
}

} // namespace

NormalizerPointer read_normalizer(const io::JsonNode& part, const RunControl& control, const PartSettings& settings) {
    control.checkpoint();
    const auto& type = part.at("type").text();
    if (type == "Sequence")
        return sequence_normalizer(read_all(part.at("normalizers"), [&](const io::JsonNode& step) {
            return read_normalizer(step, control, settings);
        }));
    return named_normalizer(name_of(part, type), read_one_normalizer(part, type, settings));
}

} // namespace attnlab::tokens
