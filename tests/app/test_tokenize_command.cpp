// attnlab tokenize.
#include "tests/app/program_support.h"
#include "tests/test_main.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
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
