// Lessons checked from the command line, as their authors do it.
#include "tests/places.h"
#include "tests/test_main.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

namespace {

struct Outcome {
    int code;
    QString out;
    QString error;
};

Outcome lesson(const QStringList& arguments) {
    QProcess program;
    program.start(QStringLiteral(ATTNLAB_PROGRAM), QStringList{"lesson"} + arguments);
    if (!program.waitForFinished())
        return {-1, {}, "did not finish"};
    return {program.exitCode(), QString::fromUtf8(program.readAllStandardOutput()),
            QString::fromUtf8(program.readAllStandardError())};
}

const char* const scene = R"({
  "version": 1,
  "steps": [
    {
      "id": "words",
      "formula": "attention_sqrt_dk",
      "inputs": {"sample": "milk_or_cat_sweet"},
      "settings": [{"id": "a", "scale": "sqrt_dk"}],
      "checks": ["sum(a.weights, 1) ~ 1 within 1e-12"],
      "question": {"options": {"one": "sum(a.weights[0]) > 1/2", "none": "sum(a.weights[0]) < 1/2"}}
    }
  ]
}
)";

const char* const words = R"(# Sums
Rows of weights.

## words: A row
It sums to {{sum(a.weights[0]) | 1}}.

### question
To what?
- one: to 1
- none: to 0

### answer
To {{sum(a.weights[0])}}.
)";

/// A lesson in a temporary folder.
class LessonFolder {
public:
    LessonFolder() {
        QDir(folder_.path()).mkdir("01-sums");
        write("scene.json", scene);
        write("en.md", words);
        write("zh_CN.md", words);
    }
    QString path() const { return folder_.filePath("01-sums"); }
    void write(const QString& name, const QByteArray& text) const {
        QFile file(path() + "/" + name);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    void replace(const QString& name, const char* from, const char* to) const {
        QFile file(path() + "/" + name);
        QVERIFY(file.open(QIODevice::ReadOnly));
        auto text = file.readAll();
        file.close();
        QVERIFY(text.contains(from));
        write(name, text.replace(from, to));
    }

private:
    QTemporaryDir folder_;
};

} // namespace

class TestLessonCommand : public QObject {
    Q_OBJECT
private slots:
    void saysWhatWasMeasured() {
        const LessonFolder folder;
        const auto outcome = lesson({folder.path()});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        QVERIFY(outcome.error.isEmpty());
        QVERIFY(
            outcome.out.contains("true   sum(a.weights, 1) ~ 1 within 1e-12    (sum(a.weights, 1) is [1, 1, 1, 1])"));
        QVERIFY(outcome.out.contains("answer one: sum(a.weights[0]) > 1/2    (sum(a.weights[0]) is 1)"));
        QVERIFY(!outcome.out.contains("It sums to"));
    }

    void printsTexts() {
        const LessonFolder folder;
        const auto outcome = lesson({"--texts", folder.path()});
        QCOMPARE(outcome.code, 0);
        QCOMPARE(outcome.out.count("It sums to 1.0."), 2);
        QCOMPARE(outcome.out.count("> To 1."), 2);
        QVERIFY(outcome.out.contains("- to 0"));
    }

    void listsLessonsByGroups() {
        const auto outcome = lesson({"--list"});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        const auto lines = outcome.out.split('\n', Qt::SkipEmptyParts);
        QStringList headings;
        for (const auto& line : lines)
            if (!line.startsWith(' '))
                headings << line;
        QCOMPARE(headings, QStringList({"Lecture", "The idea", "Scale and softmax", "Masks and positions",
                                        "Heads and models", "Large inputs"}));
        QCOMPARE(lines[1], "      Scale, mask, heads, flash (10 min)");
        static const QRegularExpression first("^   1  What attention computes \\(about [0-9]+ min\\)$");
        QVERIFY2(first.match(lines[3]).hasMatch(), qPrintable(lines[3]));
        QCOMPARE(lines.size(), headings.size() + 1 +
                                   QDir(QStringLiteral(ATTNLAB_SOURCE_DIR "/resources/lessons"))
                                       .entryList(QDir::Dirs | QDir::NoDotAndDotDot)
                                       .size());
        int last = 0; // in the order in which they are listed
        for (const auto& line : lines)
            if (const int number = line.left(4).trimmed().toInt(); number > 0)
                QCOMPARE(number, ++last);
        QCOMPARE(last, lines.size() - headings.size() - 1);
        QCOMPARE(lesson({"--list", "01-sums"}).code, 2);
        QCOMPARE(lesson({"--list", "--texts"}).code, 2);

        const LessonFolder folder;
        QVERIFY(lesson({folder.path()}).out.contains(": Sums (about 2 min)\n"));
        folder.replace("scene.json", "\"version\": 1,", "\"version\": 1, \"group\": \"masks\",");
        QVERIFY(lesson({folder.path()}).out.contains(": Sums (Masks and positions, about 2 min)\n"));
    }

