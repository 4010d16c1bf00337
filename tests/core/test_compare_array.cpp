// A stage compared with an array from elsewhere: the errors, their position, and the known mistake that explains them.
#include "core/recognition/layout.h"
#include "core/rounding.h"
#include "core/stages/mask.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "core/verify/array_comparison.h"
#include "core/verify/mistakes.h"
#include "tests/core/engine_support.h"
#include "tests/core/error_of.h"
#include "tests/places.h"
#include "tests/test_main.h"

#include <QFile>
#include <QTest>

#include <array>
#include <functional>
#include <set>

using namespace attnlab;
using namespace attnlab::test;
using namespace attnlab::verify;

namespace {

AttentionProblem masked(AttentionProblem problem, std::initializer_list<const char*> masks) {
    for (const auto* mask : masks)
        problem.spec.masks.push_back(parse_mask(mask));
    return problem;
}

AttentionProblem at_offset(AttentionProblem problem, std::int64_t offset) {
    problem.spec.query_offset = offset;
    return problem;
}

AttentionProblem at_offsets(AttentionProblem problem, double first, double second) {
    problem.tensors.insert_or_assign("query_offset", Tensor({2}, {first, second}, DType::Int64));
    return problem;
}

AttentionProblem placed(AttentionProblem problem, const char* position) {
    problem.spec.position = parse_position(position);
    return problem;
}

AttentionProblem scaled(AttentionProblem problem, const char* scale) {
    problem.spec.scale = parse_scale(scale);
    return problem;
}

/// softmax over one axis of the exact masked scores, then weights times values, written out.
Tensor output_of(const Tensor& weights, const Tensor& value, const std::function<double(double)>& stored = {}) {
    Tensor output({weights.dim(0), weights.dim(1), weights.dim(2), value.dim(3)});
    for (std::int64_t b = 0; b < output.dim(0); ++b)
        for (std::int64_t h = 0; h < output.dim(1); ++h)
            for (std::int64_t i = 0; i < output.dim(2); ++i)
                for (std::int64_t c = 0; c < output.dim(3); ++c) {
                    double sum = 0.0;
                    for (std::int64_t j = 0; j < weights.dim(3); ++j) {
                        sum += weights.at({b, h, i, j}) * value.at({b, h, j, c});
                        sum = stored ? stored(sum) : sum;
                    }
                    output.set({b, h, i, c}, sum);
                }
    return output;
}

struct Faulty {
    AttentionProblem problem; ///< the correct problem
    std::string stage;
    Tensor given; ///< the faulty result
};

Faulty from(const AttentionProblem& right, const AttentionProblem& wrong, const char* stage_name = "output") {
    return {right, stage_name, stage(run(wrong), stage_name)};
}

/// attn_mask with True where `blocks`.
AttentionProblem with_cells(AttentionProblem problem, std::int64_t L, std::int64_t S,
                            const std::function<bool(std::int64_t, std::int64_t)>& blocks) {
    Tensor mask({L, S}, 0.0, DType::Bool);
    for (std::int64_t i = 0; i < L; ++i)
        for (std::int64_t j = 0; j < S; ++j)
            mask.set({i, j}, blocks(i, j) ? 1.0 : 0.0);
    problem.tensors.insert_or_assign("attn_mask", mask);
    problem.spec.masks = {parse_mask("attn_mask")};
    return problem;
}

/// Made without the table of mistakes.
Faulty faulty(const std::string& id) {
    const auto square = dot_problem(2, 3, 3, 7, 7, 4, 5), wide = dot_problem(2, 2, 2, 5, 9, 4, 6);
    const auto causal = masked(square, {"causal"});
    if (id == "causal_corner")
        return from(masked(wide, {"causal"}), masked(wide, {"causal:bottom_right"}));
    if (id == "mask_corner")
        return from(masked(wide, {"window:2"}), at_offset(masked(wide, {"window:2"}), 4));
    if (id == "query_offset") {
        auto right = masked(wide, {"causal"});
        right.spec.query_offset = 2;
        return from(right, masked(wide, {"causal"}));
    }
    if (id == "mask_one_later")
        return from(causal, with_cells(square, 7, 7, [](auto i, auto j) { return j > i + 1; }));
    if (id == "mask_one_earlier")
        return from(causal, with_cells(square, 7, 7, [](auto i, auto j) { return j >= i; }));
    if (id == "mask_turned")
        return from(causal, with_cells(square, 7, 7, [](auto i, auto j) { return j <= i; }));
    if (id == "attn_mask_turned") {
        auto right = with_cells(square, 7, 7, [](auto i, auto j) { return (i + 2 * j) % 3 == 0; });
        right.spec.masks.push_back(parse_mask("causal"));
        auto wrong = right;
        wrong.spec.mask_true = MaskTrue::Keeps;
        return from(right, wrong);
    }
    if (id == "mask_transposed")
        return from(with_cells(square, 7, 7, [](auto i, auto j) { return j > i || j == 1; }),
                    with_cells(square, 7, 7, [](auto i, auto j) { return i > j || i == 1; }));
    if (id == "mask_ignored")
        return from(masked(square, {"causal", "window:4"}), masked(square, {"window:4"}));
    if (id == "window_wider")
        return from(masked(square, {"window:4"}), masked(square, {"window:6"}));
    if (id == "window_narrower")
        return from(masked(square, {"window:4"}), masked(square, {"window:2"}));
    if (id == "window_reach") {
        const auto longer = dot_problem(1, 2, 2, 12, 12, 4, 5);
        return from(masked(longer, {"window:4"}), masked(longer, {"window:8"}));
    }
    if (id == "mask_fill_zero") {
        auto wrong = causal;
        wrong.spec.mask_fill.value = 0.0;
        return from(causal, wrong);
    }
    if (id == "mask_after_softmax") {
        auto weights = stage(run(square), "weights");
        for (std::int64_t b = 0; b < 2; ++b)
            for (std::int64_t h = 0; h < 3; ++h)
                for (std::int64_t i = 0; i < 7; ++i)
                    for (std::int64_t j = i + 1; j < 7; ++j)
                        weights.set({b, h, i, j}, 0.0);
        return {causal, "output", output_of(weights, square.tensors.at("value"))};
    }
    if (id == "scale_missing")
        return from(square, scaled(square, "none"));
    if (id == "scale_twice")
        return from(square, scaled(square, "custom:0.25")); // E = 4
    if (id == "scale_inverted")
        return from(square, scaled(square, "custom:2"));
    if (id == "scale_after_softmax") {
        auto wrong = square;
        wrong.spec.scale_after_softmax = true;
        return from(square, wrong);
    }
    if (id == "softcap_ignored")
        return from(scaled(square, "softcap:0.5"), square);
    if (id == "norm_ignored")
        return from(scaled(square, "pre_norm:0.2"), square);
    if (id == "position_ignored") {
        auto right = square;
        right.spec.position.id = "alibi";
        return from(right, square);
    }
    if (id == "lse_base_2" || id == "lse_without_maximum") {
        const auto trace = run(square);
        auto lse = stage(trace, "lse");
        for (std::int64_t row = 0; row < lse.size(); ++row) {
            const auto scores = matrix_at(stage(trace, "masked"), row / 7).row(row % 7);
            double& number = lse.mutable_values()[static_cast<std::size_t>(row)];
            number = id == "lse_base_2" ? number * 1.4426950408889634
                                        : number - *std::max_element(scores.begin(), scores.end());
        }
        return {square, "lse", lse};
    }
    if (id == "heads_exchanged") {
        auto wrong = square;
        for (const auto* name : {"query", "key", "value"})
            for (std::int64_t b = 0; b < 2; ++b)
                for (std::int64_t i = 0; i < 7; ++i)
                    for (std::int64_t c = 0; c < (std::string(name) == "value" ? 5 : 4); ++c)
                        for (std::int64_t h = 0; h < 3; ++h)
                            wrong.tensors.at(name).set({b, h, i, c},
                                                       square.tensors.at(name).at({b, (h + 1) % 3, i, c}));
        return from(square, wrong);
    }
    if (id == "groups_interleaved") {
        const auto right = dot_problem(1, 6, 2, 5, 5, 4, 3);
        auto wrong = right;
        for (const auto* name : {"key", "value"}) {
            const auto& own = right.tensors.at(name);
            Tensor all({1, 6, 5, own.dim(3)});
            for (std::int64_t h = 0; h < 6; ++h)
                for (std::int64_t j = 0; j < 5; ++j)
                    for (std::int64_t c = 0; c < own.dim(3); ++c)
                        all.set({0, h, j, c}, own.at({0, h % 2, j, c}));
            wrong.tensors.insert_or_assign(name, all);
        }
        return from(right, wrong);
    }
    if (id == "appended_keys_ignored") {
        auto right = fresh_problem("multi_head");
        auto wrong = right;
        right.spec.parameters.set("add_zero_attn", true);
        return from(right, wrong);
    }
    if (id == "softmax_axis") {
        auto weights = stage(run(square), "scaled");
        for (std::int64_t matrix = 0; matrix < 6; ++matrix)
            for (std::int64_t j = 0; j < 7; ++j) {
                double sum = 0.0;
                const std::int64_t b = matrix / 3, h = matrix % 3;
                for (std::int64_t i = 0; i < 7; ++i)
                    sum += std::exp(weights.at({b, h, i, j}));
                for (std::int64_t i = 0; i < 7; ++i)
                    weights.set({b, h, i, j}, std::exp(weights.at({b, h, i, j})) / sum);
            }
        return {square, "weights", weights};
    }
    if (id == "heads_and_tokens") { // a (B,L,H,Ev) buffer read as (B,H,L,Ev)
        const int order[] = {0, 2, 1, 3};
        const auto output = stage(run(square), "output");
        return {square, "output", permuted(output, order).reshaped(output.shape())};
    }
    if (id == "transposed") {
        auto weights = stage(run(square), "weights");
        const auto right = weights;
        for (std::int64_t i = 0; i < 7; ++i)
            for (std::int64_t j = 0; j < 7; ++j)
                for (std::int64_t matrix = 0; matrix < 6; ++matrix)
                    weights.set({matrix / 3, matrix % 3, i, j}, right.at({matrix / 3, matrix % 3, j, i}));
        return {square, "weights", weights};
    }
    const auto to_bfloat16 = [](double value) { return rounded(value, DType::BFloat16); };
    const auto trace = run(square);
    if (id == "inputs_rounded") {
        auto wrong = square;
        for (auto& [name, tensor] : wrong.tensors)
            for (double& value : tensor.mutable_values())
                value = to_bfloat16(value);
        return from(square, wrong);
    }
    if (id == "scores_rounded") {
        auto weights = stage(trace, "masked");
        for (std::int64_t row = 0; row < 42; ++row) {
            double sum = 0.0;
            auto cells = weights.mutable_values().subspan(static_cast<std::size_t>(row * 7), 7);
            for (double& cell : cells)
                sum += cell = std::exp(rounded(cell, DType::Float16));
            for (double& cell : cells)
                cell /= sum;
        }
        return {square, "output", output_of(weights, square.tensors.at("value"))};
    }
    if (id == "weights_rounded") {
        auto weights = stage(trace, "weights");
        for (double& weight : weights.mutable_values())
            weight = to_bfloat16(weight);
        return {square, "output", output_of(weights, square.tensors.at("value"))};
    }
    if (id == "sums_rounded")
        return {square, "output", output_of(stage(trace, "weights"), square.tensors.at("value"), to_bfloat16)};
    return {};
}

Stage stage_of(const Shape& shape, const char* name = "output") {
    Stage made;
    made.name = name;
    made.value = random_normal(shape, 3);
    made.axes = {Axis::Batch, Axis::Head, Axis::Query, Axis::Feature};
    return made;
}

} // namespace

