// Every number in the explanation of a row, for all mechanisms, masks, fills, scales and shapes.
#include "core/stages/mask.h"
#include "core/stages/scale.h"
#include "tests/core/explain_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

/// Cells of which some are True, and all of query 1.
Tensor some_cells(std::int64_t L, std::int64_t S, std::uint64_t seed) {
    auto cells = random_uniform({L, S}, seed, 0.0, 1.0).with_dtype(DType::Bool);
    std::int64_t cell = 0;
    for (double& value : cells.mutable_values())
        value = value < 0.3 || cell++ / S == 1 ? 1.0 : 0.0;
    return cells;
}

/// The arrays that a mask reads, for scores of these sizes.
void add_mask(AttentionProblem& problem, const std::string& id, std::int64_t B, std::int64_t L, std::int64_t S) {
    problem.spec.masks.push_back({id, {}});
    if (id == "attn_mask" || id == "painted")
        problem.tensors[id == "painted" ? "painted_mask" : id] = some_cells(L, S, 5);
    if (id == "attn_bias") {
        auto bias = random_normal({L, S}, 6);
        bias.set({L - 1, 0}, -infinity);
        bias.set({0, S - 1}, 0.0);
        problem.tensors["attn_bias"] = bias;
    }
    if (id == "valid_lens")
        problem.tensors["valid_lens"] = Tensor({B}, static_cast<double>(S / 2), DType::Int64);
    if (id == "key_padding") {
        problem.tensors["key_padding_mask"] = Tensor({B, S}, 0.0, DType::Bool);
        problem.tensors["key_padding_mask"].set({0, 0}, 1.0);
    }
}

double bias_at(const AttentionProblem& problem, std::int64_t i, std::int64_t j) {
    const auto found = problem.tensors.find("attn_bias");
    return found == problem.tensors.end() || j >= found->second.dim(1) ? 0.0 : found->second.at({i, j});
}

std::vector<std::string> prefixes(const Trace& trace) {
    if (trace.layers.empty())
        return {""};
    std::vector<std::string> all;
    for (const auto& layer : trace.layers)
        all.emplace_back(prefix_of(layer));
    return all;
}

} // namespace

