// Implements makeWebpEncoder() of frame_encoder.h with libwebp.
#include "core/message.h"
#include "ui/export/frame_encoder.h"

#include <webp/encode.h>
#include <webp/mux.h>

namespace attnlab::ui {
namespace {

class WebpEncoder : public FrameEncoder {
public:
    WebpEncoder(const QSize& size, bool loop) : size_(size) {
        WebPAnimEncoderOptions options;
        constexpr int fast_and_small = 4; // of 0 to 9
        if (!WebPAnimEncoderOptionsInit(&options) || !WebPConfigInit(&config_) ||
            !WebPConfigLosslessPreset(&config_, fast_and_small))
            throw Error(ATTNLAB_TEXT("Animation: the WebP library cannot be used"));
        options.anim_params.loop_count = loop ? 0 : 1;
        encoder_.reset(WebPAnimEncoderNew(size.width(), size.height(), &options));
        if (!encoder_)
            throw Error(ATTNLAB_TEXT("Animation: not enough memory for a picture of this size"));
    }

    void add(const QImage& frame, int milliseconds) override {
        const QImage pixels = frame.convertToFormat(QImage::Format_RGB32);
        WebPPicture picture;
        if (!WebPPictureInit(&picture))
            throw Error(ATTNLAB_TEXT("Animation: the WebP library cannot be used"));
        const std::unique_ptr<WebPPicture, decltype(&WebPPictureFree)> release(&picture, &WebPPictureFree);
        picture.use_argb = 1;
        picture.width = size_.width();
        picture.height = size_.height();
        // Format_RGB32 is blue, green, red, unused in memory.
        if (!WebPPictureImportBGRX(&picture, pixels.constBits(), static_cast<int>(pixels.bytesPerLine())) ||
            !WebPAnimEncoderAdd(encoder_.get(), &picture, time_, &config_))
            fail();
        time_ += milliseconds;
    }

    QByteArray finish() override {
        WebPData data;
        WebPDataInit(&data);
        const std::unique_ptr<WebPData, decltype(&WebPDataClear)> release(&data, &WebPDataClear);
        // A final entry without a picture marks the end of the last frame.
        if (!WebPAnimEncoderAdd(encoder_.get(), nullptr, time_, nullptr) ||
            !WebPAnimEncoderAssemble(encoder_.get(), &data))
            fail();
        return QByteArray(reinterpret_cast<const char*>(data.bytes), static_cast<qsizetype>(data.size));
    }

private:
    [[noreturn]] void fail() const {
        throw Error(
            {ATTNLAB_TEXT("Animation: %1 x %2 pixels cannot be written as WebP (%3)"),
             {std::to_string(size_.width()), std::to_string(size_.height()), WebPAnimEncoderGetError(encoder_.get())}});
    }

    QSize size_;
    WebPConfig config_;
    std::unique_ptr<WebPAnimEncoder, decltype(&WebPAnimEncoderDelete)> encoder_{nullptr, &WebPAnimEncoderDelete};
    int time_ = 0;
};

} // namespace

std::unique_ptr<FrameEncoder> makeWebpEncoder(const QSize& size, bool loop) {
    return std::make_unique<WebpEncoder>(size, loop);
}

} // namespace attnlab::ui
