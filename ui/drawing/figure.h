// A heatmap as a figure in a file or an image, and its appearance as JSON. Uses the drawing code of the window.
#pragma once

#include "core/attention.h"
#include "ui/drawing/colormap.h"
#include "ui/drawing/drawing.h"
#include "ui/drawing/matrix_data.h"

#include <memory>
#include <optional>
#include <QByteArray>
#include <QImage>
#include <QJsonObject>
#include <QSizeF>
#include <QString>
#include <string>
#include <utility>
#include <vector>

namespace attnlab::ui {

inline constexpr double points_per_inch = 72.0;

/// Every option of a figure's appearance, the same in the window and on the command line.
struct FigureOptions {
    QSizeF size_points = QSizeF(480, 400); ///< 1/72 inch
    int dpi = 150;                         ///< of a PNG; ignored by SVG and PDF
    bool dark = false;
    bool transparent = false;
    bool numbers = true; ///< in the cells, where they fit
    bool color_bar = true;
    bool keeps_inputs = true; ///< where it has an origin: its file carries the settings and small arrays
    QString title;            ///< empty if none
    QString font_family;      ///< empty: the sans-serif of the system
    int font_points = 0;      ///< of labels and numbers; 0: the largest from 6 to 10 that shows all labels
    QString colormap;         ///< empty: depends on the stage; callers make the scale with it
    bool logarithmic = false; ///< colours; callers make the scale with it
    std::optional<double> low = std::nullopt;  ///< end of the colours; nullopt: the end of the scale
    std::optional<double> high = std::nullopt; ///< if a diverging map has only one of both ends, it is mirrored
};

/// The options for making a scale, except its ends.
ColorChoice colorsOf(const FigureOptions& options);
/// Copies the view's choice of colours to a figure.
void setColors(FigureOptions& options, const ColorChoice& colors);
/// The scale with the ends from the options. Throws Error for an invalid range.
ColorScale limited(ColorScale scale, const FigureOptions& options);

/// One heatmap of a figure; several have their `title` above. If one has its own scale, each gets a colour bar.
struct FigurePanel {
    MatrixData matrix;
    QString title;
    std::optional<ColorScale> scale = std::nullopt;
};

/// The heatmaps of a figure: one matrix, or several (all heads, two settings and their difference) in a grid.
class FigurePanels : public std::vector<FigurePanel> {
public:
    using std::vector<FigurePanel>::vector;
    FigurePanels(const MatrixData& matrix) : std::vector<FigurePanel>{{matrix, QString()}} {}
    bool haveOwnScales() const;
};

/// The content of a figure: heatmaps on one scale of colours, or a drawing.
struct Figure {
    Figure(FigurePanels heatmaps, ColorScale colors) : panels(std::move(heatmaps)), scale(std::move(colors)) {}
    Figure(std::shared_ptr<const Drawing> shown) : drawing(std::move(shown)) {}

    FigurePanels panels;
    ColorScale scale;
    std::shared_ptr<const Drawing> drawing = nullptr; ///< if not null, replaces the panels
    QString quantity = {};                            ///< beside the colour bar: "weights"; empty: none
    std::string settings = {};                        ///< that made it, for its file (core/io/figure_file.h)
};

/// Throws Error for an impossible size, resolution or range.
void checkFigure(const FigureOptions& options);

/// A drawing is reduced if it needs more room; `numbers` and `color_bar` do not apply to it. Throws attnlab::Error for
/// an impossible size or resolution. Needs a QGuiApplication.
QImage figureImage(const Figure& figure, const FigureOptions& options);
/// Paints vectors from the painter's origin, which has to be the top left corner; its unit is a point. Throws
/// attnlab::Error for an invalid range.
void paintFigure(QPainter& painter, const Figure& figure, const FigureOptions& options);

/// Paints a drawing over an area, reduced if it needs more room.
void paintFitted(const Drawing& drawing, QPainter& painter, const QRectF& area, const DrawingStyle& style);

/// The bytes of a figure file. SVG and PDF are vectors, their cells one lossless image. Throw
/// attnlab::Error as figureImage.
QByteArray pngData(const Figure& figure, const FigureOptions& options);
QByteArray svgData(const Figure& figure, const FigureOptions& options);
QByteArray pdfData(const Figure& figure, const FigureOptions& options);

/// A figure file as an image within `largest` pixels, with the labels that it has in its own size. A PNG is scaled from
/// its own pixels, an SVG and a PDF are read from the bytes of the file. Very many pixels or cells are painted
/// directly. Throw attnlab::Error as figureImage.
QImage pngPreview(const Figure& figure, const FigureOptions& options, const QSize& largest);
QImage svgPreview(const Figure& figure, const FigureOptions& options, const QSize& largest);
QImage pdfPreview(const Figure& figure, const FigureOptions& options, const QSize& largest);

// The appearance of a figure as JSON, in the view that a figure carries.

/// Without the map of colours, which a view has itself.
QJsonObject figureToJson(const FigureOptions& options);
/// Leaves out what is invalid. Title and ends of the colours are for the `same_matrix` alone.
void figureFromJson(const QJsonObject& json, FigureOptions& options, bool same_matrix);

} // namespace attnlab::ui
