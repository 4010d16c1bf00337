// Charts in files and on paper: a plot that Qt records must come out in the size of its place on every device.
#include "tests/test_main.h"
#include "ui/drawing/figures/figure.h"
#include "ui/drawing/line_chart_drawing.h"
#include "ui/export/formats.h"

#include <cmath>
#include <QApplication>
#include <QImage>
#include <QPainter>
#include <QProcess>
#include <QStandardPaths>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

LineChartDrawing curves() {
    LineChartDrawing chart;
    chart.x_title = QStringLiteral("width d");
    chart.lines = {{QStringLiteral("none"), 0, {{4, 1.9}, {16, 1.2}, {64, 0.5}, {256, 0.2}}},
                   {QStringLiteral("1/√d"), 1, {{4, 1.9}, {16, 1.9}, {64, 1.9}, {256, 1.9}}}};
    chart.reference = {{4, 1.0}, {256, 1.0}};
    chart.marker = 64.0;
    return chart;
}

QRect inkOf(const QImage& image) {
    const QRgb back = image.pixel(0, 0);
    QRect ink;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (image.pixel(x, y) != back)
                ink |= QRect(x, y, 1, 1);
    return ink;
}

double distance(const QImage& a, const QImage& b) {
    double sum = 0.0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x)
            sum += std::abs(qGray(a.pixel(x, y)) - qGray(b.pixel(x, y)));
    return sum / (a.width() * a.height());
}

/// The first page of a PDF; null if the program is not installed.
QImage pageOf(const QByteArray& pdf, const QSize& size) {
    const QString program = QStandardPaths::findExecutable(QStringLiteral("pdftoppm"));
    const QTemporaryDir folder;
    QFile file(folder.filePath("page.pdf"));
    if (program.isEmpty() || !file.open(QIODevice::WriteOnly))
        return {};
    file.write(pdf);
    file.close();
    QProcess process;
    process.start(program, {"-png", "-singlefile", "-scale-to-x", QString::number(size.width()), "-scale-to-y",
                            QString::number(size.height()), file.fileName(), folder.filePath("page")});
    process.waitForFinished();
    return QImage(folder.filePath("page.png")).convertToFormat(QImage::Format_RGB32);
}

} // namespace

class TestPrintedCharts : public QObject {
    Q_OBJECT

private slots:
    /// In a presentation, letters and lines are read from afar.
    void linesGrowWithLetters() {
        const auto thickness = [](int letters) {
            LineChartDrawing chart;
            chart.lines = {{QStringLiteral("a"), 0, {{1.0, 1.0}, {64.0, 1.0}}}};
            QFont font = QApplication::font();
            font.setPixelSize(letters);
            QImage image(900, 500, QImage::Format_RGB32);
            image.fill(Qt::white);
            {
                QPainter painter(&image);
                chart.paint(painter, QRectF(image.rect()), {theme(), font});
            }
            const QColor ink = seriesColor(0, theme());
            int most = 0;
            for (int x = image.width() / 3; x < image.width() / 2; ++x) {
                int rows = 0;
                for (int y = 0; y < image.height(); ++y)
                    rows += image.pixelColor(x, y) == ink ? 1 : 0;
                most = std::max(most, rows);
            }
            return most;
        };
        const int usual = thickness(13), large = thickness(36);
        QVERIFY2(usual >= 1 && large >= 2 * usual, qPrintable(QStringLiteral("%1, %2").arg(usual).arg(large)));
        QFont small = QApplication::font();
        small.setPixelSize(9);
        QCOMPARE(lineScale(small), 1.0);
    }

    void numbersAreWrittenAsInPrint() {
        QCOMPARE(printedNumber("9.78e−7"), QString("9.78·10⁻⁷"));
        QCOMPARE(printedNumber("1e−5"), QString("10⁻⁵"));
        QCOMPARE(printedNumber("1.2e12"), QString("1.2·10¹²"));
        for (const char* plain : {"0.001", "−4", "–", "?", "NaN", "the", "e5"})
            QCOMPARE(printedNumber(plain), QString::fromUtf8(plain));
    }

    void hasTheSizeOfItsPlaceAtEveryResolution_data() {
        QTest::addColumn<int>("dpi");
        for (const int dpi : {36, 72, 96, 300, 1200})
            QTest::addRow("%d", dpi) << dpi;
    }

    void hasTheSizeOfItsPlaceAtEveryResolution() {
        QFETCH(int, dpi);
        constexpr int side = 400;
        const QRectF place(60, 40, 280, 200);
        const auto painted = [&](int resolution) {
            QImage image(side, side, QImage::Format_RGB32);
            image.fill(Qt::white);
            image.setDotsPerMeterX(static_cast<int>(std::lround(resolution / 0.0254)));
            image.setDotsPerMeterY(image.dotsPerMeterX());
            QPainter painter(&image);
            QFont font;
            font.setPixelSize(11);
            curves().paint(painter, place, {themeFor(false), font, true});
            return image;
        };
        const QImage image = painted(dpi);
        const QRect ink = inkOf(image);
        QVERIFY2(
            place.toAlignedRect().adjusted(-1, -1, 1, 1).contains(ink),
            qPrintable(
                QStringLiteral("ink at %1 %2, %3 x %4").arg(ink.x()).arg(ink.y()).arg(ink.width()).arg(ink.height())));
        QVERIFY(ink.width() > 0.9 * place.width() && ink.height() > 0.8 * place.height());
        QVERIFY(distance(image, painted(96)) < 0.5);
    }

    /// The picture of a file, read back from its bytes, is that of the others and of its preview.
    void isTheSameInEveryFile_data() {
        QTest::addColumn<QString>("suffix");
        for (const auto& suffix : suffixesOf(FormatKind::Picture))
            if (!findFormat(FormatKind::Picture, suffix)->heatmaps_only)
                QTest::addRow("%s", qPrintable(suffix)) << suffix;
    }

    void isTheSameInEveryFile() {
        QFETCH(QString, suffix);
        FigureOptions options;
        options.dpi = 72;
        const QSize size = options.size_points.toSize();
        const Figure figure(std::make_shared<const LineChartDrawing>(curves()));
        const auto& format = *findFormat(FormatKind::Picture, suffix);
        const QByteArray bytes = format.draw(figure, options);
        QImage file(size, QImage::Format_RGB32);
        file.fill(Qt::white);
        if (suffix == "svg") {
            QPainter painter(&file);
            QSvgRenderer(bytes).render(&painter);
        } else {
            file = suffix == "pdf" ? pageOf(bytes, size) : QImage::fromData(bytes).convertToFormat(file.format());
        }
        if (file.isNull())
            QSKIP("pdftoppm is not there to read the page");
        QCOMPARE(file.size(), size);
        const QRect ink = inkOf(file);
        constexpr double margin = 12.0; // of a figure
        QVERIFY(ink.left() > margin - 2 && ink.right() < size.width() - margin + 2);
        QVERIFY(ink.width() > 0.85 * size.width() && ink.height() > 0.8 * size.height());
        for (const QImage& other : {format.preview(figure, options, size), figureImage(figure, options)}) {
            const double apart = distance(file, other.convertToFormat(file.format()));
            QVERIFY2(apart < 3.0, qPrintable(QString::number(apart)));
        }
    }
};

ATTNLAB_TEST(TestPrintedCharts)
#include "test_printed_charts.moc"
