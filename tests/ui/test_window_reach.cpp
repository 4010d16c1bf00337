// What users reach by buttons, keys, menus and the dialogs of files.
#include "core/io/file_formats.h"
#include "core/io/saved/workspace_file.h"
#include "tests/test_main.h"
#include "tests/ui/file_dialogs.h"
#include "tests/ui/traces.h"
#include "tests/ui/window_backends.h"
#include "ui/document/file_controller.h"
#include "ui/document/local_files.h"
#include "ui/document/settings.h"
#include "ui/learn/learn_page.h"
#include "ui/learn/lesson_list.h"
#include "ui/learn/lesson_page.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/matrix/map/large_inputs.h"
#include "ui/matrix/stages/stage_strip.h"
#include "ui/pages/compare/compare_with_file_page.h"
#include "ui/pages/matrix_page.h"
#include "ui/panels/inputs/inputs_panel.h"
#include "ui/panels/inputs/tensor_table.h"
#include "ui/panels/mask/mask_import.h"
#include "ui/panels/mask/mask_panel.h"
#include "ui/panels/mask/mask_settings.h"
#include "ui/panels/mechanism/mechanism_bar.h"
#include "ui/panels/mechanism/picker.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/number_controls.h"
#include "ui/widgets/text.h"
#include "ui/window/actions.h"
#include "ui/window/learn_mode.h"
#include "ui/window/main_window.h"
#include "ui/window/panel_docks.h"
#include "ui/window/preferences.h"
#include "ui/window/status_line.h"
#include "ui/window/window_commands.h"
#include "ui/window/work_area.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QDialogButtonBox>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <QUndoStack>

#include <algorithm>
#include <functional>
#include <limits>

using namespace attnlab;
using namespace attnlab::ui;

class TestWindowReach : public QObject {
    Q_OBJECT

    std::unique_ptr<MainWindow> window_;
    QTemporaryDir folder_;

    void settle() { QTRY_VERIFY_WITH_TIMEOUT(!window_->isComputing() && window_->computed(), 10000); }
    void open(const char* sample) {
        window_->files().openSample(QString::fromLatin1(sample));
        settle();
    }
    Document& document() { return window_->document(); }
    Actions& actions() { return window_->actions(); }
    HeatmapView& heatmap() { return *window_->matrixPage()->heatmap(); }
    QString path(const char* name) const { return folder_.filePath(QString::fromLatin1(name)); }

    QToolButton* button(const char* name) {
        for (auto* one : window_->matrixPage()->header()->findChildren<QToolButton*>())
            if (one->accessibleName() == QLatin1String(name))
                return one;
        return nullptr;
    }
    /// A problem of L = S = `size`, with every weight equal.
    void openFlat(std::int64_t size) {
        AttentionProblem problem;
        for (const char* name : {"query", "key", "value"})
            problem.tensors.emplace(name, Tensor({size, 4}, 1.0));
        document().reset(std::move(problem));
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabReachTest");
        QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    }

    void init() {
        QSettings().clear();
        window_ = std::make_unique<MainWindow>(backends);
        window_->files().setAnswer(FileController::Answer::Discard);
        window_->resize(1440, 900);
        window_->panelDocks()->openInputs();
        window_->show();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        open("milk_or_cat_sweet");
    }

    void cleanup() {
        window_.reset();
        applyLanguage(QStringLiteral("en"));
    }

    void buttonsZoom() {
        openFlat(48);
        settle();
        const QRect all = heatmap().visibleCells();
        for (int i = 0; i < 4; ++i)
            button("Zoom in")->click();
        const QRect enlarged = heatmap().visibleCells();
        QVERIFY(enlarged.height() < all.height());
        button("Zoom out")->click();
        QVERIFY(heatmap().visibleCells().height() > enlarged.height());
        button("Fit to window")->click();
        QCOMPARE(heatmap().visibleCells(), all);
    }

