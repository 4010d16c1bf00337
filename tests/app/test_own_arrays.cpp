// Arrays as other programs save them, through the command line: every one is used, or named with the reason.
#include "core/io/npz.h"
#include "core/io/saved/workspace_file.h"
#include "core/random.h"
#include "core/stages/mask.h"
#include "tests/app/program_support.h"
#include "tests/test_main.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

/// The header and bytes of an array of texts as NumPy writes them.
std::string npy_of_texts(const std::vector<std::u32string>& texts, int width) {
    std::string header = "{'descr': '<U" + std::to_string(width) + "', 'fortran_order': False, 'shape': (" +
                         std::to_string(texts.size()) + ",), }";
    header.resize(117, ' ');
    header += '\n';
    std::string bytes("\x93NUMPY\x01\x00", 8);
    bytes += static_cast<char>(header.size());
    bytes += '\0';
    bytes += header;
    for (const auto& text : texts)
        for (int i = 0; i < width; ++i) {
            const auto point = static_cast<std::size_t>(i) < text.size()
                                   ? static_cast<std::uint32_t>(text[static_cast<std::size_t>(i)])
                                   : 0u;
            for (int byte = 0; byte < 4; ++byte)
                bytes += static_cast<char>(point >> (8 * byte) & 0xFF);
        }
    return bytes;
}

} // namespace

class TestOwnArrays : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    QString save(const char* name, const TensorMap& tensors) {
        auto path = folder_.filePath(QLatin1String(name));
        io::write_tensors(path.toStdString(), tensors);
        return path;
    }
    QString save(const char* name, const QByteArray& bytes) {
        auto path = folder_.filePath(QLatin1String(name));
        QFile file(path);
        if (file.open(QIODevice::WriteOnly))
            file.write(bytes);
        return path;
    }
    Tensor weights(const QStringList& arguments, int* code = nullptr, QString* error = nullptr) {
        const auto out = folder_.filePath("weights.npz");
        QFile::remove(out);
        const auto outcome = start(QStringList{"compute"} + arguments + QStringList{"--out", out});
        if (code)
            *code = outcome.code;
        if (error)
            *error = outcome.error;
        return outcome.code == 0 ? io::read_npz(out.toStdString()).tensors.at("weights") : Tensor();
    }
    static QJsonObject info(const QStringList& arguments) {
        const auto outcome = start(QStringList{"info"} + arguments + QStringList{"--json"});
        return QJsonDocument::fromJson(outcome.out.toUtf8()).object();
    }

