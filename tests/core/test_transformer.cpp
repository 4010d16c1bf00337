#include "core/io/npz.h"
#include "core/stages/mask.h"
#include "core/stages/scale.h"
#include "core/statistics.h"
#include "tests/core/engine_support.h"
#include "tests/core/transformer_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

/// Rows [0, count) of each batch.
Tensor first_rows(const Tensor& tensor, std::int64_t count) {
    Tensor part({tensor.dim(0), count, tensor.dim(2)});
    for (std::int64_t b = 0; b < part.dim(0); ++b)
        for (std::int64_t i = 0; i < count; ++i)
            for (std::int64_t c = 0; c < part.dim(2); ++c)
                part.set({b, i, c}, tensor.at({b, i, c}));
    return part;
}

} // namespace

/// The encoder-decoder compared with PyTorch, and its allowed dependencies.
class TransformerTest : public QObject {
    Q_OBJECT
private slots:
    void agrees_with_pytorch_data();
    void agrees_with_pytorch();
    void names_its_stages_and_layers();
    void labels_each_side_with_its_own_tokens();
    void the_future_does_not_leak();
    void padding_is_not_read();
    void a_sentence_of_padding_has_no_attention();
    void ids_of_one_sentence_need_no_batch();
    void takes_scales_and_statistics();
    void computes_shapes_of_one_and_none_data();
    void computes_shapes_of_one_and_none();
    void asks_for_memory_first();
};

void TransformerTest::agrees_with_pytorch_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("heads");
    QTest::addColumn<bool>("norm_first");
    QTest::addColumn<int>("stages");
    QTest::newRow("one layer each") << "small" << 2 << false << 4 + 3;
    QTest::newRow("padded, 2 + 3 layers") << "padded" << 3 << false << 4 + 2 + 6;
    QTest::newRow("norm first, gelu") << "norm_first" << 1 << true << 4 + 2 + 2;
}

void TransformerTest::agrees_with_pytorch() {
    QFETCH(QString, name);
    QFETCH(int, heads);
    QFETCH(bool, norm_first);
    QFETCH(int, stages);
    auto problem = transformer_of(name, heads);
    if (norm_first) {
        problem.spec.parameters.set("norm_first", true);
        problem.spec.parameters.set("activation", std::string("gelu"));
        problem.spec.parameters.set("layer_norm_eps", 1e-2);
        problem.spec.parameters.set("scale_embedding", false);
    }
    QVERIFY(issues_in(problem).empty());
    const auto trace = run(problem);
    const auto expected = fixture(name + ".out");
    QCOMPARE(int(expected.size()), stages);
    for (const auto& [stage_name, value] : expected) {
        const auto wrong = difference(stage(trace, stage_name), value, 1e-12);
        QVERIFY2(wrong.isEmpty(), qPrintable(QString::fromStdString(stage_name) + ": " + wrong));
    }
}

void TransformerTest::names_its_stages_and_layers() {
    const auto trace = run(padded_transformer());
    const std::vector<std::string> layers = {
        "encoder.0.self.weights", "encoder.1.self.weights",  "decoder.0.self.weights", "decoder.0.cross.weights",
        "decoder.1.self.weights", "decoder.1.cross.weights", "decoder.2.self.weights", "decoder.2.cross.weights"};
    QVERIFY(trace.layers == layers);
    for (const auto& layer : layers) {
        const Stage& weights = *trace.find(layer);
        for (const auto* beside : {"query", "key", "value", "scores", "scaled", "blocked", "masked", "lse",
                                   "weights_mean", "head_output", "output"})
            QVERIFY2(trace.beside(weights, beside), beside);
    }
    for (const auto* name : {"positions", "encoder.embedding", "encoder.input", "encoder.1.attended",
                             "encoder.1.feed_forward", "encoder.1.output", "memory", "decoder.input",
                             "decoder.2.cross_attended", "decoder.2.output", "output", "logits", "probabilities"})
        QVERIFY2(trace.find(name), name);
    for (const auto& made : trace.stages)
        QVERIFY2(made.axes.size() == made.value.shape().size(), made.name.c_str());
    QVERIFY(trace.find("probabilities")->axes.back() == Axis::Vocabulary);
    const Stage& scores = *trace.find("decoder.2.cross.scores");
    double sum = 0.0;
    for (const auto& term : trace.pass("decoder.2.cross.").score_terms(1, 2, 3, 4))
        sum += term.product;
    QVERIFY(close(sum, scores.value.at({1, 2, 3, 4}), 1e-14));
    QVERIFY(!trace.pass().score_terms);
    // Besides the passes, only stages on the main path are steps.
    std::vector<std::string> steps;
    for (const auto& made : trace.stages)
        if (prefix_of(made.name).empty() && made.role == StageRole::Step)
            steps.push_back(made.name);
    QVERIFY(steps == std::vector<std::string>({"memory", "output", "logits", "probabilities"}));
    QVERIFY(has_note(trace, "Padding (id 0) that no query reads: 8 source and 5 target positions"));
}

