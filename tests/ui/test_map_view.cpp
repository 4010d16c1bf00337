// Maps of large problems: geometry, requests and computation, jumping, single rows, export.
#include "core/io/file_formats.h"
#include "core/io/saved/workspace_file.h"
#include "tests/test_main.h"
#include "tests/ui/map_page_support.h"
#include "ui/document/settings.h"
#include "ui/export/export.h"
#include "ui/export/export_dialog.h"
#include "ui/export/matrix_export.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/matrix/map/head_overview.h"
#include "ui/matrix/map/large_inputs.h"
#include "ui/matrix/map/screen_bins.h"
#include "ui/matrix/stages/heads_view.h"
#include "ui/pages/matrix_header.h"
#include "ui/pages/matrix_page.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <QComboBox>
#include <QHelpEvent>
#include <QLineEdit>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>
#include <QToolTip>

#include <cerrno>
#include <new>
#include <stdexcept>
#include <system_error>

using namespace attnlab;
using namespace attnlab::ui;

class TestMapView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        settings::setMapFromCells(1000);
    }

    void frameKeepsTheCellUnderTheMouse();
    void frameFitsAndClamps();
    void stripsFillTheRoom();
    void readsTextsOfCells_data();
    void readsTextsOfCells();
    void takesOnlyLargeProblems();
    void showsExactWeights();
    void showsWhatThereIs();
    void zoomWantsFinerTiles();
    void jumpsToACell();
    void explainsARow();
    void overviewsEveryHead();
    void asksTheEngine();
    void goesOnWithoutTheEngine();
    void theWindowNeverComputes();
    void aTooltipFollowsWhatIsKnown();
    void namesWhatFailed_data();
    void namesWhatFailed();
    void exportsThePooledNumbers();
    void theDialogWritesWhatIsInSightOrAll();
    void masksAreTransparent();
    void linearColorsHide_data();
    void linearColorsHide();
    void profilesAreOfWhatIsInSight();
};

void TestMapView::frameKeepsTheCellUnderTheMouse() {
    Viewport viewport;
    viewport.setShape(10000, 10000);
    viewport.setRoom(QRectF(50, 20, 500, 500), QSizeF(0.05, 0.05), 1.0);
    const QPointF mouse(200, 300);
    const QPointF before = viewport.frame().toCells(mouse);
    viewport.zoom(4.0, mouse);
    QVERIFY(QLineF(viewport.frame().toCells(mouse), before).length() < 1e-6);
    QVERIFY(!viewport.isFitted());
    const auto cell = viewport.frame().cellAt(mouse);
    QVERIFY(cell && viewport.frame().cellRect(*cell).adjusted(-0.01, -0.01, 0.01, 0.01).contains(mouse));
    QCOMPARE(viewport.frame().cellAt(QPointF(10, 10)), std::nullopt);
}

void TestMapView::frameFitsAndClamps() {
    Viewport viewport;
    viewport.setShape(1000, 2000);
    viewport.setRoom(QRectF(0, 0, 400, 400), QSizeF(0.2, 0.2), 1.0);
    QCOMPARE(viewport.frame().visibleCells(), QRect(0, 0, 2000, 1000));
    QCOMPARE(viewport.frame().body.size(), QSizeF(400, 200));
    QCOMPARE(viewport.cellWidth(), viewport.cellHeight());
    viewport.zoom(1e9, QPointF(200, 200));
    QVERIFY(viewport.cellWidth() <= viewport.largestCell());
    QCOMPARE(viewport.frame().body.size(), QSizeF(400, 400)); // enlarged, it fills the room
    viewport.pan(QPointF(1e9, 1e9));
    QCOMPARE(viewport.frame().visibleCells().topLeft(), QPoint(0, 0));
    viewport.zoom(1e-9, QPointF(200, 200));
    QVERIFY(viewport.isFitted());
    // Another room keeps the size of cells; another shape is shown as a whole.
    viewport.zoom(10.0, QPointF(200, 200));
    viewport.setRoom(QRectF(0, 0, 800, 500), QSizeF(0.4, 0.4), 1.0);
    QVERIFY(std::abs(viewport.cellWidth() - 2.0) < 1e-9);
    viewport.setShape(10, 10000);
    QVERIFY(viewport.isFitted());
}

