// Outputs that cannot be written, for every command: the exit code, a message with the file and the reason, and no
// partial files.
#include "tests/app/program_support.h"
#include "tests/places.h"
#include "tests/test_main.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <csignal>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace attnlab::test;

namespace {

QString sample() { return QStringLiteral(ATTNLAB_SAMPLES_DIR "/multi_head_fox.npz"); }

QString lesson() { return QStringLiteral(ATTNLAB_SOURCE_DIR "/resources/lessons/02-why-divide-by-sqrt-d"); }

/// The commands that write a file, by suffix; the file name is appended.
const QList<QPair<const char*, QStringList>>& writers() {
    static const QStringList map{"map", golden("scale_none.in.npz"), "--out"};
    static const QStringList weights{"render", sample(), "--stage", "weights", "--out"};
    static const QStringList steps{"render", sample(), "--steps", "--out"};
    static const QList<QPair<const char*, QStringList>> list{
        {"npz", {"compute", sample(), "--out"}},
        {"safetensors", {"compute", sample(), "--out"}},
        {"compared.npz", {"compare", sample(), "--with", "--scale none", "--out"}},
        {"npy", map},
        {"map.png", map},
        {"png", weights},
        {"svg", weights},
        {"pdf", weights},
        {"webp", steps},
        {"gif", steps},
        {"lesson.pdf", {"lesson", lesson(), "--handout"}}};
    return list;
}

QStringList entries(const QString& folder) {
    return QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot, QDir::Name);
}

QByteArray bytesOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void put(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
}

void addWriters() {
    QTest::addColumn<QString>("suffix");
    QTest::addColumn<QStringList>("arguments");
    for (const auto& [suffix, arguments] : writers())
        QTest::newRow(suffix) << QString::fromLatin1(suffix) << arguments;
}

} // namespace

