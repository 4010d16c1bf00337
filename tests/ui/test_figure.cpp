// Figures as files: their format, size, colours and options, and why one cannot be written.
#include "core/io/png.h"
#include "core/message.h"
#include "figure_support.h"
#include "tests/test_main.h"
#include "ui/drawing/figures/figure.h"
#include "ui/export/export.h"
#include "ui/export/formats.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QImageReader>
#include <QPainter>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <random>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Fills its area and records the arguments.
struct Boxes : Drawing {
    QSizeF least;
    mutable QRectF area;
    mutable bool vectors = false;

    QSizeF smallest(const QFont&, double) const override { return least; }
    void paint(QPainter& painter, const QRectF& room, const DrawingStyle& style) const override {
        area = room;
        vectors = style.vectors;
        painter.fillRect(room, Qt::red);
    }
    QString textAt(const QPointF&, const QRectF&, const QFont&) const override { return {}; }
};

} // namespace

class TestFigure : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        applyTheme(ThemeChoice::Light);
        QVERIFY(folder_.isValid());
    }

    void aFigureHasTheDivergingMapOfItsOwnBackground() {
        MatrixData matrix;
        matrix.values = Tensor({1, 3}, {-1.0, 0.0, 1.0});
        const ColorScale scale =
            colorScale({}, {.low = -1.0, .high = 1.0, .smallest_positive = 1.0, .empty = false}, true);
        for (const auto screen : {ThemeChoice::Light, ThemeChoice::Dark})
            for (const bool dark : {false, true}) {
                applyTheme(screen);
                FigureOptions options;
                options.dark = dark;
                options.color_bar = false;
                const auto seen = colorsOf(figureImage({matrix, scale}, options));
                QVERIFY(seen.contains(colormap(dark ? "blue_red_dark" : "blue_red").colors[128]));
                QVERIFY(!seen.contains(colormap(dark ? "blue_red" : "blue_red_dark").colors[128]));
            }
        applyTheme(ThemeChoice::Light);
    }

    void pngHasTheSizeAndResolutionAskedFor_data() {
        QTest::addColumn<int>("dpi");
        for (const int dpi : {36, 72, 150, 300})
            QTest::addRow("%d", dpi) << dpi;
    }
    void pngHasTheSizeAndResolutionAskedFor() {
        QFETCH(int, dpi);
        FigureOptions options;
        options.size_points = QSizeF(360, 288);
        options.dpi = dpi;
        const QString path = folder_.filePath("figure.png");
        writeFigure(path, {causalWeights(), unit_scale}, options);
        QImageReader reader(path);
        const QImage image = reader.read();
        QCOMPARE(image.size(), QSize(360, 288) * dpi / 72);
        QVERIFY(std::abs(image.dotsPerMeterX() - dpi / 0.0254) <= 1.0);
        const auto colors = colorsOf(image);
        for (const double value : {1.0, 0.25, 0.75, 0.5, 0.125, 0.375})
            QVERIFY2(colors.contains(unit_scale.color(value)), qPrintable(QString::number(value)));
        QVERIFY(colors.contains(themeFor(false).ahead.rgb()));
        // Outside the content: the card's colour, up to the corners.
        QCOMPARE(image.pixelColor(0, 0), themeFor(false).card);
        QCOMPARE(image.pixelColor(image.width() - 1, image.height() - 1), themeFor(false).card);
    }

    void darkAndTransparent() {
        FigureOptions options;
        options.dark = true;
        QCOMPARE(figureImage({causalWeights(), unit_scale}, options).pixelColor(0, 0), themeFor(true).card);
        QVERIFY(colorsOf(figureImage({causalWeights(), unit_scale}, options)).contains(themeFor(true).ahead.rgb()));
        options.transparent = true;
        QCOMPARE(qAlpha(figureImage({causalWeights(), unit_scale}, options).pixel(0, 0)), 0);
        QVERIFY(!theme().dark);
    }

    /// Pixels of every kind, as Qt reads them back: rows that repeat, rows that do not, and what is between.
    void pngHasEveryPixel_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("height");
        QTest::addColumn<int>("same_rows"); // rows that repeat the one above, of ten
        QTest::addColumn<bool>("has_alpha");
        for (const bool has_alpha : {false, true}) {
            QTest::addRow("one, alpha %d", has_alpha) << 1 << 1 << 0 << has_alpha;
            QTest::addRow("a column, alpha %d", has_alpha) << 1 << 300 << 5 << has_alpha;
            QTest::addRow("a row, alpha %d", has_alpha) << 40000 << 1 << 5 << has_alpha;
            QTest::addRow("noise, alpha %d", has_alpha) << 333 << 211 << 0 << has_alpha;
            QTest::addRow("some rows, alpha %d", has_alpha) << 301 << 97 << 5 << has_alpha;
            QTest::addRow("equal rows, alpha %d", has_alpha) << 301 << 97 << 10 << has_alpha;
        }
    }
    void pngHasEveryPixel() {
        QFETCH(int, width);
        QFETCH(int, height);
        QFETCH(int, same_rows);
        QFETCH(bool, has_alpha);
        std::mt19937 random(7); // NOLINT(cert-msc32-c,cert-msc51-cpp): the same each time
        QImage image(width, height, has_alpha ? QImage::Format_ARGB32 : QImage::Format_RGB32);
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                const bool keeps = y > 0 && y % 10 < same_rows && (x > 3 || y % 2 == 0); // a few pixels change
                image.setPixel(x, y, keeps ? image.pixel(x, y - 1) : static_cast<QRgb>(random()));
            }
        const auto png = io::png_of({.width = static_cast<std::uint32_t>(width),
                                     .height = static_cast<std::uint32_t>(height),
                                     .pixels = reinterpret_cast<const QRgb*>(image.constBits()), // NOLINT
                                     .row_stride = static_cast<std::size_t>(image.bytesPerLine()) / sizeof(QRgb),
                                     .has_alpha = has_alpha,
                                     .dots_per_meter = 11811});
        const QImage read = QImage::fromData(QByteArray::fromStdString(png), "PNG");
        QCOMPARE(read.convertToFormat(image.format()), image);
        QCOMPARE(read.dotsPerMeterX(), 11811);
        QVERIFY(png.size() < static_cast<std::size_t>(width) * height * 4 + (same_rows == 10 ? 0 : height * 6) + 1000);
        if (same_rows == 10)
            QVERIFY(png.size() < static_cast<std::size_t>(width) * height);
    }

    void pngShowsTheFigure() {
        for (const bool transparent : {false, true})
            for (const int dpi : {36, 150, 300}) {
                FigureOptions options;
                options.dpi = dpi;
                options.transparent = transparent;
                const Figure figure{causalWeights(), unit_scale};
                const QImage image = QImage::fromData(pngData(figure, options), "PNG");
                QCOMPARE(image.hasAlphaChannel(), transparent);
                QCOMPARE(image.convertToFormat(QImage::Format_ARGB32),
                         figureImage(figure, options).convertToFormat(QImage::Format_ARGB32));
            }
    }

    void svgLooksLikeThePng() {
        FigureOptions options;
        QSvgRenderer renderer(svgData({causalWeights(), unit_scale}, options));
        QVERIFY(renderer.isValid());
        QCOMPARE(renderer.viewBoxF().size(), options.size_points);
        QImage image(480, 400, QImage::Format_RGB32);
        QPainter painter(&image);
        renderer.render(&painter);
        painter.end();
        const auto colors = colorsOf(image);
        for (const double value : {1.0, 0.25, 0.75, 0.5, 0.125, 0.375})
            QVERIFY2(colors.contains(unit_scale.color(value)), qPrintable(QString::number(value)));
        QVERIFY(colors.contains(themeFor(false).ahead.rgb()));
    }

    void pdfHasItsPageSize() {
        FigureOptions options;
        options.size_points = QSizeF(300, 200);
        const QString path = folder_.filePath("figure.pdf");
        writeFigure(path, {causalWeights(), unit_scale}, options);
        const QByteArray data = contents(path);
        QVERIFY(data.startsWith("%PDF-1."));
        QVERIFY(data.contains("%%EOF"));
        const auto match =
            QRegularExpression("/MediaBox \\[0 0 ([\\d.]+) ([\\d.]+)\\]").match(QString::fromLatin1(data));
        QVERIFY(match.hasMatch());
        QVERIFY(std::abs(match.captured(1).toDouble() - 300) < 0.5);
        QVERIFY(std::abs(match.captured(2).toDouble() - 200) < 0.5);
        QVERIFY(!data.contains("/Subtype /Image")); // cells are vectors
    }

    void writingFailsWithAReason_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QSizeF>("size");
        QTest::addColumn<int>("dpi");
        QTest::addColumn<QString>("reason");
        const QSizeF size(480, 400);
        const QString known = '.' + suffixesOf(FormatKind::Picture).join(", .");
        QTest::newRow("unknown suffix") << folder_.filePath("a.bmp") << size << 150 << known;
        QTest::newRow("no suffix") << folder_.filePath("a") << size << 150 << known;
        QTest::newRow("no folder") << folder_.filePath("none/a.png") << size << 150 << "none/a.png: cannot be written";
        QTest::newRow("a folder") << folder_.filePath("folder.svg") << size << 150
                                  << "folder.svg: is a folder, expected a file";
        QTest::newRow("no size") << folder_.filePath("a.png") << QSizeF(0, 400) << 150 << "size is 0 x 400";
        QTest::newRow("nan") << folder_.filePath("a.png") << QSizeF(std::nan(""), 400) << 150 << "size is nan x 400";
        QTest::newRow("vast") << folder_.filePath("a.pdf") << QSizeF(1e9, 400) << 150 << "size is";
        QTest::newRow("coarse") << folder_.filePath("a.png") << size << 0 << "0 dots per inch";
        QTest::newRow("fine") << folder_.filePath("a.png") << size << 1000000 << "1000000 dots per inch";
        QTest::newRow("too many pixels") << folder_.filePath("a.png") << QSizeF(14000, 14000) << 1200 << "megapixels";
    }
    void writingFailsWithAReason() {
        QFETCH(QString, path);
        QFETCH(QSizeF, size);
        QFETCH(int, dpi);
        QFETCH(QString, reason);
        QDir(folder_.path()).mkdir("folder.svg");
        FigureOptions options;
        options.size_points = size;
        options.dpi = dpi;
        try {
            writeFigure(path, {causalWeights(), unit_scale}, options);
            QFAIL("nothing was thrown");
        } catch (const Error& error) {
            QVERIFY2(QString(error.what()).contains(reason), error.what());
        }
        QVERIFY(!QFileInfo(path).isFile());
    }

    void aFailureLeavesTheFileAlone() {
        const QString path = folder_.filePath("kept.png");
        writeFigure(path, {causalWeights(), unit_scale}, {});
        const QByteArray before = contents(path);
        FigureOptions absurd;
        absurd.dpi = -1;
        QVERIFY_THROWS_EXCEPTION(Error, writeFigure(path, {causalWeights(), unit_scale}, absurd));
        QCOMPARE(contents(path), before);
    }

    void drawingsAreFiguresToo_data() {
        QTest::addColumn<QSizeF>("least");
        QTest::newRow("fits") << QSizeF(100, 80);
        QTest::newRow("is made smaller") << QSizeF(2000, 300);
    }
    void drawingsAreFiguresToo() {
        QFETCH(QSizeF, least);
        const auto drawn = std::make_shared<Boxes>();
        const Figure shown(drawn);
        auto& boxes = *drawn;
        boxes.least = least;
        FigureOptions options;
        options.dpi = 72;
        const QImage image = figureImage(shown, options);
        QCOMPARE(image.size(), QSize(480, 400));
        // It has at least its minimum size, and fills the page except for a margin.
        QVERIFY(boxes.area.width() >= least.width() - 1.0 && boxes.area.height() >= least.height() - 1.0);
        QCOMPARE(image.pixel(4, 4), themeFor(false).card.rgb());
        QCOMPARE(image.pixel(40, 40), QColor(Qt::red).rgb());
        QCOMPARE(image.pixel(440, 360), QColor(Qt::red).rgb());
        for (const auto& suffix : suffixesOf(FormatKind::Picture)) {
            if (findFormat(FormatKind::Picture, suffix)->heatmaps_only)
                continue;
            const QString path = folder_.filePath("drawing." + suffix);
            writeFigure(path, shown, options);
            QVERIFY(QFileInfo(path).size() > 0);
            QCOMPARE(boxes.vectors, !findFormat(FormatKind::Picture, suffix)->has_pixels);
        }
        QVERIFY(contents(folder_.filePath("drawing.svg")).contains("#ff0000"));
        options.size_points = QSizeF(1, 1);
        QVERIFY_THROWS_EXCEPTION(Error, figureImage(shown, options));
    }

    void optionsOfFiguresAreSeen() {
        auto matrix = causalWeights();
        FigureOptions options;
        options.font_family = "DejaVu Sans Mono";
        options.font_points = 9;
        options.high = 0.5;
        const QByteArray svg = svgData({matrix, unit_scale}, options);
        QVERIFY(svg.contains("DejaVu Sans Mono"));
        QVERIFY(svg.contains("font-size=\"9\""));
        // 0.375 has the colour at three quarters, and numbers above 0.5 that of the end.
        options.color_bar = false; // it contains all of them
        const auto colors = colorsOf(figureImage({matrix, unit_scale}, options));
        QVERIFY(!colors.contains(unit_scale.color(0.375)));
        QVERIFY(colors.contains(unit_scale.color(0.75)));
        QVERIFY(colors.contains(unit_scale.color(1.0)));
        options.low = 0.5;
        QVERIFY_THROWS_EXCEPTION(Error, figureImage({matrix, unit_scale}, options));
        options = {};
        options.low = -1.0;
        ColorScale logarithmic{unit_scale.map, 0.01, 1.0, true};
        QVERIFY_THROWS_EXCEPTION(Error, figureImage({matrix, logarithmic}, options));
    }

    void oneEndOfADivergingMapMirrorsTheOther() {
        FigureOptions options;
        options.high = 2.0;
        const auto scale = limited({&colormap("blue_red"), -1.0, 1.0, false}, options);
        QCOMPARE(scale.low, -2.0);
        QCOMPARE(scale.high, 2.0);
    }

    void oddMatrices_data() {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        QTest::newRow("empty") << 0 << 0;
        QTest::newRow("one") << 1 << 1;
        QTest::newRow("row") << 1 << 200;
        QTest::newRow("column") << 2000 << 1;
    }
    void oddMatrices() {
        QFETCH(int, rows);
        QFETCH(int, columns);
        for (const auto& suffix : suffixesOf(FormatKind::Picture)) {
            const QString path = folder_.filePath("odd." + suffix);
            writeFigure(path, {manyCells(rows, columns), unit_scale}, {});
            QVERIFY(QFileInfo(path).size() > 0);
        }
    }
};

ATTNLAB_TEST(TestFigure)
#include "test_figure.moc"
