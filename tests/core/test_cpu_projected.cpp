// Mechanisms with projections, by the cpu backend, compared with the float64 reference.
#include "core/flash/cpu_backend.h"
#include "core/map/row_problem.h"
#include "core/mechanisms.h"
#include "core/stages/scale.h"
#include "flash_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

/// Float32 rounding of queries, keys and values of size 1 to 5, of scores and of sums.
constexpr double tolerance = 5e-6;

Tensor numbers(Shape shape, std::uint64_t seed, double size = 1.0) {
    auto tensor = random_normal(std::move(shape), seed);
    for (double& value : tensor.mutable_values())
        value *= size;
    return tensor;
}

struct Case {
    const char* name;
    /// Sets the variant and its arrays for the sizes: H query heads, Hkv key heads of width E.
    void (*apply)(AttentionProblem&, const Sizes&);
};

void weights(AttentionProblem& p, std::int64_t D, std::int64_t q, std::int64_t k, std::int64_t v) {
    p.tensors["w_q"] = numbers({D, q}, 21, 0.4);
    p.tensors["w_k"] = numbers({D, k}, 22, 0.4);
    p.tensors["w_v"] = numbers({D, v}, 23, 0.4);
}

void add_heads(AttentionProblem& p, const Sizes& s, const char* variant, std::int64_t key_heads) {
    p.spec.variant = variant;
    p.spec.parameters.set("num_heads", s.H);
    p.tensors["x"] = numbers({s.B, s.L, 6}, 20);
    p.tensors["context"] = numbers({s.B, s.S, 6}, 24);
    weights(p, 6, s.H * s.E, key_heads * s.E, key_heads * s.Ev);
}

void add_rest(AttentionProblem& p, const Sizes& s, std::int64_t key_heads) {
    p.tensors["w_o"] = numbers({s.H * s.Ev, 5}, 25, 0.3);
    p.tensors["b_q"] = numbers({s.H * s.E}, 26);
    p.tensors["b_k"] = numbers({key_heads * s.E}, 27);
    p.tensors["b_v"] = numbers({key_heads * s.Ev}, 28);
    p.tensors["b_o"] = numbers({5}, 29);
}

const Case cases[] = {
    {"flash",
     [](AttentionProblem& p, const Sizes& s) {
         p.spec.variant = "flash";
         p.tensors = dot_problem(s.B, s.H, s.Hkv, s.L, s.S, s.E, s.Ev).tensors;
     }},
    {"self",
     [](AttentionProblem& p, const Sizes& s) {
         p.spec.variant = "self";
         p.tensors["x"] = numbers({s.B, s.L, 6}, 20);
         weights(p, 6, s.E, s.E, s.Ev);
     }},
    {"self of two axes",
     [](AttentionProblem& p, const Sizes& s) {
         p.spec.variant = "self";
         p.tensors["x"] = numbers({s.L, 6}, 20);
         weights(p, 6, s.E, s.E, s.Ev);
     }},
    {"causal",
     [](AttentionProblem& p, const Sizes& s) {
         p.spec.variant = "causal";
         p.tensors["x"] = numbers({s.B, s.L, 6}, 20);
         weights(p, 6, s.E, s.E, s.Ev);
     }},
    {"cross",
     [](AttentionProblem& p, const Sizes& s) {
         p.spec.variant = "cross";
         p.tensors["x"] = numbers({s.B, s.L, 6}, 20);
         p.tensors["context"] = numbers({s.B, s.S, 6}, 24);
         weights(p, 6, s.E, s.E, s.Ev);
     }},
    {"multi_head", [](AttentionProblem& p, const Sizes& s) { add_heads(p, s, "multi_head", s.H); }},
    {"multi_head with w_o and biases",
     [](AttentionProblem& p, const Sizes& s) {
         add_heads(p, s, "multi_head", s.H);
         add_rest(p, s, s.H);
     }},
    {"multi_query",
     [](AttentionProblem& p, const Sizes& s) {
         add_heads(p, s, "multi_query", 1);
         add_rest(p, s, 1);
         p.tensors["bias_k"] = numbers({s.E}, 30); // of another mechanism: not read
     }},
    {"grouped_query",
     [](AttentionProblem& p, const Sizes& s) {
         add_heads(p, s, "grouped_query", s.Hkv);
         p.spec.parameters.set("num_kv_heads", s.Hkv);
         add_rest(p, s, s.Hkv);
     }},
};