/// A strip fills the room instead of being a thin line.
void TestMapView::stripsFillTheRoom() {
    const MatrixAxes strip{{.count = 10, .labels = {}, .title = {}}, {.count = 10000, .labels = {}, .title = {}}};
    LayoutWishes wishes{QFont()};
    wishes.fill_strips = true;
    const auto layout = layoutHeatmap(QRectF(0, 0, 500, 500), strip, mapScale({}, {}), wishes);
    QVERIFY(layout.body.height() > 390);
}

void TestMapView::readsTextsOfCells_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("row"); // -1 if invalid
    QTest::addColumn<int>("column");
    QTest::newRow("numbers") << "12, 34" << 12 << 34;
    QTest::newRow("a row alone is on the diagonal") << "7" << 7 << 7;
    QTest::newRow("tokens") << "cat,dog" << 1 << 2;
    QTest::newRow("outside") << "50,0" << -1 << 0;
    QTest::newRow("unknown") << "fox" << -1 << 0;
    QTest::newRow("three") << "1,2,3" << -1 << 0;
    QTest::newRow("nothing") << "" << -1 << 0;
}

void TestMapView::readsTextsOfCells() {
    QFETCH(QString, text);
    QFETCH(int, row);
    QFETCH(int, column);
    const auto cell = cellOfText(text, {{.count = 50, .labels = {"the", "cat"}, .title = {}},
                                        {.count = 60, .labels = {"a", "b", "dog"}, .title = {}}});
    QCOMPARE(cell, row < 0 ? std::nullopt : std::optional(Cell{row, column}));
}

void TestMapView::takesOnlyLargeProblems() {
    ViewState view;
    LargeInputs large(view);
    QVERIFY(!large.open(milkProblem()));
    QVERIFY(!large.isOpen());
    auto wrong = longProblem();
    wrong.tensors["key"] = Tensor({3, 5});
    QVERIFY(!large.open(wrong)); // its computation reports the error
    QSignalSpy ready(&large, &LargeInputs::ready);
    QVERIFY(large.open(longProblem()));
    QVERIFY(ready.wait(20000));
    QVERIFY(large.sizes().contains(QString::fromUtf8("2 heads · 300 × 500")));
}

void TestMapView::showsExactWeights() {
    ViewState view;
    LargeInputs large(view);
    MapSession& session = large.session();
    MatrixPage page(view, &large);
    page.resize(700, 500);
    QSignalSpy ready(&session, &MapSession::ready);
    large.open(longProblem());
    QVERIFY(page.heatmap()->cellText({0, 0}).isEmpty());
    const auto weight_at = [&](Cell cell) { // where a pixel is a cell
        page.heatmap()->showCell(cell);
        const bool complete = QTest::qWaitFor([&] { return large.source()->isComplete(); }, 20000);
        return complete ? large.source()->numberAt(cell).value_or(-1.0) : -1.0;
    };
    QVERIFY(ready.wait(20000));
    const auto exact = computed(longProblem())->trace;
    const auto& weights = exact.find("weights")->value;
    for (const Cell cell : {Cell{0, 0}, Cell{150, 160}, Cell{299, 250}})
        QVERIFY(std::abs(weight_at(cell) - weights.at({0, 0, cell.row, cell.column})) < 1e-6);
    QCOMPARE(weight_at({0, 499}), -1.0); // outside the window
    QVERIFY(page.heatmap()->cellText({0, 499}).contains(QStringLiteral("masked")));
    view.setHead(1);
    QVERIFY(ready.wait(20000));
    QVERIFY(std::abs(weight_at({5, 6}) - weights.at({0, 1, 5, 6})) < 1e-6);
    // Back to a cached map: no second pass, and with its own colours.
    const auto range = session.range();
    QSignalSpy started(&session, &MapSession::started);
    view.setHead(0);
    QVERIFY(!session.pyramid());
    QVERIFY(ready.wait(20000));
    QCOMPARE(started.size(), 0);
    QVERIFY(std::abs(weight_at({5, 6}) - weights.at({0, 0, 5, 6})) < 1e-6);
    QVERIFY(session.range().high != range.high);
}

