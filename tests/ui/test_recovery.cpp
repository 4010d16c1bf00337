// The copies of unsaved work: those of crashed programs, and what may replace them.
#include "core/io/saved/recovery_copy.h"
#include "core/io/saved/workspace_file.h"
#include "tests/test_main.h"
#include "ui/document/crash_recovery.h"
#include "ui/document/document.h"
#include "ui/document/local_files.h"
#include "ui/document/view_state.h"

#include <QDir>
#include <QElapsedTimer>
#include <QLockFile>
#include <QProcess>
#include <QSemaphore>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>

#include <cstdio>
#include <cstdlib>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

constexpr const char* child_variable = "ATTNLAB_RECOVERY_TEST_CHILD";
constexpr int patience = 30000;

AttentionProblem problemOf(double number) {
    AttentionProblem problem;
    problem.tensors.emplace("query", Tensor({1, 1}, number));
    problem.compared_with = AttentionSpec();
    problem.compared_with->scale.id = "none";
    return problem;
}

double numberOf(const AttentionProblem& problem) { return problem.tensors.at("query").value(0); }

QDir folder() {
    return QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/recovery"));
}

QStringList copies() {
    QStringList found;
    for (const auto& name : folder().entryList(QDir::Dirs | QDir::NoDotAndDotDot))
        if (io::recovery_label(folder().filePath(name).toStdString()))
            found << folder().filePath(name);
    return found;
}

io::RecoveredWork read(const QString& path) { return io::read_recovery_copy(path.toStdString()); }

/// A copy left by a crashed program.
QString leave(double number, const char* title = "kernel.npz") {
    static int made = 0;
    auto path = folder().filePath(QStringLiteral("left-%1").arg(++made));
    io::UnsavedWork work{problemOf(number), "{\"head\":3}", title};
    io::RecoveryCopy(path.toStdString()).write(work);
    return path;
}

struct Window {
    Document document;
    ViewState view;
    Recovery recovery{document, view};
};

/// Edits continuously until it is killed, and prints each number with its time.
[[noreturn]] void editSteadily() {
    Window window;
    window.recovery.start();
    QElapsedTimer clock;
    clock.start();
    int number = 0;
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, &timer, [&] {
        window.document.edit("edit", problemOf(++number));
        std::printf("%d %lld\n", number, static_cast<long long>(clock.elapsed()));
        std::fflush(stdout);
    });
    timer.start(50);
    QCoreApplication::exec();
    std::_Exit(0);
}

struct Child {
    Child() {
        auto variables = QProcessEnvironment::systemEnvironment();
        variables.insert(child_variable, "1");
        process.setProcessEnvironment(variables);
        process.start(QCoreApplication::applicationFilePath(), {"recovery"});
    }
    /// As kill -9.
    void die() {
        process.kill();
        process.waitForFinished(patience);
    }
    QProcess process;
};

/// Numbers whose reading blocks until they are released.
class Stuck : public NumberSource {
public:
    std::int64_t size() const override { return 1 << 20; }
    void read(std::int64_t, std::span<double> values) const override {
        begun.release();
        go.acquire();
        go.release();
        std::fill(values.begin(), values.end(), 1.0);
    }
    void read(std::int64_t, std::span<float>) const override {}
    mutable QSemaphore begun, go;
};

} // namespace

