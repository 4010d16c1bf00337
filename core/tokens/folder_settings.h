// What config.json, tokenizer_config.json, special_tokens_map.json and added_tokens.json of a folder say about its
// tokenizer.
#pragma once

#include "core/tokens/read_parts.h"

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace attnlab::tokens {

class FolderSettings {
public:
    /// Files may be missing. Throws Error for one that cannot be read; Cancelled.
    explicit FolderSettings(const std::filesystem::path& folder, const RunControl& control = {});

    /// Its class, else the type of the model.
    std::optional<std::string> tokenizer() const;
    bool flag(std::string_view key, bool otherwise) const;
    /// The spelling of a special token, "bos_token".
    std::string text(std::string_view key, std::string_view otherwise) const;
    /// Those of `defaults`, by their keys, and the added ones. An empty default is for one that need not be there.
    std::vector<AddedToken> special_tokens(const std::vector<std::pair<std::string, std::string>>& defaults,
                                           Budget& budget) const;

private:
    const io::JsonNode* find(std::string_view key) const;

    std::optional<io::Json> model_, tokenizer_, map_, added_;
};

} // namespace attnlab::tokens
