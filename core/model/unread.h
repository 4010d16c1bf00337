// What nothing reads of a model's files: accounted for by name, so that nothing is passed over.
#pragma once

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

/// A setting or a tensor that has no part in the computation.
struct UnreadEntry {
    std::string file;       ///< "config.json"; of a tensor the name of the folder or file
    std::string name;       ///< "rope_scaling.finetuned", "vit.pooler.dense.weight"
    std::string value = {}; ///< as JSON; empty for a tensor
    Message why = {};       ///< why it does not matter here; empty: not known
    bool is_said = true;    ///< among notes(): what is not known, and some of what is

    bool is_known() const { return !why.empty(); }
};

struct Unread {
    std::vector<UnreadEntry> settings = {}, tensors = {};

    /// What a user should hear of.
    std::vector<Message> notes() const;
};

/// A setting that was left over, from whatever file.
struct LeftSetting {
    std::string key;
    std::string value; ///< as JSON
    Message why = {};  ///< where the reader has one
};

/// Sorts what is left over of the settings of a model of this type. `file` is used in messages; `prefix`, "llama.", is
/// that of the architecture's own keys. Throws Error that names those that concern attention, positions, masks, norms
/// or scaling, have a value other than none, and are not among the known ones (known_entries.h).
void account_settings(const std::string& file, std::string_view type, std::string_view prefix,
                      const std::vector<LeftSetting>& left, Unread& unread);
std::vector<LeftSetting> left_settings(const Config& config, const RunControl& control = {});
/// tokens::find_tokenizer(); what has no effect goes to `unread`. Throws Error that names a setting of the tokenizer
/// that concerns tokens, has a value other than none, and is not among the known ones.
std::shared_ptr<const tokens::Tokenizer> open_tokenizer(const std::filesystem::path& folder, Unread& unread,
                                                        const RunControl& control = {});
/// The same for tensors. Those of blocks count as concerning attention, and of GGUF all.
void account_tensors(const WeightFiles& files, std::string_view type, Unread& unread);

} // namespace attnlab::model
