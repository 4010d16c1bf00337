#include "core/mechanisms.h"
#include "core/mechanisms/shared/projection.h"
#include "core/stages/mask.h"
#include "core/stages/scale.h"
#include "tests/core/engine_support.h"
#include "tests/core/io_support.h"
#include "tests/test_main.h"

#include <QTest>

#include <algorithm>
#include <string_view>

using namespace attnlab;
using namespace attnlab::test;

namespace {

Tensor identity(std::int64_t size) {
    Tensor result({size, size});
    for (std::int64_t i = 0; i < size; ++i)
        result.set({i, i}, 1.0);
    return result;
}

/// A multi_head problem of 2 sequences, 5 tokens of width 6 and 3 heads.
AttentionProblem multi_head_problem() {
    AttentionProblem problem;
    problem.spec.variant = "multi_head";
    problem.spec.parameters.set("num_heads", std::int64_t{3});
    problem.tensors = {
        {"x", random_normal({2, 5, 6}, 1)}, {"w_q", random_normal({6, 6}, 2)}, {"w_k", random_normal({6, 6}, 3)},
        {"w_v", random_normal({6, 6}, 4)},  {"w_o", random_normal({6, 4}, 5)}, {"b_q", random_normal({6}, 6)},
        {"b_k", random_normal({6}, 7)},     {"b_v", random_normal({6}, 8)},    {"b_o", random_normal({4}, 9)}};
    return problem;
}

QString trace_difference(const Trace& got, const Trace& expected, double tolerance) {
    if (got.stages.size() != expected.stages.size())
        return QStringLiteral("%1 stages, expected %2").arg(got.stages.size()).arg(expected.stages.size());
    for (const auto& wanted : expected.stages)
        if (const auto wrong = difference(stage(got, wanted.name), wanted.value, tolerance); !wrong.isEmpty())
            return QString::fromStdString(wanted.name) + ": " + wrong;
    return {};
}

} // namespace

/// Properties of every mechanism, for any numbers.
class AttentionTest : public QObject {
    Q_OBJECT
private slots:
    void rows_are_distributions_or_empty();
    void causal_output_does_not_see_the_future_data();
    void causal_output_does_not_see_the_future();
    void order_of_keys_does_not_matter();
    void a_huge_score_takes_all();
    void score_terms_add_up_to_the_score();
    void mechanisms_have_places_and_formulas();
    void stages_name_their_axes();
    void key_labels_follow_the_keys();

    void multi_head_with_identity_weights_is_one_attention_a_head();
    void grouped_query_lies_between_multi_head_and_multi_query_data();
    void grouped_query_lies_between_multi_head_and_multi_query();
    void accepts_a_torch_state_dict();
    void refuses_a_state_dict_of_odd_shapes_data();
    void refuses_a_state_dict_of_odd_shapes();
    void appends_bias_keys_of_either_shape();
    void ignores_arrays_of_other_mechanisms();
    void drops_weights_by_seed();
    void leaves_out_what_is_not_wanted();
};

void AttentionTest::rows_are_distributions_or_empty() {
    auto problem = dot_problem(2, 3, 3, 6, 4, 5, 2);
    problem.spec.masks = {parse_mask("painted")};
    Tensor painted({2, 3, 6, 4}, 0.0, DType::Bool);
    for (std::int64_t j = 0; j < 4; ++j)
        painted.set({1, 2, 3, j}, 1.0);
    painted.set({0, 1, 2, 3}, 1.0);
    problem.tensors.emplace("painted_mask", painted);
    const auto trace = run(problem);
    const auto& weights = stage(trace, "weights");
    for (std::int64_t row = 0; row < 2 * 3 * 6; ++row) {
        const bool empty = row == (1 * 3 + 2) * 6 + 3;
        double sum = 0.0;
        for (std::int64_t j = 0; j < 4; ++j) {
            const double weight = weights.data()[row * 4 + j];
            sum += weight;
            if (painted.data()[row * 4 + j] != 0.0)
                QCOMPARE(weight, 0.0);
        }
        QVERIFY(close(sum, empty ? 0.0 : 1.0, 1e-14));
        QCOMPARE(stage(trace, "lse").data()[row] == -infinity, empty);
    }
    QCOMPARE(stage(trace, "output").at({1, 2, 3, 0}), 0.0);
    QVERIFY(has_note(trace, "Rows with every key blocked: 1 over 6 heads (first: 3)"));
}

