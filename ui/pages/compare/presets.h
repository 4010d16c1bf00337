// What one click makes of setting B.
#pragma once

#include "core/attention.h"

#include <QString>

#include <optional>
#include <span>

namespace attnlab::ui {

class Document;

enum class Preset { WithoutScale, WithoutMasks, ExactAttention, Swap, CopyOfA, Stop };

/// In the order in which they are offered.
std::span<const Preset> presets();
/// "Without scale", and what it does in a sentence.
QString titleOf(Preset preset);
QString helpOf(Preset preset);

/// The problem with the preset applied; nothing where it is not possible or would change nothing.
std::optional<AttentionProblem> withPreset(const AttentionProblem& problem, Preset preset);
/// As one undo step.
void applyPreset(Document& document, Preset preset);

/// Begins a comparison that shows something at once: without the scale, or without the masks where there is no scale.
/// No effect where there is one already.
void startComparing(Document& document);

} // namespace attnlab::ui
