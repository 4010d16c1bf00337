// Editing and saving inputs that stay in their files.
#include "core/edit/cells.h"
#include "core/io/npy.h"
#include "core/io/saved/recovery_copy.h"
#include "core/io/saved/workspace_file.h"
#include "tests/core/io_support.h"
#include "tests/test_main.h"
#include "tests/ui/window_backends.h"
#include "ui/document/document.h"
#include "ui/document/file_controller.h"
#include "ui/document/view_state.h"
#include "ui/panels/inputs/inputs_panel.h"
#include "ui/panels/inputs/tensor_dialogs.h"
#include "ui/panels/inputs/tensor_model.h"
#include "ui/panels/inputs/tensor_table.h"
#include "ui/window/main_window.h"

#include <QDir>
#include <QProcess>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <cstdio>
#include <cstdlib>
#include <fstream>

using namespace attnlab;
using namespace attnlab::test;
using namespace attnlab::ui;

namespace {

constexpr const char* child_variable = "ATTNLAB_MAPPED_TEST_CHILD";

Tensor mapped(const QString& path) { return io::read_npy(to_path(path), {.map_from = 1}); }

/// The peak memory of this process in kB.
long mostMemory() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:"))
            return std::atol(line.c_str() + 6);
    return -1;
}

QDir copies() {
    return QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/recovery"));
}

/// Opens query and key of 4 GiB each in a window, types a cell, waits for the copy of the unsaved work, and undoes it.
/// Exits with 0 and prints the memory used.
[[noreturn]] void editLargeFiles(const QString& folder) {
    const auto check = [](bool right, const char* what) {
        if (!right) {
            std::fprintf(stderr, "%s\n", what);
            std::_Exit(1);
        }
    };
    MainWindow window(backends);
    window.show();
    window.files().openSample("milk_or_cat_sweet");
    window.files().crashRecovery().start();
    QSignalSpy opened(&window.files(), &FileController::opened);
    window.files().open({folder + "/query.npy", folder + "/key.npy", folder + "/value.npy"});
    check(opened.wait(60000) && opened.front().front().toBool(), "open");
    auto& document = window.document();
    const auto before = document.problem();
    check(!before.tensors.at("query").in_memory(), "mapped");

    window.findChild<InputsPanel*>()->showTensor("query");
    auto* model = window.findChild<InputsPanel*>()->table()->model();
    check(model->flags(model->index(5, 3)) & Qt::ItemIsEditable, "editable");
    check(model->setData(model->index(5, 3), "0.125", Qt::EditRole), "typed");
    check(document.problem().tensors.at("query").at({0, 0, 5, 3}) == 0.125, "edited");
    const auto kept = [] {
        for (const auto& name : copies().entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            if (io::recovery_label(copies().filePath(name).toStdString()))
                return copies().filePath(name);
        return QString();
    };
    check(QTest::qWaitFor([&] { return !kept().isEmpty(); }, 60000), "copied");
    qint64 bytes = 0;
    for (const auto& file : QDir(kept()).entryInfoList(QDir::Files))
        bytes += file.size();
    check(bytes < 100000, "the copy is small");
    const auto found = io::read_recovery_copy(kept().toStdString());
    check(found.missing.empty() && found.work.problem == document.problem(), "read back");

    document.undoStack()->undo();
    check(document.problem() == before, "undone");
    document.undoStack()->redo();
    check(document.problem().tensors.at("query").at({0, 0, 5, 3}) == 0.125, "redone");
    check(!document.problem().tensors.at("query").in_memory() && !document.problem().tensors.at("key").in_memory(),
          "still mapped");
    window.files().crashRecovery().end();
    std::printf("%ld\n", mostMemory());
    std::fflush(stdout);
    std::_Exit(0);
}

} // namespace

class TestMappedInputs : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabMappedTest");
        if (qEnvironmentVariableIsSet(child_variable))
            editLargeFiles(qEnvironmentVariable(child_variable));
        copies().removeRecursively();
    }

    void cleanupTestCase() { copies().removeRecursively(); }

    void anEditCostsNoMoreThanItsBlock() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("a sanitizer has its own view of memory");
