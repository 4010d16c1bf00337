#include "core/mechanisms.h"
#include "core/random.h"
#include "core/stages/decay.h"
#include "core/stages/gradients.h"
#include "core/stages/mask.h"
#include "core/stages/normaliser.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "tests/core/engine_support.h"
#include "tests/test_main.h"

#include <algorithm>
#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

double loss(const Tensor& output, const Tensor& upstream) {
    double sum = 0.0;
    for (std::size_t k = 0; k < output.values().size(); ++k)
        sum += output.values()[k] * upstream.values()[k];
    return sum;
}

Tensor nudged(Tensor tensor, std::size_t at, double by) {
    tensor.mutable_values()[at] += by;
    return tensor;
}

struct Sizes {
    std::int64_t B, H, Hkv, L, S, E, Ev;
};

AttentionProblem plain(const Sizes& n) {
    AttentionProblem problem;
    problem.tensors = {{"query", random_normal({n.B, n.H, n.L, n.E}, 1)},
                       {"key", random_normal({n.B, n.Hkv, n.S, n.E}, 2)},
                       {"value", random_normal({n.B, n.Hkv, n.S, n.Ev}, 3)},
                       {"grad_output", random_normal({n.B, n.H, n.L, n.Ev}, 4)}};
    problem.spec.parameters.set("gradients", true);
    return problem;
}

/// As many queries as there are keys for, at most: with a decay each stands among the keys.
void fit_queries(AttentionProblem& problem, const Sizes& n) {
    if (n.L <= n.S)
        return;
    problem.tensors.insert_or_assign("query", random_normal({n.B, n.H, n.S, n.E}, 1));
    problem.tensors.insert_or_assign("grad_output", random_normal({n.B, n.H, n.S, n.Ev}, 4));
}

struct Choice {
    const char* name;
    void (*make)(AttentionProblem&, const Sizes&);
};

const Choice choices[] = {
    {"as it is", [](AttentionProblem&, const Sizes&) {}},
    {"no scale", [](AttentionProblem& p, const Sizes&) { p.spec.scale = parse_scale("none"); }},
    {"temperature", [](AttentionProblem& p, const Sizes&) { p.spec.scale = parse_scale("temperature:0.7"); }},
    {"softcap", [](AttentionProblem& p, const Sizes&) { p.spec.scale = parse_scale("softcap:1.5"); }},
    {"scale after softmax", [](AttentionProblem& p, const Sizes&) { p.spec.scale_after_softmax = true; }},
    {"causal", [](AttentionProblem& p, const Sizes&) { p.spec.masks = {parse_mask("causal")}; }},
    {"window and fill",
     [](AttentionProblem& p, const Sizes&) {
         p.spec.masks = {parse_mask("window:1")};
         p.spec.mask_fill.value = -2.0;
     }},
    {"added fill",
     [](AttentionProblem& p, const Sizes&) {
         p.spec.masks = {parse_mask("causal")};
         p.spec.mask_fill = {-2.0, MaskFill::Mode::Add};
     }},
    {"bias",
     [](AttentionProblem& p, const Sizes& n) {
         p.spec.masks = {parse_mask("attn_bias")};
         p.tensors.emplace("attn_bias", random_normal({n.L, n.S}, 5));
     }},
    {"dropout",
     [](AttentionProblem& p, const Sizes&) {
         p.spec.parameters.set("dropout", 0.4);
         p.spec.parameters.set("seed", std::int64_t{3});
     }},
    {"alibi", [](AttentionProblem& p, const Sizes&) { p.spec.position = parse_position("alibi"); }},
    {"rope", [](AttentionProblem& p, const Sizes&) { p.spec.position = parse_position("rope"); }},
    {"softmax1", [](AttentionProblem& p, const Sizes&) { p.spec.normaliser = parse_normaliser("softmax1"); }},
    {"sigmoid, causal",
     [](AttentionProblem& p, const Sizes&) {
         p.spec.normaliser = parse_normaliser("sigmoid");
         p.spec.masks = {parse_mask("causal")};
     }},
    {"relu", [](AttentionProblem& p, const Sizes&) { p.spec.normaliser = parse_normaliser("relu:0.7"); }},
    {"sparsemax", [](AttentionProblem& p, const Sizes&) { p.spec.normaliser = parse_normaliser("sparsemax"); }},
    {"sparsemax, scale after it",
     [](AttentionProblem& p, const Sizes&) {
         p.spec.normaliser = parse_normaliser("sparsemax");
         p.spec.scale_after_softmax = true;
     }},
    {"entmax", [](AttentionProblem& p, const Sizes&) { p.spec.normaliser = parse_normaliser("entmax"); }},
    {"entmax of 1.25", [](AttentionProblem& p, const Sizes&) { p.spec.normaliser = parse_normaliser("entmax:1.25"); }},
    {"entmax of 1", [](AttentionProblem& p, const Sizes&) { p.spec.normaliser = parse_normaliser("entmax:1"); }},
    {"none", [](AttentionProblem& p, const Sizes&) { p.spec.normaliser = parse_normaliser("none"); }},
    {"retention",
     [](AttentionProblem& p, const Sizes& n) {
         p.spec.decay = parse_decay("retention:0.8");
         p.spec.query_offset = std::max<std::int64_t>(0, n.S - n.L);
         fit_queries(p, n);
     }},
    {"retention without normaliser, scale after it",
     [](AttentionProblem& p, const Sizes& n) {
         p.spec.normaliser = parse_normaliser("none");
         p.spec.decay = parse_decay("retention");
         p.spec.scale_after_softmax = true;
         fit_queries(p, n);
     }},
    {"forget gate, relu",
     [](AttentionProblem& p, const Sizes& n) {
         p.spec.normaliser = parse_normaliser("relu");
         p.spec.decay = parse_decay("forget");
         p.tensors.emplace("forget_gate", random_normal({n.B, n.H, n.S}, 6));
         fit_queries(p, n);
     }},
};

