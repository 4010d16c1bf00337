#include "core/tokens/added_tokens.h"

#include "core/io/file_formats.h"
#include "core/message.h"
#include "core/tokens/pattern.h"

#include <algorithm>

namespace attnlab::tokens {
namespace {

constexpr std::size_t longest_added = 4096;
constexpr std::size_t most_added_bytes = std::size_t{1} << 22; ///< of all added tokens

void require_short(const AddedToken& token, std::size_t bytes) {
    if (bytes > longest_added)
        throw Error({ATTNLAB_TEXT("the added token '%1' takes %2 bytes, at most %3 may be"),
                     {io::excerpt(token.content), std::to_string(bytes), std::to_string(longest_added)}});
}

/// Where the character before `at` begins.
std::size_t before(std::string_view text, std::size_t at) {
    do
        --at;
    while (is_continuation(text[at]));
    return at;
}

/// The classes of letters that make a word in expressions of Rust.
bool is_of_word(std::string_view character, Budget& budget) {
    static const auto word = Pattern::pcre2(R"([\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}])");
    return word.find(character, budget).front().matched;
}

bool stands_alone(std::string_view text, std::size_t begin, std::size_t end, Budget& budget) {
    const auto last = begin > 0 ? before(text, begin) : 0;
    if (begin > 0 && is_of_word(text.substr(last, begin - last), budget))
        return false;
    return end == text.size() || !is_of_word(text.substr(end, character_at(text, end).bytes), budget);
}

/// `covered` or later.
std::size_t without_spaces_before(std::string_view text, std::size_t at, std::size_t covered, Budget& budget) {
    for (; at > covered && is_whitespace(character_at(text, before(text, at)).value); at = before(text, at))
        budget.spend(1);
    return std::max(at, covered);
}

std::size_t after_spaces(std::string_view text, std::size_t at, Budget& budget) {
    for (; at < text.size() && is_whitespace(character_at(text, at).value); at += character_at(text, at).bytes)
        budget.spend(1);
    return at;
}

} // namespace

AddedTokens::AddedTokens(const std::vector<AddedToken>& tokens, const Vocabulary& model, const Normalizer* normalizer,
                         Budget& budget, bool split_special)
    : split_special_(split_special) {
    std::int64_t next = model.size();
    std::size_t bytes = 0;
    for (const auto& token : tokens) {
        budget.spend(1 + token.content.size());
        if (token.content.empty())
            continue;
        require_short(token, token.content.size());
        auto id = id_of(token.content);
        if (!id)
            id = model.id_of(token.content);
        if (!id) {
            id = next;
            ++beside_model_;
        }
        next = std::max(next, *id + 1);
        ids_[token.content] = *id;
        tokens_[*id] = token;
    }
    for (const auto& [id, token] : tokens_) {
        AlignedText content(token.content, budget);
        if (token.normalized && normalizer)
            normalizer->apply(content, budget);
        require_short(token, content.text().size());
        bytes += content.text().size();
        if (bytes > most_added_bytes)
            throw Error({ATTNLAB_TEXT("the added tokens take more than %1 bytes"), {std::to_string(most_added_bytes)}});
        if (content.empty())
            throw Error(
                {ATTNLAB_TEXT("nothing is left of the added token '%1' once it is normalized"), {token.content}});
        decoded_[id] = content.text();
        (token.normalized ? normalized_ : plain_).add(content.text(), id);
    }
}

Pieces AddedTokens::divide(AlignedText text, const Normalizer* normalizer, Budget& budget) const {
    Pieces pieces;
    if (!text.empty())
        pieces.push_back({std::move(text), {}});
    split(pieces, plain_, budget);
    if (normalizer)
        change_pieces(pieces, budget, [&](AlignedText& piece) { normalizer->apply(piece, budget); });
    split(pieces, normalized_, budget);
    return pieces;
}

void AddedTokens::split(Pieces& pieces, const ByteTrie& trie, Budget& budget) const {
    Pieces parts;
    for (auto& piece : pieces) {
        if (piece.added)
            parts.push_back(std::move(piece));
        else if (!piece.text.empty())
            add_matches(AlignedText(std::move(piece.text)), trie, parts, budget);
    }
    pieces = std::move(parts);
}

/// Of tokens that begin at the same place the longest is taken.
void AddedTokens::add_matches(const AlignedText& aligned, const ByteTrie& trie, Pieces& pieces, Budget& budget) const {
    const std::string_view text = aligned.text();
    std::size_t covered = 0;
    for (std::size_t at = 0; at < text.size();) {
        const auto [length, id] = trie.longest(text.substr(at), budget);
        if (length == 0) {
            ++at;
            continue;
        }
        auto begin = at, end = at + length;
        at = end;
        if (begin < covered) // within the spaces that the one before took
            continue;
        const auto& token = tokens_.at(id);
        if (split_special_ && token.special)
            continue;
        if (token.single_word && !stands_alone(text, begin, end, budget))
            continue;
        if (token.lstrip)
            begin = without_spaces_before(text, begin, covered, budget);
        if (token.rstrip)
            end = after_spaces(text, end, budget);
        budget.require_pieces(pieces.size() + 3);
        if (covered < begin)
            pieces.push_back({aligned.slice(covered, begin), {}});
        pieces.push_back({aligned.slice(begin, end), id});
        covered = end;
    }
    if (covered < text.size())
        pieces.push_back({aligned.slice(covered, text.size()), {}});
}

std::optional<std::int64_t> AddedTokens::id_of(std::string_view content) const {
    const auto found = ids_.find(std::string(content));
    return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

const std::string* AddedTokens::text_of(std::int64_t id) const {
    const auto found = tokens_.find(id);
    return found == tokens_.end() ? nullptr : &found->second.content;
}

const std::string* AddedTokens::decoded(std::int64_t id) const {
    const auto found = decoded_.find(id);
    return found == decoded_.end() ? nullptr : &found->second;
}

} // namespace attnlab::tokens
