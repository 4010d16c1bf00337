#include "core/io/npz.h"
#include "core/stages/mask.h"
#include "core/stages/scale.h"
#include "core/statistics.h"
#include "tests/core/engine_support.h"
#include "tests/core/io_support.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

TensorMap fixture(const QString& name) {
    return io::read_npz(to_path(QStringLiteral(ATTNLAB_TEST_DATA_DIR "/transformer_%1.npz").arg(name))).tensors;
}

AttentionProblem problem_of(const QString& name, std::int64_t heads = 2) {
    AttentionProblem problem;
    problem.spec.variant = "transformer";
    problem.spec.parameters.set("num_heads", heads);
    problem.tensors = fixture(name + ".in");
    return problem;
}

/// Two batches, three heads, 2 + 3 layers, padding on both sides.
AttentionProblem padded() { return problem_of(QStringLiteral("padded"), 3); }

Tensor ids(Shape shape, std::vector<double> values) {
    return Tensor(std::move(shape), std::move(values), DType::Int64);
}

/// Rows [0, count) of each batch.
Tensor first_rows(const Tensor& tensor, std::int64_t count) {
    Tensor part({tensor.dim(0), count, tensor.dim(2)});
    for (std::int64_t b = 0; b < part.dim(0); ++b)
        for (std::int64_t i = 0; i < count; ++i)
            for (std::int64_t c = 0; c < part.dim(2); ++c)
                part.set({b, i, c}, tensor.at({b, i, c}));
    return part;
}

using Change = std::function<void(AttentionProblem&)>;

} // namespace

Q_DECLARE_METATYPE(Change)

/// The encoder-decoder against PyTorch's own numbers, and what it must and must not depend on.
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
    void complains_in_words_data();
    void complains_in_words();
    void a_state_dict_says_what_it_is();
    void stacks_layers_once();
    void makes_a_model_data();
    void makes_a_model();
    void another_depth_is_remade();
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
    auto problem = problem_of(name, heads);
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
    const auto trace = run(padded());
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
    for (const auto& term : trace.terms_beside(scores)(1, 2, 3, 4))
        sum += term.product;
    QVERIFY(close(sum, scores.value.at({1, 2, 3, 4}), 1e-14));
    QVERIFY(!trace.terms_beside(*trace.find("output")));
    // Beside the passes only what leads on from stage to stage is a step of its own.
    std::vector<std::string> steps;
    for (const auto& made : trace.stages)
        if (prefix_of(made.name).empty() && made.role == StageRole::Step)
            steps.push_back(made.name);
    QVERIFY(steps == std::vector<std::string>({"memory", "output", "logits", "probabilities"}));
    QVERIFY(has_note(trace, "Padding (id 0) that no query reads: 8 source and 5 target positions"));
}

void TransformerTest::labels_each_side_with_its_own_tokens() {
    auto problem = problem_of(QStringLiteral("small"));
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
    auto problem = problem_of(QStringLiteral("small"));
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
    auto problem = problem_of(QStringLiteral("small"));
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
    auto problem = problem_of(QStringLiteral("small"));
    problem.tensors.at("src") = ids({1, 2}, {0, 0});
    const auto trace = run(problem);
    QCOMPARE(stage(trace, "encoder.0.self.weights"), Tensor({1, 2, 2, 2}));
    QVERIFY(has_note(trace, "Rows with every key blocked: 4"));
    for (const double p : stage(trace, "probabilities").values())
        QVERIFY(p > 0.0 && p < 1.0);
}

void TransformerTest::ids_of_one_sentence_need_no_batch() {
    auto problem = problem_of(QStringLiteral("small"));
    const auto before = stage(run(problem), "probabilities");
    problem.tensors.at("src") = ids({4}, {3, 8, 1, 2});
    problem.tensors.at("tgt") = Tensor({3}, {1, 6, 2}); // float64 integers will do
    QCOMPARE(stage(run(problem), "probabilities"), before);
}

