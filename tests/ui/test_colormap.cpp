#include "tests/numbers.h"
#include "tests/test_main.h"
#include "ui/drawing/color_bar.h"
#include "ui/drawing/colormap.h"
#include "ui/widgets/theme.h"

#include <cmath>
#include <QFont>
#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QTransform>
#include <QtTest>

#include <cmath>
#include <limits>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

ValueRange rangeOver(const QList<double>& values) {
    ValueRange range;
    for (const double value : values)
        range.include(value);
    return range;
}

/// Of OKLab.
double okLightness(QRgb color) {
    const auto linear = [](int part) {
        const double value = part / 255.0;
        return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    const double r = linear(qRed(color)), g = linear(qGreen(color)), b = linear(qBlue(color));
    return 0.2104542553 * std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) +
           0.7936177850 * std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) -
           0.0040720468 * std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
}

double luminance(QRgb color) { return 0.2126 * qRed(color) + 0.7152 * qGreen(color) + 0.0722 * qBlue(color); }

} // namespace

class TestColormap : public QObject {
    Q_OBJECT

private slots:
    void mapsRunBetweenTheirEnds_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QColor>("low");
        QTest::addColumn<QColor>("high");
        QTest::newRow("viridis") << "viridis" << QColor("#440154") << QColor("#fde725");
        QTest::newRow("magma") << "magma" << QColor("#000004") << QColor("#fcfdbf");
        QTest::newRow("cividis") << "cividis" << QColor("#00224e") << QColor("#fee838");
    }
    void mapsRunBetweenTheirEnds() {
        QFETCH(QString, id);
        const Colormap& map = colormap(id);
        QCOMPARE(map.id, id);
        QVERIFY(!map.diverging);
        QTEST(QColor(map.colors.front()), "low");
        QTEST(QColor(map.colors.back()), "high");
        for (std::size_t i = 1; i < 256; ++i)
            QVERIFY2(luminance(map.colors[i]) >= luminance(map.colors[i - 1]) - 1.5, qPrintable(QString::number(i)));
    }

    void divergingMapIsPalestInItsMiddle() {
        const Colormap& map = colormap("blue_red");
        QVERIFY(map.diverging);
        const QColor middle(map.colors[128]);
        QVERIFY(middle.saturation() < 12);
        QVERIFY(middle.lightness() > 225);
        for (std::size_t i = 1; i < 128; ++i) {
            QVERIFY(luminance(map.colors[i]) >= luminance(map.colors[i - 1]));
            QVERIFY(luminance(map.colors[255 - i]) >= luminance(map.colors[256 - i]));
        }
        QVERIFY(qBlue(map.colors.front()) > qRed(map.colors.front()));
        QVERIFY(qRed(map.colors.back()) > qBlue(map.colors.back()));
    }

    void theDarkDivergingMapIsDarkestInItsMiddle() {
        const Colormap& map = colormap("blue_red_dark");
        QVERIFY(map.diverging);
        const QColor middle(map.colors[128]);
        QVERIFY(middle.saturation() < 12);
        QVERIFY(contrastOf(middle, themeFor(true).card) < 1.5); // it does not glare
        for (std::size_t i = 1; i < 128; ++i) {
            QVERIFY2(okLightness(map.colors[i]) <= okLightness(map.colors[i - 1]) + 0.002,
                     qPrintable(QString::number(i)));
            QVERIFY2(okLightness(map.colors[255 - i]) <= okLightness(map.colors[256 - i]) + 0.002,
                     qPrintable(QString::number(255 - i)));
            QVERIFY(std::abs(okLightness(map.colors[i]) - okLightness(map.colors[255 - i])) < 0.01);
        }
        QVERIFY(okLightness(map.colors.front()) - okLightness(map.colors[127]) > 0.4);
        QVERIFY(qBlue(map.colors.front()) > qRed(map.colors.front()));
        QVERIFY(qRed(map.colors.back()) > qBlue(map.colors.back()));
    }

    void automaticDivergingScalesFollowTheBackground() {
        const ColorScale scale = colorScale({}, rangeOver({-1.0, 4.0}), true);
        QCOMPARE(shownOn(themeFor(false), scale).map->id, QString("blue_red"));
        QCOMPARE(shownOn(themeFor(true), scale).map->id, QString("blue_red_dark"));
        QCOMPARE(shownOn(themeFor(true), scale).low, -4.0);
        const ColorScale weights = colorScale({}, rangeOver({0.0, 1.0}), false);
        QCOMPARE(shownOn(themeFor(true), weights).map->id, QString("viridis"));
        ColorChoice choice;
        choice.colormap = "blue_red";
        const ColorScale chosen = colorScale(choice, rangeOver({-1.0, 4.0}), true);
        QCOMPARE(shownOn(themeFor(true), chosen).map->id, QString("blue_red"));
    }

    void unknownNamesGiveViridis() {
        QCOMPARE(colormap("no such map").id, QString("viridis"));
        QCOMPARE(colormap({}).id, QString("viridis"));
    }

    void colorsOfNumbers() {
        const ColorScale scale{&colormap("viridis"), 0.0, 1.0, false};
        QCOMPARE(qAlpha(scale.color(not_a_number)), 0);
        QCOMPARE(scale.color(0.0), scale.map->colors[0]);
        QCOMPARE(scale.color(1.0), scale.map->colors[255]);
        QCOMPARE(scale.color(0.5), scale.map->colors[128]);
        QCOMPARE(scale.color(-infinity), scale.map->colors[0]);
        QCOMPARE(scale.color(infinity), scale.map->colors[255]);
        QCOMPARE(scale.color(7.0), scale.map->colors[255]);
    }

    void logarithmicColors() {
        const ColorScale scale{&colormap("magma"), 1e-4, 1.0, true};
        QVERIFY(std::abs(scale.position(1e-2) - 0.5) < 1e-12);
        QVERIFY(std::abs(scale.valueAt(0.5) - 1e-2) < 1e-12);
        QCOMPARE(scale.color(0.0), scale.map->colors[0]);
        QCOMPARE(scale.color(-3.0), scale.map->colors[0]);
        QCOMPARE(qAlpha(scale.color(not_a_number)), 0);
    }

    void rangesLeaveOutWhatIsNotFinite() {
        const ValueRange range = rangeOver({not_a_number, -infinity, 3.0, infinity, -1.0, 0.5});
        QCOMPARE(range.low, -1.0);
        QCOMPARE(range.high, 3.0);
        QCOMPARE(range.smallest_positive, 0.5);
        QVERIFY(!range.empty);
        QVERIFY(rangeOver({not_a_number}).empty);
    }

    void scalesAreUsable_data() {
        QTest::addColumn<QList<double>>("values");
        QTest::newRow("empty") << QList<double>{};
        QTest::newRow("zeros") << QList<double>{0.0, 0.0};
        QTest::newRow("equal") << QList<double>{0.25, 0.25};
        QTest::newRow("equal but for rounding") << QList<double>{0.5, std::nextafter(0.5, 1.0)};
        QTest::newRow("equal negative") << QList<double>{-2.0};
        QTest::newRow("signed") << QList<double>{-1.0, 4.0};
        QTest::newRow("negative") << QList<double>{-5.0, -4.0};
        QTest::newRow("weights") << QList<double>{0.0, 0.2, 0.8};
        QTest::newRow("tiny") << QList<double>{1e-300, 0.5};
        QTest::newRow("denormal") << QList<double>{5e-324, 5e-324};
        QTest::newRow("huge") << QList<double>{-1.7e308, 1.7e308};
    }
    void scalesAreUsable() {
        QFETCH(QList<double>, values);
        for (const bool logarithmic : {false, true})
            for (const bool is_signed : {false, true})
                for (const char* id : {"", "viridis", "blue_red", "blue_red_dark"}) {
                    ColorChoice choice;
                    choice.colormap = id;
                    choice.logarithmic = logarithmic;
                    const ColorScale scale = colorScale(choice, rangeOver(values), is_signed);
                    QVERIFY(scale.map);
                    QVERIFY(std::isfinite(scale.low) && std::isfinite(scale.high));
                    QVERIFY(scale.low < scale.high);
                    QVERIFY(!logarithmic || scale.low > 0.0);
                    for (const double value : values) {
                        const double position = scale.position(value);
                        QVERIFY(position >= 0.0 && position <= 1.0);
                    }
                    QVERIFY(ticksOf(scale, 5).size() >= 2);
                    QVERIFY(ticksOf(scale, 5).size() <= 5);
                }
    }

    void automaticScales() {
        const ColorScale diverging = colorScale({}, rangeOver({-1.0, 4.0}), true);
        QCOMPARE(diverging.map->id, QString("blue_red"));
        QCOMPARE(diverging.low, -4.0);
        QCOMPARE(diverging.high, 4.0);
        const ColorScale weights = colorScale({}, rangeOver({0.01, 0.9}), false);
        QCOMPARE(weights.map->id, QString("viridis"));
        QCOMPARE(weights.low, 0.0);
        QCOMPARE(weights.high, 0.9);
        // Ticks between numbers that differ by rounding would need all their digits.
        const ColorScale rounded = colorScale({}, rangeOver({0.5, 0.5 + 1e-15}), false);
        QCOMPARE(rounded.low, 0.0);
        const ColorScale far = colorScale({}, rangeOver({100.0, 101.0}), false);
        QCOMPARE(far.low, 100.0);
        ColorChoice logarithm;
        logarithm.logarithmic = true;
        const ColorScale positive = colorScale(logarithm, rangeOver({-3.0, 0.0, 1e-3, 10.0}), true);
        QCOMPARE(positive.map->id, QString("viridis"));
        QCOMPARE(positive.low, 1e-3);
        QCOMPARE(positive.high, 10.0);
    }

    /// Nearly even weights look even, whatever they are.
    void sharesStartAtZero() {
        QCOMPARE(colorScale({}, rangeOver({0.1001, 0.1256}), false, true).low, 0.0);
        QCOMPARE(colorScale({}, rangeOver({1.0 / 12.0, 1.0 / 12.0}), false, true).low, 0.0);
        QVERIFY(!colorScale({}, rangeOver({0.1001, 0.1256}), false, true).startsAboveZero());
        ColorChoice fitted;
        fitted.locked = true;
        fitted.low = 0.1001;
        fitted.high = 0.1256;
        const ColorScale chosen = colorScale(fitted, rangeOver({0.1001, 0.1256}), false, true);
        QCOMPARE(chosen.low, 0.1001);
        QVERIFY(chosen.startsAboveZero());
        QVERIFY(!colorScale({}, rangeOver({-1.0, 4.0}), true).startsAboveZero());
        ColorChoice logarithm;
        logarithm.logarithmic = true;
        QVERIFY(!colorScale(logarithm, rangeOver({0.1, 1.0}), false).startsAboveZero());
    }

    /// A bar that does not start at 0 has a title that says so, and so needs more room.
    void aBarAboveZeroSaysSo() {
        const QFont font;
        const double line = QFontMetricsF(font).height();
        const auto dark_beside = [&](double low) {
            const ColorScale scale{&colormap({}), low, 0.9, false};
            const double width = colorBarWidth(scale, font, 300.0);
            QImage image(200, 300, QImage::Format_RGB32);
            image.fill(themeFor(false).card);
            QPainter painter(&image);
            paintColorBar(painter, QRectF(0, 0, width, 300), scale, font, themeFor(false));
            painter.end();
            int dark = 0;
            for (int y = 40; y < 260; ++y)
                for (int x = static_cast<int>(width - line) + 2; x < width; ++x)
                    dark += image.pixelColor(x, y) != themeFor(false).card;
            return dark;
        };
        const auto width_from = [&](double low) {
            return colorBarWidth(ColorScale{&colormap({}), low, 0.9, false}, font, 300.0);
        };
        QVERIFY(width_from(0.5) >= width_from(-0.5) + line - 10.0);
        QVERIFY(dark_beside(0.5) > 100);
    }

    void colorsRunFromLowToHigh() {
        const Theme look = themeFor(false);
        const auto painted = [&](double low, Qt::Orientation along) {
            QImage image(along == Qt::Horizontal ? QSize(100, 10) : QSize(10, 100), QImage::Format_RGB32);
            QPainter painter(&image);
            paintColors(painter, QRectF(image.rect()), ColorScale{&colormap({}), low, 1.0, false}, along, look);
            painter.end();
            return along == Qt::Horizontal ? image : image.transformed(QTransform().rotate(90));
        };
        const auto apart = [](QColor a, QColor b) {
            return qAbs(a.red() - b.red()) + qAbs(a.green() - b.green()) + qAbs(a.blue() - b.blue());
        };
        const auto& colors = colormap({}).colors;
        for (const auto along : {Qt::Horizontal, Qt::Vertical}) {
            const QImage whole = painted(0.0, along), broken = painted(0.5, along);
            QVERIFY(apart(whole.pixelColor(3, 5), QColor(colors[8])) < 20);
            QVERIFY(apart(whole.pixelColor(96, 5), QColor(colors[247])) < 20);
            QVERIFY(whole.copy(2, 0, 10, 10) != broken.copy(2, 0, 10, 10));
            QCOMPARE(whole.copy(20, 0, 80, 10), broken.copy(20, 0, 80, 10));
        }
    }

    void oneNumberOfDigitsInABar_data() {
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::newRow("weights") << 0.0 << 1.0;
        QTest::newRow("almost 1") << 0.0 << 0.99997;
        QTest::newRow("an end beside the ticks") << 0.0 << 0.853;
        QTest::newRow("signed") << -15.6 << 15.6;
        QTest::newRow("above 0") << 0.1001 << 0.1256;
    }
    void oneNumberOfDigitsInABar() {
        QFETCH(double, low);
        QFETCH(double, high);
        const ColorScale scale{&colormap({}), low, high, false};
        for (const double height : {60.0, 200.0, 400.0}) {
            const auto ticks = barTicks(scale, QFont(), height);
            QVERIFY(ticks.size() >= 2);
            for (const auto& tick : ticks) {
                QCOMPARE(tick.text.section('.', 1).size(), ticks.front().text.section('.', 1).size());
                const double shown = QString(tick.text).replace("−", "-").toDouble();
                QVERIFY(std::abs(shown - tick.value) <= 0.01 * (high - low));
            }
        }
    }

    void lockedScales() {
        ColorChoice choice;
        choice.locked = true;
        choice.low = 0.0;
        choice.high = 1.0;
        QCOMPARE(colorScale(choice, rangeOver({-5.0, 5.0}), false).low, 0.0);
        QCOMPARE(colorScale(choice, rangeOver({-5.0, 5.0}), false).high, 1.0);
        std::swap(choice.low, choice.high);
        QCOMPARE(colorScale(choice, {}, false).low, 0.0);
        choice.low = choice.high = 2.0;
        QCOMPARE(colorScale(choice, rangeOver({0.0, 3.0}), false).high, 3.0);
        choice.low = not_a_number;
        QCOMPARE(colorScale(choice, rangeOver({0.0, 3.0}), false).high, 3.0);
        choice = {QString(), true, true, 0.0, 1.0};
        const ColorScale scale = colorScale(choice, rangeOver({1e-3, 5.0}), false);
        QCOMPARE(scale.high, 1.0);
        QVERIFY(scale.low > 0.0 && scale.low < 1.0);
    }

    void ticksAreRound_data() {
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::addColumn<bool>("logarithmic");
        QTest::addColumn<QStringList>("texts");
        QTest::newRow("weights") << 0.0 << 1.0 << false << QStringList{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"};
        QTest::newRow("signed") << -15.6 << 15.6 << false << QStringList{"−10", "0", "10"};
        QTest::newRow("narrow") << 0.10 << 0.13 << false << QStringList{"0.10", "0.11", "0.12", "0.13"};
        QTest::newRow("large") << 0.0 << 2e7 << false << QStringList{"0", "5.0e6", "1.0e7", "1.5e7", "2.0e7"};
        QTest::newRow("decades") << 1e-4 << 1.0 << true << QStringList{"1e−4", "0.001", "0.01", "0.1", "1"};
        QTest::newRow("many decades") << 1e-8 << 1.0 << true << QStringList{"1e−8", "1e−6", "1e−4", "0.01", "1"};
        QTest::newRow("less") << 0.105 << 0.55 << true << QStringList{"0.2", "0.3", "0.4", "0.5"};
        QTest::newRow("one decade") << 0.1 << 1.0 << true << QStringList{"0.1", "0.2", "0.5", "1"};
    }
    void ticksAreRound() {
        QFETCH(double, low);
        QFETCH(double, high);
        QFETCH(bool, logarithmic);
        const ColorScale scale{&colormap({}), low, high, logarithmic};
        QStringList texts;
        double before = -infinity;
        for (const auto& tick : ticksOf(scale, 6)) {
            QVERIFY(tick.value > before);
            QVERIFY(tick.value >= low - 1e-9 * (high - low) && tick.value <= high + 1e-9 * (high - low));
            before = tick.value;
            texts << tick.text;
        }
        QTEST(texts, "texts");
    }
};

ATTNLAB_TEST(TestColormap)
#include "test_colormap.moc"
