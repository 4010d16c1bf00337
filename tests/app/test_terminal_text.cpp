// Text from files cannot control a terminal: no name, label or text of a file is printed unescaped.
#include "core/io/file_formats.h"
#include "core/io/saved/workspace_file.h"
#include "tests/app/program_support.h"
#include "tests/test_main.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

using namespace attnlab;
using namespace attnlab::test;

namespace {

/// Sets the title of a terminal, colours (by ESC and by C1), changes the direction of writing, and begins a line that
/// looks like one of the program's.
constexpr const char* hostile = "a\x1b]0;owned\x07\x1b[31m\r\nattnlab: all is well\xc2\x9b"
                                "2J\xe2\x80\xae"
                                "b";
constexpr const char* spelled_out = "a\\x1b]0;owned\\x07\\x1b[31m\\x0d\\x0aattnlab: all is well\\u009b2J\\u202eb";

AttentionProblem threeTokens() {
    AttentionProblem problem;
    const Tensor matrix({3, 2}, {1, 0, 0, 1, 1, 1});
    problem.tensors = {{"query", matrix}, {"key", matrix}, {"value", matrix}};
    return problem;
}

/// Everything that the program printed.
struct Printed {
    int code;
    QByteArray bytes;
};

Printed printedBy(const QStringList& arguments, const QByteArray& last = {}) {
    QProcess program;
    program.setProcessChannelMode(QProcess::MergedChannels);
    // QProcess takes text, which cannot represent every name.
    const auto line = QStringLiteral("exec \"$0\" \"$@\"") + (last.isEmpty() ? "" : " \"$(printf '" + last + "')\"");
    program.start(QStringLiteral("/bin/sh"), QStringList{"-c", line, ATTNLAB_PROGRAM} + arguments);
    if (!program.waitForFinished())
        return {-1, "did not finish"};
    return {program.exitCode(), program.readAll()};
}

/// Only printable characters and line feeds.
bool isInert(const QByteArray& bytes) {
    const auto text = QString::fromUtf8(bytes);
    return std::ranges::all_of(text, [](QChar c) {
        return c == QLatin1Char('\n') || (c.category() != QChar::Other_Control && c.unicode() != 0x202e &&
                                          c.unicode() != QChar::ReplacementCharacter);
    });
}

} // namespace

class TestTerminalText : public QObject {
    Q_OBJECT

private slots:
    void workspaces_data() {
        QTest::addColumn<QStringList>("before");
        QTest::addColumn<QStringList>("after");
        QTest::addColumn<int>("place");
        const QList<std::tuple<const char*, QStringList, QStringList>> commands{
            {"compute", {"compute"}, {"--out", "out.npz"}},
            {"compare", {"compare"}, {"--with", "--scale none"}},
            {"compare, JSON", {"compare"}, {"--with", "--scale none", "--json"}},
            {"map", {"map"}, {"--out", "out.npy"}},
            {"render", {"render"}, {"--stage", "weights", "--out", "out.png"}},
            {"steps", {"render"}, {"--steps", "--query", "0", "--out", "out.gif"}}};
        for (const auto& [name, before, after] : commands)
            for (int place = 0; place < 7; ++place)
                QTest::addRow("%s, place %d", name, place) << before << after << place;
    }
    void workspaces() {
        QFETCH(QStringList, before);
        QFETCH(QStringList, after);
        QFETCH(int, place);
        auto problem = threeTokens();
        switch (place) {
        case 0:
            problem.query_tokens = {hostile, "b", "c", "too many"};
            break;
        case 1:
            problem.spec.variant = hostile;
            break;
        case 2:
            problem.spec.masks = {{hostile, {}}};
            break;
        case 3:
            problem.spec.masks = {{"causal", {}}};
            problem.spec.masks[0].parameters.set("align", std::string(hostile));
            break;
        case 4:
            problem.tensors.emplace(hostile, Tensor({2}, {1, 2}));
            break;
        case 5:
            problem.spec.parameters.set(hostile, 1.0);
            break;
        default:
            problem.tensors.at("key") = Tensor({4, 3});
            problem.tensors.emplace(hostile, Tensor({2}, {1, 2}));
        }
        const QTemporaryDir folder;
        auto path = folder.filePath("w.npz");
        if (problem.tensors.contains(hostile)) { // not a valid name in an archive
            path = folder.filePath("w.safetensors");
            io::write_tensors(path.toStdString(), problem.tensors);
        } else {
            io::write_workspace(path.toStdString(), problem);
        }
        for (auto& word : after)
            if (word.startsWith("out."))
                word = folder.filePath(word);
        const auto printed = printedBy(before + QStringList{path} + after);
        QVERIFY2(isInert(printed.bytes), printed.bytes.toPercentEncoding());
        QVERIFY(!printed.bytes.contains("\nattnlab: all is well"));
    }

    void namesAreSpelledOut() {
        const QTemporaryDir folder;
        auto problem = threeTokens();
        problem.spec.variant = hostile;
        io::write_workspace(folder.filePath("w.npz").toStdString(), problem);
        const auto printed = printedBy({"compute", folder.filePath("w.npz"), "--out", folder.filePath("out.npz")});
        QVERIFY(printed.code > 0);
        QVERIFY2(printed.bytes.contains(spelled_out), printed.bytes);
        QCOMPARE(printed.bytes.count('\n'), 1);
    }

    void namesOfFiles() {
        const auto printed = printedBy({"compute", "--out", "x.npz"}, "/nowhere/na\\357ve\\033[31m.npz");
        QCOMPARE(printed.code, 1);
        QVERIFY2(printed.bytes.contains("/nowhere/na\\xefve\\x1b[31m.npz"), printed.bytes);
        QVERIFY2(isInert(printed.bytes), printed.bytes);
    }

    void wordsOfTheCommandLine() {
        const auto printed = printedBy({"compute", "--out", "x.npz", "--mask"}, "\\033[31m");
        QCOMPARE(printed.code, 2);
        QVERIFY2(isInert(printed.bytes), printed.bytes);
    }

    void lessons() {
        const QTemporaryDir folder;
        const auto to = folder.filePath("02-why-divide-by-sqrt-d");
        std::filesystem::copy(ATTNLAB_SOURCE_DIR "/resources/lessons/02-why-divide-by-sqrt-d", to.toStdString(),
                              std::filesystem::copy_options::recursive);
        QFile text(to + "/en.md");
        QVERIFY(text.open(QIODevice::ReadWrite));
        auto words = text.readAll();
        words.replace("Why divide", "\x1b]0;owned\x07\xc2\x9bWhy divide");
        QVERIFY(text.seek(0) && text.write(words) == words.size());
        text.close();
        const auto printed = printedBy({"lesson", to, "--texts"});
        QVERIFY2(isInert(printed.bytes), printed.bytes.left(3000).toPercentEncoding());
        // The reader refuses control characters.
        QVERIFY2(printed.bytes.contains("has a control character with the code 27"), printed.bytes.left(3000));
    }
};

ATTNLAB_TEST(TestTerminalText)
#include "test_terminal_text.moc"
