// Boards of lessons: matrices of one setting or several, exhibits, pictures, and disabled controls.
#include "tests/test_main.h"
#include "tests/ui/board_support.h"
#include "ui/drawing/figures/figure.h"
#include "ui/learn/cards/board_layout.h"
#include "ui/learn/lab/board_frame.h"
#include "ui/learn/lab/inputs_editor.h"
#include "ui/learn/lab/setting_board.h"
#include "ui/pages/exhibits/exhibit_page.h"
#include "ui/pages/exhibits/player.h"
#include "ui/pages/exhibits/tile_walk_view.h"
#include "ui/panels/inputs/tensor_table.h"
#include "ui/widgets/theme.h"

#include <QAbstractItemModel>
#include <QComboBox>
#include <QPushButton>
#include <QStandardPaths>
#include <QTranslator>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

lab::Scene smallScene() {
    lab::Scene scene;
    scene.tensors["query"] = Tensor({2, 2}, {1, 0, 0, 1});
    scene.tensors["key"] = Tensor({3, 2}, {1, 0, 0, 1, 1, 1});
    scene.tensors["value"] = Tensor({3, 1}, {1, 2, 3});
    scene.query_tokens = {"milk", "cat"};
    scene.key_tokens = {"the", "cold", "milk"};
    scene.settings = {labSetting("plain", "none"), labSetting("scaled")};
    return scene;
}

} // namespace

