#include "core/stages/mask.h"
#include "tests/core/engine_support.h"
#include "tests/core/io_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

AttentionProblem of_variant(std::string_view id) {
    AttentionProblem problem;
    problem.spec.variant = id;
    return problem;
}

/// Why a problem cannot be run; empty if it runs and gives an output.
QString failure(const AttentionProblem& problem) {
    const auto complaint = error_of([&] {
        if (!run(problem).find(problem.spec.variant == "given_weights" ? "weights" : "output"))
            throw std::logic_error("no output");
    });
    return complaint.isEmpty() && !issues_in(problem).empty() ? QStringLiteral("runs, and has issues") : complaint;
}

QString id_of(const Mechanism& mechanism) { return QString::fromStdString(std::string(mechanism.id)); }

} // namespace

class InputsTest : public QObject {
    Q_OBJECT
private slots:
    void reads_declared_dims();
    void binds_sizes_data();
    void binds_sizes();
    void falls_back_on_what_stands_in();
    void knows_whose_tokens_label_the_rows();
    void finds_the_mechanism_of_a_file_data();
    void finds_the_mechanism_of_a_file();

    void completes_from_nothing_data();
    void completes_from_nothing();
    void completes_from_every_other_mechanism_data();
    void completes_from_every_other_mechanism();
    void completes_for_a_wide_problem_data();
    void completes_for_a_wide_problem();
    void completes_after_every_mask_array_was_for_other_sizes();
    void keeps_what_is_there();
    void remakes_only_what_does_not_fit();
    void starts_from_the_tokens_of_another_mechanism();
    void passes_over_tokens_that_do_not_fit();
    void starts_from_empty_tensors();
    void makes_one_input_that_fits_the_others();
    void draws_differ_by_input_and_seed();
};

void InputsTest::reads_declared_dims() {
    const Input input{.name = "mask", .dims = "B? H? L S | B*H L S|  L S "};
    const auto dims = dims_of(input);
    QCOMPARE(dims.size(), std::size_t{3});
    QCOMPARE(dims[0].size(), std::size_t{4});
    QVERIFY(dims[0][1].or_one && dims[0][1].factors.front() == "H");
    QCOMPARE(dims[1][0].factors.size(), std::size_t{2});
    QVERIFY(!dims[2][0].or_one && dims[2].size() == 2);
}

void InputsTest::binds_sizes_data() {
    QTest::addColumn<QString>("query");
    QTest::addColumn<QList<qint64>>("query_shape");
    QTest::addColumn<QList<qint64>>("key_shape");
    QTest::addColumn<QList<qint64>>("expected"); // B H Hkv L S E
    const auto row = [](const char* name, const QList<qint64>& query, const QList<qint64>& key,
                        const QList<qint64>& expected) { QTest::newRow(name) << name << query << key << expected; };
    row("rank 4", {2, 6, 3, 5}, {2, 2, 4, 5}, {2, 6, 2, 3, 4, 5});
    row("rank 3", {2, 3, 5}, {2, 4, 5}, {2, 1, 1, 3, 4, 5});
    row("rank 2", {3, 5}, {4, 5}, {1, 1, 1, 3, 4, 5});
    row("one key head for all", {2, 6, 3, 5}, {2, 4, 5}, {2, 6, 1, 3, 4, 5});
    row("rank 2 against a batch of one", {1, 3, 5}, {4, 5}, {1, 1, 1, 3, 4, 5});
}

void InputsTest::binds_sizes() {
    QFETCH(QList<qint64>, query_shape);
    QFETCH(QList<qint64>, key_shape);
    QFETCH(QList<qint64>, expected);
    AttentionProblem problem;
    problem.tensors = {{"query", Tensor(Shape(query_shape.begin(), query_shape.end()))},
                       {"key", Tensor(Shape(key_shape.begin(), key_shape.end()))},
                       {"value", Tensor(Shape(key_shape.begin(), key_shape.end()))}};
    const auto sizes = resolve(problem).sizes;
    const QList<qint64> got = {sizes.at("B"), sizes.at("H"), sizes.at("Hkv"),
                               sizes.at("L"), sizes.at("S"), sizes.at("E")};
    QCOMPARE(got, expected);
    QVERIFY(issues_in(problem).empty());
}

