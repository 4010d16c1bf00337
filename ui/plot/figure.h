// A heatmap as a figure in a file or a picture: the same drawing code as the window's, without a window.
#pragma once

#include "ui/plot/colormap.h"
#include "ui/plot/matrix_data.h"

#include <QByteArray>
#include <QImage>
#include <QSizeF>
#include <QString>
#include <QStringList>

namespace attnlab::ui {

struct FigureOptions {
    QSizeF size_points = QSizeF(480, 400); ///< 1/72 inch
    int dpi = 150;                         ///< of a PNG; ignored by SVG and PDF
    bool dark = false;
    bool transparent = false;
    bool numbers = true; ///< in the cells, where they fit
    bool color_bar = true;
    QString title;
};

/// Throws attnlab::Error for a size or resolution that no picture can have.
QImage figureImage(const MatrixData& matrix, const ColorScale& scale, const FigureOptions& options);

enum class FigureFormat { Png, Svg, Pdf };
/// "png", "svg", "pdf": in the order of FigureFormat.
const QStringList& figureSuffixes();

/// The bytes of a figure file. SVG and PDF are vectors (a cell is a rectangle) up to 128 x 128 cells and hold one exact
/// picture beyond. Throws attnlab::Error. Needs a QGuiApplication.
QByteArray figureData(FigureFormat format, const MatrixData& matrix, const ColorScale& scale,
                      const FigureOptions& options);
/// Writes .png, .svg or .pdf by extension, whole or not at all. Throws attnlab::Error.
void writeFigure(const QString& path, const MatrixData& matrix, const ColorScale& scale, const FigureOptions& options);

} // namespace attnlab::ui
