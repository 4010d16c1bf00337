#include "ui/drawing/scaled_font.h"

#include <algorithm>
#include <cmath>

namespace attnlab::ui {

QFont scaledFont(QFont font, double factor) {
    if (font.pixelSize() > 0)
        font.setPixelSize(std::max(1, static_cast<int>(std::lround(font.pixelSize() * factor))));
    else
        font.setPointSizeF(font.pointSizeF() * factor);
    return font;
}

} // namespace attnlab::ui