/// Rows appear while others are still being computed.
void TestMapView::showsWhatThereIs() {
    const auto problem = problemOf(1, 3000, 300, 8);
    Engine engine(problem);
    engine.break_before = 3; // after the sums and the first of three rows of tiles
    ViewState view;
    LargeInputs large(view);
    MapSession& session = large.session();
    session.setEngine(&engine);
    MatrixPage page(view, &large);
    page.resize(500, 700);
    page.show();
    QSignalSpy ready(&session, &MapSession::ready);
    large.open(problem);
    QTRY_COMPARE_WITH_TIMEOUT(session.parts().size(), std::size_t{1}, 20000);
    const CellRect there = session.parts().front()->grid.cells;
    QCOMPARE(there, (CellRect{0, 1024, 0, 300}));
    const auto colour_of = [&](int row) {
        const QImage picture = page.heatmap()->grab().toImage();
        const auto at = page.heatmap()->cellRect({row, 150}).center() * picture.devicePixelRatio();
        return picture.pixelColor(at.toPoint());
    };
    const QColor background = page.heatmap()->grab().toImage().pixelColor(2, 2);
    QTRY_VERIFY(colour_of(500) != background);
    QCOMPARE(colour_of(2500), background);
    QVERIFY(!session.pyramid());
    QVERIFY(page.heatmap()->cellText({500, 150}).isEmpty());
    page.heatmap()->zoomIn();
    page.heatmap()->zoomToFit();

    engine.goes_on = true;
    engine.goes_on.notify_all();
    QVERIFY(ready.wait(20000));
    QCOMPARE(session.parts().size(), std::size_t{3});
    std::int64_t rows = 0;
    ValueRange range;
    for (const auto& part : session.parts()) {
        rows += part->grid.cells.rows();
        QCOMPARE(part->bins.rows, part->grid.rows());
        QCOMPARE(part->bins.columns, part->grid.columns());
        includeBins(range, part->bins, Pool::Max);
    }
    QCOMPARE(rows, 3000);
    QCOMPARE(range.high, session.range().high);
    QTRY_VERIFY(colour_of(2500) != background);
    large.setPool(Pool::Mean);
    QVERIFY(session.parts().empty() && session.range().empty);
    QVERIFY(ready.wait(20000));
    QCOMPARE(session.parts().size(), std::size_t{3});
    large.close();
    QVERIFY(session.parts().empty());
}

void TestMapView::zoomWantsFinerTiles() {
    ViewState view;
    LargeInputs large(view);
    MapSession& session = large.session();
    MatrixPage page(view, &large);
    page.resize(500, 400);
    page.show();
    QSignalSpy ready(&session, &MapSession::ready);
    large.open(longProblem());
    QVERIFY(ready.wait(20000));
    const int coarse = large.source()->level();
    page.heatmap()->showCells(QRectF(100, 100, 20, 20));
    QVERIFY(large.source()->level() <= coarse);
    QTRY_VERIFY_WITH_TIMEOUT(large.source()->isComplete(), 20000);
    QVERIFY(!page.heatmap()->isFitted());
    page.heatmap()->zoomToFit();
    QVERIFY(page.heatmap()->isFitted());
}