    void packsALessonInOneFile() {
        const LessonFolder folder;
        const auto file = folder.path() + "/../02-sent.attnlesson";
        auto outcome = lesson({folder.path(), "--pack", file});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        outcome = lesson({file});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        QVERIFY(outcome.out.contains("true   sum(a.weights, 1) ~ 1 within 1e-12"));

        folder.replace("scene.json", "~ 1 within", "~ 2 within");
        QCOMPARE(lesson({folder.path(), "--pack", file}).code, 1);
        QCOMPARE(lesson({file}).code, 0); // the file is as it was
        outcome = lesson({folder.path(), "--pack", "lesson.zip"});
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.error.contains(".attnlesson"), qPrintable(outcome.error));
    }

    void failsWithFileAndLine_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const char* file, const char* from, const char* to, const char* says) {
            QTest::newRow(name) << file << QByteArray(from) << QByteArray(to) << says;
        };
        row("false check", "scene.json", "~ 1 within", "~ 2 within", "scene.json:9: '");
        row("two answers", "scene.json", "< 1/2", "> 0", "scene.json:10: the question has 2 right options");
        row("no such scale", "scene.json", "\"scale\": \"sqrt_dk\"", "\"scale\": \"root\"",
            "scene.json:8: scale: 'root'");
        row("no such formula", "scene.json", "attention_sqrt_dk", "attention", "scene.json:6: there is no formula");
        row("no such stage", "en.md", "a.weights[0]) |", "a.wights[0]) |", "en.md:5: {{sum(a.wights[0])}}: column 5: ");
        row("no answer", "zh_CN.md", "### answer", "### anwser", "zh_CN.md:12: is '### anwser'");
    }

    void failsWithFileAndLine() {
        QFETCH(QString, file);
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(QString, says);
        const LessonFolder sound, broken;
        broken.replace(file, from.constData(), to.constData());
        const auto outcome = lesson({broken.path(), sound.path()});
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.error.startsWith(broken.path() + "/" + says), qPrintable(outcome.error));
        // An invalid lesson does not prevent checking the next one.
        QVERIFY(outcome.out.contains(sound.path() + ": Sums"));
    }

    void refusesWrongCommandLines() {
        QCOMPARE(lesson({}).code, 2);
        QVERIFY(lesson({}).error.contains("no folder"));
        QCOMPARE(lesson({"--nonsense"}).code, 2);
        QCOMPARE(lesson({"/nowhere/01-sums"}).code, 1);
        QCOMPARE(lesson({"/nowhere/01-sums"}).error, "/nowhere/01-sums: no such folder\n");
        const QString file = QStringLiteral(ATTNLAB_SOURCE_DIR "/resources/lessons/08-flash/scene.json");
        QVERIFY(lesson({file}).error.contains("is a file, expected the folder of a lesson"));
        QCOMPARE(lesson({"/nowhere/01-sums", "--language", "en"}).code, 2);
        QVERIFY(lesson({"/nowhere/01-sums", "--paper", "A4"}).error.contains("--paper: is that of a handout"));
        QVERIFY(lesson({"--help"}).out.contains("lesson FOLDER..."));
    }

    void checksWhatIsShipped() {
        const QDir lessons(QStringLiteral(ATTNLAB_SOURCE_DIR "/resources/lessons"));
        QStringList folders;
        for (const auto& name : lessons.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            folders << lessons.filePath(name);
        const auto outcome = lesson(folders);
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
    }
};

ATTNLAB_TEST(TestLessonCommand)
#include "test_lesson_command.moc"
