// Matrices for figures, and what is in a picture.
#pragma once

#include "ui/drawing/colormap.h"
#include "ui/drawing/matrix_data.h"

#include <QByteArray>
#include <QImage>
#include <QSet>
#include <QStringList>
#include <QXmlStreamReader>

#include <cstddef>

namespace attnlab::ui {

inline const ColorScale unit_scale{&colormap("viridis"), 0.0, 1.0, false};

/// Three tokens, masked causally.
inline MatrixData causalWeights() {
    MatrixData matrix;
    matrix.values = Tensor({3, 3}, {1.0, 0.0, 0.0, 0.25, 0.75, 0.0, 0.5, 0.125, 0.375});
    matrix.blocked = Tensor({3, 3}, {0, 1, 1, 0, 0, 1, 0, 0, 0}, DType::Bool);
    matrix.row_labels = matrix.column_labels = {"cat", "drank", "milk"};
    matrix.row_title = "query token";
    matrix.column_title = "key token";
    return matrix;
}

/// Without labels, in 97 values from 0 to 1.
inline MatrixData manyCells(int rows, int columns) {
    MatrixData matrix;
    matrix.values = Tensor({rows, columns});
    auto values = matrix.values.mutable_values();
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<double>(i % 97) / 96.0;
    return matrix;
}

struct Svg {
    QStringList texts;
    int pictures = 0;
    bool well_formed = false;
};
inline Svg readSvg(const QByteArray& data) {
    Svg svg;
    QXmlStreamReader xml(data);
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement)
            continue;
        if (xml.name() == QLatin1String("text"))
            svg.texts << xml.readElementText(QXmlStreamReader::IncludeChildElements).trimmed();
        else if (xml.name() == QLatin1String("image"))
            ++svg.pictures;
    }
    svg.well_formed = !xml.hasError();
    return svg;
}

inline QSet<QRgb> colorsOf(const QImage& image) {
    QSet<QRgb> colors;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            colors.insert(image.pixel(x, y));
    return colors;
}

} // namespace attnlab::ui
