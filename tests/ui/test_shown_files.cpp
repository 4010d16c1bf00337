// Files that other programs show in the window: what stays, what is undone, and which window shows them.
#include "core/io/file_formats.h"
#include "core/tensor.h"
#include "tests/test_main.h"
#include "tests/ui/window_backends.h"
#include "ui/document/file_controller.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/pages/matrix_page.h"
#include "ui/panels/inputs/inputs_panel.h"
#include "ui/panels/inputs/tensor_table.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/main_window.h"
#include "ui/window/panel_docks.h"
#include "ui/window/windows.h"
#include "written_arrays.h"

#include <QApplication>
#include <QDialog>
#include <QFile>
#include <QLineEdit>
#include <QSettings>
#include <QSignalSpy>
#include <QtEndian>
#include <QTest>
#include <QUndoStack>

#include <filesystem>
#include <memory>
#include <string>

using namespace attnlab;
using namespace attnlab::ui;

class TestShownFiles : public QObject, protected WrittenArrays {
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(folder_.isValid()); }

    void theWindowShowsAndUndoes() {
        MainWindow window(backends);
        window.files().setAnswer(FileController::Answer::Cancel); // no question may come
        window.files().openSample("multi_head_fox");
        QSignalSpy opened(&window.files(), &FileController::opened), settled(&window, &MainWindow::settled);
        const auto before = window.document().problem();
        const auto title = window.document().title();
        window.viewState().setStage("scores");
        window.shownFiles().show({numbers("a.npz", {1, 3, 6, 4}, 0.5)});
        QVERIFY(opened.wait());
        QTRY_VERIFY(!window.isComputing());
        QCOMPARE(window.document().problem().tensors.at("query").shape(), (Shape{1, 3, 6, 4}));
        QCOMPARE(window.document().title(), QString("a.npz"));
        QVERIFY(!window.document().isModified());
        QCOMPARE(window.viewState().stage(), QString("scores"));
        window.viewState().setHead(2);
        window.shownFiles().show({numbers("b.npz", {1, 3, 6, 4}, 0.7)});
        QVERIFY(opened.wait());
        QCOMPARE(window.viewState().head(), 2);
        QCOMPARE(window.viewState().stage(), QString("scores"));
        while (window.document().undoStack()->canUndo())
            window.document().undoStack()->undo();
        QVERIFY(window.document().problem() == before);
        QCOMPARE(window.document().title(), title);
        window.document().undoStack()->redo();
        QCOMPARE(window.document().title(), QString("b.npz"));
    }

    /// Zoom and place are kept for arrays of the same shape, and begin anew for others.
    void theSamePlace() {
        MainWindow window(backends);
        window.resize(1280, 800);
        window.show();
        QSignalSpy opened(&window.files(), &FileController::opened);
        const auto shown = [&](const QString& file) {
            window.shownFiles().show({file});
            return opened.wait() && QTest::qWaitFor([&] { return !window.isComputing() && window.computed(); });
        };
        QVERIFY(shown(numbers("a.npz", {1, 3, 60, 4}, 0.5)));
        auto* heatmap = window.matrixPage()->heatmap();
        heatmap->zoomIn();
        heatmap->zoomIn();
        QTest::keyClick(heatmap, Qt::Key_Right, Qt::ControlModifier);
        const auto cells = heatmap->visibleCells();
        QVERIFY(!heatmap->isFitted());
        QVERIFY(shown(numbers("b.npz", {1, 3, 60, 4}, 0.7)));
        QCOMPARE(window.document().title(), QString("b.npz"));
        QCOMPARE(heatmap->visibleCells(), cells);
        QVERIFY(shown(numbers("c.npz", {1, 3, 50, 4}, 0.7)));
        QVERIFY(heatmap->isFitted());
    }

    void theWindowThatIsLeft() {
        Windows windows(backends);
        auto* first = &windows.open();
        auto* second = &windows.open();
        for (auto* window : {first, second})
            window->files().setAnswer(FileController::Answer::Discard);
        windows.answer({{numbers("a.npz", {1, 3, 6, 4}, 0.5)}}); // to the one that was active last
        first->close();
        QTRY_COMPARE(windows.all().size(), 1);
        windows.answer({{numbers("b.npz", {1, 3, 6, 4}, 0.7)}});
        QTRY_COMPARE(second->document().title(), QString("b.npz"));
    }

    /// Of several passes the first, then the one that was chosen.
    void aCaptureOfSeveralPasses() {
        const auto write = [&](float value) {
            TensorMap tensors;
            for (const auto* pass : {"a", "b"})
                for (const auto* what : {".query", ".key", ".value"})
                    tensors[pass + std::string(what)] =
                        Tensor({1, 2, 3, 2}, *pass == 'a' ? value : -value, DType::Float32);
            auto path = folder_.filePath("run.safetensors");
            io::write_tensors(path.toStdString(), tensors);
            QFile file(path);
            if (!file.open(QIODevice::ReadOnly))
                return path;
            auto bytes = file.readAll();
            file.close();
            const auto length = qFromLittleEndian<quint64>(bytes.constData());
            QByteArray metadata = "`__metadata__`:{`attnlab.capture`:`{'schema':1,'passes':["
                                  "{'name':'a','heads':2,'key_value_heads':2},"
                                  "{'name':'b','heads':2,'key_value_heads':2}]}`},";
            metadata.replace('`', "\"").replace('\'', "\\\"");
            auto header = bytes.mid(8, static_cast<qsizetype>(length)).insert(1, metadata);
            QByteArray size(8, '\0');
            qToLittleEndian<quint64>(static_cast<quint64>(header.size()), size.data());
            QFile out(path);
            if (out.open(QIODevice::WriteOnly))
                out.write(size + header + bytes.mid(8 + static_cast<qsizetype>(length)));
            return path;
        };
        QSettings().remove("arrays"); // what an earlier run has chosen
        MainWindow window(backends);
        QSignalSpy opened(&window.files(), &FileController::opened);
        const auto shown = [&](float value) {
            window.shownFiles().show({write(value)});
            return opened.wait() ? window.document().problem().tensors.at("query").value(0) : 0.0;
        };
        QCOMPARE(shown(1.0F), 1.0);
        QVERIFY(window.files().mayChooseArrays());
        window.files().setArrayChooser([](const std::shared_ptr<const Contents>&, Choices choices) {
            choices.group = "b";
            return choices;
        });
        window.files().setAnswer(FileController::Answer::Discard);
        window.files().chooseArrays();
        QVERIFY(opened.wait());
        QCOMPARE(window.document().problem().tensors.at("query").value(0), -1.0);
        QCOMPARE(shown(2.0F), -2.0);
    }

    /// Unsaved work stays unsaved work.
    void editsAreNotForgotten() {
        MainWindow window(backends);
        window.files().openSample("multi_head_fox");
        auto edited = window.document().problem();
        edited.spec.scale = {"none", {}};
        window.document().edit("edit", edited);
        QVERIFY(window.document().isModified());
        QSignalSpy opened(&window.files(), &FileController::opened);
        window.shownFiles().show({numbers("a.npz", {2, 2}, 0.5)});
        QVERIFY(opened.wait());
        QVERIFY(window.document().isModified());
    }

    /// A dialog goes on with the document that it was opened for.
    void aDialogHoldsTheDocument() {
        MainWindow window(backends);
        window.show();
        window.files().openSample("multi_head_fox");
        const auto title = window.document().title();
        QSignalSpy opened(&window.files(), &FileController::opened);
        QDialog dialog(&window);
        dialog.open();
        window.shownFiles().show({numbers("a.npz", {2, 2}, 0.5)});
        QVERIFY(!opened.wait(500));
        QCOMPARE(window.document().title(), title);
        dialog.accept();
        QTRY_COMPARE(window.document().title(), QString("a.npz"));
    }

    /// What is typed is not joined to a number that has come meanwhile.
    void aCellThatIsTypedHoldsIt() {
        MainWindow window(backends);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        window.panelDocks()->openInputs();
        window.files().openSample("multi_head_fox");
        auto* table = window.inputs()->table();
        table->setFocus();
        table->setCurrentIndex(table->model()->index(0, 0));
        const auto before = window.document().problem();
        QTest::keyClicks(table->viewport(), "1");
        QTRY_VERIFY(qobject_cast<QLineEdit*>(QApplication::focusWidget()));
        QSignalSpy opened(&window.files(), &FileController::opened);
        window.shownFiles().show({numbers("a.npz", {2, 2}, 0.5)});
        QVERIFY(!opened.wait(500));
        QVERIFY2(window.messageBar()->text().contains("a.npz"), qPrintable(window.messageBar()->text()));
        QTest::keyClicks(QApplication::focusWidget(), "5");
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QTRY_COMPARE(window.document().title(), QString("a.npz"));
        window.document().undoStack()->undo();
        auto typed = before;
        typed.tensors.at(window.inputs()->currentTensor().toStdString()).mutable_values()[0] = 15.0;
        QVERIFY(window.document().problem() == typed);
    }

    /// Edits that lie under a shown file are what is asked for and saved, not the file.
    void theQuestionIsAboutTheEdits() {
        MainWindow window(backends);
        window.files().openSample("multi_head_fox");
        const auto path = folder_.filePath("mine.npz");
        QVERIFY(window.files().saveTo(path));
        auto edited = window.document().problem();
        edited.spec.scale = {"none", {}};
        window.document().edit("mine", edited);
        QSignalSpy opened(&window.files(), &FileController::opened);
        window.shownFiles().show({numbers("a.npz", {2, 2}, 0.5)});
        QVERIFY(opened.wait());
        QVERIFY(window.document().unsavedWork().problem == edited); // what a copy for a crash has
        QCOMPARE(Document::titleOf(window.document().unsavedWork().origin), QString("mine.npz"));
        window.files().setAnswer(FileController::Answer::Cancel);
        QVERIFY(!window.files().mayDiscard());
        QCOMPARE(window.document().title(), QString("a.npz"));
        window.files().setAnswer(FileController::Answer::Save);
        QVERIFY(window.files().mayDiscard());
        QCOMPARE(window.document().title(), QString("mine.npz"));
        const std::filesystem::path files[] = {path.toStdString()};
        const auto saved = io::read_contents(files);
        QVERIFY(saved.workspace && saved.workspace->spec.scale.id == "none");
    }

    /// So are those on a shown file, each for itself.
    void everyWorkIsAskedFor() {
        Document document;
        document.reset(AttentionProblem());
        const auto change = [&](const char* text, const char* scale) {
            auto next = document.problem();
            next.spec.scale = {scale, {}};
            document.edit(text, next);
        };
        change("first", "none");
        document.replace("Show a", AttentionProblem(), "a", {});
        change("second", "dk");
        change("third", "none");
        document.replace("Show b", AttentionProblem(), "b", {});
        QCOMPARE(document.unsavedWorks(), (std::vector<int>{4, 1}));
        document.undoStack()->setIndex(4);
        QCOMPARE(document.unsavedSteps(), (QStringList{"third", "second"}));
        document.undoStack()->setIndex(1);
        QCOMPARE(document.unsavedWorks(), (std::vector<int>{1}));
        QCOMPARE(document.unsavedSteps(), QStringList{"first"});
        document.undoStack()->setIndex(0);
        QVERIFY(document.unsavedWorks().empty());
    }

    /// Fifty times a second: the window keeps up or skips, and the last one is shown.
    void aLoop() {
        MainWindow window(backends);
        window.files().openSample("multi_head_fox");
        for (int i = 1; i <= 100; ++i) {
            window.shownFiles().show({numbers(QString("%1.npz").arg(i % 2), {1, 4, 16, 8}, i)});
            QTest::qWait(20);
        }
        const auto last = [&] {
            const auto& query = window.document().problem().tensors.at("query");
            return query.size() > 0 ? query.value(0) : 0.0;
        };
        QTRY_COMPARE(last(), 100.0);
        QVERIFY(window.document().undoStack()->count() < 10);
    }

    void aFileThatCannotBeRead() {
        MainWindow window(backends);
        QSignalSpy opened(&window.files(), &FileController::opened);
        const auto path = folder_.filePath("broken.npz");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("PK\x03\x04") == 4);
        file.close();
        window.shownFiles().show({path});
        QVERIFY(opened.wait());
        QVERIFY(!opened.first().first().toBool());
        QVERIFY(window.messageBar()->isVisibleTo(&window));
    }
};

ATTNLAB_TEST(TestShownFiles)
#include "test_shown_files.moc"
