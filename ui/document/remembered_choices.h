// What the user chose for files, for others with the same arrays.
#pragma once

#include "core/recognition/recognition.h"

#include <optional>

namespace attnlab::ui {

/// The choices that were last made for contents with arrays of these names and numbers of axes; nothing where none
/// were, or where what is kept cannot be read.
std::optional<Choices> rememberedChoices(const Contents& contents);
void rememberChoices(const Contents& contents, const Choices& choices);

} // namespace attnlab::ui
