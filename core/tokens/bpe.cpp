// Byte-pair encoding: merges in order of priority, or by the scores of SentencePiece.
#include "core/io/file_formats.h"
#include "core/message.h"
#include "core/tokens/aligned_text.h"
#include "core/tokens/token_model.h"
#include "core/tokens/vocabulary.h"
#include "core/utf8.h"

#include <array>
#include <cstdint>
#include <limits>
#include <queue>
#include <vector>

namespace attnlab::tokens {

// A word as a list of symbols of which neighbours are merged, in the order of a queue.

struct Symbol {
    std::uint32_t id;
    std::uint32_t bytes; ///< 0: merged into one before it
    std::int32_t previous = -1, next = -1;
};

/// Appends to a linked list. Throws Error for too many.
inline void push_symbol(std::vector<Symbol>& symbols, std::uint32_t id, std::size_t bytes) {
    Budget::require_symbols(symbols.size() + 1);
    const auto at = static_cast<std::int32_t>(symbols.size());
    if (at > 0)
        symbols.back().next = at;
    symbols.push_back({id, static_cast<std::uint32_t>(bytes), at - 1, -1});
}

/// Merges neighbours until none can be. `candidate(i, j)` is an optional with members `priority`, of which the lowest
/// comes first, and `id`, for neighbours i and j. Of equal priorities the first in the word comes first.
template <class Candidate>
void merge_symbols(std::vector<Symbol>& symbols, Budget& budget, Candidate candidate) {
    constexpr std::size_t steps = 8; // of a look into the vocabulary
    using Merge = typename decltype(candidate(std::size_t{}, std::size_t{}))::value_type;
    struct Entry {
        Merge merge;
        std::uint32_t at;
        bool operator<(const Entry& other) const { // the greatest leaves the queue first
            return merge.priority != other.merge.priority ? merge.priority > other.merge.priority : at > other.at;
        }
    };
    std::priority_queue<Entry> queue;
    const auto offer = [&](std::int32_t at) {
        budget.spend(steps);
        if (at < 0 || symbols[static_cast<std::size_t>(at)].next < 0)
            return;
        const auto first = static_cast<std::uint32_t>(at);
        if (const auto merge = candidate(first, static_cast<std::size_t>(symbols[first].next)))
            queue.push({*merge, first});
    };
    for (std::int32_t at = 0; at + 1 < std::ssize(symbols); ++at)
        offer(at);
    while (!queue.empty()) {
        budget.spend(steps);
        const auto [merge, at] = queue.top();
        queue.pop();
        auto& symbol = symbols[at];
        if (symbol.bytes == 0 || symbol.next < 0)
            continue;
        auto& right = symbols[static_cast<std::size_t>(symbol.next)];
        const auto now = candidate(std::size_t{at}, static_cast<std::size_t>(symbol.next));
        if (!now || now->id != merge.id) // the pair has changed since
            continue;
        symbol.id = merge.id;
        symbol.bytes += right.bytes;
        right.bytes = 0;
        symbol.next = right.next;
        if (symbol.next >= 0)
            symbols[static_cast<std::size_t>(symbol.next)].previous = static_cast<std::int32_t>(at);
        offer(symbol.previous);
        offer(static_cast<std::int32_t>(at));
    }
}

// Byte-pair encoding: a word begins as characters, and the pair that was learnt first is merged first.

namespace {

struct RankedMerge {
    std::uint32_t priority;
    std::uint32_t id;
};

/// Merges by their pairs; of equal ones the last counts.
class MergeTable {
public:
    void reserve(std::size_t count) {
        merges_.reserve(count);
        index_.reserve(count);
    }

    void set(std::uint32_t first, std::uint32_t second, RankedMerge merge) {
        const auto pair = joined(first, second);
        if (const auto known = find(pair); known != HashIndex::none) {
            merges_[known].merge = merge;
            return;
        }
        index_.add(pair, static_cast<std::uint32_t>(merges_.size()));
        merges_.push_back({pair, merge});
    }

    std::optional<RankedMerge> at(std::uint32_t first, std::uint32_t second) const {
        const auto found = find(joined(first, second));
        return found == HashIndex::none ? std::nullopt : std::optional(merges_[found].merge);
    }

private:
    struct Entry {
        std::uint64_t pair;
        RankedMerge merge;
    };

