// Standard input and output as files: "-".
#include "core/io/npy.h"
#include "core/io/npz.h"
#include "tests/app/program_support.h"
#include "tests/places.h"
#include "tests/test_main.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

struct Piped {
    int code = -1;
    QByteArray out, error;
};

Piped pipe(const QStringList& arguments, const QByteArray& in, const QString& temporaries = {}) {
    QProcess program;
    auto variables = QProcessEnvironment::systemEnvironment();
    if (!temporaries.isEmpty())
        variables.insert("TMPDIR", temporaries);
    program.setProcessEnvironment(variables);
    program.start(QStringLiteral(ATTNLAB_PROGRAM), arguments);
    program.write(in);
    program.closeWriteChannel();
    if (!program.waitForFinished())
        return {};
    return {program.exitCode(), program.readAllStandardOutput(), program.readAllStandardError()};
}

QByteArray bytesOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString input() { return golden("scale_none.in.npz"); }

} // namespace

class TestStreams : public QObject {
    Q_OBJECT
private slots:
    void bytesAreThoseOfAFile_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("suffix");
        const QStringList one{"compute", "--stage", "weights"}, render{"render", "--stage", "weights"};
        QTest::newRow("npz") << QStringList{"compute"} << "npz";
        QTest::newRow("one npz") << one << "npz";
        QTest::newRow("safetensors") << QStringList{"compute"} << "safetensors";
        QTest::newRow("npy") << one << "npy";
        QTest::newRow("png") << render << "png";
        QTest::newRow("svg") << render << "svg";
        QTest::newRow("map") << QStringList{"map"} << "npy";
        QTest::newRow("compare") << QStringList{"compare", "--with", "--scale dk"} << "npz";
    }
    void bytesAreThoseOfAFile() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, suffix);
        const QTemporaryDir folder, temporaries;
        const QString path = folder.filePath("out." + suffix);
        const auto to_file = start(arguments + QStringList{input(), "--out", path});
        QVERIFY2(to_file.code == 0, qPrintable(to_file.error));
        const auto piped =
            pipe(arguments + QStringList{"-", "--out", "-", "--format", suffix}, bytesOf(input()), temporaries.path());
        QVERIFY2(piped.code == 0, piped.error.constData());
        QVERIFY(!piped.out.isEmpty());
        QCOMPARE(piped.out, bytesOf(path));
        QVERIFY(QDir(temporaries.path()).entryList({"*attnlab*"}, QDir::AllEntries | QDir::Hidden).isEmpty());
    }

    void aTableIsOneMatrix() {
        const QByteArray rows("1,2\n3,4\n");
        QTemporaryDir folder;
        QFile file(folder.filePath("query.csv"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(rows) > 0);
        file.close();
        for (const char* name : {"key.csv", "value.csv"})
            QVERIFY(QFile::copy(folder.filePath("query.csv"), folder.filePath(name)));
        const QStringList files{folder.filePath("query.csv"), folder.filePath("key.csv"), folder.filePath("value.csv")};
        const auto csv = pipe(
            QStringList{"compute"} + files + QStringList{"--stage", "scores", "--out", "-", "--format", "csv"}, {});
        QVERIFY2(csv.code == 0, csv.error.constData());
        QCOMPARE(csv.out, QByteArray("5,11\n11,25\n"));
        const auto several = pipe({"compute", golden("multi_head.in.npz"), "--variant", "multi_head", "--set",
                                   "num_heads=2", "--stage", "weights", "--out", "-", "--format", "csv"},
                                  {});
        QCOMPARE(several.code, 1);
        QVERIFY(several.error.contains("a table is one matrix"));
        QVERIFY(several.out.isEmpty());
    }

    void wrong_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("in");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("says");
        const auto bytes = bytesOf(input());
        const auto row = [](const char* name, const QStringList& arguments, const QByteArray& in, int code,
                            const char* says) { QTest::newRow(name) << arguments << in << code << says; };
        row("no format", {"compute", "-", "--out", "-"}, bytes, 2, "--format: is missing");
        row("format of a file", {"compute", "-", "--out", "x.npz", "--format", "npz"}, bytes, 2,
            "--format: is the type of --out -");
        row("unknown format", {"compute", "-", "--out", "-", "--format", "xml"}, bytes, 2,
            "--format: has 'xml', expected csv");
        row("no stage", {"compute", "-", "--out", "-", "--format", "npy"}, bytes, 2, "--stage: is missing");
        row("twice", {"compute", "-", "-", "--out", "-", "--format", "npz"}, bytes, 2, "read once");
        row("empty", {"compute", "-", "--out", "-", "--format", "npz"}, "", 1, "standard input: is empty");
        row("cut short", {"compute", "-", "--out", "-", "--format", "npz"}, bytes.left(200), 1,
            "attnlab: standard input: ");
        row("json too", {"compute", "-", "--out", "-", "--format", "npz", "--json"}, bytes, 2, "--json: ");
    }
    void wrong() {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, in);
        QFETCH(int, code);
        QFETCH(QString, says);
        const auto outcome = pipe(arguments, in);
        QVERIFY2(outcome.code == code, outcome.error.constData());
        QVERIFY2(QString::fromUtf8(outcome.error).contains(says), outcome.error.constData());
        QVERIFY(outcome.out.isEmpty());
    }

    /// `... | head -c 1` is not an error: no message, but the exit code is not that of success.
    void aReaderThatGoes() {
        QProcess shell;
        shell.start("bash", {"-c", QStringLiteral("'%1' compute '%2' --out - --format npz | head -c 1 > /dev/null; "
                                                  "exit ${PIPESTATUS[0]}")
                                       .arg(QStringLiteral(ATTNLAB_PROGRAM),
                                            QStringLiteral(ATTNLAB_SAMPLES_DIR "/multi_head_fox.npz"))});
        QVERIFY(shell.waitForFinished());
        QCOMPARE(shell.readAllStandardError(), QByteArray());
        shell.start(
            "bash",
            {"-c",
             QStringLiteral("(sleep 0.3; '%1' list --json; echo $? >&2) | true").arg(QStringLiteral(ATTNLAB_PROGRAM))});
        QVERIFY(shell.waitForFinished());
        QCOMPARE(shell.readAllStandardError(), QByteArray("1\n"));
    }
};

ATTNLAB_TEST(TestStreams)
#include "test_streams.moc"
