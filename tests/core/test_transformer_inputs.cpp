#include "core/io/file_formats.h"
#include "core/stages/mask.h"
#include "core/statistics.h"
#include "tests/core/transformer_support.h"
#include "tests/places.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

using Change = std::function<void(AttentionProblem&)>;

struct Mistake {
    const char* name;
    Change change;
    const char* complaint;
};

Change erase(const std::string& name) {
    return [name](AttentionProblem& p) { p.tensors.erase(name); };
}
Change put(const std::string& name, const Tensor& tensor) {
    return [name, tensor](AttentionProblem& p) { p.tensors.insert_or_assign(name, tensor); };
}

void widen(AttentionProblem& p) {
    for (const auto* layer : {"0", "1"})
        p.tensors.at("encoder.layers." + std::string(layer) + ".norm2.bias") = Tensor({13});
}

/// For the model with two batches, three heads, width 12 and 2 + 3 layers.
const std::vector<Mistake> mistakes = {
    {"one layer lacks a tensor", erase("decoder.layers.1.norm3.bias"),
     "decoder.layers.1.norm3.bias: is missing, expected an array of shape (12,) as decoder.layers.0.norm3.bias "
     "has"},
    {"the first layer lacks a tensor", erase("encoder.layers.0.linear1.weight"),
     "encoder.layers.0.linear1.weight: is missing, expected an array of shape (20, 12) as "
     "encoder.layers.1.linear1.weight has"},
    {"a gap between layers", put("encoder.layers.7.linear1.weight", Tensor({20, 12})),
     "encoder.layers.2.linear1.bias: is missing, expected an array of shape (20,) as "
     "encoder.layers.0.linear1.bias "
     "has"},
    {"a layer is wider", put("encoder.layers.1.linear2.weight", Tensor({12, 21})),
     "encoder.layers.1.linear2.weight: has shape (12, 21), expected (12, 20) as encoder.layers.0.linear2.weight "
     "has"},
    {"the only stack is wider", widen,
     "encoder.layers.norm2.bias: has shape (2, 13), expected (num_encoder_layers, num_heads*E) with E = 4 as in "
     "src_embedding.weight, num_encoder_layers = 2 as in encoder.layers.self_attn.in_proj_weight, num_heads = 3"},
    {"no final norm", erase("encoder.norm.weight"),
     "encoder.norm.weight: is missing, expected an array of shape (num_heads*E,) with E = 4 as in "
     "src_embedding.weight, num_heads = 3"},
    {"no generator", erase("generator.weight"),
     "generator.weight: is missing, expected an array of shape (out_vocabulary, num_heads*E) with E = 4 as in "
     "src_embedding.weight, num_heads = 3"},
    {"heads that do not divide", [](AttentionProblem& p) { p.spec.parameters.set("num_heads", std::int64_t{5}); },
     "src_embedding.weight: has shape (11, 12), expected (src_vocabulary, num_heads*E) with num_heads = 5"},
    {"a depth that is another",
     [](AttentionProblem& p) { p.spec.parameters.set("num_decoder_layers", std::int64_t{2}); },
     "decoder.layers.self_attn.in_proj_weight: has shape (3, 36, 12), expected (num_decoder_layers, 3*num_heads*E, "
     "num_heads*E) with E = 4 as in src_embedding.weight, num_decoder_layers = 2, num_heads = 3"},
    {"another number of sentences", put("src", ids({1, 3}, {1, 11, 0})),
     "tgt: has shape (3, 5), expected (B, L) with B = 1 as in src"},
    {"source id beyond the table", put("src", ids({3, 2}, {1, 2, 3, 11, 0, 0})),
     "src: has 11 at (1, 1), expected an integer from 0 and less than 11, the number of rows of "
     "src_embedding.weight"},
    {"negative target id", put("tgt", ids({3, 1}, {1, 2, -1})),
     "tgt: has -1 at (2, 0), expected an integer from 0 and less than 6, the number of rows of "
     "tgt_embedding.weight"},
    {"half an id", put("tgt", Tensor({3, 1}, {0.5, 2, 1})),
     "tgt: has 0.5 at (0, 0), expected an integer from 0 and less than 6, the number of rows of "
     "tgt_embedding.weight"},
    {"NaN for an id", put("tgt", Tensor({3, 1}, {not_a_number, 2, 1})),
     "tgt: has nan at (0, 0), expected an integer from 0 and less than 6, the number of rows of "
     "tgt_embedding.weight"},
    {"no ids", erase("src"), "src: is missing, expected an array of shape (B, S) or (S,)"},
    {"both ways", put("encoder.layers.norm1.bias", Tensor({2, 12})),
     "encoder.layers.0.norm1.bias: is given together with encoder.layers.norm1.bias, expected one of the two"},
    {"a mask", [](AttentionProblem& p) { p.spec.masks = {parse_mask("causal")}; },
     "transformer: mask causal is not possible: padding (id 0) and causality make the masks of every layer"},
};

} // namespace

