#include "core/inputs.h"
#include "tests/test_main.h"
#include "tests/ui/plain_page.h"
#include "tests/ui/traces.h"
#include "ui/drawing/drawing_canvas.h"
#include "ui/drawing/figures/figure.h"
#include "ui/learn/lab/scene_model.h"
#include "ui/learn/lab/setting_board.h"
#include "ui/pages/centre_pages.h"
#include "ui/pages/exhibits/exhibit_page.h"
#include "ui/pages/exhibits/player.h"
#include "ui/pages/step/row_walk.h"
#include "ui/pages/step/step_view.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QPainter>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QToolButton>
#include <QtTest>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

/// A separate view, or a page that follows a ViewState.
template <class View>
struct Shown {
    template <class... Arguments>
    explicit Shown(Arguments&... arguments) : view(arguments...) {
        view.resize(760, 460);
        view.show();
    }
    void press(Qt::Key key) { QTest::keyClick(view.canvas(), key); }
    const StepDrawing& drawing() const { return view.drawing(); }
    StepOperation operation() const { return view.drawing().step.operation; }
    StepLayout layout() const { return drawing().layout(view.canvas()->area(), view.canvas()->font()); }
    void click(const QPointF& position) { QTest::mouseClick(view.canvas(), Qt::LeftButton, {}, position.toPoint()); }
    View view;
};

lab::Scene sceneOf(const AttentionProblem& problem) {
    lab::Scene scene;
    scene.tensors = problem.tensors;
    scene.query_tokens = problem.query_tokens;
    scene.settings = {{"plain", problem.spec, {}, lab::Precision::Float64}, {"bare", {}, {}, lab::Precision::Float64}};
    return scene;
}

} // namespace

