// Whatever the window does, Cancel stops it at once and closing the window ends the program.
#include "tests/app/program_support.h"
#include "tests/test_main.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

namespace {

struct Times {
    QByteArray problem; ///< empty if there are times
    qint64 cancelled = 0, closed = 0;
};

Times drive(const QString& work, const QString& folder) {
    constexpr int patience = 60'000;
    QProcess program;
    auto environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "HOME"})
        environment.insert(name, folder);
    environment.insert("QT_QPA_PLATFORM", "offscreen");
    program.setProcessEnvironment(environment);
    program.start(QStringLiteral(ATTNLAB_DRIVEN_PROGRAM), {work, folder});
    Times times;
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < patience) {
        if (!program.canReadLine() && !program.waitForReadyRead(patience))
            break;
        const auto line = program.readLine().trimmed();
        if (line.startsWith("cancelled "))
            times.cancelled = line.mid(10).toLongLong();
        if (line != "closing")
            continue;
        timer.start();
        const bool ended = program.waitForFinished(patience);
        times.closed = timer.elapsed();
        if (!ended || program.exitStatus() != QProcess::NormalExit || program.exitCode() != 0)
            times.problem = "it did not end well: " + program.readAllStandardError();
        return times;
    }
    program.kill();
    program.waitForFinished();
    times.problem = "it was not long at work: " + program.readAllStandardError();
    return times;
}

} // namespace

class TestLongWork : public QObject {
    Q_OBJECT
private slots:
    void endsAtOnce_data() {
        QTest::addColumn<QString>("work");
        for (const char* work :
             {"compute", "map", "read a table", "read a deflated archive", "read a mask in its file", "make inputs",
              "edit", "write", "run a model", "tokenize", "make a handout", "compare", "sweep"})
            QTest::newRow(work) << work;
    }

    void endsAtOnce() {
        QFETCH(QString, work);
        constexpr qint64 cancelled_within = 200 * attnlab::test::sanitizer_slowdown,
                         closed_within = 1000 * attnlab::test::sanitizer_slowdown; // milliseconds
        const QTemporaryDir folder;
        qint64 cancelled = 1'000'000, closed = 1'000'000;
        // Other programs may keep it waiting.
        for (int tries = 0; tries < 4 && (cancelled > cancelled_within || closed > closed_within); ++tries) {
            const auto times = drive(work, folder.path());
            QVERIFY2(times.problem.isEmpty(), times.problem.constData());
            cancelled = std::min(cancelled, times.cancelled);
            closed = std::min(closed, times.closed);
        }
        qInfo("cancelled in %lld ms, closed in %lld ms", static_cast<long long>(cancelled),
              static_cast<long long>(closed));
        QVERIFY(cancelled <= cancelled_within);
        QVERIFY(closed <= closed_within);
    }
};

ATTNLAB_TEST(TestLongWork)
#include "test_long_work.moc"