class TestCompareArray : public QObject {
    Q_OBJECT
private slots:
    void everyMistakeIsNamed_data() {
        QTest::addColumn<QString>("id");
        QFile file(ATTNLAB_TEST_DATA_DIR "/mistakes/cases.json"); // for core.known_mistakes
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto elsewhere = file.readAll();
        std::set<std::string> seen;
        for (const auto& mistake : mistakes()) {
            QVERIFY(seen.insert(std::string(mistake.id)).second);
            const bool known = elsewhere.contains(("[\"" + std::string(mistake.id) + "\"]").c_str());
            if (known && faulty(std::string(mistake.id)).given.size() == 0)
                continue;
            QTest::addRow("%s", mistake.id.data()) << QString::fromStdString(std::string(mistake.id));
        }
        QVERIFY(seen.size() > 20);
    }
    void everyMistakeIsNamed() {
        QFETCH(QString, id);
        const auto [problem, name, exactly] = faulty(id.toStdString());
        QVERIFY2(exactly.size() > 0, "the test does not make this mistake");
        const auto exact = run(problem);
        for (const auto type : {DType::Float64, DType::Float32}) {
            const auto given = rounded(exactly, type).with_dtype(type);
            const auto found = diagnose(problem, exact, name, given);
            QVERIFY(!found.not_looked);
            QVERIFY2(!found.likely.empty(), qPrintable(QString::number(found.exact_distance)));
            QCOMPARE(QString::fromStdString(std::string(found.likely.front().id)), id);
            QCOMPARE(found.likely.size(), std::size_t{1});
            QVERIFY(found.likely.front().distance * clearly_nearer <= found.exact_distance);
            QVERIFY(!found.likely.front().words.english().empty());
            QVERIFY(found.likely.front().words.english().find('%') == std::string::npos);
        }
    }

