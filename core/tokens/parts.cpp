// The expressions of byte-level tokenizers, by the names that GGUF files have for them (tokenizer.ggml.pre).
#include "core/tokens/parts.h"

#include "core/io/file_formats.h"
#include "core/lookup.h"
#include "core/message.h"
#include "core/tokens/pipeline.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace attnlab::tokens {
namespace {

constexpr const char* gpt2_words = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
constexpr const char* llama3_words =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|)"
    R"(\s+(?!\S)|\s+)";
constexpr const char* qwen2_words =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|)"
    R"(\s+(?!\S)|\s+)";
constexpr const char* seed_words =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}\r\n]+|\s*[\r\n]+|)"
    R"(\s+(?!\S)|\s+)";
/// As qwen2, with marks among the letters.
constexpr const char* qwen35_words =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|)"
    R"(\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr const char* gpt4o_words =
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
    R"(\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

constexpr const char* tekken_words = R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|)"
                                     R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|)"
                                     R"(\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

struct NamedPattern {
    std::string_view name;
    const char* words;
    bool single_digits = false; ///< each digit is a word, whatever `words` makes of it
};

constexpr NamedPattern named[] = {{"gpt2", gpt2_words},
                                  {"gpt-2", gpt2_words},
                                  {"olmo", gpt2_words},
                                  {"phi-2", gpt2_words},
                                  {"smollm", gpt2_words, true},
                                  {"starcoder", gpt2_words, true},
                                  {"refact", gpt2_words, true},
                                  {"llama3", llama3_words},
                                  {"llama-v3", llama3_words},
                                  {"llama-bpe", llama3_words},
                                  {"dbrx", llama3_words},
                                  {"smaug-bpe", llama3_words},
                                  {"qwen2", qwen2_words},
                                  {"stablelm2", qwen2_words},
                                  {"gpt-4o", gpt4o_words},
                                  {"llama4", gpt4o_words},
                                  {"mpt", gpt2_words},
                                  {"jais", gpt2_words},
                                  {"glm4", llama3_words},
                                  {"chatglm-bpe", llama3_words},
                                  {"command-r", gpt2_words, true},
                                  {"exaone", gpt2_words, true},
                                  {"codeshell", gpt2_words, true},
                                  {"minerva-7b", gpt2_words, true},
                                  {"tekken", tekken_words},
                                  {"deepseek-r1-qwen", qwen2_words},
                                  {"exaone4", gpt2_words},
                                  {"modern-bert", gpt2_words},
                                  {"roberta-bpe", gpt2_words},
                                  {"trillion", gpt2_words},
                                  {"granite-docling", gpt2_words},
                                  {"a.x-4.0", gpt2_words},
                                  {"megrez", qwen2_words},
                                  {"hunyuan", qwen2_words},
                                  {"grok-2", qwen2_words},
                                  {"seed-coder", seed_words},
                                  {"qwen35", qwen35_words},
                                  {"lfm2", llama3_words}};

/// These cut a text at one expression, what is left at the next, and so on. Of DeepSeek, letters with case but not
/// those of mathematics are the long list of the published tokenizer.
std::vector<std::string> several_patterns(std::string_view pre) {
    constexpr const char* words_without_spaces =
        R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S))";
    constexpr const char* three_digits = "[0-9][0-9][0-9]";
    if (pre == "default")
        return {R"([\p{P}$+<=>^~|]+)", words_without_spaces, R"(\p{N}+)", three_digits};
    if (pre == "falcon")
        return {R"([\p{P}$+<=>^~|`]+)", words_without_spaces, three_digits};
    constexpr const char* without_punctuation = " ?[^(\\s|.,!?\u2026\u3002\uff0c\u3001\u0964\u06d4\u060c)]+";
    if (pre == "bloom" || pre == "poro-chat")
        return {without_punctuation};
    if (pre == "viking")
        return {without_punctuation, R"(\p{N})"};
    constexpr const char* east_asian = "[\u4e00-\u9fa5\u0800-\u4e00\uac00-\ud7ff]+";
    if (pre == "deepseek-llm")
        return {R"([\r\n])",
                R"(\s?(?:(?![\x{1d400}-\x{1d7ff}])[\p{Lu}\p{Ll}\p{Lt}])+)",
                "\\s?[!-/:-~\uff01-\uff0f\uff1a-\uff5e\u2018-\u201f\u3000-\u3002]+",
                R"(\s+$)",
                east_asian,
                R"(\p{N}+)"};
    if (pre == "deepseek-coder")
        return {R"([\r\n])", R"(\s?\p{L}+)", R"(\s?\p{P}+)", east_asian, R"(\p{N})"};
    if (pre == "deepseek-v3")
        return {R"(\p{N}{1,3})", "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+",
                R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+|)"
                R"( ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"};
    return {};
}

} // namespace