    static std::uint64_t joined(std::uint32_t first, std::uint32_t second) {
        return std::uint64_t{first} << 32 | std::uint64_t{second};
    }

    std::uint32_t find(std::uint64_t pair) const {
        return index_.find(pair, [&](std::uint32_t index) { return merges_[index].pair == pair; });
    }

    std::vector<Entry> merges_;
    HashIndex index_;
};

class Bpe : public Model {
public:
    Bpe(Vocabulary vocabulary, const Merges& merges, BpeOptions options, Budget& budget)
        : Model(std::move(vocabulary)), options_(std::move(options)) {
        for (unsigned byte = 0; byte < bytes_.size(); ++byte)
            bytes_[byte] = vocabulary_.id_of(byte_token(static_cast<unsigned char>(byte)));
        if (options_.unk_token)
            unk_ = vocabulary_.id_of(*options_.unk_token);
        merges_.reserve(merges.size());
        const auto prefix = options_.continuing_subword_prefix.size();
        for (std::uint32_t rank = 0; const auto& [first, second] : merges) {
            if (second.size() < prefix)
                throw Error({ATTNLAB_TEXT("the merge '%1' does not begin as the middle of a word: %2"),
                             {io::excerpt(second), io::excerpt(options_.continuing_subword_prefix)}});
            budget.spend(16 + first.size() + second.size());
            const auto both = first + second.substr(prefix);
            const auto left = needed(first), right = needed(second), made = needed(both); // named in this order
            merges_.set(left, right, {rank++, made});
        }
    }

    ModelTokens tokenize(std::string_view word, Budget& budget) const override {
        if (options_.ignore_merges)
            if (const auto id = vocabulary_.id_of(word))
                return {{*id, word, 0, word.size()}};
        auto symbols = symbols_of(word, budget);
        merge_symbols(symbols, budget, [&](std::size_t first, std::size_t second) {
            return merges_.at(symbols[first].id, symbols[second].id);
        });
        ModelTokens tokens;
        std::size_t at = 0;
        for (const auto& [id, bytes, previous, next] : symbols) {
            budget.spend(1);
            if (bytes > 0) {
                push(tokens, {id, *vocabulary_.text_of(id), at, at + bytes});
                at += bytes;
            }
        }
        return tokens;
    }

private:
    std::uint32_t needed(const std::string& text) const {
        if (const auto id = vocabulary_.id_of(text))
            return static_cast<std::uint32_t>(*id); // as all of a vocabulary
        throw Error({ATTNLAB_TEXT("a merge needs the token '%1', which is missing"), {io::excerpt(text)}});
    }

    /// As in the `tokenizers` library, characters for which there is nothing at all vanish, and a run of unknown ones
    /// ends only where a known one follows.
    std::vector<Symbol> symbols_of(std::string_view word, Budget& budget) const {
        std::vector<Symbol> symbols;
        std::size_t unknown = 0; // bytes of the run before
        const auto flush = [&] {
            if (unknown > 0)
                push_symbol(symbols, static_cast<std::uint32_t>(*unk_), std::exchange(unknown, 0));
        };
        std::string spelled;
        for_each_character(word, [&](char32_t character, std::size_t begin) {
            const auto bytes = utf8_size(character);
            spelled.clear();
            if (begin > 0)
                spelled += options_.continuing_subword_prefix;
            spelled += word.substr(begin, bytes);
            if (begin + bytes == word.size())
                spelled += options_.end_of_word_suffix;
            budget.spend(spelled.size());
            if (const auto id = vocabulary_.id_of(spelled)) {
                flush();
                push_symbol(symbols, static_cast<std::uint32_t>(*id), bytes);
            } else if (options_.byte_fallback && has_bytes(spelled)) {
                for (const char byte : spelled)
                    push_symbol(symbols, static_cast<std::uint32_t>(*bytes_[static_cast<unsigned char>(byte)]), 1);
            } else if (options_.unk_token) {
                if (!unk_)
                    throw Error({ATTNLAB_TEXT("the vocabulary lacks '%1', and its token for what it lacks, '%2'"),
                                 {io::excerpt(spelled), io::excerpt(*options_.unk_token)}});
                if (!options_.fuse_unk)
                    flush();
                unknown += bytes;
            }
        });
        flush();
        return symbols;
    }

