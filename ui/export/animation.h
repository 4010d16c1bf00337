// A sequence of drawings as an animated picture in a file. No dialogs here.
#pragma once

#include "core/attention.h"
#include "ui/drawing/drawing_sequence.h"
#include "ui/drawing/figure.h"

#include <optional>

namespace attnlab::ui {

struct Format;

struct AnimationOptions {
    FigureOptions figure;         ///< of each picture
    double seconds = 1.5;         ///< how long each is seen; the last one stays at least `least_last`
    bool loop = true;             ///< starts anew at the end
    int first = 0;                ///< which of the drawings
    std::optional<int> last = {}; ///< none: to the end
};

constexpr double least_last = 3.0;

/// The bytes of an animated picture in a format of animations. Throws attnlab::Error for a range, time or size that
/// cannot be, and Cancelled. Needs a QGuiApplication; any thread.
QByteArray animationData(const Format& format, const DrawingSequence& sequence, const AnimationOptions& options,
                         const RunControl& control = {});
/// Writes .webp or .gif by extension, whole or not at all. Throws as animationData.
void writeAnimation(const QString& path, const DrawingSequence& sequence, const AnimationOptions& options,
                    const RunControl& control = {});

} // namespace attnlab::ui
