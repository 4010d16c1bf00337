// The whole window, controlled by keys and mouse, checked in its views.
#include "core/io/npz.h"
#include "core/io/workspace.h"
#include "tests/places.h"
#include "tests/test_main.h"
#include "tests/ui/backends.h"
#include "ui/document/file_controller.h"
#include "ui/document/samples.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/matrix/stages/heads_view.h"
#include "ui/matrix/stages/stage_strip.h"
#include "ui/pages/matrix_page.h"
#include "ui/panels/formula_panel.h"
#include "ui/panels/inputs/inputs_panel.h"
#include "ui/panels/inputs/tensor_table.h"
#include "ui/panels/inspector/cell_card.h"
#include "ui/panels/inspector/inspector_panel.h"
#include "ui/panels/mechanism/mechanism_bar.h"
#include "ui/panels/mechanism/number_field.h"
#include "ui/widgets/language.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/actions.h"
#include "ui/window/main_window.h"
#include "ui/window/panel_docks.h"
#include "ui/window/rail.h"
#include "ui/window/status_line.h"
#include "ui/window/window_pages.h"
#include "ui/window/work_area.h"

#include <QDockWidget>
#include <QDropEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QUndoStack>
#include <QUrl>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

double weight(const MainWindow& window, std::initializer_list<std::int64_t> index) {
    return window.computed()->trace.find("weights")->value.at(index);
}

} // namespace

class TestMainWindow : public QObject {
    Q_OBJECT

    std::unique_ptr<MainWindow> window_;

