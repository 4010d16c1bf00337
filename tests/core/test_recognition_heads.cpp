// Heads, labels and long lists among the arrays of some files.
#include "tests/core/error_of.h"
#include "tests/core/recognition_support.h"
#include "tests/core/transformer_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

class RecognitionHeadsTest : public QObject {
    Q_OBJECT
private slots:
    void the_last_axis_is_parted() {
        const auto contents = contents_of({{"q", {2, 5, 12}}, {"k", {2, 7, 12}}, {"v", {2, 7, 6}}});
        QVERIFY(notes_of(recognise(contents)).contains("--set num_heads=N"));
        const auto parted = recognise(contents, {.num_heads = 3});
        QVERIFY(parted.parts_heads);
        QVERIFY2(notes_of(parted).contains("q (2, 5, 12) is read as (B, L, H, E) with H = 3: last axis 12 = 3 x 4"),
                 qPrintable(notes_of(parted)));
        QVERIFY(!parted.question(Question::Kind::Layout));
        const auto& tensors = parted.problem.tensors;
        QCOMPARE(tensors.at("query").shape(), Shape({2, 3, 5, 4}));
        QCOMPARE(tensors.at("value").shape(), Shape({2, 3, 7, 2}));
        const auto& q = contents.arrays.front().tensor;
        QCOMPARE(tensors.at("query").at({1, 2, 4, 3}), q.at({1, 4, 11}));
        QCOMPARE(tensors.at("query").at({0, 1, 2, 0}), q.at({0, 2, 4}));
    }

    void key_heads_are_as_wide() {
        const auto contents = contents_of({{"q", {5, 12}}, {"k", {7, 6}}, {"v", {7, 8}}});
        const auto parted = recognise(contents, {.num_heads = 4});
        QCOMPARE(parted.problem.tensors.at("key").shape(), Shape({1, 2, 7, 3}));
        QCOMPARE(parted.problem.tensors.at("value").shape(), Shape({1, 2, 7, 4}));
        const auto said = recognise(contents, {.num_heads = 4, .num_kv_heads = 2});
        QCOMPARE(said.problem.tensors.at("key").shape(), Shape({1, 2, 7, 3}));
    }

    void heads_that_do_not_divide_are_refused() {
        const auto contents = contents_of({{"q", {2, 5, 12}}, {"k", {2, 7, 12}}, {"v", {2, 7, 12}}});
        try {
            recognise(contents, {.num_heads = 5});
            QFAIL("accepted");
        } catch (const Error& error) {
            QVERIFY2(QString(error.what()).contains("1, 2, 3, 4, 6, 12") &&
                         QString(error.what()).contains("(2, 5, 12)"),
                     error.what());
        }
        QVERIFY(
            !recognise(contents_of({{"q", {2, 3, 5, 4}}, {"k", {2, 3, 5, 4}}, {"v", {2, 3, 5, 4}}}), {.num_heads = 3})
                 .parts_heads);
    }

    void sizes_of_nothing_and_far_too_many_heads() {
        for (const auto width : {std::int64_t{0}, std::int64_t{12}})
            QVERIFY_THROWS_EXCEPTION(
                Error, recognise(contents_of({{"q", {5, width}}, {"k", {5, 0}}, {"v", {5, 0}}}), {.num_heads = 3}));
        QVERIFY_THROWS_EXCEPTION(Error, recognise(contents_of({{"x", {1, 3, 8}}, {"query_key_value.weight", {24, 8}}}),
                                                  {.num_heads = std::numeric_limits<std::int64_t>::max()}));
    }

