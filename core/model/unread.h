// Settings and tensors of a model that nothing reads: refused, explained or named.
#pragma once

#include "core/io/json.h"
#include "core/message.h"
#include "core/model/config.h"
#include "core/model/weights/weight_files.h"
#include "core/tokens/tokenizer.h"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::model {

using io::UnreadEntry;

struct Unread {
    std::vector<UnreadEntry> settings = {}, tensors = {};

    /// What a user should hear of.
    std::vector<Message> notes() const;
};

/// Moves the settings that nothing read in the file of a model of this type to `unread`, known ones with the reason.
/// `prefix`, "llama" or "text_config.", is cut from the keys that begin with it. Throws Error that names settings that
/// concern attention, positions, masks, norms or scaling, have a value other than none, and are not known_setting()s.
void account_settings(std::string_view type, std::string_view prefix, const std::vector<UnreadEntry>& left,
                      Unread& unread);
/// The settings of a configuration that no accessor asked for.
std::vector<UnreadEntry> unread_settings(const Config& config, const RunControl& control = {});
/// tokens::find_tokenizer(); what has no effect goes to `unread`. Throws Error that names a setting of the tokenizer
/// that concerns tokens, has a value other than none, and is not among the known ones.
std::shared_ptr<const tokens::Tokenizer> open_tokenizer(const std::filesystem::path& folder, Unread& unread,
                                                        const RunControl& control = {});
/// The same for tensors. Those of blocks count as concerning attention, and of GGUF all.
void account_tensors(const WeightFiles& files, std::string_view type, Unread& unread);

// Settings and tensors of published models that have no effect on what a model computes, each with the reason.

/// Reasons that several have.
namespace why_not_read {
inline constexpr const char* built_in = ATTNLAB_TEXT("says what models of this type always do");
inline constexpr const char* other_key = ATTNLAB_TEXT("says again what another setting decides");
inline constexpr const char* old_version = ATTNLAB_TEXT("older versions wrote it, and the model does not use it");
inline constexpr const char* copy = ATTNLAB_TEXT("a copy of a tensor that is read");
inline constexpr const char* task = ATTNLAB_TEXT("belongs to a head for another task");
} // namespace why_not_read

struct KnownEntry {
    std::string_view names; ///< patterns separated by spaces; * is any text
    const char* why;
    std::string_view values = {}; ///< the JSON values that are meant, separated by spaces; empty: any
    bool is_said = false;         ///< reported all the same
};

/// Of all types, or of the row of `type` in architectures(); nullptr where there is none. Keys of GGUF are without the
/// name of the architecture, ".rope.scaling.finetuned"; those of tokenizer_config.json begin with "tokenizer_config.".
const KnownEntry* known_setting(std::string_view type, std::string_view key, std::string_view value);
const KnownEntry* known_tensor(std::string_view type, std::string_view name);

/// By its name, a setting of attention, positions, masks, norms or scaling.
bool concerns_attention(std::string_view key);
/// By its name, a setting of tokenizer_config.json that may change tokens.
bool concerns_tokens(std::string_view key);
/// A value that says that there is none of it: null, false, 0, an empty text or object; 1 for a factor; a list of
/// these.
bool is_neutral(std::string_view key, std::string_view value);

} // namespace attnlab::model