    void offsetsAndReachesAreNamed_data() {
        QTest::addColumn<AttentionProblem>("right");
        QTest::addColumn<AttentionProblem>("wrong");
        QTest::addColumn<QString>("id");
        const auto row = [](const char* name, const AttentionProblem& right, const AttentionProblem& wrong,
                            const char* id) { QTest::newRow(name) << right << wrong << QString(id); };
        const auto wide = dot_problem(2, 2, 2, 5, 11, 4, 6);
        const auto causal = masked(wide, {"causal"}), sliding = masked(wide, {"causal", "window:4"});
        row("left reach", masked(wide, {"window:3,0"}), masked(wide, {"window:4,0"}), "window_wider");
        row("right reach", masked(wide, {"window:3,2"}), masked(wide, {"window:3,3"}), "window_wider");
        row("both reaches", masked(wide, {"window:3,2"}), masked(wide, {"window:4,3"}), "window_wider");
        row("unlimited", masked(wide, {"window:3,inf"}), masked(wide, {"window:2,inf"}), "window_narrower");
        row("sliding window", sliding, masked(wide, {"causal", "window:6"}), "window_wider");
        row("offsets left out", at_offsets(causal, 2, 4), causal, "query_offset");
        row("the same offset left out", at_offsets(sliding, 3, 3), sliding, "query_offset");
        row("corner of a sliding window", sliding, at_offset(sliding, 6), "mask_corner");
        row("corner instead of offsets", at_offsets(causal, 2, 4), at_offset(causal, 6), "mask_corner");
        row("corner of causal alone", sliding, masked(wide, {"causal:bottom_right", "window:4"}), "causal_corner");
        row("corner of the rest", masked(wide, {"causal:bottom_right", "window:4"}), at_offset(sliding, 6),
            "mask_corner");
        for (const auto* position : {"rope", "alibi"}) {
            const auto at = placed(causal, position);
            row(position, at_offsets(at, 2, 4), at, "query_offset");
            row(position, at_offset(at, 3), at, "query_offset");
            row(position, at_offset(at, 3),
                placed(at_offset(causal, 3), (std::string(position) + ":query_offset=0").c_str()),
                "position_not_shifted");
            const auto open = placed(wide, position);
            row(position, at_offsets(open, 2, 4), at_offsets(open, 3, 5), "position_off_by_one");
            row(position, at_offsets(open, 2, 4), open, "position_not_shifted");
            row(position, at_offsets(open, 2, 4), at_offsets(open, 6, 6), "position_not_shifted");
        }
        row("base", at_offsets(placed(wide, "rope"), 2, 4), at_offsets(placed(wide, "rope:base=500000"), 2, 4),
            "rope_base");
        row("style", at_offsets(placed(wide, "rope"), 2, 4), at_offsets(placed(wide, "rope:style=interleaved"), 2, 4),
            "rope_style");
    }
    void offsetsAndReachesAreNamed() {
        QFETCH(AttentionProblem, right);
        QFETCH(AttentionProblem, wrong);
        QFETCH(QString, id);
        const auto found = diagnose(right, run(right), "output", stage(run(wrong), "output"));
        QVERIFY(!found.not_looked);
        QStringList ids; // more than one where mistakes have the same result
        for (const auto& mistake : found.likely) {
            ids << QString::fromStdString(std::string(mistake.id));
            QVERIFY(mistake.distance < 1e-6);
            QVERIFY(mistake.words.english().find('%') == std::string::npos);
        }
        QVERIFY2(ids.contains(id) && ids.size() <= 2, qPrintable(ids.join(", ")));
    }