    bool has_bytes(std::string_view text) const {
        for (const char byte : text)
            if (!bytes_[static_cast<unsigned char>(byte)])
                return false;
        return true;
    }

    BpeOptions options_;
    std::array<std::optional<std::int64_t>, 256> bytes_;
    std::optional<std::int64_t> unk_;
    MergeTable merges_;
};

} // namespace

std::string byte_token(unsigned char byte) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    return std::string("<0x") + digits[byte >> 4] + digits[byte & 0xf] + '>';
}

ModelPointer bpe_model(Vocabulary vocabulary, const Merges& merges, BpeOptions options, Budget& budget) {
    return std::make_unique<Bpe>(std::move(vocabulary), merges, std::move(options), budget);
}

// BPE of SentencePiece, as llama.cpp reads it from a vocabulary with scores.

namespace {

struct ScoredMerge {
    float priority; ///< the score, negative
    std::uint32_t id;
};

class ScoreMerges : public Model {
public:
    ScoreMerges(Vocabulary vocabulary, std::unordered_map<std::int64_t, float> scores, std::optional<std::int64_t> unk)
        : Model(std::move(vocabulary)), scores_(std::move(scores)), unk_(unk) {}

    ModelTokens tokenize(std::string_view word, Budget& budget) const override {
        constexpr auto unknown = std::numeric_limits<std::uint32_t>::max();
        std::vector<Symbol> symbols;
        std::vector<std::uint32_t> begins;
        for_each_character(word, [&](char32_t character, std::size_t begin) {
            const auto bytes = utf8_size(character);
            budget.spend(bytes);
            push_symbol(symbols,
                        static_cast<std::uint32_t>(vocabulary_.id_of(word.substr(begin, bytes)).value_or(unknown)),
                        bytes);
            begins.push_back(static_cast<std::uint32_t>(begin));
        });
        merge_symbols(symbols, budget, [&](std::size_t first, std::size_t second) -> std::optional<ScoredMerge> {
            const std::size_t bytes = symbols[first].bytes + symbols[second].bytes;
            if (bytes > vocabulary_.longest())
                return {};
            budget.spend(bytes / 16);
            const auto id = vocabulary_.id_of(word.substr(begins[first], bytes));
            if (!id)
                return {};
            const auto score = scores_.find(*id);
            return ScoredMerge{score == scores_.end() ? 0.0F : -score->second, static_cast<std::uint32_t>(*id)};
        });
        ModelTokens tokens;
        for (std::size_t i = 0; i < symbols.size(); ++i) {
            budget.spend(1);
            const std::size_t end = begins[i] + symbols[i].bytes;
            if (symbols[i].bytes > 0 && symbols[i].id != unknown)
                push(tokens, {symbols[i].id, *vocabulary_.text_of(symbols[i].id), begins[i], end});
            else if (symbols[i].bytes > 0)
                add_bytes(word, begins[i], end, tokens);
        }
        return tokens;
    }

private:
    void add_bytes(std::string_view word, std::size_t begin, std::size_t end, ModelTokens& tokens) const {
        for (auto at = begin; at < end; ++at) {
            const auto id = vocabulary_.id_of(byte_token(static_cast<unsigned char>(word[at])));
            if (!id && !unk_)
                throw Error({ATTNLAB_TEXT("the vocabulary lacks '%1', and a token for what it lacks"),
                             {io::excerpt(word.substr(begin, end - begin))}});
            if (!id) {
                push(tokens, {*unk_, *vocabulary_.text_of(*unk_), begin, end});
                return;
            }
            push(tokens, {*id, *vocabulary_.text_of(*id), at, at + 1});
        }
    }

    std::unordered_map<std::int64_t, float> scores_;
    std::optional<std::int64_t> unk_;
};

} // namespace

ModelPointer score_model(Vocabulary vocabulary, std::unordered_map<std::int64_t, float> scores,
                         std::optional<std::int64_t> unk) {
    return std::make_unique<ScoreMerges>(std::move(vocabulary), std::move(scores), unk);
}

} // namespace attnlab::tokens
