#include "ui/export/animation.h"

#include "ui/document/file_bytes.h"
#include "ui/export/formats.h"

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
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
