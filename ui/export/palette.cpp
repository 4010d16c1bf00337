#include "ui/export/palette.h"

#include <algorithm>
#include <array>

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

} // namespace attnlab::ui
