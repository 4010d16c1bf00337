// Changes of setting B by one click.
#pragma once

#include "core/attention.h"

#include <QString>

#include <optional>
#include <span>

namespace attnlab::ui {

class Document;

enum class Preset { WithoutScale, WithoutMasks, ExactAttention, Swap, CopyOfA, Stop };

/// In the order of the menu.
std::span<const Preset> presets();
/// "Without scale", and a sentence on its effect.
QString titleOf(Preset preset);
QString helpOf(Preset preset);

/// The problem with the preset applied; nullopt if it is not possible or has no effect.
std::optional<AttentionProblem> withPreset(const AttentionProblem& problem, Preset preset);
/// As one undo step.
void applyPreset(Document& document, Preset preset);

/// Starts a comparison with a visible difference: without the scale, or without the masks if there is no scale. No
/// effect during a comparison.
void startComparing(Document& document);

} // namespace attnlab::ui