    void exactResultsNameNone_data() { everyMistakeIsNamed_data(); }
    void exactResultsNameNone() {
        QFETCH(QString, id);
        const auto [problem, name, ignored] = faulty(id.toStdString());
        const auto exact = run(problem);
        for (const auto type : {DType::Float64, DType::Float32, DType::Float16, DType::BFloat16}) {
            auto given = rounded(stage(exact, name), type).with_dtype(type);
            QVERIFY(diagnose(problem, exact, name, given).likely.empty());
            // as by another order of summation
            for (double& value : given.mutable_values())
                value *= 1.0 + 1e-7;
            QVERIFY(diagnose(problem, exact, name, given).likely.empty());
        }
    }

    void tellsWhyNumbersAreNaN_data() {
        QTest::addColumn<QString>("cause");
        QTest::addColumn<DType>("type");
        for (const auto* cause : {"empty_rows", "odd_values", "odd_rows", "scores_overflow", "exponentials_overflow"})
            for (const auto type : {DType::Float16, DType::Float32, DType::BFloat16})
                if (std::string(cause) != "scores_overflow" || type == DType::Float16)
                    QTest::addRow("%s %s", cause, name_of(type).data()) << cause << type;
    }
    void tellsWhyNumbersAreNaN() {
        QFETCH(QString, cause);
        QFETCH(DType, type);
        auto problem = with_cells(dot_problem(1, 2, 1, 4, 5, 4, 3), 4, 5,
                                  [&](auto i, auto j) { return j == 4 || (cause == "empty_rows" && i == 2); });
        auto& query = problem.tensors.at("query");
        if (cause == "odd_values")
            problem.tensors.at("value").set({0, 0, 4, 1}, infinity);
        if (cause == "odd_rows")
            problem.tensors.at("key").set({0, 0, 4, 2}, not_a_number);
        if (cause == "scores_overflow" || cause == "exponentials_overflow")
            for (std::int64_t e = 0; e < 4; ++e)
                query.set({0, 1, 3, e},
                          (cause == "scores_overflow" ? 1e5 : 400.0) * problem.tensors.at("key").at({0, 0, 0, e}));
        const auto exact = run(problem);
        auto given = rounded(stage(exact, "output"), type).with_dtype(type);
        std::int64_t count = 0;
        for (std::int64_t h = 0; h < 2; ++h)
            for (std::int64_t i = 0; i < 4; ++i)
                for (std::int64_t c = 0; c < 3; ++c) {
                    const bool overflows = cause.endsWith("overflow") && h == 1 && i == 3;
                    const bool odd = cause == "odd_rows" || (cause == "odd_values" && c == 1);
                    if (overflows || odd || (cause == "empty_rows" && i == 2)) {
                        given.set({0, h, i, c}, not_a_number);
                        ++count;
                    }
                }
        const auto found = diagnose(problem, exact, "output", given);
        QCOMPARE(found.nan_causes.size(), std::size_t{1});
        QCOMPARE(QString::fromStdString(std::string(found.nan_causes.front().id)), cause);
        QVERIFY(found.nan_causes.front().words.english().starts_with(std::to_string(count) + " NaN"));
        QVERIFY(found.likely.empty());
        // a cause that holds elsewhere too, where the number is finite, is none
        for (double& value : given.mutable_values())
            if (std::isnan(value)) {
                value = 0.5;
                break;
            }
        QCOMPARE(diagnose(problem, exact, "output", given).nan_causes.front().id, "unknown");
    }

