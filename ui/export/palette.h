// The few colours that stand best for a picture.
#pragma once

#include <QHash>
#include <QImage>

#include <vector>

namespace attnlab::ui {

struct Palette {
    std::vector<QRgb> colors;  ///< at most as many as asked for
    QHash<QRgb, int> index_of; ///< for every colour of the picture, which of `colors` stands for it
};

/// Exact while the picture has no more than `most` colours; otherwise by median cut, with the commonest colour of each
/// box, so that large flat areas keep theirs. `image` is Format_RGB32.
Palette paletteOf(const QImage& image, int most);

} // namespace attnlab::ui
