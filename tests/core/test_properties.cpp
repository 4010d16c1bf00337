#include "core/mechanisms.h"
#include "core/stages/mask.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "core/stages/softmax.h"
#include "tests/core/engine_support.h"
#include "tests/test_main.h"

#include <QTest>
#include <rapidcheck.h>

#include <numeric>

using namespace attnlab;
using namespace attnlab::test;

namespace {

/// Mechanisms that are one exact pass over every query and key, whose keys may be those of the queries' tokens.
std::vector<std::string> exact_variants() {
    std::vector<std::string> ids;
    for (const auto& mechanism : mechanisms())
        if (is_one_pass(mechanism) && mechanism.id != "cross")
            ids.emplace_back(mechanism.id);
    return ids;
}

const std::vector<std::string> positions = {"", "alibi", "t5", "rope"};

/// Scales that act on single scores; with the others, every score depends on masked keys.
std::vector<std::string> scales_by_cell() {
    std::vector<std::string> ids;
    for (const auto& mode : scale_modes())
        if (mode.factor || mode.cell)
            ids.emplace_back(mode.id);
    return ids;
}

std::vector<std::string> all_scales() {
    std::vector<std::string> ids;
    for (const auto& mode : scale_modes())
        ids.emplace_back(mode.id);
    return ids;
}

struct Sizes {
    std::int64_t B, L, S;
};

Sizes any_sizes() { return {*rc::gen::inRange(1, 3), *rc::gen::inRange(1, 7), *rc::gen::inRange(1, 7)}; }

std::uint64_t any_seed() { return *rc::gen::inRange<std::uint64_t>(1, 1'000'000); }

/// A mechanism over normal numbers. Those of one sequence use L tokens.
AttentionProblem problem_of(const std::string& variant_id, const Sizes& n, std::uint64_t seed) {
    AttentionProblem problem;
    problem.spec.variant = variant_id;
    const auto has = [&](const char* name) {
        return std::ranges::any_of(mechanism_of(variant_id).inputs,
                                   [&](const Input& input) { return input.name == name; });
    };
    if (has("query")) {
        problem.tensors = {{"query", random_normal({n.B, 2, n.L, 4}, seed)},
                           {"key", random_normal({n.B, 1, n.S, 4}, seed + 1)},
                           {"value", random_normal({n.B, 1, n.S, 3}, seed + 2)}};
    } else {
        problem.tensors["x"] = random_normal({n.B, n.L, 4}, seed);
        if (variant_id.starts_with("multi") || variant_id == "grouped_query") {
            problem.spec.parameters.set("num_heads", std::int64_t{2});
            if (variant_id == "grouped_query")
                problem.spec.parameters.set("num_kv_heads", std::int64_t{1});
        }
        problem.tensors["w_q"] = random_normal({4, problem.spec.parameters.all().empty() ? 4 : 8}, seed + 3);
    }
    return problem;
}

void complete(AttentionProblem& problem, std::uint64_t seed) {
    complete_inputs(problem, seed);
    const auto issues = issues_in(problem);
    if (!issues.empty())
        RC_FAIL(issues.front().english());
}

/// `tensor` with other numbers in rows from `from` on of the last but one axis.
Tensor changed_rows(const Tensor& tensor, std::int64_t from, std::uint64_t seed) {
    Tensor result = tensor;
    const auto other = random_normal(tensor.shape(), seed, 3.0, 5.0);
    const auto values = result.mutable_values();
    for (std::size_t k = 0; k < values.size(); ++k)
        if (static_cast<std::int64_t>(k) / tensor.dim(-1) % tensor.dim(-2) >= from)
            values[k] = other.values()[k];
    return result;
}

/// Row i of the result is row order[i] of the last but one axis.
Tensor permuted_rows(const Tensor& tensor, const std::vector<int>& order) {
    Tensor result = tensor;
    const auto values = result.mutable_values();
    const auto width = static_cast<std::size_t>(tensor.dim(-1)), rows = static_cast<std::size_t>(tensor.dim(-2));
    for (std::size_t k = 0; k < values.size(); ++k) {
        const auto row = k / width % rows;
        values[k] = tensor.values()[k + (static_cast<std::size_t>(order[row]) - row) * width];
    }
    return result;
}

Tensor times(const Tensor& tensor, double factor) {
    Tensor result = tensor;
    for (double& value : result.mutable_values())
        value *= factor;
    return result;
}

Tensor sum(const Tensor& a, const Tensor& b) {
    Tensor result = a;
    for (std::size_t k = 0; k < result.values().size(); ++k)
        result.mutable_values()[k] += b.values()[k];
    return result;
}

void require_equal(const Tensor& got, const Tensor& expected, double tolerance) {
    const auto wrong = difference(got, expected, tolerance);
    if (!wrong.isEmpty())
        RC_FAIL(wrong.toStdString());
}

const Tensor& last_output(const Trace& trace) { return stage(trace, "output"); }

} // namespace

