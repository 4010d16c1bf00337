// What the commands of the menus do, up to the dialogs in which they ask for a file.
#include "core/edit/sentence.h"
#include "core/io/file_formats.h"
#include "core/io/npy.h"
#include "core/io/saved/workspace_file.h"
#include "tests/test_main.h"
#include "tests/ui/file_dialogs.h"
#include "tests/ui/window_backends.h"
#include "ui/document/file_controller.h"
#include "ui/document/settings.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/matrix/stages/stage_strip.h"
#include "ui/model/model_page.h"
#include "ui/model/model_session.h"
#include "ui/model/sentence_panel.h"
#include "ui/pages/matrix_page.h"
#include "ui/panels/inputs/inputs_panel.h"
#include "ui/panels/key_grid/key_picture.h"
#include "ui/panels/ribbon/sentence_ribbon.h"
#include "ui/panels/ribbon/token_arcs.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"
#include "ui/window/actions.h"
#include "ui/window/main_window.h"
#include "ui/window/model_mode.h"
#include "ui/window/panel_docks.h"
#include "ui/window/work_area.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QUndoStack>

#include <algorithm>

using namespace attnlab;
using namespace attnlab::ui;

class TestWindowCommands : public QObject {
    Q_OBJECT

    std::unique_ptr<MainWindow> window_;
    QTemporaryDir folder_;