void TransformerTest::labels_each_side_with_its_own_tokens() {
    auto problem = transformer_of(QStringLiteral("small"));
    problem.query_tokens = {"un", "deux", "trois"};
    problem.key_tokens = {"one", "two", "three", "four"};
    const auto trace = run(problem);
    const auto labels = [&](const char* name) { return *trace.find(name)->tokens; };
    QVERIFY(trace.query_tokens == problem.query_tokens && trace.key_tokens == problem.key_tokens);
    QVERIFY(labels("encoder.0.self.weights").query == problem.key_tokens);
    QVERIFY(labels("encoder.0.self.weights").key == problem.key_tokens);
    QVERIFY(labels("encoder.0.output").query == problem.key_tokens);
    QVERIFY(labels("decoder.0.self.scores").key == problem.query_tokens);
    QVERIFY(labels("decoder.0.cross.weights").query == problem.query_tokens);
    QVERIFY(labels("decoder.0.cross.weights").key == problem.key_tokens);
}

void TransformerTest::the_future_does_not_leak() {
    auto problem = transformer_of(QStringLiteral("small"));
    const auto before = run(problem);
    problem.tensors.at("tgt") = ids({1, 3}, {1, 6, 5}); // another last token
    const auto after = run(problem);
    QCOMPARE(first_rows(stage(after, "probabilities"), 2), first_rows(stage(before, "probabilities"), 2));
    QVERIFY(stage(after, "probabilities") != stage(before, "probabilities"));
    QCOMPARE(stage(after, "memory"), stage(before, "memory"));
    problem.tensors.at("src") = ids({1, 4}, {3, 8, 1, 5}); // the encoder is not causal
    QVERIFY(first_rows(stage(run(problem), "memory"), 1) != first_rows(stage(before, "memory"), 1));
}

void TransformerTest::padding_is_not_read() {
    auto problem = transformer_of(QStringLiteral("small"));
    const auto before = run(problem);
    problem.tensors.at("src") = ids({1, 6}, {3, 8, 1, 2, 0, 0});
    problem.tensors.at("tgt") = ids({1, 5}, {1, 6, 2, 0, 0});
    const auto after = run(problem);
    QCOMPARE(difference(first_rows(stage(after, "probabilities"), 3), stage(before, "probabilities"), 1e-14),
             QString());
    for (const auto* name : {"encoder.0.self.weights", "decoder.0.cross.weights"})
        QCOMPARE(stage(after, name).at({0, 1, 2, 4}), 0.0);
    QCOMPARE(stage(after, "decoder.0.self.weights").at({0, 1, 4, 3}), 0.0);
}

void TransformerTest::a_sentence_of_padding_has_no_attention() {
    auto problem = transformer_of(QStringLiteral("small"));
    problem.tensors.at("src") = ids({1, 2}, {0, 0});
    const auto trace = run(problem);
    QCOMPARE(stage(trace, "encoder.0.self.weights"), Tensor({1, 2, 2, 2}));
    QVERIFY(has_note(trace, "Rows with every key blocked: 2 (first: 0)"));
    for (const double p : stage(trace, "probabilities").values())
        QVERIFY(p > 0.0 && p < 1.0);
}