    void onlyNaNIsOfItsOwnType() {
        QCOMPARE(narrowest_type(Tensor({2, 2}, not_a_number)), DType::Float64);
        QCOMPARE(narrowest_type(Tensor({2}, std::vector<double>{not_a_number, 1.0})), DType::BFloat16);
    }

    void noiseNamesNone() {
        const auto problem = masked(dot_problem(1, 4, 2, 6, 6, 4, 4), {"causal"});
        const auto exact = run(problem);
        QVERIFY(diagnose(problem, exact, "output", random_normal({1, 4, 6, 4}, 99)).likely.empty());
        QVERIFY(diagnose(problem, exact, "output", Tensor({1, 4, 6, 4}, not_a_number)).likely.empty());
    }

    /// The heads of multi-head attention are only visible after W_o.
    void findsMistakesBehindProjections() {
        auto right = fresh_problem("grouped_query");
        auto wrong = right;
        right.spec.masks = {parse_mask("causal")};
        for (const auto* name : {"output", "head_output", "lse"}) {
            const auto found = diagnose(right, run(right), name, stage(run(wrong), name));
            QVERIFY2(!found.likely.empty(), name);
            QCOMPARE(found.likely.front().id, "mask_ignored");
            QCOMPARE(found.likely.front().words.english(), "the mask causal is ignored");
        }
        auto own = fresh_problem("causal");
        auto without = own;
        without.spec.variant = "self";
        QCOMPARE(diagnose(own, run(own), "output", stage(run(without), "output")).likely.front().id, "mask_ignored");
    }

