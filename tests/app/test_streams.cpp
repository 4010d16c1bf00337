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
        row("nothing that is known", {"info", "-"}, QByteArray(300, '\0'), 1,
            "standard input: begins like no file that can be read here");
        row("a figure without settings", {"info", "-"}, "\x89PNG\r\n\x1a\n" + QByteArray(300, '\0'), 1,
            "standard input: ");
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

    /// The first bytes decide before the others are kept.
    void anEndlessInputThatIsNothing() {
        const QTemporaryDir temporaries;
        QProcess shell;
        shell.start("bash", {"-c", QStringLiteral("TMPDIR='%1' timeout 20 '%2' info - < /dev/zero")
                                       .arg(temporaries.path(), QStringLiteral(ATTNLAB_PROGRAM))});
        QVERIFY(shell.waitForFinished());
        QCOMPARE(shell.exitCode(), 1);
        QVERIFY(shell.readAllStandardError().contains("begins like no file"));
    }

    /// The reason is that of the failed write.
    void theReasonWhyInputCannotBeKept() {
        QProcess shell;
        shell.start("bash", {"-c", QStringLiteral("trap '' XFSZ; ulimit -f 1; yes 1,2 | head -c 100000 | '%1' info -")
                                       .arg(QStringLiteral(ATTNLAB_PROGRAM))});
        QVERIFY(shell.waitForFinished());
        const auto said = shell.readAllStandardError();
        QVERIFY2(said.contains("cannot be kept in") && said.contains("File too large"), said.constData());
    }

    /// Headers are read, and no numbers: an archive of a few KB that inflates to 3 GB, in 1 GB of memory.
    void headersOfALargeArchive() {
        if (attnlab::test::sanitizer_slowdown > 1)
            QSKIP("A sanitizer reserves more address space than this test allows.");
        const QTemporaryDir folder;
        const auto path = folder.filePath("bomb.npz");
        QProcess python;
        python.start("python3", {"-c",
                                 QStringLiteral("import zipfile, sys\n"
                                                "z = zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED)\n"
                                                "d = \"{'descr': '|b1', 'fortran_order': False, 'shape': (1, %d), }\"\n"
                                                "for name in ('query', 'key', 'value'):\n"
                                                "    with z.open(name + '.npy', 'w') as f:\n"
                                                "        h = (d % (1 << 27)).ljust(117) + '\\n'\n"
                                                "        f.write(b'\\x93NUMPY\\x01\\x00\\x76\\x00' + h.encode())\n"
                                                "        for _ in range(1 << 7): f.write(bytes(1 << 20))\n"
                                                "z.close()\n"),
                                 path});
        QVERIFY(python.waitForFinished());
        QCOMPARE(python.exitCode(), 0);
        const auto run = [&](const char* command) {
            QProcess shell;
            shell.start("bash", {"-c", QStringLiteral("ulimit -v 2000000; '%1' %2 '%3'")
                                           .arg(QStringLiteral(ATTNLAB_PROGRAM), command, path)});
            return shell.waitForFinished(60000)
                       ? std::pair(shell.exitCode(), shell.readAll() + shell.readAllStandardError())
                       : std::pair(-1, QByteArray());
        };
        const auto info = run("info");
        QVERIFY2(info.first == 0 && info.second.contains("(1, 134217728)"), info.second.constData());
        const auto compute = run("compute --out /dev/null.npz");
        QVERIFY2(compute.first == 1 && compute.second.contains("takes 3221225472 bytes in memory"),
                 compute.second.constData());
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
