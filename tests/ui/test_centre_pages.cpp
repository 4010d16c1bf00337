// Pages in the centre of the window: by mouse, by keys, while they become available and unavailable.
#include "tests/test_main.h"
#include "tests/ui/plain_page.h"
#include "ui/document/view_state.h"
#include "ui/pages/centre_pages.h"
#include "ui/widgets/controls.h"

#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>

using namespace attnlab::ui;

class TestCentrePages : public QObject {
    Q_OBJECT

    struct Shown {
        ViewState view;
        CentrePages pages{view};
        Page* matrix = new attnlab::test::PlainPage;
        Page* compare = new attnlab::test::PlainPage;
        Page* tiles = new attnlab::test::PlainPage;

        Shown() {
            pages.addPage("matrix", "Matrix", matrix);
            pages.addPage("compare", "Compare", compare);
            pages.addPage("tiles", "Tiles", tiles);
            pages.resize(600, 400);
            pages.show();
        }
    };

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    void showsOnePageAtATime() {
        Shown s;
        QCOMPARE(s.pages.current(), "matrix");
        QVERIFY(s.matrix->isVisible() && !s.compare->isVisible() && !s.tiles->isVisible());
        QSignalSpy changed(&s.pages, &CentrePages::currentChanged);
        QTest::mouseClick(s.pages.segments(), Qt::LeftButton, {}, s.pages.segments()->tabRect(1).center());
        QCOMPARE(s.view.page(), "compare");
        QVERIFY(!s.matrix->isVisible() && s.compare->isVisible());
        QCOMPARE(changed.size(), 1);
        s.view.setPage("tiles");
        QVERIFY(s.tiles->isVisible());
        QCOMPARE(s.pages.segments()->currentIndex(), 2);
    }

    void keysChangeThePage() {
        Shown s;
        s.pages.segments()->setFocus();
        QTest::keyClick(s.pages.segments(), Qt::Key_Right);
        QTest::keyClick(s.pages.segments(), Qt::Key_Right);
        QCOMPARE(s.view.page(), "tiles");
        QTest::keyClick(s.pages.segments(), Qt::Key_Left);
        QCOMPARE(s.pages.current(), "compare");
    }

    void aPageThatGoesIsFoundAgain() {
        Shown s;
        s.pages.setCurrent("tiles");
        s.pages.setAvailable("tiles", false);
        QCOMPARE(s.pages.current(), "matrix");
        QVERIFY(s.matrix->isVisible() && !s.tiles->isVisible());
        QCOMPARE(s.pages.availableIds(), QStringList({"matrix", "compare"}));
        QCOMPARE(s.pages.segments()->count(), 2);
        s.pages.setAvailable("tiles", true);
        QCOMPARE(s.pages.current(), "tiles");
    }

    void noSwitchWithoutAChoice() {
        Shown s;
        QVERIFY(s.pages.segments()->isVisible());
        s.pages.setAvailable("compare", false);
        s.pages.setAvailable("tiles", false);
        QVERIFY(!s.pages.segments()->isVisible());
        s.pages.setAvailable("compare", true);
        QVERIFY(s.pages.segments()->isVisible());
        QCOMPARE(s.pages.segments()->currentIndex(), 0);
    }

    void hiddenPagesTakeNoRoom() {
        Shown s;
        s.compare->setMinimumSize(2000, 2000);
        QVERIFY(s.pages.minimumSizeHint().height() < 500);
    }

    void isSavedWithTheView() {
        ViewState saved, opened;
        saved.setPage("compare");
        viewFromJson(viewToJson(saved), opened);
        QCOMPARE(opened.page(), "compare");
        viewFromJson("{}", opened);
        QCOMPARE(opened.page(), "matrix");
    }
};

ATTNLAB_TEST(TestCentrePages)
#include "test_centre_pages.moc"