    void keysMoveThePictureAndTheCursor() {
        openFlat(200);
        settle();
        for (int i = 0; i < 8; ++i)
            heatmap().zoomIn();
        const QRect before = heatmap().visibleCells();
        QTest::keyClick(&heatmap(), Qt::Key_Right, Qt::ControlModifier);
        QTest::keyClick(&heatmap(), Qt::Key_Down, Qt::ControlModifier);
        const QRect panned = heatmap().visibleCells();
        QVERIFY(panned.left() > before.left() && panned.top() > before.top());
        QTest::keyClick(&heatmap(), Qt::Key_Left, Qt::ControlModifier);
        QTest::keyClick(&heatmap(), Qt::Key_Up, Qt::ControlModifier);
        QVERIFY((heatmap().visibleCells().topLeft() - before.topLeft()).manhattanLength() <= 1);

        std::optional<Cell> at;
        connect(&heatmap(), &HeatmapView::cellHovered, this, [&](std::optional<Cell> cell) { at = cell; });
        heatmap().zoomToFit();
        QTest::keyClick(&heatmap(), Qt::Key_Down); // shows the cursor
        QTest::keyClick(&heatmap(), Qt::Key_PageDown);
        QVERIFY(at && at->row == 199);
        QTest::keyClick(&heatmap(), Qt::Key_PageUp);
        QVERIFY(at && at->row == 0);
        QTest::keyClick(&heatmap(), Qt::Key_End);
        QVERIFY(at && at->column == 199);
        heatmap().disconnect(this);
    }

    void theMinimapMovesThePicture() {
        openFlat(200);
        settle();
        for (int i = 0; i < 8; ++i)
            heatmap().zoomIn();
        QVERIFY(heatmap().showsMinimap());
        const QRect before = heatmap().visibleCells();
        const int x = heatmap().width() - 40;
        for (int y = heatmap().height() - 1; y > heatmap().height() - 150 && heatmap().visibleCells() == before;
             y -= 10)
            QTest::mouseClick(&heatmap(), Qt::LeftButton, {}, QPoint(x, y)); // the lower part of the minimap
        QVERIFY(heatmap().visibleCells() != before);
        QVERIFY(heatmap().visibleCells().bottom() > 180);
    }

    void aPanelFloatsAndComesBack() {
        auto* panel = window_->findChild<QDockWidget*>(QStringLiteral("inspector"));
        auto* grip = panel->findChild<PanelGrip*>();
        QVERIFY(grip && !panel->isFloating());
        const auto choose = [&](const char* entry) {
            QStringList entries;
            whenOpen<QMenu>(this, [&entries, entry](QMenu& menu) {
                for (auto* action : menu.actions()) {
                    entries << action->text();
                    if (action->text() == QLatin1String(entry))
                        action->trigger();
                }
                menu.close();
            });
            QContextMenuEvent event(QContextMenuEvent::Mouse, grip->rect().center(),
                                    grip->mapToGlobal(grip->rect().center()));
            QCoreApplication::sendEvent(grip, &event);
            QVERIFY2(entries.contains(QLatin1String(entry)), qPrintable(entries.join(',')));
        };
        choose("Float");
        QVERIFY(panel->isFloating() && panel->isVisible());
        choose("Put back into the window");
        QVERIFY(!panel->isFloating() && panel->isVisible());
        choose("Close this panel");
        QVERIFY(!panel->isVisible());
    }

    void aLanguageIsChosenAndRemembered() {
        const auto entries = actions().language->actions();
        const auto chinese = std::ranges::find(entries, QString::fromUtf8("简体中文"), &QAction::text);
        QVERIFY(chinese != entries.end());
        (*chinese)->trigger();
        QTRY_COMPARE(currentLanguage(), QStringLiteral("zh_CN"));
        QCOMPARE(settings::language(), QStringLiteral("zh_CN"));
        QTRY_VERIFY(actions().save->text() != QStringLiteral("&Save"));
        const auto again = actions().language->actions();
        QVERIFY(std::ranges::any_of(again, [](const QAction* one) {
            return one->isChecked() && one->text() == QString::fromUtf8("简体中文");
        }));
        const auto english = std::ranges::find(again, QStringLiteral("English"), &QAction::text);
        QVERIFY(english != again.end());
        (*english)->trigger();
        QTRY_COMPARE(actions().save->text(), QStringLiteral("&Save"));
    }