class TestOutputs : public QObject {
    Q_OBJECT
private slots:
    void aFullDiskIsSaid_data() { addWriters(); }
    /// Limits files to a few bytes; Linux reports EFBIG (and kills programs that do not expect it).
    void aFullDiskIsSaid() {
        QFETCH(QString, suffix);
        QFETCH(QStringList, arguments);
        const QTemporaryDir folder;
        const auto out = folder.filePath("out." + suffix);
        put(out, "precious");
        const auto outcome = startPrepared(
            [] {
                std::signal(SIGXFSZ, SIG_DFL);
                const rlimit little{16, 16};
                ::setrlimit(RLIMIT_FSIZE, &little);
            },
            arguments + QStringList{out});
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.error.contains("attnlab: " + out + ": cannot be written: File too large"),
                 qPrintable(outcome.error));
        QCOMPARE(bytesOf(out), QByteArray("precious"));
        QCOMPARE(entries(folder.path()), QStringList{"out." + suffix});
    }

    void whatIsNoFileIsRefused_data() { addWriters(); }
    void whatIsNoFileIsRefused() {
        QFETCH(QString, suffix);
        QFETCH(QStringList, arguments);
        const QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkdir("folder." + suffix));
        QCOMPARE(::mkfifo(qPrintable(folder.filePath("pipe." + suffix)), 0600), 0);
        QVERIFY(QFile::link(folder.filePath("pipe." + suffix), folder.filePath("link." + suffix)));
        const auto before = entries(folder.path());
        const auto says = [&](const QString& name, const QString& text) {
            const auto out = folder.filePath(name + suffix);
            const auto outcome = start(arguments + QStringList{out});
            QCOMPARE(outcome.code, 1);
            QVERIFY2(outcome.error.contains("attnlab: " + out + ": " + text), qPrintable(outcome.error));
        };
        says("folder.", "is a folder, expected a file");
        says("pipe.", "is not a regular file");
        says("link.", "is not a regular file");
        says("none/x.", "cannot be written: No such file or directory");
        QCOMPARE(entries(folder.path()), before);
    }

    void anInputIsKept_data() { addWriters(); }
    void anInputIsKept() {
        QFETCH(QString, suffix);
        QFETCH(QStringList, arguments);
        if (arguments.first() == QLatin1String("lesson"))
            QSKIP("its input is a folder");
        const QTemporaryDir folder;
        // Detected by content, whatever its name.
        const auto in = folder.filePath("in." + suffix);
        QVERIFY(QFile::copy(arguments.at(1), in));
        QVERIFY(QFile::link(in, folder.filePath("link." + suffix)));
        const auto before = bytesOf(in);
        arguments[1] = in;
        for (const char* name : {"in.", "link."}) {
            const auto outcome = start(arguments + QStringList{folder.filePath(name + suffix)});
            QCOMPARE(outcome.code, 2);
            QVERIFY2(outcome.error.contains("--out: '" + folder.filePath(name + suffix) + "' is an input"),
                     qPrintable(outcome.error));
            QCOMPARE(bytesOf(in), before);
        }
    }

    void whatAModelReadsIsKept_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QStringList>("arguments");
        const auto vit = QStringLiteral(ATTNLAB_SOURCE_DIR "/tests/data/models/vit");
        const auto model = QStringLiteral(ATTNLAB_SOURCE_DIR "/resources/models/sample");
        QTest::newRow("render --image") << "in.png"
                                        << QStringList{"render",  "--model", vit,     "--pass", "encoder.0.self",
                                                       "--image", "in.png",  "--out", "in.png"};
        QTest::newRow("map --image") << "in.png"
                                     << QStringList{"map",     "--model", vit,     "--pass", "encoder.0.self",
                                                    "--image", "in.png",  "--out", "in.png"};
        QTest::newRow("map --partial") << "in.npz"
                                       << QStringList{"map",         "--model", model,    "--pass", "decoder.0.self",
                                                      "--text-file", "in.npz",  "--rows", "0/1",    "--partial",
                                                      "in.npz"};
        QTest::newRow("render --text-file")
            << "in.svg" << QStringList{"render",      "--model", model,   "--pass", "decoder.0.self",
                                       "--text-file", "in.svg",  "--out", "in.svg"};
        QTest::newRow("model --text-file")
            << "in.npz" << QStringList{"model", model, "--text-file", "in.npz", "--out", "in.npz"};
    }
    void whatAModelReadsIsKept() {
        QFETCH(QString, name);
        QFETCH(QStringList, arguments);
        const QTemporaryDir folder;
        const auto in = folder.filePath(name);
        if (name.endsWith(".png"))
            QVERIFY(QFile::copy(ATTNLAB_SOURCE_DIR "/tests/data/models/vit/image.png", in));
        else
            put(in, "the cat sat");
        const auto before = bytesOf(in);
        std::ranges::replace(arguments, name, in);
        const auto outcome = start(arguments);
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.error.contains("'" + in + "' is an input"), qPrintable(outcome.error));
        QCOMPARE(bytesOf(in), before);
    }

    void standardOutputIsChecked_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("--help") << QStringList{"--help"};
        QTest::newRow("--version") << QStringList{"--version"};
        QTest::newRow("list") << QStringList{"list"};
        QTest::newRow("list --json") << QStringList{"list", "--json"};
        QTest::newRow("list --markdown") << QStringList{"list", "--markdown"};
        QTest::newRow("list --help") << QStringList{"list", "--help"};
        QTest::newRow("compare") << QStringList{"compare", sample(), "--with", "--scale none"};
        QTest::newRow("compare --json") << QStringList{"compare", sample(), "--with", "--scale none", "--json"};
        QTest::newRow("lesson") << QStringList{"lesson", lesson()};
        QTest::newRow("lesson --texts") << QStringList{"lesson", lesson(), "--texts"};
        QTest::newRow("devices") << QStringList{"devices"};
        QTest::newRow("devices --json") << QStringList{"devices", "--json"};
        const QStringList bench{"bench", "--heads", "1", "--length", "16", "--dim", "8", "--repeat", "1"};
        QTest::newRow("bench") << bench;
        QTest::newRow("bench --json") << bench + QStringList{"--json"};
        QTest::newRow("bench --map") << bench + QStringList{"--map", "max"};
    }
    void standardOutputIsChecked() {
        QFETCH(QStringList, arguments);
        const auto full = startPrepared([] {}, arguments, "/dev/full");
        QCOMPARE(full.code, 1);
        QVERIFY2(full.error.contains("attnlab: standard output: cannot be written: No space left on device"),
                 qPrintable(full.error));
        const auto closed = startPrepared([] { ::close(STDOUT_FILENO); }, arguments);
        QCOMPARE(closed.code, 1);
        QVERIFY2(closed.error.contains("standard output: cannot be written"), qPrintable(closed.error));
        const auto fine = startPrepared([] {}, arguments);
        QVERIFY2(fine.code == 0, qPrintable(fine.error));
        QVERIFY(!fine.out.isEmpty());
    }

    void aClosedStreamDoesNotCatchTheOutput() {
        const QTemporaryDir folder;
        const auto out = folder.filePath("out.npz");
        const auto outcome = startPrepared(
            [] {
                ::close(STDOUT_FILENO);
                ::close(STDIN_FILENO);
            },
            {"compare", sample(), "--with", "--scale none", "--out", out});
        QCOMPARE(outcome.code, 1);
        QVERIFY(bytesOf(out).startsWith("PK\3\4"));
        QVERIFY(!bytesOf(out).contains("max |A - B|"));
    }

    void aDisplayThatIsNotThereIsSaid_data() {
        QTest::addColumn<QString>("variable");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("says");
        QTest::newRow("no server") << "DISPLAY"
                                   << ":997"
                                   << "no window can be opened: .*:997";
        QTest::newRow("empty") << "DISPLAY"
                               << ""
                               << "no window can be opened: .*";
        QTest::newRow("no such platform") << "QT_QPA_PLATFORM"
                                          << "nonsense"
                                          << "no window can be opened: .*nonsense";
    }
    void aDisplayThatIsNotThereIsSaid() {
        QFETCH(QString, variable);
        QFETCH(QString, value);
        QFETCH(QString, says);
        const auto prepare = [name = variable.toLatin1(), text = value.toLatin1()] {
            for (const char* other : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
                ::unsetenv(other);
            ::setenv(name.constData(), text.constData(), 1);
        };
        const auto outcome = startPrepared(prepare, {});
        QCOMPARE(outcome.code, 1);
        QVERIFY2(QRegularExpression("^attnlab: " + says + ".*\n$").match(outcome.error).hasMatch(),
                 qPrintable(outcome.error));
        const auto help = startPrepared(prepare, {"--help"});
        QCOMPARE(help.code, 0);
        QVERIFY(help.out.startsWith("Usage:"));
    }
};

ATTNLAB_TEST(TestOutputs)
#include "test_outputs.moc"
