// Unsaved work that the window offers, and what happens to it.
#include "core/io/npy.h"
#include "core/io/saved/recovery_copy.h"
#include "core/io/saved/workspace_file.h"
#include "tests/core/io_support.h"
#include "tests/test_main.h"
#include "tests/ui/window_backends.h"
#include "ui/document/file_controller.h"
#include "ui/document/local_files.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/text.h"
#include "ui/window/main_window.h"

#include <QDir>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace attnlab;
using namespace attnlab::test;
using namespace attnlab::ui;

namespace {

QDir folder() {
    return QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/recovery"));
}

AttentionProblem problemOf(double number) {
    AttentionProblem problem;
    for (const char* name : {"query", "key", "value"})
        problem.tensors.emplace(name, Tensor({2, 2}, number));
    return problem;
}

QString leave(const io::UnsavedWork& work) {
    static int made = 0;
    auto path = folder().filePath(QStringLiteral("left-%1").arg(++made));
    io::RecoveryCopy(path.toStdString()).write(work);
    return path;
}

} // namespace

class TestCrashRecovery : public QObject {
    Q_OBJECT

    std::unique_ptr<MainWindow> window_;

    void open() {
        window_ = std::make_unique<MainWindow>(backends);
        window_->files().setAnswer(FileController::Answer::Discard);
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        window_->files().openSample("milk_or_cat_sweet");
        window_->files().crashRecovery().start();
    }
    QPushButton* button(const char* text) const {
        for (auto* one : window_->offers()->findChildren<QPushButton*>())
            if (one->text() == QLatin1String(text) && one->isVisible())
                return one;
        return nullptr;
    }
    /// Presses it and waits until the work is read.
    void press(const char* text) {
        QVERIFY2(button(text), text);
        QTest::mouseClick(button(text), Qt::LeftButton);
    }
    const AttentionProblem& problem() const { return window_->document().problem(); }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabLeftWorkTest");
        QLocale::setDefault(QLocale::c());
    }

    void init() {
        folder().removeRecursively();
        folder().mkpath(".");
    }

    void cleanup() {
        window_.reset();
        applyLanguage(QStringLiteral("en"));
    }
    void cleanupTestCase() { folder().removeRecursively(); }

    void nothingIsOfferedWhereNothingWasLeft() {
        open();
        QVERIFY(window_->offers()->isHidden());
    }

    void saysWhichDocumentAndWhen() {
        const auto left = leave({problemOf(7), "{}", "<b>kernel</b>.npz"});
        const auto when = QFileInfo(left + "/work.npz").lastModified().time();
        open();
        QCOMPARE(window_->offers()->text(), QStringLiteral("Work of %1 on “<b>kernel</b>.npz” was not saved.")
                                                .arg(QLocale("en").toString(when, QLocale::ShortFormat)));
        window_.reset();
        applyLanguage(QStringLiteral("zh_CN"));
        open();
        QVERIFY2(window_->offers()->text().contains(QLocale("zh_CN").toString(when, QLocale::ShortFormat)),
                 qPrintable(window_->offers()->text()));
    }

    /// The bar must not keep a reference to it.
    void answeredWorkIsHeldNoLonger_data() {
        QTest::addColumn<QString>("answer");
        QTest::newRow("restored") << "Restore";
        QTest::newRow("discarded") << "Discard";
    }
    void answeredWorkIsHeldNoLonger() {
        QFETCH(QString, answer);
        const auto lock = leave({problemOf(7), "{}", "kernel.npz"}) + ".lock";
        open();
        QVERIFY(QFileInfo::exists(lock));
        press(qPrintable(answer));
        QTRY_VERIFY_WITH_TIMEOUT(!QFileInfo::exists(lock), 10000);
    }

    void workOfEarlierVersionsIsOffered() {
        QDir data = folder();
        data.cdUp();
        const auto file = data.filePath("recovery-0.npz");
        io::write_workspace(toPath(file), problemOf(7), "{}");
        open();
        QVERIFY2(window_->offers()->text().endsWith("was not saved."), qPrintable(window_->offers()->text()));
        press("Restore");
        QTRY_VERIFY(problem() == problemOf(7));
        QVERIFY(window_->document().isModified() && window_->document().path().isEmpty());
        QTRY_VERIFY_WITH_TIMEOUT(!QFileInfo::exists(file), 10000);
    }

    void restoredWorkKnowsItsFileByAnyName() {
        io::UnsavedWork work{problemOf(7), "{}", "kernel.npz"};
        work.path = "/nowhere/na\xefve.npz";
        leave(work);
        open();
        press("Restore");
        QTRY_COMPARE(toPath(window_->document().path()).native(), work.path.native());
    }

    void otherMessagesDoNotReplaceIt() {
        leave({problemOf(7), "{}", "kernel.npz"});
        open();
        window_->messageBar()->showMessage(MessageBar::Kind::Error, QStringLiteral("Something else"));
        window_->messageBar()->findChild<QToolButton*>()->click();
        window_->files().openSample("four_heads");
        QVERIFY(window_->offers()->isVisible());
        press("Restore");
        QTRY_COMPARE(problem().tensors.at("query").value(0), 7.0);
    }

    void restoredWorkIsUnsavedAndKnowsItsFile() {
        io::UnsavedWork work{problemOf(7), "{}", "kernel.npz"};
        work.path = "/nowhere/kernel.npz";
        const auto left = leave(work);
        open();
        press("Restore");
        QTRY_VERIFY(problem() == work.problem);
        QVERIFY(window_->document().isModified());
        QCOMPARE(window_->document().path(), QStringLiteral("/nowhere/kernel.npz"));
        QVERIFY(window_->offers()->isHidden());
        QTRY_VERIFY_WITH_TIMEOUT(!QFileInfo::exists(left), 10000);
        QCOMPARE(folder().entryList(QDir::Dirs | QDir::NoDotAndDotDot).size(), 1); // by now the window's own
    }

    void oneAfterTheOther() {
        leave({problemOf(1), "{}", "one.npz"});
        leave({problemOf(2), "{}", "two.npz"});
        leave({problemOf(3), "{}", "three.npz"});
        open();
        QVERIFY2(window_->offers()->text().endsWith("(2 more)"), qPrintable(window_->offers()->text()));
        press("Discard");
        QVERIFY2(window_->offers()->text().endsWith("(1 more)"), qPrintable(window_->offers()->text()));
        press("Restore");
        QTRY_VERIFY(window_->offers()->isVisible() && window_->offers()->text().endsWith("was not saved."));
        press("Discard");
        QVERIFY(window_->offers()->isHidden());
    }

    void closingTheBarIsNoAnswer() {
        const auto left = leave({problemOf(7), "{}", "kernel.npz"});
        open();
        window_->offers()->findChild<QToolButton*>()->click();
        QVERIFY(window_->offers()->isHidden());
        QVERIFY(window_->close());
        QVERIFY(QFileInfo::exists(left));
        open();
        QVERIFY(window_->offers()->isVisible());
    }

    void keepingThePresentWorkKeepsTheOffer() {
        leave({problemOf(7), "{}", "kernel.npz"});
        open();
        window_->document().setTensor("query", Tensor({2, 2}, 5.0), "edit");
        window_->files().setAnswer(FileController::Answer::Cancel);
        const auto before = problem();
        QSignalSpy opened(&window_->files(), &FileController::opened);
        press("Restore");
        QTRY_COMPARE(opened.size(), 1);
        QVERIFY(problem() == before);
        QVERIFY(window_->offers()->isVisible());
    }

    void aDamagedCopyIsSaidAndStays() {
        const auto left = leave({problemOf(7), "{}", "kernel.npz"});
        QVERIFY(QFile::resize(left + "/work.npz", 100));
        open();
        press("Restore");
        QTRY_VERIFY(window_->messageBar()->isVisible());
        QVERIFY2(window_->messageBar()->text().contains("work.npz"), qPrintable(window_->messageBar()->text()));
        QVERIFY(window_->offers()->isVisible());
        QVERIFY(QFileInfo::exists(left + "/work.npz"));
    }

    void arraysOfChangedFilesAreSaidToBeLost() {
        const QTemporaryDir place;
        const auto path = place.filePath("scratch.npy");
        put_sparse_npy(path, {2, 2});
        auto work = io::UnsavedWork{problemOf(7), "{}", "kernel.npz"};
        work.problem.tensors["scratch"] = io::read_npy(to_path(path), {.map_from = 1});
        const auto left = leave(work);
        QVERIFY(QFile::remove(path));
        open();
        press("Restore");
        QTRY_VERIFY2(window_->offers()->text().endsWith("scratch.npy: is gone, and scratch was in it"),
                     qPrintable(window_->offers()->text()));
        press("Not now"); // the file may become available again
        QVERIFY(QFileInfo::exists(left));
        press("Restore");
        QTRY_VERIFY(button("Restore the rest"));
        press("Restore the rest");
        work.problem.tensors.erase("scratch");
        QVERIFY(problem() == work.problem);
    }
};

ATTNLAB_TEST(TestCrashRecovery)
#include "test_crash_recovery.moc"
