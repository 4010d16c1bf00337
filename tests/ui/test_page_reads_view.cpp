#include "tests/test_main.h"
#include "tests/ui/exhibit_traces.h"
#include "ui/drawing/drawing_canvas.h"
#include "ui/pages/exhibits/page_reads_view.h"

#include <QStandardPaths>
#include <QtTest>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

struct Shown {
    explicit Shown(PageReads reads) : view(state) {
        view.resize(700, 460);
        view.show();
        view.setTrace(withExhibit(milkProblem(), reads));
        QCoreApplication::processEvents();
    }
    void press(Qt::Key key) { QTest::keyClick(view.canvas(), key); }
    ViewState state;
    PageReadsView view;
};

} // namespace

class TestPageReadsView : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    void neighboursEndAtTheEdges() {
        const PageReads reads{2, 1, 5, 4};
        QCOMPARE(pagesRead(reads, 0).count(), 2);
        QCOMPARE(pagesRead(reads, 2).first, 1);
        QCOMPARE(pagesRead(reads, 2).last, 3);
        QCOMPARE(pagesRead(reads, 4).count(), 1);
        // Queries beyond the last key page may read none.
        QVERIFY(pagesRead({2, 0, 5, 2}, 4).count() < 1);
    }

    void sumsAreSaidInWords() {
        Shown shown({2, 1, 5, 5});
        QVERIFY(shown.view.words().endsWith("here 2 to 3. It is not a distribution."));
        Shown alone({9, 0, 1, 1});
        QVERIFY(alone.view.words().endsWith("here 1."));
    }

    void keysMarkPages() {
        Shown shown({2, 1, 5, 5});
        shown.press(Qt::Key_Down);
        shown.press(Qt::Key_Down);
        QCOMPARE(shown.view.words(), QString("Queries “drank” to “the” (page 1) read the key pages 0 to 2, each with a "
                                             "softmax of its own: their weights sum to 3."));
        shown.press(Qt::Key_End);
        QVERIFY(shown.view.words().startsWith("Queries “sweet” to “sweet” (page 4) read the key pages 3 to 4"));
        shown.press(Qt::Key_Escape);
        QVERIFY(!shown.view.drawing().marked);
    }

    void theMouseMarksAPage() {
        Shown shown({3, 1, 3, 3});
        auto* canvas = shown.view.canvas();
        const auto page = [&](int y) {
            return shown.view.drawing().queryPageAt(QPointF(canvas->width() / 2.0, y), canvas->area(), canvas->font());
        };
        std::vector<std::int64_t> pages;
        for (int y = 0; y < canvas->height(); ++y)
            if (const auto found = page(y); found && (pages.empty() || pages.back() != *found))
                pages.push_back(*found);
        QCOMPARE(pages, (std::vector<std::int64_t>{0, 1, 2}));
    }

    void whatDoesNotFitIsNotShown() {
        Shown shown({2, 1, 9, 9});
        QVERIFY(!shown.view.hasExhibit());
        shown.view.setTrace(withExhibit(milkProblem(), PageReads{2, 1, 5, 5}));
        QVERIFY(shown.view.hasExhibit());
        QVERIFY(shown.view.picture() != nullptr);
        QCOMPARE(shown.view.title(), QString("Pages · head 0"));
        shown.state.setHead(ViewState::mean_of_heads);
        QCOMPARE(shown.view.title(), QString("Pages · mean of heads"));
        shown.view.setTrace(nullptr);
        QVERIFY(!shown.view.picture());
    }
};

ATTNLAB_TEST(TestPageReadsView)
#include "test_page_reads_view.moc"
