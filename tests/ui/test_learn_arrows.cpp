// Boards of arrows and of costs, and boards that are saved from the window.
#include "tests/test_main.h"
#include "tests/ui/window_backends.h"
#include "ui/document/file_controller.h"
#include "ui/learn/lab/arrows_board.h"
#include "ui/learn/lab/board_frame.h"
#include "ui/learn/lab/costs_board.h"
#include "ui/learn/learn_page.h"
#include "ui/widgets/controls.h"
#include "ui/window/learn_mode.h"
#include "ui/window/main_window.h"

#include <cmath>
#include <QSettings>
#include <QSlider>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace attnlab;
using namespace attnlab::ui;

class TestLearnArrows : public QObject {
    Q_OBJECT

    std::unique_ptr<BoardFrame> frame_;

    void show(const lab::Scene& scene, const lab::BoardSpec& view) {
        frame_ = std::make_unique<BoardFrame>();
        frame_->resize(900, 640);
        frame_->begin(scene, view);
        frame_->show();
        settle();
    }
    void settle() {
        QTRY_VERIFY_WITH_TIMEOUT(frame_->model().result() && !frame_->model().isComputing(), 30000);
        QCoreApplication::processEvents();
    }

    static lab::Scene arrowScene() {
        lab::Scene scene;
        scene.tensors = {{"query", Tensor({2, 2}, {1.0, 0.5, -1.0, 0.0})},
                         {"key", Tensor({2, 2}, {1.0, 0.0, 0.0, 1.5})},
                         {"value", Tensor({2, 2}, {2.0, 0.0, 0.0, 2.0})}};
        scene.settings.push_back({.id = "head", .spec = {}, .tensors = {}});
        scene.settings.back().spec.scale.id = "none";
        return scene;
    }
    static lab::BoardSpec arrowView() {
        lab::BoardSpec view;
        view.board = lab::BoardKind::Arrows;
        view.live = {lab::BoardControl::Cells};
        return view;
    }
    ArrowsCanvas& canvas() { return *frame_->findChild<ArrowsCanvas*>(); }
    QPoint at(const ArrowTip& tip) {
        return canvas().arrows().positionOf(tip, canvas().area(), canvas().font()).toPoint();
    }
    double number(const char* name, std::int64_t cell) { return frame_->model().scene().tensors.at(name).value(cell); }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabArrowsTest");
        QSettings().clear();
    }
    void cleanup() {
        frame_.reset();
        QSettings().clear();
    }

    void aTipIsDragged() {
        show(arrowScene(), arrowView());
        const ArrowTip key{ArrowKind::Key, 0};
        const QPoint from = at(key);
        const double unit = canvas().arrows().positionOf(key, canvas().area(), canvas().font()).x() -
                            canvas().arrows().positionOf({ArrowKind::Key, 1}, canvas().area(), canvas().font()).x();
        QTest::mousePress(&canvas(), Qt::LeftButton, {}, from);
        QTest::mouseMove(&canvas(), from + QPoint(static_cast<int>(unit), 0));
        QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, from + QPoint(static_cast<int>(unit), 0));
        settle();
        QVERIFY(std::abs(number("key", 0) - 2.0) < 0.101);
        QVERIFY(std::abs(number("key", 1)) < 0.101);
        QCOMPARE(number("key", 3), 1.5);
        QCOMPARE(canvas().arrows().keys[0].x(), number("key", 0));
        QVERIFY(std::abs(canvas().arrows().scores[0] - (number("key", 0) + 0.5 * number("key", 1))) < 1e-12);
        frame_->model().reset();
        settle();
        QCOMPARE(number("key", 0), 1.0);
    }

    void theKeyboardMovesArrowsToo() {
        show(arrowScene(), arrowView());
        for (int k = 0; k < 3; ++k) // two queries, then the first key
            QTest::keyClick(&canvas(), Qt::Key_Return);
        QCOMPARE(frame_->model().view().query, std::int64_t{1});
        QTest::keyClick(&canvas(), Qt::Key_Up);
        settle();
        QCOMPARE(number("key", 1), 0.1);
        const auto before = canvas().arrows().weights;
        QTest::keyClick(&canvas(), Qt::Key_Right, Qt::ShiftModifier); // all keys: the weights stay
        settle();
        QCOMPARE(number("key", 0), 1.1);
        QCOMPARE(number("key", 2), 0.1);
        for (std::size_t k = 0; k < before.size(); ++k)
            QVERIFY(std::abs(canvas().arrows().weights[k] - before[k]) < 1e-12);
        QVERIFY(canvas().accessibleDescription().contains("key 0"));
    }

    void arrowsStayWithoutLiveCells() {
        auto view = arrowView();
        view.live.clear();
        show(arrowScene(), view);
        QTest::mousePress(&canvas(), Qt::LeftButton, {}, at({ArrowKind::Query, 1}));
        QTest::mouseMove(&canvas(), at({ArrowKind::Query, 1}) + QPoint(40, 40));
        settle();
        QVERIFY(frame_->model().scene() == arrowScene());
        QCOMPARE(frame_->model().view().query, std::int64_t{1}); // chosen all the same
    }

    void widerRowsAreExplained() {
        auto scene = arrowScene();
        scene.tensors.at("value") = Tensor({2, 3}, 1.0);
        show(scene, arrowView());
        const auto* board = qobject_cast<ArrowsBoard*>(frame_->board());
        QVERIFY2(board->error().contains("rows of two numbers"), qPrintable(board->error()));
        QVERIFY(!board->picture());
    }

    void costsFollowTheirControls() {
        lab::Scene scene;
        scene.cache = lab::CacheModel{};
        scene.settings = {{.id = "all", .spec = {}, .tensors = {}}, {.id = "some", .spec = {}, .tensors = {}}};
        scene.settings[1].sharing = lab::CacheSharing::Grouped;
        lab::BoardSpec view;
        view.board = lab::BoardKind::Costs;
        view.costs = {"bytes_per_token"};
        view.live = {lab::BoardControl::Groups};
        show(scene, view);
        auto* board = qobject_cast<CostsBoard*>(frame_->board());
        QVERIFY(board->controls()->groups()->isVisible() && !board->controls()->readers()->isVisible());
        const auto first = costsOf(frame_->model().computedScene(), view, {});
        board->controls()->groups()->slider()->setValue(0);
        settle();
        QCOMPARE(frame_->model().scene().cache->groups, std::int64_t{1});
        const auto second = costsOf(frame_->model().computedScene(), view, {});
        QCOMPARE(second.panels[0].bars.high, first.panels[0].bars.high); // the axis stands still
        QCOMPARE(second.panels[0].bars.rows[1].value * 8.0, first.panels[0].bars.rows[1].value);
        QVERIFY(board->canvas()->accessibleDescription().contains("Multi-head: 524 kB"));
    }

    /// Arrows of inputs stay; scores, weights and the output are covered in the picture and in its words.
    void aQuestionCoversScores() {
        frame_ = std::make_unique<BoardFrame>();
        frame_->resize(900, 640);
        auto asking = arrowView();
        asking.hidden = {{"head", "scores"}};
        frame_->begin(arrowScene(), arrowView(), asking);
        frame_->show();
        settle();
        const auto covered = canvas().arrows();
        QVERIFY(covered.hides_scores && covered.hides_weights && covered.hides_output);
        QVERIFY2(covered.words().contains(": score ?, weight ?"), qPrintable(covered.words()));
        QVERIFY2(!covered.words().contains("output") && !covered.words().contains("NaN"), qPrintable(covered.words()));
        QVERIFY(std::isnan(covered.scores[0]) && std::isnan(covered.weights[0]) && std::isnan(covered.output.x()));
        // No arrow can be moved.
        const auto before = frame_->model().scene();
        QTest::mousePress(&canvas(), Qt::LeftButton, {}, at({ArrowKind::Key, 0}));
        QTest::mouseMove(&canvas(), at({ArrowKind::Key, 1}));
        QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, at({ArrowKind::Key, 1}));
        QVERIFY(frame_->model().scene() == before);
        frame_->setCover(std::nullopt);
        QVERIFY2(canvas().arrows().words().contains("output (") && !canvas().arrows().words().contains("?"),
                 qPrintable(canvas().arrows().words()));
    }

    /// One query can be covered while the board shows another one.
    void aQuestionCoversOneQuery() {
        frame_ = std::make_unique<BoardFrame>();
        auto asking = arrowView();
        asking.hidden = {{"head", "weights", {{.first = 1, .single = true}, {}}}};
        frame_->begin(arrowScene(), arrowView(), asking);
        settle();
        QVERIFY(!canvas().arrows().hides_weights && !canvas().arrows().hides_output);
        emit canvas().queryChosen(1);
        QVERIFY(!canvas().arrows().hides_scores && canvas().arrows().hides_weights && canvas().arrows().hides_output);
    }

    void aQuestionCoversCosts() {
        lab::Scene scene;
        scene.cache = lab::CacheModel{};
        scene.settings = {{.id = "all", .spec = {}, .tensors = {}}, {.id = "some", .spec = {}, .tensors = {}}};
        scene.settings[1].sharing = lab::CacheSharing::Grouped;
        lab::BoardSpec view;
        view.board = lab::BoardKind::Costs;
        view.costs = {"cache_bytes"};
        view.hidden = {{"some", "measure.cache_bytes"}};
        auto drawing = costsOf(scene, view, {});
        QCOMPARE(drawing.panels[0].bars.rows[0].value, drawing.panels[0].bars.high);
        QCOMPARE(drawing.panels[0].bars.rows[1].value, 0.0);
        QVERIFY2(drawing.words().endsWith(": ?"), qPrintable(drawing.words()));
        view.over = lab::BoardControl::Context;
        drawing = costsOf(scene, view, {});
        QCOMPARE(drawing.panels[0].lines.lines.size(), std::size_t{1});
    }

    void linesHaveAllChoices() {
        lab::Scene scene;
        scene.cache = lab::CacheModel{};
        scene.settings = {{.id = "all", .spec = {}, .tensors = {}}};
        lab::BoardSpec view;
        view.board = lab::BoardKind::Costs;
        view.costs = {"cache_bytes"};
        view.over = lab::BoardControl::Context;
        const auto drawing = costsOf(scene, view, {});
        QCOMPARE(drawing.panels[0].lines.lines[0].points.size(), lab::context_choices().size());
        QCOMPARE(drawing.panels[0].lines.reference.front().y(), 16.0); // GB of weights
    }

    void aLabIsSavedAndOpenedAgain() {
        const QTemporaryDir folder;
        const QString file = folder.filePath("mine.attnlesson");
        MainWindow window(backends);
        window.files().setAnswer(FileController::Answer::Discard);
        window.resize(1280, 800);
        window.show();
        auto& learn = *window.learnMode();
        learn.showLab(lab::BoardKind::MaskLab);
        auto scene = learn.page()->frame()->model().scene();
        scene.draw->seed = 41;
        scene.settings.front().spec.mask_fill.value = -3.0;
        learn.page()->frame()->model().setScene(scene);
        QVERIFY(learn.saveBoard(file));
        learn.showList();
        QVERIFY(LearnMode::isLesson(file) && learn.openFolder(file));
        QVERIFY(learn.page()->frame()->model().scene() == scene);
        QCOMPARE(learn.page()->lessonPage()->lesson()->title(), QString("Mask lab"));
        QVERIFY(!learn.saveBoard(folder.filePath("no/such/folder.attnlesson")));
    }
};

ATTNLAB_TEST(TestLearnArrows)
#include "test_learn_arrows.moc"
