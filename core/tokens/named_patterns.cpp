// The expressions of byte-level tokenizers, by the names that GGUF files have for them (tokenizer.ggml.pre).
#include "core/tokens/parts.h"

#include <algorithm>
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
constexpr const char* gpt4o_words =
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
    R"(\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

struct NamedPattern {
    std::string_view name;
    const char* words;
    bool single_digits = false; ///< each digit is a word, whatever `words` makes of it
};

constexpr NamedPattern named[] = {
    {"gpt2", gpt2_words},         {"gpt-2", gpt2_words},        {"olmo", gpt2_words},
    {"phi-2", gpt2_words},        {"smollm", gpt2_words, true}, {"starcoder", gpt2_words, true},
    {"refact", gpt2_words, true}, {"llama3", llama3_words},     {"llama-v3", llama3_words},
    {"llama-bpe", llama3_words},  {"dbrx", llama3_words},       {"smaug-bpe", llama3_words},
    {"qwen2", qwen2_words},       {"stablelm2", qwen2_words},   {"gpt-4o", gpt4o_words},
    {"llama4", gpt4o_words}};

} // namespace

std::vector<std::string> pre_tokenizer_patterns(std::string_view pre) {
    const auto found = std::ranges::find(named, pre, &NamedPattern::name);
    if (found == std::end(named))
        return {};
    if (found->single_digits)
        return {R"(\p{N})", found->words};
    return {found->words};
}

} // namespace attnlab::tokens