void TestMapView::jumpsToACell() {
    ViewState view;
    LargeInputs large(view);
    MapSession& session = large.session();
    MatrixPage page(view, &large);
    page.resize(700, 500);
    page.show();
    QSignalSpy ready(&session, &MapSession::ready);
    large.open(longProblem());
    QVERIFY(ready.wait(20000));
    QTest::keyClicks(page.jumpField(), QStringLiteral("120, 130"));
    QTest::keyClick(page.jumpField(), Qt::Key_Return);
    QCOMPARE(view.pinned(), (std::optional(Cell{120, 130})));
    QVERIFY(page.heatmap()->frame().range.contains(QPointF(130.5, 120.5)));
    page.jumpField()->clear();
    QTest::keyClicks(page.jumpField(), QStringLiteral("999"));
    QTest::keyClick(page.jumpField(), Qt::Key_Return);
    QCOMPARE(view.pinned(), (std::optional(Cell{120, 130})));
}

void TestMapView::explainsARow() {
    ViewState view;
    LargeInputs large(view);
    MapSession& session = large.session();
    MatrixPage page(view, &large);
    QSignalSpy ready(&session, &MapSession::ready);
    large.open(longProblem());
    QVERIFY(ready.wait(20000));
    ComputedPtr read;
    int row = -1;
    connect(&large, &LargeInputs::rowRead, this, [&](const ComputedPtr& result, const AttentionProblem&, int at) {
        read = result;
        row = at;
    });
    std::optional<RowProblems::ScoreMoments> scores;
    connect(&large, &LargeInputs::scoresKnown, this, [&](const auto& known) { scores = known; });
    view.setPinned(Cell{42, 60});
    QTRY_VERIFY_WITH_TIMEOUT(read != nullptr, 20000);
    QCOMPARE(row, 42);
    const auto exact = computed(longProblem())->trace;
    QTRY_VERIFY_WITH_TIMEOUT(scores.has_value(), 20000); // of the head, not of the row
    const Moments of_head = moments(exact.find("scores")->value.values().first(std::size_t{300} * 500));
    QVERIFY(std::abs(scores->scores.mean - of_head.mean) < 1e-5);
    QVERIFY(std::abs(scores->scores.variance - of_head.variance) < 1e-4);
    for (const char* name : {"scores", "weights"}) {
        const auto& one = read->trace.find(name)->value;
        const auto& all = exact.find(name)->value;
        QCOMPARE(one.shape(), (Shape{1, 1, 1, 500}));
        for (int j = 0; j < 500; ++j)
            QVERIFY(std::abs(one.at({0, 0, 0, j}) - all.at({0, 0, 42, j})) < 1e-12);
    }
}

void TestMapView::overviewsEveryHead() {
    ViewState view;
    LargeInputs large(view);
    HeadOverview overview(large, view);
    const MapSession& session = large.session();
    QSignalSpy done(&session, &MapSession::overviewReady);
    QVERIFY(large.open(longProblem(5)));
    QTRY_COMPARE_WITH_TIMEOUT(done.size(), 5, 30000);
    for (int head = 0; head < 5; ++head) {
        QVERIFY(session.overview(head));
        QVERIFY(overview.grid()->tile(head)->matrix());
    }
    QVERIFY(!session.overview(5));
    QTest::mouseClick(overview.grid()->tile(3), Qt::LeftButton);
    QCOMPARE(view.head(), 3);
    const HeadOverview again(large, view); // shows what the session has
    QVERIFY(again.grid()->tile(4)->matrix());
    QCOMPARE(again.note(), overview.note());
}

void TestMapView::asksTheEngine() {
    ViewState view;
    LargeInputs large(view);
    const Engine engine;
    large.session().setEngine(&engine);
    QSignalSpy ready(&large, &LargeInputs::ready), noted(&large, &LargeInputs::noted);
    QVERIFY(large.open(longProblem(1)));
    QVERIFY(ready.wait(20000));
    QCOMPARE(ready[0][0].toString(), QStringLiteral("an engine"));
    QVERIFY(engine.calls >= 2); // lse and bins
    QCOMPARE(noted.size(), 0);
    large.close();
}

