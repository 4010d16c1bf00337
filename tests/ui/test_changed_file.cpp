// Saving to a file that another program, or another window, has written meanwhile.
#include "core/io/saved/workspace_file.h"
#include "tests/core/io_support.h"
#include "tests/test_main.h"
#include "tests/ui/window_backends.h"
#include "ui/document/document.h"
#include "ui/document/file_controller.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/main_window.h"

#include <QAbstractButton>
#include <QFileDialog>
#include <QMessageBox>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

using namespace attnlab;
using namespace attnlab::test;
using namespace attnlab::ui;

namespace {

AttentionProblem problemOf(double number) {
    AttentionProblem problem;
    for (const char* name : {"query", "key", "value"})
        problem.tensors.emplace(name, Tensor({2, 2}, number));
    return problem;
}

} // namespace

class TestChangedFile : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<MainWindow> one_, two_;

    QString path() const { return folder_->filePath("work.npz"); }
    double saved() const { return io::read_workspace(to_path(path())).tensors.at("query").value(0); }
    std::unique_ptr<MainWindow> openedWindow() const {
        auto window = std::make_unique<MainWindow>(backends);
        QSignalSpy opened(&window->files(), &FileController::opened);
        window->files().open({path()});
        return opened.wait(10000) && window->document().path() == path() ? std::move(window) : nullptr;
    }
    static void edit(MainWindow& window, double number) {
        window.document().setTensor("query", Tensor({2, 2}, number), "edit");
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabChangedFileTest");
    }

    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        io::write_workspace(to_path(path()), problemOf(1), "{\"head\":0}");
        one_ = openedWindow();
        two_ = openedWindow();
        QVERIFY(one_ && two_);
        edit(*one_, 2);
        QVERIFY(one_->files().save());
        edit(*two_, 3);
    }

    void cleanup() {
        one_.reset();
        two_.reset();
    }

    void whoSavedMayGoOnSaving() {
        one_->files().setChangedFileAnswer(FileController::ChangedFile::Cancel);
        edit(*one_, 4);
        QVERIFY(one_->files().save());
        QCOMPARE(saved(), 4.0);
    }

    void theLaterOneIsAsked() {
        two_->files().setChangedFileAnswer(FileController::ChangedFile::Cancel);
        QVERIFY(!two_->files().save());
        QCOMPARE(saved(), 2.0);
        QVERIFY(two_->document().isModified());
        two_->files().setChangedFileAnswer(FileController::ChangedFile::Overwrite);
        QVERIFY(two_->files().save());
        QCOMPARE(saved(), 3.0);
        // Now the first one is.
        one_->files().setChangedFileAnswer(FileController::ChangedFile::Cancel);
        edit(*one_, 4);
        QVERIFY(!one_->files().save());
    }

    void theBoxNamesTheFileAndItsFirstButtonSavesElsewhere() {
        QString text;
        bool elsewhere = false;
        QTimer poll;
        connect(&poll, &QTimer::timeout, this, [&] {
            if (auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) {
                text = box->text();
                QTest::keyClick(box, Qt::Key_Return);
            } else if (auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget())) {
                elsewhere = true;
                dialog->reject();
            }
        });
        poll.start(20);
        QVERIFY(!two_->files().save());
        QVERIFY2(text.contains("work.npz"), qPrintable(text));
        QVERIFY(elsewhere);
        QCOMPARE(saved(), 2.0);
    }

    void escapeLeavesBothAsTheyAre() {
        int asked = 0;
        QTimer poll;
        connect(&poll, &QTimer::timeout, this, [&] {
            if (auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) {
                ++asked;
                QTest::keyClick(box, Qt::Key_Escape);
            }
        });
        poll.start(20);
        QVERIFY(!two_->files().save());
        QCOMPARE(asked, 1);
        QCOMPARE(saved(), 2.0);
        QVERIFY(two_->document().isModified());
    }

    void aFileThatIsGoneIsWrittenAgain() {
        QVERIFY(QFile::remove(path()));
        two_->files().setChangedFileAnswer(FileController::ChangedFile::Cancel);
        QVERIFY(two_->files().save());
        QCOMPARE(saved(), 3.0);
    }
};

ATTNLAB_TEST(TestChangedFile)
#include "test_changed_file.moc"