    void theUndoLimitIsASetting() {
        QCOMPARE(document().undoBytes(), Document::default_undo_bytes);
        actions().preferences->trigger();
        auto* dialog = window_->findChild<PreferencesDialog*>();
        QVERIFY(dialog);
        auto* memory = dialog->undoMemory();
        QCOMPARE(memory->value(), 256);
        memory->setValue(64);
        dialog->accept();
        QCOMPARE(document().undoBytes(), std::size_t{64} << 20);
        QCOMPARE(settings::undoBytes(), std::size_t{64} << 20);
        MainWindow another{Backends(backends)};
        QCOMPARE(another.document().undoBytes(), std::size_t{64} << 20);
        settings::setUndoBytes(Document::default_undo_bytes);
    }

    void aSmallerLimitShowsAMap() {
        openFlat(60);
        settle();
        QVERIFY(!window_->largeInputs()->isOpen());
        actions().preferences->trigger();
        auto* dialog = window_->findChild<PreferencesDialog*>();
        QVERIFY(dialog);
        dialog->mapCells()->setValue(dialog->mapCells()->minimum());
        dialog->mapMemory()->setValue(100);
        dialog->accept();
        QCOMPARE(settings::mapFromCells(), static_cast<std::int64_t>(dialog->mapCells()->minimum()));
        QCOMPARE(settings::mapBytes(), std::size_t{100} << 20);
        QCOMPARE(dialog->mapMemory()->suffix(), QStringLiteral(" MiB"));
        QTRY_VERIFY_WITH_TIMEOUT(window_->largeInputs()->isOpen(), 10000);

        // Largest or mean, by the picker.
        QTRY_VERIFY_WITH_TIMEOUT(!window_->largeInputs()->isComputing(), 20000);
        auto* pool = window_->matrixPage()->poolPicker();
        QVERIFY(pool->isVisible());
        pool->setCurrentIndex(1);
        emit pool->activated(1);
        QCOMPARE(window_->largeInputs()->session().choice().pool, Pool::Mean);
        pool->setCurrentIndex(0);
        emit pool->activated(0);
        QCOMPARE(window_->largeInputs()->session().choice().pool, Pool::Max);
        QTRY_VERIFY_WITH_TIMEOUT(!window_->largeInputs()->isComputing(), 20000);
        QTRY_VERIFY_WITH_TIMEOUT(window_->largeInputs()->session().pyramid(), 20000);

        // What is in sight goes to the clipboard, as numbers and as a picture.
        actions().copy_matrix->trigger();
        const auto lines = QGuiApplication::clipboard()->text().split('\n', Qt::SkipEmptyParts);
        QVERIFY2(lines.size() >= 60, qPrintable(QString::number(lines.size())));
        QVERIFY(std::abs(lines.back().split('\t').back().toDouble() - 1.0 / 60) < 1e-6);
        actions().copy_picture->trigger();
        QVERIFY(QGuiApplication::clipboard()->image().width() > 100);
    }

    void theStatusLineSaysWhatComputed() {
        auto* status = window_->findChild<StatusLine*>();
        QVERIFY2(status->engineText().contains("exact (64-bit)"), qPrintable(status->engineText()));
        QCOMPARE(status->shapeLine(), QString::fromUtf8("1 head · 4 × 4 · width 4"));
        openFlat(7);
        settle();
        QVERIFY2(status->shapeLine().contains(QString::fromUtf8("7 × 7")), qPrintable(status->shapeLine()));
    }

    /// A map is warned of like what is computed whole, and only the head that has such numbers.
    void theStatusLineWarnsOfTheDataOfAMap() {
        settings::setMapFromCells(1000);
        auto* status = window_->findChild<StatusLine*>();
        auto* large = window_->largeInputs();
        auto problem = problemOf(2, 50, 50, 4);
        problem.tensors.at("query").mutable_values()[4 * 3] = std::numeric_limits<double>::quiet_NaN(); // of head 0
        document().edit(QStringLiteral("Large"), problem);
        QTRY_VERIFY(large->isComplete());
        QTRY_VERIFY2(status->noteText().contains("query holds values that are NaN or infinite: 1"),
                     qPrintable(status->noteText()));
        QVERIFY2(status->noteText().contains("Rows whose weights are NaN: 1"), qPrintable(status->noteText()));
        window_->viewState().setHead(1);
        QTRY_VERIFY(!status->noteText().contains("NaN"));
        window_->viewState().setHead(0);
        QTRY_VERIFY(status->noteText().contains("NaN"));
        openFlat(7);
        settle();
        QVERIFY2(status->noteText().isEmpty(), qPrintable(status->noteText()));
    }

