// A folder of hand-ins, graded on the command line.
#include "core/io/npz.h"
#include "tests/app/program_support.h"
#include "tests/test_main.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

#include <sys/stat.h>

using namespace attnlab;
using namespace attnlab::test;

class TestGradeCommand : public QObject {
    Q_OBJECT
private slots:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        QVERIFY(QDir(folder_->path()).mkpath("hw"));
        write("query.csv", "1,0,2,1\n0,1,1,3\n2,2,0,1\n");
        write("key.csv", "1,1,0,0\n0,1,0,2\n1,0,1,1\n");
        write("value.csv", "1,2\n3,4\n5,7\n");
    }

    void eachHandInHasARow() {
        handIn("hw/anna.weights.csv");
        QVERIFY(QDir(folder_->path()).mkpath("hw/bob"));
        handIn("hw/bob/scores.csv", {"--stage", "scores"});
        handIn("hw/bob/Weights.csv", {"--stage", "weights", "--scale", "none"});
        handIn("hw/carl_weights.npy", {"--stage", "weights", "--mask", "none"});
        QCOMPARE(start(QStringList{"compute"} + inputs() + QStringList{"--mask", "causal", "--out", path("hw/all.npz")})
                     .code,
                 0);
        const auto rows = gradedRows();
        QCOMPARE(rows["anna.weights.csv weights"].toObject()["result"].toString(), "right");
        QCOMPARE(rows["bob/scores.csv scores"].toObject()["result"].toString(), "right");
        QCOMPARE(rows["all.npz output"].toObject()["result"].toString(), "right");
        const auto bob = rows["bob/Weights.csv weights"].toObject();
        QCOMPARE(bob["student"].toString(), "bob");
        QCOMPARE(bob["result"].toString(), "wrong");
        QCOMPARE(bob["wrong_cells"].toInt(), 5);
        QCOMPARE(bob["cells"].toInt(), 9);
        QCOMPARE(bob["first"].toObject()["index"].toArray(), (QJsonArray{0, 0, 1, 0}));
        QCOMPARE(bob["explanations"].toArray().size(), 1);
        QCOMPARE(bob["explanations"].toArray()[0].toObject()["id"].toString(), "scale_missing");
        const auto carl = rows["carl_weights.npy weights"].toObject();
        QCOMPARE(carl["student"].toString(), "carl");
        QCOMPARE(carl["explanations"].toArray()[0].toObject()["id"].toString(), "mask_ignored");
    }

    void everyTextOfAMatrixIsRead_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("text");
        QTest::newRow("table") << "anna.scores.txt"
                               << "1 2 4\n1 7 4\n4 4 3\n";
        QTest::newRow("list") << "anna.scores.txt"
                              << "[[1, 2, 4], [1, 7, 4], [4, 4, 3]]";
        QTest::newRow("JSON list") << "anna.scores.json"
                                   << "[[1, 2, 4], [1, 7, 4], [4, 4, 3]]";
        QTest::newRow("JSON by name") << "anna.json"
                                      << R"({"scores": [[1, 2, 4], [1, 7, 4], [4, 4, 3]]})";
        QTest::newRow("LaTeX") << "anna.scores.tex"
                               << R"(1 & 2 & 4 \\ 1 & 7 & 4 \\ 4 & 4 & 3)";
        QTest::newRow("Markdown") << "anna.scores.md"
                                  << "| a | b | c |\n|-|-|-|\n| 1|2|4 |\n| 1|7|4 |\n| 4|4|3 |\n";
        QTest::newRow("Python") << "anna.scores.py"
                                << "S = np.array([[1, 2, 4], [1, 7, 4], [4, 4, 3]])";
    }
    void everyTextOfAMatrixIsRead() {
        QFETCH(QString, file);
        QFETCH(QString, text);
        write("hw/" + file, text.toUtf8());
        const auto outcome = grade();
        QVERIFY2(outcome.code == 0, qPrintable(outcome.out + outcome.error));
        QVERIFY(outcome.out.contains("1 right, 0 wrong, 0 not graded"));
    }

    void whatCannotBeGradedIsNamed_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("reason");
        QTest::addColumn<QString>("result");
        QTest::newRow("no number") << "zoe.weights.csv" << QByteArray("1,2\n3,x\n") << "column 2 is 'x'"
                                   << "error";
        QTest::newRow("empty") << "zoe.weights.csv" << QByteArray() << "is empty"
                               << "error";
        QTest::newRow("labels") << "zoe.weights.txt" << QByteArray("no time") << "holds no matrix"
                                << "error";
        QTest::newRow("type") << "zoe.weights.docx" << QByteArray("PK") << "unknown type"
                              << "error";
        QTest::newRow("no stage") << "zoe.csv" << QByteArray("1,2\n3,4\n")
                                  << "'zoe' names no stage, expected one of query"
                                  << "error";
        QTest::newRow("other stage") << "zoe.json" << QByteArray(R"({"attention map": [[1]]})")
                                     << "'attention map' names no stage"
                                     << "error";
        QTest::newRow("no list") << "zoe.json" << QByteArray(R"({"weights": "all"})") << "'weights' is not a list"
                                 << "error";
        QTest::newRow("shape") << "zoe.weights.csv" << QByteArray("1,2\n3,4\n")
                               << "has shape (2, 2), expected (1, 1, 3, 3)"
                               << "wrong";
        QTest::newRow("NaN") << "zoe.weights.csv" << QByteArray("1,0,0\nnan,1,0\n0,0,1\n") << "1 NaN"
                             << "wrong";
    }
    /// The others are graded all the same.
    void whatCannotBeGradedIsNamed() {
        QFETCH(QString, file);
        QFETCH(QByteArray, text);
        QFETCH(QString, reason);
        QFETCH(QString, result);
        write("hw/" + file, text);
        handIn("hw/anna.weights.csv");
        const auto outcome = grade();
        QCOMPARE(outcome.code, result == "error" ? 1 : 3);
        QVERIFY2(outcome.out.contains(reason), qPrintable(outcome.out));
        const auto lines = outcome.out.split('\n');
        QVERIFY(lines[1].startsWith("anna") && lines[1].contains(" right "));
        QVERIFY2(lines[2].startsWith("zoe") && lines[2].contains(" " + result + " "), qPrintable(outcome.out));
    }

    /// A link could show another student's file, a pipe has no end.
    void onlyFilesAreRead() {
        handIn("hw/anna.weights.csv");
        QVERIFY(QFile::link(path("hw/anna.weights.csv"), path("hw/bob.weights.csv")));
        QCOMPARE(::mkfifo(path("hw/carl.weights.csv").toUtf8().constData(), 0600), 0);
        QVERIFY(QDir(folder_->path()).mkpath("hw/dora/sub"));
        QVERIFY(QDir(folder_->path()).mkpath("hw/emil"));
        const auto outcome = grade();
        QCOMPARE(outcome.code, 1);
        for (const auto* part : {"bob.weights.csv: is a symbolic link", "carl.weights.csv: is not a regular file",
                                 "dora/sub: is a folder in a student's folder", "emil: holds no hand-ins"})
            QVERIFY2(outcome.out.contains(part), qPrintable(outcome.out));
    }

    void hiddenFilesAreSkipped() {
        write("hw/.anna.weights.csv", "1");
        const auto none = grade();
        QCOMPARE(none.code, 1);
        QVERIFY2(none.error.contains("holds no hand-ins; hidden files, which are skipped: 1"), qPrintable(none.error));
        handIn("hw/anna.weights.csv");
        QCOMPARE(grade().code, 0);
    }

    void aStageIsChosen() {
        handIn("hw/anna.csv");
        handIn("hw/bob.scores.csv", {"--stage", "scores"});
        io::write_npz(path("hw/carl.npz").toStdString(), {{{"scores", Tensor({3, 3})}}, {}});
        const auto outcome = grade({"--stage", "weights"});
        QCOMPARE(outcome.code, 1);
        const auto lines = outcome.out.split('\n');
        QVERIFY2(lines[1].startsWith("anna ") && lines[1].contains(" right "), qPrintable(outcome.out));
        QVERIFY2(lines[2].contains("handed in no file of this stage"), qPrintable(outcome.out));
        QVERIFY2(lines[3].contains("'scores' is the stage scores by its name, expected weights"),
                 qPrintable(outcome.out));
    }

    void asATableOfCommas() {
        handIn("hw/anna, \"B\".weights.csv", {"--stage", "weights", "--scale", "none"});
        const auto lines = grade({"--csv"}).out.split('\n');
        QVERIFY(lines[0].startsWith("student,file,stage,result,cells,wrong_cells,"));
        QVERIFY2(
            lines[1].startsWith(R"("anna, ""B""","anna, ""B"".weights.csv",weights,wrong,9,5,"0, 0, 1, 0",0.002472)"),
            qPrintable(lines[1]));
        QVERIFY(lines[1].contains(",the scale is missing,"));
    }

    /// A spreadsheet would compute a name that a student chose.
    void aNameIsNoFormula_data() {
        QTest::addColumn<QString>("name");
        for (const auto* name : {"=1+2", "+1", "-1", "@now"})
            QTest::newRow(name) << name;
    }
    void aNameIsNoFormula() {
        QFETCH(QString, name);
        handIn("hw/" + name + ".weights.csv");
        const auto outcome = grade({"--csv"});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        const auto lines = outcome.out.split('\n');
        QVERIFY2(lines[1].startsWith("'" + name + ",'" + name + ".weights.csv,"), qPrintable(lines[1]));
    }

    void theKeyInTheFolderIsNoHandIn() {
        QVERIFY(QFile::rename(path("value.csv"), path("hw/value.csv")));
        handIn("hw/anna.weights.csv");
        const auto outcome = grade();
        QVERIFY2(outcome.code == 0, qPrintable(outcome.out));
        QVERIFY(outcome.error.contains("is the key, not a hand-in"));
    }

    void wrongUsage() {
        QCOMPARE(start({"grade", path("hw")}).code, 2);
        QCOMPARE(start({"grade", "--against", path("query.csv")}).code, 2);
        handIn("hw/anna.weights.csv");
        for (const auto& options : {QStringList{"--tolerance", "-1"},
                                    {"--tolerance", "much"},
                                    {"--json", "--csv"},
                                    {"--stage", "nonsense"},
                                    {"--nonsense"},
                                    {"hw2"}}) {
            const auto outcome = grade(options);
            QVERIFY2(outcome.code == 2 && outcome.out.isEmpty(), qPrintable(options.join(' ')));
        }
        const auto nowhere = start(QStringList{"grade", path("nowhere"), "--against", path("query.csv")});
        QCOMPARE(nowhere.code, 1);
        QVERIFY(nowhere.error.contains("is not a folder, expected a folder of hand-ins"));
    }

private:
    QString path(const QString& name) const { return folder_->filePath(name); }

    void write(const QString& name, const QByteArray& bytes) const {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(bytes), bytes.size());
    }

    QStringList inputs() const {
        const bool moved = QFile::exists(path("hw/value.csv"));
        return {path("query.csv"), path("key.csv"), path(moved ? "hw/value.csv" : "value.csv")};
    }

    /// The stage as the program computes it; later options come last.
    void handIn(const QString& name, const QStringList& options = {"--stage", "weights"}) const {
        const auto mask = options.contains("--mask") ? QStringList() : QStringList{"--mask", "causal"};
        const auto outcome =
            start(QStringList{"compute"} + inputs() + mask + options + QStringList{"--out", path(name)});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
    }

    Outcome grade(const QStringList& options = {}) const {
        QStringList arguments{"grade", path("hw"), "--mask", "causal"};
        for (const auto& input : inputs())
            arguments << "--against" << input;
        return start(arguments + options);
    }

    /// By file and stage.
    QJsonObject gradedRows() const {
        QJsonObject rows;
        for (const auto& row : QJsonDocument::fromJson(grade({"--json"}).out.toUtf8()).object()["hand_ins"].toArray())
            rows.insert(row.toObject()["file"].toString() + ' ' + row.toObject()["stage"].toString(), row);
        return rows;
    }

    std::unique_ptr<QTemporaryDir> folder_;
};

ATTNLAB_TEST(TestGradeCommand)
#include "test_grade_command.moc"
