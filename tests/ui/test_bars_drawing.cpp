// Bars with names and numbers: lengths, columns, and what is painted.
#include "tests/test_main.h"
#include "ui/drawing/bars_drawing.h"
#include "ui/widgets/theme.h"

#include <QPainter>
#include <QtTest>

#include <limits>

using namespace attnlab::ui;

namespace {

const QRectF area(10, 20, 300, 200);

BarsDrawing threeBars() {
    BarsDrawing bars;
    bars.rows = {{.name = "a", .value = 0.25, .numbers = {"0.25"}, .help = "first"},
                 {.name = "a long name", .value = 0.5, .numbers = {"0.5"}, .help = "second"},
                 {.name = "c", .value = 1.0, .numbers = {"1"}, .help = "third"}};
    return bars;
}

QImage painted(const BarsDrawing& bars) {
    QImage image(330, 240, QImage::Format_ARGB32);
    image.fill(theme().card);
    QPainter painter(&image);
    bars.paint(painter, area, {theme(), QFont()});
    return image;
}

} // namespace

class TestBarsDrawing : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { applyTheme(ThemeChoice::Light); }

    void lengthsAreProportionalFromOneZero() {
        for (const auto names :
             {BarsDrawing::Names::BeforeBars, BarsDrawing::Names::AtLeftEdge, BarsDrawing::Names::AboveBars}) {
            auto bars = threeBars();
            bars.names = names;
            const QRectF first = bars.barRect(0, area, QFont()), last = bars.barRect(2, area, QFont());
            QCOMPARE(first.left(), last.left());
            QVERIFY(std::abs(last.width() / first.width() - 4.0) < 1e-9);
            QVERIFY(area.contains(last) && first.bottom() < bars.barRect(1, area, QFont()).top());
        }
    }

    void aTinyValueIsVisibleAndNoneIsNot() {
        auto bars = threeBars();
        bars.rows[0].value = 1e-9;
        bars.rows[1].value = 0.0;
        bars.rows[2].value = std::numeric_limits<double>::infinity();
        QCOMPARE(bars.barRect(0, area, QFont()).width(), 1.0);
        QCOMPARE(bars.barRect(1, area, QFont()).width(), 0.0);
        QCOMPARE(bars.barRect(2, area, QFont()).width(), 0.0);
        QVERIFY(bars.barRect(3, area, QFont()).isNull());
    }

    void valuesBeyondTheRangeEndAtIt() {
        auto bars = threeBars();
        const double whole = bars.barRect(2, area, QFont()).width();
        bars.rows[2].value = 7.0;
        QCOMPARE(bars.barRect(2, area, QFont()).width(), whole);
        bars.rows[0].value = -3.0;
        bars.fitRange();
        QCOMPARE(bars.low, -3.0);
        QCOMPARE(bars.high, 7.0);
        QVERIFY(std::abs(bars.barRect(0, area, QFont()).right() - bars.barRect(2, area, QFont()).left()) < 1e-9);
    }

    void chartsBelowEachOtherAreAligned() {
        auto first = threeBars(), second = threeBars();
        second.rows[1].name = "a much longer name";
        second.rows[1].numbers = {"0.512"};
        for (auto* bars : {&first, &second}) {
            bars->other_names = {"first", "a much longer name"};
            bars->widest_number = "0.5123";
        }
        QCOMPARE(first.barRect(2, area, QFont()), second.barRect(2, area, QFont()));
    }

    void rowsAreFoundBelowTheHeading() {
        auto bars = threeBars();
        bars.heading = "weight";
        for (int row = 0; row < 3; ++row)
            QCOMPARE(bars.rowAt(bars.barRect(row, area, QFont()).center(), area, QFont()), row);
        QCOMPARE(bars.rowAt(area.topLeft() + QPointF(5, 2), area, QFont()), -1);
        QCOMPARE(bars.textAt(bars.barRect(1, area, QFont()).center(), area, QFont()), QString("second"));
        QCOMPARE(bars.textAt(QPointF(0, 0), area, QFont()), QString());
    }

    void itsSmallestSizeHasRoomForEverything() {
        auto bars = threeBars();
        const double three = bars.smallest(QFont(), 300).height();
        bars.heading = "weight";
        bars.rest = "2 more rows";
        QCOMPARE(bars.smallest(QFont(), 300).height() * 3.0, three * 5.0);
    }

    void colorsAreThoseOfTheRows() {
        for (const auto choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
            applyTheme(choice);
            auto bars = threeBars();
            bars.rows[2].wrong = true;
            bars.rows[0].reference = 1.0;
            const QImage image = painted(bars);
            const auto at = [&](int row) { return bars.barRect(row, area, QFont()).center().toPoint(); };
            QCOMPARE(image.pixelColor(at(1)), theme().accent);
            QCOMPARE(image.pixelColor(at(2)), theme().error_text);
            QCOMPARE(image.pixelColor(QPoint(at(2).x(), at(0).y())), theme().card); // inside the frame
            bars.whole_length = true;
            QCOMPARE(painted(bars).pixelColor(QPoint(at(2).x(), at(1).y())), theme().border);
        }
        applyTheme(ThemeChoice::Light);
    }

    void framesAreSeen_data() {
        QTest::addColumn<ThemeChoice>("choice");
        QTest::addColumn<double>("value");
        QTest::addColumn<double>("before");
        QTest::addColumn<bool>("blocked");
        for (const auto& [name, choice] : {std::pair("light", ThemeChoice::Light),
                                           {"dark", ThemeChoice::Dark},
                                           {"black on white", ThemeChoice::ContrastLight},
                                           {"white on black", ThemeChoice::ContrastDark}}) {
            for (const double value : {0.1, 0.3, 0.5, 0.7, 0.9}) {
                QTest::addRow("%s: grown to %g", name, value) << choice << value << value / 2.0 << false;
                QTest::addRow("%s: shrunk to %g", name, value) << choice << value << value + 0.1 << false;
            }
            QTest::addRow("%s: masked, long", name) << choice << 0.0 << 0.8 << true;
            QTest::addRow("%s: masked, at the word", name) << choice << 0.0 << 0.2 << true;
            QTest::addRow("%s: masked, short", name) << choice << 0.0 << 0.02 << true;
        }
    }
    /// The end of the frame differs from what is on either side of it, however its bar is filled.
    void framesAreSeen() {
        constexpr double least = 3.0;
        QFETCH(ThemeChoice, choice);
        QFETCH(double, value);
        QFETCH(double, before);
        QFETCH(bool, blocked);
        applyTheme(choice);
        BarsDrawing bars;
        bars.scale = ColorScale{&colormap({})};
        bars.rows = {{.name = "a", .value = value, .reference = before, .blocked = blocked},
                     {.name = "b", .value = 1.0, .numbers = {"1"}}};
        if (blocked)
            bars.rows[0].numbers = {"masked"};
        const QImage image = painted(bars);
        const QRectF frame = bars.frameRect(0, area, QFont());
        QVERIFY(frame.width() >= 1.0);
        const int x = static_cast<int>(frame.right());
        for (const int y : {static_cast<int>(frame.center().y()), static_cast<int>(frame.top()) + 3})
            for (const int beside : {x - 1, x + 1}) {
                const double contrast = contrastOf(image.pixelColor(x, y), image.pixelColor(beside, y));
                const bool ends_there = qAbs(beside - bars.barRect(0, area, QFont()).right()) < 2.0; // its outline
                QVERIFY2(contrast >= least || ends_there || frame.width() < 3.0, qPrintable(QString::number(contrast)));
            }
        applyTheme(ThemeChoice::Light);
    }

    /// The bar of a wide matrix must not be wider than its column.
    void longNumbersLeaveRoomForBars() {
        auto bars = threeBars();
        bars.rows[0].numbers = {QString(80, '8')};
        bars.rows[0].name = QString(80, 'w');
        QVERIFY(bars.barRect(2, area, QFont()).width() > 30.0);
    }
};

ATTNLAB_TEST(TestBarsDrawing)
#include "test_bars_drawing.moc"