Q_DECLARE_METATYPE(Mistake)

/// The transformer's inputs, error messages, and generated inputs.
class TransformerInputsTest : public QObject {
    Q_OBJECT
private slots:
    void complains_in_words_data();
    void complains_in_words();
    void a_state_dict_says_what_it_is();
    void stacks_layers_once();
    void makes_a_model_data();
    void makes_a_model();
    void another_depth_is_remade();
    void reads_safetensors();
};

void TransformerInputsTest::complains_in_words_data() {
    QTest::addColumn<Mistake>("mistake");
    for (const auto& mistake : mistakes)
        QTest::newRow(mistake.name) << mistake;
}

void TransformerInputsTest::complains_in_words() {
    QFETCH(Mistake, mistake);
    const QString complaint = mistake.complaint;
    auto problem = padded_transformer();
    mistake.change(problem);
    QCOMPARE(error_of([&] { run(problem); }), complaint);
    QVERIFY(!issues_in(problem).empty());
    QCOMPARE(QString::fromStdString(issues_in(problem).front().english()), complaint);
}

void TransformerInputsTest::a_state_dict_says_what_it_is() {
    auto problem = padded_transformer();
    QCOMPARE(spec_for(problem.tensors)->variant, std::string("transformer"));
    // A saved model has no ids: they are made, and its weights are unchanged.
    problem.tensors.erase("src");
    problem.tensors.erase("tgt");
    QCOMPARE(spec_for(problem.tensors)->variant, std::string("transformer"));
    const auto norm = problem.tensors.at("decoder.norm.weight");
    QVERIFY(complete_inputs(problem, 1) == std::vector<std::string>({"src", "tgt"}));
    QCOMPARE(problem.tensors.at("src"), ids({4}, {1, 2, 3, 4}));
    QCOMPARE(problem.tensors.at("decoder.norm.weight"), norm);
    QVERIFY(issues_in(problem).empty());
    // A damaged one is still recognised, so that the message can describe the error.
    auto broken = padded_transformer();
    broken.tensors.erase("encoder.layers.1.linear2.bias");
    QCOMPARE(spec_for(broken.tensors)->variant, std::string("transformer"));
}

void TransformerInputsTest::stacks_layers_once() {
    auto problem = padded_transformer();
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
    // Layer 10 follows layer 9.
    TensorMap many;
    for (int i = 0; i < 12; ++i)
        many.emplace("encoder.layers." + std::to_string(i) + ".norm1.bias", Tensor({1}, double(i)));
    problem.tensors = many;
    QCOMPARE(adopted_tensors(problem).at("encoder.layers.norm1.bias"), counting({12, 1}));
}

void TransformerInputsTest::makes_a_model_data() {
    QTest::addColumn<int>("heads");
    QTest::addColumn<int>("encoders");
    QTest::addColumn<int>("decoders");
    QTest::addColumn<int>("hidden");
    QTest::newRow("as it comes") << 2 << 0 << 0 << 0;
    QTest::newRow("deep") << 1 << 4 << 3 << 5;
    QTest::newRow("one layer") << 3 << 1 << 1 << 1;
}

void TransformerInputsTest::makes_a_model() {
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
    // Scores of a new model are neither equal nor huge.
    const double spread = std::sqrt(moments(stage(trace, "encoder.0.self.scaled").values()).variance);
    QVERIFY2(spread > 0.1 && spread < 10.0, qPrintable(QString::number(spread)));
}

void TransformerInputsTest::another_depth_is_remade() {
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

/// A saved model in float32: as precise as its weights.
void TransformerInputsTest::reads_safetensors() {
    auto problem = transformer_of(QStringLiteral("small"));
    auto state = io::read_tensors(to_path(QStringLiteral(ATTNLAB_TEST_DATA_DIR "/transformer_small.safetensors")));
    QCOMPARE(spec_for(state)->variant, std::string("transformer"));
    QCOMPARE(state.size() + 2, problem.tensors.size());
    state.emplace("src", problem.tensors.at("src"));
    state.emplace("tgt", problem.tensors.at("tgt"));
    problem.tensors = std::move(state);
    const auto trace = run(problem);
    for (const auto& [name, value] : fixture(QStringLiteral("small.out")))
        QCOMPARE(difference(stage(trace, name), value, 1e-5), QString());
}

ATTNLAB_TEST(TransformerInputsTest)
#include "test_transformer_inputs.moc"