#endif
        const QTemporaryDir folder;
        // 4 GiB each; one head is small, but large enough for a map.
        put_sparse_npy(folder.filePath("query.npy"), {1, 1 << 12, 1 << 12, 1 << 6});
        put_sparse_npy(folder.filePath("key.npy"), {1, 1 << 12, 1 << 12, 1 << 6});
        put_sparse_npy(folder.filePath("value.npy"), {1, 1 << 12, 1 << 12, 1});
        QProcess child;
        auto variables = QProcessEnvironment::systemEnvironment();
        variables.insert(child_variable, folder.path());
        child.setProcessEnvironment(variables);
        child.start(QCoreApplication::applicationFilePath(), {"mapped_inputs"});
        QVERIFY(child.waitForFinished(120000));
        QVERIFY2(child.exitCode() == 0, child.readAllStandardError());
        const auto most = child.readAllStandardOutput().trimmed().split('\n').last().toLong();
        constexpr long a_tenth_of_a_file = 400'000;
        QVERIFY2(most > 0 && most < a_tenth_of_a_file, qPrintable(QString::number(most)));
    }

    void editsOfCellsAreTheSameWhereverTheyLie() {
        const QTemporaryDir folder;
        put_sparse_npy(folder.filePath("x.npy"), {3, 40, 50});
        const auto file = mapped(folder.filePath("x.npy"));
        const auto held = Tensor(file.shape(), 0.0, DType::Float32);
        const CellRanges ranges{{0, 0, 5, 50}, {38, 10, 1, 1}, {39, 48, 10, 10}};
        QVERIFY(with_cells(file, 1, ranges, 0.1) == with_cells(held, 1, ranges, 0.1));
        const Tensor block({3, 2}, {1, 2, 3, 4, 5, 6});
        QVERIFY(with_block(file, 2, 38, 49, block) == with_block(held, 2, 38, 49, block));
        for (const auto scope : {FillScope::Selection, FillScope::Matrix, FillScope::Tensor}) {
            const FillArea area{scope, 1, ranges};
            QVERIFY(filled(file, area, {}) == filled(held, area, {}));
        }
        const auto changed = with_cells(file, 1, ranges, 0.1);
        QVERIFY(!changed.in_memory());
        QCOMPARE(cells_of(changed, 1, {38, 9, 1, 3}), Tensor({1, 3}, {0.0, 0.1, 0.0}, DType::Float32));
        QCOMPARE(resized_tensor(changed, {3, 41, 49}).at({1, 38, 10}), 0.1);
        QVERIFY(!changed.in_memory() && !file.in_memory());
    }

    void aFillThatTakesTooMuchMemoryIsRefused() {
        const QTemporaryDir folder;
        put_sparse_npy(folder.filePath("query.npy"), {1 << 16, 1 << 14}); // 4 GiB
        AttentionProblem problem;
        problem.tensors.emplace("query", mapped(folder.filePath("query.npy")));
        Document document;
        document.reset(problem);
        ViewState view;
        InputsPanel panel(document, view);
        panel.showTensor("query");
        QSignalSpy messages(&panel, &InputsPanel::messageRaised);
        panel.openFillDialog();
        panel.findChild<FillDialog*>()->accept();
        QCOMPARE(messages.size(), 1);
        QCOMPARE(messages.front().front().toString(),
                 QStringLiteral("query: lies in a file; filling 1073741824 numbers of it takes 8.6 GB of memory, the "
                                "limit is 4.2 GB"));
        QVERIFY(!document.isModified());
    }

    void aFillCanBeGivenUp() {
        int polls = 0;
        RunControl control;
        control.cancelled = [&] { return ++polls > 10; };
        QVERIFY_THROWS_EXCEPTION(Cancelled, filled(Tensor({1000, 10}), {}, {}, control));
        QCOMPARE(polls, 11);
    }

    void noStepKeepsACopyOfAllNumbers() {
        const QTemporaryDir folder;
        put_sparse_npy(folder.filePath("x.npy"), {40, 50});
        Document document;
        AttentionProblem problem;
        problem.tensors.emplace("query", mapped(folder.filePath("x.npy")));
        document.reset(problem);
        QVERIFY(problem.tensors.at("query").values().data()); // as a computation does
        problem = {};
        document.setTensor("query", with_cells(document.problem().tensors.at("query"), 0, {{1, 1, 1, 1}}, 3.0), "edit");
        document.undoStack()->undo();
        QVERIFY(!document.problem().tensors.at("query").in_memory());
        QCOMPARE(document.problem().tensors.at("query").value(51), 0.0);
    }

    void aSavedArrayStaysInItsNewFile() {
        const QTemporaryDir folder;
        const auto path = folder.filePath("work.npz");
        put_sparse_npy(folder.filePath("key.npy"), {1 << 10, 1 << 14}); // 64 MiB
        AttentionProblem problem;
        problem.tensors.emplace("key", mapped(folder.filePath("key.npy")));
        problem.tensors.emplace("query", Tensor({1, 1 << 14}, 1.0));
        problem.tensors.emplace("value", Tensor({1 << 10, 1}, 1.0));
        MainWindow window(backends);
        window.document().reset(problem);
        const auto key = [&] { return window.document().problem().tensors.at("key"); };
        for (const double number : {1.0, 2.0}) {
            window.document().setTensor("key", with_cells(key(), 0, {{3, 3, 1, 1}}, number), "edit");
            QVERIFY(window.files().saveTo(path));
            QVERIFY(!window.document().isModified());
            QVERIFY(QFile::remove(folder.filePath("key.npy")) || number == 2.0);
            QVERIFY(!key().in_memory());
            QCOMPARE(key().at({3, 3}), number);
            // The next copy can refer to it.
            io::RecoveryCopy copy(to_path(folder.filePath("copy")));
            copy.write({window.document().problem(), "{}", "key"});
            QVERIFY(!QFileInfo::exists(folder.filePath("copy/array-1.npy")));
            QVERIFY(io::read_recovery_copy(to_path(folder.filePath("copy"))).work.problem ==
                    window.document().problem());
        }
        QVERIFY(io::read_workspace(to_path(path)).tensors.at("key") == key());
        window.document().undoStack()->undo(); // restores numbers of a file that was replaced
        QCOMPARE(key().at({3, 3}), 1.0);
    }

    void aFileThatGoesBadIsSaidAndNotWritten() {
        const QTemporaryDir folder;
        put_sparse_npy(folder.filePath("x.npy"), {1 << 10, 1 << 8});
        Document document;
        AttentionProblem problem;
        problem.tensors.emplace("query", mapped(folder.filePath("x.npy")));
        document.reset(problem);
        TensorModel model(document);
        model.show("query", 0);
        QVERIFY(QFile::resize(folder.filePath("x.npy"), 4096));
        QSignalSpy refused(&model, &TensorModel::inputRefused);
        QVERIFY(!model.setCells({{1000, 0, 1, 1}}, 3.0, "edit"));
        QCOMPARE(refused.size(), 1);
        QVERIFY(refused.front().front().toString().contains("x.npy"));
        QVERIFY(!document.isModified());
    }
};

ATTNLAB_TEST(TestMappedInputs)
#include "test_mapped_inputs.moc"
