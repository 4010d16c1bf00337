// The operations in the row of stages as controls: what each opens, and the tools of the mask.
#include "tests/test_main.h"
#include "tests/ui/sample_window.h"
#include "ui/drawing/formula_view.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/matrix/stages/stage_strip.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/compare/compare_view.h"
#include "ui/pages/matrix_page.h"
#include "ui/panels/mask/mask_panel.h"
#include "ui/panels/mask/mask_tray.h"
#include "ui/panels/mechanism/formula_panel.h"
#include "ui/panels/mechanism/mechanism_bar.h"
#include "ui/panels/mechanism/parameter_form.h"
#include "ui/panels/mechanism/picker.h"
#include "ui/panels/mechanism/scale_slider.h"
#include "ui/panels/ribbon/sentence_ribbon.h"
#include "ui/panels/ribbon/token_arcs.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/number_controls.h"
#include "ui/widgets/text.h"
#include "ui/widgets/tool_tray.h"
#include "ui/window/actions.h"
#include "ui/window/top_bar.h"
#include "ui/window/work_area.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QLineEdit>
#include <QPushButton>
#include <QScopeGuard>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <tuple>
#include <utility>

using namespace attnlab;
using namespace attnlab::ui;

class TestOperators : public QObject, protected SampleFixture {
    Q_OBJECT

    using Operator = StageStrip::Operator;

    StageStrip& strip() { return *window_->stageStrip(); }
    MechanismBar& bar() { return *window_->mechanismBar(); }
    MaskTray& tray() { return *window_->findChild<MaskTray*>(); }
    void setMasks(std::vector<Selection> masks) {
        auto next = window_->document().problem();
        next.spec.masks = std::move(masks);
        window_->document().edit(QStringLiteral("Choose masks"), next);
        settle();
    }

private slots:
    void initTestCase() { prepare(); }
    void init() {
        begin();
        for (auto* dock : window_->panelDocks()->all().first(2)) // inputs and mask
            dock->hide();
        openSample("multi_head_fox");
        window_->viewState().setPinned(Cell{3, 2});
    }
    void cleanup() { window_.reset(); }

    void theRowHasEveryOperation_data() {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1280 x 800") << QSize(1280, 800);
        QTest::newRow("1024 x 640") << QSize(1024, 640);
    }
    void theRowHasEveryOperation() {
        QFETCH(QSize, size);
        window_->resize(size);
        QCoreApplication::processEvents();
        int end = 0;
        for (const auto which : {Operator::Scores, Operator::Scale, Operator::Mask, Operator::Weights}) {
            const auto* button = strip().button(which);
            QVERIFY2(button->isVisible(), qPrintable(button->accessibleName()));
            QVERIFY(button->x() >= end);
            QVERIFY(!button->visibleRegion().isEmpty());
            end = button->x() + button->width();
        }
        QVERIFY(strip().tile("weights")->isVisible());
        QVERIFY2(bar().moreButton()->text().startsWith("Heads 4"), qPrintable(bar().moreButton()->text()));
    }

    void eachOpensItsControls() {
        const QWidget* heads = bar().parameterField("num_heads");
        QTest::mouseClick(strip().button(Operator::Scores), Qt::LeftButton);
        QVERIFY(!heads->isVisible() && bar().positionPicker()->isVisible());
        QVERIFY(!bar().scalePicker()->isVisible() && !bar().normaliserPicker()->isVisible());
        QTest::mouseClick(strip().button(Operator::Weights), Qt::LeftButton); // closes the other
        QVERIFY(bar().normaliserPicker()->isVisible() && !bar().positionPicker()->isVisible());
        const auto* temperature = bar().tray(MechanismBar::Tray::Weights)->findChild<ScaleSlider*>();
        QVERIFY(temperature->isVisible());
        QCOMPARE(temperature->slider()->number(), 2.0);
        QTest::keyClick(temperature->slider(), Qt::Key_End);
        QCOMPARE(temperature->words(), QStringLiteral("÷ 16"));
        settle();
        window_->actions().undo->trigger();
        settle();
        emit bar().normaliserPicker()->picked("sparsemax");
        settle();
        QVERIFY2(strip().button(Operator::Weights)->text().contains("sparsemax"),
                 qPrintable(strip().button(Operator::Weights)->text()));
        // What no operation opens is at the button of the mechanism; what is large is behind "More".
        QTest::mouseClick(bar().moreButton(), Qt::LeftButton);
        QVERIFY(heads->isVisible() && !bar().normaliserPicker()->isVisible());
        ToolTray* settings = bar().tray(MechanismBar::Tray::Mechanism);
        auto* formula = bar().findChild<FormulaPanel*>();
        QVERIFY(settings->isVisible() && formula && !formula->isVisible());
        const auto buttons = settings->findChildren<RowButton*>(); // "More" alone
        QTest::mouseClick(buttons.last(), Qt::LeftButton);
        QVERIFY(formula->attentionView()->isVisible());
        for (const QWidget* one :
             {static_cast<QWidget*>(bar().scalePicker()), static_cast<QWidget*>(bar().afterSoftmax()),
              static_cast<QWidget*>(bar().positionPicker()), static_cast<QWidget*>(bar().normaliserPicker())})
            QVERIFY(!one->isVisible());
        formula->window()->close();
        QVERIFY(settings->isVisible());
    }

