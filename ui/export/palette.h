// Reduces a picture to few colours.
#pragma once

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

} // namespace attnlab::ui
