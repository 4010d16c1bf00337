// Several programs with windows: which of them other programs ask.
#include "tests/app/program_support.h"
#include "tests/test_main.h"

#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <memory>

using namespace attnlab::test;

namespace {

constexpr int patience = 60'000;

} // namespace

class TestOpenWindows : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> folder_;
    QProcessEnvironment environment_;

    QString socket() const { return folder_->path() + QStringLiteral("/attnlab-%1/window").arg(::getuid()); }

    std::unique_ptr<QProcess> open(const QStringList& arguments) {
        auto program = std::make_unique<QProcess>();
        program->setProcessEnvironment(environment_);
        program->start(QStringLiteral(ATTNLAB_PROGRAM), arguments);
        return program->waitForStarted() ? std::move(program) : nullptr;
    }

    /// Whether a window that is open takes the file; otherwise the program would open one, and is ended.
    bool isTaken() {
        const auto asking = open({golden("cross.in.npz")});
        const bool ended = asking->waitForFinished(5000);
        asking->kill();
        asking->waitForFinished();
        return ended && asking->exitCode() == 0;
    }

private slots:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        QVERIFY(folder_->isValid());
        environment_ = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "HOME"})
            environment_.insert(name, folder_->path());
        environment_.insert("QT_QPA_PLATFORM", "offscreen");
    }

    void theNextProgramListens_data() {
        QTest::addColumn<int>("signal");
        QTest::newRow("ends") << SIGTERM;
        QTest::newRow("crashes") << SIGKILL;
    }
    void theNextProgramListens() {
        QFETCH(int, signal);
        const auto first = open({});
        QVERIFY(first && QTest::qWaitFor([&] { return QFileInfo::exists(socket()); }, patience));
        QVERIFY(isTaken());
        const auto second = open({"--new-window"});
        QVERIFY(second);
        QTest::qWait(3000); // until it waits for the first
        ::kill(static_cast<pid_t>(first->processId()), signal);
        QVERIFY(first->waitForFinished());
        QVERIFY(QTest::qWaitFor([&] { return isTaken(); }, patience));
        QCOMPARE(second->state(), QProcess::Running);
        ::kill(static_cast<pid_t>(second->processId()), SIGTERM);
        QVERIFY(second->waitForFinished());
        const auto third = open({}); // after all have ended, at once
        QVERIFY(third && QTest::qWaitFor([&] { return isTaken(); }, patience));
        third->kill();
        QVERIFY(third->waitForFinished());
    }
};
ATTNLAB_TEST(TestOpenWindows)

#include "test_open_windows.moc"
