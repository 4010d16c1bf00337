#include "core/message.h"
#include "tests/test_main.h"
#include "ui/drawing/figure.h"
#include "ui/export/export.h"
#include "ui/export/formats.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QImageReader>
#include <QPainter>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QtTest>
#include <QXmlStreamReader>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

const ColorScale unit{&colormap("viridis"), 0.0, 1.0, false};
const QStringList tokens{"cat", "drank", "milk"};

MatrixData causal() {
    MatrixData matrix;
    matrix.values = Tensor({3, 3}, {1.0, 0.0, 0.0, 0.25, 0.75, 0.0, 0.5, 0.125, 0.375});
    matrix.blocked = Tensor({3, 3}, {0, 1, 1, 0, 0, 1, 0, 0, 0}, DType::Bool);
    matrix.row_labels = matrix.column_labels = tokens;
    matrix.row_title = "query token";
    matrix.column_title = "key token";
    return matrix;
}

MatrixData large(int rows, int columns) {
    MatrixData matrix;
    matrix.values = Tensor({rows, columns});
    auto values = matrix.values.mutable_values();
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<double>(i % 97) / 96.0;
    return matrix;
}

QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

struct Svg {
    QStringList texts;
    int pictures = 0;
    bool well_formed = false;
};
Svg readSvg(const QByteArray& data) {
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

QSet<QRgb> colorsOf(const QImage& image) {
    QSet<QRgb> colors;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            colors.insert(image.pixel(x, y));
    return colors;
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
        writeFigure(path, {causal(), unit}, options);
        QImageReader reader(path);
        const QImage image = reader.read();
        QCOMPARE(image.size(), QSize(360, 288) * dpi / 72);
        QVERIFY(std::abs(image.dotsPerMeterX() - dpi / 0.0254) <= 1.0);
        const auto colors = colorsOf(image);
        for (const double value : {1.0, 0.25, 0.75, 0.5, 0.125, 0.375})
            QVERIFY2(colors.contains(unit.color(value)), qPrintable(QString::number(value)));
        QVERIFY(colors.contains(themeFor(false).hatch_back.rgb()));
        // Outside the content: the card's colour, up to the corners.
        QCOMPARE(image.pixelColor(0, 0), themeFor(false).card);
        QCOMPARE(image.pixelColor(image.width() - 1, image.height() - 1), themeFor(false).card);
    }

    void darkAndTransparent() {
        FigureOptions options;
        options.dark = true;
        QCOMPARE(figureImage({causal(), unit}, options).pixelColor(0, 0), themeFor(true).card);
        QVERIFY(colorsOf(figureImage({causal(), unit}, options)).contains(themeFor(true).hatch_back.rgb()));
        options.transparent = true;
        QCOMPARE(qAlpha(figureImage({causal(), unit}, options).pixel(0, 0)), 0);
        QVERIFY(!theme().dark);
    }

    void svgTextIsText() {
        FigureOptions options;
        options.title = "weights <head 2> & more";
        const QByteArray data = svgData({causal(), unit}, options);
        const Svg svg = readSvg(data);
        QVERIFY(svg.well_formed);
        QCOMPARE(svg.pictures, 1); // the cells
        QCOMPARE(svg.texts.count("cat"), 2);
        for (const QString& text : {QString("query token"), QString("key token"), QString("0.750"), options.title})
            QVERIFY2(svg.texts.contains(text), qPrintable(text));
        // Numbers in cells: six kept ones; blocked cells have none.
        QCOMPARE(svg.texts.filter(QRegularExpression("^\\d\\.\\d{3}$")).size(), 6);
        options.numbers = false;
        options.color_bar = false;
        QVERIFY(readSvg(svgData({causal(), unit}, options)).texts.filter(QRegularExpression("^\\d\\.\\d+$")).isEmpty());
    }

    void svgLooksLikeThePng() {
        FigureOptions options;
        QSvgRenderer renderer(svgData({causal(), unit}, options));
        QVERIFY(renderer.isValid());
        QCOMPARE(renderer.viewBoxF().size(), options.size_points);
        QImage image(480, 400, QImage::Format_RGB32);
        QPainter painter(&image);
        renderer.render(&painter);
        painter.end();
        const auto colors = colorsOf(image);
        for (const double value : {1.0, 0.25, 0.75, 0.5, 0.125, 0.375})
            QVERIFY2(colors.contains(unit.color(value)), qPrintable(QString::number(value)));
        QVERIFY(colors.contains(themeFor(false).hatch_back.rgb()));
    }

    /// Viewers with antialiasing show nothing of the page between cells, at any size.
    void cellsHaveNoSeams() {
        FigureOptions options;
        options.numbers = options.color_bar = false;
        MatrixData matrix = large(40, 40);
        std::ranges::fill(matrix.values.mutable_values(), 0.0); // dark, on a white page
        const QByteArray data = svgData({matrix, unit}, options);
        for (const double scale : {0.37, 0.5, 0.73, 1.0, 1.31}) {
            QImage image((options.size_points * scale).toSize(), QImage::Format_RGB32);
            QPainter painter(&image);
            QSvgRenderer(data).render(&painter);
            painter.end();
            const QRgb cell = unit.color(0.0);
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

    /// The labels of a preview are those of the file, though it has fewer pixels.
    void previewsHaveTheLabelsOfTheFile() {
        FigureOptions options;
        MatrixData matrix = large(33, 33);
        for (int i = 0; i < 33; ++i)
            matrix.row_labels << QStringLiteral("row%1").arg(i);
        matrix.column_labels = matrix.row_labels;
        const Figure figure(matrix, unit);
        const QSize shown(360, 300);
        const auto distance = [&](const QImage& a, const QImage& b) {
            double sum = 0.0;
            for (int y = 0; y < shown.height(); ++y)
                for (int x = 0; x < shown.width(); ++x)
                    sum += std::abs(qGray(a.pixel(x, y)) - qGray(b.pixel(x, y)));
            return sum / (shown.width() * shown.height());
        };
        QImage file(shown, QImage::Format_RGB32);
        QPainter painter(&file);
        QSvgRenderer(svgData(figure, options)).render(&painter);
        painter.end();
        const QImage preview = figurePreview(figure, options, shown, false);
        QCOMPARE(preview.size(), shown);
        QVERIFY2(distance(preview, file) < 4.0, qPrintable(QString::number(distance(preview, file))));
        const QImage pixels = figureImage(figure, options);
        QCOMPARE(figurePreview(figure, options, shown, true),
                 pixels.scaled(shown, Qt::IgnoreAspectRatio, Qt::SmoothTransformation));
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
        const Figure figure(large(rows, columns), unit);
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
                         unit.color(static_cast<double>((y / factor * columns + x / factor) % 97) / 96.0));
        // All other shapes with these colours would be beside the image: there are none.
        for (const double value : {0.0, 0.25, 0.5, 1.0})
            QVERIFY(!data.contains("fill=\"" + QColor(unit.color(value)).name().toLatin1()));

        const auto pdf = imagesIn(pdfData(figure, {}));
        QCOMPARE(pdf.size(), 1);
        QVERIFY(std::abs(pdf[0].width() - svg.place.width()) < 0.05);
        QVERIFY(std::abs(pdf[0].height() - svg.place.height()) < 0.05);
    }

    /// Alone on a dark page, a bright cell is where it should be and nowhere else.
    void brightCellsHaveNoWhiskers() {
        MatrixData matrix = large(24, 24);
        auto values = matrix.values.mutable_values();
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = i / 24 == i % 24 ? 1.0 : 0.0;
        FigureOptions options;
        options.numbers = options.color_bar = false;
        const QByteArray data = svgData({matrix, unit}, options);
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
                    QCOMPARE(image.pixel(x, y), unit.color(left == top ? 1.0 : 0.0));
                }
        }
    }

    /// Hatches stay within the cells that they mark.
    void hatchesStayInTheirCells() {
        FigureOptions options;
        options.numbers = options.color_bar = false;
        const QByteArray data = svgData({causal(), unit}, options);
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

    void pdfHasItsPageSize() {
        FigureOptions options;
        options.size_points = QSizeF(300, 200);
        const QString path = folder_.filePath("figure.pdf");
        writeFigure(path, {causal(), unit}, options);
        const QByteArray data = contents(path);
        QVERIFY(data.startsWith("%PDF-1."));
        QVERIFY(data.contains("%%EOF"));
        const auto match =
            QRegularExpression("/MediaBox \\[0 0 ([\\d.]+) ([\\d.]+)\\]").match(QString::fromLatin1(data));
        QVERIFY(match.hasMatch());
        QVERIFY(std::abs(match.captured(1).toDouble() - 300) < 0.5);
        QVERIFY(std::abs(match.captured(2).toDouble() - 200) < 0.5);
        // The cells, without loss.
        QCOMPARE(data.count("/Subtype /Image"), 1);
        QVERIFY(!data.contains("/DCTDecode"));
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
            writeFigure(path, {causal(), unit}, options);
            QFAIL("nothing was thrown");
        } catch (const Error& error) {
            QVERIFY2(QString(error.what()).contains(reason), error.what());
        }
        QVERIFY(!QFileInfo(path).isFile());
    }

    void aFailureLeavesTheFileAlone() {
        const QString path = folder_.filePath("kept.png");
        writeFigure(path, {causal(), unit}, {});
        const QByteArray before = contents(path);
        FigureOptions absurd;
        absurd.dpi = -1;
        QVERIFY_EXCEPTION_THROWN(writeFigure(path, {causal(), unit}, absurd), Error);
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
            const QString path = folder_.filePath("drawing." + suffix);
            writeFigure(path, shown, options);
            QVERIFY(QFileInfo(path).size() > 0);
            QCOMPARE(boxes.vectors, !findFormat(FormatKind::Picture, suffix)->has_pixels);
        }
        QVERIFY(contents(folder_.filePath("drawing.svg")).contains("#ff0000"));
        options.size_points = QSizeF(1, 1);
        QVERIFY_EXCEPTION_THROWN(figureImage(shown, options), Error);
    }

    /// Sixteen tokens in the column of a paper: all labels are shown, and both ends of the colours.
    void everyLabelIsThere_data() {
        QTest::addColumn<QSizeF>("size");
        QTest::addColumn<int>("font");
        QTest::addColumn<int>("columns");
        QTest::newRow("a column") << QSizeF(252, 220) << 0 << 16;
        QTest::newRow("both columns") << QSizeF(504, 360) << 0 << 16;
        QTest::newRow("small text") << QSizeF(252, 220) << 5 << 16;
        QTest::newRow("large text, evenly fewer") << QSizeF(252, 220) << 12 << 8;
    }
    void everyLabelIsThere() {
        QFETCH(QSizeF, size);
        QFETCH(int, font);
        QFETCH(int, columns);
        FigureOptions options;
        options.size_points = size;
        options.font_points = font;
        auto matrix = large(16, 16);
        for (int i = 0; i < 16; ++i)
            matrix.row_labels << QStringLiteral("tok%1").arg(i, 2, 10, QLatin1Char('0'));
        matrix.column_labels = matrix.row_labels;
        matrix.column_title = "key token";
        const ColorScale scale{&colormap("viridis"), 0.0, 0.853, false};
        const auto texts = readSvg(svgData({matrix, scale}, options)).texts;
        const auto there = texts.filter(QRegularExpression("^tok\\d\\d$"));
        if (font == 12) {
            // Both axes have their own step, given in their titles.
            QVERIFY(there.size() < 32 && there.size() >= columns);
            QVERIFY(!texts.filter(QRegularExpression("^key token \\(1 label in [23]\\)$")).isEmpty());
        } else {
            QCOMPARE(there.size(), 2 * columns);
            QVERIFY(texts.contains("key token"));
        }
        QVERIFY2(texts.contains("0.85") && texts.contains("0.00"), qPrintable(texts.join(' ')));
    }

    void sharedAxesAreNamedOnce() {
        FigurePanels panels;
        auto matrix = large(16, 16);
        for (int i = 0; i < 16; ++i)
            matrix.row_labels << QStringLiteral("t%1").arg(i);
        matrix.column_labels = matrix.row_labels;
        matrix.row_title = "query token";
        matrix.column_title = "key token";
        for (int head = 0; head < 12; ++head)
            panels.push_back({matrix, QStringLiteral("Head %1").arg(head)});
        FigureOptions options;
        options.size_points = QSizeF(504, 360);
        options.title = "weights";
        const auto texts = readSvg(svgData({panels, unit}, options)).texts;
        for (int head = 0; head < 12; ++head)
            QCOMPARE(texts.count(QStringLiteral("Head %1").arg(head)), 1);
        for (const char* once : {"weights", "1.0"})
            QCOMPARE(texts.count(once), 1);
        for (const char* axis : {"^query token", "^key token"})
            QCOMPARE(texts.filter(QRegularExpression(axis)).size(), 1);
        // Only at the left and at the top edge.
        QVERIFY(texts.count("t0") >= 2 && texts.count("t0") <= 12);
    }

    void optionsOfFiguresAreSeen() {
        auto matrix = causal();
        FigureOptions options;
        options.font_family = "DejaVu Sans Mono";
        options.font_points = 9;
        options.high = 0.5;
        const QByteArray svg = svgData({matrix, unit}, options);
        QVERIFY(svg.contains("DejaVu Sans Mono"));
        QVERIFY(svg.contains("font-size=\"9\""));
        // 0.375 has the colour at three quarters, and numbers above 0.5 that of the end.
        options.color_bar = false; // it contains all of them
        const auto colors = colorsOf(figureImage({matrix, unit}, options));
        QVERIFY(!colors.contains(unit.color(0.375)));
        QVERIFY(colors.contains(unit.color(0.75)));
        QVERIFY(colors.contains(unit.color(1.0)));
        options.low = 0.5;
        QVERIFY_EXCEPTION_THROWN(figureImage({matrix, unit}, options), Error);
        options = {};
        options.low = -1.0;
        ColorScale logarithmic{unit.map, 0.01, 1.0, true};
        QVERIFY_EXCEPTION_THROWN(figureImage({matrix, logarithmic}, options), Error);
    }

    void oneEndOfADivergingMapMirrorsTheOther() {
        FigureOptions options;
        options.high = 2.0;
        const auto scale = limited({&colormap("blue_red"), -1.0, 1.0, false}, options);
        QCOMPARE(scale.low, -2.0);
        QCOMPARE(scale.high, 2.0);
    }

    /// Only zero is 0.00.
    void smallNumbersAreNotZero() {
        auto matrix = causal();
        matrix.blocked = {};
        matrix.values = Tensor({3, 3}, {0.004, -0.003, 0.0, 1e-12, 0.75, 2.5e-4, 0.5, 0.125, 0.375});
        const auto texts = readSvg(svgData({matrix, unit}, {})).texts;
        const QString drawn = texts.join(QString()); // a sign may be a separate text in another font
        for (const QString& text : {QString("0.004"), QStringLiteral("−0.003"), QString("0.000"),
                                    QStringLiteral("1e−12"), QStringLiteral("3e−4")})
            QVERIFY2(drawn.contains(text), qPrintable(text + " in " + drawn));
        QCOMPARE(texts.count("0.000"), 1);
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
            writeFigure(path, {large(rows, columns), unit}, {});
            QVERIFY(QFileInfo(path).size() > 0);
        }
    }
};

ATTNLAB_TEST(TestFigure)
#include "test_figure.moc"
