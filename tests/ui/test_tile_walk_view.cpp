#include "tests/test_main.h"
#include "tests/ui/exhibit_traces.h"
#include "ui/drawing/drawing_canvas.h"
#include "ui/pages/exhibits/player.h"
#include "ui/pages/exhibits/tile_walk.h"
#include "ui/pages/exhibits/tile_walk_view.h"
#include "ui/widgets/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QSlider>
#include <QStandardPaths>
#include <QToolButton>
#include <QtTest>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

/// Scaled scores 0 and 2 for one query: the maximum rises at the second key.
AttentionProblem risingProblem() {
    auto problem = twoKeyProblem();
    problem.tensors["key"] = Tensor({2, 4}, {0, 0, 0, 0, 1, 1, 1, 1});
    return problem;
}

struct Shown {
    explicit Shown(ComputedPtr trace) : view(state) {
        view.resize(760, 480);
        view.show();
        view.setTrace(std::move(trace));
        QCoreApplication::processEvents();
    }
    const TileWalkDrawing& drawing() const { return view.drawing(); }
    const TileSteps& steps() const { return view.drawing().steps; }
    void press(Qt::Key key) { QTest::keyClick(view.canvas(), key); }
    QPointF centreOf(TileIndex tile) const {
        const auto* canvas = view.canvas();
        return drawing().tileRect(drawing().layout(canvas->area(), canvas->font()), tile).center();
    }
    ViewState state;
    TileWalkView view;
};

} // namespace