void AttentionTest::causal_output_does_not_see_the_future_data() {
    QTest::addColumn<QString>("variant");
    for (const auto* id : {"causal", "self", "multi_head", "multi_query", "grouped_query"})
        QTest::newRow(id) << id;
}

void AttentionTest::causal_output_does_not_see_the_future() {
    QFETCH(QString, variant);
    auto problem = fresh_problem(variant.toStdString());
    if (variant != QLatin1String("causal"))
        problem.spec.masks = {parse_mask("causal")};
    const auto before = run(problem);
    constexpr std::int64_t changed = 2;
    auto& x = problem.tensors.at("x");
    for (std::int64_t c = 0; c < x.dim(-1); ++c)
        x.set({changed, c}, 100.0 + static_cast<double>(c));
    const auto after = run(problem);
    const auto was = matrix_at(stage(before, "output")), is = matrix_at(stage(after, "output"));
    for (std::int64_t i = 0; i < was.rows; ++i) {
        const auto same = std::equal(was.row(i).begin(), was.row(i).end(), is.row(i).begin());
        QCOMPARE(same, i < changed);
    }
}

void AttentionTest::order_of_keys_does_not_matter() {
    auto problem = dot_problem(1, 2, 2, 3, 5, 4, 3);
    const auto before = run(problem);
    for (const auto* name : {"key", "value"}) {
        const auto original = problem.tensors.at(name);
        for (std::int64_t h = 0; h < 2; ++h)
            for (std::int64_t j = 0; j < 5; ++j)
                for (std::int64_t c = 0; c < original.dim(-1); ++c)
                    problem.tensors.at(name).set({0, h, (j * 2 + 1) % 5, c}, original.at({0, h, j, c}));
    }
    const auto after = run(problem);
    QCOMPARE(difference(stage(after, "output"), stage(before, "output"), 1e-13), QString());
    QCOMPARE(difference(stage(after, "lse"), stage(before, "lse"), 1e-13), QString());
    QVERIFY(!difference(stage(after, "weights"), stage(before, "weights"), 1e-3).isEmpty());
}

void AttentionTest::a_huge_score_takes_all() {
    AttentionProblem problem;
    problem.tensors = {{"query", Tensor({1, 2}, {1000.0, 0.0})},
                       {"key", Tensor({3, 2}, {0.0, 1.0, 1000.0, 0.0, 990.0, 5.0})},
                       {"value", Tensor({3, 1}, {1.0, 2.0, 3.0})}};
    const auto trace = run(problem);
    QCOMPARE(stage(trace, "weights"), Tensor({1, 1, 1, 3}, {0.0, 1.0, 0.0}));
    QCOMPARE(stage(trace, "output").at({0, 0, 0, 0}), 2.0);
}

void AttentionTest::score_terms_add_up_to_the_score() {
    auto problem = dot_problem(2, 4, 2, 3, 5, 6, 2);
    for (const auto* scale : {"sqrt_dk", "pre_norm"}) {
        problem.spec.scale = parse_scale(scale);
        const auto trace = run(problem);
        const auto terms = trace.pass().score_terms(1, 3, 2, 4);
        QCOMPARE(terms.size(), std::size_t{6});
        double sum = 0.0;
        for (const auto& term : terms) {
            QCOMPARE(term.product, term.left * term.right);
            sum += term.product;
        }
        QVERIFY(close(sum, stage(trace, "scores").at({1, 3, 2, 4}), 1e-14));
    }
}

