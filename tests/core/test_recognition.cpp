// The interpretation of arrays of files.
#include "tests/core/engine_support.h"
#include "tests/core/error_of.h"
#include "tests/core/recognition_support.h"
#include "tests/test_main.h"

#include "core/backend.h"
#include "core/random.h"
#include "core/recognition/layout.h"

#include <QTest>

#include <limits>

using namespace attnlab;
using namespace attnlab::test;

namespace {

Tensor numbers(const Shape& shape, std::uint64_t seed = 1) { return random_normal(shape, seed); }

/// Each row sums to 1.
Tensor weights(const Shape& shape) { return Tensor(shape, 1.0 / static_cast<double>(shape.back()), DType::Float32); }

} // namespace

class RecognitionTest : public QObject {
    Q_OBJECT
private slots:
    void names_data() {
        QTest::addColumn<Arrays>("arrays");
        QTest::addColumn<QString>("variant");
        QTest::addColumn<QString>("becomes");
        const Shape data{1, 2, 3, 4};
        const auto row = [](const char* name, const Arrays& arrays, const char* variant, const char* becomes) {
            QTest::newRow(name) << arrays << variant << becomes;
        };
        row("own names", {{"query", data}, {"key", data}, {"value", data}}, "scaled_dot_product",
            "key=key query=query value=value");
        row("letters", {{"q", data}, {"k", data}, {"v", data}}, "scaled_dot_product", "key=k query=q value=v");
        row("capitals", {{"Q", data}, {"K", data}, {"V", data}}, "scaled_dot_product", "key=K query=Q value=V");
        row("states", {{"query_states", data}, {"key_states", data}, {"value_states", data}}, "scaled_dot_product",
            "key=key_states query=query_states value=value_states");
        row("of a pass", {{"decoder.3.self.query", data}, {"decoder.3.self.key", data}, {"decoder.3.self.value", data}},
            "scaled_dot_product", "key=decoder.3.self.key query=decoder.3.self.query value=decoder.3.self.value");
        row("results beside", {{"q", data}, {"k", data}, {"v", data}, {"lse", {1, 2, 3}}, {"output", data}},
            "scaled_dot_product", "key=k query=q value=v | lse output");
        row("own and other name", {{"query", data}, {"q", data}, {"key", data}, {"value", data}}, "scaled_dot_product",
            "key=key query=query value=value | q");
        row("a name that says nothing", {{"q", data}, {"k", data}, {"v", data}, {"zeta", {3}}}, "scaled_dot_product",
            "key=k query=q value=v | zeta");
        row("another mechanism's", {{"q", data}, {"k", data}, {"v", data}, {"w_o", {4, 4}}}, "scaled_dot_product",
            "key=k query=q value=v w_o=w_o");
        row("BERT's self-attention",
            {{"x", {1, 3, 8}},
             {"self.query.weight", {8, 8}},
             {"self.query.bias", {8}},
             {"self.key.weight", {8, 8}},
             {"self.value.weight", {8, 8}},
             {"output.dense.weight", {8, 8}}},
            "multi_head",
            "b_q=self.query.bias w_k=self.key.weight w_o=output.dense.weight w_q=self.query.weight "
            "w_v=self.value.weight x=x");
        row("one layer of BERT",
            {{"hidden_states", {1, 3, 8}},
             {"encoder.layer.0.attention.self.query.weight", {8, 8}},
             {"encoder.layer.0.attention.self.key.weight", {8, 8}},
             {"encoder.layer.0.attention.self.value.weight", {8, 8}},
             {"encoder.layer.0.attention.output.dense.weight", {8, 8}},
             {"encoder.layer.0.output.dense.weight", {8, 32}}},
            "multi_head",
            "w_k=encoder.layer.0.attention.self.key.weight w_o=encoder.layer.0.attention.output.dense.weight "
            "w_q=encoder.layer.0.attention.self.query.weight w_v=encoder.layer.0.attention.self.value.weight "
            "x=hidden_states | encoder.layer.0.output.dense.weight");
        row("Llama's grouped queries",
            {{"x", {1, 3, 8}},
             {"self_attn.q_proj.weight", {8, 8}},
             {"self_attn.k_proj.weight", {4, 8}},
             {"self_attn.v_proj.weight", {4, 8}},
             {"self_attn.o_proj.weight", {8, 8}}},
            "grouped_query",
            "w_k=self_attn.k_proj.weight w_o=self_attn.o_proj.weight w_q=self_attn.q_proj.weight "
            "w_v=self_attn.v_proj.weight x=x");
        row("DeepSeek's latent rows",
            {{"x", {1, 3, 8}},
             {"self_attn.q_proj.weight", {12, 8}},
             {"self_attn.kv_a_proj_with_mqa.weight", {7, 8}},
             {"self_attn.kv_a_layernorm.weight", {5}},
             {"self_attn.kv_b_proj.weight", {14, 5}},
             {"self_attn.o_proj.weight", {8, 6}}},
            "mla",
            "kv_a_layernorm.weight=self_attn.kv_a_layernorm.weight "
            "kv_a_proj_with_mqa.weight=self_attn.kv_a_proj_with_mqa.weight "
            "kv_b_proj.weight=self_attn.kv_b_proj.weight o_proj.weight=self_attn.o_proj.weight "
            "q_proj.weight=self_attn.q_proj.weight x=x");
        row("GPT-2's", {{"x", {1, 3, 8}}, {"attn.c_attn.weight", {8, 24}}, {"attn.c_attn.bias", {24}}}, "multi_head",
            "b_k, b_q, b_v=attn.c_attn.bias w_k, w_q, w_v=attn.c_attn.weight x=x");
        row("torch.nn.MultiheadAttention",
            {{"x", {1, 3, 8}}, {"in_proj_weight", {24, 8}}, {"in_proj_bias", {24}}, {"out_proj.weight", {8, 8}}},
            "multi_head", "in_proj_bias=in_proj_bias in_proj_weight=in_proj_weight w_o=out_proj.weight x=x");
        row("the same in a model",
            {{"x", {1, 3, 8}}, {"encoder.attn.in_proj_weight", {24, 8}}, {"encoder.attn.out_proj.weight", {8, 8}}},
            "multi_head", "in_proj_weight=encoder.attn.in_proj_weight w_o=encoder.attn.out_proj.weight x=x");
    }
    void names() {
        QFETCH(Arrays, arrays);
        QFETCH(QString, variant);
        QFETCH(QString, becomes);
        const auto recognition = recognise(contents_of(arrays));
        QCOMPARE(summary(recognition), becomes);
        QCOMPARE(QString::fromStdString(recognition.problem.spec.variant), variant);
    }

