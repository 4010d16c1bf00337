#include "tests/test_main.h"
#include "tests/ui/exhibit_traces.h"
#include "ui/drawing/drawing_canvas.h"
#include "ui/pages/exhibits/page_table_view.h"
#include "ui/widgets/theme.h"

#include <QBuffer>
#include <QPainter>
#include <QStandardPaths>
#include <QSvgGenerator>
#include <QtTest>

#include <map>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

struct Shown {
    explicit Shown(PageTable table, const AttentionProblem& problem = milkProblem()) {
        view.resize(760, 480);
        view.show();
        view.setTrace(withExhibit(problem, std::move(table)));
        QCoreApplication::processEvents();
    }
    void press(Qt::Key key) { QTest::keyClick(view.canvas(), key); }
    /// The first and last position of each token on the canvas, from the top: in the sequence and in the pool.
    std::map<std::int64_t, std::pair<QPoint, QPoint>> positions() const {
        const auto* canvas = view.canvas();
        std::map<std::int64_t, std::pair<QPoint, QPoint>> found;
        for (int y = 0; y < canvas->height(); y += 8)
            for (int x = 0; x < canvas->width(); x += 10)
                if (const auto token = view.drawing().tokenAt(QPoint(x, y), canvas->area(), canvas->font()))
                    found.try_emplace(*token, QPoint(x, y), QPoint()).first->second.second = QPoint(x, y);
        return found;
    }
    void moveTo(const QPoint& position) {
        QMouseEvent move(QEvent::MouseMove, position, view.canvas()->mapToGlobal(position), Qt::NoButton, {}, {});
        QCoreApplication::sendEvent(view.canvas(), &move);
    }
    PageTableView view;
};

/// Nine tokens in three pages of four slots, pages 5, 2 and 7 of a pool of eight.
PageTable milkPages() { return {4, 8, 9, {5, 2, 7}}; }

} // namespace