void InputsTest::falls_back_on_what_stands_in() {
    auto problem = of_variant("multi_head");
    problem.tensors = {{"x", random_normal({3, 4}, 1)},
                       {"w_q", random_normal({4, 4}, 2)},
                       {"w_k", random_normal({4, 4}, 3)},
                       {"w_v", random_normal({4, 4}, 4)}};
    QCOMPARE(resolve(problem).sizes.at("S"), 3);
    const auto alone = run(problem);
    problem.tensors.emplace("context", problem.tensors.at("x"));
    QCOMPARE(stage(run(problem), "output"), stage(alone, "output"));
    // Values come from the context if there is one.
    problem.tensors.at("context") = random_normal({5, 4}, 5);
    const auto crossed = run(problem);
    problem.tensors.emplace("value_context", problem.tensors.at("context"));
    QCOMPARE(stage(run(problem), "output"), stage(crossed, "output"));
    QCOMPARE(stage(crossed, "weights").shape(), Shape({1, 2, 3, 5}));
    // The error names the fallback input that does not fit.
    problem.tensors.erase("value_context");
    problem.tensors.at("w_v") = Tensor({6, 4});
    QCOMPARE(
        error_of([&] { resolve(problem); }),
        QStringLiteral("w_v: has shape (6, 4), expected (Dv, num_heads*Ev) with Dv = 4 as in context, num_heads = 2"));
}

void InputsTest::knows_whose_tokens_label_the_rows() {
    const auto rows = [](std::string_view id, std::string_view name) {
        for (const auto& input : attnlab::mechanism_of(id).inputs)
            if (input.name == name)
                return row_tokens(input);
        return std::optional<Axis>(Axis::Hash);
    };
    QVERIFY(rows("scaled_dot_product", "query") == Axis::Query);
    QVERIFY(rows("scaled_dot_product", "value") == Axis::Key);
    QVERIFY(rows("cross", "context") == Axis::Key);
    QVERIFY(rows("cross", "w_q") == std::nullopt);
    QVERIFY(row_tokens(mask_kind("attn_mask").inputs.front()) == Axis::Query);
}

void InputsTest::finds_the_mechanism_of_a_file_data() {
    QTest::addColumn<QStringList>("names");
    QTest::addColumn<QString>("variant");
    QTest::newRow("q, k, v") << QStringList{"query", "key", "value"} << "scaled_dot_product";
    QTest::newRow("self") << QStringList{"x", "w_q", "w_k", "w_v"} << "self";
    QTest::newRow("cross") << QStringList{"x", "context", "w_q", "w_k", "w_v"} << "cross";
    QTest::newRow("w_o") << QStringList{"x", "w_q", "w_k", "w_v", "w_o"} << "multi_head";
    QTest::newRow("others") << QStringList{"query", "gains"} << "";
    QTest::newRow("given weights") << QStringList{"weights"} << "given_weights";
    QTest::newRow("weights without tokens") << QStringList{"w_q", "w_k", "w_v"} << "";
    QTest::newRow("state_dict") << QStringList{"q_proj_weight", "k_proj_weight", "v_proj_weight"} << "multi_head";
    QTest::newRow("part of a state_dict") << QStringList{"q_proj_weight", "k_proj_weight"} << "";
    QTest::newRow("misshapen state_dict") << QStringList{"in_proj_weight", "out_proj.weight"} << "multi_head";
    QTest::newRow("query and value") << QStringList{"query", "value"} << "";
    QTest::newRow("with rotations") << QStringList{"query", "value", "reformer_rotations"} << "reformer";
    QTest::newRow("nothing") << QStringList{} << "";
}

void InputsTest::finds_the_mechanism_of_a_file() {
    QFETCH(QStringList, names);
    QFETCH(QString, variant);
    TensorMap tensors;
    for (const auto& name : names)
        tensors.emplace(name.toStdString(), Tensor({2, 2}));
    const auto found = spec_for(tensors);
    QCOMPARE(found ? QString::fromStdString(found->variant) : QString(), variant);
}

void InputsTest::completes_from_nothing_data() {
    QTest::addColumn<QString>("variant");
    QTest::addColumn<QString>("mask");
    for (const auto& mechanism : mechanisms()) {
        QTest::addRow("%s, no mask", mechanism.id.data()) << id_of(mechanism) << "";
        if (mechanism.refuses.masks)
            continue;
        for (const auto& kind : mask_kinds())
            QTest::addRow("%s, %s", mechanism.id.data(), kind.id.data())
                << id_of(mechanism) << QString::fromStdString(std::string(kind.id));
        QTest::addRow("%s, all masks", mechanism.id.data()) << id_of(mechanism) << "all";
    }
}

