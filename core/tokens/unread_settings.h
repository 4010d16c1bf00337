// Members of tokenizer.json, and settings beside it, that have no part in the tokens.
#pragma once

#include "core/io/json.h"
#include "core/tokens/folder_settings.h"
#include "core/tokens/tokenizer.h"

#include <vector>

namespace attnlab::tokens {

/// Throws Error that names a member of a part of tokenizer.json that nothing reads and that has a value other than
/// none: the part would be another one.
void require_known_members(const io::JsonNode& root, Budget& budget);

/// What nothing reads of the file itself and of its decoder, which makes text of tokens.
std::vector<io::UnreadEntry> unread_members(const io::JsonNode& root, const RunControl& control);

/// What tokenizer.json, whose root is `root`, decides although the files beside it state the same. Throws Error for a
/// setting that would have to be applied.
std::vector<io::UnreadEntry> overridden_settings(const FolderSettings& settings, TokenizerKind kind,
                                                 const io::JsonNode& root, const Tokenizer& tokenizer,
                                                 const RunControl& control);

/// Whether normalizer and pre_tokenizer do no more than write SentencePiece's sign for spaces.
bool only_writes_spaces(const io::JsonNode& root, Budget& budget);

} // namespace attnlab::tokens
