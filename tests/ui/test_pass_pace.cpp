// How long all heads of a model take, from passes that were timed.
#include "tests/test_main.h"
#include "ui/model/pass_pace.h"

#include <QtTest>

#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

using namespace attnlab::ui;

namespace {

constexpr std::int64_t layers = 32, heads = 32;

std::map<std::int64_t, std::int64_t> allHeads() {
    std::map<std::int64_t, std::int64_t> passes;
    for (std::int64_t blocks = 1; blocks <= layers; ++blocks)
        passes[blocks] = heads;
    return passes;
}

double secondsOf(std::int64_t blocks) { return 0.002 + 0.001 * static_cast<double>(blocks); }

double secondsOfAll() {
    double seconds = 0.0;
    for (std::int64_t blocks = 1; blocks <= layers; ++blocks)
        seconds += static_cast<double>(heads) * secondsOf(blocks);
    return seconds;
}

} // namespace

class TestPassPace : public QObject {
    Q_OBJECT

private slots:
    void twoLengthsTellTheRest() {
        PassPace pace;
        pace.setLeft(allHeads());
        QCOMPARE(pace.secondsLeft(), 0.0);
        pace.measured(secondsOf(1), 1);
        QCOMPARE(pace.secondsLeft(), 0.0); // the others may take any time
        pace.measured(5.0 * secondsOf(9), 9);
        pace.measured(secondsOf(9), 9); // the fastest counts
        QVERIFY(std::abs(pace.passSeconds(layers) - secondsOf(layers)) < 1e-9);
        QVERIFY(std::abs(pace.secondsLeft() - secondsOfAll()) < 1e-6);
    }

    void isCorrectedAsHeadsAreDone_data() {
        QTest::addColumn<double>("slower"); ///< than what was measured first
        QTest::newRow("as expected") << 1.0;
        QTest::newRow("the machine is busy") << 3.0;
        QTest::newRow("it was busy before") << 0.25;
    }
    void isCorrectedAsHeadsAreDone() {
        QFETCH(double, slower);
        PassPace pace;
        pace.setLeft(allHeads());
        pace.measured(secondsOf(1), 1);
        pace.measured(secondsOf(9), 9);
        double left = slower * secondsOfAll();
        for (std::int64_t blocks = 1; blocks <= layers; ++blocks)
            for (std::int64_t head = 0; head < heads; ++head) {
                pace.took(slower * secondsOf(blocks), blocks);
                left -= slower * secondsOf(blocks);
                if (blocks >= layers / 2)
                    QVERIFY(std::abs(pace.secondsLeft() - left) <= 0.1 * left + 1e-6);
            }
        QVERIFY(!pace.hasLeft());
    }

    void onePassIsAtLeastAsLongAsTheSlowestKind() {
        PassPace pace;
        pace.setLeft({{1, 2}});
        pace.took(2.5, 1);
        QCOMPARE(pace.passSeconds(layers), 2.5);
        QCOMPARE(pace.secondsLeft(), 2.5); // all that are left have this length
        QVERIFY(pace.hasLeft());
    }

    void timesNeverFallWithTheNumberOfBlocks() {
        PassPace pace;
        pace.measured(0.03, 1);
        pace.measured(0.01, 9);
        QCOMPARE(pace.passSeconds(layers), 0.02);
    }
};

ATTNLAB_TEST(TestPassPace)
#include "test_pass_pace.moc"