    void saysWhyItDoesNotLook() {
        const auto large = dot_problem(1, 1, 1, 1024, 1024, 17, 17);
        const auto exact = run(large);
        const auto found = diagnose(large, exact, "output", Tensor(stage(exact, "output").shape(), 1.0));
        QVERIFY(found.not_looked && found.likely.empty());
        QVERIFY(found.not_looked->english().find("36 million") != std::string::npos);
        const auto other = fresh_problem("linformer");
        const auto trace = run(other);
        QVERIFY(diagnose(other, trace, "output", Tensor(stage(trace, "output").shape(), 1.0)).not_looked);
    }

    void measuresWhereAndHowFar() {
        auto exact = stage_of({1, 2, 2, 2});
        exact.value = Tensor({1, 2, 2, 2}, {1, 2, 4, -8, 0, infinity, not_a_number, 3});
        auto given = exact.value.with_dtype(DType::Float32);
        given.set({0, 0, 1, 1}, -8.5);
        given.set({0, 1, 0, 0}, 0.25);
        given.set({0, 1, 1, 1}, not_a_number);
        const auto found = compare_array(exact, given);
        QCOMPARE(found.comparison.difference.value.at({0, 0, 1, 1}), -0.5);
        QCOMPARE(found.comparison.all.max_absolute, 0.5);
        QCOMPARE(found.comparison.all.cells, 6); // the equal infinities differ by 0
        QCOMPARE(found.comparison.heads[0].max_absolute, 0.5);
        QCOMPARE(found.comparison.heads[1].max_absolute, 0.25);
        QVERIFY(found.worst);
        QCOMPARE(found.worst->index, (Shape{0, 0, 1, 1}));
        QCOMPARE(found.worst->given, -8.5);
        QCOMPARE(found.worst->exact, -8.0);
        QCOMPARE(found.rows.shape(), (Shape{1, 2, 2}));
        QCOMPARE(found.rows.at({0, 0, 1}), 0.5);
        QCOMPARE(found.rows.at({0, 1, 0}), 0.25);
        QVERIFY(std::isnan(found.rows.at({0, 1, 1})));
        QCOMPARE(found.relative, std::sqrt((0.25 + 0.0625) / (1 + 4 + 16 + 64)));
        QCOMPARE(found.not_finite.given_nan, 2);
        QCOMPARE(found.not_finite.given_infinite, 1);
        QCOMPARE(found.not_finite.exact_nan, 1);
        QCOMPARE(found.not_finite.exact_infinite, 1);
        QCOMPARE(found.not_finite.alike, 2);
        QCOMPARE(cells_beyond(found, exact, 1e-3), 3);
        QCOMPARE(cells_beyond(found, exact, 0.5), 1); // the NaN exceeds any tolerance
    }

