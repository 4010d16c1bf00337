// The copy of unsaved work: what a program that died left behind, and what may and may not replace it.
#include "core/io/workspace.h"
#include "tests/test_main.h"
#include "ui/document.h"
#include "ui/message_bar.h"
#include "ui/recovery.h"
#include "ui/view_state.h"

#include <QDir>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>
#include <QToolButton>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

AttentionProblem problemOf(double number) {
    AttentionProblem problem;
    problem.tensors.emplace("query", Tensor({1, 1}, {number}));
    problem.compared_with = AttentionSpec();
    problem.compared_with->scale.id = "none";
    return problem;
}

QDir folder() { return QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation)); }

} // namespace

class TestRecovery : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabRecoveryTest");
    }

    void init() {
        folder().removeRecursively();
        folder().mkpath(".");
    }

    void cleanupTestCase() { folder().removeRecursively(); }

    void unsavedWorkIsKeptUntilItIsSaved() {
        Document document;
        ViewState view;
        Recovery recovery(document, view);
        recovery.start();
        QVERIFY(!recovery.hasLeftWork());
        document.edit("edit", problemOf(7));
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(folder().filePath("recovery-0.npz")), 10000);
        recovery.end();
        QVERIFY(!QFile::exists(folder().filePath("recovery-0.npz")));
    }

    void leftWorkOutlivesNewWorkAndOpenedFiles() {
        io::write_workspace(folder().filePath("recovery-0.npz").toStdString(), problemOf(7), "{\"head\": 3}");
        Document document;
        ViewState view;
        Recovery recovery(document, view);
        recovery.start();
        QVERIFY(recovery.hasLeftWork());
        document.edit("edit", problemOf(8));
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(folder().filePath("recovery-0.npz")), 10000);
        recovery.end(); // a file was opened in its place
        QVERIFY(recovery.hasLeftWork());
        std::string json;
        QVERIFY(recovery.takeLeftWork(&json) == problemOf(7));
        QVERIFY2(json.find("head") != std::string::npos, json.c_str());
        QVERIFY(!recovery.hasLeftWork());
        // Brought back, it is still in no file of the user's: another crash must not lose it.
        QVERIFY(QFile::exists(folder().filePath("recovery-0.npz")));
    }

    void declinedWorkIsNotOfferedAgain() {
        io::write_workspace(folder().filePath("recovery-0.npz").toStdString(), problemOf(7));
        Document document;
        ViewState view;
        Recovery recovery(document, view);
        recovery.start();
        recovery.dropLeftWork();
        QVERIFY(!recovery.hasLeftWork());
        QVERIFY(folder().entryList({"*.npz"}).isEmpty());
    }

    void everyWindowKeepsItsOwn() {
        Document first_document, second_document;
        ViewState view;
        Recovery first(first_document, view), second(second_document, view);
        first.start();
        second.start();
        first_document.edit("edit", problemOf(1));
        second_document.edit("edit", problemOf(2));
        QTRY_COMPARE_WITH_TIMEOUT(folder().entryList({"*.npz"}).size(), 2, 10000);
        second.end();
        QCOMPARE(folder().entryList({"*.npz"}), QStringList("recovery-0.npz"));
    }

    void damagedWorkIsAnError() {
        QFile file(folder().filePath("recovery-0.npz"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("half a fi");
        file.close();
        Document document;
        ViewState view;
        Recovery recovery(document, view);
        recovery.start();
        std::string json;
        QVERIFY_EXCEPTION_THROWN(recovery.takeLeftWork(&json), Error);
    }

    void aQuestionIsAnsweredOnceAndNotByOtherMessages() {
        MessageBar bar;
        int yes = 0, no = 0;
        const auto ask = [&] {
            bar.showQuestion(
                "Bring it back?", "Yes", [&] { ++yes; }, [&] { ++no; });
        };
        bar.show();
        ask();
        bar.findChild<QPushButton*>()->click();
        QCOMPARE(yes, 1);
        bar.showMessage(MessageBar::Kind::Notice, QStringLiteral("Saved"));
        bar.findChild<QToolButton*>()->click();
        QCOMPARE(no, 0);
        ask();
        bar.showMessage(MessageBar::Kind::Error, QStringLiteral("Something else"));
        bar.findChild<QToolButton*>()->click();
        QCOMPARE(no, 0);
        ask();
        bar.findChild<QToolButton*>()->click();
        QCOMPARE(no, 1);
        QCOMPARE(yes, 1);
    }
};

ATTNLAB_TEST(TestRecovery)
#include "test_recovery.moc"