void AttentionTest::mechanisms_have_places_and_formulas() {
    const auto table = mechanisms();
    QVERIFY(!table.empty() && table.front().id == "scaled_dot_product");
    for (std::size_t k = 0; k < table.size(); ++k) {
        const auto& row = table[k];
        QVERIFY2(*row.drawn.latex && *row.drawn.plain, row.id.data());
        // The rows of a family follow each other, so that pickers have its heading once.
        const bool begins = k == 0 || std::string_view(table[k - 1].family) != row.family;
        const auto before = table.first(k);
        QVERIFY2(!begins || std::ranges::none_of(
                                before, [&](const Mechanism& v) { return std::string_view(v.family) == row.family; }),
                 row.id.data());
        QVERIFY2(begins || table[k - 1].place <= row.place, row.id.data());
    }
}

void AttentionTest::stages_name_their_axes() {
    for (const auto& mechanism : mechanisms()) {
        auto problem = fresh_problem(mechanism.id);
        problem.spec.statistics = !mechanism.refuses.statistics;
        problem.spec.masks = {parse_mask("causal")};
        drop_refused_masks(problem.spec);
        const auto trace = run(problem);
        for (const auto& made : trace.stages)
            QVERIFY2(made.axes.size() == made.value.shape().size(), made.name.c_str());
        if (!is_exact(mechanism) || !trace.layers.empty())
            continue; // several passes: each has these with a prefix
        for (const auto* name : {"scores", "scaled", "blocked", "masked", "weights", "entropy", "output"})
            QVERIFY2(trace.find(name), name);
        const bool is_softmax = trace.find("weights")->operation.english() == "softmax";
        QVERIFY(!is_softmax || trace.find("lse") || trace.find("page_lse")); // one softmax a row, or one a page
    }
}

void AttentionTest::key_labels_follow_the_keys() {
    auto problem = multi_head_problem();
    problem.query_tokens = {"a", "b"};
    problem.spec.parameters.set("add_zero_attn", true);
    const auto trace = run(problem);
    const std::vector<std::string> expected = {"a", "b", "2", "3", "4", "+1"};
    QVERIFY(trace.key_tokens == expected);
}

void AttentionTest::multi_head_with_identity_weights_is_one_attention_a_head() {
    auto problem = multi_head_problem();
    for (const auto* name : {"b_q", "b_k", "b_v", "b_o", "w_o"})
        problem.tensors.erase(name);
    for (const auto* name : {"w_q", "w_k", "w_v"})
        problem.tensors.insert_or_assign(name, identity(6));
    const auto trace = run(problem);
    const auto& x = problem.tensors.at("x");
    for (std::int64_t h = 0; h < 3; ++h) {
        Tensor part({2, 5, 2});
        for (std::int64_t b = 0; b < 2; ++b)
            for (std::int64_t i = 0; i < 5; ++i)
                for (std::int64_t c = 0; c < 2; ++c)
                    part.set({b, i, c}, x.at({b, i, h * 2 + c}));
        AttentionProblem one;
        one.tensors = {{"query", part}, {"key", part}, {"value", part}};
        const auto expected = run(one);
        for (std::int64_t b = 0; b < 2; ++b)
            for (std::int64_t i = 0; i < 5; ++i)
                for (std::int64_t c = 0; c < 2; ++c)
                    QVERIFY(close(stage(trace, "output").at({b, i, h * 2 + c}),
                                  stage(expected, "output").at({b, 0, i, c}), 1e-14));
    }
}

void AttentionTest::grouped_query_lies_between_multi_head_and_multi_query_data() {
    QTest::addColumn<int>("shared");
    QTest::addColumn<QString>("same_as");
    QTest::newRow("a key head for each query head") << 3 << "multi_head";
    QTest::newRow("one key head for all") << 1 << "multi_query";
}