    void settle() { QTRY_VERIFY_WITH_TIMEOUT(!window_->isComputing() && window_->computed(), 10000); }
    void open(const char* sample) {
        window_->files().openSample(QString::fromLatin1(sample));
        settle();
    }
    Actions& actions() { return window_->actions(); }
    ViewState& view() { return window_->viewState(); }
    HeatmapView& heatmap() { return *window_->matrixPage()->heatmap(); }
    QString path(const char* name) const { return folder_.filePath(QString::fromLatin1(name)); }
    void write(const char* name, const TensorMap& tensors) { io::write_tensors(path(name).toStdString(), tensors); }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabCommandsTest");
        QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    }

    void init() {
        QSettings().clear();
        window_ = std::make_unique<MainWindow>(backends);
        window_->files().setAnswer(FileController::Answer::Discard);
        window_->resize(1280, 800);
        window_->panelDocks()->openInputs();
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        open("milk_or_cat_sweet");
    }

    void cleanup() {
        window_.reset();
        applyTheme(ThemeChoice::Light);
    }

    void stagesAreSteppedThrough() {
        view().setStage("weights");
        actions().next_stage->trigger();
        QCOMPARE(view().stage(), QString("output"));
        actions().next_stage->trigger();
        QCOMPARE(view().stage(), QString("output")); // the last one
        actions().previous_stage->trigger();
        QCOMPARE(view().stage(), QString("weights"));
        QCOMPARE(window_->matrixPage()->shownStage()->name, std::string("weights"));
    }

    void similarityIsAddedFromTheListOfStages() {
        const auto actions_of_menu = window_->stageStrip()->moreMenu()->actions();
        const auto similarity =
            std::ranges::find(actions_of_menu, QStringLiteral("Add: output similarity"), &QAction::text);
        QVERIFY(similarity != actions_of_menu.end());
        (*similarity)->trigger();
        QTRY_VERIFY(!window_->isComputing() && window_->computed()->trace.find("similarity"));
        QTRY_COMPARE(window_->matrixPage()->shownStage()->name, std::string("similarity"));
        QVERIFY(window_->stageStrip()->stageNames().contains("similarity"));
        window_->document().undoStack()->undo();
        settle();
        QVERIFY(!window_->computed()->trace.find("similarity"));
    }

    void aTypedSentenceIsReadByTheSampleModel() {
        auto next = with_sentences(window_->document().problem(), {{"Mary", "gave", "John", "a"}, {}});
        window_->document().edit({}, std::move(next));
        settle();
        auto* button = window_->workArea()->ribbon()->modelButton();
        QTRY_VERIFY(button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(window_->modelMode()->isOn(), 10000);
        QCOMPARE(window_->findChild<ModelSession*>()->request().text, "Mary gave John a");
        // The chosen word stays chosen, by its place in the text.
        window_->actions().go_workspace->trigger();
        window_->workArea()->ribbon()->choose(1);
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(window_->modelMode()->isOn(), 10000);
        const auto* sentence = window_->modelMode()->page()->sentence();
        QTRY_COMPARE_WITH_TIMEOUT(sentence->query(), std::optional(2), 10000); // behind the start
        QCOMPARE(sentence->arcs()->tokens().shown(RibbonTokens::Side::Queries, 2), QStringLiteral("gave"));
    }

    void headsAreSteppedThrough() {
        open("multi_head_fox");
        view().setHead(0);
        actions().next_head->trigger();
        QCOMPARE(view().head(), 1);
        actions().previous_head->trigger();
        QCOMPARE(view().head(), 0);
        actions().previous_head->trigger();
        QCOMPARE(view().head(), int{ViewState::mean_of_heads});
    }

    void theCellIsUnpinned() {
        view().setPinned(Cell{1, 2});
        actions().clear_pin->trigger();
        QVERIFY(!view().pinned());
        QVERIFY(!heatmap().pinned());
    }

    void zoomsInAndOut() {
        open("multi_head_fox");
        const QRect all = heatmap().visibleCells();
        actions().zoom_in->trigger();
        actions().zoom_in->trigger();
        actions().zoom_in->trigger();
        const QRect seen = heatmap().visibleCells();
        QVERIFY(seen.height() < all.height()); // the widget is wide: every column still has room
        for (int i = 0; i < 3; ++i)
            actions().zoom_out->trigger();
        QCOMPARE(heatmap().visibleCells(), all);
    }

    void theMatrixIsCopied() {
        view().setStage("weights");
        actions().copy_matrix->trigger();
        const auto lines = QGuiApplication::clipboard()->text().split('\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 4);
        QCOMPARE(lines[1].split('\t').value(3).toDouble(),
                 window_->computed()->trace.find("weights")->value.at({0, 0, 1, 3}));
        QVERIFY(window_->messageBar()->text().contains("weights"));
        actions().copy_picture->trigger();
        QVERIFY(QGuiApplication::clipboard()->image().width() > 100);
    }

    void theSettingIsCopiedAsCode() {
        auto* menu = actions().copy_as;
        const auto entries = menu->actions();
        QCOMPARE(entries.size(), 7);
        const char* begin[] = {"import torch",
                               "import numpy",
                               "import jax",
                               "import torch",
                               "import torch",
                               "% amsmath",
                               "attnlab compute workspace.npz"};
        emit menu->aboutToShow();
        for (qsizetype i = 0; i < entries.size(); ++i) {
            QVERIFY(entries[i]->isEnabled() && entries[i]->statusTip().isEmpty());
            entries[i]->trigger();
            const auto text = QGuiApplication::clipboard()->text();
            QVERIFY2(text.startsWith(QLatin1String(begin[i])), qPrintable(text));
            QVERIFY(window_->messageBar()->text().contains(withoutMnemonic(entries[i]->text())));
        }
        // The page in front does not matter.
        window_->centre()->setCurrent(QStringLiteral("steps"));
        entries[1]->trigger();
        QVERIFY(QGuiApplication::clipboard()->text().contains("query = np.array([["));
        window_->centre()->setCurrent(QStringLiteral("matrix"));
    }

    void whatHasNoCodeSaysWhy() {
        auto spec = window_->document().problem().spec;
        spec.variant = "performer";
        spec.masks = {};
        spec.scale = {};
        window_->document().setSpecCompletingInputs(spec, "Set");
        settle();
        auto* menu = actions().copy_as;
        const auto entries = menu->actions();
        emit menu->aboutToShow();
        for (qsizetype i = 0; i < entries.size(); ++i) {
            const bool command = i == entries.size() - 1;
            QCOMPARE(entries[i]->isEnabled(), command);
            QCOMPARE(entries[i]->statusTip().contains("performer"), !command);
            QCOMPARE(entries[i]->toolTip().contains("performer"), !command);
        }
        QGuiApplication::clipboard()->setText("before");
        entries[0]->setEnabled(true); // the menu was not open since the document changed
        entries[0]->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(), QString("before"));
        QVERIFY(window_->messageBar()->text().contains("performer"));
        window_->document().undoStack()->undo();
        settle();
        emit menu->aboutToShow();
        QVERIFY(entries[0]->isEnabled());
    }

    void theWindowFillsTheScreen() {
        actions().full_screen->trigger();
        QVERIFY(window_->isFullScreen());
        actions().full_screen->trigger();
        QVERIFY(!window_->isFullScreen());
    }

    void panelsCloseAndComeBack() {
        window_->resize(1920, 1080); // with room for all
        window_->panelDocks()->openInputs();
        const auto toggles = actions().panels->actions();
        for (const char* id : {"inputs", "mask", "inspector"}) {
            auto* panel = window_->findChild<QDockWidget*>(QLatin1String(id));
            QVERIFY2(panel && panel->isVisible(), id);
            QVERIFY2(toggles.contains(panel->toggleViewAction()), id);
            panel->toggleViewAction()->trigger();
            QVERIFY2(!panel->isVisible(), id);
        }
        window_->resize(1920, 1080);
        actions().reset_layout->trigger();
        for (const char* id : {"inputs", "mask", "inspector"})
            QVERIFY2(window_->findChild<QDockWidget*>(QLatin1String(id))->isVisible(), id);
        // In a narrow window the matrix has the room of the inputs.
        window_->resize(1280, 800);
        actions().reset_layout->trigger();
        for (const char* id : {"inputs", "mask"})
            QVERIFY2(!window_->findChild<QDockWidget*>(QLatin1String(id))->isVisible(), id);
        QVERIFY(window_->findChild<QDockWidget*>(QStringLiteral("inspector"))->isVisible());
    }

    void aThemeIsChosenAndRemembered() {
        actions().theme->actions().at(2)->trigger();
        QVERIFY(theme().dark);
        QCOMPARE(settings::themeChoice(), ThemeChoice::Dark);
        QCoreApplication::processEvents();
        QVERIFY(actions().theme->actions().at(2)->isChecked());
        for (const auto& [at, choice] :
             {std::pair(3, ThemeChoice::ContrastLight), std::pair(4, ThemeChoice::ContrastDark)}) {
            actions().theme->actions().at(at)->trigger();
            QVERIFY(theme().high_contrast);
            QCOMPARE(theme().dark, choice == ThemeChoice::ContrastDark);
            QCOMPARE(settings::themeChoice(), choice);
            QCoreApplication::processEvents();
        }
        actions().theme->actions().at(1)->trigger();
        QVERIFY(!theme().dark);
        QCOMPARE(settings::themeChoice(), ThemeChoice::Light);
    }

    void aNewDocumentIsNotTheOldOne() {
        const auto before = window_->document().title();
        actions().new_document->trigger();
        settle();
        QVERIFY(window_->document().title() != before);
        QVERIFY(!window_->document().isModified());
        QCOMPARE(window_->document().undoStack()->count(), 0);
    }

    void recentFilesOpenAgain() {
        write("kept.npz",
              {{"query", Tensor({2, 3}, 1.0)}, {"key", Tensor({5, 3}, 1.0)}, {"value", Tensor({5, 2}, 1.0)}});
        window_->files().open({path("kept.npz")});
        QTRY_COMPARE(window_->document().problem().tensors.at("key").dim(0), 5);
        settle();
        open("milk_or_cat_sweet");
        QVERIFY(actions().recent->actions().first()->text().contains("kept.npz"));
        actions().recent->actions().first()->trigger();
        QTRY_COMPARE(window_->document().problem().tensors.at("key").dim(0), 5);
        const auto entries = actions().recent->actions();
        const auto clear = std::ranges::find(entries, QStringLiteral("Clear this list"), &QAction::text);
        QVERIFY(clear != entries.end());
        (*clear)->trigger();
        QVERIFY(!actions().recent->actions().first()->isEnabled());
        QVERIFY(settings::recentFiles().isEmpty());
    }

    void aSettingOfAFileBecomesB() {
        auto other = window_->document().problem();
        other.spec.masks = {{"causal", {}}};
        io::write_workspace(path("causal.npz").toStdString(), other);
        answerFileDialog(this, path("causal.npz"));
        actions().compare_setting->trigger();
        QTRY_VERIFY(window_->document().problem().compared_with);
        QVERIFY(window_->document().problem().compared_with->masks == other.spec.masks);
        QVERIFY(window_->document().problem().spec.masks.empty());
        QCOMPARE(window_->centre()->current(), QString("compare"));
        window_->document().undoStack()->undo();
        QVERIFY(!window_->document().problem().compared_with);
    }

    void arraysAloneAreNoSetting() {
        write("arrays.npz", {{"query", Tensor({2, 3}, 1.0)}});
        answerFileDialog(this, path("arrays.npz"));
        actions().compare_setting->trigger();
        QTRY_VERIFY(window_->messageBar()->text().contains("arrays.npz"));
        QVERIFY(!window_->document().problem().compared_with);
    }

    void keysBecomeAPicture() {
        actions().key_grid->trigger();
        auto* dialog = window_->findChild<KeyGridDialog*>();
        QVERIFY(dialog);
        dialog->enabledBox()->setChecked(true);
        dialog->rows()->setValue(2);
        dialog->columns()->setValue(2);
        const auto expected = dialog->result();
        dialog->accept();
        QVERIFY(window_->document().problem().key_grid);
        QVERIFY(window_->document().problem().key_grid == expected.key_grid);
        window_->document().undoStack()->undo();
        QVERIFY(!window_->document().problem().key_grid);
    }

    void aFileIsOpenedIntoOneInput() {
        write("values.npz", {{"anything", Tensor({4, 4}, 7.0)}});
        answerFileDialog(this, path("values.npz"));
        emit window_->findChild<InputsPanel*>()->openFileRequested("value");
        QTRY_COMPARE(window_->document().problem().tensors.at("value").value(0), 7.0);
        QCOMPARE(window_->document().undoStack()->count(), 1);
    }

    void oneInputIsSaved() {
        answerFileDialog(this, path("query.npy"));
        emit window_->findChild<InputsPanel*>()->saveFileRequested("query");
        QTRY_VERIFY(QFile::exists(path("query.npy")));
        const Tensor saved = io::read_npy(path("query.npy").toStdString());
        QVERIFY(saved.shape() == window_->document().problem().tensors.at("query").shape());
        QCOMPARE(saved.value(1), window_->document().problem().tensors.at("query").value(1));
    }

    void theWindowRemembersItsSize() {
        window_->resize(1200, 760);
        auto* mask = window_->findChild<QDockWidget*>(QStringLiteral("mask"));
        mask->close();
        window_->close();
        MainWindow next(backends);
        next.show();
        QVERIFY(QTest::qWaitForWindowExposed(&next));
        QCOMPARE(next.size(), QSize(1200, 760));
        QVERIFY(!next.findChild<QDockWidget*>(QStringLiteral("mask"))->isVisible());
    }
};

ATTNLAB_TEST(TestWindowCommands)
#include "test_window_commands.moc"
