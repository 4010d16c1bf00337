// Remembers the user's choices for files and reuses them for files with the same arrays.
#pragma once

#include "core/recognition/recognition.h"

#include <optional>

namespace attnlab::ui {

/// The last choices for contents with arrays of these names and ranks; nullopt if there are none, or if they cannot be
/// read.
std::optional<Choices> rememberedChoices(const Contents& contents);
void rememberChoices(const Contents& contents, const Choices& choices);

} // namespace attnlab::ui
