// One colour each for queries, keys and values: in titles, arrows, steps and formulas.
#pragma once

#include "ui/widgets/theme.h"

#include <optional>
#include <QColor>
#include <string_view>

namespace attnlab::ui {

enum class AttentionRole { Query, Key, Value };

/// The role of a stage or an input, as of "encoder.0.self.rotated_query"; nullopt for scores, weights and outputs.
std::optional<AttentionRole> roleOf(std::string_view name);

/// Has the contrast of text on every background of the theme (ui.contrast checks it). The three differ for colour-blind
/// eyes, too, and from the pin.
QColor roleColor(AttentionRole role, const Theme& look);

} // namespace attnlab::ui