/// The sizes adapted to a case: mechanisms with one sequence have S = L, those without heads H = 1.
Sizes sizes_for(const Case& c, Sizes s) {
    const QLatin1String name(c.name);
    if (name.startsWith(QLatin1String("self")) || name == QLatin1String("causal"))
        s.S = s.L;
    if (name.startsWith(QLatin1String("self")) || name == QLatin1String("causal") || name == QLatin1String("cross"))
        s.H = s.Hkv = 1;
    if (name == QLatin1String("self of two axes"))
        s.B = 1;
    return s;
}

const Sizes shapes[] = {
    {1, 1, 1, 1, 1, 1, 1}, {2, 4, 2, 37, 53, 3, 2}, {1, 6, 3, 70, 21, 17, 5}, {2, 2, 1, 3, 600, 8, 9}};

QString refusal_of(const AttentionProblem& problem) {
    const auto why = cpu_backend().why_not(problem);
    return why ? QString::fromStdString(why->english()) : QString();
}

} // namespace

class TestCpuProjected : public QObject {
    Q_OBJECT
private slots:
    void equalsReference_data() {
        QTest::addColumn<int>("index");
        QTest::addColumn<int>("mask");
        QTest::addColumn<int>("shape");
        for (int c = 0; c < static_cast<int>(std::size(cases)); ++c)
            for (int m = 0; m < static_cast<int>(std::size(mask_cases)); ++m)
                for (int s = 0; s < static_cast<int>(std::size(shapes)); ++s)
                    QTest::addRow("%s, %s, %s", cases[c].name, mask_cases[m].name, qPrintable(text_of(shapes[s])))
                        << c << m << s;
    }

    void equalsReference() {
        QFETCH(int, index);
        QFETCH(int, mask);
        QFETCH(int, shape);
        const auto s = sizes_for(cases[index], shapes[shape]);
        AttentionProblem problem;
        cases[index].apply(problem, s);
        mask_cases[mask].apply(problem, s);
        const auto expected = run(problem);
        QCOMPARE(refusal_of(problem), QString());
        const auto got = cpu_backend().run(problem, {});
        for (const auto& made : got.stages) {
            const auto differs = difference(made.value, stage(expected, made.name.c_str()), tolerance);
            QVERIFY2(differs.isEmpty(), qPrintable(QString::fromStdString(made.name) + ": " + differs));
            QCOMPARE(made.axes, expected.find(made.name)->axes);
        }
        QVERIFY(got.find("output") && got.find("lse"));
        QCOMPARE(got.find("head_output") != nullptr, expected.find("head_output") != nullptr);
        QCOMPARE(has_note(got, "Key/value cache"), has_note(expected, "Key/value cache"));
    }

    void scales_data() {
        QTest::addColumn<QString>("scale");
        for (const auto* scale : {"none", "dk", "pre_norm", "long_sequence", "custom:-0.3"})
            QTest::newRow(scale) << QString(scale);
    }

    void scales() {
        QFETCH(QString, scale);
        AttentionProblem problem;
        add_heads(problem, {1, 4, 2, 20, 30, 5, 6}, "grouped_query", 2);
        problem.spec.scale = parse_scale(scale.toStdString());
        const auto expected = run(problem), got = cpu_backend().run(problem, {});
        const auto differs = difference(stage(got, "output"), stage(expected, "output"), tolerance);
        QVERIFY2(differs.isEmpty(), qPrintable(differs));
    }

    void refuses_data() {
        QTest::addColumn<int>("choice");
        QTest::addColumn<QString>("says");
        QTest::newRow("nothing") << 0 << "";
        QTest::newRow("zero key") << 1 << "appends no keys; the problem has bias_k or add_zero_attn";
        QTest::newRow("bias key") << 2 << "bias_k";
        QTest::newRow("dropout") << 3 << "dropout";
        QTest::newRow("projection beyond float32") << 4 << "values up to";
        QTest::newRow("missing") << 5 << "w_k";
        QTest::newRow("missing but not read") << 6 << "";
    }

