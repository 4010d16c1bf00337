// Two settings of the same inputs, in numbers.
#include "core/io/npz.h"
#include "tests/app/program_support.h"
#include "tests/test_main.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

class TestCompareCommand : public QObject {
    Q_OBJECT
private slots:
    void comparesTwoSettings() {
        const QTemporaryDir folder;
        const auto out = folder.filePath("both.npz");
        // The numbers are NumPy's.
        const auto text =
            start({"compare", golden("scale_sqrt_dk.in.npz"), "--with", "--scale none", "--out", out}, {"DISPLAY"});
        QVERIFY2(text.code == 0, qPrintable(text.error));
        QVERIFY2(text.out.startsWith("weights (2, 2, 5, 6)\n"), qPrintable(text.out));
        QVERIFY2(QRegularExpression("all +max \\|A - B\\| 0.294427 +mean \\|A - B\\| 0.0603325\\b")
                     .match(text.out)
                     .hasMatch(),
                 qPrintable(text.out));
        QVERIFY(QRegularExpression("head 0 +max \\|A - B\\| 0.181489 ").match(text.out).hasMatch());
        QVERIFY(text.out.contains("KL(A || B)   mean 0.115383 nats over 20 rows"));
        QVERIFY(text.out.contains("relative error 0.41277, max |A - B| 0.834191"));
        const auto arrays = io::read_npz(out.toStdString()).tensors;
        const auto at = [&](const char* name) { return arrays.at(name).at({1, 1, 4, 2}); };
        QCOMPARE(at("difference.weights"), at("a.weights") - at("b.weights"));
        QVERIFY(arrays.contains("a.output") && arrays.contains("b.scores"));
    }

    void comparesInJson() {
        const auto outcome = start({"compare", golden("scale_none.in.npz"), "--with", "--mask causal", "--json"});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        const auto json = QJsonDocument::fromJson(outcome.out.toUtf8()).object();
        QCOMPARE(json["stage"].toString(), "weights");
        QVERIFY(json["all"].toObject()["max_absolute"].toDouble() > 0.1);
        QCOMPARE(json["heads"].toArray().size(), json["shape"].toArray()[1].toInt());
        const auto divergence = json["kl_a_b"].toObject();
        QVERIFY(divergence["infinite_rows"].toInt() > 0);
        QCOMPARE(divergence["rows"].toArray()[0].toString(), "inf");
        QVERIFY(json["kl_b_a"].toObject()["rows"].toArray()[0].toDouble() > 0.0);
        QVERIFY(json["output"].toObject()["relative_error"].toDouble() > 0.0);
    }

    void settingBStartsFromA() {
        // The mask of A goes with --mask none; all else stays.
        const QStringList a{"compare", golden("scale_none.in.npz"), "--mask", "causal", "--scale", "dk", "--json"};
        const auto zero = start(a + QStringList{"--with", "--scale dk"});
        QCOMPARE(QJsonDocument::fromJson(zero.out.toUtf8()).object()["all"].toObject()["max_absolute"].toDouble(), 0.0);
        const auto other = start(a + QStringList{"--with", "--mask none"});
        const auto json = QJsonDocument::fromJson(other.out.toUtf8()).object();
        QCOMPARE(json["kl_a_b"].toObject()["infinite_rows"].toInt(), 0);
        QVERIFY(json["kl_b_a"].toObject()["infinite_rows"].toInt() > 0);
    }
};

ATTNLAB_TEST(TestCompareCommand)
#include "test_compare_command.moc"
