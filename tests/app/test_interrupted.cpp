// Ctrl+C, a closed terminal, a shutdown and a crash while results are computed and written.
#include "core/io/npz.h"
#include "core/random.h"
#include "tests/app/program_support.h"
#include "tests/test_main.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

#include <unistd.h>

using namespace attnlab;
using namespace attnlab::test;

namespace {

QStringList entries(const QString& folder) {
    return QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot, QDir::Name);
}

struct Ending {
    int code = 0;
    int signal = 0;
    QByteArray error;
};

/// Starts the program and sends it `signal` after a while.
Ending interrupt(const QStringList& arguments, int signal, int milliseconds) {
    QProcess program;
    program.setChildProcessModifier([] { // resets inherited signal handling, for example of nohup
        for (const int each : {SIGHUP, SIGINT, SIGTERM})
            std::signal(each, SIG_DFL);
    });
    program.start(QStringLiteral(ATTNLAB_PROGRAM), arguments);
    if (!program.waitForStarted())
        return {-1, 0, "did not start"};
    if (!program.waitForFinished(milliseconds))
        ::kill(static_cast<pid_t>(program.processId()), signal);
    if (program.state() != QProcess::NotRunning && !program.waitForFinished())
        return {-1, 0, "did not finish"};
    const bool killed = program.exitStatus() == QProcess::CrashExit;
    return {killed ? 0 : program.exitCode(), killed ? program.exitCode() : 0, program.readAllStandardError()};
}

} // namespace

class TestInterrupted : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        constexpr std::int64_t heads = 2, length = 300, width = 16;
        input_ = inputs_.filePath("in.npz");
        TensorMap tensors;
        for (const char* name : {"query", "key", "value"})
            tensors.emplace(name, random_normal({1, heads, length, width}, tensors.size()));
        io::write_npz(input_.toStdString(), {tensors, {}});
    }

    void leavesTheOldFileAndNothingElse_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("signal");
        QTest::addColumn<QByteArray>("says");
        const QStringList compute{"compute", input_, "--out"};
        QTest::newRow("npz, INT") << "x.npz" << compute << SIGINT << QByteArray("attnlab: interrupted\n");
        QTest::newRow("safetensors, TERM")
            << "x.safetensors" << compute << SIGTERM << QByteArray("attnlab: terminated\n");
        QTest::newRow("npz, HUP") << "x.npz" << compute << SIGHUP << QByteArray("attnlab: hung up\n");
        QTest::newRow("npz, KILL") << "x.npz" << compute << SIGKILL << QByteArray();
        QTest::newRow("map, INT") << "x.npy" << QStringList{"map", input_, "--bins", "300x300", "--out"} << SIGINT
                                  << QByteArray("attnlab: interrupted\n");
        QTest::newRow("picture, INT") << "x.png" << QStringList{"render", input_, "--stage", "weights", "--out"}
                                      << SIGINT << QByteArray("attnlab: interrupted\n");
    }
    /// At any time, either the new file exists or the old one.
    void leavesTheOldFileAndNothingElse() {
        QFETCH(QString, file);
        QFETCH(QStringList, arguments);
        QFETCH(int, signal);
        QFETCH(QByteArray, says);
        const QTemporaryDir folder;
        const auto path = folder.filePath(file);
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(interrupt(arguments + QStringList{path}, signal, 60'000).code, 0);
        const auto whole = static_cast<int>(timer.elapsed());
        for (const double part : {0.4, 0.6, 0.75, 0.9}) {
            QFile old(path);
            QVERIFY(old.open(QIODevice::WriteOnly | QIODevice::Truncate));
            old.write("precious");
            old.close();
            const auto ending = interrupt(arguments + QStringList{path}, signal, static_cast<int>(part * whole));
            QCOMPARE(entries(folder.path()), QStringList{file});
            QVERIFY(old.open(QIODevice::ReadOnly));
            if (ending.signal == 0) {
                QVERIFY2(ending.code == 0, ending.error.constData());
                QVERIFY(old.size() > 1000);
                continue;
            }
            QCOMPARE(ending.signal, signal);
            QVERIFY2(ending.error.isEmpty() || ending.error.endsWith(says), ending.error.constData()); // before main()
            QVERIFY(old.size() > 1000 || old.readAll() == "precious");
        }
    }

private:
    QTemporaryDir inputs_;
    QString input_;
};

ATTNLAB_TEST(TestInterrupted)
#include "test_interrupted.moc"