const std::pair<const char*, Sizes> shapes[] = {{"square", {1, 1, 1, 4, 4, 4, 3}},
                                                {"heads", {2, 2, 2, 3, 5, 4, 2}},
                                                {"shared keys", {1, 4, 2, 4, 4, 2, 3}},
                                                {"one key", {1, 2, 1, 3, 1, 2, 2}}};

/// Compares stage grad_<name> with central differences of the loss over tensor `name`.
void compare(const AttentionProblem& problem, const std::string& name, const char* output, const Tensor& upstream) {
    const auto trace = run(problem);
    const Stage* made = trace.find("grad_" + name);
    QVERIFY(made);
    const auto& tensor = problem.tensors.at(name);
    QCOMPARE(made->value.size(), tensor.size());
    constexpr double step = 1e-5;
    auto silent = problem;
    silent.spec.parameters.erase("gradients");
    silent.tensors.erase("grad_output");
    for (std::size_t k = 0; k < tensor.values().size(); ++k) {
        const auto at = [&](double by) {
            silent.tensors.insert_or_assign(name, nudged(tensor, k, by));
            return loss(run(silent).find(output)->value, upstream);
        };
        const double expected = (at(step) - at(-step)) / (2.0 * step);
        QVERIFY2(std::abs(made->value.values()[k] - expected) < 1e-7 * (1.0 + std::abs(expected)),
                 qPrintable(QString("%1[%2]: %3, expected %4")
                                .arg(QString::fromStdString(name))
                                .arg(k)
                                .arg(made->value.values()[k], 0, 'g', 12)
                                .arg(expected, 0, 'g', 12)));
    }
}

} // namespace

class GradientsTest : public QObject {
    Q_OBJECT
private slots:
    void central_differences_data() {
        QTest::addColumn<int>("choice");
        QTest::addColumn<int>("shape");
        for (int c = 0; c < static_cast<int>(std::size(choices)); ++c)
            for (int s = 0; s < static_cast<int>(std::size(shapes)); ++s)
                QTest::addRow("%s, %s", choices[c].name, shapes[s].first) << c << s;
    }
    void central_differences() {
        QFETCH(int, choice);
        QFETCH(int, shape);
        auto problem = plain(shapes[shape].second);
        choices[choice].make(problem, shapes[shape].second);
        for (const auto* name : {"query", "key", "value"})
            compare(problem, name, "output", problem.tensors.at("grad_output"));
    }

