// Cells of figures that are vectors: each is exact, at any size, and nothing is drawn beside it.
#include "figure_support.h"
#include "tests/test_main.h"
#include "ui/drawing/figure.h"
#include "ui/export/export.h"
#include "ui/widgets/theme.h"

#include <QPainter>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QSvgRenderer>
#include <QTest>
#include <QXmlStreamReader>

#include <algorithm>
#include <cmath>
#include <utility>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

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
        std::ranges::fill(matrix.values.mutable_values(), 0.0); // dark, on a white page
        const QByteArray data = svgData({matrix, unit_scale}, options);
        for (const double scale : {0.37, 0.5, 0.73, 1.0, 1.31}) {
            QImage image((options.size_points * scale).toSize(), QImage::Format_RGB32);
            QPainter painter(&image);
            QSvgRenderer(data).render(&painter);
            painter.end();
            const QRgb cell = unit_scale.color(0.0);
            QRect body;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    if (image.pixel(x, y) == cell)
                        body |= QRect(x, y, 1, 1);
            QVERIFY(body.width() > 100.0 * scale);
            for (int y = body.top() + 1; y < body.bottom(); ++y)
                for (int x = body.left() + 1; x < body.right(); ++x)
                    QVERIFY2(image.pixel(x, y) == cell,
                             qPrintable(QStringLiteral("%1, %2 at %3").arg(x).arg(y).arg(scale)));
        }
    }

    /// Each cell of an SVG or PDF is a square of whole pixels of one image, which is exactly as large as the frame of
    /// the cells: nothing lies outside, and neighbours share an edge.
    void cellsAreExact_data() {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        for (const auto& [rows, columns] : {std::pair(1, 1), {24, 24}, {7, 31}, {128, 128}, {129, 40}, {300, 5}})
            QTest::addRow("%d x %d", rows, columns) << rows << columns;
    }
    void cellsAreExact() {
        QFETCH(int, rows);
        QFETCH(int, columns);
        const Figure figure(manyCells(rows, columns), unit_scale);
        const QByteArray data = svgData(figure, {});
        const SvgPicture svg = pictureIn(data);
        QVERIFY(!svg.picture.isNull());
        const int factor = svg.picture.height() / rows;
        QCOMPARE(svg.picture.size(), QSize(columns, rows) * factor);
        if (std::max(rows, columns) <= 128)
            QVERIFY(factor >= 8);
        for (int y = 0; y < svg.picture.height(); ++y)
            for (int x = 0; x < svg.picture.width(); ++x)
                QCOMPARE(svg.picture.pixel(x, y),
                         unit_scale.color(static_cast<double>((y / factor * columns + x / factor) % 97) / 96.0));
        // All other shapes with these colours would be beside the image: there are none.
        for (const double value : {0.0, 0.25, 0.5, 1.0})
            QVERIFY(!data.contains("fill=\"" + QColor(unit_scale.color(value)).name().toLatin1()));

        const auto pdf = imagesIn(pdfData(figure, {}));
        QCOMPARE(pdf.size(), 1);
        QVERIFY(std::abs(pdf[0].width() - svg.place.width()) < 0.05);
        QVERIFY(std::abs(pdf[0].height() - svg.place.height()) < 0.05);
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
        const QRectF place = pictureIn(data).place;
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

    /// Hatches stay within the cells that they mark.
    void hatchesStayInTheirCells() {
        FigureOptions options;
        options.numbers = options.color_bar = false;
        const QByteArray data = svgData({causalWeights(), unit_scale}, options);
        const QRectF place = pictureIn(data).place.adjusted(-1e-3, -1e-3, 1e-3, 1e-3);
        int stripes = 0;
        static const QRegularExpression path("fill-rule=\"evenodd\" d=\"([^\"]*)\""),
            corner("[ML]([-.0-9]+),([-.0-9]+)");
        for (auto paths = path.globalMatch(QString::fromLatin1(data)); paths.hasNext();) {
            const QString text = paths.next().captured(1);
            for (auto corners = corner.globalMatch(text); corners.hasNext(); ++stripes) {
                const auto found = corners.next();
                const QPointF point(found.captured(1).toDouble(), found.captured(2).toDouble());
                QVERIFY2(place.contains(point), qPrintable(text));
                const int row = std::clamp(int((point.y() - place.y()) / place.height() * 3 - 1e-3), 0, 2);
                QVERIFY2((point.x() - place.x()) / place.width() * 3 >= row + 1 - 1e-3, qPrintable(text));
            }
        }
        QVERIFY(stripes > 30);
    }
};

ATTNLAB_TEST(TestFigureCells)
#include "test_figure_cells.moc"
