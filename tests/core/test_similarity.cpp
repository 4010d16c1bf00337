// The stage `similarity`: products of outputs.
#include "core/code/code.h"
#include "core/stages/mask.h"
#include "core/stages/scale.h"
#include "core/verify/grade.h"
#include "tests/core/engine_support.h"
#include "tests/test_main.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace attnlab;
using namespace attnlab::test;

namespace {

AttentionProblem sentence(const Tensor& rows) {
    AttentionProblem problem;
    problem.tensors = {{"query", rows}, {"key", rows}, {"value", rows}};
    problem.spec.scale = parse_scale("sqrt_dk");
    problem.spec.scale_after_softmax = true;
    problem.spec.parameters.set("similarity", true);
    return problem;
}

Tensor sum_of_products(const Tensor& output) {
    auto shape = output.shape();
    const auto L = shape[shape.size() - 2], width = shape.back();
    shape.back() = L;
    Tensor result(shape);
    const auto out = result.mutable_values();
    for (std::size_t k = 0; k < out.size(); ++k) {
        const auto cell = static_cast<std::int64_t>(k);
        const auto o = matrix_at(output, cell / (L * L));
        const auto i = cell / L % L, j = cell % L;
        for (std::int64_t c = width - 1; c >= 0; --c)
            out[k] += o(i, c) * o(j, c);
    }
    return result;
}

} // namespace

class SimilarityTest : public QObject {
    Q_OBJECT
private slots:
    /// The numbers printed beside a widely copied example: cat, milk, it and sweet or hungry.
    void has_the_printed_numbers() {
        const auto rounded = [](double value) { return std::round(value * 100.0) / 100.0; };
        const auto sweet = run(sentence(Tensor({4, 4}, {0, 2, 2, 0, 0, 1, 3, 0, 0, 2, 2, 0, 0, 0, 4, 0})));
        const auto hungry = run(sentence(Tensor({4, 4}, {0, 2, 2, 0, 0, 1, 3, 0, 0, 2, 2, 0, 0, 4, 0, 0})));
        const auto of = [&](const Trace& trace, std::int64_t j) {
            return rounded(stage(trace, "similarity").at({0, 0, 2, j}));
        };
        QCOMPARE(of(sweet, 1), 2.68);
        QCOMPARE(of(sweet, 0), 2.28);
        QCOMPARE(of(hungry, 1), 1.90);
        QCOMPARE(of(hungry, 0), 2.03);
    }

    void compares_rows_of_one_head_and_sequence() {
        AttentionProblem problem;
        problem.tensors = {{"query", random_normal({2, 3, 5, 4}, 1)},
                           {"key", random_normal({2, 3, 7, 4}, 2)},
                           {"value", random_normal({2, 3, 7, 6}, 3)}};
        problem.spec.parameters.set("similarity", true);
        const auto trace = run(problem);
        const auto* made = trace.find("similarity");
        QVERIFY(made);
        QCOMPARE(difference(made->value, sum_of_products(stage(trace, "output")), 1e-12), QString());
        QCOMPARE(made->value.shape(), (Shape{2, 3, 5, 5}));
        QVERIFY(made->axes == (std::vector<Axis>{Axis::Batch, Axis::Head, Axis::Query, Axis::Query}));
    }

    /// Every mechanism that has the parameter, also one whose heads are joined.
    void every_mechanism_with_the_parameter_has_it() {
        int count = 0;
        for (const auto& mechanism : mechanisms()) {
            const auto has = [](const Parameter& parameter) { return parameter.name == "similarity"; };
            if (std::ranges::none_of(mechanism.parameters, has))
                continue;
            AttentionProblem problem;
            problem.spec.variant = mechanism.id;
            complete_inputs(problem, 5);
            QVERIFY2(!run(problem).find("similarity"), problem.spec.variant.c_str());
            problem.spec.parameters.set("similarity", true);
            const auto trace = run(problem);
            const auto* made = trace.find("similarity");
            QVERIFY2(made, problem.spec.variant.c_str());
            QCOMPARE(difference(made->value, sum_of_products(stage(trace, "output")), 1e-12), QString());
            ++count;
        }
        QCOMPARE(count, 14);
    }

    /// Known mistakes and NaN are looked for, although its columns are no keys.
    void is_graded() {
        auto problem = sentence(random_normal({3, 2}, 1));
        problem.tensors["key"] = random_normal({7, 2}, 2);
        problem.tensors["value"] = random_normal({7, 2}, 3);
        problem.spec.scale_after_softmax = false;
        const auto trace = run(problem);
        auto wrong = problem;
        wrong.spec.scale = parse_scale("none");
        const auto unscaled =
            verify::grade(problem, trace, "similarity", stage(run(wrong), "similarity"), "mine", 1e-6);
        QVERIFY(std::ranges::find(unscaled.explanations, "scale_missing", &verify::Explanation::id) !=
                unscaled.explanations.end());
        auto nan = stage(trace, "similarity");
        nan.set({0, 0, 1, 2}, std::nan(""));
        QCOMPARE(verify::grade(problem, trace, "similarity", nan, "mine", 1e-6).differing, 1);
    }

    void is_refused_before_it_needs_too_much_memory() {
        AttentionProblem problem; // one key, so that the scores are small
        problem.tensors = {{"query", random_normal({400, 2}, 1)},
                           {"key", random_normal({1, 2}, 2)},
                           {"value", random_normal({1, 2}, 3)}};
        RunControl control;
        control.memory_limit = 400 * 400 * 8 - 1;
        QVERIFY(!run(problem, control).find("similarity"));
        problem.spec.parameters.set("similarity", true);
        QVERIFY_THROWS_EXCEPTION(Error, run(problem, control));
    }

    void is_in_the_code() {
        const auto problem = sentence(Tensor({2, 2}, {1, 2, 3, 4}));
        QVERIFY(code::code_of(problem, code::Language::NumPy).find("similarity = output @ output.swapaxes(-1, -2)") !=
                std::string::npos);
        QVERIFY(code::code_of(problem, code::Language::Latex).find("o_i \\cdot o_j") != std::string::npos);
    }
};

ATTNLAB_TEST(SimilarityTest)
#include "test_similarity.moc"
