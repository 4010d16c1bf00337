// Frames one after the other into an animated picture. Lossless where the format can hold it.
#pragma once

#include <QByteArray>
#include <QImage>

#include <memory>

namespace attnlab::ui {

class FrameEncoder {
public:
    virtual ~FrameEncoder() = default;
    /// Every frame has the size that the encoder was made for. Throws attnlab::Error.
    virtual void add(const QImage& frame, int milliseconds) = 0;
    /// The bytes of the file; nothing can be added after it. Throws attnlab::Error.
    virtual QByteArray finish() = 0;
};

/// Lossless WebP. `loop`: starts anew at the end.
std::unique_ptr<FrameEncoder> makeWebpEncoder(const QSize& size, bool loop);
/// GIF, each frame with up to 256 colours of its own; times are rounded to hundredths of a second.
std::unique_ptr<FrameEncoder> makeGifEncoder(const QSize& size, bool loop);

} // namespace attnlab::ui