void AttentionTest::grouped_query_lies_between_multi_head_and_multi_query() {
    QFETCH(int, shared);
    QFETCH(QString, same_as);
    auto problem = multi_head_problem();
    if (shared == 1) {
        for (const auto* name : {"w_k", "w_v"})
            problem.tensors.insert_or_assign(name, random_normal({6, 2}, 12));
        for (const auto* name : {"b_k", "b_v"})
            problem.tensors.insert_or_assign(name, random_normal({2}, 13));
    }
    problem.spec.variant = same_as.toStdString();
    const auto expected = run(problem);
    problem.spec.variant = "grouped_query";
    problem.spec.parameters.set("num_kv_heads", std::int64_t{shared});
    QCOMPARE(trace_difference(run(problem), expected, 0.0), QString());
}

void AttentionTest::accepts_a_torch_state_dict() {
    const auto problem = multi_head_problem();
    auto torch = problem;
    auto& tensors = torch.tensors;
    Tensor weight({18, 6}), bias({18});
    std::int64_t part = 0;
    for (const auto* name : {"q", "k", "v"}) {
        const auto turned = transposed(tensors.at(std::string("w_") + name));
        const auto& of_part = tensors.at(std::string("b_") + name);
        std::copy_n(turned.data(), 36, weight.mutable_values().begin() + part * 36);
        std::copy_n(of_part.data(), 6, bias.mutable_values().begin() + part * 6);
        tensors.erase(std::string("w_") + name);
        tensors.erase(std::string("b_") + name);
        ++part;
    }
    tensors.insert({{"in_proj_weight", weight},
                    {"in_proj_bias", bias},
                    {"out_proj.weight", transposed(tensors.at("w_o"))},
                    {"out_proj.bias", tensors.at("b_o")}});
    tensors.erase("w_o");
    tensors.erase("b_o");
    QCOMPARE(spec_for(tensors)->variant, std::string("multi_head"));
    QCOMPARE(trace_difference(run(torch), run(problem), 0.0), QString());
    QVERIFY(torch.tensors.contains("in_proj_weight"));
    complete_inputs(torch, 1);
    QVERIFY(torch.tensors == problem.tensors);
}

void AttentionTest::refuses_a_state_dict_of_odd_shapes_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QList<int>>("shape");
    QTest::addColumn<QString>("complaint");
    QTest::newRow("rank")
        << "in_proj_weight" << QList<int>{18}
        << "in_proj_weight: has shape (18,), expected 2 axes, as torch.nn.MultiheadAttention saves it";
    QTest::newRow("no third") << "in_proj_weight" << QList<int>{17, 6}
                              << "in_proj_weight: has shape (17, 6), expected a first size that 3 divides (query, key, "
                                 "value)";
    QTest::newRow("both") << "q_proj_weight" << QList<int>{6, 6}
                          << "q_proj_weight: is given together with w_q, expected one of the two";
    QTest::newRow("bias") << "in_proj_bias" << QList<int>{7}
                          << "in_proj_bias: is given together with b_q, expected one of the two";
}

void AttentionTest::refuses_a_state_dict_of_odd_shapes() {
    QFETCH(QString, name);
    QFETCH(QList<int>, shape);
    QFETCH(QString, complaint);
    auto problem = multi_head_problem();
    if (name == QLatin1String("in_proj_weight"))
        for (const auto* ours : {"w_q", "w_k", "w_v"})
            problem.tensors.erase(ours);
    problem.tensors.emplace(name.toStdString(), Tensor(Shape(shape.begin(), shape.end())));
    QCOMPARE(error_of([&] { run(problem); }), complaint);
    QVERIFY(spec_for(problem.tensors)); // another one that fits, or the one that reports the error
}