/// Properties of every input, tested on random ones. A failure prints the smallest failing case found.
class PropertiesTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void rows_of_weights_are_distributions();
    void causal_outputs_ignore_what_follows();
    void the_order_of_keys_says_nothing_by_itself();
    void a_small_temperature_reads_the_best_key();
    void softmax_ignores_what_a_row_shares();
    void a_scale_is_a_scale_of_the_queries();
    void outputs_are_linear_in_the_values();
    void turning_keeps_lengths_and_distances();
    void tiles_change_nothing();
};

void PropertiesTest::initTestCase() {
    // The same cases in every run, unless others are requested.
    if (!qEnvironmentVariableIsSet("RC_PARAMS"))
        qputenv("RC_PARAMS", "seed=7 max_success=150");
}

void PropertiesTest::rows_of_weights_are_distributions() {
    QVERIFY(rc::check("every row of weights is a distribution, or 0 where no key is left", [] {
        const auto id = *rc::gen::elementOf(exact_variants());
        const auto n = any_sizes();
        const auto seed = any_seed();
        auto problem = problem_of(id, n, seed);
        problem.spec.scale.id = *rc::gen::elementOf(all_scales());
        problem.spec.position.id = *rc::gen::elementOf(positions);
        for (const char* mask : {"causal", "window", "key_padding", "attn_bias"})
            if (*rc::gen::arbitrary<bool>())
                problem.spec.masks.push_back({mask, {}});
        complete(problem, seed);
        const auto trace = run(problem);
        const auto& weights = stage(trace, "weights");
        const auto& lse = stage(trace, "lse");
        const auto S = static_cast<std::size_t>(weights.dim(-1));
        for (std::size_t row = 0; row < lse.values().size(); ++row) {
            const auto values = weights.values().subspan(row * S, S);
            const double total = std::accumulate(values.begin(), values.end(), 0.0);
            const double expected = lse.values()[row] == -infinity ? 0.0 : 1.0;
            RC_ASSERT(std::abs(total - expected) < 1e-12);
            RC_ASSERT(std::ranges::all_of(values, [](double weight) { return weight >= 0.0; }));
        }
    }));
}

void PropertiesTest::causal_outputs_ignore_what_follows() {
    QVERIFY(rc::check("a causal output does not change with the tokens after it", [] {
        const auto id = *rc::gen::elementOf(exact_variants());
        auto n = any_sizes();
        n.S = n.L;
        const auto seed = any_seed();
        auto problem = problem_of(id, n, seed);
        problem.spec.scale.id = *rc::gen::elementOf(scales_by_cell());
        problem.spec.position.id = *rc::gen::elementOf(positions);
        problem.spec.masks = {{"causal", {}}};
        complete(problem, seed);
        const auto first_changed = *rc::gen::inRange<std::int64_t>(0, n.L + 1);
        auto changed = problem;
        for (const char* name : {"x", "query", "key", "value"})
            if (const auto found = changed.tensors.find(name); found != changed.tensors.end())
                found->second = changed_rows(found->second, first_changed, seed + 9);
        const auto before = run(problem), after = run(changed);
        const auto &expected = last_output(before), &got = last_output(after);
        for (std::int64_t k = 0; k < expected.size(); ++k)
            if (k / expected.dim(-1) % n.L < first_changed)
                RC_ASSERT(got.data()[k] == expected.data()[k]);
    }));
}