void TransformerTest::takes_scales_and_statistics() {
    auto problem = problem_of(QStringLiteral("small"));
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
    auto problem = problem_of(QStringLiteral("small"));
    problem.tensors.at("src") = Tensor({batches, sources}, 1.0, DType::Int64);
    problem.tensors.at("tgt") = Tensor({batches, targets}, 2.0, DType::Int64);
    const auto trace = run(problem);
    QCOMPARE(stage(trace, "probabilities").shape(), Shape({batches, targets, 7}));
    QCOMPARE(stage(trace, "decoder.0.cross.weights").shape(), Shape({batches, 2, targets, sources}));
    for (const double p : stage(trace, "probabilities").values())
        QVERIFY(std::isfinite(p));
}

void TransformerTest::complains_in_words_data() {
    QTest::addColumn<Change>("change");
    QTest::addColumn<QString>("complaint");
    const auto row = [](const char* name, Change change, const char* complaint) {
        QTest::newRow(name) << change << complaint;
    };
    const auto erase = [](std::string name) { return [name](AttentionProblem& p) { p.tensors.erase(name); }; };
    const auto put = [](std::string name, Tensor tensor) {
        return [name, tensor](AttentionProblem& p) { p.tensors.insert_or_assign(name, tensor); };
    };
    row("one layer lacks a tensor", erase("decoder.layers.1.norm3.bias"),
        "decoder.layers.1.norm3.bias: is missing, expected an array of shape (12,) as decoder.layers.0.norm3.bias has");
    row("the first layer lacks a tensor", erase("encoder.layers.0.linear1.weight"),
        "encoder.layers.0.linear1.weight: is missing, expected an array of shape (20, 12) as "
        "encoder.layers.1.linear1.weight has");
    row("a gap between layers", put("encoder.layers.7.linear1.weight", Tensor({20, 12})),
        "encoder.layers.2.linear1.bias: is missing, expected an array of shape (20,) as encoder.layers.0.linear1.bias "
        "has");
    row("a layer is wider", put("encoder.layers.1.linear2.weight", Tensor({12, 21})),
        "encoder.layers.1.linear2.weight: has shape (12, 21), expected (12, 20) as encoder.layers.0.linear2.weight "
        "has");
    row(
        "the only stack is wider",
        [](AttentionProblem& p) {
            for (const auto* layer : {"0", "1"})
                p.tensors.at("encoder.layers." + std::string(layer) + ".norm2.bias") = Tensor({13});
        },
        "encoder.layers.norm2.bias: has shape (2, 13), expected (num_encoder_layers, num_heads*E) with E = 4 as in "
        "src_embedding.weight, num_encoder_layers = 2 as in encoder.layers.self_attn.in_proj_weight, num_heads = 3");
    row("no final norm", erase("encoder.norm.weight"),
        "encoder.norm.weight: is missing, expected an array of shape (num_heads*E,) with E = 4 as in "
        "src_embedding.weight, num_heads = 3");
    row("no generator", erase("generator.weight"),
        "generator.weight: is missing, expected an array of shape (out_vocabulary, num_heads*E) with E = 4 as in "
        "src_embedding.weight, num_heads = 3");
    row(
        "heads that do not divide", [](AttentionProblem& p) { p.spec.parameters.set("num_heads", std::int64_t{5}); },
        "src_embedding.weight: has shape (11, 12), expected (src_vocabulary, num_heads*E) with num_heads = 5");
    row(
        "a depth that is another",
        [](AttentionProblem& p) { p.spec.parameters.set("num_decoder_layers", std::int64_t{2}); },
        "decoder.layers.self_attn.in_proj_weight: has shape (3, 36, 12), expected (num_decoder_layers, 3*num_heads*E, "
        "num_heads*E) with E = 4 as in src_embedding.weight, num_decoder_layers = 2, num_heads = 3");
    row("id beyond the table", put("src", ids({1, 3}, {1, 11, 0})),
        "tgt: has shape (3, 5), expected (B, L) with B = 1 as in src");
    row("source id beyond the table", put("src", ids({3, 2}, {1, 2, 3, 11, 0, 0})),
        "src: has 11 at (1, 1), expected an integer from 0 and less than 11, the number of rows of "
        "src_embedding.weight");
    row("negative target id", put("tgt", ids({3, 1}, {1, 2, -1})),
        "tgt: has -1 at (2, 0), expected an integer from 0 and less than 6, the number of rows of "
        "tgt_embedding.weight");
    row("half an id", put("tgt", Tensor({3, 1}, {0.5, 2, 1})),
        "tgt: has 0.5 at (0, 0), expected an integer from 0 and less than 6, the number of rows of "
        "tgt_embedding.weight");
    row("NaN for an id", put("tgt", Tensor({3, 1}, {not_a_number, 2, 1})),
        "tgt: has nan at (0, 0), expected an integer from 0 and less than 6, the number of rows of "
        "tgt_embedding.weight");
    row("no ids", erase("src"), "src: is missing, expected an array of shape (B, S) or (S,)");
    row("both ways", put("encoder.layers.norm1.bias", Tensor({2, 12})),
        "encoder.layers.0.norm1.bias: is given together with encoder.layers.norm1.bias, expected one of the two");
    row(
        "a mask", [](AttentionProblem& p) { p.spec.masks = {parse_mask("causal")}; },
        "transformer: masks is not possible: padding (id 0) and causality make the masks of every layer");
}

