// Labels, titles and numbers of figures: all that have room are there, as text.
#include "figure_support.h"
#include "tests/test_main.h"
#include "ui/drawing/figures/figure.h"
#include "ui/export/export.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <QBuffer>
#include <QFontDatabase>
#include <QFontInfo>
#include <QFontMetricsF>
#include <QPainter>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QSvgRenderer>
#include <QTest>
#include <QtPdf/QPdfDocument>
#include <QXmlStreamReader>

#include <algorithm>
#include <cmath>

using namespace attnlab;
using namespace attnlab::ui;

class TestFigureTexts : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        applyTheme(ThemeChoice::Light);
    }

    void svgTextIsText() {
        FigureOptions options;
        options.title = "weights <head 2> & more";
        const QByteArray data = svgData({causalWeights(), unit_scale}, options);
        const Svg svg = readSvg(data);
        QVERIFY(svg.well_formed);
        QCOMPARE(svg.pictures, 0); // cells are vectors
        QCOMPARE(svg.texts.count("cat"), 2);
        for (const QString& text : {QString("query token"), QString("key token"), QString(".75"), options.title})
            QVERIFY2(svg.texts.contains(text), qPrintable(text));
        // Numbers in cells: six kept ones, of which one is 1; blocked cells have none.
        QCOMPARE(svg.texts.filter(QRegularExpression("^\\.\\d{2}$")).size(), 5);
        options.numbers = false;
        options.color_bar = false;
        QVERIFY(readSvg(svgData({causalWeights(), unit_scale}, options))
                    .texts.filter(QRegularExpression("^\\d?\\.\\d+$"))
                    .isEmpty());
    }

    /// XML has no such characters, and a token may.
    void controlCharactersOfLabelsAreNotWritten() {
        auto matrix = causalWeights();
        matrix.row_labels = matrix.column_labels = {"the", QStringLiteral("c\u0001at\u001b"), "sat"};
        const QByteArray data = svgData({matrix, unit_scale}, {});
        QVERIFY(readSvg(data).well_formed);
        QVERIFY(!data.contains('\x01') && !data.contains('\x1b'));
    }

    /// The font of a Chinese locale has wide dots and quotes.
    void latinFamilies_data() {
        QTest::addColumn<QString>("family");
        QTest::addColumn<bool>("is_kept");
        for (const QString& family : QFontDatabase::families())
            QTest::newRow(qPrintable(family))
                << family << !QFontDatabase::writingSystems(family).contains(QFontDatabase::SimplifiedChinese);
    }
    void latinFamilies() {
        QFETCH(QString, family);
        QFETCH(bool, is_kept);
        const QFont font(family);
        if (QFontInfo(font).family() != family)
            QSKIP("is not shown as itself");
        const QString latin = latinFamily(font);
        if (is_kept)
            QCOMPARE(latin, family);
        else
            QVERIFY2(!QFontDatabase::writingSystems(latin).contains(QFontDatabase::SimplifiedChinese),
                     qPrintable(latin));
        const QFont shown(latin);
        if (!is_kept) // narrower than half of a Chinese character
            QVERIFY(QFontMetricsF(shown).horizontalAdvance(u'·') < QFontMetricsF(font).horizontalAdvance(u'头') / 2);
    }

    /// Sixteen tokens in the column of a paper: all labels are shown, and both ends of the colours.
    /// Texts have their widths, so that labels of rows end beside their cells in another font, too.
    void svgTextKeepsItsRoom() {
        QMap<QString, QList<double>> ends;
        int unknown = 0;
        QXmlStreamReader xml(svgData({causalWeights(), unit_scale}, {}));
        while (!xml.atEnd())
            if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QLatin1String("text")) {
                const double left = xml.attributes().value("x").toDouble();
                const double width = xml.attributes().value("textLength").toDouble();
                const QString text = xml.readElementText().trimmed();
                unknown += text.size() > 1 && width <= 0.0;
                ends[text] << left + width;
            }
        QVERIFY(!xml.hasError());
        QCOMPARE(unknown, 0);
        const auto end_together = [&](double end) {
            return std::ranges::all_of(QStringList{"cat", "drank", "milk"}, [&](const QString& label) {
                return std::ranges::any_of(ends.value(label), [&](double own) { return std::abs(own - end) < 0.3; });
            });
        };
        QVERIFY(std::ranges::any_of(ends.value("cat"), end_together));
    }

    /// Every font of a PDF has the tag of its subset, and the table of objects their places.
    void pdfFontsAreTagged() {
        FigureOptions options;
        options.title = "日本語 & text\n/BaseFont /NotoSans";
        QByteArray data = pdfData({causalWeights(), unit_scale}, options);
        const QString text = QString::fromLatin1(data);
        static const QRegularExpression fonts("/Subtype /(?:CIDFontType2|Type0)\n/BaseFont /([^\n]*)\n");
        static const QRegularExpression tagged("^[A-Z]{6}\\+.");
        int count = 0;
        for (auto found = fonts.globalMatch(text); found.hasNext(); ++count)
            QVERIFY(tagged.match(found.next().captured(1)).hasMatch());
        QVERIFY(count >= 2);
        const auto start = data.mid(data.lastIndexOf("startxref\n") + 10).split('\n').first().toLongLong();
        QCOMPARE(data.mid(start, 7), QByteArray("xref\n0 "));
        const auto lines = data.mid(start).split('\n');
        const auto objects = lines[1].split(' ')[1].toInt();
        for (int object = 1; object < objects; ++object) {
            const QByteArray begins = QByteArray::number(object) + " 0 obj";
            QCOMPARE(data.mid(lines[object + 2].left(10).toLongLong(), begins.size()), begins);
        }
        QBuffer file(&data);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QPdfDocument document;
        document.load(&file);
        QCOMPARE(document.pageCount(), 1);
    }

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
        auto matrix = manyCells(16, 16);
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
        auto matrix = manyCells(16, 16);
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
        const auto texts = readSvg(svgData({panels, unit_scale}, options)).texts;
        for (int head = 0; head < 12; ++head)
            QCOMPARE(texts.count(QStringLiteral("Head %1").arg(head)), 1);
        for (const char* once : {"weights", "1.0"})
            QCOMPARE(texts.count(once), 1);
        for (const char* axis : {"^query token", "^key token"})
            QCOMPARE(texts.filter(QRegularExpression(axis)).size(), 1);
        // Only at the left and at the top edge.
        QVERIFY(texts.count("t0") >= 2 && texts.count("t0") <= 12);
    }

    /// As in the window, what rounds to zero is 0, and no number has an exponent.
    void smallNumbersAreZero() {
        auto matrix = causalWeights();
        matrix.blocked = {};
        matrix.values = Tensor({3, 3}, {0.004, -0.003, 0.0, 1e-12, 0.75, 2.5e-4, 0.5, 0.125, 0.375});
        FigureOptions options;
        options.digits = 3;
        const auto texts = readSvg(svgData({matrix, unit_scale}, options)).texts;
        const QString drawn = texts.join(QString()); // a sign may be a separate text in another font
        for (const QString& text : {QString(".004"), QStringLiteral("−.003"), QString(".750")})
            QVERIFY2(drawn.contains(text), qPrintable(text + " in " + drawn));
        QCOMPARE(texts.count("0"), 3);
        QVERIFY(!drawn.contains(QStringLiteral("e−")));
        QCOMPARE(readSvg(svgData({matrix, unit_scale}, {})).texts.count("0"), 5); // with two digits
    }

    /// The labels of a preview are those of the file, though it has fewer pixels.
    void previewsHaveTheLabelsOfTheFile() {
        FigureOptions options;
        MatrixData matrix = manyCells(33, 33);
        for (int i = 0; i < 33; ++i)
            matrix.row_labels << QStringLiteral("row%1").arg(i);
        matrix.column_labels = matrix.row_labels;
        const Figure figure(matrix, unit_scale);
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
        const QImage preview = svgPreview(figure, options, shown);
        QCOMPARE(preview.size(), shown);
        QVERIFY2(distance(preview, file) < 4.0, qPrintable(QString::number(distance(preview, file))));
        const QImage pixels = figureImage(figure, options);
        QCOMPARE(pngPreview(figure, options, shown),
                 pixels.scaled(shown, Qt::IgnoreAspectRatio, Qt::SmoothTransformation));
        QByteArray bytes = pdfData(figure, options);
        QBuffer pdf(&bytes);
        QVERIFY(pdf.open(QIODevice::ReadOnly));
        QPdfDocument document;
        document.load(&pdf);
        QCOMPARE(pdfPreview(figure, options, shown), document.render(0, shown));
        QVERIFY2(distance(pdfPreview(figure, options, shown), file) < 4.0, "a PDF looks as an SVG");
    }
};

ATTNLAB_TEST(TestFigureTexts)
#include "test_figure_texts.moc"
