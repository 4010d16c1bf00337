// Files written by PyTorch, NumPy, safetensors and Transformers, through the command line with the necessary options:
// the results equal theirs, and every array is used or mentioned.
#include "tests/app/program_support.h"
#include "tests/own_cases.h"
#include "tests/test_main.h"

#include <QRegularExpression>
#include <QTemporaryDir>

using namespace attnlab;
using namespace attnlab::test;

class TestOwnFixtures : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    const std::vector<OwnCase> cases_ = own_cases();

    static QStringList names(const QJsonValue& arrays) {
        QStringList all;
        for (const auto& array : arrays.toArray())
            all << array.toObject()["name"].toString();
        all.sort();
        return all;
    }

private slots:
    void numbersAreTheirs_data() { add_rows(cases_); }
    void numbersAreTheirs() {
        QFETCH(int, row);
        const auto& own = cases_[static_cast<std::size_t>(row)];
        const auto out = folder_.filePath(own.name + ".npz");
        const auto outcome = start(QStringList{"compute"} + own.files + own.options + QStringList{"--out", out});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        const auto stages = io::read_npz(out.toStdString()).tensors;
        for (const auto& [stage, expected] : own.expected()) {
            const auto found = stages.find(stage);
            QVERIFY2(found != stages.end(), stage.c_str());
            const auto differs = difference(found->second, expected, own.tolerance);
            QVERIFY2(differs.isEmpty(), qPrintable(QString::fromStdString(stage) + ": " + differs));
        }
        // One by one, or many in a line.
        qsizetype named = 0;
        const QRegularExpression many(" and (\\d+) more are not used ");
        for (const auto& line : outcome.error.split('\n')) {
            named += line.contains(" is not used: ") ? 1 : 0;
            if (const auto match = many.match(line); match.hasMatch())
                named += 3 + match.captured(1).toInt();
        }
        QCOMPARE(named, own.unused.size());
    }

    void everyArrayIsNamed_data() { add_rows(cases_); }
    void everyArrayIsNamed() {
        QFETCH(int, row);
        const auto& own = cases_[static_cast<std::size_t>(row)];
        const auto outcome = start(QStringList{"info"} + own.files + own.options + QStringList{"--json"});
        const auto info = QJsonDocument::fromJson(outcome.out.toUtf8()).object();
        const auto missing = info["missing"].toString();
        QVERIFY2(missing.isEmpty(), qPrintable(missing));
        QCOMPARE(info["variant"].toString(), own.mechanism);
        auto unused = own.unused;
        unused.sort();
        QCOMPARE(names(info["unused"]), unused);
        auto all = names(info["used"]) + unused, arrays = own.arrays;
        all.sort();
        arrays.sort();
        QCOMPARE(all, arrays);
    }
};

ATTNLAB_TEST(TestOwnFixtures)
#include "test_own_fixtures.moc"