void TransformerTest::complains_in_words() {
    QFETCH(Change, change);
    QFETCH(QString, complaint);
    auto problem = padded();
    change(problem);
    QCOMPARE(error_of([&] { run(problem); }), complaint);
    QVERIFY(!issues_in(problem).empty());
    QCOMPARE(QString::fromStdString(issues_in(problem).front().english()), complaint);
}

void TransformerTest::a_state_dict_says_what_it_is() {
    auto problem = padded();
    QCOMPARE(std::string(variant_for(problem.tensors)->id), std::string("transformer"));
    // A saved model has no ids: they are made, and its weights stay as they are.
    problem.tensors.erase("src");
    problem.tensors.erase("tgt");
    QCOMPARE(std::string(variant_for(problem.tensors)->id), std::string("transformer"));
    const auto norm = problem.tensors.at("decoder.norm.weight");
    QVERIFY(complete_inputs(problem, 1) == std::vector<std::string>({"src", "tgt"}));
    QCOMPARE(problem.tensors.at("src"), ids({4}, {1, 2, 3, 4}));
    QCOMPARE(problem.tensors.at("decoder.norm.weight"), norm);
    QVERIFY(issues_in(problem).empty());
    // One that is broken is still one, so that the message can say what is wrong.
    auto broken = padded();
    broken.tensors.erase("encoder.layers.1.linear2.bias");
    QCOMPARE(std::string(variant_for(broken.tensors)->id), std::string("transformer"));
}

void TransformerTest::stacks_layers_once() {
    auto problem = padded();
    const auto& second = problem.tensors.at("encoder.layers.1.linear1.weight");
    const auto adopted = adopted_tensors(problem);
    const auto& stack = adopted.at("encoder.layers.linear1.weight");
    QCOMPARE(stack.shape(), Shape({2, 20, 12}));
    QCOMPARE(stack.at({1, 19, 11}), second.at({19, 11}));
    QVERIFY(!adopted.contains("encoder.layers.1.linear1.weight"));
    const auto expected = stage(run(problem), "logits");
    problem.tensors = adopted;
    QVERIFY(adopted_tensors(problem) == adopted);
    QCOMPARE(stage(run(problem), "logits"), expected);
    // Layer 10 comes after layer 9.
    TensorMap many;
    for (int i = 0; i < 12; ++i)
        many.emplace("encoder.layers." + std::to_string(i) + ".norm1.bias", Tensor({1}, double(i)));
    problem.tensors = many;
    QCOMPARE(adopted_tensors(problem).at("encoder.layers.norm1.bias"), counting({12, 1}));
}

