#include "ui/export/animation.h"

#include "core/message.h"
#include "ui/document/local_files.h"
#include "ui/export/formats.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <gif_lib.h>
#include <utility>
#include <vector>
#include <webp/encode.h>
#include <webp/mux.h>

namespace attnlab::ui {
namespace {

struct Counted {
    QRgb color;
    qint64 count;
};

int channelOf(QRgb color, int channel) { return static_cast<int>(color >> (8 * channel)) & 0xff; }

/// Some of the colours, and their range along the longest channel.
struct Box {
    std::vector<Counted>::iterator first, last;
    int channel = 0;
    int span = 0;
    qint64 pixels = 0;

    Box(std::vector<Counted>::iterator from, std::vector<Counted>::iterator to) : first(from), last(to) {
        for (int c = 0; c < 3; ++c) {
            const auto [low, high] = std::minmax_element(first, last, [c](const Counted& a, const Counted& b) {
                return channelOf(a.color, c) < channelOf(b.color, c);
            });
            if (const int reach = channelOf(high->color, c) - channelOf(low->color, c); reach > span) {
                span = reach;
                channel = c;
            }
        }
        for (auto it = first; it != last; ++it)
            pixels += it->count;
    }
    /// The benefit of splitting it; rare colours far apart count less than common ones.
    double worth() const {
        return static_cast<double>(span) * static_cast<double>(span) *
               static_cast<double>(std::min<qint64>(pixels, 4096));
    }
};

/// Splits at the median of its pixels, with at least one colour on both sides.
std::array<Box, 2> cut(const Box& box) {
    std::sort(box.first, box.last, [c = box.channel](const Counted& a, const Counted& b) {
        return channelOf(a.color, c) < channelOf(b.color, c);
    });
    qint64 passed = 0;
    auto middle = box.first;
    while (middle + 1 != box.last && (passed += middle->count) < box.pixels / 2)
        ++middle;
    middle = std::clamp(middle, box.first + 1, box.last - 1);
    return {Box(box.first, middle), Box(middle, box.last)};
}

std::vector<Counted> colorsOf(const QImage& image) {
    QHash<QRgb, qint64> counts;
    for (int y = 0; y < image.height(); ++y) {
        const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
        for (int x = 0; x < image.width(); ++x)
            ++counts[line[x] & 0xffffff];
    }
    std::vector<Counted> colors;
    for (auto it = counts.constBegin(); it != counts.constEnd(); ++it)
        colors.push_back({it.key(), it.value()});
    // The hash is unordered; sorting makes the palette deterministic.
    std::ranges::sort(colors, {}, &Counted::color);
    return colors;
}

} // namespace

Palette paletteOf(const QImage& image, int most) {
    auto colors = colorsOf(image);
    std::vector<Box> boxes;
    if (!colors.empty())
        boxes.emplace_back(colors.begin(), colors.end());
    while (static_cast<int>(boxes.size()) < most) {
        const auto widest = std::ranges::max_element(boxes, {}, &Box::worth);
        if (widest == boxes.end() || widest->span == 0)
            break;
        const auto halves = cut(*widest);
        *widest = halves[0];
        boxes.push_back(halves[1]);
    }
    Palette palette;
    for (const auto& box : boxes) {
        const auto index = static_cast<int>(palette.colors.size());
        palette.colors.push_back(std::max_element(box.first, box.last, [](const Counted& a, const Counted& b) {
                                     return a.count < b.count;
                                 })->color);
        for (auto it = box.first; it != box.last; ++it)
            palette.index_of.insert(it->color, index);
    }
    return palette;
}

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

namespace {

constexpr double shortest_seconds = 0.02; ///< the minimum that viewers support
constexpr double longest_seconds = 60.0;

struct Range {
    int first;
    int last;
};

Range rangeOf(const DrawingSequence& sequence, const AnimationOptions& options) {
    const int last = options.last.value_or(sequence.count - 1);
    if (options.first < 0 || options.first > last || last >= sequence.count)
        throw Error({ATTNLAB_TEXT("Animation: steps %1 to %2 were asked for; there are %3"),
                     {std::to_string(options.first + 1), std::to_string(last + 1), std::to_string(sequence.count)}});
    if (!(options.seconds >= shortest_seconds && options.seconds <= longest_seconds))
        throw Error({ATTNLAB_TEXT("Animation: %1 seconds a step; expected %2 to %3"),
                     {to_text(options.seconds), to_text(shortest_seconds), to_text(longest_seconds)}});
    return {options.first, last};
}

} // namespace

QByteArray animationData(const Format& format, const DrawingSequence& sequence, const AnimationOptions& options,
                         const RunControl& control) {
    const auto [first, last] = rangeOf(sequence, options);
    FigureOptions figure = options.figure;
    figure.transparent = false; // transparent frames would show the previous step
    std::unique_ptr<FrameEncoder> encoder;
    const auto milliseconds = [](double seconds) { return static_cast<int>(std::lround(seconds * 1000.0)); };
    for (int index = first; index <= last; ++index) {
        control.checkpoint();
        const QImage frame = figureImage(sequence.at(index), figure);
        if (!encoder)
            encoder = format.encoder(frame.size(), options.loop);
        encoder->add(frame, milliseconds(index == last ? std::max(options.seconds, least_last) : options.seconds));
        control.report(static_cast<double>(index - first + 1) / (last - first + 1));
    }
    return encoder->finish();
}

void writeAnimation(const QString& path, const DrawingSequence& sequence, const AnimationOptions& options,
                    const RunControl& control) {
    const QByteArray data = animationData(formatOf(FormatKind::Animation, path), sequence, options, control);
    writeBytes(path, data, control);
}

} // namespace attnlab::ui