class TestExplain : public QObject {
    Q_OBJECT

private slots:
    /// Each mechanism with each mask that it accepts.
    void mechanisms_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("mask");
        for (const auto& mechanism : attnlab::mechanisms())
            for (const char* mask : {"", "causal", "attn_mask", "attn_bias", "key_padding"})
                if (!*mask || !refusal_of_mask(mechanism, mask))
                    QTest::addRow("%s %s", std::string(mechanism.id).c_str(), mask)
                        << QString::fromStdString(std::string(mechanism.id)) << mask;
    }
    void mechanisms() {
        QFETCH(QString, id);
        QFETCH(QString, mask);
        auto problem = fresh_problem(id.toStdString());
        const auto sizes = resolve(problem).sizes;
        if (!mask.isEmpty())
            add_mask(problem, mask.toStdString(), sizes.at("B"), sizes.at("L"), sizes.at("S"));
        const auto trace = run(problem);
        for (const auto& prefix : prefixes(trace)) {
            if (!trace.find(prefix + "weights"))
                continue;
            const auto& axes = trace.find(prefix + "weights")->axes;
            const Row row(trace, {prefix, 0, 0}, 0);
            QCOMPARE(row.empty(), axes.back() != Axis::Key); // Linformer's columns are not keys
            if (row.empty())
                continue;
            const bool scored = trace.find(prefix + "masked") != nullptr;
            const auto wrong = wrong_in(
                trace, prefix, [&](auto, auto, auto i, auto j) { return scored ? bias_at(problem, i, j) : 0.0; });
            QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
            const auto& mechanism = mechanism_of(problem.spec.variant);
            const bool of_weights = is_exact(mechanism) || carries_state(mechanism);
            QCOMPARE(explain::is_whole(trace, {prefix, 0, 0}), of_weights || scored);
            if (of_weights)
                QVERIFY(row.is_mixed());
            QCOMPARE(row.line(Operation::Bias) != nullptr, scored && mask == "attn_bias");
            QCOMPARE(row.line(Operation::Mask) != nullptr, scored && trace.find(prefix + "blocked"));
        }
    }

    /// Scaled dot-product attention in every shape, with every mask, scale, position and fill.
    void masks_data() {
        QTest::addColumn<QString>("mask");
        QTest::addColumn<QString>("scale");
        QTest::addColumn<QString>("position");
        QTest::addColumn<Shape>("shape"); // B, H, Hkv, L, S, E, Ev
        QTest::addColumn<double>("fill");
        QTest::addColumn<bool>("added");
        const Shape shapes[] = {
            {1, 1, 1, 3, 3, 4, 4}, {2, 4, 2, 3, 5, 4, 3}, {1, 2, 1, 5, 2, 2, 1}, {1, 1, 1, 2, 1, 4, 2}};
        const char* const positions[] = {"", "alibi", "t5", "rope"};
        const std::pair<double, bool> fills[] = {{-infinity, false}, {-1e9, true}, {-3.0, false}, {-3.0, true}};
        std::vector<std::string> masks{""};
        for (const auto& kind : mask_kinds())
            masks.emplace_back(kind.id);
        std::size_t next = 0;
        for (const auto& mask : masks)
            for (const auto& mode : scale_modes())
                for (const auto& shape : shapes) {
                    // All combinations of masks, scales and shapes; each of them with each position and fill.
                    ++next;
                    if (!mask.empty() && mask_kind(mask).needs_key_grid && shape[3] != shape[4])
                        continue; // refused
                    const auto* position = positions[(next / 4 + next) % 4];
                    const auto [fill, added] = fills[(next / 8 + next / 2) % 4];
                    const auto of_shape = to_string(shape), scale = std::string(mode.id);
                    QTest::addRow("%s %s %s %s %g %s", mask.c_str(), scale.c_str(), position, of_shape.c_str(), fill,
                                  added ? "added" : "replaced")
                        << QString::fromStdString(mask) << QString::fromStdString(scale) << position << shape << fill
                        << added;
                }
    }
    void masks() {
        QFETCH(QString, mask);
        QFETCH(QString, scale);
        QFETCH(QString, position);
        QFETCH(Shape, shape);
        QFETCH(double, fill);
        QFETCH(bool, added);
        auto problem = dot_problem(shape[0], shape[1], shape[2], shape[3], shape[4], shape[5], shape[6]);
        if (!mask.isEmpty())
            add_mask(problem, mask.toStdString(), shape[0], shape[3], shape[4]);
        problem.spec.scale.id = scale.toStdString();
        problem.spec.position.id = position.toStdString();
        problem.spec.mask_fill = {fill, added ? MaskFill::Mode::Add : MaskFill::Mode::Replace};
        complete_inputs(problem, 3);
        const auto trace = run(problem);
        const auto wrong = wrong_in(trace, {}, [&](auto, auto, auto i, auto j) { return bias_at(problem, i, j); });
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
        const Row row(trace, {}, 0);
        QVERIFY(explain::is_whole(trace, {}) && row.is_mixed());
        QCOMPARE(row.line(Operation::Weights) != nullptr, row.is_fully_masked());
        QVERIFY(row.has_products());
        QCOMPARE(row.appended_keys(), 0);
        QCOMPARE(row.heads_of_a_group(), shape[1] / shape[2]);
        QCOMPARE(row.line(Operation::Bias) != nullptr, mask == "attn_bias");
        QCOMPARE(row.line(Operation::Position) != nullptr, position == "alibi" || position == "t5");
        QCOMPARE(row.line(Operation::Mask) != nullptr, !mask.isEmpty() && mask != "attn_bias");
    }

    void wherePrefixesOfKeysEnd_data() {
        QTest::addColumn<std::vector<double>>("blocked");
        QTest::addColumn<int>("last"); // -1 if none
        QTest::newRow("nothing blocked") << std::vector<double>{0, 0, 0} << -1;
        QTest::newRow("last") << std::vector<double>{0, 0, 1} << 1;
        QTest::newRow("last two") << std::vector<double>{0, 1, 1} << 0;
        QTest::newRow("first") << std::vector<double>{1, 0, 0} << -1;
        QTest::newRow("middle") << std::vector<double>{0, 1, 0} << -1;
        QTest::newRow("all") << std::vector<double>{1, 1, 1} << -1;
    }
    void wherePrefixesOfKeysEnd() {
        QFETCH(std::vector<double>, blocked);
        QFETCH(int, last);
        auto problem = dot_problem(1, 1, 1, 1, 3, 2, 2);
        problem.tensors["attn_mask"] = Tensor({1, 3}, blocked, DType::Bool);
        problem.spec.masks = {{"attn_mask", {}}};
        const auto trace = run(problem);
        const Row row(trace, {}, 0);
        QCOMPARE(row.last_kept() ? static_cast<int>(*row.last_kept()) : -1, last);
        QCOMPARE(row.blocked_keys(), std::count(blocked.begin(), blocked.end(), 1.0));
    }

    void scaleAfterTheSoftmax() {
        auto problem = dot_problem(1, 2, 2, 3, 4, 4, 2);
        problem.spec.scale_after_softmax = true;
        const auto trace = run(problem);
        QVERIFY2(wrong_in(trace).isEmpty(), qPrintable(wrong_in(trace)));
        const Row row(trace, {"", 0, 1}, 2);
        QVERIFY(row.line(Operation::Weights) && !row.line(Operation::Divide)->stage);
        QVERIFY(!row.is_distribution() && close(row.weight_sum(), 0.5, 1e-15));
        QVERIFY(row.is_mixed());
    }

    void rowsThatAreNoOneSoftmax() {
        auto problem = fresh_problem("longformer");
        problem.spec.parameters.set("combine", std::string("sum"));
        problem.spec.parameters.set("global_tokens", std::vector<std::int64_t>{0});
        const auto trace = run(problem);
        const Row row(trace, {}, 1);
        QVERIFY(!row.has_row_sum() && row.line(Operation::Weights));
        QVERIFY(!row.is_distribution() && close(row.weight_sum(), 2.0, 1e-15));
        QVERIFY(row.is_mixed());
    }

    void keysThatTheMechanismAppends_data() {
        QTest::addColumn<bool>("bias");
        QTest::addColumn<bool>("zero");
        QTest::addColumn<QString>("mask");
        for (const char* mask : {"", "causal", "attn_bias", "attn_mask"})
            for (const bool bias : {false, true})
                for (const bool zero : {false, true})
                    QTest::addRow("%s %d %d", mask, bias, zero) << bias << zero << mask;
    }
    void keysThatTheMechanismAppends() {
        QFETCH(bool, bias);
        QFETCH(bool, zero);
        QFETCH(QString, mask);
        AttentionProblem problem;
        problem.spec.variant = "multi_head";
        problem.spec.parameters.set("num_heads", std::int64_t{2});
        problem.spec.parameters.set("add_zero_attn", zero);
        problem.spec.parameters.set("dropout", 0.5);
        problem.tensors["x"] = random_normal({2, 4, 6}, 3);
        complete_inputs(problem, 5);
        if (bias)
            for (const char* name : {"bias_k", "bias_v"})
                problem.tensors[name] = random_normal({6}, 8);
        if (!mask.isEmpty())
            add_mask(problem, mask.toStdString(), 2, 4, 4);
        // A label that looks like that of an appended key is not one.
        problem.key_tokens = problem.query_tokens = {"a", "b", "c", "+1"};
        const auto trace = run(problem);
        const auto wrong = wrong_in(trace, {}, [&](auto, auto, auto i, auto j) { return bias_at(problem, i, j); });
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
        const Row row(trace, {"", 1, 1}, 3);
        QCOMPARE(row.appended_keys(), int{bias} + int{zero});
        QCOMPARE(row.keys(), 4 + int{bias} + int{zero});
        for (auto key = row.keys() - row.appended_keys(); key < row.keys(); ++key)
            QVERIFY(!row.is_blocked(key) && row.added(Operation::Bias, key) == 0.0);
        QVERIFY(row.line(Operation::Dropout) && row.is_mixed());
        QCOMPARE(row.output_stage()->name, std::string("head_output"));
        if (zero)
            QCOMPARE(row.value(Operation::Score, row.keys() - 1), 0.0);
        QVERIFY(!row.is_mix(*trace.find("output"), 0)); // heads are merged and projected there
    }

    void passesOfATransformerHaveTheirOwn() {
        const auto trace = run(fresh_problem("transformer"));
        QVERIFY(trace.layers.size() > 2);
        for (const auto& layer : trace.layers) {
            const std::string prefix(prefix_of(layer));
            const Row row(trace, {prefix, 0, 0}, 0);
            QVERIFY(row.has_products() && !row.terms(0).empty());
            QCOMPARE(row.scores_stage()->name, prefix + "scores");
            QCOMPARE(row.output_stage()->name, prefix + "head_output");
        }
    }

    void whatIsNoRowIsEmpty() {
        const auto trace = run(dot_problem(2, 2, 1, 3, 4, 2, 2));
        for (const auto& [place, query] : {std::pair{explain::PassPlace{"", 0, 0}, 3},
                                           {{"", 0, 0}, -1},
                                           {{"", 2, 0}, 0},
                                           {{"", -1, 0}, 0},
                                           {{"", 0, 2}, 0},
                                           {{"", 0, -1}, 0},
                                           {{"encoder.0.self.", 0, 0}, 0}}) {
            const Row row(trace, place, query);
            QVERIFY(row.empty() && row.lines().empty() && row.keys() == 0 && !row.is_mixed());
        }
        QVERIFY(Row(Trace(), {}, 0).empty() && Row().empty());
        QVERIFY(!explain::is_whole(Trace(), {}));
    }
};

ATTNLAB_TEST(TestExplain)
#include "test_explain.moc"
