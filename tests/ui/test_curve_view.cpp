#include "tests/test_main.h"
#include "tests/ui/exhibit_traces.h"
#include "ui/document/background_files.h"
#include "ui/drawing/drawing_canvas.h"
#include "ui/drawing/figures/figure.h"
#include "ui/pages/exhibits/curve_view.h"

#include <QStandardPaths>
#include <QtTest>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

Curve errorCurve() {
    return {{"Error against features"},
            {"features"},
            {"error"},
            {{4, 0.5}, {16, 0.25}, {64, 0.125}},
            {16, 0.25},
            true,
            true};
}

struct Shown {
    explicit Shown(Curve curve) {
        view.resize(700, 460);
        view.show();
        view.setTrace(withExhibit(milkProblem(), std::move(curve)));
        QCoreApplication::processEvents();
    }
    void press(Qt::Key key) { QTest::keyClick(view.canvas(), key); }
    CurveView view;
};

} // namespace

class TestCurveView : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    void thePresentSettingIsSaid() {
        Shown shown(errorCurve());
        QCOMPARE(shown.view.title(), QString("Error against features"));
        QCOMPARE(shown.view.words(), QString("The ring marks the present setting: features 16 gives 0.250."));
    }

    /// A curve that is the mean of several draws does not pass through the one on show.
    void aRingBesideTheLineIsExplained() {
        auto curve = errorCurve();
        curve.y_title = {"error, mean of 8 draws"};
        curve.present = {16, 0.4};
        QCOMPARE(Shown(curve).view.words(),
                 QString("The ring marks the present setting: features 16 gives 0.400. It need not lie on the line, "
                         "which shows: error, mean of 8 draws."));
        curve.present = {32, 0.2}; // between two points of the line
        QVERIFY(!Shown(curve).view.words().contains("need not"));
    }

    void keysGoAlongTheCurve() {
        Shown shown(errorCurve());
        shown.press(Qt::Key_Right);
        QCOMPARE(shown.view.words(), QString("features: 4, error: 0.5"));
        shown.press(Qt::Key_Right);
        shown.press(Qt::Key_Right);
        shown.press(Qt::Key_Right);
        QCOMPARE(shown.view.words(), QString("features: 64, error: 0.125"));
        shown.press(Qt::Key_Home);
        shown.press(Qt::Key_Left);
        QCOMPARE(shown.view.drawing().marked, 0);
        shown.press(Qt::Key_Escape);
        QVERIFY(!shown.view.drawing().marked);
    }

    void aLogarithmSpacesPointsEvenly() {
        Shown shown(errorCurve());
        auto* canvas = shown.view.canvas();
        std::vector<int> changes; ///< where the nearest point becomes another
        std::optional<std::size_t> last;
        for (int x = 0; x < canvas->width(); ++x) {
            const auto point =
                shown.view.drawing().pointAt(QPointF(x, canvas->height() / 2.0), canvas->area(), canvas->font());
            if (point && last && *point != *last)
                changes.push_back(x);
            if (point)
                last = point;
        }
        QCOMPARE(changes.size(), std::size_t{2});
        // 4, 16 and 64 are evenly spaced: the borders are one spacing apart, which is most of half the plot.
        const int spacing = changes[1] - changes[0];
        QVERIFY(spacing > canvas->width() / 5);
        auto linear = errorCurve();
        linear.logarithmic_x = false;
        Shown other(linear);
        const auto& drawing = other.view.drawing();
        const auto middle =
            drawing.pointAt(QPointF(canvas->width() / 2.0, canvas->height() / 2.0), canvas->area(), canvas->font());
        QCOMPARE(middle, 1); // 32 is nearer to 16
    }

    void whatHasNoLogarithmIsLeftOut() {
        auto curve = errorCurve();
        curve.points.push_back({256, 0.0});
        curve.present = {256, 0.0};
        Shown shown(curve);
        QCOMPARE(shown.view.drawing().points.size(), std::size_t{3});
        QVERIFY(!shown.view.drawing().present);
        QCOMPARE(shown.view.words(), QString());
    }

    void onePointIsDrawnToo() {
        Shown shown({{"t"}, {"x"}, {"y"}, {{1, 0}}, {1, 0}, false, false});
        QVERIFY(shown.view.hasExhibit());
        QVERIFY(!shown.view.canvas()->grab().isNull());
    }

    void anotherThreadPaintsTheSame() {
        Shown shown(errorCurve());
        const Figure figure(shown.view.picture());
        QByteArray elsewhere;
        const auto paint = [&](const RunControl&) { elsewhere = svgData(figure, {}); };
        QVERIFY(writeInBackground(&shown.view, "Writing", paint).ok());
        QCOMPARE(elsewhere, svgData(figure, {}));
    }

    void otherTracesHaveNothingToShow() {
        Shown shown(errorCurve());
        shown.view.setTrace(computed(milkProblem()));
        QVERIFY(!shown.view.hasExhibit());
        QVERIFY(!shown.view.picture());
        shown.press(Qt::Key_Right);
        QVERIFY(!shown.view.grab().isNull());
    }
};

ATTNLAB_TEST(TestCurveView)
#include "test_curve_view.moc"