    /// What a fused projection gives.
    void fused_query_key_and_value() {
        const auto contents = contents_of({{"qkv", {2, 5, 24}}});
        const auto& qkv = contents.arrays.front().tensor;
        const auto parted = recognise(contents, {.num_heads = 2});
        QCOMPARE(summary(parted), QStringLiteral("query, key, value=qkv"));
        const auto& tensors = parted.problem.tensors;
        for (const char* role : {"query", "key", "value"})
            QCOMPARE(tensors.at(role).shape(), Shape({2, 2, 5, 4}));
        QCOMPARE(tensors.at("query").at({1, 1, 3, 2}), qkv.at({1, 3, 4 + 2}));
        QCOMPARE(tensors.at("value").at({1, 0, 4, 3}), qkv.at({1, 4, 16 + 3}));
        QVERIFY2(notes_of(parted).contains("qkv.key (2, 5, 8) is read as (B, L, H, E) with H = 2: last axis 8 = 2 x 4"),
                 qPrintable(notes_of(parted)));
        const auto shared = recognise(contents, {.num_heads = 4, .num_kv_heads = 1});
        QCOMPARE(shared.problem.tensors.at("query").shape(), Shape({2, 4, 5, 4}));
        QCOMPARE(shared.problem.tensors.at("value").at({1, 0, 4, 3}), qkv.at({1, 4, 20 + 3}));
        QCOMPARE(recognise(contents).problem.tensors.at("key").shape(), Shape({2, 5, 8}));
        const auto packed = recognise(contents_of({{"qkv", {2, 5, 3, 2, 4}}}));
        QVERIFY2(why_not(packed, "qkv").contains("(B, L, (num_heads + 2 num_kv_heads) E)"),
                 qPrintable(why_not(packed, "qkv")));
    }

    /// Key and value of fewer axes were read without a word.
    void other_numbers_of_axes_are_noted() {
        const auto notes = [](const Shape& q, const Shape& k, const Shape& v) {
            return notes_of(recognise(contents_of({{"q", q}, {"k", k}, {"v", v}})));
        };
        const auto shared = notes({2, 2, 5, 4}, {2, 5, 4}, {2, 5, 4});
        for (const char* name : {"k", "v"})
            QVERIFY2(shared.contains(QString(name) + " (2, 5, 4) is read as (B, S, E), shared by all heads of q (2, 2, "
                                                     "5, 4)"),
                     qPrintable(shared));
        QVERIFY(notes({3, 2, 5, 4}, {3, 5, 4}, {3, 1, 5, 4}).contains("k (3, 5, 4) is read as (B, S, E), shared"));
        QVERIFY(notes({1, 5, 4}, {5, 4}, {5, 4}).contains("k (5, 4) is read as (S, E), and q (1, 5, 4) as (B, L, E)"));
        QVERIFY(notes({1, 5, 4}, {1, 1, 5, 4}, {1, 5, 4})
                    .contains("k (1, 1, 5, 4) is read as (B, H, S, E), and q (1, 5, 4) as (B, L, E)"));
        QVERIFY(notes({1, 2, 5, 4}, {1, 2, 5, 4}, {1, 2, 5, 4}).isEmpty());
    }

    void wide_heads_are_noted() {
        QVERIFY(notes_of(recognise(contents_of({{"q", {5, 384}}, {"k", {5, 384}}, {"v", {5, 384}}})))
                    .contains("--set num_heads=N"));
        QVERIFY(recognise(contents_of({{"q", {5, 64}}, {"k", {5, 64}}, {"v", {5, 64}}})).notes.empty());
    }

    void a_matrix_for_each_head() {
        const auto contents = contents_of({{"x", {1, 3, 8}},
                                           {"blocks.0.attn.W_Q", {4, 8, 2}},
                                           {"blocks.0.attn.W_K", {2, 8, 2}},
                                           {"blocks.0.attn.W_V", {2, 8, 2}},
                                           {"blocks.0.attn.W_O", {4, 2, 8}}});
        const auto recognition = recognise(contents);
        QCOMPARE(QString::fromStdString(recognition.problem.spec.variant), QStringLiteral("grouped_query"));
        QCOMPARE(recognition.problem.spec.parameters.integer("num_heads"), std::int64_t{4});
        QCOMPARE(recognition.problem.spec.parameters.integer("num_kv_heads"), std::int64_t{2});
        QVERIFY(!recognition.question(Question::Kind::Heads));
        QCOMPARE(recognition.problem.tensors.at("w_q").at({5, 3}), contents.arrays[1].tensor.at({1, 5, 1}));
        QVERIFY_THROWS_EXCEPTION(Error, recognise(contents, {.num_heads = 2}));
    }

