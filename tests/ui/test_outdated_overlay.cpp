// When a picture of an earlier result is dimmed.
#include "tests/test_main.h"
#include "ui/widgets/outdated_overlay.h"

#include <QSignalSpy>
#include <QTest>
#include <QWidget>

using namespace attnlab::ui;

class TestOutdatedOverlay : public QObject {
    Q_OBJECT

    QWidget picture_;
    OutdatedOverlay overlay_;

    bool isVeiled() const {
        const auto* veil = picture_.findChild<QWidget*>(QStringLiteral("staleVeil"), Qt::FindDirectChildrenOnly);
        return veil && veil->isVisible();
    }

private slots:
    void initTestCase() {
        overlay_.cover(&picture_, OutdatedOverlay::Words::Shown);
        picture_.resize(300, 200);
        picture_.show();
    }
    void cleanup() { overlay_.clear(); }

    /// However long: each result that is shown begins the wait anew.
    void neverWhileItFollows() {
        constexpr int steps = 12, milliseconds = 120;
        for (int i = 0; i < steps; ++i) {
            overlay_.wait();
            QTest::qWait(milliseconds);
            overlay_.followed();
            QVERIFY(!overlay_.isCurrent() && !overlay_.isDimmed() && !isVeiled());
        }
        QTRY_VERIFY(isVeiled()); // nothing follows any more
        QVERIFY(overlay_.isDimmed() && !overlay_.isAbandoned());
        overlay_.followed();
        QVERIFY(!isVeiled());
    }

    void notForAShortComputation() {
        overlay_.wait();
        QTest::qWait(600);
        QVERIFY(!isVeiled());
        overlay_.clear();
        QTest::qWait(600);
        QVERIFY(!isVeiled() && overlay_.isCurrent());
    }

    void atOnceWithoutAResult() {
        QSignalSpy abandoned(&overlay_, &OutdatedOverlay::abandonedChanged);
        overlay_.abandon();
        QVERIFY(isVeiled() && overlay_.isAbandoned());
        QCOMPARE(abandoned.size(), 1);
        overlay_.followed(); // of a request before
        QVERIFY(isVeiled());
        overlay_.wait();
        QVERIFY(isVeiled() && !overlay_.isAbandoned());
        overlay_.clear();
        QVERIFY(!isVeiled());
        QCOMPARE(abandoned.size(), 2);
    }
};

ATTNLAB_TEST(TestOutdatedOverlay)
#include "test_outdated_overlay.moc"
