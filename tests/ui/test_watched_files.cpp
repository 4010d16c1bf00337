// Files and folders that are watched, and shown when they are whole.
#include "tests/test_main.h"
#include "tests/ui/window_backends.h"
#include "ui/document/file_controller.h"
#include "ui/remote/watch.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/learn_mode.h"
#include "ui/window/main_window.h"
#include "ui/window/windows.h"
#include "written_arrays.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <chrono>

#include <ctime>

using namespace attnlab;
using namespace attnlab::ui;

class TestWatchedFiles : public QObject, protected WrittenArrays {
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(folder_.isValid()); }

    void aWatchedFile() {
        Watch watch(std::chrono::milliseconds(20));
        QSignalSpy changed(&watch, &Watch::changed), failed(&watch, &Watch::failed);
        const auto path = folder_.filePath("watched.npz");
        watch.setPath(path);
        QTest::qWait(100);
        QCOMPARE(changed.size(), 0); // it is not there yet
        numbers("watched.npz", {2, 2}, 1.0);
        QTRY_COMPARE(changed.size(), 1);
        QTest::qWait(200);
        QCOMPARE(changed.size(), 1);
        numbers("watched.npz", {3, 2}, 1.0);
        QTRY_COMPARE(changed.size(), 2);
        QVERIFY(QFile::remove(path));
        QTest::qWait(100);
        QCOMPARE(changed.size(), 2);
        watch.setPath({});
        numbers("watched.npz", {4, 2}, 1.0);
        QTest::qWait(200);
        QCOMPARE(changed.size(), 2);
        QCOMPARE(failed.size(), 0);
    }

    /// A slow folder, here one with many files, does not delay the window: another thread lists it.
    void aFolderIsListedByAnotherThread() {
        const QTemporaryDir many;
        for (int k = 0; k < 4000; ++k) {
            QFile file(many.filePath(QStringLiteral("%1.txt").arg(k)));
            QVERIFY(file.open(QIODevice::WriteOnly));
        }
        const auto used = [] {
            timespec time{};
            ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
            return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
        };
        QStringList once; // what one look costs
        const auto before = used();
        for (const auto& entry : QDir(many.path()).entryInfoList(QDir::Files, QDir::Time))
            once << entry.fileName();
        const auto a_look = used() - before;
        Watch watch(std::chrono::milliseconds(5));
        QSignalSpy changed(&watch, &Watch::changed);
        watch.setPath(many.path());
        QTRY_COMPARE(changed.size(), 1);
        for (int k = 0; k < 20; ++k) { // each is followed by a look
            QFile file(many.filePath("0.txt"));
            QVERIFY(file.open(QIODevice::Append) && file.write("1\n") == 2);
            file.close();
            QTest::qWait(50);
        }
        QTRY_VERIFY(changed.size() > 1);
        watch.setPath({});
        const auto start = used();
        Watch again(std::chrono::milliseconds(5));
        QSignalSpy seen(&again, &Watch::changed);
        again.setPath(many.path());
        QTRY_COMPARE(seen.size(), 1); // after two looks
        QVERIFY2(used() - start < a_look,
                 qPrintable(QStringLiteral("%1 s, a look %2 s").arg(used() - start).arg(a_look)));
    }

    /// At rest it looks seldom, but a change that the file system tells of is seen soon.
    void changesAreNoticed() {
        Watch watch(std::chrono::milliseconds(100));
        QSignalSpy changed(&watch, &Watch::changed);
        numbers("rest.npz", {2, 2}, 1.0);
        watch.setPath(folder_.filePath("rest.npz"));
        QTRY_COMPARE(changed.size(), 1);
        QTest::qWait(1500); // at rest
        QElapsedTimer since;
        since.start();
        numbers("rest.npz", {3, 2}, 1.0);
        QTRY_COMPARE(changed.size(), 2);
        QVERIFY2(since.elapsed() < 900, qPrintable(QString::number(since.elapsed())));
    }

    void aFileThatIsGone() {
        MainWindow window(backends);
        window.files().openSample("multi_head_fox");
        const auto path = numbers("gone.npz", {2, 2}, 1.0);
        window.shownFiles().watch(path);
        QTRY_COMPARE(window.document().title(), QString("gone.npz"));
        QVERIFY(QFile::remove(path));
        QTRY_VERIFY_WITH_TIMEOUT(window.messageBar()->text().contains("is not there any more"), 10000);
        QVERIFY(window.messageBar()->text().contains("gone.npz"));
        QCOMPARE(window.document().title(), QString("gone.npz"));
        numbers("gone.npz", {3, 2}, 1.0);
        QTRY_COMPARE(window.document().problem().tensors.at("query").shape(), (Shape{3, 2}));
        QVERIFY(!window.messageBar()->isVisibleTo(&window));
    }

    /// A lesson is not left for a file that changes by itself.
    void aLessonIsNotInterrupted() {
        MainWindow window(backends);
        window.files().openSample("multi_head_fox");
        const auto title = window.document().title();
        window.learnMode()->showList();
        QSignalSpy opened(&window.files(), &FileController::opened);
        window.shownFiles().watch(numbers("lesson.npz", {2, 2}, 1.0));
        QVERIFY(!opened.wait(1500));
        QVERIFY(window.learnMode()->isOn());
        QCOMPARE(window.document().title(), title);
        window.learnMode()->leave();
        QTRY_COMPARE(window.document().title(), QString("lesson.npz"));
    }

    void theNewestOfAFolder() {
        QTemporaryDir folder;
        Watch watch(std::chrono::milliseconds(20));
        QSignalSpy changed(&watch, &Watch::changed);
        watch.setPath(folder.path());
        for (const auto* name : {"a.npz", "b.npz"}) {
            QVERIFY(QFile::copy(numbers(name, {2, 2}, 1.0), folder.filePath(name)));
            QTRY_COMPARE(changed.size(), name[0] == 'a' ? 1 : 2);
            QCOMPARE(changed.last().first().toString(), folder.filePath(name));
        }
        QFile other(folder.filePath("notes.md"));
        QVERIFY(other.open(QIODevice::WriteOnly));
        QTest::qWait(200);
        QCOMPARE(changed.size(), 2);
    }

    /// A half-written file is waited for, and nothing is said of it.
    void aHalfWrittenFile() {
        MainWindow window(backends);
        window.files().openSample("multi_head_fox");
        const auto before = window.document().title();
        const auto whole = numbers("whole.npz", {1, 2, 5, 3}, 1.0), path = folder_.filePath("growing.npz");
        QFile from(whole), to(path);
        QVERIFY(from.open(QIODevice::ReadOnly) && to.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
        const auto bytes = from.readAll();
        window.shownFiles().watch(path);
        QVERIFY(to.write(bytes.left(bytes.size() / 2)) > 0);
        QTest::qWait(1200); // longer than the writer's rest that is taken for an end
        QCOMPARE(window.document().title(), before);
        QVERIFY(!window.messageBar()->isVisibleTo(&window));
        QVERIFY(to.write(bytes.mid(bytes.size() / 2)) > 0);
        to.close();
        QTRY_COMPARE(window.document().title(), QString("growing.npz"));
        QCOMPARE(window.document().problem().tensors.at("query").shape(), (Shape{1, 2, 5, 3}));
    }
};

ATTNLAB_TEST(TestWatchedFiles)
#include "test_watched_files.moc"