void InputsTest::completes_from_nothing() {
    QFETCH(QString, variant);
    QFETCH(QString, mask);
    auto problem = of_variant(variant.toStdString());
    for (const auto& kind : mask_kinds())
        if (mask == QLatin1String("all") || kind.id == mask.toStdString())
            problem.spec.masks.push_back({std::string(kind.id), {}});
    drop_refused_masks(problem.spec);
    QVERIFY(!complete_inputs(problem, 1).empty());
    QCOMPARE(failure(problem), QString());
    const auto before = problem;
    QVERIFY(complete_inputs(problem, 2).empty());
    QVERIFY(complete_inputs(problem, 2, true).empty());
    QVERIFY(problem == before);
    // New masks have no effect until they are edited.
    if (variant == QLatin1String("causal") || !is_exact(attnlab::mechanism_of(problem.spec.variant)))
        return;
    if (mask == QLatin1String("valid_lens") || mask == QLatin1String("attn_mask") || mask == QLatin1String("painted")) {
        const auto trace = run(problem);
        QCOMPARE(stage(trace, "masked"), stage(trace, "scaled"));
    }
}

void InputsTest::completes_from_every_other_mechanism_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    for (const auto& from : mechanisms())
        for (const auto& to : mechanisms())
            QTest::addRow("%s to %s", from.id.data(), to.id.data()) << id_of(from) << id_of(to);
}

void InputsTest::completes_from_every_other_mechanism() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    auto problem = fresh_problem(from.toStdString());
    problem.spec.masks = {parse_mask("attn_mask"), parse_mask("valid_lens")};
    drop_refused_masks(problem.spec);
    complete_inputs(problem, 1);
    for (const auto& id : {to, from, to}) {
        problem.spec.variant = id.toStdString();
        drop_refused_masks(problem.spec);
        complete_inputs(problem, 2, true);
        QCOMPARE(failure(problem), QString());
    }
    const auto before = problem;
    QVERIFY(complete_inputs(problem, 3, true).empty());
    QVERIFY(problem == before);
}

void InputsTest::completes_for_a_wide_problem_data() { completes_from_every_other_mechanism_data(); }

void InputsTest::completes_for_a_wide_problem() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    // Batches, heads and lengths that differ, widths too.
    auto problem = of_variant(from.toStdString());
    if (from == QLatin1String("scaled_dot_product"))
        problem.tensors = dot_problem(2, 4, 2, 3, 5, 6, 7).tensors;
    else
        problem.tensors = {{"x", random_normal({2, 3, 8}, 1)}};
    if (from == QLatin1String("cross"))
        problem.tensors.emplace("context", random_normal({2, 5, 9}, 2));
    complete_inputs(problem, 1);
    QCOMPARE(failure(problem), QString());
    problem.spec.variant = to.toStdString();
    if (to == QLatin1String("dynamic_context"))
        problem.spec.parameters.set("source", std::string("key")); // values of another width are not a context
    const auto contradiction = error_of([&] { complete_inputs(problem, 2, true); });
    // Where keys are the queries, values of other tokens are impossible; data is never remade.
    if (to == QLatin1String("reformer") && problem.tensors.at("value").dim(-2) != problem.tensors.at("query").dim(-2))
        QVERIFY2(contradiction.startsWith("value: has shape"), qPrintable(contradiction));
    else
        QCOMPARE(failure(problem), QString());
}

void InputsTest::completes_after_every_mask_array_was_for_other_sizes() {
    for (const auto& mechanism : mechanisms()) {
        if (mechanism.refuses.masks)
            continue;
        auto problem = fresh_problem(mechanism.id);
        for (const auto& kind : mask_kinds()) {
            problem.spec.masks.push_back({std::string(kind.id), {}});
            for (const auto& input : kind.inputs)
                problem.tensors.emplace(input.name, Tensor({3, 9, 11}));
        }
        drop_refused_masks(problem.spec);
        complete_inputs(problem, 1, true);
        QCOMPARE(failure(problem), QString());
    }
}

void InputsTest::keeps_what_is_there() {
    auto problem = of_variant("multi_head");
    const auto x = random_normal({2, 5, 6}, 9), w_v = random_normal({6, 10}, 8);
    problem.tensors = {{"x", x}, {"w_v", w_v}};
    const auto made = complete_inputs(problem, 1);
    QVERIFY(made == std::vector<std::string>({"w_q", "w_k"}));
    QCOMPARE(problem.tensors.at("x"), x);
    QCOMPARE(problem.tensors.at("w_v"), w_v);
    QCOMPARE(problem.tensors.at("w_q").shape(), Shape({6, 10})); // as wide as the values
    QCOMPARE(failure(problem), QString());
    // Contradictory inputs give an error and are not overwritten.
    problem.tensors.at("w_k") = Tensor({7, 10});
    QCOMPARE(error_of([&] { complete_inputs(problem, 1); }),
             QStringLiteral("w_k: has shape (7, 10), expected (Dk, num_heads*E) with Dk = 6 as in x, E = 5 as in w_q, "
                            "num_heads = 2"));
}