    /// Every array is either used or reported as unused, for any names.
    void no_array_is_lost() {
        const std::vector<std::string> all{
            "query",         "q",     "key", "value",      "weights", "output",     "attention_mask", "x", "w_q",
            "c_attn.weight", "a.b.q", "7",   "layers.0.q", "lse",     "valid_lens", "qkv.weight",     "",  "mask",
            "painted_mask",  "tokens"};
        for (std::size_t start = 0; start < all.size(); ++start)
            for (std::size_t count = 1; count <= 4; ++count) {
                Contents contents;
                for (std::size_t i = 0; i < count; ++i)
                    contents.arrays.push_back({all[(start + 3 * i) % all.size()], numbers({2, 6}), "file"});
                Recognition recognition;
                try {
                    recognition = recognise(contents);
                } catch (const Error&) {
                    continue; // said
                }
                for (const auto& array : contents.arrays) {
                    const auto named = [&](const auto& entry) { return entry.name == array.name; };
                    const auto mentions = std::ranges::count_if(recognition.used, named) +
                                          std::ranges::count_if(recognition.unused, named);
                    QVERIFY2(mentions == 1, array.name.c_str());
                }
            }
    }

    void layouts_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<Shape>("shape");
        QTest::addColumn<Shape>("arranged_shape");
        QTest::newRow("BHLE") << "BHLE" << Shape{2, 3, 5, 4} << Shape{2, 3, 5, 4};
        QTest::newRow("BLHE") << "BLHE" << Shape{2, 5, 3, 4} << Shape{2, 3, 5, 4};
        QTest::newRow("HLE") << "HLE" << Shape{3, 5, 4} << Shape{1, 3, 5, 4};
        QTest::newRow("LHE") << "LHE" << Shape{5, 3, 4} << Shape{1, 3, 5, 4};
        QTest::newRow("BLE") << "BLE" << Shape{2, 5, 4} << Shape{2, 5, 4};
        QTest::newRow("LBE") << "LBE" << Shape{5, 2, 4} << Shape{2, 5, 4};
        QTest::newRow("LE") << "LE" << Shape{5, 4} << Shape{5, 4};
    }
    void layouts() {
        QFETCH(QString, id);
        QFETCH(Shape, shape);
        QFETCH(Shape, arranged_shape);
        // Each number encodes its index: 1000 b + 100 h + 10 i + c.
        Tensor tensor(shape);
        const auto letters = id.toStdString();
        auto values = tensor.mutable_values();
        for (std::size_t flat = 0; flat < values.size(); ++flat) {
            auto rest = static_cast<std::int64_t>(flat);
            for (std::size_t axis = letters.size(); axis-- > 0;) {
                const auto index = rest % shape[axis];
                rest /= shape[axis];
                const auto place = std::string("BHLE").find(letters[axis]);
                values[flat] += static_cast<double>(index) * std::pow(10.0, 3.0 - static_cast<double>(place));
            }
        }
        const auto result = arranged(tensor, layout(letters), "query");
        QCOMPARE(result.shape(), arranged_shape);
        if (result.rank() == 3)
            for (std::int64_t b = 0; b < result.dim(0); ++b)
                for (std::int64_t i = 0; i < result.dim(1); ++i)
                    for (std::int64_t c = 0; c < result.dim(2); ++c)
                        QCOMPARE(result.at({b, i, c}), static_cast<double>(1000 * b + 10 * i + c));
        if (result.rank() != 4)
            return;
        for (std::int64_t b = 0; b < result.dim(0); ++b)
            for (std::int64_t h = 0; h < result.dim(1); ++h)
                for (std::int64_t i = 0; i < result.dim(2); ++i)
                    for (std::int64_t c = 0; c < result.dim(3); ++c)
                        QCOMPARE(result.at({b, h, i, c}), static_cast<double>(1000 * b + 100 * h + 10 * i + c));
    }

    void a_layout_of_another_rank_is_refused() {
        try {
            recognise(contents_of({{"q", {2, 3, 4}}}), {.layout = "BLHE"});
            QFAIL("accepted");
        } catch (const Error& error) {
            QVERIFY2(QString(error.what()).contains("(2, 3, 4)"), error.what());
            QVERIFY2(QString(error.what()).contains("(B, L, H, E)"), error.what());
        }
    }

    /// Also where the numbers of heads and tokens are equal.
    void a_gradient_of_the_output_has_the_layout_of_the_queries() {
        const Shape shape{1, 2, 2, 1};
        const auto contents = contents_of({{"q", shape}, {"k", shape}, {"v", shape}});
        auto with_gradient = contents;
        with_gradient.arrays.push_back({"grad_output", Tensor(shape, {0, 1, 2, 3}), "file"});
        const auto read = recognise(with_gradient, {.layout = "BLHE"});
        const auto& gradient = read.problem.tensors.at("grad_output");
        QCOMPARE(gradient.at({0, 0, 1, 0}), 2.0);
        QCOMPARE(gradient.at({0, 1, 0, 0}), 1.0);
        with_gradient.arrays.back().tensor = Tensor({1, 2, 1}, {0, 1});
        QVERIFY_THROWS_EXCEPTION(Error, recognise(with_gradient, {.layout = "BLHE"}));
    }

    void more_heads_than_tokens_are_said() {
        const Shape shape{1, 12, 5, 4};
        const auto recognition = recognise(contents_of({{"q", shape}, {"k", shape}, {"v", shape}}));
        QCOMPARE(recognition.notes.size(), std::size_t{1});
        QVERIFY(QString::fromStdString(recognition.notes.front().english()).contains("BLHE"));
        QVERIFY(recognition.question(Question::Kind::Layout));
        QVERIFY(recognise(contents_of({{"q", {1, 5, 12, 4}}})).notes.empty());
    }

    void masks_in_the_files_count() {
        Contents contents = contents_of({{"q", {1, 1, 2, 4}}, {"k", {1, 1, 3, 4}}, {"v", {1, 1, 3, 4}}});
        contents.arrays.push_back({"key_padding_mask", Tensor({1, 3}, {0, 0, 1}, DType::Bool), "file"});
        const auto recognition = recognise(contents);
        const auto result = compute(recognition.problem, std::vector{&reference_backend()});
        const auto& computed = result.trace.find("weights")->value;
        QCOMPARE(computed.at({0, 0, 0, 2}), 0.0);
        QCOMPARE(computed.at({0, 0, 1, 2}), 0.0);
    }

    void attention_mask_keeps_where_it_is_1() {
        Contents contents = contents_of({{"q", {1, 1, 2, 4}}, {"k", {1, 1, 3, 4}}, {"v", {1, 1, 3, 4}}});
        contents.arrays.push_back({"attention_mask", Tensor({1, 3}, {1, 1, 0}, DType::Int64), "file"});
        const auto recognition = recognise(contents);
        QCOMPARE(recognition.problem.tensors.at("key_padding_mask"), Tensor({1, 3}, {0, 0, 1}, DType::Bool));
        QVERIFY(!recognition.used.back().how.empty());

        contents.arrays.back().tensor = Tensor({1, 1, 2, 3}, {1, 0, 0, 1, 1, 0}, DType::Int64);
        const auto cells = recognise(contents);
        const auto result = compute(cells.problem, std::vector{&reference_backend()});
        const auto& computed = result.trace.find("weights")->value;
        QCOMPARE(computed.at({0, 0, 0, 0}), 1.0);
        QCOMPARE(computed.at({0, 0, 1, 2}), 0.0);
        QVERIFY(computed.at({0, 0, 1, 1}) > 0.0);
    }

    void a_float_attn_mask_is_added() {
        Contents contents = contents_of({{"q", {1, 1, 2, 4}}, {"k", {1, 1, 2, 4}}, {"v", {1, 1, 2, 4}}});
        contents.arrays.push_back({"attn_mask", Tensor({2, 2}, {0, -infinity, 0, 0}, DType::Float32), "file"});
        const auto recognition = recognise(contents);
        QVERIFY(recognition.problem.tensors.contains("attn_bias"));
        QVERIFY(!recognition.used.back().how.empty());
    }

    void weights_alone() {
        Contents contents;
        contents.arrays.push_back({"attn_l2", weights({1, 2, 3, 3}), "file"});
        const auto recognition = recognise(contents);
        QCOMPARE(QString::fromStdString(recognition.problem.spec.variant), QStringLiteral("given_weights"));
        const auto result = compute(recognition.problem, std::vector{&reference_backend()});
        QCOMPARE(result.trace.find("weights")->value.shape(), Shape({1, 2, 3, 3}));
    }

    /// flash-attention's S_dmask, under a name that says nothing.
    void dropped_weights_are_explained() {
        const auto why = [](Tensor tensor) {
            Contents contents;
            contents.arrays.push_back({"data", std::move(tensor), "file"});
            const auto recognition = recognise(contents);
            return recognition.unused.empty() ? QString()
                                              : QString::fromStdString(recognition.unused.front().why.english());
        };
        Tensor padded({1, 2, 128, 256});
        for (std::int64_t h = 0; h < 2; ++h)
            for (std::int64_t i = 0; i < 5; ++i)
                for (std::int64_t j = 0; j < 5; ++j)
                    padded.set({0, h, i, j}, (j + i) % 3 == 0 ? -0.1 : 0.3);
        QVERIFY2(why(padded).contains("S_dmask") && why(padded).contains("--role data=weights"),
                 qPrintable(why(padded)));
        QVERIFY(why(Tensor({1, 1, 2, 2}, {0.25, -0.75, 0.5, 0.5})).contains("S_dmask"));
        QVERIFY(!why(Tensor({1, 1, 2, 2}, {0.25, -0.5, 0.5, 0.5})).contains("S_dmask"));
        QVERIFY(!why(Tensor({1, 1, 128, 128}, -2.0)).contains("S_dmask"));
        QVERIFY(!why(Tensor({1, 1, 128, 128}, std::numeric_limits<double>::quiet_NaN())).contains("S_dmask"));
    }

    /// nn.MultiheadAttention returns the mean over heads, (B, L, S).
    void weights_of_three_axes() {
        Contents contents;
        contents.arrays.push_back({"attn_weights", weights({3, 5, 5}), "file"});
        const auto recognition = recognise(contents);
        QVERIFY2(notes_of(recognition)
                     .contains("attn_weights (3, 5, 5) is read as (H, L, S), 3 heads of one sequence. "
                               "--layout BLE reads (B, L, S)"),
                 qPrintable(notes_of(recognition)));
        QCOMPARE(run(recognition.problem).find("weights")->value.shape(), Shape({1, 3, 5, 5}));
        const auto shape_with = [&](const char* layout) {
            const auto arranged = recognise(contents, {.layout = layout});
            return arranged.notes.empty() ? run(arranged.problem).find("weights")->value.shape() : Shape{};
        };
        QCOMPARE(shape_with("BLE"), Shape({3, 1, 5, 5}));
        QCOMPARE(shape_with("HLE"), Shape({1, 3, 5, 5}));
        const auto error = error_of([&] { recognise(contents, {.layout = "BLHE"}); });
        QVERIFY2(error.contains("attn_weights: has shape (3, 5, 5), expected the axes (B, L, H, S)"),
                 qPrintable(error));
        contents.arrays.front().tensor = weights({1, 5, 5});
        QVERIFY(recognise(contents).notes.empty());
    }

    void a_layout_of_no_array_is_noted() {
        const auto layer = contents_of({{"w_q", {8, 8}}, {"w_k", {8, 8}}, {"w_v", {8, 8}}});
        QVERIFY(notes_of(recognise(layer, {.layout = "BLE"})).contains("the layout BLE changes nothing"));
        // Beside what computes them, weights are compared at most.
        auto both = contents_of({{"q", {5, 2, 4}}, {"k", {5, 2, 4}}, {"v", {5, 2, 4}}});
        both.arrays.push_back({"attn_weights", weights({2, 2, 5, 5}), "file"});
        QCOMPARE(recognise(both, {.layout = "LBE"}).problem.tensors.at("weights").shape(), Shape({2, 2, 5, 5}));
    }

    void weights_of_layers() {
        Contents contents;
        for (int layer = 0; layer < 12; ++layer)
            contents.arrays.push_back({std::to_string(layer), weights({1, 2, 3, 3}), "attentions.pt"});
        contents.arrays[10].tensor = Tensor({1, 2, 3, 3}, {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1});
        const auto recognition = recognise(contents);
        QCOMPARE(recognition.problem.tensors.at("weights").shape(), Shape({12, 1, 2, 3, 3}));
        QCOMPARE(recognition.used.size(), std::size_t{12});
        const auto result = compute(recognition.problem, std::vector{&reference_backend()});
        QCOMPARE(result.trace.layers.size(), std::size_t{12});
        // In the order of the numbers: 10 comes after 9, not after 1.
        QCOMPARE(result.trace.find("layer.10.weights")->value.at({0, 0, 1, 1}), 1.0);
    }

    void steps_of_generate_are_joined() {
        for (const int layers : {1, 2, 12}) {
            Contents contents;
            std::vector<Tensor> steps;
            for (std::int64_t step = 0; step < 11; ++step)
                for (int layer = 0; layer < layers; ++layer) {
                    auto own = weights({1, 2, step == 0 ? 3 : 1, 3 + step});
                    own.set({0, 1, 0, 0}, own.at({0, 1, 0, 0}) + 1e-4 * layer); // so that layers differ
                    contents.arrays.push_back({std::to_string(step) + "." + std::to_string(layer), own, "g.npz"});
                }
            const auto read = recognise(contents);
            QVERIFY(!read.question(Question::Kind::Group));
            QCOMPARE(read.used.size(), contents.arrays.size());
            const auto& all = read.problem.tensors.at("weights");
            QCOMPARE(all.shape(), (Shape{layers, 1, 2, 13, 13}));
            for (int layer = 0; layer < layers; ++layer)
                for (std::int64_t h = 0; h < 2; ++h)
                    for (std::int64_t i = 0; i < 13; ++i)
                        for (std::int64_t j = 0; j < 13; ++j) {
                            const auto step = std::max<std::int64_t>(0, i - 2);
                            const auto& own = contents.arrays[static_cast<std::size_t>(step * layers + layer)].tensor;
                            QCOMPARE(all.at({layer, 0, h, i, j}),
                                     j < own.dim(3) ? own.at({0, h, step == 0 ? i : 0, j}) : 0.0);
                        }
            QVERIFY(notes_of(read).contains("11 steps of generate(): first the rows of the prompt (3)"));
            const auto result = compute(read.problem, std::vector{&reference_backend()});
            QCOMPARE(result.trace.layers.size(), static_cast<std::size_t>(layers > 1 ? layers : 0));

            auto gap = contents; // without step 5 they are no steps
            std::erase_if(gap.arrays, [](const HeldArray& array) { return array.name.starts_with("5."); });
            QVERIFY(!recognise(gap).problem.tensors.contains("weights"));
        }
    }

    void layers_are_asked_for() {
        Arrays arrays{{"x", {1, 3, 8}}};
        for (int layer = 0; layer < 8; ++layer)
            for (const char* part : {"query", "key", "value"})
                arrays.push_back(
                    {"encoder.layer." + std::to_string(layer) + ".attention.self." + part + ".weight", {8, 8}});
        arrays.push_back({"embeddings.LayerNorm.weight", {8}});
        const auto open = recognise(contents_of(arrays));
        const auto* question = open.question(Question::Kind::Group);
        QVERIFY(question);
        QCOMPARE(question->answers.size(), std::size_t{8});
        QVERIFY(lacking(open, open.problem));
        QVERIFY(!open.question(Question::Kind::Roles)); // other parts of a model do not belong to attention
        const auto chosen = recognise(contents_of(arrays), {.group = question->answers[3]});
        QVERIFY(!chosen.question(Question::Kind::Group));
        QCOMPARE(chosen.used.size(), std::size_t{4});
        QCOMPARE(chosen.unused.size(), std::size_t{22});
        QVERIFY_THROWS_EXCEPTION(Error, recognise(contents_of(arrays), {.group = "decoder."}));
    }

    void heads_are_asked_for() {
        const Arrays arrays{{"x", {1, 3, 12}}, {"in_proj_weight", {36, 12}}, {"out_proj.weight", {12, 12}}};
        const auto open = recognise(contents_of(arrays));
        const auto* question = open.question(Question::Kind::Heads);
        QVERIFY(question);
        QCOMPARE(question->answers, (std::vector<std::string>{"1", "2", "3", "4", "6", "12"}));
        QVERIFY(!recognise(contents_of(arrays), {.num_heads = 3}).question(Question::Kind::Heads));
    }

    /// Interleaved query, key and value of each head are split by the number of heads.
    void interleaved_heads() {
        Tensor fused({12, 6}); // 2 heads, 3 parts, width 2
        auto values = fused.mutable_values();
        for (std::size_t k = 0; k < values.size(); ++k)
            values[k] = static_cast<double>(k / 6); // index of its row
        Contents contents = contents_of({{"x", {1, 3, 6}}});
        contents.arrays.push_back({"attention.query_key_value.weight", fused, "file"});
        const auto open = recognise(contents);
        QVERIFY(open.question(Question::Kind::Heads));
        QCOMPARE(open.unused.size(), std::size_t{1});
        const auto recognition = recognise(contents, {.num_heads = 2});
        const auto columns = [&](const char* name) {
            std::vector<double> firsts;
            for (std::int64_t c = 0; c < 4; ++c)
                firsts.push_back(recognition.problem.tensors.at(name).at({0, c}));
            return firsts;
        };
        QCOMPARE(columns("w_q"), (std::vector<double>{0, 1, 6, 7}));
        QCOMPARE(columns("w_k"), (std::vector<double>{2, 3, 8, 9}));
        QCOMPARE(columns("w_v"), (std::vector<double>{4, 5, 10, 11}));
    }

    void roles_by_hand() {
        const Arrays arrays{{"arr_0", {2, 4}}, {"arr_1", {3, 4}}, {"arr_2", {3, 4}}};
        const auto open = recognise(contents_of(arrays));
        QVERIFY(open.question(Question::Kind::Roles));
        const auto missing = lacking(open, open.problem);
        QVERIFY(missing);
        QVERIFY2(QString::fromStdString(missing->english()).contains("arr_1 (3, 4)"), missing->english().c_str());
        const auto chosen =
            recognise(contents_of(arrays), {.roles = {{"arr_0", "query"}, {"arr_1", "key"}, {"arr_2", "value"}}});
        QVERIFY(!lacking(chosen, chosen.problem));
        const auto fewer = recognise(contents_of(arrays), {.roles = {{"arr_0", "query"}, {"arr_1", ""}}});
        QCOMPARE(summary(fewer), QStringLiteral("query=arr_0 | arr_1 arr_2"));
    }

    /// Asks for a choice among several lists of weights.
    void several_lists_of_weights() {
        Contents contents;
        for (const char* kind : {"decoder_attentions.", "cross_attentions."})
            for (int layer = 0; layer < 2; ++layer)
                contents.arrays.push_back(
                    {kind + std::to_string(layer), weights({1, 2, 3, kind[0] == 'c' ? 5 : 3}), "t5.pt"});
        const auto open = recognise(contents);
        const auto* question = open.question(Question::Kind::Group);
        QVERIFY(question);
        QCOMPARE(question->answers, (std::vector<std::string>{"cross_attentions.", "decoder_attentions."}));
        QVERIFY(open.used.empty());
        const auto chosen = recognise(contents, {.group = "cross_attentions."});
        QCOMPARE(chosen.problem.tensors.at("weights").shape(), Shape({2, 1, 2, 3, 5}));
        QCOMPARE(chosen.used.size(), std::size_t{2});
        QCOMPARE(chosen.unused.size(), std::size_t{2});
        const auto one = recognise(contents, {.roles = {{"decoder_attentions.1", "weights"}}});
        QCOMPARE(one.problem.tensors.at("weights").shape(), Shape({1, 2, 3, 3}));
        QCOMPARE(one.used.size(), std::size_t{1});
        // The same list in two files.
        for (auto& array : contents.arrays)
            array.name = std::string(1, array.name.back());
        contents.arrays[2].file = contents.arrays[3].file = "other.pt";
        QVERIFY_THROWS_EXCEPTION(Error, recognise(contents));
    }

    void roles_that_nothing_answers_to() {
        const auto contents = contents_of({{"q", {2, 4}}, {"k", {3, 4}}, {"v", {3, 4}}});
        QVERIFY_THROWS_EXCEPTION(Error, recognise(contents, {.roles = {{"nothere", "query"}}}));
        QVERIFY_THROWS_EXCEPTION(Error, recognise(contents, {.roles = {{"q", "attnmask"}}}));
    }

    void a_layer_without_biases_has_heads() {
        const auto open = recognise(contents_of({{"x", {1, 3, 8}},
                                                 {"attn.q_proj.weight", {8, 8}},
                                                 {"attn.k_proj.weight", {8, 8}},
                                                 {"attn.v_proj.weight", {8, 8}}}));
        QCOMPARE(QString::fromStdString(open.problem.spec.variant), QStringLiteral("multi_head"));
        QVERIFY(open.question(Question::Kind::Heads));
    }

    void given_twice() { QVERIFY_THROWS_EXCEPTION(Error, recognise(contents_of({{"q", {2, 4}}, {"Q", {2, 4}}}))); }

    void arrays_that_a_setting_does_not_read() {
        auto recognition = recognise(contents_of({{"q", {2, 4}}, {"k", {3, 4}}, {"v", {3, 4}}, {"bilinear_w", {4, 4}}}),
                                     {.variant = "scaled_dot_product"});
        auto problem = recognition.problem;
        QCOMPARE(unread_arrays(recognition, problem).size(), std::size_t{1});
        problem.compared_with = problem.spec;
        problem.compared_with->variant = "bilinear";
        QVERIFY(unread_arrays(recognition, problem).empty());
    }
};

ATTNLAB_TEST(RecognitionTest)
#include "test_recognition.moc"