    /// Waits until the latest edit is displayed.
    void settle() { QTRY_VERIFY_WITH_TIMEOUT(!window_->isComputing() && window_->computed(), 10000); }
    void openSample(const char* id) {
        window_->files().openSample(QString::fromLatin1(id));
        settle();
    }
    void write(const QString& path, const TensorMap& tensors) { io::write_tensors(path.toStdString(), tensors); }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabTest");
    }

    void init() {
        window_ = std::make_unique<MainWindow>(backends);
        window_->files().setAnswer(FileController::Answer::Discard);
        window_->resize(1280, 800);
        window_->panelDocks()->openInputs();
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        openSample("milk_or_cat_sweet");
    }

    void cleanup() { window_.reset(); }

    void showsTheWorkedExample() {
        const double output = window_->computed()->trace.find("output")->value.at({0, 0, 1, 2});
        QVERIFY2(qAbs(output - 3.445107) < 1e-6, qPrintable(QString::number(output, 'g', 17)));
    }

    void oneGapBesideTheRail() {
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

    void theFormulaIsAsWideAsTheCardsBelow() {
        const auto* formula = window_->findChild<FormulaPanel*>();
        const auto* cell = window_->findChild<CellCard*>();
        QCOMPARE(formula->width(), cell->width());
        QCOMPARE(formula->mapTo(window_.get(), QPoint()).x(), cell->mapTo(window_.get(), QPoint()).x());
        window_->resize(1920, 1200);
        QTRY_VERIFY(!formula->shownHelp().endsWith(QChar(0x2026)));
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

    void everySampleOpens_data() {
        QTest::addColumn<QString>("id");
        for (const auto& sample : samples())
            QTest::newRow(sample.id) << QString::fromLatin1(sample.id);
    }

    void everySampleOpens() {
        QFETCH(QString, id);
        openSample(qPrintable(id));
        QVERIFY2(window_->messageBar()->isHidden(), qPrintable(window_->messageBar()->text()));
        QVERIFY(window_->matrixPage()->shownStage());
        QVERIFY(!window_->findChild<StatusLine*>()->shapeLine().isEmpty());
        QVERIFY(!window_->document().isModified());
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
        auto* heads = window_->mechanismBar()->findChild<NumberField*>(QStringLiteral("num_heads"));
        QVERIFY(heads);
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

    void savesAndOpensAWorkspace() {
        const QTemporaryDir folder;
        const auto path = folder.filePath("work.npz");
        openSample("multi_head_fox");
        window_->viewState().setHead(2);
        window_->viewState().setStage("scores");
        QVERIFY(window_->files().saveTo(path));
        const auto problem = window_->document().problem();
        openSample("milk_or_cat_hungry");
        QSignalSpy opened(&window_->files(), &FileController::opened);
        window_->files().open({path});
        QVERIFY(opened.wait());
        settle();
        QVERIFY(window_->document().problem() == problem);
        QCOMPARE(window_->viewState().head(), 2);
        QCOMPARE(window_->viewState().stage(), QString("scores"));
        QCOMPARE(window_->document().path(), path);
    }

    void wrongFilesLeaveEverythingAsItWas_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("name");
        QTest::newRow("empty") << QByteArray() << "a.npz";
        QTest::newRow("no zip") << QByteArray("hello") << "a.npz";
        QTest::newRow("cut npy") << QByteArray("\x93NUMPY\x01\x00\x76\x00{'descr': '<f8'", 24) << "a.npy";
        QTest::newRow("cut safetensors") << QByteArray("\x10\0\0\0\0\0\0\0{\"w\":", 13) << "a.safetensors";
        QTest::newRow("text table") << QByteArray("1,2\n3,x\n") << "a.csv";
        QTest::newRow("unknown") << QByteArray("1 2 3") << "a.docx";
    }

    void wrongFilesLeaveEverythingAsItWas() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, name);
        const QTemporaryDir folder;
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
        file.close();
        const auto problem = window_->document().problem();
        QSignalSpy opened(&window_->files(), &FileController::opened);
        window_->files().openOrJoin({file.fileName()}, "query");
        QVERIFY(opened.wait());
        QVERIFY(!opened.first().first().toBool());
        QVERIFY2(window_->messageBar()->text().contains(name), qPrintable(window_->messageBar()->text()));
        QVERIFY(window_->document().problem() == problem);
    }

    void droppedFilesOpen_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("csv") << "homework.csv";
        QTest::newRow("safetensors") << "homework.safetensors";
    }
    void droppedFilesOpen() {
        QFETCH(QString, name);
        const QTemporaryDir folder;
        write(folder.filePath(name), {{"homework", Tensor({2, 2}, {1, 2, 3, 4})}});
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(folder.filePath(name))});
        window_->findChild<InputsPanel*>()->showTensor("value");
        QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QSignalSpy opened(&window_->files(), &FileController::opened);
        QApplication::sendEvent(window_.get(), &enter);
        QVERIFY(enter.isAccepted());
        QApplication::sendEvent(window_.get(), &drop);
        QVERIFY(opened.wait());
        QCOMPARE(window_->document().problem().tensors.at("value").shape(), (Shape{2, 2}));
        window_->actions().undo->trigger();
        QCOMPARE(window_->document().problem().tensors.at("value").shape(), (Shape{4, 4}));
    }

    void masksOfAFileAreOn_data() {
        QTest::addColumn<QString>("path");
        QTest::newRow("npz") << QStringLiteral(ATTNLAB_GOLDEN_DIR "/torch_mha_self.in.npz");
        QTest::newRow("safetensors") << QStringLiteral(ATTNLAB_TEST_DATA_DIR "/torch_mha_self.safetensors");
    }
    void masksOfAFileAreOn() {
        QFETCH(QString, path);
        window_->files().setArrayChooser([](const auto&, Choices choices) {
            choices.num_heads = 2;
            return std::optional(choices);
        });
        window_->files().open({path});
        QTRY_COMPARE(window_->document().problem().spec.variant, std::string("multi_head"));
        settle();
        const auto& spec = window_->document().problem().spec;
        QCOMPARE(spec.variant, std::string("multi_head"));
        QCOMPARE(spec.masks.size(), std::size_t{1});
        QCOMPARE(spec.masks[0].id, std::string("key_padding"));
        // A state_dict of torch is shown under our names, ready to be edited.
        QVERIFY(window_->document().problem().tensors.contains("w_q"));
        QVERIFY(!window_->document().problem().tensors.contains("in_proj_weight"));
    }

    void labelsOfATableNameTheTokens() {
        const QTemporaryDir folder;
        QFile file(folder.filePath("homework.csv"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("a,1,2,3,4\nb,5,6,7,8\nc,9,0,1,2\nd,3,4,5,6\n");
        file.close();
        QSignalSpy opened(&window_->files(), &FileController::opened);
        window_->files().openOrJoin({file.fileName()}, "query");
        QVERIFY(opened.wait());
        settle();
        QCOMPARE(window_->document().problem().query_tokens, (std::vector<std::string>{"a", "b", "c", "d"}));
        QCOMPARE(window_->document().problem().tensors.at("query").at({3, 0}), 3.0);
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
        QVERIFY2(place("Mechanism") < place("num_heads") && place("num_heads") < place("More parameters"),
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