void TransformerTest::ids_of_one_sentence_need_no_batch() {
    auto problem = transformer_of(QStringLiteral("small"));
    const auto before = stage(run(problem), "probabilities");
    problem.tensors.at("src") = ids({4}, {3, 8, 1, 2});
    problem.tensors.at("tgt") = Tensor({3}, {1, 6, 2}); // integers in float64 are accepted
    QCOMPARE(stage(run(problem), "probabilities"), before);
}

void TransformerTest::takes_scales_and_statistics() {
    auto problem = transformer_of(QStringLiteral("small"));
    const auto plain = run(problem);
    problem.spec.scale = parse_scale("temperature:2"); // √d_k with d_k = 4
    problem.spec.statistics = true;
    const auto same = run(problem);
    QCOMPARE(stage(same, "probabilities"), stage(plain, "probabilities"));
    QVERIFY(same.find("decoder.0.cross.entropy"));
    problem.spec.scale = parse_scale("none");
    const auto other = run(problem);
    QCOMPARE(stage(other, "encoder.0.self.scores"), stage(plain, "encoder.0.self.scores"));
    QVERIFY(stage(other, "encoder.0.self.weights") != stage(plain, "encoder.0.self.weights"));
}

void TransformerTest::computes_shapes_of_one_and_none_data() {
    QTest::addColumn<int>("batches");
    QTest::addColumn<int>("sources");
    QTest::addColumn<int>("targets");
    QTest::newRow("one of each") << 1 << 1 << 1;
    QTest::newRow("long source") << 1 << 9 << 1;
    QTest::newRow("long target") << 2 << 1 << 9;
    QTest::newRow("no source") << 1 << 0 << 2;
    QTest::newRow("no target") << 1 << 2 << 0;
    QTest::newRow("no sentences") << 0 << 2 << 2;
}

void TransformerTest::computes_shapes_of_one_and_none() {
    QFETCH(int, batches);
    QFETCH(int, sources);
    QFETCH(int, targets);
    auto problem = transformer_of(QStringLiteral("small"));
    problem.tensors.at("src") = Tensor({batches, sources}, 1.0, DType::Int64);
    problem.tensors.at("tgt") = Tensor({batches, targets}, 2.0, DType::Int64);
    const auto trace = run(problem);
    QCOMPARE(stage(trace, "probabilities").shape(), Shape({batches, targets, 7}));
    QCOMPARE(stage(trace, "decoder.0.cross.weights").shape(), Shape({batches, 2, targets, sources}));
    for (const double p : stage(trace, "probabilities").values())
        QVERIFY(std::isfinite(p));
}

void TransformerTest::asks_for_memory_first() {
    auto problem = transformer_of(QStringLiteral("small"));
    problem.tensors.at("src") = Tensor({1, 30000}, 1.0, DType::Int64);
    QVERIFY(error_of([&] { run(problem); }).startsWith("encoder.0.self.scores: would have shape (1, 2, 30000, 30000)"));
    problem.tensors.at("src") = Tensor({1, 4}, 1.0, DType::Int64);
    problem.tensors.at("tgt") = Tensor({1, 30000}, 1.0, DType::Int64);
    QVERIFY(error_of([&] { run(problem); }).startsWith("decoder.0.self.scores: would have shape (1, 2, 30000, 30000)"));
    // Inputs that fit layer by layer may not fit together.
    problem.tensors.at("tgt") = Tensor({1, 100}, 1.0, DType::Int64);
    RunControl tight{.memory_limit = 2 * 100 * 100 * 8 * 6};
    QVERIFY(error_of([&] { run(problem, tight); }).contains("all stages together need"));
}

ATTNLAB_TEST(TransformerTest)
#include "test_transformer.moc"
