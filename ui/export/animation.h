// Writes a sequence of drawings as an animation. Without dialogs.
#pragma once

#include "core/attention.h"
#include "ui/drawing/drawing_sequence.h"
#include "ui/drawing/figure.h"

#include <optional>

namespace attnlab::ui {

struct Format;

struct AnimationOptions {
    FigureOptions figure;         ///< of each picture
    double seconds = 1.5;         ///< duration of each; at least `least_last` for the last one
    bool loop = true;             ///< repeats from the beginning
    int first = 0;                ///< index of the first drawing
    std::optional<int> last = {}; ///< nullopt: to the end
};

constexpr double least_last = 3.0;

/// The bytes of an animation in the given format. Throws attnlab::Error for an invalid range, time or size, and
/// Cancelled. Needs a QGuiApplication; thread-safe.
QByteArray animationData(const Format& format, const DrawingSequence& sequence, const AnimationOptions& options,
                         const RunControl& control = {});
/// Writes .webp or .gif by extension, atomically. Throws as animationData.
void writeAnimation(const QString& path, const DrawingSequence& sequence, const AnimationOptions& options,
                    const RunControl& control = {});

} // namespace attnlab::ui
