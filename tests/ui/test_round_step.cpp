// Steps of tick labels.
#include "tests/test_main.h"
#include "ui/drawing/color_bar.h"

#include <QTest>

#include <limits>

using namespace attnlab::ui;

class TestRoundStep : public QObject {
    Q_OBJECT
private slots:
    void steps_data() {
        QTest::addColumn<double>("least");
        QTest::addColumn<double>("step");
        QTest::newRow("one") << 1.0 << 1.0;
        QTest::newRow("just above") << 1.01 << 2.0;
        QTest::newRow("five") << 2.5 << 5.0;
        QTest::newRow("the next power") << 5.1 << 10.0;
        QTest::newRow("small") << 0.03 << 0.05;
        QTest::newRow("what rounding made of 0.2") << 0.2 * (1.0 + 1e-12) << 0.2;
    }
    void steps() {
        QFETCH(double, least);
        QFETCH(double, step);
        QVERIFY(qAbs(roundStep(least) - step) < 1e-9);
    }

    void wholeSteps() {
        QCOMPARE(integerRoundStep(0.01), 1);
        QCOMPARE(integerRoundStep(3.0), 5);
        QCOMPARE(integerRoundStep(12345.0), 20000);
        QCOMPARE(integerRoundStep(std::numeric_limits<double>::infinity()), 1000000000);
    }
};

ATTNLAB_TEST(TestRoundStep)
#include "test_round_step.moc"