class TestTileWalkView : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    /// The brightest or darkest pixel in the middle of a cell is its number's.
    void numbersOfTilesToComeAreLegible() {
        for (const auto choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
            applyTheme(choice);
            Shown shown(withTiles(problemOf(1, 6, 6, 3), 3, 3));
            shown.view.resize(1000, 700);
            QCoreApplication::processEvents();
            const auto* canvas = shown.view.canvas();
            const QImage image = shown.view.canvas()->grab().toImage();
            for (int column = 3; column < 6; ++column) {
                const QRect cell = shown.drawing().cellPlace(5, column, canvas->area(), canvas->font()).toRect();
                const QColor back = image.pixelColor(cell.left() + 3, cell.top() + 3);
                double best = 1.0;
                for (int y = cell.top() + 4; y < cell.bottom() - 4; ++y)
                    for (int x = cell.left() + 4; x < cell.right() - 4; ++x)
                        best = std::max(best, contrastOf(back, image.pixelColor(x, y)));
                QVERIFY2(best >= 4.5, qPrintable(QString::number(best)));
            }
        }
        applyTheme(ThemeChoice::Light);
    }

    void queryTilesOutsideKeyTilesInside() {
        Shown shown(withTiles(problemOf(1, 5, 7, 3), 2, 3));
        QCOMPARE(shown.steps().count(), 9);
        for (int step = 0; step < 9; ++step)
            QCOMPARE(shown.steps().tile(step), (TileIndex{step / 3, step % 3}));
        // The last tiles are smaller.
        QCOMPARE(shown.steps().querySpan(2).first, 4);
        QCOMPARE(shown.steps().querySpan(2).last, 4);
        QCOMPARE(shown.steps().keySpan(2).last, 6);
    }

    void tilesAreDoneReadAndToCome() {
        Shown shown(withTiles(problemOf(1, 4, 4, 3), 2, 2));
        shown.press(Qt::Key_Right);
        shown.press(Qt::Key_Right);
        QCOMPARE(shown.drawing().step, 2);
        QCOMPARE(shown.steps().state({0, 0}, 2), TileState::Done);
        QCOMPARE(shown.steps().state({0, 1}, 2), TileState::Done);
        QCOMPARE(shown.steps().state({1, 0}, 2), TileState::Reading);
        QCOMPARE(shown.steps().state({1, 1}, 2), TileState::ToCome);
    }

    void numbersAreThoseOfTheKeysReadSoFar() {
        const auto trace = withTiles(milkProblem(), 4, 2);
        Shown shown(trace);
        shown.state.setHead(2);
        const auto scores = matrix_at(trace->trace.find("masked")->value, 2);
        for (int step = 0; step < shown.steps().count(); ++step) {
            const auto tile = shown.steps().tile(step);
            const auto rows = shown.steps().querySpan(tile.query);
            for (auto row = rows.first; row <= rows.last; ++row) {
                const auto maximum_to = [&](std::int64_t last) {
                    double most = -std::numeric_limits<double>::infinity();
                    for (std::int64_t j = 0; j <= last; ++j)
                        most = std::max(most, scores(row, j));
                    return most;
                };
                const auto last = shown.steps().keySpan(tile.key).last;
                const double m = maximum_to(last);
                double sum = 0.0;
                for (std::int64_t j = 0; j <= last; ++j)
                    sum += std::exp(scores(row, j) - m);
                QCOMPARE(shown.steps().rowMax(row, step), m);
                QVERIFY(std::abs(shown.steps().rowSum(row, step) - sum) < 1e-12);
                const double before = maximum_to(shown.steps().keySpan(tile.key).first - 1);
                QVERIFY(std::abs(shown.steps().rescale(row, step) - std::exp(before - m)) < 1e-12);
            }
            QCOMPARE(shown.steps().rowsReached(step), rows.last + 1);
        }
    }

    void dividedByTheSumTheyEndAsTheOutput() {
        const auto trace = withTiles(milkProblem(), 4, 4);
        Shown shown(trace);
        QVERIFY(shown.drawing().outputCaption().contains("not yet divided"));
        shown.press(Qt::Key_End);
        const auto output = matrix_at(trace->trace.find("output")->value, 0);
        const double undivided = shown.drawing().outputAt(8, 1);
        QVERIFY(std::abs(undivided / shown.steps().rowSum(8, shown.drawing().step) - output(8, 1)) < 1e-12);
        QTest::mouseClick(shown.view.divideBox(), Qt::LeftButton, {}, QPoint(8, shown.view.divideBox()->height() / 2));
        QVERIFY(!shown.drawing().outputCaption().contains("not"));
        for (std::int64_t row = 0; row < 9; ++row)
            for (std::int64_t feature = 0; feature < 4; ++feature)
                QVERIFY(std::abs(shown.drawing().outputAt(row, feature) - output(row, feature)) < 1e-12);
    }

    void aRiseIsSaidInWords() {
        Shown shown(withTiles(risingProblem(), 1, 1));
        QCOMPARE(shown.view.words(),
                 QString("Tile 1 of 2: queries 0 × keys 0. Row 0 reads its first scores: its maximum "
                         "is 0.00, and nothing was summed before."));
        shown.press(Qt::Key_Right);
        QCOMPARE(shown.view.words(), QString("Tile 2 of 2: queries 0 × keys 1. The maximum of row 0 rises from 0.00 to "
                                             "2.00, so what was summed before is multiplied by 0.135. These rows are "
                                             "complete: divided by ℓ they are the output."));
    }

    void noRiseIsSaidToo() {
        Shown shown(withTiles(twoKeyProblem(), 1, 1));
        shown.press(Qt::Key_End);
        QVERIFY(shown.view.words().contains("No maximum rises"));
        // A hovered row is described by name.
        shown.state.setHovered(Cell{0, 0});
        QVERIFY(shown.view.words().contains("The maximum of row 0 stays at 2.00"));
    }

    void tokensAreNamed() {
        Shown shown(withTiles(milkProblem(), 3, 3));
        QVERIFY(shown.view.words().startsWith("Tile 1 of 6: queries “The”–“drank” × keys “The”–“drank”."));
    }

    void blockedTilesAreSkipped() {
        Shown shown(withTiles(milkProblem(), 3, 3));
        QCOMPARE(shown.steps().count(), 6);
        QCOMPARE(shown.steps().skippedCount(), 3);
        QCOMPARE(shown.steps().state({0, 1}, 0), TileState::Skipped);
        shown.press(Qt::Key_Right);
        QCOMPARE(shown.steps().tile(shown.drawing().step), (TileIndex{1, 0}));
        QVERIFY(shown.view.words().contains("Tiles skipped before it, as all their cells are blocked: 2."));
    }

    void nothingIsReadWhereAllIsBlocked() {
        auto problem = problemOf(1, 3, 3, 2);
        problem.tensors["attn_mask"] = Tensor({3, 3}, std::vector<double>(9, 1.0), DType::Bool);
        problem.spec.masks = {{"attn_mask", {}}};
        Shown shown(withTiles(problem, 2, 2));
        QVERIFY(shown.view.hasExhibit());
        QCOMPARE(shown.view.words(), QString("Every cell is blocked: no tile is read."));
        QVERIFY(!shown.view.picture());
        QVERIFY(!shown.view.player()->playButton()->isEnabled());
    }

    void keysWalk() {
        Shown shown(withTiles(problemOf(1, 6, 6, 2), 2, 2));
        const auto at = [&] { return shown.view.player()->position(); };
        shown.press(Qt::Key_Left);
        QCOMPARE(at(), 0);
        shown.press(Qt::Key_Right);
        QCOMPARE(at(), 1);
        shown.press(Qt::Key_End);
        QCOMPARE(at(), 8);
        shown.press(Qt::Key_Right);
        QCOMPARE(at(), 8);
        shown.press(Qt::Key_Left);
        QCOMPARE(at(), 7);
        shown.press(Qt::Key_Home);
        QCOMPARE(at(), 0);
        QCOMPARE(shown.drawing().step, 0);
    }

    void spacePlaysAndPauses() {
        Shown shown(withTiles(problemOf(1, 4, 4, 2), 2, 2));
        Player* player = shown.view.player();
        player->speedSlider()->setValue(player->speedSlider()->maximum());
        QCOMPARE(player->stepsPerSecond(), 32.0);
        shown.press(Qt::Key_Space);
        QVERIFY(player->isPlaying());
        QTRY_COMPARE(player->position(), 3);
        QTRY_VERIFY(!player->isPlaying());
        // At the end it restarts; a manual step pauses.
        shown.press(Qt::Key_Space);
        QVERIFY(player->isPlaying());
        QCOMPARE(player->position(), 0);
        shown.press(Qt::Key_Right);
        QVERIFY(!player->isPlaying());
        QCOMPARE(player->position(), 1);
    }

    void hidingPauses() {
        Shown shown(withTiles(problemOf(1, 4, 4, 2), 2, 2));
        shown.view.player()->play();
        shown.view.hide();
        QVERIFY(!shown.view.player()->isPlaying());
    }

    void theSliderGoesToAStep() {
        Shown shown(withTiles(problemOf(1, 6, 6, 2), 2, 2));
        shown.view.player()->positionSlider()->setValue(5);
        QCOMPARE(shown.drawing().step, 5);
        shown.press(Qt::Key_Right);
        QCOMPARE(shown.view.player()->positionSlider()->value(), 6);
    }

    void theStepSurvivesAnEdit() {
        Shown shown(withTiles(problemOf(1, 6, 6, 2), 2, 2));
        shown.view.player()->setPosition(5);
        auto edited = problemOf(1, 6, 6, 2);
        edited.tensors["query"].mutable_values()[0] += 1.0;
        shown.view.setTrace(withTiles(edited, 2, 2));
        QCOMPARE(shown.drawing().step, 5);
        // A mask changes the number of a tile: tile (1, 1) of a causal walk is the third that is read.
        edited.spec.masks = {{"causal", {}}};
        shown.view.player()->setPosition(4);
        QCOMPARE(shown.steps().tile(4), (TileIndex{1, 1}));
        shown.view.setTrace(withTiles(edited, 2, 2));
        QCOMPARE(shown.drawing().step, 2);
        QCOMPARE(shown.steps().tile(2), (TileIndex{1, 1}));
        // Other tiles: from the start.
        shown.view.setTrace(withTiles(edited, 3, 2));
        QCOMPARE(shown.drawing().step, 0);
    }

    void aClickOnATileGoesThere() {
        Shown shown(withTiles(milkProblem(), 3, 3));
        QTest::mouseClick(shown.view.canvas(), Qt::LeftButton, {}, shown.centreOf({2, 1}).toPoint());
        QCOMPARE(shown.steps().tile(shown.drawing().step), (TileIndex{2, 1}));
        // A skipped tile has no step.
        QTest::mouseClick(shown.view.canvas(), Qt::LeftButton, {}, shown.centreOf({0, 2}).toPoint());
        QCOMPARE(shown.steps().tile(shown.drawing().step), (TileIndex{2, 1}));
    }

    void everyPartTellsItsExactNumber() {
        const auto trace = withTiles(risingProblem(), 1, 1);
        Shown shown(trace);
        shown.press(Qt::Key_End);
        auto* canvas = shown.view.canvas();
        const auto at = shown.drawing().layout(canvas->area(), canvas->font());
        QCOMPARE(canvas->textAt(shown.centreOf({0, 1})), QString("0 → 1: 2\nTile: being read"));
        QCOMPARE(canvas->textAt(at.max.center()), QString("m of 0, the running maximum: 2"));
        QVERIFY(canvas->textAt(at.sum.center()).startsWith("ℓ of 0, the running sum: 1.135335283"));
        QVERIFY(canvas->textAt(at.rescale.center()).endsWith("exp(m before − m) = 0.1353352832366127"));
        QVERIFY(canvas->textAt(at.output.topLeft() + QPointF(2, 2))
                    .startsWith("0, feature 0, output, not yet divided by ℓ: 21.35"));
        QCOMPARE(canvas->textAt(at.query.topLeft() + QPointF(1, 1)), QString("Q of 0, feature 0: 1"));
        QCOMPARE(canvas->textAt(at.key.bottomRight() - QPointF(1, 1)), QString("K of 1, feature 3: 1"));
    }

    void theMapShowsScoresOrWeights() {
        Shown shown(withTiles(milkProblem(), 3, 3));
        QCOMPARE(shown.view.mapPicker()->currentText(), QString("masked"));
        shown.view.mapPicker()->setFocus();
        QTest::keyClick(shown.view.mapPicker(), Qt::Key_Down);
        QCOMPARE(shown.view.mapPicker()->currentText(), QString("weights"));
        QCOMPARE(shown.drawing().map.matrix.view()(0, 0), 1.0);
        // An edit keeps the choice.
        shown.view.setTrace(withTiles(milkProblem(), 3, 3));
        QCOMPARE(shown.view.mapPicker()->currentText(), QString("weights"));
    }

    void headsAreFollowedAndTheMeanShowsTheFirst() {
        Shown shown(withTiles(milkProblem(), 3, 3));
        const double first = shown.steps().rowMax(0, 0);
        shown.state.setHead(3);
        QCOMPARE(shown.view.title(), QString("Tiles · head 3"));
        QVERIFY(shown.steps().rowMax(0, 0) != first);
        shown.state.setHead(ViewState::mean_of_heads);
        QCOMPARE(shown.view.title(), QString("Tiles · head 0"));
        QCOMPARE(shown.steps().rowMax(0, 0), first);
    }

    void otherTracesHaveNothingToShow() {
        Shown shown(withTiles(milkProblem(), 3, 3));
        shown.view.setTrace(computed(milkProblem()));
        QVERIFY(!shown.view.hasExhibit());
        QVERIFY(!shown.view.picture());
        QCOMPARE(shown.view.words(), QString());
        QVERIFY(!shown.view.grab().isNull());
        // Stages that do not fit the walk are ignored instead of read beyond their ends.
        auto broken = std::make_shared<Computed>(*withTiles(milkProblem(), 3, 3));
        std::get<TileWalk>(broken->trace.exhibits[0]).key_tiles = 7;
        shown.view.setTrace(broken);
        QVERIFY(shown.steps().empty());
        shown.view.setTrace(nullptr);
        QVERIFY(!shown.view.hasExhibit());
    }

    void manyTokensFitOrScroll() {
        auto problem = problemOf(1, 200, 200, 4);
        Shown shown(withTiles(problem, 16, 16));
        QVERIFY(shown.view.canvas()->width() <= shown.view.width());
        QVERIFY(!shown.view.canvas()->grab().isNull());
        shown.view.setTrace(withTiles(problem, 1, 200));
        QCoreApplication::processEvents();
        QVERIFY(shown.view.canvas()->height() >= 200 * 6);
    }
};

ATTNLAB_TEST(TestTileWalkView)
#include "test_tile_walk_view.moc"