class TestLabBoards : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    void severalStagesOfOneSetting() {
        lab::BoardSpec view;
        view.cards = {{"a", "plain", "scores"}, {"b", "plain", "weights"}, {"c", "plain", "output"}};
        ShownBoard shown(smallScene(), view);
        QCOMPARE(shown.board->area()->cards().size(), std::size_t{3});
        QCOMPARE(shown.card(0).title(), QString("scores"));
        QCOMPARE(shown.card(2).title(), QString("output"));
        QCOMPARE(shown.shown(0, 1, 2), 1.0);
        QCOMPARE(shown.shown(2, 0, 0), shown.trace("plain").find("output")->value.at({0, 0, 0, 0}));
        // Different stages have different scales, so each has its bar.
        QVERIFY(!shown.board->legend()->isVisible());
        QVERIFY(!shown.board->controls()->isVisible());
        QVERIFY(!shown.board->curve()->isVisible());
        QVERIFY(shown.card(1).heatmap()->visibleColumnLabels().contains("cold"));
    }

    void exactWeightsAndTheirApproximationShareAScale() {
        lab::Scene scene = drawnScene({labSetting("near")}, {.L = 12, .S = 12, .E = 8});
        scene.settings[0].spec.variant = "longformer";
        lab::BoardSpec view;
        view.cards = {{"exact", "near", "exact_weights"}, {"near", "near", "weights"}};
        ShownBoard shown(scene, view);
        QCOMPARE(shown.card(0).error(), QString());
        QCOMPARE(shown.card(0).heatmap()->colorScale().high, shown.card(1).heatmap()->colorScale().high);
        QVERIFY(shown.board->legend()->isVisible());
    }

    void controlsThatWrapGetTheirRoom() {
        lab::BoardSpec view;
        view.board = lab::BoardKind::ScaleLab;
        view.live = {lab::BoardControl::Scale};
        ShownBoard shown(drawnScene({labSetting("a", "temperature:2"), labSetting("b", "temperature:4"),
                                     labSetting("c", "temperature:8"), labSetting("d")}),
                         view, QSize(900, 600));
        QTest::qWait(50);
        for (std::size_t k = 0; k < 4; ++k) {
            const QWidget* controls = shown.card(k).controls();
            for (const auto* child : controls->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
                if (child->isVisible() && !child->isWindow())
                    QVERIFY2(controls->rect().contains(child->geometry()), qPrintable(child->accessibleName()));
            QVERIFY(shown.card(k).heatmap()->y() >= controls->geometry().bottom());
        }
    }

    void aCardOfASettingThatCannotBeComputedSaysWhy() {
        auto scene = smallScene();
        scene.settings[1].spec.masks = {parse_mask("attn_mask")};
        ShownBoard shown(scene, {});
        QVERIFY(shown.card(1).error().contains("attn_mask"));
        QVERIFY(shown.card(0).error().isEmpty());
        lab::BoardSpec view;
        view.stage = "no_such_stage";
        shown.model.setView(view);
        QVERIFY(shown.card(0).error().contains("no_such_stage"));
    }

    void pinAndHighlightsOfAView() {
        lab::BoardSpec view;
        view.pin = lab::BoardCell{1, 2};
        view.highlight = {{0, 0}, {0, 1}};
        ShownBoard shown(smallScene(), view);
        for (std::size_t k = 0; k < 2; ++k) {
            QVERIFY(shown.card(k).heatmap()->pinned() == std::optional(Cell{1, 2}));
            QCOMPARE(shown.card(k).heatmap()->highlighted().size(), std::size_t{2});
        }
    }

    /// Four cards in one row of a usual window would have tiny matrices above much empty room.
    void cardsFoldWhereMatricesBecomeMuchLarger_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<std::size_t>("rows");
        QTest::newRow("high") << QSize(860, 640) << std::size_t{2};
        QTest::newRow("wide") << QSize(1700, 420) << std::size_t{1};
        QTest::newRow("low") << QSize(860, 260) << std::size_t{1};
    }
    void cardsFoldWhereMatricesBecomeMuchLarger() {
        QFETCH(QSize, size);
        lab::RandomInputs draw;
        draw.L = draw.S = 10;
        ShownBoard shown(drawnScene({labSetting("none", "none"), labSetting("sqrt_dk"), labSetting("dk", "dk"),
                                     labSetting("cbrt_dk", "cbrt_dk")},
                                    draw),
                         {}, size);
        std::set<int> tops;
        for (const CardView* card : shown.board->area()->cards()) {
            tops.insert(card->y());
            QVERIFY(card->geometry().bottom() <= shown.board->area()->viewport()->height());
        }
        QTEST(tops.size(), "rows");
        QVERIFY(!shown.board->area()->scrolls());
    }

    void cardsWrapWhereThereIsLittleRoom() {
        std::vector<lab::SceneSetting> settings;
        for (const char* scale : {"none", "sqrt_dk", "dk", "cbrt_dk", "pre_norm", "log_n"})
            settings.push_back(labSetting(scale, scale));
        ShownBoard shown(drawnScene(settings), {}, QSize(1900, 700));
        const auto tops = [&] {
            std::set<int> all;
            for (const CardView* card : shown.board->area()->cards())
                all.insert(card->y());
            return all.size();
        };
        QCOMPARE(tops(), std::size_t{1});
        shown.board->resize(900, 700);
        QTRY_COMPARE(tops(), std::size_t{2});
        // Matrices of a row are aligned.
        QCOMPARE(shown.card(0).heatmap()->y(), shown.card(2).heatmap()->y());
        QCOMPARE(shown.card(0).heatmap()->height(), shown.card(2).heatmap()->height());
    }

    void anotherStageAndHead() {
        lab::Scene scene;
        scene.draw = lab::RandomInputs{};
        auto setting = labSetting("two");
        scene.settings = {setting};
        scene.tensors["query"] = Tensor({1, 2, 3, 2}, {1, 2, 3, 4, 5, 6, 6, 5, 4, 3, 2, 1});
        scene.tensors["key"] = scene.tensors["query"];
        scene.tensors["value"] = scene.tensors["query"];
        scene.draw.reset();
        lab::BoardSpec view;
        view.live = {lab::BoardControl::Stage, lab::BoardControl::Head};
        ShownBoard shown(scene, view);
        auto* head = shown.board->controls()->head();
        QVERIFY(head->isVisible());
        head->setFocus();
        QTest::keyClick(head, Qt::Key_Down);
        shown.settle();
        QCOMPARE(shown.shown(0, 0, 0), shown.trace("two").find("weights")->value.at({0, 1, 0, 0}));
        QVERIFY(shown.card(0).title().contains("head 1"));
        auto* stage = shown.board->controls()->stage();
        const int scores = stage->findData("scores");
        QVERIFY(scores >= 0);
        stage->setCurrentIndex(scores);
        emit stage->activated(scores);
        QCOMPARE(shown.shown(0, 0, 0), shown.trace("two").find("scores")->value.at({0, 1, 0, 0}));
    }

    void inputsCanBeEditedWhereTheyAreLive() {
        lab::BoardSpec view;
        view.live = {lab::BoardControl::Cells};
        ShownBoard shown(smallScene(), view);
        const double before = shown.shown(0, 0, 0);
        QTest::mouseClick(shown.board->controls()->inputs(), Qt::LeftButton);
        auto* editor = shown.board->findChild<InputsEditor*>();
        QVERIFY(editor && editor->isVisible());
        auto* numbers = editor->table()->model();
        QVERIFY(numbers->rowCount() == 3); // key comes first
        QVERIFY(numbers->setData(numbers->index(0, 0), "5", Qt::EditRole));
        shown.settle();
        QCOMPARE(shown.model.scene().tensors.at("key").at({0, 0}), 5.0);
        QVERIFY(shown.shown(0, 0, 0) != before);
        editor->close();
        shown.model.reset();
        shown.settle();
        QCOMPARE(shown.shown(0, 0, 0), before);
    }

    /// A lab that has become a step has all its controls, beside a text.
    void aPresentationFoldsManyControls() {
        constexpr int beside_a_text = 800;
        lab::BoardSpec view = lab::free_lab_view(lab::BoardKind::MaskLab);
        ShownBoard shown(drawnScene({labSetting("none"), labSetting("causal", "sqrt_dk", {"causal"})}), view,
                         QSize(beside_a_text, 700));
        auto& board = *shown.board;
        QFont large = board.font();
        large.setPixelSize(24);
        board.setFont(large);
        QCoreApplication::processEvents();
        QVERIFY(board.controls()->isVisible() && !board.folder()->isVisible());
        board.setFitting(true);
        QCoreApplication::processEvents();
        QVERIFY(!board.controls()->isVisible());
        QVERIFY(board.folder()->isVisible());
        const int cards = board.area()->height();
        board.folder()->click();
        QCoreApplication::processEvents();
        QVERIFY(board.controls()->isVisible() && board.controls()->drawAgain()->isVisible());
        QVERIFY(board.area()->height() < cards);
        board.folder()->click();
        QVERIFY(!board.controls()->isVisible());
        board.setFitting(false);
        QVERIFY(board.controls()->isVisible() && !board.folder()->isVisible());
    }

    void outputsAndMeasures() {
        lab::Scene scene = drawnScene({labSetting("exact"), labSetting("approximate")}, {.L = 12, .S = 12, .E = 8});
        scene.settings[1].spec.variant = "performer";
        AttentionProblem problem = lab::problem_of(scene, scene.settings[1], lab::draw_inputs(*scene.draw));
        complete_inputs(problem, 1);
        for (const auto& [name, tensor] : problem.tensors)
            if (name != "query" && name != "key" && name != "value")
                scene.settings[1].tensors[name] = tensor;
        lab::BoardSpec view;
        view.show = {lab::BoardPart::Output, lab::BoardPart::Measures};
        ShownBoard shown(scene, view);
        QCOMPARE(shown.card(1).error(), QString());
        const auto* measures = shown.card(1).content().part<NumbersPart>();
        QVERIFY(measures && !measures->value("output_error").isEmpty());
        QVERIFY(!shown.card(0).content().part<NumbersPart>());
        const auto* output = shown.card(0).content().part<MatrixPart>();
        QVERIFY(output);
        QCOMPARE(output->matrix.view()(2, 1), shown.trace("exact").find("output")->value.at({0, 0, 2, 1}));
    }

    void exhibitsOfASetting() {
        lab::Scene scene = drawnScene({labSetting("tiled")}, {.L = 8, .S = 8, .E = 4});
        scene.settings[0].spec.variant = "flash";
        lab::BoardSpec view;
        view.board = lab::exhibit_board<TileWalk>;
        SceneModel model;
        model.begin(scene, view);
        std::unique_ptr<Board> board(makeBoard(model));
        auto* exhibit = qobject_cast<ExhibitBoard*>(board.get());
        QVERIFY(exhibit);
        board->resize(900, 600);
        board->show();
        QTRY_VERIFY_WITH_TIMEOUT(exhibit->page()->hasExhibit(), 10000);
        QVERIFY(board->picture());
        QVERIFY(exhibit->error().isEmpty());
        // A setting without tiles gives an error.
        scene.settings[0].spec.variant = "scaled_dot_product";
        model.setScene(scene);
        QTRY_VERIFY_WITH_TIMEOUT(!exhibit->error().isEmpty(), 10000);
        QVERIFY(!exhibit->page()->isVisible());
    }

    void tilesBeginWhereTheViewSays() {
        lab::Scene scene = drawnScene({labSetting("tiled")}, {.L = 8, .S = 8, .E = 4});
        scene.settings[0].spec.variant = "flash";
        scene.settings[0].spec.parameters.set("block_q", std::int64_t{4});
        scene.settings[0].spec.parameters.set("block_k", std::int64_t{2});
        lab::BoardSpec view;
        view.board = lab::exhibit_board<TileWalk>;
        view.tile = lab::BoardCell{0, 2};
        SceneModel model;
        model.begin(scene, view);
        std::unique_ptr<Board> board(makeBoard(model));
        auto* tiles = board->findChild<TileWalkView*>();
        QVERIFY(tiles);
        board->resize(900, 600);
        board->show();
        QTRY_VERIFY_WITH_TIMEOUT(tiles->hasExhibit(), 10000);
        QCOMPARE(tiles->player()->position(), 2);
        QVERIFY(!model.isChanged());
        // A reader who goes on changes the view, and only the view.
        tiles->player()->stepForward();
        QCOMPARE(model.view().tile, (lab::BoardCell{0, 3}));
        QVERIFY(model.isChanged());
        QCOMPARE(tiles->player()->position(), 3);
        // Marking a cell does not move the walk; another view does.
        view.tile = model.view().tile;
        view.pin = lab::BoardCell{5, 1};
        model.setView(view);
        QCOMPARE(tiles->player()->position(), 3);
        view.tile = lab::BoardCell{1, 1};
        model.setView(view);
        QCOMPARE(tiles->player()->position(), 5);
        model.reset();
        QCOMPARE(tiles->player()->position(), 2);
        QVERIFY(!model.isChanged());
        view.tile.reset();
        model.begin(scene, view);
        QCOMPARE(tiles->player()->position(), 0);
    }

    /// On a page of a presentation that shows the mask alone, "weights" would be a wrong title for it.
    void theNameOfAStageIsNoTitleOfAnotherMatrix() {
        lab::BoardSpec view;
        view.show = {lab::BoardPart::Additive, lab::BoardPart::Rows};
        ShownBoard one(drawnScene({labSetting("causal", "sqrt_dk", {"causal"})}), view);
        CardView& card = one.card(0);
        QCOMPARE(card.title(), card.content().stage);
        QCOMPARE(card.parts().size(), std::size_t{2});
        QVERIFY(card.showsTitle());
        card.showOnly(false, {true, false}); // the matrix M
        QVERIFY(!card.showsTitle());
        card.showOnly(false, {false, true}); // bars of its rows
        QVERIFY(card.showsTitle());
        card.showAll();
        QVERIFY(card.showsTitle());
        ShownBoard two(drawnScene({labSetting("none"), labSetting("causal", "sqrt_dk", {"causal"})}), view);
        two.card(1).showOnly(false, {true, false});
        QVERIFY(two.card(1).showsTitle()); // which mask it is
    }

    void picturesInBothLooks() {
        lab::BoardSpec view;
        view.board = lab::BoardKind::ScaleLab;
        view.show = {lab::BoardPart::Histogram, lab::BoardPart::Numbers,  lab::BoardPart::Curve,
                     lab::BoardPart::Rows,      lab::BoardPart::Additive, lab::BoardPart::Leak};
        ShownBoard shown(drawnScene({labSetting("none", "none"), labSetting("causal", "sqrt_dk", {"causal"})}), view);
        shown.board->setWords({{"none", "**saturated**: one key takes all"}});
        const auto picture = std::dynamic_pointer_cast<const BoardPicture>(shown.board->picture());
        QVERIFY(picture);
        QCOMPARE(picture->cards.size(), std::size_t{2});
        QVERIFY(picture->curve && picture->curve->lines.size() == 2);
        FigureOptions options;
        for (const bool dark : {false, true}) {
            options.dark = dark;
            const QImage image = figureImage(Figure(picture), options);
            // The corner is outside all cards.
            QCOMPARE(image.pixelColor(1, 1).lightness() < 128, dark);
        }
        QVERIFY(svgData(Figure(picture), options).contains("saturated"));
        QVERIFY(pdfData(Figure(picture), options).startsWith("%PDF"));
    }

    void anotherSceneInTheSameBoard() {
        ShownBoard shown(smallScene(), {});
        shown.model.begin(drawnScene({labSetting("other", "dk")}, {.L = 4, .S = 5, .E = 2}), {});
        shown.settle();
        QCOMPARE(shown.board->area()->cards().size(), std::size_t{1});
        QCOMPARE(shown.card(0).heatmap()->matrix().view().columns, std::int64_t{5});
        QCOMPARE(shown.card(0).title(), QString("weights"));
    }

    void anotherLanguageWhileOnShow() {
        lab::BoardSpec view;
        view.board = lab::BoardKind::ScaleLab;
        view.live = {lab::BoardControl::E, lab::BoardControl::S, lab::BoardControl::Draw, lab::BoardControl::Scale};
        view.show = {lab::BoardPart::Numbers};
        auto frame = std::make_unique<BoardFrame>();
        frame->begin(drawnScene({labSetting("none", "none"), labSetting("sqrt_dk")}), view);
        frame->show();
        const auto board = [&] { return qobject_cast<CardsBoard*>(frame->board()); };
        const auto another_frame = [&] { // as for another language
            auto model = frame->takeModel();
            frame = std::make_unique<BoardFrame>();
            frame->restoreModel(std::move(model));
            frame->show();
        };
        QTRY_VERIFY(board()->isSettled());
        const QString before = board()->controls()->drawAgain()->text();
        struct Shouting : QTranslator {
            QString translate(const char*, const char* text, const char*, int) const override {
                return QString::fromUtf8(text).toUpper();
            }
            bool isEmpty() const override { return false; }
        } shouting;
        QCoreApplication::installTranslator(&shouting);
        another_frame();
        QCOMPARE(board()->controls()->drawAgain()->text(), before.toUpper());
        QCOMPARE(board()->area()->cards()[0]->content().part<NumbersPart>()->entries[0].name, QString("VARIANCE"));
        QCoreApplication::removeTranslator(&shouting);
        another_frame();
        QCOMPARE(board()->controls()->drawAgain()->text(), before);
    }
};

ATTNLAB_TEST(TestLabBoards)
#include "test_lab_boards.moc"