    /// The layer determines the orientation of its square output projection.
    void linear_or_conv1d() {
        const auto layer = [](const Shape& fused) {
            return contents_of({{"x", {1, 3, 8}}, {"attn.c_attn.weight", fused}, {"attn.c_proj.weight", {8, 8}}});
        };
        const auto linear = layer({24, 8}), conv1d = layer({8, 24});
        const auto turned = recognise(linear), straight = recognise(conv1d);
        const auto at = [](const Recognition& recognition, const char* name) {
            return recognition.problem.tensors.at(name).at({1, 2});
        };
        QCOMPARE(at(turned, "w_o"), linear.arrays[2].tensor.at({2, 1}));
        QCOMPARE(at(turned, "w_k"), linear.arrays[1].tensor.at({8 + 2, 1}));
        QCOMPARE(at(straight, "w_o"), conv1d.arrays[2].tensor.at({1, 2}));
        QCOMPARE(at(straight, "w_k"), conv1d.arrays[1].tensor.at({1, 8 + 2}));
        for (const auto& use : turned.used)
            QVERIFY(use.role == "x" || use.how.english().find("turned from (out, in)") != std::string::npos);
    }

    void rows_that_are_no_thirds() {
        const auto contents = contents_of({{"x", {1, 3, 8}}, {"qkv_proj.weight", {16, 8}}});
        const auto error = error_of([&] { recognise(contents, {.num_heads = 4}); });
        QVERIFY2(error.contains("that 3 divides") && error.contains("num_heads, num_kv_heads"), qPrintable(error));
        QVERIFY(recognise(contents, {.num_heads = 4, .num_kv_heads = 2}).problem.tensors.contains("w_q"));
    }

    void one_token_is_no_plural() {
        const auto notes =
            notes_of(recognise(contents_of({{"q", {1, 8, 1, 4}}, {"k", {1, 8, 1, 4}}, {"v", {1, 8, 1, 4}}})));
        QVERIFY2(notes.contains("read as (B, H, L, E) with H = 8 and L = 1. --layout BLHE reads H = 1 and L = 8"),
                 qPrintable(notes));
    }

    /// num_kv_heads is used for any shape: 4 and 1 heads of 4 have as many rows as three times 8.
    void key_heads_of_a_fused_projection() {
        const auto contents = contents_of({{"x", {1, 3, 8}}, {"qkv.weight", {24, 8}}});
        const auto recognition = recognise(contents, {.num_heads = 4, .num_kv_heads = 1});
        QCOMPARE(recognition.problem.tensors.at("w_q").shape(), Shape({8, 16}));
        QCOMPARE(recognition.problem.tensors.at("w_k").shape(), Shape({8, 4}));
    }

    void gemma_adds_one_to_its_gains() {
        Arrays arrays{{"x", {1, 3, 8}}};
        for (const char* name : {"q_proj", "k_proj", "v_proj", "o_proj"})
            arrays.push_back({std::string("layers.0.self_attn.") + name + ".weight", {8, 8}});
        arrays.push_back({"layers.0.self_attn.q_norm.weight", {4}});
        const auto plain = recognise(contents_of(arrays));
        QCOMPARE(plain.problem.tensors.at("query_gain"), random_normal({4}, 1));
        for (const char* norm : {"input", "post_attention", "pre_feedforward", "post_feedforward"})
            arrays.push_back({std::string("layers.0.") + norm + "_layernorm.weight", {8}});
        const auto gemma = recognise(contents_of(arrays));
        QCOMPARE(gemma.problem.tensors.at("query_gain").at({1}), random_normal({4}, 1).at({1}) + 1.0);
        QVERIFY(std::ranges::any_of(gemma.used, [](const UsedArray& use) {
            return use.role == "query_gain" && use.how.english().find("1 added") != std::string::npos;
        }));
        const auto asked =
            recognise(contents_of(arrays), {.roles = {{"layers.0.self_attn.q_norm.weight", "query_gain"}}});
        QCOMPARE(asked.problem.tensors.at("query_gain"), random_normal({4}, 1));
        arrays.push_back({"layers.0.layer_scalar", {1}}); // Gemma 4
        QCOMPARE(recognise(contents_of(arrays)).problem.tensors.at("query_gain"), random_normal({4}, 1));
    }