    void filesAreOpenedSavedAndSavedAgain() {
        answerFileDialog(this, path("saved"));
        actions().save_as->trigger();
        QTRY_COMPARE(document().path(), path("saved.npz"));
        QVERIFY(!document().isModified());
        document().setTensor("query", Tensor({4, 4}, 3.0), "edit");
        QVERIFY(document().isModified());
        actions().save->trigger(); // knows its file
        QTRY_VERIFY(!document().isModified());
        open("multi_head_fox");
        answerFileDialog(this, path("saved.npz"));
        actions().open->trigger();
        QTRY_COMPARE(document().path(), path("saved.npz"));
        settle();
        QCOMPARE(document().problem().tensors.at("query").value(15), 3.0);
    }

    void severalFilesAreReplacedOnlyWhenToldSo() {
        for (const char* name : {"page-1.png", "page-2.png"}) {
            QFile file(path(name));
            QVERIFY(file.open(QIODevice::WriteOnly));
        }
        const SaveRequest request{"Export", "page", {"png"}, "Pictures (*.png)", [this](const QString&) {
                                      return QStringList{path("page-1.png"), path("page-2.png")};
                                  }};
        for (const bool replace : {false, true}) {
            QString question;
            whenOpen<QFileDialog>(this, [&](QFileDialog& dialog) {
                whenOpen<QMessageBox>(this, [&question, replace](QMessageBox& box) {
                    question = box.text() + box.informativeText();
                    box.button(replace ? QMessageBox::Ok : QMessageBox::Cancel)->click();
                });
                dialog.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(path("page"));
                dialog.findChild<QDialogButtonBox*>()->buttons().first()->click();
            });
            const QString chosen = choosePathToSave(window_.get(), request);
            QVERIFY2(question.contains("page-1.png") && question.contains("page-2.png"), qPrintable(question));
            QCOMPARE(chosen, replace ? path("page.png") : QString());
        }
    }

    void aMaskIsImportedFromAFile() {
        Tensor mask({4, 4}, 0.0, DType::Bool);
        mask.set({0, 3}, 1.0);
        io::write_tensors(path("mask.npy").toStdString(), {{"mask", mask}});
        answerFileDialog(this, path("mask.npy"));
        emit window_->findChild<MaskPanel*>()->tools()->importRequested();
        MaskImportDialog* dialog = nullptr;
        QTRY_VERIFY((dialog = window_->findChild<MaskImportDialog*>()));
        dialog->setChoice(MaskImportDialog::Choice::TrueBlocks);
        dialog->accept();
        QTRY_VERIFY(document().problem().tensors.contains("attn_mask"));
        settle();
        QCOMPARE(window_->computed()->trace.find("weights")->value.at({0, 0, 0, 3}), 0.0);
    }

    void theSlidingWindowIsAChip() {
        auto* chip = window_->findChild<MaskPanel*>()->chips()->slidingWindow();
        chip->click();
        settle();
        const auto& masks = document().problem().spec.masks;
        const auto has = [&](const char* id) { return std::ranges::count(masks, id, &Selection::id) == 1; };
        QVERIFY(has("causal") && has("window"));
        chip->click();
        QVERIFY(document().problem().spec.masks.empty());
    }

    void aFileIsComparedWith() {
        const auto computed = window_->computed();
        Tensor other = computed->trace.find("output")->value;
        io::write_tensors(path("other.npz").toStdString(), {{"output", other}});
        answerFileDialog(this, path("other.npz"));
        actions().compare_file->trigger();
        QTRY_COMPARE(window_->centre()->current(), QStringLiteral("against"));
        QVERIFY(window_->centre()->compareWithFilePage()->isVisible());
    }

