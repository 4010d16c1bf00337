// Encodes frames as an animation, losslessly where the format allows it.
#pragma once

#include <QByteArray>
#include <QImage>

#include <memory>

namespace attnlab::ui {

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

} // namespace attnlab::ui
