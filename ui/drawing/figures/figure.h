// A heatmap as a figure in a file or an image. Uses the drawing code of the window.
#pragma once

#include "core/attention.h"
#include "ui/drawing/colormap.h"
#include "ui/drawing/drawing.h"
#include "ui/drawing/figures/figure_options.h"
#include "ui/drawing/matrix_data.h"

#include <functional>
#include <memory>
#include <optional>
#include <QByteArray>
#include <QImage>
#include <QSize>
#include <QString>
#include <string>
#include <utility>
#include <vector>

namespace attnlab::ui {

/// Numbers beside a heatmap, one for each row and each column; NaN: none.
struct FigureMargins {
    std::vector<double> rows, columns;
    QString row_name, column_name; ///< "entropy of each query, nats"
};

/// A bar and words below a heatmap.
struct PanelMark {
    QString text;
    bool is_strong = false; ///< bold words
    double share = 0.0;     ///< length of the bar, -1 to 1
    bool is_signed = false; ///< from the middle to the right, or to the left for a share below 0, in another colour
    bool is_hollow = false; ///< an outline
};

/// One heatmap of a figure; several have their `title` above. If one has its own scale, each gets a colour bar.
struct FigurePanel {
    MatrixData matrix;
    QString title;
    std::optional<ColorScale> scale = std::nullopt;
    std::function<FigureMargins()> margins = nullptr; ///< for figures with profiles; null: there are none
    std::optional<PanelMark> mark = std::nullopt;
    bool is_crossed_out = false; ///< a head that is off
};

/// The heatmaps of a figure: one matrix, or several (all heads, two settings and their difference) in a grid.
class FigurePanels : public std::vector<FigurePanel> {
public:
    using std::vector<FigurePanel>::vector;
    FigurePanels(const MatrixData& matrix) : std::vector<FigurePanel>{{matrix, QString()}} {}
    bool haveOwnScales() const;
    bool haveMargins() const;
};

/// The content of a figure: heatmaps on one scale of colours, or a drawing.
struct Figure {
    Figure(FigurePanels heatmaps, ColorScale colors) : panels(std::move(heatmaps)), scale(std::move(colors)) {}
    Figure(std::shared_ptr<const Drawing> shown) : drawing(std::move(shown)) {}

    FigurePanels panels;
    ColorScale scale;
    std::shared_ptr<const Drawing> drawing = nullptr; ///< if not null, replaces the panels
    QString quantity = {};                            ///< beside the colour bar: "weights"; empty: none
    QString note = {};                                ///< sentences below everything; empty: none
    QStringList labels = {};                          ///< in a drawing; those of panels are in their matrices
    std::string settings = {};                        ///< that made it, for its file (core/io/saved/figure_file.h)
};

/// With the height that the content needs, if the options leave it to the figure. The functions below do this
/// themselves. Throws attnlab::Error where the options ask for profiles and no heatmap has any.
FigureOptions sized(const Figure& figure, FigureOptions options);

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
/// A tikzpicture of pgfplots in the font of the document. Heatmaps alone, of up to 10 000 cells; without settings.
QByteArray texData(const Figure& figure, const FigureOptions& options);

/// A figure file as an image within `largest` pixels, with the labels that it has in its own size. A PNG is scaled from
/// its own pixels, an SVG and a PDF are read from the bytes of the file. Very many pixels or cells are painted
/// directly. Throw attnlab::Error as figureImage.
QImage pngPreview(const Figure& figure, const FigureOptions& options, const QSize& largest);
QImage svgPreview(const Figure& figure, const FigureOptions& options, const QSize& largest);
QImage pdfPreview(const Figure& figure, const FigureOptions& options, const QSize& largest);

} // namespace attnlab::ui
