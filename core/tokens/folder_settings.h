// What config.json, tokenizer_config.json, special_tokens_map.json and added_tokens.json of a folder say about its
// tokenizer.
#pragma once

#include "core/io/json.h"
#include "core/tokens/pipeline.h"
#include "core/tokens/tokenizer.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace attnlab::tokens {

/// The class of Transformers 5 that reads a tokenizer.json. Other: it is read as it stands.
enum class TokenizerKind { Other, Bert, Gpt2, Roberta, Llama, Qwen2, Gemma, GptNeox, T5 };

/// Whether the class sets add_prefix_space of "ByteLevel".
bool applies_prefix_space(TokenizerKind kind);

/// Records which settings of tokenizer_config.json were asked for.
class FolderSettings {
public:
    using Defaults = std::vector<std::pair<std::string, std::string>>; ///< keys and spellings of special tokens

    /// Files may be missing. Throws Error for one that cannot be read; Cancelled. `control` must outlive it.
    FolderSettings(const std::filesystem::path& folder, const RunControl& control);

    /// Its class, else the type of the model.
    std::optional<std::string> tokenizer() const;
    /// As AutoTokenizer chooses it. `has_bytes`: tokenizer.json has a part of type "ByteLevel".
    TokenizerKind kind(bool has_bytes) const;
    /// "BertTokenizer", or a type of model, and the file and key that decide the class.
    struct ClassName {
        std::string name, file, key;
    };
    ClassName class_name() const;
    /// A Mistral that Transformers before version 5 saved.
    bool is_old_mistral() const;

    /// A setting of tokenizer_config.json; null if it is missing or null.
    const io::JsonNode* stated(std::string_view key) const;
    bool flag(std::string_view key, bool otherwise) const;
    /// The spelling of a special token, "bos_token".
    std::string text(std::string_view key, std::string_view otherwise) const;
    /// bos_token and the like, other "..._token", and the extra ones. Those of `defaults` need not be stated; an empty
    /// default is for one that need not be there.
    std::vector<AddedToken> special_tokens(const Defaults& defaults, Budget& budget) const;
    /// The listed tokens and the special ones, in the order in which they get ids, and without those of `made`, which
    /// is added_tokens of tokenizer.json or null.
    std::vector<AddedToken> added_tokens(std::vector<AddedToken> special, Budget& budget,
                                         const io::JsonNode* made = nullptr) const;
    /// What tokenizer.json means for this class.
    PartSettings part_settings(TokenizerKind kind, const io::JsonNode& made, Budget& budget) const;

    /// Settings that nothing has asked for, and those of special_tokens_map.json that do not count.
    std::vector<io::UnreadEntry> unread(Budget& budget) const;

private:
    const io::JsonNode* find(std::string_view key) const;
    std::vector<AddedToken> listed_tokens(Budget& budget) const;

    const RunControl& control_;
    std::optional<io::Json> model_, tokenizer_, map_, added_;
    std::shared_ptr<std::set<std::string>> read_;
};

} // namespace attnlab::tokens
