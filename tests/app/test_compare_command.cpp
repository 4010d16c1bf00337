// Two settings of the same inputs, in numbers.
#include "core/io/npz.h"
#include "core/random.h"
#include "core/recognition/layout.h"
#include "tests/app/program_support.h"
#include "tests/test_main.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <array>

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
        QCOMPARE(at("difference.weights"), at("b.weights") - at("a.weights"));
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
        // --mask none removes the mask of A; everything else stays.
        const QStringList a{"compare", golden("scale_none.in.npz"), "--mask", "causal", "--scale", "dk", "--json"};
        const auto zero = start(a + QStringList{"--with", "--scale dk"});
        QCOMPARE(QJsonDocument::fromJson(zero.out.toUtf8()).object()["all"].toObject()["max_absolute"].toDouble(), 0.0);
        const auto other = start(a + QStringList{"--with", "--mask none"});
        const auto json = QJsonDocument::fromJson(other.out.toUtf8()).object();
        QCOMPARE(json["kl_a_b"].toObject()["infinite_rows"].toInt(), 0);
        QVERIFY(json["kl_b_a"].toObject()["infinite_rows"].toInt() > 0);
    }

    void needsSomethingToCompareWith() {
        const QStringList a{"compare", golden("scale_none.in.npz")};
        const auto refusal = [&](const QStringList& more) {
            const auto outcome = start(a + more);
            return outcome.code == 2 && outcome.out.isEmpty() ? outcome.error : QString();
        };
        for (const auto& more : {QStringList{}, {"--with", ""}, {"--with", " "}})
            QVERIFY2(refusal(more).contains("--against FILE"), qPrintable(more.join(' ')));
        QVERIFY(refusal({"--against", "x.npz", "--with", "--scale none"}).contains("expected one of"));
        QVERIFY(refusal({"--tolerance", "0.1", "--with", "--scale none"}).contains("is for --against"));
        QVERIFY(refusal({"--tolerance", "-1", "--against", "x.npz"}).contains("expected a number from 0"));
    }

    /// Results in an input file are mentioned, and compared on request.
    void comparesWithAnArray() {
        const QTemporaryDir folder;
        const auto in = golden("mask_causal_bottom_right.in.npz"), out = folder.filePath("out.npz");
        const QStringList options{"--mask", "causal:bottom_right"};
        QCOMPARE(start(QStringList{"compute", in, "--out", out} + options).code, 0);
        const QStringList compare{"compare", in, "--against", out};
        const auto equal = start(compare + options);
        QVERIFY2(equal.code == 0, qPrintable(equal.error + equal.out));
        QVERIFY(equal.out.startsWith("output "));
        QVERIFY(equal.out.contains("in every cell"));
        const auto lse = start(QStringList{"compare", in, "--against", out + ":lse"} + options);
        QVERIFY2(lse.code == 0 && lse.out.startsWith("lse "), qPrintable(lse.error + lse.out));

        const auto other = start(compare + QStringList{"--mask", "causal", "--json"});
        QCOMPARE(other.code, 3);
        const auto json = QJsonDocument::fromJson(other.out.toUtf8()).object();
        QCOMPARE(json["likely_mistakes"].toArray()[0].toObject()["id"].toString(), "causal_corner");
        QVERIFY(json["beyond_tolerance"].toInt() > 0);
        QCOMPARE(json["largest"].toObject()["index"].toArray().size(), json["shape"].toArray().size());
        QCOMPARE(start(compare + QStringList{"--mask", "causal", "--tolerance", "100"}).code, 0);
        QCOMPARE(start(compare + options + QStringList{"--stage", "nonsense"}).code, 2);
        QCOMPARE(start(QStringList{"compare", in, "--against", out + ":nonsense"} + options).code, 1);
        const auto both = folder.filePath("both.npz");
        QCOMPARE(start(compare + QStringList{"--mask", "causal", "--out", both}).code, 3);
        const auto arrays = io::read_npz(both.toStdString()).tensors;
        QCOMPARE(arrays.at("difference.output").values()[5],
                 arrays.at("given.output").values()[5] - arrays.at("exact.output").values()[5]);
    }

    /// What torch has before out_proj: (B,L,H*E).
    void comparesMergedHeads() {
        const QTemporaryDir folder;
        const auto in = folder.filePath("in.npz"), out = folder.filePath("out.npz");
        io::write_npz(in.toStdString(), {{{"query", random_normal({2, 2, 3, 4}, 1)},
                                          {"key", random_normal({2, 2, 3, 4}, 2)},
                                          {"value", random_normal({2, 2, 3, 4}, 3)}},
                                         {}});
        QCOMPARE(start({"compute", in, "--out", out}).code, 0);
        const auto output = io::read_npz(out.toStdString()).tensors.at("output");
        const auto merged = permuted(output, std::array{0, 2, 1, 3}).reshaped({2, 3, 8});
        io::write_npz(out.toStdString(), {{{"out", merged}}, {}});
        for (const auto& layout : {QStringList{}, QStringList{"--against-layout", "BLE"}}) {
            const auto outcome = start(QStringList{"compare", in, "--against", out} + layout);
            QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
            QVERIFY(outcome.error.contains("note: out (2, 3, 8) is read as BLE: its last axis has the 2 heads beside "
                                           "each other"));
        }
    }

    /// Too many scores to store: output and lse are computed without them, in float32.
    void comparesLargeOutputsWithoutTheirScores() {
        const QTemporaryDir folder;
        const auto out = folder.filePath("lse.npz"), in = folder.filePath("in.npz");
        io::Archive archive;
        archive.tensors = {{"query", Tensor({1, 1, 4200, 1})},
                           {"key", Tensor({1, 1, 4200, 1})},
                           {"value", Tensor({1, 1, 4200, 1}, 2.0)}};
        io::write_npz(in.toStdString(), archive);
        archive.tensors = {{"out", Tensor({4200, 1}, 2.0)}}; // equal weights
        io::write_npz(out.toStdString(), archive);
        const auto outcome = start({"compare", in, "--against", out});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error + outcome.out));
        QVERIFY2(outcome.out.contains("computed by cpu"), qPrintable(outcome.out));
        QVERIFY(outcome.out.contains("known mistakes are looked for where there are the scores"));
    }

    void comparesTwoProblems() {
        const QStringList files{"compare", golden("scale_none.in.npz"), "--b", golden("scale_dk.in.npz")};
        const auto outcome = start(files + QStringList{"--scale", "none", "--json"});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        const auto own = start(
            {"compare", golden("scale_none.in.npz"), "--b", golden("scale_none.in.npz"), "--scale", "none", "--json"});
        QCOMPARE(QJsonDocument::fromJson(own.out.toUtf8()).object()["all"].toObject()["max_absolute"].toDouble(), 0.0);
        const auto with = start({"compare", golden("scale_none.in.npz"), "--b", golden("scale_none.in.npz"), "--scale",
                                 "none", "--with", "--scale dk", "--json"});
        QVERIFY(QJsonDocument::fromJson(with.out.toUtf8()).object()["all"].toObject()["max_absolute"].toDouble() > 0.0);
        const auto misfit =
            start({"compare", golden("scale_none.in.npz"), "--b", golden("grouped_query_direct.in.npz")});
        QCOMPARE(misfit.code, 1);
        QVERIFY2(misfit.error.contains("only equal shapes can be compared"), qPrintable(misfit.error));
    }
};

ATTNLAB_TEST(TestCompareCommand)
#include "test_compare_command.moc"
