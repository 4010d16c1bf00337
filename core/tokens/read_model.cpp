// Implements read_model() of read_parts.h: the vocabulary of tokenizer.json.
#include "core/io/file_formats.h"
#include "core/tokens/read_parts.h"

namespace attnlab::tokens {
namespace {

constexpr std::size_t steps_of_token = 16;

Vocabulary read_vocabulary(const io::JsonNode& node, Budget& budget) {
    Vocabulary vocabulary;
    vocabulary.reserve(node.members().size());
    for (const auto& [text, id] : node.members()) {
        budget.spend(steps_of_token);
        within(node, [&, &token = text, &number = id] { vocabulary.add(token, number.integer()); });
    }
    return vocabulary;
}

Merges read_merges(const io::JsonNode& list, Budget& budget) {
    Merges merges;
    merges.reserve(list.items().size());
    for (const auto& merge : list.items()) {
        budget.spend(steps_of_token);
        if (merge.is_list()) {
            if (merge.items().size() != 2)
                merge.fail_expecting(ATTNLAB_TEXT("two tokens"));
            merges.emplace_back(merge.items()[0].text(), merge.items()[1].text());
            continue;
        }
        const auto& text = merge.text();
        if (text.starts_with("#version"))
            continue;
        const auto space = text.find(' ');
        if (space == text.npos || text.find(' ', space + 1) != text.npos)
            merge.fail_expecting(ATTNLAB_TEXT("two tokens with a space between"));
        merges.emplace_back(text.substr(0, space), text.substr(space + 1));
    }
    return merges;
}

ModelPointer read_bpe(const io::JsonNode& part, Budget& budget) {
    if (const auto* dropout = member(part, "dropout"); dropout && dropout->number() != 0.0)
        dropout->fail_expecting(ATTNLAB_TEXT("null: with it tokens are drawn by chance"));
    BpeOptions options;
    options.unk_token = optional_text(part, "unk_token");
    options.continuing_subword_prefix = optional_text(part, "continuing_subword_prefix").value_or("");
    options.end_of_word_suffix = optional_text(part, "end_of_word_suffix").value_or("");
    options.fuse_unk = flag(part, "fuse_unk", false);
    options.byte_fallback = flag(part, "byte_fallback", false);
    options.ignore_merges = flag(part, "ignore_merges", false);
    const auto merges = read_merges(part.at("merges"), budget);
    auto vocabulary = read_vocabulary(part.at("vocab"), budget);
    return within(part, [&] { return bpe_model(std::move(vocabulary), merges, options, budget); });
}

ModelPointer read_wordpiece(const io::JsonNode& part, Budget& budget) {
    WordPieceOptions options;
    options.unk_token = part.at("unk_token").text();
    options.continuing_subword_prefix = part.at("continuing_subword_prefix").text();
    options.max_input_chars_per_word = static_cast<std::int64_t>(count_in(part.at("max_input_chars_per_word")));
    auto vocabulary = read_vocabulary(part.at("vocab"), budget);
    return within(part, [&] { return wordpiece_model(std::move(vocabulary), options, budget); });
}

ModelPointer read_unigram(const io::JsonNode& part, Budget& budget) {
    std::vector<UnigramToken> tokens;
    tokens.reserve(part.at("vocab").items().size());
    for (const auto& entry : part.at("vocab").items()) {
        budget.spend(steps_of_token);
        if (entry.items().size() != 2)
            entry.fail_expecting(ATTNLAB_TEXT("a token and its score"));
        tokens.push_back({entry.items()[0].text(), entry.items()[1].number()});
    }
    std::optional<std::int64_t> unk;
    if (const auto* id = member(part, "unk_id"))
        unk = id->integer();
    return within(part, [&] { return unigram_model(tokens, unk, flag(part, "byte_fallback", false), budget); });
}

} // namespace

std::string model_type_of(const io::JsonNode& part) {
    if (const auto* type = part.find("type"))
        return type->text();
    if (part.find("merges"))
        return "BPE";
    if (part.find("max_input_chars_per_word"))
        return "WordPiece";
    return part.at("vocab").is_list() ? "Unigram" : "WordLevel";
}

ModelPointer read_model(const io::JsonNode& part, const RunControl& control) {
    Budget budget(control);
    const auto type = model_type_of(part);
    if (type == "BPE")
        return read_bpe(part, budget);
    if (type == "WordPiece")
        return read_wordpiece(part, budget);
    if (type == "Unigram")
        return read_unigram(part, budget);
    if (type == "WordLevel")
        return word_level_model(read_vocabulary(part.at("vocab"), budget), part.at("unk_token").text());
    fail_unknown(part, type);
}

} // namespace attnlab::tokens