private slots:
    /// Without --mask it was once silently ignored, while the window applied it.
    void aPaddingMaskInTheFileCounts() {
        TensorMap arrays{{"query", random_normal({1, 1, 3, 4}, 1)},
                         {"key", random_normal({1, 1, 3, 4}, 2)},
                         {"value", random_normal({1, 1, 3, 4}, 3)}};
        arrays.emplace("key_padding_mask", Tensor({1, 3}, {0, 0, 1}, DType::Bool));
        const auto path = save("padded.npz", arrays);
        QCOMPARE(weights({path}).at({0, 0, 0, 2}), 0.0);
        QVERIFY(weights({path, "--mask", "none"}).at({0, 0, 0, 2}) > 0.0);
        QVERIFY(start({"compute", path, "--mask", "none", "--out", folder_.filePath("w.npz")})
                    .error.contains("key_padding_mask is not used"));
    }

    void attentionMaskKeepsWhereItIs1() {
        const auto path = save("hf.npz", {{"query", random_normal({1, 1, 3, 4}, 1)},
                                          {"key", random_normal({1, 1, 3, 4}, 2)},
                                          {"value", random_normal({1, 1, 3, 4}, 3)},
                                          {"attention_mask", Tensor({1, 3}, {1, 1, 0}, DType::Int64)}});
        QString error;
        QCOMPARE(weights({path}, nullptr, &error).at({0, 0, 1, 2}), 0.0);
        QVERIFY2(error.contains("attention_mask"), qPrintable(error));
    }

    void whatIsNotReadIsNamed() {
        const auto path = save("beside.npz", {{"q", random_normal({3, 4}, 1)},
                                              {"k", random_normal({3, 4}, 2)},
                                              {"v", random_normal({3, 4}, 3)},
                                              {"output", random_normal({3, 4}, 4)},
                                              {"zeta", Tensor({7}, 1.0)}});
        QString error;
        weights({path}, nullptr, &error);
        QVERIFY2(error.contains("output is not used") && error.contains("zeta is not used"), qPrintable(error));
    }

    void filesAreNamedAfterThemselves() {
        const auto q = save("q.npy", {{"q", random_normal({3, 4}, 1)}}),
                   k = save("k.npy", {{"k", random_normal({3, 4}, 2)}}),
                   v = save("v.npy", {{"v", random_normal({3, 4}, 3)}});
        int code = -1;
        weights({q, k, v}, &code);
        QCOMPARE(code, 0);
    }

    void axesAreSaid() {
        const auto tensor = [](std::uint64_t seed) { return random_normal({1, 5, 12, 4}, seed); };
        const auto path = save("blhe.npz", {{"q", tensor(1)}, {"k", tensor(2)}, {"v", tensor(3)}});
        QCOMPARE(weights({path}).shape(), Shape({1, 5, 12, 12}));
        QCOMPARE(weights({path, "--layout", "BLHE"}).shape(), Shape({1, 12, 5, 5}));
        const auto turned = save("bhle.npz", {{"q", random_normal({1, 12, 5, 4}, 1)},
                                              {"k", random_normal({1, 12, 5, 4}, 2)},
                                              {"v", random_normal({1, 12, 5, 4}, 3)}});
        QString error;
        weights({turned}, nullptr, &error);
        QVERIFY2(error.contains("BLHE"), qPrintable(error)); // more heads than tokens
        QCOMPARE(start({"compute", path, "--layout", "BLEH", "--out", folder_.filePath("x.npz")}).code, 2);
    }

    void headsAreAskedFor() {
        TensorMap state{{"x", random_normal({1, 3, 12}, 1)},
                        {"in_proj_weight", random_normal({36, 12}, 2)},
                        {"in_proj_bias", Tensor({36}, 0.0)},
                        {"out_proj.weight", random_normal({12, 12}, 3)},
                        {"out_proj.bias", Tensor({12}, 0.0)}};
        const auto path = save("mha.npz", state);
        const auto outcome = start({"compute", path, "--out", folder_.filePath("x.npz")});
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.error.contains("num_heads") && outcome.error.contains("1, 2, 3, 4, 6, 12"),
                 qPrintable(outcome.error));
        QCOMPARE(weights({path, "--set", "num_heads=3"}).dim(1), 3);
    }

    void layersAreAskedFor() {
        TensorMap state{{"x", random_normal({1, 3, 8}, 1)}};
        for (int layer = 0; layer < 3; ++layer)
            for (const char* part : {"query", "key", "value"})
                state.emplace("bert.encoder.layer." + std::to_string(layer) + ".attention.self." + part + ".weight",
                              random_normal({8, 8}, static_cast<std::uint64_t>(layer + 2)));
        const auto path = save("bert.safetensors", state);
        const auto outcome = start({"compute", path, "--set", "num_heads=2", "--out", folder_.filePath("x.npz")});
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.error.contains("3 layers") && outcome.error.contains("bert.encoder.layer.0.attention."),
                 qPrintable(outcome.error));
        const auto chosen = weights(
            {path, "--prefix", "bert.encoder.layer.1.attention.", "--variant", "multi_head", "--set", "num_heads=2"});
        QCOMPARE(chosen.shape(), Shape({1, 2, 3, 3}));
    }

    void weightsAlone() {
        const auto path = save("attn_l2.npy", {{"attn_l2", Tensor({1, 2, 3, 3}, 1.0 / 3.0)}});
        QCOMPARE(weights({path}).shape(), Shape({1, 2, 3, 3}));
        QCOMPARE(info({path})["variant"].toString(), "given_weights");
    }

    void pytorchFiles() {
        const auto out = info({QStringLiteral(ATTNLAB_TEST_DATA_DIR "/torch/attentions.pt")});
        QCOMPARE(out["variant"].toString(), "given_weights");
        QVERIFY(out["used"].toArray().size() > 1);
        QVERIFY(!out.contains("missing"));
        const auto path = QStringLiteral(ATTNLAB_TEST_DATA_DIR "/torch/attention_state.pt");
        QVERIFY(info({path})["missing"].toString().contains("num_heads"));
        const auto state = info({path, "--set", "num_heads=2"});
        QVERIFY2(state["missing"].toString().contains("x: is missing"), qPrintable(state["missing"].toString()));
    }

    /// Transformers' cache_position and the number of --query-offset put the queries at the same keys.
    void positionsOfQueriesAreAnOffset() {
        const TensorMap arrays{{"query", random_normal({2, 1, 3, 4}, 1)},
                               {"key", random_normal({2, 1, 7, 4}, 2)},
                               {"value", random_normal({2, 1, 7, 4}, 3)}};
        const auto plain = save("plain.npz", arrays);
        auto more = arrays;
        more.emplace("cache_position", Tensor({3}, {4, 5, 6}, DType::Int64));
        const auto positions = save("positions.npz", more);
        const auto expected = weights({plain, "--mask", "causal:bottom_right"});
        QCOMPARE(weights({positions, "--mask", "causal"}), expected);
        QCOMPARE(weights({plain, "--mask", "causal", "--query-offset", "4"}), expected);
        QVERIFY(weights({plain, "--mask", "causal"}) != expected);
        const auto unused = info({positions})["unused"].toArray();
        QCOMPARE(unused.size(), 1);
        QCOMPARE(unused[0].toObject()["why"].toString(), "no mask, position or decay that uses it is on");
    }

    void infoNamesTheOffset() {
        AttentionProblem problem;
        problem.tensors = {
            {"query", Tensor({2, 3}, 1.0)}, {"key", Tensor({4, 3}, 1.0)}, {"value", Tensor({4, 3}, 1.0)}};
        problem.spec.masks = {parse_mask("causal")};
        const auto path = folder_.filePath("offset.npz");
        io::write_workspace(path.toStdString(), problem, "{}");
        QVERIFY(!info({path}).contains("query_offset"));
        problem.spec.query_offset = -2;
        io::write_workspace(path.toStdString(), problem, "{}");
        QCOMPARE(info({path})["query_offset"].toInt(), -2);
        QVERIFY(start({"info", path}).out.contains("masks: causal, query offset: -2\n"));
    }

    void errorsSayWhatTheFileHas() {
        const auto path = save("other.npz", {{"alpha", Tensor({2, 5}, 1.0)}, {"beta", Tensor({3}, 1.0)}});
        const auto outcome = start({"compute", path, "--out", folder_.filePath("x.npz")});
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.error.contains("alpha (2, 5)") && outcome.error.contains("beta (3,)"),
                 qPrintable(outcome.error));
        const auto chosen = info({path, "--role", "alpha=query"});
        QCOMPARE(chosen["used"].toArray()[0].toObject()["input"].toString(), "query");
    }

    void textsBecomeLabels_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("npy") << "tokens.npy"
                             << QByteArray::fromStdString(npy_of_texts({U"the", U"c\u00e4t", U"\U0001F431"}, 4));
        QTest::newRow("json list") << "tokens.json" << QByteArray("[\"the\", \"c\xc3\xa4t\", \"\xf0\x9f\x90\xb1\"]");
        QTest::newRow("json object") << "words.json"
                                     << QByteArray("{\"tokens\": [[\"the\", \"c\xc3\xa4t\", \"\xf0\x9f\x90\xb1\"]]}");
        QTest::newRow("lines") << "tokens.txt" << QByteArray("the\nc\xc3\xa4t\n\xf0\x9f\x90\xb1\n");
        QTest::newRow("one line") << "tokens.txt" << QByteArray("the c\xc3\xa4t \xf0\x9f\x90\xb1");
    }
    void textsBecomeLabels() {
        QFETCH(QString, name);
        QFETCH(QByteArray, bytes);
        const auto arrays =
            save("three.npz",
                 {{"q", random_normal({3, 4}, 1)}, {"k", random_normal({3, 4}, 2)}, {"v", random_normal({3, 4}, 3)}});
        const auto labels = save(qPrintable(name), bytes);
        const auto figure = folder_.filePath("figure.svg");
        const auto outcome = start({"render", arrays, labels, "--stage", "weights", "--out", figure});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.error));
        const auto out = info({arrays, labels});
        const auto last = out["used"].toArray().last().toObject();
        QCOMPARE(last["input"].toString(), "query_tokens");
        QCOMPARE(last["labels"].toArray(),
                 (QJsonArray{"the", QString::fromUtf8("c\xc3\xa4t"), QString::fromUtf8("\xf0\x9f\x90\xb1")}));
        // Labels of another number are reported, not applied to the wrong tokens.
        const auto four =
            save("four.npz",
                 {{"q", random_normal({4, 4}, 1)}, {"k", random_normal({4, 4}, 2)}, {"v", random_normal({4, 4}, 3)}});
        const auto other = info({four, labels});
        QVERIFY(other["unused"].toArray().last().toObject()["why"].toString().contains("3 labels, expected 4"));
    }

    /// NumPy's own archive of numbers, texts, objects and complex numbers.
    void otherTypesRefuseNothing() {
        const auto out = info({QStringLiteral(ATTNLAB_TEST_DATA_DIR "/other_types.npz")});
        QCOMPARE(out["variant"].toString(), "scaled_dot_product");
        QCOMPARE(out["used"].toArray().size(), 4);
        QCOMPARE(out["used"].toArray().last().toObject()["labels"].toArray(),
                 (QJsonArray{"the", QString::fromUtf8("c\xc3\xa4t"), QString::fromUtf8("\xf0\x9f\x90\xb1")}));
        QStringList unused;
        for (const auto& array : out["unused"].toArray())
            unused << array.toObject()["name"].toString();
        QCOMPARE(unused, (QStringList{"complex", "grid", "objects"}));
    }

    void aLayoutForAWorkspaceIsRefused() {
        const auto outcome =
            start({"info", QStringLiteral(ATTNLAB_SAMPLES_DIR "/multi_head_fox.npz"), "--layout", "BLHE"});
        QVERIFY2(outcome.code == 1 && outcome.error.contains("layout"), qPrintable(outcome.error));
    }
};

ATTNLAB_TEST(TestOwnArrays)
#include "test_own_arrays.moc"
