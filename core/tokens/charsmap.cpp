// SentencePiece's precompiled table of normalizations.
#include "core/message.h"
#include "core/tokens/normalizer.h"

#include <utf8proc.h>

#include <cstdint>
#include <cstring>
#include <optional>

namespace attnlab::tokens {
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
                    const auto one = cluster.substr(at, bytes_of(character));
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
            if (text >= texts_.size() || (static_cast<unsigned char>(texts_[text]) & 0xc0) == 0x80)
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

} // namespace attnlab::tokens