void TestMapView::goesOnWithoutTheEngine() {
    ViewState view;
    LargeInputs large(view);
    Engine engine;
    large.session().setEngine(&engine);
    QSignalSpy ready(&large, &LargeInputs::ready), noted(&large, &LargeInputs::noted);
    QVERIFY(large.open(longProblem(1)));
    QVERIFY(ready.wait(20000));
    engine.fails = true;
    large.session().want({{0, 0, 0}});
    QVERIFY(noted.wait(20000));
    QVERIFY(noted[0][0].value<Message>().english().find("the engine is gone") != std::string::npos);
    QTRY_VERIFY(large.session().pyramid()->find({0, 0, 0}));
    const int calls = engine.calls;
    large.session().show({0, 0, Pool::Mean});
    QVERIFY(ready.wait(20000));
    QVERIFY(ready[1][0].toString().startsWith(QStringLiteral("cpu")));
    QCOMPARE(engine.calls, calls); // it is not used again
    QCOMPARE(noted.size(), 1);
    const auto weights = computed(longProblem(1))->trace.find("weights")->value;
    large.session().want({{0, 0, 0}});
    QTRY_VERIFY_WITH_TIMEOUT(large.source()->numberAt({5, 6}), 20000);
    QVERIFY(std::abs(*large.source()->numberAt({5, 6}) - weights.at({0, 0, 5, 6})) < 1e-6);
    large.close();
}

/// The thread of the window answers from tiles and from the row that was read, whatever the worker has the engine do.
void TestMapView::theWindowNeverComputes() {
    const auto problem = problemOf(1, 2000, 2000, 4);
    Engine engine(problem);
    std::atomic<int> asked_by_window = 0;
    engine.on_call = [&] { asked_by_window += QThread::currentThread() == qApp->thread(); };
    ViewState view;
    LargeInputs large(view);
    large.session().setEngine(&engine);
    MatrixPage page(view, &large);
    page.resize(500, 400);
    page.show();
    auto& map = *page.heatmap();
    QSignalSpy ready(&large, &LargeInputs::ready);
    QVERIFY(large.open(problem));
    QVERIFY(ready.wait(20000));
    QTRY_VERIFY_WITH_TIMEOUT(large.source()->isComplete(), 20000);
    QVERIFY(large.source()->level() > 0); // a pixel has several cells

    const Cell cell{1200, 700}, beside{1200, 1701}, below{1207, 700};
    const AttentionMap exact(std::make_shared<const MapInputs>(problem), 0, 0);
    const auto weight = [&](Cell at) {
        float one = 0.0f;
        exact.weights({at.row, at.row + 1, at.column, at.column + 1}, &one);
        return static_cast<double>(one);
    };
    const auto shows = [&](Cell at, double number) {
        return map.cellText(at).endsWith(QLatin1Char(' ') + numberText(number, 6));
    };
    QVERIFY2(map.cellText(cell).startsWith(QStringLiteral("1200 → 700: at most ")), qPrintable(map.cellText(cell)));
    const auto [tile, bins] = large.session().pyramid()->find_covering({0, 4, 2});
    const BinGrid grid = large.session().pyramid()->grid(tile);
    const auto bin =
        bins->index((1200 - grid.cells.first_row) / grid.bin_rows, (700 - grid.cells.first_column) / grid.bin_columns);
    QVERIFY(static_cast<double>(bins->max(bin)) >= weight(cell));
    QVERIFY(shows(cell, static_cast<double>(bins->max(bin))));
    view.setHovered(cell);
    QCOMPARE(page.subtitle(), map.cellText(cell));
    // Its row is read while the mouse rests there.
    QTRY_VERIFY_WITH_TIMEOUT(!map.cellText(cell).contains(QStringLiteral("at most")), 20000);
    QCOMPARE(page.subtitle(), map.cellText(cell));
    for (const Cell at : {cell, beside})
        QVERIFY2(shows(at, weight(at)), qPrintable(map.cellText(at)));
    QVERIFY(map.cellText(below).contains(QStringLiteral("at most")));

    view.setPinned(below);
    QTRY_VERIFY_WITH_TIMEOUT(!map.accessibleDescription().contains(QStringLiteral("at most")), 20000);
    QVERIFY2(shows(below, weight(below)), qPrintable(map.cellText(below)));
    for (int turn = 0; turn < 3; ++turn) {
        map.zoomIn();
        map.setCrosshair(Cell{1100 + turn, 600});
        QVERIFY(!map.cellText({1100 + turn, 600}).isEmpty());
    }
    map.showCell(cell);
    QTRY_VERIFY_WITH_TIMEOUT(large.source()->isComplete(), 20000);
    QCOMPARE(large.source()->level(), 0);
    QVERIFY2(shows(cell, weight(cell)), qPrintable(map.cellText(cell)));
    QVERIFY(engine.calls > 3);
    QCOMPARE(asked_by_window.load(), 0);
    large.close();
}