    void of_other_scores_data() {
        QTest::addColumn<QString>("variant");
        QTest::addColumn<QString>("scale");
        for (const auto* variant : {"additive", "bilinear", "gaussian_kernel", "vector_sum", "concat", "concat_tanh"})
            QTest::newRow(variant) << variant << "temperature:0.7";
        QTest::newRow("cosine") << "scaled_dot_product"
                                << "pre_norm:0.3";
        QTest::newRow("root mean square") << "scaled_dot_product"
                                          << "qk_norm";
        QTest::newRow("cosine of additive rows") << "additive"
                                                 << "pre_norm:0.3";
    }
    void of_other_scores() {
        QFETCH(QString, variant);
        QFETCH(QString, scale);
        auto problem = plain({2, 2, 1, 3, 4, 3, 2});
        problem.spec.variant = variant.section('_', 0, 0) == "concat" ? "concat" : variant.toStdString();
        problem.spec.scale = parse_scale(scale.toStdString());
        problem.spec.masks = {parse_mask("causal")};
        problem.spec.mask_fill.value = -1.5;
        const std::map<std::string, TensorMap> weights = {
            {"additive",
             {{"additive_w_q", random_normal({3, 5}, 11)},
              {"additive_w_k", random_normal({3, 5}, 12)},
              {"additive_v", random_normal({5}, 13)},
              {"additive_b", random_normal({5}, 14)}}},
            {"bilinear", {{"bilinear_w", random_normal({3, 3}, 15)}}},
            {"vector_sum", {{"sum_w", random_normal({3}, 16)}}},
            {"concat", {{"concat_w", random_normal({6}, 17)}}},
            {"concat_tanh", {{"concat_w", random_normal({5, 6}, 18)}, {"concat_v", random_normal({5}, 19)}}}};
        if (const auto found = weights.find(variant.toStdString()); found != weights.end())
            problem.tensors.insert(found->second.begin(), found->second.end());
        if (scale == "qk_norm")
            problem.tensors.emplace("query_gain", random_normal({3}, 20));
        for (const auto* name : {"query", "key", "value"})
            compare(problem, name, "output", problem.tensors.at("grad_output"));
    }

    void of_projected_rows_data() {
        QTest::addColumn<QString>("variant");
        for (const auto* variant : {"self", "causal", "cross"})
            QTest::newRow(variant) << variant;
    }
    /// dW_v = Xᵀ dV and so on: the gradients of the rows, taken on to the weights, are those of the loss.
    void of_projected_rows() {
        QFETCH(QString, variant);
        AttentionProblem problem;
        problem.spec.variant = variant.toStdString();
        problem.tensors = {{"x", random_normal({4, 5}, 1)},   {"context", random_normal({3, 5}, 2)},
                           {"w_q", random_normal({5, 2}, 3)}, {"w_k", random_normal({5, 2}, 4)},
                           {"w_v", random_normal({5, 3}, 5)}, {"grad_output", random_normal({4, 3}, 6)}};
        if (variant != "cross")
            problem.tensors.erase("context");
        check_weights(problem, {{"w_q", "query"}, {"w_k", "key"}, {"w_v", "value"}});
    }

    void of_heads_data() {
        QTest::addColumn<QString>("variant");
        QTest::addColumn<int>("key_heads");
        QTest::addColumn<bool>("mixed");
        QTest::newRow("multi_head") << "multi_head" << 4 << true;
        QTest::newRow("multi_head without w_o") << "multi_head" << 4 << false;
        QTest::newRow("multi_query") << "multi_query" << 1 << true;
        QTest::newRow("grouped_query") << "grouped_query" << 2 << true;
    }
    void of_heads() {
        QFETCH(QString, variant);
        QFETCH(int, key_heads);
        QFETCH(bool, mixed);
        AttentionProblem problem;
        problem.spec.variant = variant.toStdString();
        problem.spec.parameters.set("num_heads", std::int64_t{4});
        if (variant == "grouped_query")
            problem.spec.parameters.set("num_kv_heads", std::int64_t{2});
        problem.tensors = {{"x", random_normal({3, 5}, 1)},
                           {"w_q", random_normal({5, 8}, 3)},
                           {"w_k", random_normal({5, 2 * key_heads}, 4)},
                           {"w_v", random_normal({5, 3 * key_heads}, 5)},
                           {"grad_output", random_normal({3, mixed ? 6 : 12}, 6)}};
        if (mixed)
            problem.tensors.emplace("w_o", random_normal({12, 6}, 7));
        check_weights(problem, {{"w_q", "query"}, {"w_k", "key"}, {"w_v", "value"}});
    }