void PropertiesTest::the_order_of_keys_says_nothing_by_itself() {
    QVERIFY(rc::check("keys may change places with their values and their padding", [] {
        const auto id = *rc::gen::elementOf(
            std::vector<std::string>{"scaled_dot_product", "bilinear", "additive", "concat", "gaussian_kernel"});
        const auto n = any_sizes();
        const auto seed = any_seed();
        auto problem = problem_of(id, n, seed);
        problem.spec.scale.id = *rc::gen::elementOf(all_scales());
        problem.spec.masks = {{"key_padding", {}}};
        complete(problem, seed);
        auto& padding = problem.tensors.at("key_padding_mask");
        for (double& value : padding.mutable_values())
            value = *rc::gen::arbitrary<bool>();
        std::vector<int> order(static_cast<std::size_t>(n.S));
        std::iota(order.begin(), order.end(), 0);
        const auto shuffled = *rc::gen::container<std::vector<int>>(order.size(), rc::gen::inRange(0, 1000));
        std::ranges::stable_sort(order, {}, [&](int j) { return shuffled[static_cast<std::size_t>(j)]; });
        auto permuted = problem;
        for (const char* name : {"key", "value"})
            permuted.tensors.at(name) = permuted_rows(permuted.tensors.at(name), order);
        permuted.tensors.at("key_padding_mask") =
            permuted_rows(padding.reshaped({n.B, n.S, 1}), order).reshaped({n.B, n.S});
        const auto before = run(problem), after = run(permuted);
        require_equal(last_output(after), last_output(before), 1e-10);
        require_equal(stage(after, "lse"), stage(before, "lse"), 1e-10);
    }));
}

void PropertiesTest::a_small_temperature_reads_the_best_key() {
    QVERIFY(rc::check("as the temperature goes to 0 the output is the value of the best key", [] {
        const auto n = any_sizes();
        auto problem = problem_of("scaled_dot_product", n, any_seed());
        problem.spec.scale = parse_scale("temperature:1e-6");
        const auto trace = run(problem);
        const auto &scores = stage(trace, "scores"), &value = problem.tensors.at("value"), &output = last_output(trace);
        for (std::int64_t b = 0; b < n.B; ++b)
            for (std::int64_t h = 0; h < 2; ++h)
                for (std::int64_t i = 0; i < n.L; ++i) {
                    const auto row = matrix_at(scores, b * 2 + h).row(i);
                    std::vector<double> sorted(row.begin(), row.end());
                    std::ranges::sort(sorted, std::greater());
                    if (sorted.size() > 1 && sorted[0] - sorted[1] < 1e-3)
                        continue; // too close to a tie
                    const auto best = std::ranges::max_element(row) - row.begin();
                    for (std::int64_t c = 0; c < 3; ++c)
                        RC_ASSERT(output.at({b, h, i, c}) == value.at({b, 0, best, c}));
                }
    }));
}

void PropertiesTest::softmax_ignores_what_a_row_shares() {
    QVERIFY(rc::check("a constant added to a row of scores moves its lse and no weight", [] {
        const auto n = any_sizes();
        const auto scores = times(random_normal({n.B, 1, n.L, n.S}, any_seed()), 4.0);
        const double shift = *rc::gen::inRange(-1000, 1000);
        Tensor moved = scores;
        for (double& score : moved.mutable_values())
            score += shift;
        const auto before = softmax_rows(scores), after = softmax_rows(moved);
        require_equal(after.weights, before.weights, 1e-11);
        for (std::size_t row = 0; row < before.lse.values().size(); ++row)
            RC_ASSERT(std::abs(after.lse.values()[row] - before.lse.values()[row] - shift) < 1e-10);
    }));
}