class TestRecovery : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabRecoveryTest");
        if (qEnvironmentVariableIsSet(child_variable))
            editSteadily();
    }

    void init() {
        folder().removeRecursively();
        folder().mkpath(".");
    }

    void cleanupTestCase() { folder().removeRecursively(); }

    void unsavedWorkIsKeptUntilItIsSaved() {
        Window window;
        window.recovery.start();
        QVERIFY(window.recovery.left().empty());
        window.document.edit("edit", problemOf(7));
        QTRY_COMPARE_WITH_TIMEOUT(copies().size(), 1, patience);
        QVERIFY(read(copies().front()).work.problem == problemOf(7));
        QCOMPARE(QFile::permissions(folder().path()) & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
        window.recovery.end();
        QTRY_VERIFY_WITH_TIMEOUT(copies().isEmpty(), patience);
    }

    void undoneWorkIsNotKept() {
        Window window;
        window.recovery.start();
        window.document.edit("edit", problemOf(7));
        QTRY_COMPARE_WITH_TIMEOUT(copies().size(), 1, patience);
        window.document.undoStack()->undo();
        QTRY_VERIFY_WITH_TIMEOUT(copies().isEmpty(), patience);
        window.document.undoStack()->redo();
        QTRY_COMPARE_WITH_TIMEOUT(copies().size(), 1, patience);
    }

    void aProgramThatIsKilledLosesFiveSecondsAtMost() {
        Child child;
        QList<QPair<int, qint64>> edits; // the number and its time
        const auto listen = [&] {
            while (child.process.canReadLine()) {
                const auto words = child.process.readLine().simplified().split(' ');
                if (words.size() == 2)
                    edits << qMakePair(words[0].toInt(), words[1].toLongLong());
            }
            return !edits.isEmpty() && edits.back().second > 8000;
        };
        QTRY_VERIFY_WITH_TIMEOUT(listen(), patience);
        child.die();
        listen();
        QCOMPARE(copies().size(), 1);
        const int kept = static_cast<int>(numberOf(read(copies().front()).work.problem));
        constexpr qint64 most_lost = 5000;
        const auto old = std::ranges::find_if(edits, [&](const auto& edit) { return edit.first == kept; });
        QVERIFY(old != edits.end());
        QVERIFY2(old->second > edits.back().second - most_lost,
                 qPrintable(QStringLiteral("%1 of %2").arg(kept).arg(edits.back().first)));
    }

    void everyWindowsWorkIsFound() {
        constexpr int windows = 20;
        {
            std::vector<std::unique_ptr<Window>> open;
            for (int i = 0; i < windows; ++i) {
                open.push_back(std::make_unique<Window>());
                open.back()->recovery.start();
                QVERIFY(open.back()->recovery.left().empty()); // copies of running windows are not offered
                open.back()->document.edit("edit", problemOf(i));
            }
            QTRY_COMPARE_WITH_TIMEOUT(copies().size(), windows, patience);
        }
        Window window;
        window.recovery.start();
        QSet<double> numbers;
        for (const auto& left : window.recovery.left())
            numbers << numberOf(io::read_recovery_copy(left.copy).work.problem);
        QCOMPARE(numbers.size(), windows);
    }

    void unansweredOffersOutliveFurtherCrashes() {
        leave(7);
        for (int crash = 1; crash <= 2; ++crash) {
            Child child;
            QTRY_COMPARE_WITH_TIMEOUT(copies().size(), 1 + crash, patience);
            child.die();
        }
        Window window;
        window.recovery.start();
        QCOMPARE(window.recovery.left().size(), 3u);
        QSet<double> numbers;
        for (const auto& left : window.recovery.left())
            numbers << numberOf(io::read_recovery_copy(left.copy).work.problem);
        QVERIFY(numbers.contains(7));
    }

    void oneWindowAloneOffersIt() {
        leave(7);
        auto first = std::make_unique<Window>();
        first->recovery.start();
        QCOMPARE(first->recovery.left().size(), 1u);
        {
            Window second;
            second.recovery.start();
            QVERIFY(second.recovery.left().empty());
        }
        first.reset(); // closed without an answer
        Window third;
        third.recovery.start();
        QCOMPARE(third.recovery.left().size(), 1u);
    }

    void leftWorkOutlivesNewWorkAndOpenedFiles() {
        const auto left = leave(7);
        Window window;
        window.recovery.start();
        window.document.edit("edit", problemOf(8));
        QTRY_COMPARE_WITH_TIMEOUT(copies().size(), 2, patience);
        window.recovery.end(); // another file was opened
        QTRY_COMPARE_WITH_TIMEOUT(copies(), QStringList(left), patience);
        QCOMPARE(window.recovery.left().size(), 1u);
    }

    void takenWorkGoesWhenThereIsAnotherCopy() {
        const auto left = leave(7);
        Window window;
        window.recovery.start();
        window.document.reset(read(left).work.problem);
        window.document.setUnsaved();
        window.recovery.take(toPath(left));
        QVERIFY(window.recovery.left().empty());
        // At every time there is a copy.
        QTRY_VERIFY_WITH_TIMEOUT((QTest::qWait(1), !copies().isEmpty() && !copies().contains(left)), patience);
        QVERIFY(read(copies().front()).work.problem == problemOf(7));
    }

    void takenWorkThatIsSavedIsNotOfferedAgain() {
        const auto left = leave(7);
        {
            Window window;
            window.recovery.start();
            window.document.reset(read(left).work.problem);
            window.document.setUnsaved();
            window.recovery.take(toPath(left));
            window.document.setSaved("kernel.npz");
            window.recovery.end();
        }
        QVERIFY(copies().isEmpty());
    }

    void declinedWorkIsNotOfferedAgain() {
        const auto left = leave(7), other = leave(8);
        {
            Window window;
            window.recovery.start();
            window.recovery.drop(toPath(left));
            QCOMPARE(window.recovery.left().size(), 1u);
        }
        QCOMPARE(copies(), QStringList(other));
    }

    /// Including its lock, so that an uninvolved program does not hold its folder.
    void answeredWorkIsLetGo_data() {
        QTest::addColumn<bool>("taken");
        QTest::newRow("taken") << true;
        QTest::newRow("dropped") << false;
    }
    void answeredWorkIsLetGo() {
        QFETCH(bool, taken);
        const auto left = leave(7);
        const auto lock = left + ".lock";
        Window window;
        window.recovery.start();
        QVERIFY(QFileInfo::exists(lock));
        QVERIFY(!io::FileLock::take(toPath(lock)));
        if (taken) {
            window.document.reset(read(left).work.problem);
            window.document.setUnsaved();
            window.recovery.take(toPath(left));
        } else {
            window.recovery.drop(toPath(left));
        }
        QTRY_VERIFY_WITH_TIMEOUT(!QFileInfo::exists(lock) && !QFileInfo::exists(left), patience);
    }

    void workOfEarlierVersionsIsOffered() {
        QDir data = folder();
        data.cdUp();
        const QStringList names{"recovery.npz", "recovery-0.npz", "recovery-12.npz", "recovery-12-left.npz"};
        for (int i = 0; i < names.size(); ++i)
            io::write_workspace(toPath(data.filePath(names[i])), problemOf(i), "{\"head\":3}");
        const auto others = data.filePath("recovery-plan.npz"); // a file of the user
        io::write_workspace(toPath(others), problemOf(9));
        {
            QLockFile running(data.filePath("recovery-0.lock")); // as held by those versions
            running.setStaleLockTime(0);
            QVERIFY(running.tryLock());
            Window window;
            window.recovery.start();
            QCOMPARE(window.recovery.left().size(), 3u);
        }
        Window window;
        window.recovery.start();
        QCOMPARE(window.recovery.left().size(), 4u);
        QSet<double> numbers;
        for (const auto& left : window.recovery.left()) {
            const auto found = io::read_recovery_copy(left.copy);
            QVERIFY(found.work.problem.compared_with);
            QCOMPARE(found.work.view_json, "{\"head\":3}");
            numbers << numberOf(found.work.problem);
        }
        QCOMPARE(numbers, (QSet<double>{0, 1, 2, 3}));
        while (!window.recovery.left().empty()) {
            const auto copy = window.recovery.left().front().copy;
            QVERIFY(std::filesystem::exists(copy)); // the others' answers have no effect
            window.recovery.drop(copy);
            QTRY_VERIFY_WITH_TIMEOUT(!std::filesystem::exists(copy), patience);
        }
        QVERIFY(QFile::remove(others));
        QTRY_COMPARE_WITH_TIMEOUT(data.entryList({"recovery-*", "recovery.*"}), QStringList(), patience);
    }

    void filesWhoseNamesAreNoTextAreKnownAgain() {
        Window window;
        window.recovery.start();
        const auto name = fromFileName("/no/where/na\xefve.npz");
        window.document.reset(problemOf(1), name);
        window.document.edit("edit", problemOf(7));
        QTRY_COMPARE_WITH_TIMEOUT(copies().size(), 1, patience);
        QCOMPARE(read(copies().front()).work.path.native(), "/no/where/na\xefve.npz");
    }

    void whatNoCopyIsIsSweptAway() {
        QVERIFY(folder().mkdir("half")); // its program crashed before the copy was complete
        for (const char* name : {"half/array-1.npy", "gone.lock", "half.lock"}) {
            QFile file(folder().filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly));
        }
        {
            Window window;
            window.recovery.start();
            QVERIFY(window.recovery.left().empty());
        }
        QVERIFY(folder().isEmpty());
    }

    void endingWaitsForNoDisk() {
        auto numbers = std::make_shared<const Stuck>();
        {
            Window window;
            window.recovery.start();
            AttentionProblem problem;
            problem.tensors.emplace("query", Tensor::from({1 << 10, 1 << 10}, numbers, DType::Float32));
            window.document.edit("edit", problem);
            QTRY_VERIFY_WITH_TIMEOUT(numbers->begun.available() > 0, patience);
            window.document.undoStack()->undo();
            window.recovery.end(); // otherwise the test would block here
            numbers->go.release();
        }
        QVERIFY(copies().isEmpty());
    }

    void editsWhileItIsWrittenAreWrittenToo() {
        auto numbers = std::make_shared<const Stuck>();
        Window window;
        window.recovery.start();
        AttentionProblem problem;
        problem.tensors.emplace("key", Tensor::from({1 << 10, 1 << 10}, numbers, DType::Float32));
        window.document.edit("edit", problem);
        QTRY_VERIFY_WITH_TIMEOUT(numbers->begun.available() > 0, patience);
        problem.tensors.emplace("query", Tensor({1, 1}, 9.0));
        window.document.edit("edit", problem);
        QTest::qWait(3000); // the time of the next copy
        numbers->go.release();
        QTRY_VERIFY_WITH_TIMEOUT(copies().size() == 1 && read(copies().front()).work.problem.tensors.contains("query"),
                                 patience);
    }

    void whatCannotBeWrittenIsSaid() {
        folder().removeRecursively();
        QFile file(folder().path());
        QVERIFY(file.open(QIODevice::WriteOnly));
        {
            Window window;
            window.recovery.start();
            QSignalSpy failed(&window.recovery, &Recovery::failed);
            window.document.edit("edit", problemOf(1));
            QTRY_VERIFY_WITH_TIMEOUT(!failed.isEmpty(), patience);
        }
        QVERIFY(file.remove());
    }
};

ATTNLAB_TEST(TestRecovery)
#include "test_recovery.moc"