    void blocked_keys_pass_nothing_on() {
        auto problem = plain({1, 1, 1, 3, 3, 2, 2});
        problem.spec.masks = {parse_mask("causal")};
        auto value = problem.tensors.at("value");
        value.mutable_values()[4] = std::nan(""); // of the last key
        problem.tensors.insert_or_assign("value", value);
        const auto trace = run(problem);
        for (std::size_t i = 0; i < 2; ++i) // queries before it
            for (std::size_t c = 0; c < 2; ++c)
                QVERIFY(std::isfinite(trace.find("grad_query")->value.values()[2 * i + c]));
        QCOMPARE(trace.find("grad_scores")->value.values()[1], 0.0);
    }

    void is_off_by_default_and_ones_without_upstream() {
        auto problem = plain({1, 1, 1, 3, 3, 2, 2});
        problem.tensors.erase("grad_output");
        const auto trace = run(problem);
        for (const double slope : trace.find("grad_output")->value.values())
            QCOMPARE(slope, 1.0);
        problem.spec.parameters = {};
        QVERIFY(!run(problem).find("grad_output"));
    }

    void refuses_data() {
        QTest::addColumn<QString>("scale");
        QTest::addColumn<QString>("message");
        QTest::newRow("score_norm") << "score_norm"
                                    << "gradients with the scale score_norm";
        QTest::newRow("rounding") << ""
                                  << "gradients with rounding";
        QTest::newRow("shape") << "none"
                               << "grad_output: has shape (1, 1, 3, 1)";
    }
    void refuses() {
        QFETCH(QString, scale);
        QFETCH(QString, message);
        auto problem = plain({1, 1, 1, 3, 3, 2, 2});
        if (scale.isEmpty())
            problem.spec.rounding = Rounding{};
        else
            problem.spec.scale = parse_scale(scale.toStdString());
        if (scale == "none")
            problem.tensors.insert_or_assign("grad_output", Tensor({1, 1, 3, 1}));
        const auto issues = issues_in(problem);
        QCOMPARE(issues.size(), std::size_t{1});
        QVERIFY2(QString::fromStdString(issues[0].english()).contains(message), issues[0].english().c_str());
    }

private:
    /// By central differences over weights, against Xᵀ times the gradient of the rows that they make.
    void check_weights(AttentionProblem problem, const std::map<std::string, std::string>& rows) {
        problem.spec.parameters.set("gradients", true);
        const auto trace = run(problem);
        const auto upstream = problem.tensors.at("grad_output");
        auto silent = problem;
        silent.spec.parameters.erase("gradients");
        silent.tensors.erase("grad_output");
        for (const auto& [weight, row] : rows) {
            const auto& w = problem.tensors.at(weight);
            const auto& from = row != "query" && problem.tensors.contains("context") ? problem.tensors.at("context")
                                                                                     : problem.tensors.at("x");
            const auto& slope = trace.find("grad_" + row)->value; // (1,H,n,E)
            const auto n = slope.dim(2), E = slope.dim(3);
            for (std::int64_t d = 0; d < w.dim(0); ++d)
                for (std::int64_t c = 0; c < w.dim(1); ++c) {
                    double made = 0.0;
                    for (std::int64_t i = 0; i < n; ++i)
                        made += from.data()[i * w.dim(0) + d] * slope.data()[(c / E * n + i) * E + c % E];
                    const auto at = [&, &changed = weight](double by) {
                        silent.tensors.insert_or_assign(changed,
                                                        nudged(w, static_cast<std::size_t>(d * w.dim(1) + c), by));
                        return loss(run(silent).find("output")->value, upstream);
                    };
                    constexpr double step = 1e-5;
                    const double expected = (at(step) - at(-step)) / (2.0 * step);
                    QVERIFY2(std::abs(made - expected) < 1e-6 * (1.0 + std::abs(expected)),
                             qPrintable(QString("%1: %2, expected %3")
                                            .arg(QString::fromStdString(weight))
                                            .arg(made)
                                            .arg(expected)));
                }
            silent.tensors.insert_or_assign(weight, w);
        }
    }
};

ATTNLAB_TEST(GradientsTest)
#include "test_gradients.moc"
