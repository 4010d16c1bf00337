// Cells of figures that are vectors: each is exact, at any size, and nothing is drawn beside it.
#include "figure_support.h"
#include "tests/test_main.h"
#include "ui/drawing/figures/figure.h"
#include "ui/export/export.h"
#include "ui/widgets/theme.h"

#include <QPainter>
#include <QPolygonF>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QSvgRenderer>
#include <QTest>
#include <QXmlStreamReader>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

/// A filled shape of an SVG: one part of a path.
struct SvgShape {
    QRgb color;
    QPolygonF corners;
};
std::vector<SvgShape> shapesIn(const QByteArray& svg) {
    std::vector<SvgShape> shapes;
    static const QRegularExpression corner("([ML])([-.0-9e]+),([-.0-9e]+)");
    QColor fill;
    QXmlStreamReader xml(svg);
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement)
            continue;
        const auto given = xml.attributes();
        if (given.hasAttribute("fill"))
            fill = QColor(given.value("fill").toString());
        if (xml.name() == QLatin1String("rect") && fill.isValid()) {
            const auto number = [&](const char* name) { return given.value(QLatin1String(name)).toDouble(); };
            shapes.push_back({fill.rgb(), QRectF(number("x"), number("y"), number("width"), number("height"))});
        }
        if (xml.name() != QLatin1String("path") || !fill.isValid())
            continue;
        const QString path = given.value("d").toString();
        for (auto corners = corner.globalMatch(path); corners.hasNext();) {
            const auto found = corners.next();
            if (found.captured(1) == QLatin1String("M"))
                shapes.push_back({fill.rgb(), {}});
            shapes.back().corners << QPointF(found.captured(2).toDouble(), found.captured(3).toDouble());
        }
    }
    return shapes;
}

/// The shapes of cells, which have colours of unit_scale.
std::vector<SvgShape> cellShapesIn(const QByteArray& svg) {
    auto shapes = shapesIn(svg);
    std::erase_if(shapes, [](const SvgShape& shape) {
        return std::ranges::find(unit_scale.map->colors, shape.color) == unit_scale.map->colors.end();
    });
    return shapes;
}

QRectF bodyOf(const std::vector<SvgShape>& cells) {
    QRectF body;
    for (const auto& shape : cells)
        body |= shape.corners.boundingRect();
    return body;
}

/// The one image of an SVG, and where it is.
struct SvgPicture {
    QImage picture;
    QRectF place;
};
SvgPicture pictureIn(const QByteArray& data) {
    QXmlStreamReader xml(data);
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement || xml.name() != QLatin1String("image"))
            continue;
        const auto given = xml.attributes();
        const auto number = [&](const char* name) { return given.value(QLatin1String(name)).toDouble(); };
        const QByteArray link = given.value(QLatin1String("xlink:href")).toLatin1();
        return {QImage::fromData(QByteArray::fromBase64(link.mid(link.indexOf(',') + 1))),
                QRectF(number("x"), number("y"), number("width"), number("height"))};
    }
    return {};
}

/// The sizes of the images on the page of a PDF, in points: the page is scaled to points around them.
QList<QSizeF> imagesIn(const QByteArray& pdf) {
    QList<QSizeF> sizes;
    static const QRegularExpression image("([.0-9]+) 0 0 ([.0-9]+) [-.0-9]+ [-.0-9]+ cm\\s+([.0-9]+) 0 0 -([.0-9]+) 0 "
                                          "[-.0-9]+ cm\\s+/Im\\d+\\s+Do");
    for (auto at = pdf.indexOf("stream\n"); at >= 0; at = pdf.indexOf("stream\n", at + 7)) {
        const QByteArray packed = pdf.mid(at + 7, pdf.indexOf("endstream", at) - at - 7);
        if (!packed.startsWith('\x78')) // zlib
            continue;
        const QString content = QString::fromLatin1(qUncompress(QByteArray::fromHex("00100000") + packed));
        for (auto match = image.globalMatch(content); match.hasNext();) {
            const auto found = match.next();
            sizes << QSizeF(found.captured(1).toDouble() * found.captured(3).toDouble(),
                            found.captured(2).toDouble() * found.captured(4).toDouble());
        }
    }
    return sizes;
}