    void keysOpenThePickers() {
        const auto bars = window_->findChildren<MechanismBar*>(); // that of the comparison too
        const auto found = std::ranges::find_if(
            bars, [](const MechanismBar* one) { return !one->variantPicker()->shortcut().isEmpty(); });
        QVERIFY(found != bars.end());
        const MechanismBar* bar = *found;
        QTRY_VERIFY(!window_->isComputing()); // a result that arrives lays the row out anew
        QTest::keyClick(window_.get(), Qt::Key_M, Qt::AltModifier);
        QTRY_VERIFY(bar->variantPicker()->list()->isVisible());
        bar->variantPicker()->list()->close();
        QTRY_VERIFY(!QApplication::activePopupWidget());
        for (const auto& [key, opened] : {std::pair<Qt::Key, const QWidget*>(Qt::Key_S, bar->scalePicker()),
                                          std::pair<Qt::Key, const QWidget*>(Qt::Key_P, bar->positionPicker())}) {
            QTest::keyClick(window_.get(), key, Qt::AltModifier);
            QTRY_VERIFY2(opened->isVisible(), qPrintable(QString(QChar(key))));
            QTest::keyClick(window_.get(), key, Qt::AltModifier); // closes it, too
            QTRY_VERIFY(!opened->isVisible());
        }
    }

    void labsAndLessonFoldersAreInTheMenu() {
        actions().mask_lab->trigger();
        QVERIFY(window_->learnMode()->isOn());
        QCOMPARE(window_->learnMode()->page()->showing(), LearnPage::Showing::Lab);
        QTRY_VERIFY_WITH_TIMEOUT(window_->learnMode()->page()->labPage()->isVisible(), 10000);
        actions().go_workspace->trigger();
        QVERIFY(!window_->learnMode()->isOn());

        QVERIFY(QDir().mkpath(path("empty")));
        answerFileDialog(this, path("empty"));
        actions().open_lesson->trigger();
        QTRY_VERIFY2(window_->messageBar()->text().contains("scene.json"), qPrintable(window_->messageBar()->text()));
    }

    void keysChooseALessonAndTurnItsSteps() {
        actions().lessons->trigger();
        LearnPage& page = *window_->learnMode()->page();
        QTRY_COMPARE(page.showing(), LearnPage::Showing::List);
        QTRY_VERIFY(page.list()->rows().size() > 1 && page.list()->rows().front()->isVisible());
        const auto rows = page.list()->rows();
        rows[0]->setFocus();
        QTest::keyClick(rows[0], Qt::Key_Down);
        QCOMPARE(window_->focusWidget(), rows[1]); // the next one of its group
        QTest::keyClick(rows[1], Qt::Key_Up);
        QCOMPARE(window_->focusWidget(), rows[0]);
        QTest::keyClick(rows[0], Qt::Key_Return);
        QTRY_COMPARE(page.showing(), LearnPage::Showing::Lesson);
        QCOMPARE(page.lessonPage()->step(), 0);
        // Those of the keyboard, of a browser and of a presenter.
        for (const auto& [next, back] :
             {std::pair(Qt::Key_PageDown, Qt::Key_PageUp), std::pair(Qt::Key_Forward, Qt::Key_Back),
              std::pair(Qt::Key_MediaNext, Qt::Key_MediaPrevious)}) {
            QTest::keyClick(window_.get(), next);
            QTRY_COMPARE(page.lessonPage()->step(), 1);
            QTest::keyClick(window_.get(), back);
            QTRY_COMPARE(page.lessonPage()->step(), 0);
        }
        actions().go_workspace->trigger();
    }

    void aTableHasAContextMenu() {
        auto* table = window_->findChild<InputsPanel*>()->findChild<TensorTable*>();
        table->setCurrentIndex(table->model()->index(1, 1));
        const auto trigger = [&](const char* entry) {
            bool found = false;
            whenOpen<QMenu>(this, [&found, entry](QMenu& menu) {
                for (auto* action : menu.actions())
                    if (action->text() == QLatin1String(entry)) {
                        found = true;
                        action->trigger();
                    }
                menu.close();
            });
            QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(5, 5), table->mapToGlobal(QPoint(5, 5)));
            QCoreApplication::sendEvent(table, &event);
            QTRY_VERIFY2(found, entry);
        };
        const double before = document().problem().tensors.at("query").value(5);
        QVERIFY(before != 0.0);
        trigger("&Copy");
        QCOMPARE(QGuiApplication::clipboard()->text().trimmed().toDouble(), before);
        trigger("&Zero");
        QCOMPARE(document().problem().tensors.at("query").value(5), 0.0);
        trigger("&Paste");
        QCOMPARE(document().problem().tensors.at("query").value(5), before);
        QCOMPARE(document().undoStack()->count(), 2);
    }
};

ATTNLAB_TEST(TestWindowReach)
#include "test_window_reach.moc"
