// Tokenizers of models: text to ids, as the `tokenizers` library of Hugging Face computes them.
#pragma once

#include "core/message.h"
#include "core/run_control.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::io {
struct UnreadEntry;
}

namespace attnlab::tokens {

struct Token {
    std::int64_t id = 0;
    std::string text;       ///< as the vocabulary spells it: "Ġfox", "##ing", "▁the"
    std::int64_t begin = 0; ///< in code points of the text given (of the pair for type 1); 0..0 for special tokens
    std::int64_t end = 0;
    bool special = false; ///< added by the tokenizer: false for a special token that the text itself spells
    int type = 0;         ///< token type: 0 for the text, 1 for its pair, as the post-processor has it
};

/// Thread-safe: all members are const.
class Tokenizer {
public:
    virtual ~Tokenizer() = default;

    /// With special tokens. Throws Error when the text is not UTF-8, and where a part of the tokenizer would make too
    /// long a text or too many tokens of it (the limits are in aligned_text.h); Cancelled.
    virtual std::vector<Token> encode(std::string_view text, std::optional<std::string_view> pair = {},
                                      const RunControl& control = {}) const = 0;
    /// The spelling of an id; nullopt where there is none.
    virtual std::optional<std::string> text_of(std::int64_t id) const = 0;
    /// The text that the ids stand for, as a reader sees it: "Ġfox" is " fox". Bytes that are no UTF-8 become U+FFFD.
    /// Throws Error for too long a text, and Cancelled.
    virtual std::string decode(const std::vector<std::int64_t>& ids, const RunControl& control = {}) const = 0;
    virtual std::int64_t size() const = 0;
};

/// tokenizer.json. Throws Error that names the file and the part that is unknown or wrong; Cancelled.
std::shared_ptr<const Tokenizer> read_tokenizer(const std::filesystem::path& file, const RunControl& control = {});
/// The same from its text. `name` is that of the file, for messages.
std::shared_ptr<const Tokenizer> parse_tokenizer(std::string_view text, const std::string& name,
                                                 const RunControl& control = {});
/// The tokenizer of a model's folder: tokenizer.json, else vocab.json and merges.txt, else vocab.txt; nullptr without
/// any of them. The settings of tokenizer_config.json, special_tokens_map.json and added_tokens.json are applied as
/// Transformers 5 applies them; `unread`, if given, receives the others. Throws as read_tokenizer.
std::shared_ptr<const Tokenizer> find_tokenizer(const std::filesystem::path& folder, const RunControl& control = {},
                                                std::vector<io::UnreadEntry>* unread = nullptr);

} // namespace attnlab::tokens
