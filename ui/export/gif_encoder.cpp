// Implements makeGifEncoder() of frame_encoder.h with giflib.
#include "core/message.h"
#include "ui/export/frame_encoder.h"
#include "ui/export/palette.h"

#include <gif_lib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

namespace attnlab::ui {
namespace {

constexpr int most_colors = 256;

int append(GifFileType* file, const GifByteType* bytes, int count) {
    static_cast<QByteArray*>(file->UserData)->append(reinterpret_cast<const char*>(bytes), count);
    return count;
}

/// The area where two frames of one size differ; empty if they are equal.
QRect differenceOf(const QImage& a, const QImage& b) {
    int left = a.width(), right = -1, top = a.height(), bottom = -1;
    for (int y = 0; y < a.height(); ++y) {
        const auto* x_of = reinterpret_cast<const QRgb*>(a.constScanLine(y));
        const auto* y_of = reinterpret_cast<const QRgb*>(b.constScanLine(y));
        if (std::memcmp(x_of, y_of, static_cast<std::size_t>(a.width()) * sizeof(QRgb)) == 0)
            continue;
        top = std::min(top, y);
        bottom = y;
        for (int x = 0; x < a.width(); ++x)
            if (x_of[x] != y_of[x]) {
                left = std::min(left, x);
                right = std::max(right, x);
            }
    }
    return right < 0 ? QRect() : QRect(QPoint(left, top), QPoint(right, bottom));
}

class GifEncoder : public FrameEncoder {
public:
    GifEncoder(const QSize& size, bool loop) : size_(size) {
        constexpr int largest = 65535; // two bytes for each side
        if (size.width() > largest || size.height() > largest)
            fail();
        int error = 0;
        file_ = EGifOpen(&bytes_, append, &error);
        if (!file_)
            fail();
        EGifSetGifVersion(file_, true);
        check(EGifPutScreenDesc(file_, size.width(), size.height(), 8, 0, nullptr));
        if (!loop)
            return;
        const char name[] = "NETSCAPE2.0";
        const GifByteType endless[] = {1, 0, 0};
        check(EGifPutExtensionLeader(file_, APPLICATION_EXT_FUNC_CODE));
        check(EGifPutExtensionBlock(file_, 11, name));
        check(EGifPutExtensionBlock(file_, 3, endless));
        check(EGifPutExtensionTrailer(file_));
    }
    ~GifEncoder() override {
        int error = 0;
        if (file_)
            EGifCloseFile(file_, &error);
    }
    GifEncoder(const GifEncoder&) = delete;
    GifEncoder& operator=(const GifEncoder&) = delete;

    void add(const QImage& frame, int milliseconds) override {
        const QImage pixels = frame.convertToFormat(QImage::Format_RGB32);
        // Only the changed area is written; a frame requires at least one pixel.
        QRect area = last_.isNull() ? pixels.rect() : differenceOf(last_, pixels);
        if (area.isEmpty())
            area = QRect(0, 0, 1, 1);
        last_ = pixels;
        time_ += milliseconds;
        const int until = static_cast<int>(std::lround(time_ / 10.0)); // cumulative: errors do not add up
        write(pixels.copy(area), area.topLeft(), until - written_);
        written_ = until;
    }

    QByteArray finish() override {
        int error = 0;
        const int closed = EGifCloseFile(std::exchange(file_, nullptr), &error);
        check(closed);
        return bytes_;
    }

private:
    void write(const QImage& part, const QPoint& at, int hundredths) {
        const Palette palette = paletteOf(part, most_colors);
        int size = 2; // a power of two
        while (size < static_cast<int>(palette.colors.size()))
            size *= 2;
        std::array<GifColorType, most_colors> colors{};
        for (std::size_t i = 0; i < palette.colors.size(); ++i)
            colors[i] = {static_cast<GifByteType>(qRed(palette.colors[i])),
                         static_cast<GifByteType>(qGreen(palette.colors[i])),
                         static_cast<GifByteType>(qBlue(palette.colors[i]))};
        const std::unique_ptr<ColorMapObject, decltype(&GifFreeMapObject)> map(GifMakeMapObject(size, colors.data()),
                                                                               &GifFreeMapObject);
        GraphicsControlBlock control{};
        control.DisposalMode = DISPOSE_DO_NOT;
        control.DelayTime = hundredths;
        control.TransparentColor = NO_TRANSPARENT_COLOR;
        std::array<GifByteType, 4> extension{};
        EGifGCBToExtension(&control, extension.data());
        check(EGifPutExtension(file_, GRAPHICS_EXT_FUNC_CODE, static_cast<int>(extension.size()), extension.data()));
        check(EGifPutImageDesc(file_, at.x(), at.y(), part.width(), part.height(), false, map.get()));
        std::vector<GifPixelType> line(static_cast<std::size_t>(part.width()));
        for (int y = 0; y < part.height(); ++y) {
            const auto* from = reinterpret_cast<const QRgb*>(part.constScanLine(y));
            for (int x = 0; x < part.width(); ++x)
                line[static_cast<std::size_t>(x)] =
                    static_cast<GifPixelType>(palette.index_of.value(from[x] & 0xffffff));
            check(EGifPutLine(file_, line.data(), part.width()));
        }
    }

    void check(int result) const {
        if (result == GIF_ERROR)
            fail();
    }
    [[noreturn]] void fail() const {
        throw Error({ATTNLAB_TEXT("Animation: %1 x %2 pixels cannot be written as GIF"),
                     {std::to_string(size_.width()), std::to_string(size_.height())}});
    }

    QSize size_;
    QByteArray bytes_;
    GifFileType* file_ = nullptr;
    QImage last_;
    int time_ = 0;    ///< milliseconds
    int written_ = 0; ///< hundredths of a second
};

} // namespace

std::unique_ptr<FrameEncoder> makeGifEncoder(const QSize& size, bool loop) {
    return std::make_unique<GifEncoder>(size, loop);
}

} // namespace attnlab::ui