    /// One frame, one place and one height; nothing else moves. Escape closes each, and gives the focus back.
    void traysAreAlike() {
        const auto places = [this] {
            return std::tuple(strip().geometry(), window_->workArea()->ribbon()->geometry(),
                              window_->matrixPage()->heatmap()->frame().body);
        };
        window_->activateWindow();
        std::vector<std::pair<ToolTray*, QAbstractButton*>> all{
            {bar().tray(MechanismBar::Tray::Scores), strip().button(Operator::Scores)},
            {bar().tray(MechanismBar::Tray::Scale), strip().button(Operator::Scale)},
            {&tray(), strip().button(Operator::Mask)},
            {bar().tray(MechanismBar::Tray::Weights), strip().button(Operator::Weights)},
            {bar().tray(MechanismBar::Tray::Mechanism), bar().moreButton()}};
        const auto before = places();
        QRect place;
        for (const auto& [opened, button] : all) {
            QTest::mouseClick(button, Qt::LeftButton);
            QTRY_VERIFY(opened->isVisible());
            QCoreApplication::processEvents();
            if (place.isNull())
                place = opened->geometry();
            QCOMPARE(opened->geometry(), place);
            QVERIFY(places() == before);
            for (const auto& [other, opener] : all)
                QCOMPARE(other->isVisible(), other == opened);
            QTest::keyClick(window_->focusWidget(), Qt::Key_Escape);
            QVERIFY(!opened->isVisible());
            QCOMPARE(window_->focusWidget(), static_cast<QWidget*>(button));
        }
        QVERIFY(place.top() > strip().geometry().bottom() && place.height() < 50);
    }

    void stagesHaveNames_data() {
        QTest::addColumn<QString>("language");
        QTest::newRow("English") << "en";
        QTest::newRow("Chinese") << "zh_CN";
    }
    /// Whichever is chosen.
    void stagesHaveNames() {
        QFETCH(QString, language);
        const auto restore = qScopeGuard([] { applyLanguage(QStringLiteral("en")); });
        applyLanguage(language);
        window_->resize(1280, 800);
        settle();
        for (const char* chosen : {"weights", "scores"}) {
            window_->viewState().setStage(chosen);
            QCoreApplication::processEvents();
            for (const QString& stage : strip().stageNames()) {
                const MatrixTile* tile = strip().tile(stage);
                QTRY_VERIFY2(tile->isVisible() && !tile->text().isEmpty(), qPrintable(stage));
                const int room = tile->width() - static_cast<int>(tile->pictureRect().right()) - MatrixTile::text_gap;
                QVERIFY2(room >= tile->titleWidth(), qPrintable(stage));
            }
        }
        const auto& actions = window_->actions();
        for (QAction* action : {actions.undo, actions.redo})
            QVERIFY(std::ranges::any_of(
                window_->findChild<TopBar*>()->findChildren<QToolButton*>(),
                [&](const QToolButton* button) { return button->defaultAction() == action && button->isVisible(); }));
    }

    void keysOpenThem() {
        window_->activateWindow();
        QTest::keyClick(window_.get(), Qt::Key_P, Qt::AltModifier);
        QTRY_VERIFY(bar().positionPicker()->isVisible());
        QTest::keyClick(window_.get(), Qt::Key_M, Qt::AltModifier);
        QTRY_VERIFY(bar().variantPicker()->list()->isVisible());
        bar().variantPicker()->list()->close();
    }

    /// Another mask or number of heads moves no button.
    void aMaskMovesNothing() {
        const auto places = [this] {
            std::vector<QRect> all;
            for (const auto which : {Operator::Scores, Operator::Scale, Operator::Mask, Operator::Weights})
                all.push_back(strip().button(which)->geometry());
            return all;
        };
        QCOMPARE(strip().button(Operator::Mask)->text(), QStringLiteral("no mask"));
        const auto before = places();
        setMasks({{"causal", {}}});
        QCOMPARE(strip().button(Operator::Mask)->text(), QStringLiteral("causal"));
        QVERIFY(strip().operations().contains(QStringLiteral("causal")));
        QCOMPARE(places(), before);
    }