    void refuses() {
        QFETCH(int, choice);
        QFETCH(QString, says);
        AttentionProblem problem;
        add_heads(problem, {1, 2, 2, 4, 5, 3, 2}, "multi_head", 2);
        if (choice == 1)
            problem.spec.parameters.set("add_zero_attn", true);
        else if (choice == 2) {
            problem.spec.parameters.set("add_bias_kv", true);
            problem.tensors["bias_k"] = numbers({6}, 1);
            problem.tensors["bias_v"] = numbers({4}, 2);
        } else if (choice == 3)
            problem.spec.parameters.set("dropout", 0.5);
        else if (choice == 4)
            problem.tensors["w_q"].mutable_values()[0] = problem.tensors["x"].mutable_values()[0] = 1e20;
        else if (choice == 5)
            problem.tensors.erase("w_k");
        else if (choice == 6)
            problem.tensors.erase("context");
        const auto why = refusal_of(problem);
        QVERIFY2(says.isEmpty() ? why.isEmpty() : why.contains(says), qPrintable(why));
        if (!says.isEmpty() && choice != 4)
            QVERIFY_THROWS_EXCEPTION(Error, cpu_backend().run(problem, {}));
    }

    void autoTakesLargeOnes() {
        AttentionProblem problem;
        add_heads(problem, {1, 2, 1, 3000, 3000, 2, 2}, "multi_query", 1);
        const Backend* const both[] = {&reference_backend(), &cpu_backend()};
        const auto computed = compute(problem, both);
        QVERIFY(QString::fromStdString(computed.backend).startsWith("cpu"));
        QCOMPARE(stage(computed.trace, "output").shape(), (Shape{1, 3000, 4}));
    }

    void torchNames() {
        AttentionProblem problem;
        problem.spec.variant = "multi_head";
        problem.tensors = {{"x", numbers({1, 9, 6}, 1)},
                           {"in_proj_weight", numbers({18, 6}, 2, 0.4)},
                           {"in_proj_bias", numbers({18}, 3)},
                           {"out_proj.weight", numbers({6, 6}, 4, 0.4)}};
        const auto expected = run(problem), got = cpu_backend().run(problem, {});
        const auto differs = difference(stage(got, "output"), stage(expected, "output"), tolerance);
        QVERIFY2(differs.isEmpty(), qPrintable(differs));
    }

    /// Rows that float32 would round to 0, or nearly, have a direction.
    void normalisesBeforeRounding() {
        for (const double size : {1e-42, 1e-200}) {
            AttentionProblem problem;
            add_heads(problem, {1, 2, 2, 9, 40, 5, 3}, "multi_head", 2);
            for (double& number : problem.tensors["w_k"].mutable_values())
                number *= size;
            problem.tensors["context"].set({0, 7, 1}, infinity); // infinite: has none
            problem.spec.scale = parse_scale("pre_norm:0.1");
            add_mask(problem, "valid_lens");
            problem.tensors["valid_lens"] = Tensor({1}, 7.0);
            const auto expected = run(problem), got = cpu_backend().run(problem, {});
            const auto differs = difference(stage(got, "output"), stage(expected, "output"), tolerance);
            QVERIFY2(differs.isEmpty(), qPrintable(differs));
        }
    }

    /// Maps and rows of projected problems.
    void maps_data() {
        QTest::addColumn<int>("index");
        for (int c = 0; c < static_cast<int>(std::size(cases)); ++c)
            QTest::newRow(cases[c].name) << c;
    }

    void maps() {
        QFETCH(int, index);
        const auto s = sizes_for(cases[index], {2, 4, 2, 37, 53, 3, 2});
        AttentionProblem problem;
        cases[index].apply(problem, s);
        add_mask(problem, "window:20");
        const auto expected = run(problem);
        const auto batch = s.B - 1, head = s.H - 1, row = s.L - 2;
        const AttentionMap map(std::make_shared<const MapInputs>(problem), batch, head);
        std::vector<float> got(static_cast<std::size_t>(s.S));
        map.weights({row, row + 1, 0, s.S}, got.data());
        const auto& weights = stage(expected, "weights");
        for (std::int64_t j = 0; j < s.S; ++j) {
            const double value = got[static_cast<std::size_t>(j)];
            QVERIFY(close(std::isnan(value) ? 0.0 : value, weights.at({batch, head, row, j}), tolerance));
        }
        const auto by_itself = run(RowProblems(problem).row(map, batch, head, row));
        const auto& name = expected.find("head_output") ? "head_output" : "output";
        for (std::int64_t c = 0; c < s.Ev; ++c)
            QVERIFY(close(stage(by_itself, "output").at({0, 0, 0, c}), stage(expected, name).at({batch, head, row, c}),
                          tolerance));
    }
};

ATTNLAB_TEST(TestCpuProjected)
#include "test_cpu_projected.moc"