void pdfIsExact(const Figure& figure, int rows, int columns, const QRectF& body) {
    FigureOptions options;
    options.numbers = false;
    QVERIFY(!pdfData(figure, options).contains("/Subtype /Image"));
    const QImage page = pdfPreview(figure, options, (options.size_points * 6.0).toSize());
    const double zoom = page.width() / options.size_points.width();
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
            const QPointF centre((column + 0.5) / columns * body.width(), (row + 0.5) / rows * body.height());
            const QRgb shown = page.pixel(((body.topLeft() + centre) * zoom).toPoint());
            const QRgb expected = unit_scale.color(static_cast<double>((row * columns + column) % 97) / 96.0);
            const int off =
                std::max({std::abs(qRed(shown) - qRed(expected)), std::abs(qGreen(shown) - qGreen(expected)),
                          std::abs(qBlue(shown) - qBlue(expected))});
            QVERIFY2(off <= 1, qPrintable(QStringLiteral("row %1, column %2").arg(row).arg(column)));
        }
}

void imageIsExact(const Figure& figure, int rows, int columns) {
    const QByteArray data = svgData(figure, {});
    const SvgPicture svg = pictureIn(data);
    QVERIFY(!svg.picture.isNull());
    const int factor = svg.picture.height() / rows;
    QCOMPARE(svg.picture.size(), QSize(columns, rows) * factor);
    QVERIFY(svg.picture.height() >= 600.0 * svg.place.height() / 72.0 - 1.0);
    for (int y = 0; y < svg.picture.height(); ++y)
        for (int x = 0; x < svg.picture.width(); ++x)
            QCOMPARE(svg.picture.pixel(x, y),
                     unit_scale.color(static_cast<double>((y / factor * columns + x / factor) % 97) / 96.0));
    // All other shapes with these colours would be beside the image: there are none.
    QVERIFY(cellShapesIn(data).empty());

    const auto pdf = imagesIn(pdfData(figure, {}));
    QCOMPARE(pdf.size(), 1);
    QVERIFY(std::abs(pdf[0].width() - svg.place.width()) < 0.05);
    QVERIFY(std::abs(pdf[0].height() - svg.place.height()) < 0.05);
}

} // namespace