    /// A trace of float32 has no stage of scores or weights.
    void theDefaultToleranceIsThatOfTheWiderError() {
        Trace exact, narrow;
        exact.stages.resize(1);
        exact.stages[0].name = "weights";
        narrow.stages.resize(1);
        narrow.stages[0].name = "output";
        QCOMPARE(default_tolerance(DType::Float64, exact), 1e-9);
        QCOMPARE(default_tolerance(DType::Float64, narrow), 1e-5);
        QCOMPARE(default_tolerance(DType::Float16, narrow), 2e-3);
    }

    void countsUlpsOfTheTypeItHolds() {
        auto exact = stage_of({1, 1, 1, 2});
        exact.value = Tensor({1, 1, 1, 2}, {1.0, 0.1});
        const auto in = [&](double first, double second, DType type) {
            return compare_array(exact, Tensor({1, 1, 1, 2}, {first, second}, type));
        };
        QCOMPARE(in(1.0 + 0x1p-7, 0.1, DType::BFloat16).ulps->largest, 1.0);
        QCOMPARE(in(1.0 + 0x1p-10, 0.1, DType::Float16).ulps->largest, 1.0);
        QCOMPARE(in(1.0 + 0x1p-22, 0.1, DType::Float32).ulps->largest, 2.0);
        QCOMPARE(in(1.0 + 0x1p-52, 0.1, DType::Float64).ulps->largest, 1.0);
        QVERIFY(!in(1.0, 0.0, DType::Int64).ulps);
        const auto widened = in(1.0 + 0x1p-7, 0.125, DType::Float32);
        QCOMPARE(widened.type, DType::Float32);
        QCOMPARE(widened.held_as, DType::BFloat16);
        QCOMPARE(widened.ulps->type, DType::BFloat16);
    }

    void fitsAxesByRulesThatItSays() {
        const auto stage = stage_of({1, 2, 3, 4});
        const auto fits = [&](const Shape& shape) { return fitted(Tensor(shape), stage, "mine").shape(); };
        for (const auto& shape : {Shape{1, 2, 3, 4}, {2, 3, 4}, {2, 1, 3, 4}, {1, 1, 2, 3, 4, 1}})
            QCOMPARE(fits(shape), stage.value.shape());
        const auto refusal = [&](const Shape& shape, std::string_view axes = {}) -> QString {
            try {
                fitted(Tensor(shape), stage, "mine", axes);
            } catch (const Error& error) {
                return error.what();
            }
            return {};
        };
        QCOMPARE(refusal({2, 3, 5}),
                 "mine: has shape (2, 3, 5), expected (1, 2, 3, 4) as the stage output has (axes of size 1 may be "
                 "missing)");
        QVERIFY(refusal({1, 3, 2, 4}).endsWith("in the layout BLHE it would fit"));
        QVERIFY(refusal({3, 2, 4}, "BLHE").contains("expected (B, L, H, E) = (1, 3, 2, 4)"));
        QVERIFY(refusal({3, 2, 4}, "LEX").startsWith("layout: has 'LEX'"));
        QVERIFY(refusal({3, 4}, "LE").startsWith("layout: has 'LE'")); // H is 2
        auto given = random_normal({3, 2, 4}, 5);
        QCOMPARE(fitted(given, stage, "mine", "LHE").at({0, 1, 2, 3}), given.at({2, 1, 3}));
    }

    void namesTheUsualLayouts() {
        const auto refusal = [](const Shape& shape, const Stage& stage) {
            return test::error_of([&] { fitted(Tensor(shape), stage, "mine"); });
        };
        const auto square = stage_of({2, 2, 4, 4});
        QCOMPARE(orders_for({2, 4, 2, 4}, square).front(), "BLHE");
        QVERIFY(refusal({2, 4, 2, 4}, square).endsWith("in the layout BLHE it would fit"));
        QVERIFY(refusal({3, 3, 2, 4}, stage_of({3, 2, 3, 4})).endsWith("it would fit in the layouts BLHE, LBHE"));
        QVERIFY(refusal({4, 3, 2, 1}, stage_of({1, 2, 3, 4})).endsWith("in the layout ELHB it would fit"));
    }

