// --json of the commands that print numbers.
#include "core/io/npz.h"
#include "tests/app/program_support.h"
#include "tests/places.h"
#include "tests/test_main.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace attnlab;
using namespace attnlab::test;

namespace {

QJsonObject objectOf(const QStringList& arguments) {
    const auto outcome = start(arguments);
    QJsonParseError error;
    const auto document = QJsonDocument::fromJson(outcome.out.toUtf8(), &error);
    if (outcome.code != 0 || error.error != QJsonParseError::NoError)
        qWarning("%s %s", qPrintable(outcome.error), qPrintable(error.errorString()));
    return document.object();
}

} // namespace

class TestJson : public QObject {
    Q_OBJECT
private slots:
    void computedNumbers() {
        const QTemporaryDir folder;
        const auto path = folder.filePath("out.npz");
        const auto all =
            objectOf({"compute", golden("scale_none.in.npz"), "--json", "--out", path})["stages"].toObject();
        const auto archive = io::read_npz(path.toStdString());
        QCOMPARE(static_cast<std::size_t>(all.size()), archive.tensors.size());
        const auto& weights = archive.tensors.at("weights");
        const auto given = all["weights"].toObject();
        QCOMPARE(given["shape"].toArray().size(), 4);
        for (std::int64_t i = 0; i < weights.dim(2); ++i)
            for (std::int64_t j = 0; j < weights.dim(3); ++j)
                QCOMPARE(given["values"][0][0][static_cast<int>(i)][static_cast<int>(j)].toDouble(-1),
                         weights.at({0, 0, i, j}));
        const auto one =
            objectOf({"compute", golden("scale_none.in.npz"), "--json", "--stage", "lse"})["stages"].toObject();
        QCOMPARE(one.keys(), QStringList{"lse"});
    }

    void whatIsNotFiniteIsAText() {
        const auto all = objectOf({"compute", QStringLiteral(ATTNLAB_SAMPLES_DIR "/milk_or_cat_sweet.npz"), "--mask",
                                   "causal", "--json", "--stage", "masked"})["stages"]
                             .toObject();
        QCOMPARE(all["masked"]["values"][0][0][0][1].toString(), QString("-inf"));
        QVERIFY(all["masked"]["values"][0][0][0][0].isDouble());
    }

    void mapsHaveNullWhereAllIsMasked() {
        const auto map = objectOf({"map", golden("scale_none.in.npz"), "--mask", "causal", "--json"});
        QCOMPARE(map["pool"].toString(), QString("max"));
        QVERIFY(std::abs(map["bins"][0][0].toDouble() - 1.0) < 1e-6); // float32
        QVERIFY(map["bins"][0][1].isNull());
    }

    void theOthers_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("key");
        QTest::newRow("compare") << QStringList{"compare", golden("scale_none.in.npz"), "--with", "--scale dk"}
                                 << "kl_a_b";
        QTest::newRow("list") << QStringList{"list"} << "variants";
        QTest::newRow("devices") << QStringList{"devices"} << "devices";
        QTest::newRow("bench") << QStringList{"bench", "--length", "16", "--repeat", "1"} << "gflops";
    }
    void theOthers() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, key);
        QVERIFY(objectOf(arguments + QStringList{"--json"}).contains(key));
    }

    void tooManyNumbersAreRefused() {
        const auto outcome = start({"map", golden("scale_none.in.npz"), "--json", "--bins", "4000x4000"});
        QCOMPARE(outcome.code, 2);
        QVERIFY(outcome.error.contains("--json: is for up to"));
    }
};

ATTNLAB_TEST(TestJson)
#include "test_json.moc"
