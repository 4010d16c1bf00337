// A map in parts on the command line: map --partial, then merge.
#include "core/io/file_bytes.h"
#include "core/io/npz.h"
#include "core/random.h"
#include "tests/app/program_support.h"
#include "tests/test_main.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace attnlab;

namespace {

std::string numbersOf(const QString& path) { return io::read_file(path.toStdString(), 1 << 26); }

} // namespace

class TestMergeCommand : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        input_ = folder_.filePath("in.npz");
        io::write_npz(input_.toStdString(),
                      {{{"query", random_normal({1, 2, 200, 8}, 1)}, {"key", random_normal({1, 2, 150, 8}, 2)}}, {}});
        const auto part = [&](const char* name, const char* rows, const QStringList& more = {}) {
            const auto path = folder_.filePath(name);
            const auto outcome = test::start(
                QStringList{"map", input_, "--head", "1", "--bins", "20x20", "--rows", rows, "--partial", path} +
                (more.isEmpty() ? QStringList{"--pool", "mean"} : more));
            QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
            QVERIFY(outcome.out.isEmpty() && outcome.error.isEmpty());
        };
        part("first.npz", "0/3");
        part("second.npz", "1/3");
        part("third.npz", "2/3");
        part("a.npz", "0:60");
        part("b.npz", "60:170");
        part("c.npz", "170:");
        part("overlapping.npz", "160:");
        part("maxima.npz", "170:", {"--pool", "max"});
        part("other.npz", "170:", {"--pool", "mean", "--mask", "causal"});
    }

    void partsMakeTheMapInAnyOrder_data() {
        QTest::addColumn<QStringList>("parts");
        QTest::newRow("abc") << QStringList{"a.npz", "b.npz", "c.npz"};
        QTest::newRow("cab") << QStringList{"c.npz", "a.npz", "b.npz"};
        QTest::newRow("parts by number") << QStringList{"third.npz", "first.npz", "second.npz"};
    }
    void partsMakeTheMapInAnyOrder() {
        QFETCH(QStringList, parts);
        const QStringList one{"map",  input_,  "--head",        "1",         "--bins", "20x20", "--pool",
                              "mean", "--out", file("one.npy"), "--backend", "cpu"};
        QCOMPARE(test::start(one).code, 0);
        const auto merged = merge(parts, {"--out", file("merged.npy")});
        QVERIFY2(merged.code == 0, qPrintable(merged.error));
        QVERIFY(numbersOf(file("merged.npy")) == numbersOf(file("one.npy")));
    }

    /// A bin without a number would look like a masked one.
    void binsThatAreNaNAreSaid() {
        auto query = random_normal({1, 1, 40, 8}, 1);
        query.set({0, 0, 3, 5}, std::nan(""));
        const auto input = file("nan.npz");
        io::write_npz(input.toStdString(), {{{"query", query}, {"key", random_normal({1, 1, 40, 8}, 2)}}, {}});
        QStringList parts;
        for (const auto* rows : {"0:20", "20:"}) {
            parts << QStringLiteral("nan%1.npz").arg(parts.size());
            const auto outcome =
                test::start({"map", input, "--bins", "10x10", "--rows", rows, "--partial", file(parts.last())});
            QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        }
        const auto merged = merge(parts, {"--out", file("nan.npy")});
        QVERIFY2(merged.code == 0, qPrintable(merged.error));
        QVERIFY2(merged.error.contains("Bins with weights that are NaN: 10 of 100"), qPrintable(merged.error));
    }

    void drawsAndPrints() {
        const QStringList parts{"a.npz", "b.npz", "c.npz"};
        const auto outcome = merge(parts, {"--json", "--out", file("map.png"), "--title", "Head 1"});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        const auto json = QJsonDocument::fromJson(outcome.out.toUtf8()).object();
        QCOMPARE(json["pool"].toString(), QString("mean"));
        QCOMPARE(json["bin_rows"].toInt(), 10);
        QCOMPARE(json["bins"].toArray().size(), 20);
        QVERIFY(QFileInfo(file("map.png")).size() > 1000);
    }

    void mergeNamesTheFiles_data() {
        QTest::addColumn<QStringList>("parts");
        QTest::addColumn<QString>("says");
        QTest::newRow("missing") << QStringList{"a.npz", "c.npz"} << "No part has the rows 60:170";
        QTest::newRow("overlap") << QStringList{"a.npz", "b.npz", "overlapping.npz"}
                                 << "b\\.npz and .*overlapping\\.npz both have the rows 160:170";
        QTest::newRow("pool") << QStringList{"a.npz", "b.npz", "maxima.npz"}
                              << "maxima\\.npz is a part of another map than .*a\\.npz: pool differs";
        QTest::newRow("settings") << QStringList{"a.npz", "b.npz", "other.npz"}
                                  << "other\\.npz is a part of another map than .*a\\.npz: a setting differs";
        QTest::newRow("arrays") << QStringList{"in.npz"} << "in\\.npz: is not a part of a map";
    }
    void mergeNamesTheFiles() {
        QFETCH(QStringList, parts);
        QFETCH(QString, says);
        const auto outcome = merge(parts, {"--out", file("wrong.npy")});
        QCOMPARE(outcome.code, 1);
        QVERIFY2(QRegularExpression(says).match(outcome.error).hasMatch(), qPrintable(outcome.error));
        QVERIFY(!QFileInfo::exists(file("wrong.npy")));
    }

    void wrongOptions_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("says");
        const QStringList partial{"map", input_, "--bins", "20x20", "--partial", file("x.npz")};
        QTest::newRow("between bins") << partial + QStringList{"--rows", "5:60"}
                                      << "--rows.*'5:60'.*multiples of 10.*200";
        QTest::newRow("with out") << partial + QStringList{"--out", file("x.npy")} << "--partial.*--out";
        QTest::newRow("with json") << partial + QStringList{"--json"} << "--partial.*--json";
        for (const auto* rows : {"3/3", "-1/3", "1/0", "1/2/3", "/3", "1/x"})
            QTest::addRow("part %s", rows)
                << partial + QStringList{"--rows", rows} << QString("--rows: has '%1', expected I/N").arg(rows);
        QTest::newRow("too many parts") << partial + QStringList{"--rows", "3/21"}
                                        << "--rows.*'3/21'.*at most 20 parts";
        QTest::newRow("a part of a map") << QStringList{"map", input_, "--rows", "1/3", "--out", file("x.npy")}
                                         << "--rows.*'1/3'.*A:B";
        QTest::newRow("suffix") << QStringList{"map", input_, "--partial", file("x.npy")}
                                << "--partial.*'.*x\\.npy'.*\\.npz";
        QTest::newRow("onto its input") << QStringList{"map", input_, "--partial", input_} << "--partial";
        QTest::newRow("no part") << QStringList{"merge", "--out", file("x.npy")} << "merge: has no PART";
        QTest::newRow("no output") << QStringList{"merge", file("a.npz")} << "--out";
    }
    void wrongOptions() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, says);
        const auto outcome = test::start(arguments);
        QVERIFY2(outcome.code == 2, qPrintable(QString::number(outcome.code) + ": " + outcome.error));
        QVERIFY2(QRegularExpression(says).match(outcome.error).hasMatch(), qPrintable(outcome.error));
        QVERIFY(!QFileInfo::exists(file("x.npz")) && !QFileInfo::exists(file("x.npy")));
    }

private:
    QString file(const QString& name) const { return folder_.filePath(name); }

    test::Outcome merge(const QStringList& parts, const QStringList& options) {
        QStringList arguments{"merge"};
        for (const auto& part : parts)
            arguments << file(part);
        return test::start(arguments + options);
    }

    QTemporaryDir folder_;
    QString input_;
};

ATTNLAB_TEST(TestMergeCommand)
#include "test_merge_command.moc"