    /// nn.Transformer(bias=False) is read as one with zero biases.
    void a_transformer_without_biases() {
        const auto whole = fixture("small.in");
        Contents bare, zeros;
        for (const auto& [name, tensor] : whole) {
            const bool bias = name.ends_with("bias");
            zeros.arrays.push_back({name, bias ? Tensor(tensor.shape()) : tensor, "file"});
            if (!bias)
                bare.arrays.push_back({name, tensor, "file"});
        }
        const auto a = recognise(bare, {.num_heads = 2}), b = recognise(zeros, {.num_heads = 2});
        QCOMPARE(QString::fromStdString(a.problem.spec.variant), QStringLiteral("transformer"));
        QVERIFY(a.problem.tensors == b.problem.tensors);
        QVERIFY(notes_of(a).contains("bias=False"));
    }

    void labels_of_two_files() {
        auto contents = contents_of({{"q", {2, 4}}, {"k", {3, 4}}, {"v", {3, 4}}});
        contents.labels = {{"words", {"a", "b", "c"}, "one/words.txt"}, {"words", {"d", "e"}, "two/words.txt"}};
        const auto open = recognise(contents);
        QVERIFY2(why_not(open, "words").contains("--role"), qPrintable(why_not(open, "words")));
        const auto chosen =
            recognise(contents, {.roles = {{"one/words.txt", "key_tokens"}, {"two/words.txt", "query_tokens"}}});
        QCOMPARE(chosen.problem.key_tokens, (std::vector<std::string>{"a", "b", "c"}));
        QCOMPARE(chosen.problem.query_tokens, (std::vector<std::string>{"d", "e"}));
        QVERIFY(chosen.unused.empty());
        const auto left = recognise(contents, {.roles = {{"one/words.txt", ""}}});
        QVERIFY(left.problem.key_tokens.empty());
        QCOMPARE(left.problem.query_tokens, (std::vector<std::string>{"d", "e"}));
        QVERIFY_THROWS_EXCEPTION(Error, recognise(contents, {.roles = {{"words", "query"}}}));
        QVERIFY_THROWS_EXCEPTION(Error, recognise(contents, {.roles = {{"q", "query_tokens"}}}));
    }

    void labels_of_several_sequences() {
        auto contents = contents_of({{"q", {2, 2, 4}}, {"k", {2, 2, 4}}, {"v", {2, 2, 4}}});
        contents.labels = {{"tokens.0", {"a", "b"}, "file"}, {"tokens.1", {"c", "d"}, "file"}};
        const auto open = recognise(contents);
        QVERIFY(open.problem.query_tokens.empty());
        QCOMPARE(open.unused.size(), std::size_t{2});
        const auto second = recognise(contents, {.roles = {{"tokens.1", "query_tokens"}}});
        QCOMPARE(second.problem.query_tokens, (std::vector<std::string>{"c", "d"}));
        contents.labels.pop_back();
        QCOMPARE(recognise(contents).problem.query_tokens, (std::vector<std::string>{"a", "b"}));
    }

    void many_for_one_reason_are_one_line() {
        std::vector<UnusedArray> unused;
        for (int i = 0; i < 100; ++i)
            unused.push_back({std::to_string(i), i == 7 ? "other" : "file", std::nullopt, {i == 3 ? "a" : "b"}});
        const auto groups = grouped(unused);
        QCOMPARE(groups.size(), std::size_t{3});
        QCOMPARE(groups[0].names.size(), std::size_t{98});
        QCOMPARE(groups[1].names, std::vector<std::string>{"3"});
        unused.resize(8);
        QCOMPARE(grouped(unused).size(), std::size_t{8});
    }
};

ATTNLAB_TEST(RecognitionHeadsTest)
#include "test_recognition_heads.moc"
