// attnlab lesson FOLDER --handout FILE.pdf, started as a program.
#include "../ui/learn_support.h"
#include "tests/test_main.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <csignal>

using namespace attnlab::ui;

namespace {

struct Run {
    int code = -1;
    QString errors;
};

Run run(const QStringList& arguments) {
    QProcess process;
    // No display: nothing may require one.
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.remove(QStringLiteral("DISPLAY"));
    environment.remove(QStringLiteral("QT_QPA_PLATFORM"));
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(ATTNLAB_PROGRAM), QStringList{QStringLiteral("lesson")} + arguments);
    constexpr int patience_milliseconds = 60000;
    if (!process.waitForFinished(patience_milliseconds))
        return {};
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardError())};
}

} // namespace

class TestHandoutCommand : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

private slots:
    void writesAHandout_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QByteArray>("box");
        QTest::newRow("A4 English") << QStringList{} << QByteArray("/MediaBox [0 0 595");
        QTest::newRow("Letter Chinese") << QStringList{"--language", "zh_CN", "--paper", "Letter"}
                                        << QByteArray("/MediaBox [0 0 612");
        QTest::newRow("solutions") << QStringList{"--solutions"} << QByteArray("/MediaBox [0 0 595");
    }

    void writesAHandout() {
        QFETCH(QStringList, options);
        QFETCH(QByteArray, box);
        const QString path = folder_.filePath("handout.pdf");
        QFile::remove(path);
        const auto result = run(QStringList{writeLesson(folder_.path()), "--handout", path} + options);
        QVERIFY2(result.code == 0, qPrintable(result.errors));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray pdf = file.readAll();
        QVERIFY(pdf.startsWith("%PDF-"));
        QVERIFY(pdf.contains(box));
        // The title of a PDF is in UTF-16.
        QCOMPARE(pdf.contains(QByteArray("\0s\0o\0l\0u\0t\0i\0o\0n\0s", 18)), options.contains("--solutions"));
    }

    /// Ctrl+C ends it at once and leaves nothing.
    void canBeInterrupted() {
        const QTemporaryDir folder;
        const QString long_lesson =
            writeLongLesson(folder_.path(), QStringLiteral("- *a* **b** `c` d\n").repeated(200), 100);
        QProcess process;
        process.start(QStringLiteral(ATTNLAB_PROGRAM), {"lesson", long_lesson, "--handout", folder.filePath("x.pdf")});
        QVERIFY(process.waitForStarted());
        QThread::msleep(500);
        QCOMPARE(kill(static_cast<pid_t>(process.processId()), SIGINT), 0);
        QVERIFY(process.waitForFinished(5000));
        QCOMPARE(process.exitStatus(), QProcess::CrashExit); // ended by the signal, before it was done
        QVERIFY(QDir(folder.path()).isEmpty());
    }

    void refuses_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("expected");
        const QString lesson = writeLesson(folder_.path());
        QTest::newRow("paper") << QStringList{lesson, "--handout", "x.pdf", "--paper", "A9"} << 2
                               << "--paper: has 'A9'";
        QTest::newRow("language") << QStringList{lesson, "--handout", "x.pdf", "--language", "fr"} << 2
                                  << "--language: has 'fr'";
        QTest::newRow("no pdf") << QStringList{lesson, "--handout", "x.png"} << 2 << "--handout: has 'x.png', expected";
        QTest::newRow("texts") << QStringList{lesson, "--handout", "x.pdf", "--texts"} << 2 << "--texts: prints";
        QTest::newRow("solutions alone") << QStringList{lesson, "--solutions"} << 2
                                         << "--solutions: is that of a handout";
        QTest::newRow("no such folder") << QStringList{lesson + "s", "--handout", "x.pdf"} << 1 << "no such folder";
        QTest::newRow("two lessons") << QStringList{lesson, lesson, "--handout", "x.pdf"} << 2 << "made of one lesson";
        QTest::newRow("no lesson") << QStringList{folder_.path(), "--handout", "x.pdf"} << 1
                                   << "scene.json: is missing";
        QTest::newRow("no folder to write to")
            << QStringList{lesson, "--handout", folder_.filePath("no/such/x.pdf")} << 1 << "cannot be written";
    }

    void refuses() {
        QFETCH(QStringList, arguments);
        QFETCH(int, code);
        QFETCH(QString, expected);
        const auto result = run(arguments);
        QCOMPARE(result.code, code);
        QVERIFY2(result.errors.contains(expected), qPrintable(result.errors));
        QVERIFY(!QFile::exists("x.pdf"));
    }
};

ATTNLAB_TEST(TestHandoutCommand)
#include "test_handout_command.moc"
