// The whole window, controlled by keys and mouse, checked in its views.
#include "sample_window.h"
#include "tests/test_main.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/matrix/stages/heads_view.h"
#include "ui/pages/matrix_page.h"
#include "ui/panels/inputs/inputs_panel.h"
#include "ui/panels/inputs/tensor_table.h"
#include "ui/panels/inspector/arithmetic_view.h"
#include "ui/panels/inspector/inspector_panel.h"
#include "ui/panels/mechanism/mechanism_bar.h"
#include "ui/panels/mechanism/parameter_form.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/actions.h"
#include "ui/window/work_area.h"
#include "ui/window/workspace_parts.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QLineEdit>
#include <QPushButton>
#include <QUndoStack>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

double weight(const MainWindow& window, std::initializer_list<std::int64_t> index) {
    return window.computed()->trace.find("weights")->value.at(index);
}

} // namespace

class TestMainWindow : public QObject, protected SampleFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { begin(); }
    void cleanup() { window_.reset(); }

    void showsTheWorkedExample() {
        const double output = window_->computed()->trace.find("output")->value.at({0, 0, 1, 2});
        QVERIFY2(qAbs(output - 3.445107) < 1e-6, qPrintable(QString::number(output, 'g', 17)));
    }

    void oneGapBesideTheRail() {
        window_->resize(1920, 1000); // so that inputs open at the left
        const auto* area = window_->workArea();
        const QWidget* rail = window_->findChild<Rail*>();
        const auto edge_of = [&](const QWidget* part) { return part->mapTo(window_.get(), QPoint()).x(); };
        for (const bool open : {true, false}) {
            for (auto* dock : window_->panelDocks()->all().first(2))
                dock->setVisible(open);
            QCoreApplication::processEvents();
            QTRY_COMPARE(edge_of(area->pages()) > edge_of(rail) + rail->width() + 100, open);
            if (!open)
                QTRY_COMPARE(edge_of(area->pages()), edge_of(rail) + rail->width() + 6);
        }
    }

    void inputsOpenAtFirstWhereTheyLeaveRoom_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<bool>("open");
        QTest::newRow("1280") << 1280 << false;
        QTest::newRow("1440") << 1440 << false;
        QTest::newRow("1920") << 1920 << true;
    }

    void inputsOpenAtFirstWhereTheyLeaveRoom() {
        QFETCH(int, width);
        QFETCH(bool, open);
        window_->resize(width, 1000);
        window_->panelDocks()->layOut();
        QCOMPARE(window_->panelDocks()->showsInputs(), open);
        QCoreApplication::processEvents();
        QVERIFY(!open || window_->workArea()->width() >= 1100);
    }

    /// In a window without room for both, a panel has the place of the inspector, and the page stays where it is.
    void inputsOpenInThePlaceOfTheInspector_data() {
        QTest::addColumn<int>("which");
        QTest::newRow("inputs") << 0;
        QTest::newRow("mask") << 1;
    }
    void inputsOpenInThePlaceOfTheInspector() {
        QFETCH(int, which);
        window_->resize(1280, 800);
        window_->panelDocks()->layOut();
        QCoreApplication::processEvents();
        const auto panels = window_->panelDocks()->all();
        QDockWidget *panel = panels[which], *other = panels[1 - which], *inspector = panels[2];
        const auto page = [this] { return std::pair(window_->workArea()->geometry(), window_->size()); };
        const auto before = page();
        const QRect place = inspector->geometry();
        auto* matrix = window_->matrixPage()->heatmap();
        matrix->setFocus();
        panel->toggleViewAction()->trigger();
        QTRY_VERIFY(panel->isVisible() && !inspector->isVisible());
        QTRY_COMPARE(panel->geometry(), place);
        QCOMPARE(page(), before);
        QVERIFY(panel->isAncestorOf(QApplication::focusWidget()));
        other->toggleViewAction()->trigger(); // one at a time
        QTRY_VERIFY(other->isVisible() && !panel->isVisible());
        QCOMPARE(page(), before);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QTRY_VERIFY(inspector->isVisible() && !other->isVisible());
        QTRY_COMPARE(inspector->geometry(), place);
        QCOMPARE(page(), before);
        QTRY_COMPARE(QApplication::focusWidget(), static_cast<QWidget*>(matrix));
        // What is saved has the inspector, and comes back as it was.
        panel->toggleViewAction()->trigger();
        window_->panelDocks()->restore();
        panel->toggleViewAction()->trigger();
        QTRY_VERIFY(inspector->isVisible());
        // A wide window has room for all.
        panel->toggleViewAction()->trigger();
        window_->resize(1920, 1000);
        QTRY_VERIFY(panel->isVisible() && inspector->isVisible());
        QTRY_VERIFY(panel->geometry().right() < window_->workArea()->mapTo(window_.get(), QPoint()).x());
    }

    void typingANumberMovesEveryView() {
        window_->findChild<InputsPanel*>()->showTensor("query");
        auto* table = window_->findChild<InputsPanel*>()->table();
        table->setCurrentIndex(table->model()->index(1, 1));
        const double before = weight(*window_, {0, 0, 1, 3});
        table->setFocus();
        QTest::keyClicks(table, "9");
        auto* editor = table->findChild<QLineEdit*>();
        QVERIFY(editor);
        QTest::keyClicks(editor, "9");
        QTest::keyClick(editor, Qt::Key_Return);
        settle();
        QTRY_COMPARE(window_->document().problem().tensors.at("query").at({1, 1}), 99.0);
        settle();
        QVERIFY(weight(*window_, {0, 0, 1, 3}) != before);
        const auto& shown = window_->matrixPage()->heatmap()->matrix();
        QCOMPARE(shown.view()(1, 3), weight(*window_, {0, 0, 1, 3}));

        QVERIFY(window_->document().isModified());
        window_->actions().undo->trigger();
        settle();
        QCOMPARE(weight(*window_, {0, 0, 1, 3}), before);
        QVERIFY(!window_->document().isModified());
    }

    void undoReachesTheDocumentFromANumberField() {
        openSample("multi_head_fox");
        MechanismBar* bar = window_->mechanismBar();
        bar->openTray(MechanismBar::Tray::Mechanism, *bar->moreButton());
        auto* heads = qobject_cast<NumberField*>(bar->parameterField("num_heads"));
        QVERIFY(heads && heads->isVisible());
        heads->setFocus();
        heads->selectAll();
        QTest::keyClick(heads, Qt::Key_5);
        QVERIFY(window_->document().isModified());
        QTest::keyClick(heads, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(!window_->document().isModified());
        QCOMPARE(heads->text(), QString("4"));
        settle();
    }

    void clickingACellPinsItAndWritesTheArithmetic() {
        auto* heatmap = window_->matrixPage()->heatmap();
        const auto centre = heatmap->cellRect({3, 3}).center().toPoint();
        QTest::mouseClick(heatmap->childAt(centre) ? heatmap->childAt(centre) : heatmap, Qt::LeftButton, {},
                          heatmap->childAt(centre) ? heatmap->childAt(centre)->mapFrom(heatmap, centre) : centre);
        QCOMPARE(window_->viewState().pinned(), (std::optional<Cell>{{3, 3}}));
        QVERIFY2(window_->findChild<InspectorPanel*>()->cellCard()->arithmeticText().contains("0.853"),
                 qPrintable(window_->findChild<InspectorPanel*>()->cellCard()->arithmeticText()));
    }

    void paintingOnTheHeatmapMasks() {
        window_->actions().paint->setChecked(true);
        auto* heatmap = window_->matrixPage()->heatmap();
        QVERIFY(heatmap->isPainting());
        emit heatmap->strokeBegan({0, 1}, false);
        emit heatmap->strokeMoved({0, 3});
        emit heatmap->strokeEnded();
        settle();
        QCOMPARE(weight(*window_, {0, 0, 0, 2}), 0.0);
        QCOMPARE(weight(*window_, {0, 0, 0, 0}), 1.0);
        QCOMPARE(window_->document().undoStack()->count(), 1);
        // The output is not a matrix of queries and keys.
        window_->viewState().setStage("output");
        QVERIFY(!heatmap->isPainting());
    }

    void paintingReturnsFromTheComparison() {
        window_->actions().compare->trigger();
        settle();
        QCOMPARE(window_->centre()->current(), QString("compare"));
        window_->actions().paint->setChecked(true);
        QCOMPARE(window_->centre()->current(), QString("matrix"));
        window_->centre()->setCurrent("compare");
        emit window_->findChild<HeadsView*>()->enlargeRequested();
        QCOMPARE(window_->centre()->current(), QString("matrix"));
    }

    void switchingVariantsKeepsTheUsersNumbers() {
        const auto query = window_->document().problem().tensors.at("query");
        auto spec = window_->document().problem().spec;
        for (const auto* id : {"self", "multi_head", "cross", "grouped_query", "causal", "multi_query"}) {
            spec.variant = id;
            spec.parameters = {};
            window_->document().setSpecCompletingInputs(spec, "variant");
            settle();
            QVERIFY2(window_->messageBar()->isHidden(), qPrintable(window_->messageBar()->text()));
            QCOMPARE(window_->document().problem().tensors.at("x"), query);
        }
        while (window_->document().undoStack()->canUndo())
            window_->actions().undo->trigger();
        QCOMPARE(window_->document().problem().spec.variant, std::string("scaled_dot_product"));
    }

    void contradictoryInputsAreExplainedAndTheViewsStay() {
        const auto before = window_->computed();
        window_->document().setTensor("key", Tensor({4, 3}), "key");
        QTRY_VERIFY(window_->messageBar()->isVisible());
        QVERIFY2(window_->messageBar()->text().contains("key") && window_->messageBar()->text().contains("(4, 3)"),
                 qPrintable(window_->messageBar()->text()));
        QCOMPARE(window_->computed(), before);
        window_->actions().undo->trigger();
        QTRY_VERIFY(window_->messageBar()->isHidden());
    }

    void headsThatDoNotFitOfferNewWeights() {
        openSample("multi_head_fox");
        auto spec = window_->document().problem().spec;
        spec.parameters.set("num_heads", std::int64_t{5}); // does not divide the 16 columns of w_q
        window_->document().setSpec(spec, "heads");
        QTRY_VERIFY(window_->messageBar()->isVisible());
        QVERIFY2(window_->messageBar()->text().contains("w_q"), qPrintable(window_->messageBar()->text()));
        auto* way_out = window_->messageBar()->findChild<QPushButton*>();
        QVERIFY(way_out->isVisible());
        way_out->click();
        QTRY_VERIFY(window_->messageBar()->isHidden());
        settle();
        QCOMPARE(window_->computed()->trace.find("weights")->value.dim(1), std::int64_t{5});
        window_->actions().undo->trigger();
        window_->actions().undo->trigger();
        settle();
        QCOMPARE(window_->computed()->trace.find("weights")->value.dim(1), std::int64_t{4});
    }

    void stagesAndHeadsByKeyboard() {
        openSample("multi_head_fox");
        window_->actions().previous_stage->trigger();
        QCOMPARE(window_->viewState().stage(), QString("masked"));
        window_->actions().next_head->trigger();
        QCOMPARE(window_->viewState().head(), 1);
        window_->actions().mean_head->trigger();
        QCOMPARE(window_->viewState().head(), int{ViewState::mean_of_heads});
        window_->actions().previous_head->trigger();
        QCOMPARE(window_->viewState().head(), int{ViewState::mean_of_heads});
    }

    void everyCommandHasAWordAndNoTwoShareAShortcut() {
        QStringList shortcuts;
        for (const auto* action : window_->QWidget::actions()) {
            QVERIFY2(!action->text().isEmpty(), qPrintable(action->objectName()));
            if (const auto keys = action->shortcut().toString(); !keys.isEmpty()) {
                QVERIFY2(!shortcuts.contains(keys), qPrintable(keys));
                shortcuts << keys;
            }
        }
        QVERIFY(shortcuts.size() > 20);
    }

    void tabFollowsTheEye() {
        openSample("multi_head_fox");
        QStringList stops;
        QWidget* at = window_.get();
        do {
            if ((at->focusPolicy() & Qt::TabFocus) && at->isVisible() && at->isEnabled())
                stops << (at->objectName().isEmpty() ? at->accessibleName() : at->objectName());
            at = at->nextInFocusChain();
        } while (at != window_.get());
        const auto place = [&](const QString& start) {
            return std::find_if(stops.begin(), stops.end(),
                                [&](const QString& name) { return name.startsWith(start); }) -
                   stops.begin();
        };
        const QString all = stops.join(QStringLiteral(" | "));
        QVERIFY2(place("Mechanism") < place("Heads 4") && place("Heads 4") < place("Scores: "), qPrintable(all));
        QVERIFY2(place("Scores: ") < place("Scale: ") && place("Scale: ") < place("Masks: ") &&
                     place("Masks: ") < place("Weights by ") && place("Weights by ") < place("Stage weights"),
                 qPrintable(all));
        QVERIFY2(place("Stage weights") < place("More stages") && place("More stages") < place("Colour map"),
                 qPrintable(all));
        QCOMPARE(place("Head 0"), place("Order of the heads") + 1);
    }

    /// The message about a paste is removed with it, and a small block does not change other inputs.
    void whatIsSaidOfAPasteGoesWithIt() {
        window_->findChild<TensorTable*>()->setCurrentIndex(window_->findChild<TensorTable*>()->model()->index(0, 0));
        const auto before = window_->document().problem();
        window_->findChild<TensorTable*>()->pasteText("1\t2\t3\t4\t5\t6\n");
        QVERIFY2(window_->messageBar()->text().contains(QStringLiteral("1 × 6")),
                 qPrintable(window_->messageBar()->text()));
        QVERIFY(window_->messageBar()->isVisible());
        settle();
        window_->document().undoStack()->undo();
        QVERIFY(!window_->messageBar()->isVisible());
        QVERIFY(window_->document().problem() == before);
        settle();
    }

    /// The README's second step: typing at the cursor changes the weights.
    void theFirstCellMovesTheWeights() {
        const auto before = window_->computed()->trace.find("weights")->value;
        auto* table = window_->findChild<TensorTable*>();
        QVERIFY(table->model()->setData(table->currentIndex(), "3", Qt::EditRole));
        settle();
        QVERIFY(!(window_->computed()->trace.find("weights")->value == before));
    }
};

ATTNLAB_TEST(TestMainWindow)
#include "test_main_window.moc"
