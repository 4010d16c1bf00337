// The colours of colormaps(), opaque, from the low to the high end.
#pragma once

#include <QRgb>

#include <array>

namespace attnlab::ui {

extern const std::array<QRgb, 256> viridis_colors;
extern const std::array<QRgb, 256> magma_colors;
extern const std::array<QRgb, 256> inferno_colors;
extern const std::array<QRgb, 256> cividis_colors;
extern const std::array<QRgb, 256> greys_colors;
extern const std::array<QRgb, 256> blues_colors;
extern const std::array<QRgb, 256> blue_red_colors;
extern const std::array<QRgb, 256> purple_orange_colors;
extern const std::array<QRgb, 256> blue_red_dark_colors;

} // namespace attnlab::ui
