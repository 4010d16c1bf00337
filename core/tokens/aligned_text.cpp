#include "core/tokens/aligned_text.h"

#include <string>

namespace attnlab::tokens {

void Budget::require_pieces(std::size_t count) const {
    if (count + pieces_beside_ > most_pieces)
        throw Error({ATTNLAB_TEXT("the text would be split into %1 parts, at most %2 are allowed"),
                     {std::to_string(count + pieces_beside_), std::to_string(most_pieces)}});
}

void Budget::fail_text(std::size_t bytes) const {
    throw Error({ATTNLAB_TEXT("the text would take %1 bytes, at most %2 are allowed"),
                 {std::to_string(bytes + bytes_beside_), std::to_string(most_text_bytes)}});
}

void Budget::fail_matches() {
    throw Error({ATTNLAB_TEXT("the text would be divided into more than %1 matches and parts between them"),
                 {std::to_string(most_matches)}});
}

void Budget::fail_symbols(std::size_t count) {
    throw Error({ATTNLAB_TEXT("a word would begin as %1 symbols, at most %2 are allowed"),
                 {std::to_string(count), std::to_string(most_symbols)}});
}

void Budget::fail_tokens(std::size_t count, std::size_t spelling_bytes) {
    if (count > most_tokens)
        throw Error({ATTNLAB_TEXT("there would be %1 tokens, at most %2 are allowed"),
                     {std::to_string(count), std::to_string(most_tokens)}});
    throw Error({ATTNLAB_TEXT("the spellings of the tokens would take %1 bytes, at most %2 are allowed"),
                 {std::to_string(spelling_bytes), std::to_string(most_spelling_bytes)}});
}

namespace {

Origin origin_of(std::int32_t place) { return place >= 0 ? Origin{place, place + 1} : Origin{-1 - place, -1 - place}; }

} // namespace

AlignedText::AlignedText(std::string_view original, Budget& budget) {
    budget.require_text(original.size());
    text_ = original;
    origins_.reserve(text_.size());
    std::int32_t count = 0;
    for_each_character(text_, [&](char32_t character, std::size_t) {
        budget.spend(1);
        origins_.insert(origins_.end(), utf8_size(character), count++);
    });
    whole_ = {0, count};
}

Origin AlignedText::origin(std::size_t begin, std::size_t end) const {
    if (begin >= end || end > origins_.size())
        return {whole_.begin, whole_.begin};
    return {origin_of(origins_[begin]).begin, origin_of(origins_[end - 1]).end};
}

AlignedText AlignedText::slice(std::size_t begin, std::size_t end) const {
    AlignedText part;
    part.text_ = text_.substr(begin, end - begin);
    part.origins_.assign(origins_.begin() + static_cast<std::ptrdiff_t>(begin),
                         origins_.begin() + static_cast<std::ptrdiff_t>(end));
    part.whole_ = origin(begin, end);
    return part;
}

void AlignedText::transform(std::span<const Changed> changed, Budget& budget) {
    std::size_t old = 0; // the byte of the old text that is replaced next
    const auto skip = [&](std::size_t characters) {
        for (; characters > 0 && old < text_.size(); --characters)
            old += character_at(text_, old).bytes;
    };
    std::size_t size = 0;
    for (const auto& [character, change] : changed)
        size += utf8_size(character);
    budget.require_text(size);
    std::string text;
    std::vector<std::int32_t> origins;
    text.reserve(size);
    origins.reserve(size);
    for (const auto& [character, change] : changed) {
        budget.spend(1);
        auto from = -1 - whole_.begin;
        if (change > 0 ? old > 0 : old < origins_.size())
            from = origins_[change > 0 ? old - 1 : old];
        append_character(text, character);
        origins.insert(origins.end(), utf8_size(character), from);
        if (change <= 0)
            skip(1 + static_cast<std::size_t>(-change));
    }
    text_ = std::move(text);
    origins_ = std::move(origins);
}

void AlignedText::replace(std::span<const Match> matches, std::string_view content, Budget& budget) {
    std::size_t size = 0;
    for (const auto& [begin, end, matched] : matches) {
        size += matched ? content.size() : end - begin;
        budget.require_text(size);
    }
    std::string text;
    std::vector<std::int32_t> origins;
    text.reserve(size);
    origins.reserve(size);
    for (const auto& [begin, end, matched] : matches) {
        budget.spend(1 + (matched ? content.size() : end - begin));
        if (matched) {
            text += content;
            origins.insert(origins.end(), content.size(), end > 0 ? origins_[end - 1] : -1 - whole_.begin);
        } else {
            text.append(text_, begin, end - begin);
            origins.insert(origins.end(), origins_.begin() + std::ptrdiff_t{begin},
                           origins_.begin() + std::ptrdiff_t{end});
        }
    }
    text_ = std::move(text);
    origins_ = std::move(origins);
}

void AlignedText::prepend(std::string_view content, Budget& budget) {
    budget.spend(text_.size() + content.size());
    if (text_.empty())
        return;
    budget.require_text(text_.size() + content.size());
    text_.insert(0, content);
    origins_.insert(origins_.begin(), content.size(), std::int32_t{origins_.front()});
}

void AlignedText::trim(std::size_t begin, std::size_t end) {
    text_ = text_.substr(begin, end - begin);
    origins_.erase(origins_.begin() + static_cast<std::ptrdiff_t>(end), origins_.end());
    origins_.erase(origins_.begin(), origins_.begin() + static_cast<std::ptrdiff_t>(begin));
}

} // namespace attnlab::tokens
