// Exports a sequence of drawings as an animated GIF or WebP. Without dialogs.
#pragma once

#include "core/attention.h"
#include "ui/drawing/drawing.h"
#include "ui/drawing/figures/figure.h"

#include <memory>
#include <optional>
#include <QByteArray>
#include <QHash>
#include <QImage>
#include <vector>

namespace attnlab::ui {

struct Palette {
    std::vector<QRgb> colors;  ///< at most as many as requested
    QHash<QRgb, int> index_of; ///< for every colour of the picture, the index of its replacement in `colors`
};

/// Exact if the picture has at most `most` colours; otherwise by median cut, with the most common colour of each box,
/// so that large uniform areas keep their colour. `image` is Format_RGB32.
Palette paletteOf(const QImage& image, int most);

/// Encodes frames as an animation, losslessly where the format allows it.
class FrameEncoder {
public:
    virtual ~FrameEncoder() = default;
    /// All frames must have the size given to the encoder. Throws attnlab::Error.
    virtual void add(const QImage& frame, int milliseconds) = 0;
    /// The bytes of the file; must be the last call. Throws attnlab::Error.
    virtual QByteArray finish() = 0;
};

/// Lossless WebP. `loop`: repeats from the beginning.
std::unique_ptr<FrameEncoder> makeWebpEncoder(const QSize& size, bool loop);
/// GIF, each frame with its own palette of up to 256 colours; times are rounded to hundredths of a second.
std::unique_ptr<FrameEncoder> makeGifEncoder(const QSize& size, bool loop);

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