void AttentionTest::appends_bias_keys_of_either_shape() {
    auto problem = multi_head_problem();
    problem.spec.masks = {parse_mask("causal")};
    problem.spec.parameters.set("add_bias_kv", true);
    QCOMPARE(error_of([&] { run(problem); }),
             QStringLiteral("bias_k: is missing, expected an array of shape (1, 1, num_heads*E) or (num_heads*E,) with "
                            "E = 2 as in w_q, num_heads = 3"));
    problem.tensors.emplace("bias_k", random_normal({6}, 20));
    problem.spec.parameters.set("add_bias_kv", false);
    QCOMPARE(error_of([&] { run(problem); }), QStringLiteral("bias_v: is missing, expected it together with bias_k"));
    QCOMPARE(issues_in(problem).size(), std::size_t{1});
    problem.tensors.emplace("bias_v", random_normal({6}, 21));
    const auto flat = run(problem);
    for (const auto* name : {"bias_k", "bias_v"})
        problem.tensors.at(name) = problem.tensors.at(name).reshaped({1, 1, 6});
    QCOMPARE(trace_difference(run(problem), flat, 0.0), QString());

    QCOMPARE(stage(flat, "key").shape(), Shape({2, 3, 6, 2}));
    QCOMPARE(stage(flat, "key").at({1, 2, 5, 1}), problem.tensors.at("bias_k").at({0, 0, 5}));
    // No mask blocks the appended key.
    QCOMPARE(stage(flat, "blocked").at({0, 0, 0, 4}), 1.0);
    QCOMPARE(stage(flat, "blocked").at({0, 0, 0, 5}), 0.0);
    QVERIFY(stage(flat, "weights").at({0, 0, 0, 5}) > 0.0);
}

void AttentionTest::ignores_arrays_of_other_mechanisms() {
    auto problem = multi_head_problem();
    problem.spec.variant = "grouped_query";
    problem.spec.parameters.set("num_kv_heads", std::int64_t{3});
    const auto before = run(problem);
    problem.tensors.insert({{"bias_k", Tensor({1})}, {"bias_v", Tensor({1})}, {"query", Tensor({7})}});
    QCOMPARE(trace_difference(run(problem), before, 0.0), QString());
}

void AttentionTest::drops_weights_by_seed() {
    auto problem = multi_head_problem();
    QVERIFY(!run(problem).find("weights_dropped"));
    problem.spec.parameters.set("dropout", 0.25);
    problem.spec.parameters.set("seed", std::int64_t{7});
    const auto first = run(problem), again = run(problem);
    QCOMPARE(stage(first, "weights_dropped"), stage(again, "weights_dropped"));
    int zeros = 0;
    const auto kept = stage(first, "weights").values(), dropped = stage(first, "weights_dropped").values();
    for (std::size_t k = 0; k < kept.size(); ++k) {
        zeros += dropped[k] == 0.0;
        QVERIFY(dropped[k] == 0.0 || close(dropped[k], kept[k] / 0.75, 1e-15));
    }
    QVERIFY2(zeros > 20 && zeros < 60, qPrintable(QString::number(zeros))); // of 150; 37.5 are expected
    problem.spec.parameters.set("seed", std::int64_t{8});
    QVERIFY(!(stage(run(problem), "weights_dropped") == stage(first, "weights_dropped")));
}

void AttentionTest::leaves_out_what_is_not_wanted() {
    auto problem = multi_head_problem();
    problem.spec.parameters.set("dropout", 0.5);
    const auto full = run(problem);
    problem.spec.parameters.set("average_attn_weights", false);
    const auto no_mean = run(problem);
    QVERIFY(no_mean.find("weights") && !no_mean.find("weights_mean"));
    problem.spec.parameters.set("need_weights", false);
    const auto no_weights = run(problem);
    for (const auto* name : {"weights", "weights_mean", "weights_dropped"})
        QVERIFY(full.find(name) && !no_weights.find(name));
    QCOMPARE(stage(no_weights, "output"), stage(full, "output"));
}

ATTNLAB_TEST(AttentionTest)
#include "test_attention.moc"