    /// (B,L,H*E), as before an output projection.
    void readsMergedHeads() {
        const auto numbers = random_normal({3, 2, 4, 5}, 7); // B H L E
        const auto stage = [&] {
            auto made = stage_of({3, 2, 4, 5});
            made.value = numbers;
            return made;
        }();
        const auto merged = permuted(numbers, std::array{0, 2, 1, 3}).reshaped({3, 4, 10});
        QCOMPARE(merged_layout(merged.shape(), stage), "BLE");
        QCOMPARE(fitted(merged, stage, "mine"), numbers);
        QCOMPARE(fitted(merged, stage, "mine", "BLE"), numbers);
        QCOMPARE(fitted(permuted(merged, std::array{1, 0, 2}), stage, "mine"), numbers);
        QCOMPARE(merged_layout({3, 4, 9}, stage), "");
        QCOMPARE(merged_layout({3, 2, 4, 5}, stage), "");
        QVERIFY_THROWS_EXCEPTION(Error, fitted(Tensor({3, 4, 9}), stage, "mine", "BLE"));

        const auto square = stage_of({4, 2, 4, 5}); // B = L: which axis is which is to be said
        QCOMPARE(merged_layout({4, 4, 10}, square), "");
        QVERIFY(test::error_of([&] {
                    fitted(Tensor({4, 4, 10}), square, "mine");
                }).endsWith("it would fit in the layouts BLE, LBE"));
        QCOMPARE(merged_layout({4, 4, 10}, square, "LBE"), "LBE");
        QCOMPARE(fitted(Tensor({4, 4, 10}), square, "mine", "BLE").shape(), square.value.shape());
        QCOMPARE(merged_layout({4, 10}, stage_of({1, 2, 4, 5})), "LE");
    }

    /// An array in the wrong layout is no transposed one.
    void blamesTheLayout() {
        const auto problem = test::dot_problem(2, 2, 2, 4, 4, 4, 4);
        const auto exact = run(problem);
        const auto& output = *exact.find("output");
        const auto saved = permuted(output.value, std::array{0, 2, 1, 3});
        const auto diagnosed = [&](const Tensor& array, std::string_view axes) {
            auto found = diagnose(problem, exact, "output", fitted(array, output, "mine", axes));
            blame_layout(found, exact, output, array, axes);
            return found.likely;
        };
        QCOMPARE(diagnose(problem, exact, "output", fitted(saved, output, "mine", "BEHL")).likely.front().id,
                 "transposed");
        const auto wrong = diagnosed(saved, "BEHL");
        QCOMPARE(wrong.size(), 1u);
        QCOMPARE(wrong.front().words.english(), "the array lies in the layout BLHE and is read in the layout BEHL");
        QVERIFY(diagnosed(saved, "BLHE").empty());
        QCOMPARE(diagnosed(permuted(output.value, std::array{0, 1, 3, 2}), "").front().id, "transposed");
    }

    void choosesTheArray() {
        const auto stage = stage_of({1, 2, 3, 4});
        Contents contents;
        const auto hold = [&](const char* name, Shape shape) {
            contents.arrays.push_back({name, Tensor(std::move(shape)), "k.npz"});
        };
        hold("mine", {5});
        QCOMPARE(array_for(contents, stage).name, "mine"); // the only one: a wrong shape is reported later
        hold("query", {1, 2, 3, 4});
        QVERIFY_THROWS_EXCEPTION(Error, array_for(contents, stage));
        hold("result", {2, 3, 4});
        QCOMPARE(array_for(contents, stage).name, "result"); // query has another meaning
        hold("attn_output", {1, 2, 3, 4});
        QCOMPARE(array_for(contents, stage).name, "attn_output");
        hold("out", {1, 2, 3, 4});
        QVERIFY_THROWS_EXCEPTION(Error, array_for(contents, stage));
        QCOMPARE(array_for(contents, stage, "result").name, "result");
        QVERIFY_THROWS_EXCEPTION(Error, array_for(contents, stage, "none"));
        hold("output", {1, 2, 3, 4});
        QCOMPARE(array_for(contents, stage).name, "output");
    }
};

ATTNLAB_TEST(TestCompareArray)
#include "test_compare_array.moc"