/// While it is shown, the row below the mouse is read.
void TestMapView::aTooltipFollowsWhatIsKnown() {
    const auto problem = problemOf(1, 2000, 2000, 4);
    ViewState view;
    LargeInputs large(view);
    MatrixPage page(view, &large);
    page.resize(500, 400);
    page.show();
    auto& map = *page.heatmap();
    QSignalSpy ready(&large, &LargeInputs::ready);
    QVERIFY(large.open(problem));
    QVERIFY(ready.wait(20000));
    QTRY_VERIFY_WITH_TIMEOUT(large.source()->isComplete(), 20000);
    const QPoint middle = map.frame().body.center().toPoint();
    const auto cell = map.cellAt(middle);
    QVERIFY(cell);
    view.setHovered(cell);
    QHelpEvent asks(QEvent::ToolTip, middle, map.mapToGlobal(middle));
    QCoreApplication::sendEvent(&map, &asks);
    QVERIFY(QToolTip::isVisible());
    QVERIFY2(QToolTip::text().contains(QStringLiteral("at most")), qPrintable(QToolTip::text()));
    QTRY_VERIFY_WITH_TIMEOUT(!QToolTip::text().contains(QStringLiteral("at most")), 20000);
    QVERIFY(QToolTip::isVisible());
    QCOMPARE(QToolTip::text(), map.cellText(*cell));
    QToolTip::hideText();
}

void TestMapView::namesWhatFailed_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("says");
    QTest::newRow("no memory") << 0 << "The map needs more memory than there is";
    QTest::newRow("a fault of the program") << 1 << "The map could not be computed: index 7 of 5";
    QTest::newRow("the system") << 2 << "The map could not be computed: Resource temporarily unavailable";
    QTest::newRow("something else") << 3 << "The map could not be computed: an unknown error";
}

/// Only a lack of memory is called that.
void TestMapView::namesWhatFailed() {
    QFETCH(int, kind);
    QFETCH(QString, says);
    ViewState view;
    LargeInputs large(view);
    Engine engine;
    engine.on_call = [&] {
        if (kind == 0)
            throw std::bad_alloc();
        if (kind == 1)
            throw std::logic_error("index 7 of 5");
        if (kind == 2)
            throw std::system_error(EAGAIN, std::generic_category());
        throw kind;
    };
    large.session().setEngine(&engine);
    QSignalSpy failed(&large, &LargeInputs::failed);
    QVERIFY(large.open(longProblem(1)));
    QVERIFY(failed.wait(20000));
    QCOMPARE(QString::fromStdString(failed[0][0].value<Message>().english()), says);
}

