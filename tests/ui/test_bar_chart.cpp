#include "tests/test_main.h"
#include "ui/drawing/bars_drawing.h"
#include "ui/widgets/theme.h"

#include <QFontMetrics>
#include <QImage>
#include <QPainter>
#include <QSignalSpy>
#include <QtTest>

#include <cmath>
#include <limits>

using namespace attnlab::ui;

namespace {

const ColorScale unit{&colormap("viridis"), 0.0, 1.0, false};

std::vector<Bar> weights() {
    return {{"The", 0.1, false}, {"cat", 0.4, false}, {"because", 0.5, false}, {"sweet", 0.0, true}};
}

} // namespace

class TestBarChart : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        applyTheme(ThemeChoice::Light);
    }

    void lengthsAreProportional() {
        BarChart chart;
        chart.resize(280, 200);
        chart.setBars(weights(), unit);
        QVERIFY(std::abs(chart.barRect(1).width() / chart.barRect(0).width() - 4.0) < 1e-9);
        QVERIFY(std::abs(chart.barRect(2).width() / chart.barRect(0).width() - 5.0) < 1e-9);
        for (int i = 0; i < 4; ++i) {
            QCOMPARE(chart.barRect(i).left(), chart.barRect(0).left());
            QVERIFY(chart.barRect(i).right() <= 280);
        }
    }

    /// Numbers with more digits behind the point take room from the bars, so that all points are below each other.
    void pointsAreInOneLine() {
        BarsDrawing bars;
        bars.rows = {{.name = "a", .value = 0.5, .numbers = {"0.500"}},
                     {.name = "b", .value = 0.003, .numbers = {"0.0030"}}};
        const QRectF area(0, 0, 280, 60);
        const QFont font;
        const auto last_ink = [&](int row) {
            QImage image(280, 60, QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            bars.paint(painter, area, {theme(), font});
            painter.end();
            const int y = static_cast<int>((row + 0.5) * bars.rowHeight(font));
            int last = 0;
            for (int x = 0; x < image.width(); ++x)
                for (int line = y - 4; line <= y + 4; ++line)
                    if (qGray(image.pixel(x, line)) < 160)
                        last = x;
            return last;
        };
        QVERIFY(std::abs(last_ink(0) - last_ink(1)) <= 1);
        bars.aligns_points = true;
        const int digit = QFontMetrics(font).horizontalAdvance('0');
        QVERIFY2(std::abs(last_ink(1) - last_ink(0) - digit) <= 1, qPrintable(QString::number(last_ink(0))));
    }

    void barsKeepRoomForWhatTheyHad() {
        BarChart chart;
        chart.resize(280, 200);
        chart.setBars(weights(), unit);
        const double before = chart.barRect(2).width();
        chart.setReach(0.0, 1.0);
        chart.setBars(weights(), unit);
        QVERIFY(std::abs(chart.barRect(2).width() - before / 2.0) < 1e-9);
        chart.setReach(0.0, 0.0);
        chart.setBars(weights(), unit);
        QCOMPARE(chart.barRect(2).width(), before);
    }

    void barsHaveTheColorsOfTheScale() {
        BarChart chart;
        chart.resize(280, 200);
        chart.setBars(weights(), unit);
        const QImage image = chart.grab().toImage();
        QCOMPARE(image.pixel(chart.barRect(2).center().toPoint()), unit.color(0.5));
    }

    void blockedBarsAreStubs() {
        BarChart chart;
        chart.resize(280, 200);
        chart.setBars(weights(), unit);
        const QRectF stub = chart.barRect(3);
        QVERIFY(stub.width() > 20);
        const QImage image = chart.grab().toImage();
        bool hatched = false;
        for (int x = qRound(stub.left()); x < qRound(stub.right()); ++x)
            hatched = hatched || image.pixel(x, qRound(stub.top()) + 1) == theme().hatch_back.rgb();
        QVERIFY(hatched);
    }

    void barsAreSaidInWords() {
        BarChart chart;
        chart.setBars(weights(), unit);
        QCOMPARE(chart.textOfBars(), QString("The: 0.1\ncat: 0.4\nbecause: 0.5\nsweet: masked"));
    }

    void negativeBarsRunLeftOfZero() {
        BarChart chart;
        chart.resize(400, 100);
        chart.setBars({{"a", -1.0, false}, {"b", 3.0, false}}, unit);
        QVERIFY(std::abs(chart.barRect(0).right() - chart.barRect(1).left()) < 1e-9);
        QVERIFY(chart.barRect(0).left() < chart.barRect(1).left());
    }

    void numbersWithoutALength() {
        BarChart chart;
        chart.resize(300, 100);
        const double infinity = std::numeric_limits<double>::infinity();
        chart.setBars({{"a", infinity, false}, {"b", std::nan(""), false}, {"c", 1.0, false}}, unit);
        QVERIFY(chart.barRect(2).width() > 50);
        QVERIFY(chart.barRect(0).width() <= 1.0);
        QVERIFY(!chart.grab().isNull());
    }

    void theLargestAreShownInTheGivenOrder() {
        BarChart chart;
        chart.resize(280, 200);
        chart.setLimit(3);
        chart.setBars({{"a", 0.1, false}, {"b", 0.3, false}, {"c", 0.9, true}, {"d", 0.2, false}, {"e", 0.4, false}},
                      unit);
        QCOMPARE(chart.shownBars(), (std::vector<int>{1, 3, 4}));
        QVERIFY(chart.omissionText().contains("2"));
        QVERIFY(chart.barRect(0).isEmpty());
        chart.setLimit(5);
        QCOMPARE(chart.shownBars().size(), std::size_t{5});
        QVERIFY(chart.omissionText().isEmpty());
    }

    void theLargestComeFirst() {
        BarChart chart;
        chart.resize(280, 200);
        chart.setOrder(BarChart::Order::Largest);
        chart.setBars({{"a", 0.1, false},
                       {"b", 0.0, true},
                       {"c", -0.9, false},
                       {"d", std::nan(""), false},
                       {"e", 0.1, false},
                       {"f", 0.5, false}},
                      unit);
        QCOMPARE(chart.shownBars(), (std::vector<int>{2, 5, 0, 4, 3, 1}));
        QVERIFY(chart.barRect(5).top() < chart.barRect(0).top());
        chart.setOrder(BarChart::Order::Given);
        QCOMPARE(chart.shownBars(), (std::vector<int>{0, 1, 2, 3, 4, 5}));
    }

    /// 3 : 1 against the card, whatever the colour of the bar.
    void everyBarHasAClearOutline() {
        const auto luminance = [](const QColor& color) {
            const auto linear = [](double c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
            return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
        };
        for (const auto choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
            applyTheme(choice);
            for (const double value : {0.02, 0.5, 1.0}) {
                BarChart chart;
                chart.resize(280, 200);
                chart.setBars({{"a", value, false}, {"b", 1.0, false}}, unit);
                QPixmap picture(chart.size());
                picture.fill(theme().card);
                chart.render(&picture, {}, {}, QWidget::DrawChildren);
                const QRectF bar = chart.barRect(0);
                const QColor edge = picture.toImage().pixelColor(qRound(bar.center().x()), qRound(bar.top()));
                const double a = luminance(edge) + 0.05, b = luminance(theme().card) + 0.05;
                QVERIFY2(std::max(a, b) / std::min(a, b) >= 3.0, qPrintable(edge.name()));
            }
        }
        applyTheme(ThemeChoice::Light);
    }

    void keysChooseBars() {
        BarChart chart;
        chart.resize(280, 200);
        chart.setBars(weights(), unit, 1);
        QSignalSpy clicked(&chart, &BarChart::barClicked);
        QTest::keyClick(&chart, Qt::Key_Return);
        QCOMPARE(clicked.count(), 0);
        QTest::keyClick(&chart, Qt::Key_Down);
        QTest::keyClick(&chart, Qt::Key_Down);
        QTest::keyClick(&chart, Qt::Key_Return);
        QCOMPARE(clicked.count(), 1);
        QCOMPARE(clicked.last().at(0).toInt(), 2);
        QCOMPARE(chart.accessibleDescription(), QStringLiteral("because: 0.5"));
    }

    void heightFollowsTheBars() {
        BarChart chart;
        chart.setBars(weights(), unit);
        const int four = chart.sizeHint().height();
        chart.setBars({{"a", 1.0, false}}, unit);
        const int one = chart.sizeHint().height();
        chart.setBars({}, unit);
        const int none = chart.sizeHint().height(); // the room for the frame of the focus
        QCOMPARE((one - none) * 4, four - none);
        QVERIFY(none < one / 2);
        QVERIFY(!chart.sizeHint().isNull());
    }

    void theMouseFindsBars() {
        BarChart chart;
        chart.resize(280, chart.sizeHint().height() + 120);
        chart.setBars(weights(), unit);
        chart.show();
        QSignalSpy hovered(&chart, &BarChart::barHovered);
        QSignalSpy clicked(&chart, &BarChart::barClicked);
        const QPoint position(200, qRound(chart.barRect(2).center().y()));
        QMouseEvent move(QEvent::MouseMove, position, chart.mapToGlobal(position), Qt::NoButton, {}, {});
        QCoreApplication::sendEvent(&chart, &move);
        QCOMPARE(hovered.count(), 1);
        QCOMPARE(hovered.last().at(0).toInt(), 2);
        QTest::mouseClick(&chart, Qt::LeftButton, {}, chart.barRect(1).center().toPoint());
        QCOMPARE(clicked.count(), 1);
        QCOMPARE(clicked.last().at(0).toInt(), 1);
        QTest::mouseClick(&chart, Qt::LeftButton, {}, QPoint(10, chart.height() - 2));
        QCOMPARE(clicked.count(), 1);
    }

    void longLabelsLeaveRoomForBars() {
        BarChart chart;
        chart.resize(280, 60);
        chart.setBars({{QString(200, 'w'), 0.5, false}, {"b", 0.25, false}}, unit);
        QVERIFY(chart.barRect(0).width() > 60);
        QVERIFY(chart.barRect(0).right() < 280);
    }
};

ATTNLAB_TEST(TestBarChart)
#include "test_bar_chart.moc"