class TestFigureCells : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        applyTheme(ThemeChoice::Light);
    }

    /// A line of one device pixel is invisible on paper.
    void linesBetweenCellsHaveAWidth() {
        const QByteArray data = svgData({causalWeights(), unit_scale}, {});
        QVERIFY(data.contains("<polyline"));
        QVERIFY(!data.contains("non-scaling-stroke"));
    }

    /// Viewers with antialiasing show nothing of the page between cells, at any size.
    void cellsHaveNoSeams() {
        FigureOptions options;
        options.numbers = options.color_bar = false;
        MatrixData matrix = manyCells(40, 40);
        auto values = matrix.values.mutable_values();
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = 0.02 * static_cast<double>(i * i % 7); // dark, on a white page
        const QByteArray data = svgData({matrix, unit_scale}, options);
        const QRectF place = bodyOf(cellShapesIn(data));
        int brightest = 0;
        for (const double value : values)
            brightest = std::max(brightest, qGreen(unit_scale.color(value)));
        for (const double scale : {0.37, 0.5, 0.73, 1.0, 1.31}) {
            QImage image((options.size_points * scale).toSize(), QImage::Format_RGB32);
            QPainter painter(&image);
            QSvgRenderer(data).render(&painter);
            painter.end();
            const QRect inside = QRectF(place.topLeft() * scale, place.size() * scale).toRect().adjusted(2, 2, -2, -2);
            QVERIFY(inside.width() > 100.0 * scale);
            for (int y = inside.top(); y <= inside.bottom(); ++y)
                for (int x = inside.left(); x <= inside.right(); ++x)
                    QVERIFY2(qGreen(image.pixel(x, y)) <= brightest + 1,
                             qPrintable(QStringLiteral("%1, %2 at %3").arg(x).arg(y).arg(scale)));
        }
    }

    /// Each cell has exactly its colour in SVG and PDF: rectangles of up to 256 x 256 cells that begin and end at edges
    /// of cells, else squares of whole pixels of one image of 600 pixels per inch.
    void cellsAreExact_data() {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        for (const auto& [rows, columns] :
             {std::pair(1, 1), {24, 24}, {7, 31}, {129, 40}, {256, 256}, {257, 40}, {300, 5}})
            QTest::addRow("%d x %d", rows, columns) << rows << columns;
    }
    void cellsAreExact() {
        QFETCH(int, rows);
        QFETCH(int, columns);
        const Figure figure(manyCells(rows, columns), unit_scale);
        if (std::max(rows, columns) > 256)
            return imageIsExact(figure, rows, columns);
        const QByteArray data = svgData(figure, {});
        QVERIFY(!data.contains("<image"));
        const auto shapes = cellShapesIn(data);
        const QRectF body = bodyOf(shapes);
        QImage cells(columns, rows, QImage::Format_RGB32);
        for (const auto& shape : shapes) {
            const QRectF rect = shape.corners.boundingRect();
            QVERIFY(shape.corners.size() == 4 || shape.corners.size() == 5); // a rectangle
            const QRectF in_cells((rect.left() - body.left()) / body.width() * columns,
                                  (rect.top() - body.top()) / body.height() * rows,
                                  rect.width() / body.width() * columns, rect.height() / body.height() * rows);
            const QRect whole = in_cells.toRect();
            for (const double off : {in_cells.left() - whole.left(), in_cells.top() - whole.top(),
                                     in_cells.width() - whole.width(), in_cells.height() - whole.height()})
                QVERIFY(std::abs(off) < 0.02); // SVG has six digits
            QPainter(&cells).fillRect(whole, QColor(shape.color));
        }
        for (int row = 0; row < rows; ++row)
            for (int column = 0; column < columns; ++column)
                QCOMPARE(cells.pixel(column, row),
                         unit_scale.color(static_cast<double>((row * columns + column) % 97) / 96.0));
        pdfIsExact(figure, rows, columns, body);
    }
    /// Alone on a dark page, a bright cell is where it should be and nowhere else.
    void brightCellsHaveNoWhiskers() {
        MatrixData matrix = manyCells(24, 24);
        auto values = matrix.values.mutable_values();
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = i / 24 == i % 24 ? 1.0 : 0.0;
        FigureOptions options;
        options.numbers = options.color_bar = false;
        const QByteArray data = svgData({matrix, unit_scale}, options);
        const QRectF place = bodyOf(cellShapesIn(data));
        for (const double zoom : {1.0, 1.7, 4.0}) {
            QImage image((options.size_points * zoom).toSize(), QImage::Format_RGB32);
            QPainter painter(&image);
            QSvgRenderer(data).render(&painter);
            painter.end();
            const auto cell_at = [&](double at, double first, double size) {
                return static_cast<int>(std::floor((at / zoom - first) / (size / 24)));
            };
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x) {
                    // The cells that a pixel touches, with one pixel for rounding.
                    const int left = cell_at(x - 1, place.x(), place.width());
                    const int right = cell_at(x + 2, place.x(), place.width());
                    const int top = cell_at(y - 1, place.y(), place.height());
                    const int bottom = cell_at(y + 2, place.y(), place.height());
                    if (left != right || top != bottom || left < 0 || left > 23 || top < 0 || top > 23)
                        continue;
                    QCOMPARE(image.pixel(x, y), unit_scale.color(left == top ? 1.0 : 0.0));
                }
        }
    }

    /// Hatches stay within the cells that they mark: the lower left one. What a causal mask blocks has none.
    void hatchesStayInTheirCells() {
        FigureOptions options;
        options.numbers = options.color_bar = false;
        MatrixData weights = causalWeights();
        weights.blocked.mutable_values()[6] = 1.0;
        const QByteArray data = svgData({weights, unit_scale}, options);
        const QRectF place = bodyOf(cellShapesIn(data)).adjusted(-1e-3, -1e-3, 1e-3, 1e-3);
        int stripes = 0;
        for (const auto& shape : shapesIn(data)) {
            if (shape.color != themeFor(false).hatch_line.rgb())
                continue;
            ++stripes;
            for (const QPointF& point : shape.corners) {
                QVERIFY(place.contains(point));
                QVERIFY((point.y() - place.y()) / place.height() * 3 >= 2 - 1e-2);
                QVERIFY((point.x() - place.x()) / place.width() * 3 <= 1 + 1e-2);
            }
        }
        QVERIFY(stripes > 10);
    }
};

ATTNLAB_TEST(TestFigureCells)
#include "test_figure_cells.moc"