void TransformerTest::makes_a_model_data() {
    QTest::addColumn<int>("heads");
    QTest::addColumn<int>("encoders");
    QTest::addColumn<int>("decoders");
    QTest::addColumn<int>("hidden");
    QTest::newRow("as it comes") << 2 << 0 << 0 << 0;
    QTest::newRow("deep") << 1 << 4 << 3 << 5;
    QTest::newRow("one layer") << 3 << 1 << 1 << 1;
}

void TransformerTest::makes_a_model() {
    QFETCH(int, heads);
    QFETCH(int, encoders);
    QFETCH(int, decoders);
    QFETCH(int, hidden);
    AttentionProblem problem;
    problem.spec.variant = "transformer";
    problem.spec.parameters.set("num_heads", std::int64_t{heads});
    problem.spec.parameters.set("num_encoder_layers", std::int64_t{encoders});
    problem.spec.parameters.set("num_decoder_layers", std::int64_t{decoders});
    problem.spec.parameters.set("dim_feedforward", std::int64_t{hidden});
    complete_inputs(problem, 1);
    QVERIFY(issues_in(problem).empty());
    const auto trace = run(problem);
    const int layers = (encoders ? encoders : 2) + 2 * (decoders ? decoders : 2);
    QCOMPARE(int(trace.layers.size()), layers);
    QCOMPARE(problem.tensors.at("encoder.layers.linear1.weight").dim(1), hidden ? hidden : 16);
    QCOMPARE(problem.tensors.at("encoder.norm.weight"), Tensor({heads * 4}, 1.0));
    QCOMPARE(problem.tensors.at("src").dtype(), DType::Int64);
    // Scores of a fresh model are neither all alike nor huge.
    const double spread = std::sqrt(moments(stage(trace, "encoder.0.self.scaled").values()).variance);
    QVERIFY2(spread > 0.1 && spread < 10.0, qPrintable(QString::number(spread)));
}

void TransformerTest::another_depth_is_remade() {
    auto problem = fresh_problem("transformer");
    const auto table = problem.tensors.at("src_embedding.weight");
    const auto layers = problem.tensors.at("encoder.layers.linear1.weight");
    problem.spec.parameters.set("num_decoder_layers", std::int64_t{5});
    QVERIFY(!issues_in(problem).empty());
    complete_inputs(problem, 1, true);
    QVERIFY(issues_in(problem).empty());
    QCOMPARE(run(problem).layers.size(), std::size_t{2 + 10});
    QCOMPARE(problem.tensors.at("src_embedding.weight"), table);
    QCOMPARE(problem.tensors.at("encoder.layers.linear1.weight"), layers);
}

void TransformerTest::asks_for_memory_first() {
    auto problem = problem_of(QStringLiteral("small"));
    problem.tensors.at("src") = Tensor({1, 30000}, 1.0, DType::Int64);
    QVERIFY(error_of([&] { run(problem); }).startsWith("encoder.0.self.scores: would have shape (1, 2, 30000, 30000)"));
    problem.tensors.at("src") = Tensor({1, 4}, 1.0, DType::Int64);
    problem.tensors.at("tgt") = Tensor({1, 30000}, 1.0, DType::Int64);
    QVERIFY(error_of([&] { run(problem); }).startsWith("decoder.0.self.scores: would have shape (1, 2, 30000, 30000)"));
    // What fits layer by layer need not fit together.
    problem.tensors.at("tgt") = Tensor({1, 100}, 1.0, DType::Int64);
    RunControl tight{.memory_limit = 2 * 100 * 100 * 8 * 6};
    QVERIFY(error_of([&] { run(problem, tight); }).contains("all stages together need"));
}

QTEST_GUILESS_MAIN(TransformerTest)
#include "test_transformer.moc"