void TestMapView::exportsThePooledNumbers() {
    const QTemporaryDir folder;
    const auto inputs = std::make_shared<const MapInputs>(longProblem());
    const AttentionMap map(inputs, 0, 0);
    MapPicture picture;
    picture.cells = map.all();
    picture.rows = 30;
    picture.columns = 50;
    exportMap(folder.filePath("m.npy"), map, picture);
    const auto read = io::read_tensors(folder.filePath("m.npy").toStdString()).begin()->second;
    QCOMPARE(read.shape(), (Shape{30, 50}));
    const auto exact = computed(longProblem())->trace.find("weights")->value;
    double largest = 0.0;
    for (int i = 0; i < 10; ++i)
        for (int j = 0; j < 10; ++j)
            largest = std::max(largest, exact.at({0, 0, i, j}));
    QVERIFY(std::abs(read.at({0, 0}) - largest) < 1e-6);
    QVERIFY(std::isnan(read.at({0, 49})));
    for (const char* name : {"m.png", "m.svg", "m.pdf"}) {
        exportMap(folder.filePath(name), map, picture);
        QVERIFY(QFileInfo(folder.filePath(name)).size() > 500);
    }
    // A picture of the window says which part of the map it shows, for 'attnlab map'.
    picture.origin = std::make_shared<const FigureOrigin>(originOf(longProblem(), ViewState()));
    picture.pool = Pool::Mean;
    exportMap(folder.filePath("m.svg"), map, picture);
    const auto view = io::read_view(folder.filePath("m.svg").toStdString());
    const auto drawn = view ? mapIn(*view) : std::nullopt;
    QVERIFY(drawn && drawn->cells == picture.cells && drawn->rows == 30 && drawn->columns == 50);
    QCOMPARE(drawn->pool, Pool::Mean);
}

void TestMapView::theDialogWritesWhatIsInSightOrAll() {
    const QTemporaryDir folder;
    const auto map = std::make_shared<const AttentionMap>(std::make_shared<const MapInputs>(longProblem()), 0, 0);
    MapPicture like;
    like.figure.title = "weights";
    ExportDialog dialog(mapExport(map, {0, 20, 0, 30}, like));
    dialog.show();
    QTRY_VERIFY(!dialog.previewPicture().isNull());
    QVERIFY(!dialog.findChild<SegmentSwitch*>()->isHidden());
    dialog.choose("numbers", "npy");
    QVERIFY(dialog.findChild<PicturePage*>()->isHidden());
    dialog.findChild<QSpinBox*>("rows")->setValue(10);
    QVERIFY2(dialog.exportTo(folder.filePath("sight.npy")), qPrintable(dialog.errorText()));
    QCOMPARE(io::read_tensors(folder.filePath("sight.npy").toStdString()).begin()->second.shape(), (Shape{10, 30}));
    dialog.findChild<QComboBox*>("extent")->setCurrentIndex(1);
    QVERIFY(dialog.exportTo(folder.filePath("all.npy")));
    QCOMPARE(io::read_tensors(folder.filePath("all.npy").toStdString()).begin()->second.dim(0), std::int64_t{10});
    dialog.choose("picture", "svg");
    QVERIFY(dialog.exportTo(folder.filePath("all.svg")));
    QVERIFY(!dialog.exportTo(folder.filePath("none/all.svg")));
    QVERIFY2(dialog.errorText().contains("none/all.svg"), qPrintable(dialog.errorText()));
}