    void theTrayPaintsOnTheLargeMatrix() {
        auto* panel = window_->findChild<MaskPanel*>();
        QVERIFY(!tray().isVisible());
        const auto places = [this] {
            return std::pair(window_->workArea()->ribbon()->geometry(), window_->matrixPage()->heatmap()->frame().body);
        };
        const auto before = places();
        QTest::mouseClick(strip().button(Operator::Mask), Qt::LeftButton);
        QTRY_VERIFY(tray().isVisible());
        QCoreApplication::processEvents();
        QVERIFY(places() == before && tray().isAncestorOf(window_->workArea()->childAt(tray().geometry().center())));
        QVERIFY(panel->isPainting() && tray().tools()->isPainting());
        const int tools = tray().tools()->button(MaskTool::Brush)->y();
        QCOMPARE(tray().tools()->eraser()->y(), tools); // one line
        auto* heatmap = window_->matrixPage()->heatmap();
        QTRY_VERIFY(heatmap->isPainting());
        emit heatmap->strokeBegan(Cell{3, 2}, false);
        emit heatmap->strokeEnded();
        settle();
        QCOMPARE(window_->computed()->trace.find("weights")->value.at({0, 0, 3, 2}), 0.0);
        QVERIFY(strip().button(Operator::Mask)->text().contains("painted"));
        QTest::mouseClick(tray().causal(), Qt::LeftButton);
        settle();
        QCOMPARE(window_->document().problem().spec.masks.size(), 2u);
        QTRY_VERIFY(tray().causal()->isChecked());
        window_->actions().undo->trigger();
        settle();
        QTRY_VERIFY(!tray().causal()->isChecked());
        window_->activateWindow();
        QTest::keyClick(heatmap, Qt::Key_Escape);
        QVERIFY(!tray().isVisible() && !panel->isPainting() && !heatmap->isPainting());
        QTest::mouseClick(strip().button(Operator::Mask), Qt::LeftButton);
        QTRY_VERIFY(tray().isVisible());
        QTest::mouseClick(strip().button(Operator::Mask), Qt::LeftButton); // the button closes it, too
        QVERIFY(!tray().isVisible() && !panel->isPainting());
        QTest::mouseClick(strip().button(Operator::Mask), Qt::LeftButton);
        QTRY_VERIFY(tray().isVisible());
        QTest::mouseClick(tray().panelButton(), Qt::LeftButton);
        QTRY_VERIFY(window_->panelDocks()->all()[1]->isVisible());
        window_->viewState().setPage("steps"); // without the matrix there is nothing to paint on
        QTRY_VERIFY(!tray().isVisible() && !panel->isPainting());
    }

    /// The answer stands below the words, so that most of them are in sight.
    void largeLettersLeaveTheSentenceItsWords() {
        const QFont usual = QApplication::font();
        const auto restore = qScopeGuard([&] { QApplication::setFont(usual); });
        QFont large = usual;
        large.setPointSizeF(1.5 * usual.pointSizeF());
        QApplication::setFont(large);
        window_->resize(1280, 800);
        const TokenArcs* arcs = window_->workArea()->ribbon()->arcs();
        const auto words_in_sight = [&] {
            int count = 0;
            for (int word = 0; word < 9; ++word)
                count += arcs->isInSight(RibbonTokens::Side::Queries, word);
            return count;
        };
        QTRY_VERIFY2(words_in_sight() >= 5, qPrintable(QString::number(words_in_sight())));
        for (const auto which : {Operator::Scores, Operator::Scale, Operator::Mask, Operator::Weights})
            QVERIFY(strip().button(which)->isVisible());
    }

    /// Three matrices of nine words are at least 240 pixels wide each, beside the heads; the inspector makes way.
    void comparedMatricesAreLarge() {
        auto* inspector = window_->panelDocks()->all()[2];
        QVERIFY(inspector->isVisible());
        window_->actions().compare->trigger();
        settle();
        QTRY_VERIFY(!inspector->isVisible());
        const CompareView* view = window_->centre()->compare()->view();
        for (const HeatmapView* heatmap : {view->a(), view->b(), view->difference()})
            QTRY_VERIFY2(heatmap->frame().body.width() >= 240.0,
                         qPrintable(QString::number(heatmap->frame().body.width())));
        window_->viewState().setPage("matrix");
        QTRY_VERIFY(inspector->isVisible());
    }
};

ATTNLAB_TEST(TestOperators)
#include "test_operators.moc"