void PropertiesTest::a_scale_is_a_scale_of_the_queries() {
    QVERIFY(rc::check("custom:c gives what queries times c give, with any position that turns or adds", [] {
        const auto n = any_sizes();
        const auto seed = any_seed();
        const double factor = *rc::gen::inRange(-40, 41) / 8.0;
        auto scaled = problem_of("scaled_dot_product", n, seed);
        scaled.spec.position.id = *rc::gen::elementOf(positions);
        auto larger = scaled;
        scaled.spec.scale.id = "custom";
        scaled.spec.scale.parameters.set("c", factor);
        larger.spec.scale.id = "none";
        larger.tensors.at("query") = times(larger.tensors.at("query"), factor);
        complete(scaled, seed);
        complete(larger, seed);
        require_equal(last_output(run(larger)), last_output(run(scaled)), 1e-10);
    }));
}

void PropertiesTest::outputs_are_linear_in_the_values() {
    QVERIFY(rc::check("the output of 2 v + w is 2 output(v) + output(w)", [] {
        const auto id = *rc::gen::elementOf(
            std::vector<std::string>{"scaled_dot_product", "bilinear", "additive", "concat", "vector_sum"});
        const auto n = any_sizes();
        const auto seed = any_seed();
        auto first = problem_of(id, n, seed);
        first.spec.scale.id = *rc::gen::elementOf(all_scales());
        first.spec.position.id = *rc::gen::elementOf(positions);
        complete(first, seed);
        auto second = first, both = first;
        auto& value = first.tensors.at("value");
        second.tensors.at("value") = random_normal(value.shape(), seed + 5);
        both.tensors.at("value") = sum(times(value, 2.0), second.tensors.at("value"));
        require_equal(last_output(run(both)), sum(times(last_output(run(first)), 2.0), last_output(run(second))),
                      1e-11);
    }));
}

void PropertiesTest::turning_keeps_lengths_and_distances() {
    QVERIFY(rc::check("RoPE keeps lengths, and a dot product when both rows move on together", [] {
        AttentionSpec spec;
        spec.position = parse_position(*rc::gen::element<std::string>("rope", "rope:style=interleaved", "rope:7"));
        const auto position = effective_position(spec);
        const std::int64_t width = 2 * *rc::gen::inRange(1, 9);
        const std::int64_t i = *rc::gen::inRange(0, 5000), j = *rc::gen::inRange(0, 5000);
        const std::int64_t moved = *rc::gen::inRange(0, 5000);
        const auto seed = any_seed();
        const auto q = random_normal({1, 1, 1, width}, seed), k = random_normal({1, 1, 1, width}, seed + 1);
        const auto dot = [](const Tensor& a, const Tensor& b) {
            return std::inner_product(a.values().begin(), a.values().end(), b.values().begin(), 0.0);
        };
        const auto turned = rotated_rows(q, position, i);
        RC_ASSERT(std::abs(dot(turned, turned) - dot(q, q)) < 1e-12 * dot(q, q));
        const double near = dot(turned, rotated_rows(k, position, j));
        const double far = dot(rotated_rows(q, position, i + moved), rotated_rows(k, position, j + moved));
        RC_ASSERT(std::abs(near - far) < 1e-9);
    }));
}

void PropertiesTest::tiles_change_nothing() {
    for (const auto& mechanism : mechanisms()) {
        const auto has = [&](const char* name) {
            return std::ranges::any_of(mechanism.parameters, [&](const Parameter& p) { return p.name == name; });
        };
        if (!has("block_q") || !has("block_k"))
            continue;
        QVERIFY2(rc::check(std::string(mechanism.id) + ": the output is exact whatever the tiles",
                           [&] {
                               const auto n = any_sizes();
                               const auto seed = any_seed();
                               auto exact = problem_of("scaled_dot_product", n, seed);
                               if (*rc::gen::arbitrary<bool>() && !mechanism.refuses.masks)
                                   exact.spec.masks = {{"causal", {}}};
                               auto tiled = exact;
                               tiled.spec.variant = mechanism.id;
                               tiled.spec.parameters.set("block_q", *rc::gen::inRange<std::int64_t>(1, 9));
                               tiled.spec.parameters.set("block_k", *rc::gen::inRange<std::int64_t>(1, 9));
                               complete(tiled, seed);
                               require_equal(last_output(run(tiled)), last_output(run(exact)), 1e-11);
                           }),
                 mechanism.id.data());
    }
}

ATTNLAB_TEST(PropertiesTest)
#include "test_properties.moc"