void InputsTest::remakes_only_what_does_not_fit() {
    auto problem = of_variant("multi_head");
    const auto w_q = random_normal({6, 6}, 3);
    problem.tensors = {{"x", random_normal({5, 6}, 2)}, {"w_q", w_q}, {"w_k", Tensor({7, 6})}, {"b_v", Tensor({5})}};
    const auto changed = complete_inputs(problem, 1, true);
    QVERIFY(changed == std::vector<std::string>({"b_v", "w_k", "w_v"})); // the optional b_v is removed
    QVERIFY(!problem.tensors.contains("b_v"));
    QCOMPARE(problem.tensors.at("w_q"), w_q);
    QCOMPARE(failure(problem), QString());
    // Data is never remade.
    problem.tensors.emplace("context", Tensor({3, 5, 6}));
    QVERIFY(error_of([&] { complete_inputs(problem, 1, true); }).startsWith("context: has shape (3, 5, 6)"));
}

void InputsTest::starts_from_the_tokens_of_another_mechanism() {
    auto problem = dot_problem(2, 3, 3, 4, 5, 6, 6);
    const auto query = problem.tensors.at("query");
    problem.spec.variant = "cross";
    complete_inputs(problem, 1, true);
    const auto& x = problem.tensors.at("x");
    QCOMPARE(x.shape(), Shape({2, 4, 18}));
    QCOMPARE(x.at({1, 2, 2 * 6 + 5}), query.at({1, 2, 2, 5}));
    QCOMPARE(problem.tensors.at("context").shape(), Shape({2, 5, 18}));

    auto back = of_variant("self");
    back.tensors = {{"x", counting({2, 3, 4})}};
    back.spec.variant = "scaled_dot_product";
    complete_inputs(back, 1, true);
    QCOMPARE(back.tensors.at("query"), counting({2, 1, 3, 4}));
}

void InputsTest::passes_over_tokens_that_do_not_fit() {
    auto problem = of_variant("scaled_dot_product");
    problem.tensors = {{"x", counting({3, 4})}, {"context", counting({5, 6})}}; // two widths: no key fits that query
    complete_inputs(problem, 1, true);
    QCOMPARE(problem.tensors.at("query"), counting({1, 1, 3, 4}));
    QCOMPARE(problem.tensors.at("key").dim(-1), 4);
    QCOMPARE(failure(problem), QString());
}

void InputsTest::starts_from_empty_tensors() {
    for (const auto& shape : {Shape{0, 4}, Shape{3, 0}, Shape{2, 0, 0}, Shape{5}, Shape{}, Shape{1, 1, 1, 1, 1}})
        for (const auto& mechanism : mechanisms()) {
            auto problem = of_variant(mechanism.id);
            for (const auto* name : {"x", "context", "query", "key", "value"})
                problem.tensors.emplace(name, Tensor(shape));
            for (const auto& input : mechanism.inputs) // it must make the inputs that it reads itself
                problem.tensors.erase(std::string(input.name));
            complete_inputs(problem, 1, true);
            QCOMPARE(failure(problem), QString());
        }
}

void InputsTest::makes_one_input_that_fits_the_others() {
    auto problem = dot_problem(2, 4, 2, 3, 6, 5, 7);
    const auto& mask = mask_kind("attn_mask").inputs.front();
    QCOMPARE(make_input(problem, mask, 1).shape(), Shape({3, 6}));
    QCOMPARE(make_input(problem, mask, 1).dtype(), DType::Bool);
    problem.tensors.erase("value");
    for (const auto& input : mechanism_of("scaled_dot_product").inputs)
        if (input.name == "value")
            QCOMPARE(make_input(problem, input, 1).shape(), Shape({2, 2, 6, 5}));
    const auto& lens = mask_kind("valid_lens").inputs.front();
    QCOMPARE(make_input(problem, lens, 1), Tensor({2}, 6.0, DType::Int64));
}

void InputsTest::draws_differ_by_input_and_seed() {
    const auto one = fresh_problem("scaled_dot_product", 1), same = fresh_problem("scaled_dot_product", 1),
               other = fresh_problem("scaled_dot_product", 2);
    QVERIFY(one.tensors == same.tensors);
    QVERIFY(!(one.tensors.at("query") == other.tensors.at("query")));
    QVERIFY(!(one.tensors.at("query") == one.tensors.at("key")));
}

ATTNLAB_TEST(InputsTest)
#include "test_inputs.moc"
