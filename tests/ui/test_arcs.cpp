// The look of arcs, and curves between two points.
#include "tests/test_main.h"
#include "ui/drawing/arcs.h"
#include "ui/widgets/theme.h"

#include <QtTest>

#include <cmath>

using namespace attnlab::ui;

class TestArcs : public QObject {
    Q_OBJECT

    /// How far a line on the card is from the colour of the clearest one.
    static double fromAccent(const QColor& color, const Theme& look) {
        const double alpha = color.alphaF();
        const auto distance = [alpha](int over, int below, int accent) {
            return std::abs(alpha * over + (1.0 - alpha) * below - accent);
        };
        return distance(color.red(), look.card.red(), look.accent.red()) +
               distance(color.green(), look.card.green(), look.accent.green()) +
               distance(color.blue(), look.card.blue(), look.accent.blue());
    }

private slots:
    void curvesLeaveAndReachInOneDirection() {
        const QPointF from(10, 20), to(110, 220);
        const auto across = curveBetween(from, to, Qt::Horizontal), down = curveBetween(from, to, Qt::Vertical);
        for (const auto& path : {across, down}) {
            QCOMPARE(path.pointAtPercent(0.0), from);
            QCOMPARE(path.pointAtPercent(1.0), to);
            QCOMPARE(path.pointAtPercent(0.5), (from + to) / 2.0);
        }
        QCOMPARE(across.angleAtPercent(0.0), 0.0);
        QCOMPARE(down.angleAtPercent(1.0), 270.0);
    }

    void largerSharesAreWiderAndClearer() {
        for (const auto choice : {ThemeChoice::Light, ThemeChoice::Dark})
            for (const bool crowded : {false, true}) {
                const Theme& look = themeOf(choice);
                const QPen small = arcPen(0.05, look, crowded), large = arcPen(0.9, look, crowded);
                QVERIFY(small.widthF() < large.widthF());
                QVERIFY(fromAccent(small.color(), look) > fromAccent(large.color(), look) + 5.0);
                QCOMPARE(arcPen(1.0, look, crowded).color().rgb(), look.accent.rgb());
                QCOMPARE(small.color().alphaF() < 1.0, crowded); // alone, arcs are opaque, which is faster
                QCOMPARE(large.style(), Qt::SolidLine);
            }
        QCOMPARE(arcWidth(0.0), 1.4);
        QCOMPARE(arcWidth(1.0), 8.0);
        QCOMPARE(arcWidth(5.0), 8.0);
    }

    void negativeSharesAreDashed() {
        const QPen pen = arcPen(-0.5, themeOf(ThemeChoice::Light));
        QCOMPARE(pen.style(), Qt::DashLine);
        QCOMPARE(pen.widthF(), arcWidth(0.5));
    }
};

ATTNLAB_TEST(TestArcs)
#include "test_arcs.moc"
