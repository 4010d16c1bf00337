#include "core/random.h"
#include "tests/tensor_numbers.h"
#include "tests/test_main.h"
#include "ui/drawing/color_bar.h"
#include "ui/drawing/colormap.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <QBuffer>
#include <QFont>
#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QSvgGenerator>
#include <QTransform>
#include <QtTest>
#include <QXmlStreamReader>

#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <vector>

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

/// OKLab of a linear colour.
std::array<double, 3> okLab(const std::array<double, 3>& rgb) {
    const auto [r, g, b] = rgb;
    const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
            1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
            0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

/// How an eye sees linear colours: Machado, Oliveira and Fernandes 2009, severity 1.
struct Eye {
    const char* name;
    double linear[3][3];
};
const std::array eyes{
    Eye{"normal", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    Eye{"protan", {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
    Eye{"deutan", {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
    Eye{"tritan", {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}},
};

/// OKLab of what the eye sees.
std::array<double, 3> seen(const Eye& eye, QRgb color) {
    const auto linear = [](int part) {
        const double value = part / 255.0;
        return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    const std::array from{linear(qRed(color)), linear(qGreen(color)), linear(qBlue(color))};
    std::array<double, 3> to{};
    for (std::size_t i = 0; i < 3; ++i)
        to[i] =
            std::clamp(eye.linear[i][0] * from[0] + eye.linear[i][1] * from[1] + eye.linear[i][2] * from[2], 0.0, 1.0);
    return okLab(to);
}

double distanceOf(const std::array<double, 3>& a, const std::array<double, 3>& b) {
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
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
        QTest::newRow("inferno") << "inferno" << QColor("#000004") << QColor("#fcffa4");
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

    void theColourBlindReadThem_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<int>("eye");
        for (const auto& map : colormaps())
            for (int eye = 0; eye < static_cast<int>(eyes.size()); ++eye)
                QTest::addRow("%s, %s", qPrintable(map.id), eyes[static_cast<std::size_t>(eye)].name) << map.id << eye;
    }
    /// Lightness orders the numbers for every eye, neighbours differ, and the signs of a diverging map are apart. About
    /// 0.02 is just noticeable.
    void theColourBlindReadThem() {
        QFETCH(QString, id);
        QFETCH(int, eye);
        const Colormap& map = colormap(id);
        QCOMPARE(map.id, id);
        std::vector<std::array<double, 3>> colors;
        for (const QRgb color : map.colors)
            colors.push_back(seen(eyes[static_cast<std::size_t>(eye)], color));
        const auto lightness = [&](int index) { return colors[static_cast<std::size_t>(index)][0]; };
        /// The largest step of lightness against the way from one colour to another.
        const auto backwards = [&](int from, int to) {
            const double along = lightness(to) > lightness(from) ? 1.0 : -1.0;
            const int step = from < to ? 1 : -1;
            double largest = 0.0;
            for (int i = from; i != to; i += step)
                largest = std::max(largest, along * (lightness(i) - lightness(i + step)));
            return largest;
        };
        if (!map.diverging) {
            QVERIFY2(backwards(0, 255) < 0.002, qPrintable(QString::number(backwards(0, 255))));
            QVERIFY(std::abs(colors[255][0] - colors[0][0]) > 0.6);
            for (std::size_t i = 0; i < 240; i += 16)
                QVERIFY2(distanceOf(colors[i], colors[i + 16]) > 0.025, qPrintable(QString::number(i)));
            return;
        }
        QVERIFY(backwards(127, 0) < 0.002 && backwards(128, 255) < 0.002);
        QVERIFY(std::abs(colors[0][0] - colors[127][0]) > 0.4 && std::abs(colors[255][0] - colors[128][0]) > 0.4);
        for (std::size_t i = 0; i < 96; ++i) // beyond a quarter of the way from the middle
            QVERIFY2(distanceOf(colors[i], colors[255 - i]) > 0.05, qPrintable(QString::number(i)));
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
                for (const char* id : {"", "viridis", "greys", "blue_red", "blue_red_dark"}) {
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

    /// Those of a figure's bar below the cells, whatever its ends, its width and the font.
    void numbersBelowABarStandApart() {
        for (const double points : {6.0, 10.0})
            for (const double width : {60.0, 90.0, 140.0, 200.0, 280.0})
                for (double high = 0.0711; high < 12.0; high *= 1.0537) {
                    QFont font;
                    font.setPointSizeF(points);
                    QBuffer file;
                    QSvgGenerator generator;
                    generator.setOutputDevice(&file);
                    QPainter painter(&generator);
                    const QFontMetricsF metrics(font, &generator);
                    paintFigureBar(painter, QRectF(0, 0, width, 60), {&colormap({}), 0.0, high, false}, font,
                                   themeFor(false), Qt::Horizontal);
                    painter.end();
                    std::map<double, double> ends;
                    QXmlStreamReader xml(file.data());
                    while (!xml.atEnd())
                        if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QLatin1String("text")) {
                            const double left = xml.attributes().value("x").toDouble();
                            ends[left] = left + metrics.horizontalAdvance(xml.readElementText().trimmed());
                        }
                    QVERIFY(ends.size() >= 2);
                    for (auto one = ends.begin(); std::next(one) != ends.end(); ++one)
                        QVERIFY2(one->second + 2.0 < std::next(one)->first,
                                 qPrintable(QString("%1 points, 0 to %2, %3 wide").arg(points).arg(high).arg(width)));
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

    void linearColorsHideWeights_data() {
        QTest::addColumn<int>("side");
        QTest::addColumn<bool>("causal");
        QTest::addColumn<double>("spread"); // of the scores
        QTest::addColumn<double>("sink");   // added to those of key 0
        QTest::addColumn<bool>("hides");
        QTest::newRow("32, even") << 32 << false << 0.1 << 0.0 << false;
        QTest::newRow("32, causal") << 32 << true << 1.0 << 0.0 << false;
        QTest::newRow("64, flat") << 64 << false << 1.0 << 0.0 << false;
        QTest::newRow("64, sharp") << 64 << false << 4.0 << 0.0 << false; // where it reads is seen
        QTest::newRow("64, sharp and causal") << 64 << true << 4.0 << 0.0 << false;
        QTest::newRow("64, flat and causal") << 64 << true << 0.5 << 0.0 << true;
        QTest::newRow("64, a sink") << 64 << false << 1.0 << 6.0 << true;
        QTest::newRow("64, a causal sink") << 64 << true << 1.0 << 6.0 << true;
        QTest::newRow("300, even") << 300 << false << 0.1 << 0.0 << false; // from 0 to the largest
        QTest::newRow("300, sharp") << 300 << false << 4.0 << 0.0 << false;
        QTest::newRow("300, even and causal") << 300 << true << 0.1 << 0.0 << true; // 1/300 beside 1
        QTest::newRow("300, flat and causal") << 300 << true << 1.0 << 0.0 << true;
        QTest::newRow("300, a sink") << 300 << false << 1.0 << 6.0 << true;
        QTest::newRow("300, a causal sink") << 300 << true << 1.0 << 6.0 << true;
    }
    /// Of single weights: softmax of normal scores.
    void linearColorsHideWeights() {
        QFETCH(int, side);
        QFETCH(bool, causal);
        QFETCH(double, spread);
        QFETCH(double, sink);
        Random random(5);
        std::vector<double> weights;
        for (int row = 0; row < side; ++row) {
            const auto first = weights.size();
            double sum = 0.0;
            for (int key = 0; key < (causal ? row + 1 : side); ++key) {
                weights.push_back(std::exp(spread * random.normal() + (key == 0 ? sink : 0.0)));
                sum += weights.back();
            }
            for (auto i = first; i < weights.size(); ++i)
                weights[i] /= sum;
        }
        const double kept = std::sqrt(static_cast<double>(weights.size()));
        const double largest = std::ranges::max(weights);
        const bool hides = linearHidesWeights(weights, kept, largest);
        QTEST(hides, "hides");
    }

    void samplesHaveEveryColumn() {
        for (const std::size_t cells : {std::size_t{1000}, std::size_t{90'000}, std::size_t{12 * 90'000}})
            for (const std::int64_t columns : {32, 300, 330}) {
                const auto step = sampleStep(cells, columns);
                QCOMPARE(std::gcd(static_cast<std::int64_t>(step), columns), std::int64_t{1});
                QVERIFY(cells / step >= std::min(cells, std::size_t{20'000}));
            }
    }

    void choicesOfTheUserGoFirst() {
        QVERIFY(choiceFor(true, {}).logarithmic && !choiceFor(false, {}).logarithmic);
        QVERIFY(!choiceFor(true, {.colormap = {}, .linear = true}).logarithmic);
        QVERIFY(choiceFor(false, {.colormap = {}, .logarithmic = true}).logarithmic);
    }
};

ATTNLAB_TEST(TestColormap)
#include "test_colormap.moc"
