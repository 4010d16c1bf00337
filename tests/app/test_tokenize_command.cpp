// attnlab tokenize.
#include "tests/app/program_support.h"
#include "tests/test_main.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using attnlab::test::start;

namespace {

const QString wordpiece = QStringLiteral(ATTNLAB_TEST_DATA_DIR "/tokenizers/wordpiece.json");

} // namespace

class TestTokenizeCommand : public QObject {
    Q_OBJECT

private slots:
    void asJson() {
        const auto outcome = start({"tokenize", wordpiece, "--text", "The quick", "--pair", "the", "--json"});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        const auto list = QJsonDocument::fromJson(outcome.out.toUtf8()).array();
        QCOMPARE(list.size(), 6);
        QCOMPARE(list[0].toObject(),
                 (QJsonObject{{"id", 2}, {"token", "[CLS]"}, {"start", 0}, {"end", 0}, {"special", true}}));
        QCOMPARE(list[2].toObject(),
                 (QJsonObject{{"id", 373}, {"token", "quick"}, {"start", 4}, {"end", 9}, {"special", false}}));
        QCOMPARE(list[4].toObject()["start"].toInt(), 0);
    }

    void asTable() {
        const auto outcome = start({"tokenize", wordpiece, "--text", "The quick"});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        QVERIFY(outcome.out.contains("[CLS]") && outcome.out.contains("4:9"));
    }

    /// A file of Windows begins with three bytes that nobody typed.
    void byteOrderMark() {
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("text.txt")));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("\xEF\xBB\xBFThe quick") > 0);
        file.close();
        const auto with = start({"tokenize", wordpiece, "--text-file", file.fileName()});
        const auto without = start({"tokenize", wordpiece, "--text", "The quick"});
        QCOMPARE(with.out, without.out);
        QVERIFY2(with.error.contains("byte order mark"), qPrintable(with.error));
        QCOMPARE(without.error, QString());
    }

    /// Bytes in an argument reach the tokenizer as they were typed.
    void bytesOfNoText() {
        QProcess shell;
        shell.start(QStringLiteral("sh"),
                    {QStringLiteral("-c"), QStringLiteral("exec \"$0\" tokenize \"$1\" --text \"$(printf 'a\\377b')\""),
                     QStringLiteral(ATTNLAB_PROGRAM), wordpiece});
        QVERIFY(shell.waitForFinished());
        QCOMPARE(shell.exitCode(), 1);
        QVERIFY(shell.readAllStandardError().contains("not UTF-8"));
    }

    void refused_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("says");
        QTest::newRow("no path") << QStringList{"--text", "x"} << 2 << "needs one PATH, has 0";
        QTest::newRow("no text") << QStringList{wordpiece} << 2 << "needs --text or --text-file";
        QTest::newRow("two texts") << QStringList{wordpiece, "--text", "x", "--text-file", "y"} << 2
                                   << "needs --text or --text-file";
        QTest::newRow("no file") << QStringList{"/nowhere.json", "--text", "x"} << 1 << "nowhere.json";
        QTest::newRow("no tokenizer") << QStringList{ATTNLAB_GOLDEN_DIR, "--text", "x"} << 1 << "has no tokenizer.json";
    }
    void refused() {
        QFETCH(QStringList, arguments);
        QFETCH(int, code);
        QFETCH(QString, says);
        const auto outcome = start(QStringList{"tokenize"} + arguments);
        QCOMPARE(outcome.code, code);
        QVERIFY2(outcome.error.contains(says), qPrintable(outcome.error));
    }
};

ATTNLAB_TEST(TestTokenizeCommand)
#include "test_tokenize_command.moc"