class TestStepView : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    void aTokensBlanksAreNotInItsName() {
        auto problem = milkProblem();
        problem.query_tokens[0] = " river";
        Shown<StepView> shown;
        shown.view.setTrace(computed(problem));
        QVERIFY2(shown.view.title().contains(QStringLiteral("“river”")), qPrintable(shown.view.title()));
    }

    /// Before the first row is there, a sentence stands in the place of the table.
    void theFirstStepSaysWhatFillsTheTable() {
        Shown<StepView> shown;
        shown.view.setTrace(computed(milkProblem()));
        const auto inked = [&shown] {
            const QImage image = shown.view.canvas()->grab().toImage();
            const QRect ledger = shown.layout().ledger.toRect();
            const QRect middle(ledger.center() - QPoint(40, 8), QSize(80, 16));
            int count = 0;
            for (int y = middle.top(); y < middle.bottom(); ++y)
                for (int x = middle.left(); x < middle.right(); ++x)
                    count += contrastOf(image.pixelColor(x, y), theme().card) >= 3.0 ? 1 : 0;
            return count;
        };
        QCOMPARE(shown.operation(), StepOperation::Products);
        QVERIFY(inked() > 50);
    }

    /// A matrix of few rows has the room above the arithmetic.
    void fewRowsAreHigh() {
        Shown<StepView> shown;
        shown.view.setTrace(computed(milkProblem()));
        const StepLayout at = shown.layout();
        const double row = at.panel.height() / static_cast<double>(shown.drawing().walk.termCount());
        QVERIFY(row > 1.5 * at.row_height);
        const QImage image = shown.view.canvas()->grab().toImage();
        const double height = std::min(row, 3.0 * at.row_height);
        // In the last row of the matrix, beside its number.
        const QPointF corner(at.panel.left() + 4.0, at.panel.top() + height * (shown.drawing().walk.termCount() - 0.1));
        QVERIFY(image.pixelColor(corner.toPoint()) != theme().card);
    }

    void keysStepAndChooseQueryAndKey() {
        Shown<StepView> shown;
        shown.view.setTrace(computed(milkProblem()));
        QCOMPARE(shown.operation(), StepOperation::Products);
        shown.press(Qt::Key_Right);
        QCOMPARE(shown.operation(), StepOperation::Score);
        shown.press(Qt::Key_End);
        QCOMPARE(shown.operation(), StepOperation::Mix);
        shown.press(Qt::Key_Left);
        QCOMPARE(shown.operation(), StepOperation::Divide);
        QSignalSpy queries(&shown.view, &StepView::queryChosen), keys(&shown.view, &StepView::keyChosen);
        shown.press(Qt::Key_Down);
        shown.press(Qt::Key_Down);
        shown.press(Qt::Key_PageDown);
        QCOMPARE(shown.view.query(), 2);
        QCOMPARE(shown.view.key(), 1);
        QCOMPARE(queries.count(), 2);
        QCOMPARE(keys.count(), 1);
        QCOMPARE(shown.view.queryBox()->currentIndex(), 2);
        QCOMPARE(shown.view.keyBox()->currentText(), "1  cat");
        QCOMPARE(shown.operation(), StepOperation::Divide); // another row, the same step
        shown.press(Qt::Key_Up);
        shown.press(Qt::Key_Up);
        shown.press(Qt::Key_Up);
        QCOMPARE(shown.view.query(), 0);
        shown.press(Qt::Key_Home);
        QCOMPARE(shown.operation(), StepOperation::Products);
        shown.press(Qt::Key_Space);
        QVERIFY(shown.view.player()->isPlaying());
        shown.press(Qt::Key_Space);
        QVERIFY(!shown.view.player()->isPlaying());
    }

    void barsOfScoresHaveOneAxisAndThoseOfWeightsToo() {
        Shown<StepView> shown;
        auto problem = twoKeyProblem(); // scores 4 and 0, scaled 2 and 0
        shown.view.setTrace(computed(problem));
        const auto axis = [&](StepOperation operation) {
            const auto range = shown.drawing().barRange(*shown.drawing().walk.line(operation));
            return std::pair(range.low, range.high);
        };
        const auto of_scores = std::pair(-2.0, 4.0);
        QCOMPARE(axis(StepOperation::Score), of_scores);
        QCOMPARE(axis(StepOperation::Scale), of_scores);
        QCOMPARE(axis(StepOperation::Shift), of_scores);
        const auto of_weights = std::pair(0.0, 1.0);
        QCOMPARE(axis(StepOperation::Exponential), of_weights);
        QCOMPARE(axis(StepOperation::Divide), of_weights);
    }

    /// What is divided by 2 is half as high and has another colour, also in the ledger.
    void aDividedScoreIsPaler() {
        Shown<StepView> shown;
        shown.view.setTrace(computed(twoKeyProblem()));
        shown.view.setStep("scale");
        const QRectF area(0, 0, 700, 400);
        QImage image(700, 400, QImage::Format_RGB32);
        image.fill(theme().card);
        QPainter painter(&image);
        const QFont font = shown.view.font();
        shown.drawing().paint(painter, area, {theme(), font});
        painter.end();
        const auto color = [&](int line, int key) {
            return image.pixelColor(
                (shown.drawing().cellPlace(line, key, area, font).topLeft() + QPointF(3, 3)).toPoint());
        };
        QVERIFY(color(0, 0) != color(1, 0)); // 4 and 2
        QCOMPARE(color(0, 1), color(1, 1));  // 0 and 0
    }

    /// Many programs add −1e4 to what is masked; the other bars keep their height.
    void aBiasThatBlocksLeavesTheAxis() {
        auto problem = twoKeyProblem();
        problem.tensors["attn_bias"] = Tensor({1, 2}, {0.0, -1e4});
        problem.spec.masks = {{"attn_bias", {}}};
        Shown<StepView> shown;
        shown.view.setTrace(computed(problem));
        shown.view.setStep("mask");
        QCOMPARE(shown.operation(), StepOperation::Bias);
        const auto bars = shown.drawing().bars();
        QCOMPARE(bars.axis.high, 4.0);
        QVERIFY(bars.axis.low >= -4.0);
        QCOMPARE(bars.values[0], 2.0);
        QVERIFY(std::isnan(bars.values[1]));
    }

    void barsMoveFromTheStepBefore() {
        StepDrawing drawing;
        const auto trace = computed(twoKeyProblem()); // scores 4 and 0, scaled 2 and 0, exp 1 and 0.135
        drawing.walk = RowWalk(TracePtr(trace, &trace->trace), {}, 0);
        const auto at = [&](StepOperation from, StepOperation to, double progress) {
            drawing.step = {to, 2};
            drawing.from = from;
            drawing.progress = progress;
            return drawing.bars();
        };
        const auto halved = at(StepOperation::Score, StepOperation::Scale, 0.5);
        QCOMPARE(halved.values, (std::vector{3.0, 0.0}));
        QCOMPARE(halved.axis.high, 4.0);
        // First the values, on the axis of the scores; then the axis.
        const auto bent = at(StepOperation::Shift, StepOperation::Exponential, 0.25);
        QCOMPARE(bent.values[0], 0.5);
        QCOMPARE(bent.axis.high, 4.0);
        const auto stretched = at(StepOperation::Shift, StepOperation::Exponential, 0.75);
        QCOMPARE(stretched.values[0], 1.0);
        QCOMPARE(stretched.axis.high, 2.5);
        const auto back = at(StepOperation::Exponential, StepOperation::Shift, 0.25);
        QCOMPARE(back.values[0], 1.0);
        QCOMPARE(back.axis.high, 2.5);
        QCOMPARE(at(StepOperation::Shift, StepOperation::Exponential, 1.0).axis.high, 1.0);
        QVERIFY(at(StepOperation::Exponential, StepOperation::Mix, 0.5).values.empty());
    }

    void motionEndsAndCanBeReduced() {
        Shown<StepView> shown;
        shown.view.setTrace(computed(twoKeyProblem()));
        shown.view.setStep("scale");
        QCOMPARE(shown.drawing().progress, 1.0); // there were no bars before
        shown.press(Qt::Key_Right);
        QCOMPARE(shown.operation(), StepOperation::Shift);
        QVERIFY(shown.drawing().progress < 0.5);
        const auto picture = std::dynamic_pointer_cast<const StepDrawing>(shown.view.picture());
        QCOMPARE(picture->progress, 1.0); // a file shows the step itself
        QTRY_COMPARE(shown.drawing().progress, 1.0);
        setReducedMotion(true);
        shown.press(Qt::Key_Left);
        const double progress = shown.drawing().progress;
        setReducedMotion(false);
        QCOMPARE(progress, 1.0);
    }

    void stepsHaveNames() {
        Shown<StepView> shown;
        shown.view.setTrace(computed(milkProblem()));
        QSignalSpy changed(shown.view.player(), &Player::positionChanged);
        shown.view.setStep("exp");
        QCOMPARE(shown.operation(), StepOperation::Exponential);
        QCOMPARE(shown.view.stepId(), "exp");
        QCOMPARE(changed.count(), 1);
        // Term by term there are more steps; the part stays the same.
        QTest::mouseClick(shown.view.termsBox(), Qt::LeftButton, {}, QPoint(8, shown.view.termsBox()->height() / 2));
        QCOMPARE(shown.view.player()->count(), 28);
        QCOMPARE(shown.view.stepId(), "exp");
        shown.view.setStep("mix");
        QCOMPARE(shown.drawing().step, (WalkStep{StepOperation::Mix, 1}));
        QVERIFY2(shown.view.words().contains(QStringLiteral("“The”")), qPrintable(shown.view.words()));
    }

    void clicksTakeAKeyAndGoToALine() {
        Shown<StepView> shown;
        shown.view.setTrace(computed(milkProblem()));
        const StepLayout at = shown.layout();
        QCOMPARE(at.keys, 9);
        shown.click({at.ledger.left() + 4.5 * at.cell_width, at.ledger.top() + 1.5 * at.row_height});
        QCOMPARE(shown.view.key(), 4);
        QCOMPARE(shown.operation(), StepOperation::Scale);
        const double score = shown.drawing().walk.value(StepOperation::Scale, 4);
        const QString told = shown.view.canvas()->textAt(
            {at.ledger.left() + 4.5 * at.cell_width, at.ledger.top() + 1.5 * at.row_height});
        QVERIFY2(told.contains(exactText(score)) && told.contains("milk"), qPrintable(told));
        // Later numbers are not shown.
        QVERIFY(shown.view.canvas()
                    ->textAt({at.ledger.left() + 4.5 * at.cell_width, at.ledger.top() + 3.5 * at.row_height})
                    .isEmpty());
    }

    /// Twice the room: larger rows, the same ones at every step, inside the page, and clicks hit them.
    void stepsGrowWithThePage() {
        Shown<StepView> shown;
        shown.view.setTrace(computed(milkProblem()));
        const auto& step = shown.drawing();
        const QFont font = shown.view.canvas()->font();
        const StepLayout small = step.layout(QRectF(0, 0, 700, 380), font);
        const QRectF area(0, 0, 1400, 800);
        const StepLayout large = step.layout(area, font);
        QVERIFY(large.row_height > 1.3 * small.row_height);
        QCOMPARE(large.keys, small.keys);
        QCOMPARE(large.lines, static_cast<int>(step.walk.lines().size()));
        QVERIFY(area.contains(large.panel) && area.contains(large.titles) && area.contains(large.aside));
        QCOMPARE(step.keyAt({large.header.left() + 4.5 * large.cell_width, large.ledger.top() + 3.0}, area, font),
                 std::optional<std::int64_t>(4));
        const auto row_height = large.row_height;
        for (const auto& id : {"exp", "mix"}) {
            shown.view.setStep(id);
            QCOMPARE(shown.drawing().layout(area, font).row_height, row_height);
        }
    }

    void manyKeysShowAWindowAroundTheChosenOne() {
        Shown<StepView> shown;
        shown.view.setTrace(computed(problemOf(1, 3, 60, 4)));
        QVERIFY(shown.layout().keys <= StepDrawing::most_keys);
        QCOMPARE(shown.layout().first_key, 0);
        shown.view.setKey(30);
        const auto first = shown.layout().first_key, keys = shown.layout().keys;
        QVERIFY(first < 30 && 30 < first + keys);
        shown.view.setKey(59);
        QCOMPARE(shown.layout().first_key + shown.layout().keys, 60);
        // The mix steps through all of them, and the visible part follows.
        shown.view.setByTerms(true);
        shown.view.setStep("mix");
        QCOMPARE(shown.layout().first_key, 0);
    }

    void everyStepPaintsItsNumbersInLightAndDark() {
        Shown<StepView> shown;
        shown.view.setTrace(computed(milkProblem()));
        shown.view.setQuery(5);
        for (const bool dark : {false, true}) {
            std::vector<QImage> pictures;
            for (int step = 0; step < shown.view.player()->count(); ++step) {
                shown.view.player()->setPosition(step);
                FigureOptions options;
                options.dark = dark;
                options.dpi = 72;
                pictures.push_back(figureImage(shown.view.picture(), options));
                QCOMPARE(QColor(pictures.back().pixel(1, 1)), themeFor(dark).card);
                for (std::size_t before = 0; before + 1 < pictures.size(); ++before)
                    QVERIFY(pictures[before] != pictures.back());
            }
        }
    }

    void aTraceWithoutARowShowsNothing() {
        Shown<StepView> shown;
        shown.view.setTrace(computed(milkProblem()));
        QVERIFY(shown.view.hasExhibit());
        shown.view.setTrace(nullptr);
        QVERIFY(!shown.view.hasExhibit());
        QVERIFY(!shown.view.picture());
        QVERIFY(!shown.view.sequence());
        QVERIFY(!shown.view.exportButton()->isEnabled());
        for (const auto key : {Qt::Key_Right, Qt::Key_Down, Qt::Key_PageDown, Qt::Key_Space})
            shown.press(key);
        shown.click({100, 100});
        shown.view.setTrace(computed(problemOf(1, 2, 2, 2)));
        QVERIFY(shown.view.hasExhibit());
    }

    void thePageFollowsThePinAndTheHead() {
        ViewState state;
        Shown<StepPage> shown(state);
        shown.view.setTrace(computed(milkProblem()));
        QCOMPARE(shown.view.stepId(), QStringLiteral("sum"));
        state.setPinned(Cell{6, 4});
        QCOMPARE(shown.view.query(), 6);
        QCOMPARE(shown.view.key(), 4);
        state.setHead(2);
        QCOMPARE(shown.drawing().walk.pass().head, 2);
        shown.press(Qt::Key_Up);
        QCOMPARE(state.pinned(), (Cell{5, 4}));
        // The column of a pinned cell of the output is a feature.
        state.setStage("output");
        state.setPinned(Cell{1, 1});
        QCOMPARE(shown.view.query(), 5);
        // Fewer tokens than the pinned cell.
        state.setStage("weights");
        shown.view.setTrace(computed(problemOf(1, 2, 2, 2)));
        QVERIFY(shown.view.hasExhibit());
        QVERIFY(shown.view.query() < 2 && shown.view.key() < 2);
    }

    void thePageIsThereForWhatCanBeWalked() {
        ViewState state;
        CentrePages centre(state);
        centre.addPage("matrix", "Matrix", new attnlab::test::PlainPage);
        ExhibitPages pages(state, centre, new StepPage(state));
        pages.setTrace(computed(milkProblem()));
        QVERIFY(centre.isAvailable("steps"));
        AttentionProblem linformer;
        linformer.spec.variant = "linformer";
        linformer.tensors = problemOf(1, 6, 6, 4).tensors;
        linformer.spec.parameters.set("k", std::int64_t{2});
        complete_inputs(linformer, 4);
        pages.setTrace(computed(linformer));
        QVERIFY(!centre.isAvailable("steps"));
        pages.setTrace(nullptr);
        QVERIFY(!centre.isAvailable("steps"));
        state.setPage("steps");
        pages.setTrace(computed(milkProblem()));
        QCOMPARE(centre.current(), "steps");
        QSignalSpy asked(&centre, &CentrePages::animationRequested);
        auto* page = qobject_cast<StepPage*>(pages.current());
        QVERIFY(page);
        page->exportButton()->click();
        QCOMPARE(asked.count(), 1);
    }

    void theBoardWalksTheSettingOfTheScene() {
        SceneModel model;
        lab::BoardSpec view;
        view.board = lab::BoardKind::StepThrough;
        view.setting = "plain";
        view.query = 4;
        view.at = "exp";
        view.pin = lab::BoardCell{4, 2};
        view.live = {lab::BoardControl::Query};
        StepBoard board(model);
        model.begin(sceneOf(milkProblem()), view);
        QTRY_VERIFY(board.steps()->hasExhibit());
        QCOMPARE(board.steps()->query(), 4);
        QCOMPARE(board.steps()->key(), 2);
        QCOMPARE(board.steps()->stepId(), "exp");
        QVERIFY(board.steps()->drawing().walk.line(StepOperation::Mask));
        QVERIFY(board.picture());
        QVERIFY(!model.isChanged());
        QTest::keyClick(board.steps()->canvas(), Qt::Key_End);
        QTest::keyClick(board.steps()->canvas(), Qt::Key_Down);
        QCOMPARE(model.view().query, 5);
        QCOMPARE(board.steps()->stepId(), "mix"); // the user's step, not the initial one of the lesson
        QVERIFY(model.isChanged());
        model.reset();
        QCOMPARE(board.steps()->query(), 4);
        view.setting = "bare";
        view.live = {};
        model.setView(view);
        QVERIFY(!board.steps()->drawing().walk.line(StepOperation::Mask));
        QTest::keyClick(board.steps()->canvas(), Qt::Key_Down);
        QCOMPARE(board.steps()->query(), 4); // not enabled
        // The next scene of a lesson: more rows, another step.
        view.setting = "plain";
        view.query = 11;
        view.at = "divide";
        auto longer = problemOf(1, 12, 12, 4);
        model.begin(sceneOf(longer), view);
        QTRY_COMPARE(board.steps()->drawing().walk.queries(), 12);
        QCOMPARE(board.steps()->query(), 11);
        QCOMPARE(board.steps()->stepId(), "divide");
        view.setting = "bare";
        model.setView(view);
        board.setWords({{"bare", "without a mask"}});
        QCOMPARE(board.words(), "without a mask");
    }

    void itSpeaksChinese() {
        applyLanguage("zh_CN");
        const QString query = StepView().queryBox()->accessibleName();
        applyLanguage("en");
        QVERIFY(!query.isEmpty() && query != "Query");
        QCOMPARE(StepView().queryBox()->accessibleName(), "Query");
    }
};

ATTNLAB_TEST(TestStepView)
#include "test_step_view.moc"