void TestMapView::linearColorsHide_data() {
    QTest::addColumn<std::vector<double>>("bins");
    QTest::addColumn<bool>("hides");
    constexpr int side = 128;
    const auto made = [](auto at) {
        std::vector<double> bins;
        for (int row = 0; row < side; ++row)
            for (int column = 0; column < side; ++column)
                bins.push_back(at(row, column));
        return bins;
    };
    Random random(7);
    const auto noise = [&random](double decades) { return std::pow(10.0, -4.0 + decades * random.normal()); };
    QTest::newRow("no bin") << std::vector<double>() << false;
    QTest::newRow("all zero") << std::vector<double>(100, 0.0) << false;
    QTest::newRow("even") << std::vector<double>(100, 0.01) << false;
    QTest::newRow("one bright bin on an even ground")
        << made([](int row, int column) { return row == 5 && column == 7 ? 1.0 : 1e-4; }) << false;
    QTest::newRow("a bright diagonal, nothing else")
        << made([](int row, int column) { return row == column ? 0.9 : 0.0; }) << false;
    QTest::newRow("a bright diagonal on faint noise")
        << made([&](int row, int column) { return row == column ? 0.9 : noise(0.2); }) << false;
    QTest::newRow("a bright diagonal before faint blocks") << made([](int row, int column) {
        return row == column ? 0.9 : row / 16 == column / 16 ? 1e-3 : 1e-6;
    }) << true;
    QTest::newRow("one bright bin before faint stripes") << made([](int row, int column) {
        return row + column == 0 ? 1.0 : (row + column) % 8 == 0 ? 1e-2 : 1e-5;
    }) << true;
    QTest::newRow("weights of many decades") << made([&](int, int) { return noise(1.5); }) << true;
    QTest::newRow("faint blocks beside zeros") << made([](int row, int column) {
        return row == column ? 0.9 : row / 16 == column / 16 ? 1e-3 : 0.0;
    }) << true;
    QTest::newRow("a few of many uneven bins")
        << made([&](int, int) { return std::exp(1.3 * random.normal()); }) << true;
    QTest::newRow("many even bins") << made([&](int, int) { return 1.0 + 0.1 * random.normal(); }) << false;
    QTest::newRow("blocks that linear colours show")
        << made([](int row, int column) { return row / 16 == column / 16 ? 0.5 : 1e-6; }) << false;
}
/// Logarithmic colours are for maps that are one colour without them and several with them.
void TestMapView::linearColorsHide() {
    QFETCH(std::vector<double>, bins);
    QFETCH(bool, hides);
    QCOMPARE(linearHides(bins), hides);
}

void TestMapView::masksAreTransparent() {
    const auto inputs = std::make_shared<const MapInputs>(longProblem());
    const AttentionMap map(inputs, 0, 0);
    const auto bins = map.pool(grid_of(map.all(), 30, 50), Pool::Max);
    ValueRange range;
    includeBins(range, bins, Pool::Max);
    const QImage image = imageOfBins(bins, Pool::Max, mapScale({}, range));
    QCOMPARE(image.size(), QSize(50, 30));
    QCOMPARE(qAlpha(image.pixel(49, 0)), 0);
    QCOMPARE(qAlpha(image.pixel(0, 0)), 255);
}

void TestMapView::profilesAreOfWhatIsInSight() {
    const auto map = std::make_shared<const AttentionMap>(std::make_shared<const MapInputs>(longProblem()), 0, 0);
    MapPyramid pyramid(map, Pool::Mean, std::size_t{64} << 20);
    const CellRect seen{40, 290, 10, 470};
    for (const Pool pool : {Pool::Max, Pool::Mean}) {
        std::vector<TileBins> tiles;
        for (const auto& tile : pyramid.tiles_over(0, seen))
            tiles.emplace_back(tile, pyramid.request(tile));
        const auto profiles = profilesOf(tiles, {seen, 1, 1}, pool);
        const auto bins = map->pool({seen, 1, 1}, Pool::Mean);
        QCOMPARE(profiles.rows.size(), std::size_t{250});
        QCOMPARE(profiles.columns.size(), std::size_t{460});
        const auto rows = row_profile(bins), columns = column_profile(bins);
        for (std::size_t i = 0; i < profiles.rows.size(); ++i)
            QVERIFY(std::abs(profiles.rows[i] - binValue(rows, i, pool)) < 1e-6);
        for (std::size_t i = 0; i < profiles.columns.size(); ++i)
            QVERIFY(columns.masked(i) ? std::isnan(profiles.columns[i])
                                      : std::abs(profiles.columns[i] - binValue(columns, i, pool)) < 1e-6);
    }
}

ATTNLAB_TEST(TestMapView)
#include "test_map_view.moc"
