// A heatmap as a figure in a file or a picture: the same drawing code as the window's, without a window.
#pragma once

#include "core/attention.h"
#include "ui/drawing/colormap.h"
#include "ui/drawing/drawing.h"
#include "ui/drawing/matrix_data.h"

#include <QByteArray>
#include <QImage>
#include <QSizeF>
#include <QString>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace attnlab::ui {

inline constexpr double points_per_inch = 72.0;

/// Every choice of how a figure looks, the same in the window and on the command line.
struct FigureOptions {
    QSizeF size_points = QSizeF(480, 400); ///< 1/72 inch
    int dpi = 150;                         ///< of a PNG; ignored by SVG and PDF
    bool dark = false;
    bool transparent = false;
    bool numbers = true; ///< in the cells, where they fit
    bool color_bar = true;
    QString title;            ///< empty: none
    QString font_family;      ///< empty: the sans-serif of the system
    int font_points = 0;      ///< of labels and numbers; 0: as large as lets all labels in, from 6 to 10
    QString colormap;         ///< empty: what suits the stage; callers make the scale by it
    bool logarithmic = false; ///< colours; callers make the scale by it
    std::optional<double> low = std::nullopt;  ///< end of the colours; nothing: that of the scale
    std::optional<double> high = std::nullopt; ///< of a diverging map, the other end mirrors one alone
};

/// What a scale is made by, but for its ends.
ColorChoice colorsOf(const FigureOptions& options);
/// What a view shows as a figure's choice.
void setColors(FigureOptions& options, const ColorChoice& colors);
/// The scale with the ends that the options ask for. Throws Error where these are no range of it.
ColorScale limited(ColorScale scale, const FigureOptions& options);

/// One heatmap of a figure; `title` stands above it where there are several. Where one has a scale of its own, each has
/// its colour bar beside it.
struct FigurePanel {
    MatrixData matrix;
    QString title;
    std::optional<ColorScale> scale = std::nullopt;
};

/// What a figure shows: one matrix, or several (all heads, two settings and their difference) in a grid.
class FigurePanels : public std::vector<FigurePanel> {
public:
    using std::vector<FigurePanel>::vector;
    FigurePanels(const MatrixData& matrix) : std::vector<FigurePanel>{{matrix, QString()}} {}
    bool haveOwnScales() const;
};

/// What a figure shows: heatmaps on one scale of colours, or a drawing.
struct Figure {
    Figure(FigurePanels heatmaps, ColorScale colors) : panels(std::move(heatmaps)), scale(std::move(colors)) {}
    Figure(std::shared_ptr<const Drawing> shown) : drawing(std::move(shown)) {}

    FigurePanels panels;
    ColorScale scale;
    std::shared_ptr<const Drawing> drawing = nullptr; ///< not null: in place of the panels
};

/// Throws Error for a size, a resolution or limits that no figure can have.
void checkFigure(const FigureOptions& options);

/// A drawing is made smaller where it needs more room; `numbers` and `color_bar` mean nothing to it. Throws
/// attnlab::Error for a size or resolution that no picture can have. Needs a QGuiApplication.
QImage figureImage(const Figure& figure, const FigureOptions& options);

/// Paints a drawing over an area, made smaller where it needs more room.
void paintFitted(const Drawing& drawing, QPainter& painter, const QRectF& area, const DrawingStyle& style);

/// The bytes of a figure file. SVG and PDF are vectors (a cell is a rectangle) up to 128 x 128 cells and hold one exact
/// picture beyond. Throw attnlab::Error as figureImage.
QByteArray pngData(const Figure& figure, const FigureOptions& options);
QByteArray svgData(const Figure& figure, const FigureOptions& options);
QByteArray pdfData(const Figure& figure, const FigureOptions& options);

} // namespace attnlab::ui