bool pre_adds_bos(std::string_view pre) {
    constexpr std::string_view names[] = {"llama3", "llama-v3", "llama-bpe", "tekken", "lfm2"};
    return std::ranges::find(names, pre) != std::end(names);
}

std::vector<std::string> pre_tokenizer_patterns(std::string_view pre) {
    const auto* found = lookup(named, pre, &NamedPattern::name);
    if (!found)
        return several_patterns(pre);
    if (found->single_digits)
        return {R"(\p{N})", found->words};
    return {found->words};
}

namespace {

constexpr std::string_view space_letter = "\u2581"; // ▁
constexpr char32_t space_character = U'\u2581';
constexpr std::size_t steps_of_vocabulary_token = 16; ///< of a Budget

TokenType type_at(const TokenizerParts& parts, std::size_t id) {
    return parts.types.empty() ? TokenType::Normal : parts.types[id];
}

void check(const TokenizerParts& parts, Budget& budget) {
    const auto count = std::ssize(parts.tokens);
    const auto fits = [&](std::ptrdiff_t size, const char* what) {
        if (size != 0 && size != count)
            throw Error(
                {ATTNLAB_TEXT("there are %1 tokens, but %2 %3"), {std::to_string(count), std::to_string(size), what}});
    };
    fits(std::ssize(parts.types), "types");
    fits(std::ssize(parts.scores), "scores");
    if ((parts.kind == PartsKind::ScoredBpe || parts.kind == PartsKind::Unigram) && parts.scores.empty())
        throw Error(Message(ATTNLAB_TEXT("the tokens have no scores")));
    for (const auto score : parts.scores)
        if (std::isnan(score))
            throw Error(Message(ATTNLAB_TEXT("the score of a token is not a number")));
    for (const auto& token : parts.tokens) {
        budget.spend(1 + token.size());
        if (!is_utf8(token))
            throw Error({ATTNLAB_TEXT("the token '%1' is not UTF-8"), {io::excerpt(with_replacements(token))}});
    }
    for (const auto& id : {parts.bos, parts.eos, parts.unk, parts.cls, parts.sep})
        if (id && (*id < 0 || *id >= count))
            throw Error({ATTNLAB_TEXT("a special token has the id %1, and there are %2 tokens"),
                         {std::to_string(*id), std::to_string(count)}});
}

Vocabulary indexed(const std::vector<std::string>& texts, Budget& budget) {
    Vocabulary vocabulary;
    vocabulary.reserve(texts.size());
    for (std::int64_t id = 0; const auto& text : texts) {
        budget.spend(steps_of_vocabulary_token + text.size());
        vocabulary.add(text, id++);
    }
    return vocabulary;
}

constexpr std::string_view never_stripped[] = {"<s>", "<unk>", "<|endoftext|>"};

bool is_one_of(std::span<const std::string_view> names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

std::vector<AddedToken> added_of(const TokenizerParts& parts, Budget& budget) {
    std::vector<AddedToken> added;
    for (std::size_t id = 0; id < parts.tokens.size(); ++id) {
        budget.spend(1);
        if (const auto type = type_at(parts, id);
            type == TokenType::Unknown || type == TokenType::Control || type == TokenType::UserDefined)
            added.push_back({.content = parts.tokens[id],
                             .single_word = false,
                             .lstrip = parts.tokens[id] == parts.strips_before,
                             .rstrip = parts.special_strip_after && !is_one_of(never_stripped, parts.tokens[id]),
                             .normalized = false,
                             .special = type != TokenType::UserDefined});
    }
    return added;
}

Merges merges_of(const std::vector<std::string>& lines, Budget& budget) {
    Merges merges;
    merges.reserve(lines.size());
    for (const auto& line : lines) {
        budget.spend(steps_of_vocabulary_token + line.size());
        const auto space = line.find(' ', 1);
        if (space == line.npos)
            throw Error({ATTNLAB_TEXT("the merge '%1' is not two tokens with a space between"), {io::excerpt(line)}});
        merges.emplace_back(line.substr(0, space), line.substr(space + 1));
    }
    return merges;
}

TemplatePart part_of(const TokenizerParts& parts, std::int64_t id, int type) {
    return {-1, shared_tokens({special_token(id, parts.tokens[static_cast<std::size_t>(id)])}), type};
}

/// Around the text, and around its pair as well.
PostProcessorPointer ends_of(const TokenizerParts& parts) {
    Template single, pair;
    for (int sequence = 0; sequence < 2; ++sequence) {
        if (parts.add_bos && parts.bos)
            pair.push_back(part_of(parts, *parts.bos, sequence));
        pair.push_back({sequence, {}, sequence});
        if (parts.add_eos && parts.eos)
            pair.push_back(part_of(parts, *parts.eos, sequence));
        if (sequence == 0)
            single = pair;
    }
    return template_post_processor(single, pair);
}

/// A vocabulary whose words are not known still names tokens and decodes them; only texts are refused.
class UnknownPreTokenizer : public PreTokenizer {
public:
    UnknownPreTokenizer(std::string file, std::string pre) : file_(std::move(file)), pre_(std::move(pre)) {}
    void apply(Pieces& /*pieces*/, Budget& /*budget*/) const override {
        throw Error({ATTNLAB_TEXT("%1: the pre-tokenizer '%2' is unknown, so texts cannot be divided; tokens can be "
                                  "given as numbers"),
                     {file_, pre_}});
    }

private:
    std::string file_, pre_;
};

void set_byte_level(const TokenizerParts& parts, Pipeline& pipeline, Budget& budget) {
    const auto patterns = pre_tokenizer_patterns(parts.pre);
    std::vector<PreTokenizerPointer> steps;
    steps.reserve(patterns.size() + 1);
    if (patterns.empty())
        steps.push_back(std::make_unique<UnknownPreTokenizer>(parts.name, parts.pre));
    for (const auto& pattern : patterns)
        steps.push_back(split_pre_tokenizer(Pattern::oniguruma(pattern), Behavior::Isolated, false));
    steps.push_back(byte_level_pre_tokenizer(false, false));
    pipeline.pre_tokenizer = sequence_pre_tokenizer(std::move(steps));
    BpeOptions options;
    options.ignore_merges = pre_adds_bos(parts.pre); // the same kinds
    pipeline.model = bpe_model(indexed(parts.tokens, budget), merges_of(parts.merges, budget), options, budget);
    pipeline.post_processor = ends_of(parts);
    pipeline.decoder = byte_level_decoder();
}

void set_scored(const TokenizerParts& parts, Pipeline& pipeline, Budget& budget) {
    std::vector<NormalizerPointer> steps;
    if (parts.add_space_prefix)
        steps.push_back(prepend_normalizer(std::string(space_letter)));
    steps.push_back(replace_normalizer(Pattern::literal(" "), std::string(space_letter)));
    pipeline.normalizer = sequence_normalizer(std::move(steps));
    std::unordered_map<std::int64_t, float> scores;
    scores.reserve(parts.scores.size());
    for (std::size_t id = 0; id < parts.scores.size(); ++id) {
        budget.spend(steps_of_vocabulary_token);
        scores[static_cast<std::int64_t>(id)] = parts.scores[id];
    }
    pipeline.model = score_model(indexed(parts.tokens, budget), std::move(scores), parts.unk);
    pipeline.post_processor = ends_of(parts);
    std::vector<DecoderPointer> decoders;
    decoders.push_back(replace_decoder(Pattern::literal(space_letter), " "));
    decoders.push_back(byte_fallback_decoder());
    decoders.push_back(fuse_decoder());
    if (parts.add_space_prefix)
        decoders.push_back(strip_decoder(U' ', 1, 0));
    pipeline.decoder = sequence_decoder(std::move(decoders));
}

/// Scores of tokens that are no words, such as those that fill up the vocabulary, count as the lowest of a word: the
/// score of unknown characters lies below all.
std::vector<UnigramToken> unigram_tokens(const TokenizerParts& parts, Budget& budget) {
    const auto is_word = [&](std::size_t id) { return type_at(parts, id) == TokenType::Normal; };
    double lowest = 0.0;
    for (std::size_t id = 0; id < parts.tokens.size(); ++id)
        if (is_word(id))
            lowest = std::min(lowest, static_cast<double>(parts.scores[id]));
    std::vector<UnigramToken> tokens;
    tokens.reserve(parts.tokens.size());
    for (std::size_t id = 0; id < parts.tokens.size(); ++id) {
        budget.spend(steps_of_vocabulary_token);
        tokens.push_back({parts.tokens[id], is_word(id) ? static_cast<double>(parts.scores[id]) : lowest});
    }
    return tokens;
}

void set_unigram(const TokenizerParts& parts, Pipeline& pipeline, Budget& budget) {
    std::vector<NormalizerPointer> steps;
    if (!parts.charsmap.empty())
        steps.push_back(charsmap_normalizer(parts.charsmap));
    if (parts.joins_spaces) {
        steps.push_back(strip_normalizer(true, true));
        steps.push_back(replace_normalizer(Pattern::oniguruma(" {2,}"), " "));
    }
    if (parts.joins_spaces || parts.add_space_prefix) // a space before every word, or one more before the first
        steps.push_back(prepend_normalizer(" "));
    pipeline.normalizer = sequence_normalizer(std::move(steps));
    pipeline.pre_tokenizer = metaspace_pre_tokenizer(space_character, Prepend::Never, true);
    pipeline.model = unigram_model(unigram_tokens(parts, budget), parts.unk, false, budget);
    pipeline.post_processor = ends_of(parts);
    pipeline.decoder = metaspace_decoder(space_character, parts.add_space_prefix);
}

/// "##ing" and "the", also from a vocabulary that says "ing" and "▁the".
std::vector<std::string> wordpieces_of(const TokenizerParts& parts, Budget& budget) {
    auto texts = parts.tokens;
    const auto is_marked = [](const std::string& text) { return text.starts_with("##"); };
    if (std::ranges::any_of(texts, is_marked))
        return texts;
    for (std::size_t id = 0; id < texts.size(); ++id) {
        budget.spend(steps_of_vocabulary_token);
        if (texts[id].starts_with(space_letter))
            texts[id].erase(0, space_letter.size());
        else if (type_at(parts, id) == TokenType::Normal)
            texts[id].insert(0, "##");
    }
    return texts;
}

void set_wordpiece(const TokenizerParts& parts, Pipeline& pipeline, Budget& budget) {
    BertNormalization options;
    options.lowercase = parts.lowercase;
    options.strip_accents = parts.strip_accents;
    pipeline.normalizer = bert_normalizer(options);
    pipeline.pre_tokenizer = bert_pre_tokenizer();
    WordPieceOptions pieces;
    pieces.max_input_chars_per_word = std::numeric_limits<std::int64_t>::max();
    if (parts.unk)
        pieces.unk_token = parts.tokens[static_cast<std::size_t>(*parts.unk)];
    pipeline.model = wordpiece_model(indexed(wordpieces_of(parts, budget), budget), pieces, budget);
    const auto cls = parts.cls ? parts.cls : parts.bos, sep = parts.sep ? parts.sep : parts.eos;
    if (!cls || !sep)
        throw Error(Message(ATTNLAB_TEXT("the vocabulary does not define the tokens that begin and end a text")));
    const TemplatePart first{0, {}, 0}, second{1, {}, 1};
    const auto begin = part_of(parts, *cls, 0), end = part_of(parts, *sep, 0), last = part_of(parts, *sep, 1);
    pipeline.post_processor = template_post_processor({begin, first, end}, {begin, first, end, second, last});
    pipeline.decoder = wordpiece_decoder("##", true);
}

} // namespace

std::shared_ptr<const Tokenizer> build_tokenizer(const TokenizerParts& parts, const RunControl& control) {
    try {
        Budget budget(control);
        check(parts, budget);
        Pipeline pipeline;
        switch (parts.kind) {
        case PartsKind::ByteLevelBpe:
            set_byte_level(parts, pipeline, budget);
            break;
        case PartsKind::ScoredBpe:
            set_scored(parts, pipeline, budget);
            break;
        case PartsKind::WordPiece:
            set_wordpiece(parts, pipeline, budget);
            break;
        case PartsKind::Unigram:
            set_unigram(parts, pipeline, budget);
            break;
        }
        pipeline.added = added_of(parts, budget);
        return make_tokenizer(std::move(pipeline), control);
    } catch (const Error& error) {
        throw Error({ATTNLAB_TEXT("%1: the vocabulary: %2"), {parts.name, error.what()}});
    }
}

} // namespace attnlab::tokens