class TestPageTableView : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    void tokensHavePagesAndSlots() {
        QCOMPARE(slotOf(milkPages(), 0), (PageSlot{0, 0, 5}));
        QCOMPARE(slotOf(milkPages(), 6), (PageSlot{1, 2, 2}));
        QCOMPARE(slotOf(milkPages(), 8), (PageSlot{2, 0, 7}));
    }

    void useIsCounted_data() {
        QTest::addColumn<int>("length");
        QTest::addColumn<int>("held");
        QTest::addColumn<int>("wasted");
        QTest::newRow("full") << 12 << 12 << 0;
        QTest::newRow("one more page for one token") << 9 << 9 << 3;
        QTest::newRow("nothing") << 0 << 0 << 12;
    }
    void useIsCounted() {
        QFETCH(int, length);
        auto table = milkPages();
        table.length = length;
        const PageUse use = useOf(table);
        QTEST(static_cast<int>(use.held), "held");
        QTEST(static_cast<int>(use.wasted), "wasted");
        QCOMPARE(use.pages, 3);
        QCOMPARE(use.pool_free, 5);
    }

    void fragmentationIsSaidInWords() {
        Shown shown(milkPages());
        QCOMPARE(shown.view.words(),
                 QString("9 tokens take 3 pages of 4 slots; of these slots 3 are empty, which is 25.0% "
                         "lost to fragmentation. Of the 8 pages of the pool 5 are free."));
    }

    void keysMarkTokens() {
        Shown shown(milkPages());
        shown.press(Qt::Key_Right);
        QCOMPARE(shown.view.words(), QString("Token 0, “The”: slot 0 of page 0, which lies in page 5 of the pool."));
        shown.press(Qt::Key_End);
        QCOMPARE(shown.view.words(), QString("Token 8, “sweet”: slot 0 of page 2, which lies in page 7 of the pool."));
        shown.press(Qt::Key_Right);
        QCOMPARE(shown.view.drawing().marked, 8);
        shown.press(Qt::Key_Left);
        QCOMPARE(shown.view.drawing().marked, 7);
        shown.press(Qt::Key_Escape);
        QVERIFY(!shown.view.drawing().marked);
        QVERIFY(shown.view.words().startsWith("9 tokens"));
    }

    void theMouseFindsATokenInTheSequenceAndInThePool() {
        Shown shown(milkPages());
        const auto [above, below] = shown.positions()[4];
        QVERIFY(below.y() > above.y() + 40);
        shown.moveTo(above);
        QCOMPARE(shown.view.drawing().marked, 4);
        shown.moveTo(QPoint(0, 0));
        QVERIFY(!shown.view.drawing().marked);
        shown.moveTo(below);
        QCOMPARE(shown.view.drawing().marked, 4);
        QVERIFY(shown.view.canvas()->textAt(below).contains("“milk”"));
    }

    void everyTokenIsOnShowTwice() {
        Shown shown(milkPages());
        const auto positions = shown.positions();
        QCOMPARE(positions.size(), std::size_t{9});
        for (const auto& [token, place] : positions)
            QVERIFY2(place.second.y() > place.first.y() + 40, qPrintable(QString::number(token)));
    }

    /// A line behind a box reads as if it ended there.
    void linksCrossNoPage_data() {
        QTest::addColumn<QSize>("size");
        QTest::newRow("narrow") << QSize(420, 560);
        QTest::newRow("usual") << QSize(760, 480);
        QTest::newRow("wide") << QSize(1240, 860);
    }
    void linksCrossNoPage() {
        QFETCH(QSize, size);
        Shown shown({4, 6, 10, {4, 1, 3}});
        shown.view.resize(size);
        QCoreApplication::processEvents();
        const auto* canvas = shown.view.canvas();
        const auto places = shown.view.drawing().poolPlaces(canvas->area(), canvas->font());
        for (const auto& link : shown.view.drawing().links(canvas->area(), canvas->font()))
            for (int percent = 0; percent <= 100; ++percent)
                for (const QRectF& place : places)
                    QVERIFY(!place.contains(link.pointAtPercent(percent / 100.0)));
    }

    void aPoolOfFewPagesIsOneLineAndFillsAWidePage() {
        Shown shown({4, 6, 10, {4, 1, 3}});
        for (const QSize size : {QSize(860, 470), QSize(1240, 860)}) {
            shown.view.resize(size);
            QCoreApplication::processEvents();
            const auto* canvas = shown.view.canvas();
            const auto places = shown.view.drawing().poolPlaces(canvas->area(), canvas->font());
            QCOMPARE(places.front().top(), places.back().top());
            QVERIFY(places.back().right() - places.front().left() > 0.75 * canvas->width());
        }
    }

    /// As in a presentation: a slot is narrower than a word.
    void wordsStandUprightInNarrowSlots_data() {
        QTest::addColumn<int>("letters");
        QTest::newRow("usual letters") << 12;
        QTest::newRow("large letters") << 20;
    }
    void wordsStandUprightInNarrowSlots() {
        QFETCH(int, letters);
        Shown shown(milkPages());
        PageTableDrawing drawing = shown.view.drawing();
        drawing.table = {4, 6, 9, {4, 1, 3}};
        QFont font = shown.view.font();
        font.setPixelSize(letters);
        QBuffer file;
        QSvgGenerator svg;
        svg.setOutputDevice(&file);
        QPainter painter(&svg);
        drawing.paint(painter, {0, 0, 800, 560}, {theme(), font});
        painter.end();
        const QString written = QString::fromUtf8(file.data());
        for (const char* word : {"drank", "because", "sweet"}) // in the sequence and in the pool
            QCOMPARE(written.count(QStringLiteral(">%1<").arg(QLatin1String(word))), 2);
        QVERIFY(!written.contains(QChar(0x2026)));
    }

    void longSequencesWrap() {
        std::vector<std::int64_t> pages;
        for (std::int64_t i = 0; i < 40; ++i)
            pages.push_back(63 - i);
        Shown shown({16, 64, 630, pages}, problemOf(1, 2, 630, 2));
        QVERIFY(shown.view.canvas()->width() <= shown.view.width());
        QVERIFY(!shown.view.canvas()->grab().isNull());
        shown.press(Qt::Key_End);
        QCOMPARE(shown.view.words(), QString("Token 629: slot 5 of page 39, which lies in page 24 of the pool."));
    }

    void otherTracesHaveNothingToShow() {
        Shown shown(milkPages());
        shown.press(Qt::Key_End);
        // A shorter sequence: the mark is removed.
        auto table = milkPages();
        table.length = 6;
        shown.view.setTrace(withExhibit(milkProblem(), table));
        QVERIFY(!shown.view.drawing().marked);
        QVERIFY(shown.view.picture() != nullptr);
        shown.view.setTrace(computed(milkProblem()));
        QVERIFY(!shown.view.hasExhibit());
        QVERIFY(!shown.view.picture());
        QCOMPARE(shown.view.words(), QString());
        shown.press(Qt::Key_Right);
        QVERIFY(!shown.view.grab().isNull());
    }
};

ATTNLAB_TEST(TestPageTableView)
#include "test_page_table_view.moc"
