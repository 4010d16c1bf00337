#include "core/random.h"
#include "core/stages/mask.h"
#include "core/stages/scale.h"
#include "tests/core/approximation_support.h"
#include "tests/core/engine_support.h"
#include "tests/core/io_support.h"
#include "tests/test_main.h"

#include <QTest>
#include <rapidcheck.h>

using namespace attnlab;
using namespace attnlab::test;

namespace {

const std::vector<std::string> recurrent = {"retention", "gated_linear", "delta_rule", "gated_delta"};

bool has_gates(const std::string& id) { return id.starts_with("gated"); }
bool has_beta(const std::string& id) { return id.ends_with("delta") || id == "delta_rule"; }

/// `id` over normal numbers: four query heads that share two key heads.
AttentionProblem problem_of(const std::string& id, std::int64_t L, bool vector_gates = false, std::uint64_t seed = 1) {
    auto problem = dot_problem(2, 4, 2, L, L, 3, 2, seed);
    problem.spec.variant = id;
    if (has_gates(id))
        problem.tensors["gate"] =
            vector_gates ? random_normal({2, 4, L, 3}, seed + 3) : random_normal({2, 4, L}, seed + 3);
    if (has_beta(id))
        problem.tensors["beta"] = random_uniform({2, 4, L}, seed + 4, 0.0, 2.0);
    return problem;
}

double largest(const Tensor& tensor) {
    double size = 0.0;
    for (const double x : tensor.values())
        size = std::max(size, std::abs(x));
    return size;
}

Tensor with_row(Tensor tensor, std::int64_t row, double number) {
    const auto values = tensor.mutable_values();
    for (std::size_t k = 0; k < values.size(); ++k)
        if (static_cast<std::int64_t>(k) / tensor.dim(-1) % tensor.dim(-2) == row)
            values[k] = number;
    return tensor;
}

QString complaint(const AttentionProblem& problem) {
    const auto said = error_of([&] { run(problem); });
    const auto issues = issues_in(problem);
    return !issues.empty() && said == QString::fromStdString(issues.front().english()) ? said : "not an issue: " + said;
}

} // namespace

/// The matrix and the state of attention without a softmax. core.golden compares the numbers with another program.
class CarriedStateTest : public QObject {
    Q_OBJECT
private slots:
    void matrix_state_and_chunks_give_the_same();
    void sums_over_keys_give_the_same();
    void later_and_padded_tokens_reach_nothing_data();
    void later_and_padded_tokens_reach_nothing();
    void members_agree_where_they_are_the_same();
    void a_key_is_overwritten();
    void rows_that_read_nothing_are_zero();
    void files_name_their_mechanism_data();
    void files_name_their_mechanism();
    void names_what_is_not_possible_data();
    void names_what_is_not_possible();
    void switching_replaces_keys_of_other_tokens();
    void notes_what_is_unusual();
    void says_what_it_costs();
    void gradients_are_slopes_data();
    void gradients_are_slopes();
};

void CarriedStateTest::matrix_state_and_chunks_give_the_same() {
    if (!qEnvironmentVariableIsSet("RC_PARAMS"))
        qputenv("RC_PARAMS", "seed=7 max_success=150");
    QVERIFY(rc::check("A V is the output of the state, and of chunks of any size", [] {
        const auto id = *rc::gen::elementOf(recurrent);
        const auto L = *rc::gen::inRange<std::int64_t>(0, 9);
        const auto seed = *rc::gen::inRange<std::uint64_t>(1, 100000);
        auto problem = problem_of(id, L, *rc::gen::arbitrary<bool>(), seed);
        problem.spec.scale =
            parse_scale(*rc::gen::element<std::string>("none", "sqrt_dk", "pre_norm:2", "custom:-0.5"));
        const auto chunk = *rc::gen::inRange<std::int64_t>(1, 11);
        problem.spec.parameters.set("chunk", chunk);
        if (id == "retention") {
            problem.spec.parameters.set("normalise", *rc::gen::arbitrary<bool>());
            problem.spec.parameters.set("gamma", *rc::gen::element(0.0, 0.5, 1.0));
        }
        if (*rc::gen::arbitrary<bool>()) {
            problem.spec.masks = {parse_mask("key_padding")};
            problem.tensors["key_padding_mask"] = random_uniform({2, L}, seed + 7, -1.0, 1.0);
            for (double& x : problem.tensors["key_padding_mask"].mutable_values())
                x = x > 0.5;
        }
        const auto trace = run(problem);
        const auto size = 1.0 + largest(stage(trace, "output")) + largest(stage(trace, "state_norm"));
        RC_ASSERT(difference(stage(trace, "state_output"), stage(trace, "output"), 1e-12 * size).isEmpty());
        RC_ASSERT(measured(trace, "state_difference") <= 1e-12 * size);
        RC_ASSERT(measured(trace, "chunk_difference") <= 1e-12 * size);
        const auto& states = stage(trace, "chunk_states");
        RC_ASSERT(states.dim(0) == (L + chunk - 1) / chunk);
        const auto& state = stage(trace, "state");
        if (L > 0)
            for (std::int64_t k = 0; k < state.size(); ++k)
                RC_ASSERT(states.data()[states.size() - state.size() + k] == state.data()[k]);
    }));
}

void CarriedStateTest::sums_over_keys_give_the_same() {
    QVERIFY(rc::check("linear attention by its matrix is linear attention by sums over keys", [] {
        auto problem =
            dot_problem(2, 4, 2, *rc::gen::inRange<std::int64_t>(0, 7), *rc::gen::inRange<std::int64_t>(0, 7), 3, 2,
                        *rc::gen::inRange<std::uint64_t>(1, 100000));
        problem.spec.variant = "linear";
        problem.spec.parameters.set("features", std::string(*rc::gen::element("elu", "relu")));
        problem.spec.parameters.set("normalise", *rc::gen::arbitrary<bool>());
        for (const char* mask : {"causal", "prefix:2", "valid_lens", "key_padding"})
            if (*rc::gen::arbitrary<bool>())
                problem.spec.masks.push_back(parse_mask(mask));
        complete_inputs(problem, 1);
        if (const auto lens = problem.tensors.find("valid_lens"); lens != problem.tensors.end())
            for (double& length : lens->second.mutable_values())
                length = static_cast<double>(*rc::gen::inRange<std::int64_t>(0, problem.tensors["key"].dim(2) + 1));
        const auto trace = run(problem);
        RC_ASSERT(difference(stage(trace, "state_output"), stage(trace, "output"), 1e-12).isEmpty());
        const bool causal = std::ranges::find(problem.spec.masks, "causal", &Selection::id) != problem.spec.masks.end();
        RC_ASSERT((trace.find("state") != nullptr) == causal && (trace.find("state_norm") != nullptr) == causal);
    }));
}

void CarriedStateTest::later_and_padded_tokens_reach_nothing_data() {
    QTest::addColumn<QString>("id");
    for (const auto& id : recurrent)
        QTest::newRow(id.c_str()) << QString::fromStdString(id);
    QTest::newRow("linear") << "linear";
}

void CarriedStateTest::later_and_padded_tokens_reach_nothing() {
    QFETCH(QString, id);
    auto problem = problem_of(id.toStdString(), 6, true);
    if (id == QLatin1String("linear"))
        problem.spec.masks = {parse_mask("causal")};
    auto later = problem;
    for (const char* name : {"query", "key", "value"})
        later.tensors[name] = with_row(later.tensors[name], 4, not_a_number);
    auto padded = problem, padded_nan = problem;
    for (auto* one : {&padded, &padded_nan}) {
        one->spec.masks.push_back(parse_mask("key_padding"));
        one->tensors["key_padding_mask"] = Tensor({2, 6}, 0.0, DType::Bool);
        one->tensors["key_padding_mask"].set({0, 1}, 1.0);
        one->tensors["key_padding_mask"].set({1, 1}, 1.0);
    }
    for (const char* name : {"key", "value"})
        padded_nan.tensors[name] = with_row(padded_nan.tensors[name], 1, not_a_number);
    const auto before = run(problem), after = run(later);
    const auto without = run(padded), with_nan = run(padded_nan);
    for (const char* name : {"output", "state_output"}) {
        for (std::int64_t k = 0; k < stage(before, name).size(); ++k)
            if (k / 2 % 6 < 4)
                QCOMPARE(stage(after, name).data()[k], stage(before, name).data()[k]);
        QCOMPARE(difference(stage(with_nan, name), stage(without, name), 0.0), QString());
    }
    QVERIFY(!difference(stage(without, "output"), stage(before, "output"), 1e-6).isEmpty());
    for (std::int64_t i = 0; i < 6; ++i)
        QCOMPARE(stage(with_nan, "weights").at({1, 3, i, 1}), 0.0);
}

void CarriedStateTest::members_agree_where_they_are_the_same() {
    const auto outputs_differ = [](const AttentionProblem& a, const AttentionProblem& b) {
        const auto first = run(a), second = run(b);
        for (const char* name : {"weights", "output", "state", "state_norm"})
            if (const auto wrong = difference(stage(first, name), stage(second, name), 1e-13); !wrong.isEmpty())
                return QString(name) + ": " + wrong;
        return QString();
    };
    // Without decay, retention is causal linear attention over the rows themselves.
    auto retention = problem_of("retention", 5), linear = problem_of("linear", 5);
    retention.spec.parameters.set("gamma", 1.0);
    retention.spec.scale = parse_scale("none");
    linear.spec.masks = {parse_mask("causal")};
    linear.spec.parameters.set("features", std::string("identity"));
    linear.spec.parameters.set("normalise", false);
    QCOMPARE(outputs_differ(retention, linear), QString());
    // A constant gate is the decay of retention; a logit x keeps what the logarithm -log(1 + exp(-x)) keeps.
    auto gated = problem_of("gated_linear", 5), by_log = gated;
    retention.spec.parameters.set("gamma", 0.75);
    gated.tensors["gate"] = Tensor({2, 4, 5}, std::log(3.0));
    by_log.tensors.erase("gate");
    by_log.tensors["log_gate"] = Tensor({2, 4, 5}, std::log(0.75));
    QCOMPARE(outputs_differ(retention, gated), QString());
    QCOMPARE(outputs_differ(by_log, gated), QString());
    // A scalar gate is a vector of equal gates, and gates that keep everything leave the delta rule.
    auto scalar = problem_of("gated_delta", 5), vector = scalar;
    vector.tensors["gate"] = Tensor({2, 4, 5, 3});
    for (std::int64_t k = 0; k < 2 * 4 * 5 * 3; ++k)
        vector.tensors["gate"].mutable_values()[static_cast<std::size_t>(k)] = scalar.tensors["gate"].data()[k / 3];
    QCOMPARE(outputs_differ(scalar, vector), QString());
    QVERIFY(run(scalar).find("decay") && !run(vector).find("decay"));
    scalar.tensors["gate"] = Tensor({2, 4, 5}, infinity);
    auto delta = scalar;
    delta.spec.variant = "delta_rule";
    QCOMPARE(outputs_differ(scalar, delta), QString());
    // A gate of 0 clears the state: later rows read nothing before it.
    auto cleared = problem_of("gated_linear", 5);
    for (std::int64_t head = 0; head < 8; ++head)
        cleared.tensors["gate"].mutable_values()[static_cast<std::size_t>(head * 5 + 2)] = -infinity;
    const auto weights = stage(run(cleared), "weights");
    QVERIFY(weights.at({0, 0, 4, 1}) == 0.0 && weights.at({0, 0, 4, 2}) != 0.0 && weights.at({0, 0, 1, 0}) != 0.0);
}

void CarriedStateTest::a_key_is_overwritten() {
    auto problem = problem_of("delta_rule", 4);
    problem.tensors["beta"] = Tensor({2, 4, 4}, 1.0);
    auto& key = problem.tensors["key"];
    for (std::int64_t c = 0; c < 3; ++c)
        key.set({0, 0, 1, c}, key.at({0, 0, 0, c}));
    const auto weights = stage(run(problem), "weights");
    for (std::int64_t i = 1; i < 4; ++i) {
        QVERIFY(std::abs(weights.at({0, 0, i, 0})) < 1e-14);
        QVERIFY(std::abs(weights.at({0, 2, i, 0})) > 1e-3); // the other key head keeps it
    }
}

void CarriedStateTest::rows_that_read_nothing_are_zero() {
    auto problem = dot_problem(1, 1, 1, 3, 3, 2, 2);
    problem.spec.variant = "linear";
    problem.spec.parameters.set("features", std::string("relu"));
    problem.tensors["query"] = with_row(Tensor({1, 1, 3, 2}, 1.0), 1, -2.0);
    const auto trace = run(problem);
    for (std::int64_t j = 0; j < 3; ++j)
        QCOMPARE(stage(trace, "weights").at({0, 0, 1, j}), 0.0);
    for (const char* name : {"output", "state_output"})
        QCOMPARE(stage(trace, name).at({0, 0, 1, 0}), 0.0);
    QVERIFY(has_note(trace, "Rows that read nothing: 1 (first: 1)"));
}

void CarriedStateTest::files_name_their_mechanism_data() {
    QTest::addColumn<QStringList>("names");
    QTest::addColumn<QString>("variant");
    const auto row = [](const QStringList& more, const char* variant) {
        QTest::newRow(qPrintable(more.join(' '))) << QStringList{"query", "key", "value"} + more << variant;
    };
    row({"gamma"}, "retention");
    row({"gate"}, "gated_linear");
    row({"log_gate"}, "gated_linear");
    row({"beta"}, "delta_rule");
    row({"gate", "beta"}, "gated_delta");
    row({"log_gate", "beta"}, "gated_delta");
}

void CarriedStateTest::files_name_their_mechanism() {
    QFETCH(QStringList, names);
    QFETCH(QString, variant);
    TensorMap tensors;
    for (const auto& name : names)
        tensors.emplace(name.toStdString(), Tensor({2, 2}));
    const auto found = spec_for(tensors);
    QCOMPARE(found ? QString::fromStdString(found->variant) : QString(), variant);
}

void CarriedStateTest::names_what_is_not_possible_data() {
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* what, const char* said) { QTest::newRow(what) << what << said; };
    row("both gates", "log_gate: is given beside gate, expected one of the two");
    row("no gate",
        "gate: is missing, expected an array of shape (B, H, L, E) or (B, H, L) with B = 2 as in query, E = 3 "
        "as in query, H = 4 as in query, L = 5 as in query");
    row("log_gate above 0", "log_gate: has 0.25 at (0, 1, 3), expected the logarithm of a share, at most 0");
    row("short gate",
        "gate: has shape (2, 4, 4), expected (B, H, L) with B = 2 as in query, H = 4 as in query, L = 5 as "
        "in query");
    row("other keys",
        "key: has shape (2, 2, 4, 3), expected (B, Hkv, L, E) with B = 2 as in query, E = 3 as in query, L "
        "= 5 as in query");
    row("causal",
        "gated_delta: mask causal is not possible: The state holds all tokens up to the query. A padded token "
        "writes nothing in it; no other cell can be left out.");
    row("fill", "gated_delta: mask_fill -1 is not possible: A padded token writes nothing in the state.");
    row("softcap",
        "gated_delta: scale softcap is not possible: The output is read from the state with one factor for all "
        "scores, which this scale does not have.");
    row("rope", "gated_delta: position is not possible: The state knows no distance but that of its own decay.");
    row("statistics", "gated_delta: statistics is not possible: A row of these weights is no distribution: it may be "
                      "negative and has any sum.");
    row("gamma array", "gamma: has 1.5, expected numbers above 0 and at most 1");
    row("gamma", "retention: parameter gamma is '-0.5', expected a finite number in [0, 1]");
    row("retention gradients",
        "retention: gradients with normalise = true are not possible, expected normalise = false");
    row("grad_output", "grad_output: has shape (2, 4, 5, 3), expected (B, H, L, Ev) with B = 2 as in query, Ev = 2 as "
                       "in value, H = 4 as in query, L = 5 as in query");
    row("linear statistics",
        "linear: statistics are of rows that are shares of 1, expected normalise = true and features "
        "= elu or relu");
    row("linear window",
        "linear: mask window is not possible: The sums over keys grow key by key. So a row can read its "
        "first keys, without those that no row reads, but no other choice of keys.");
}

void CarriedStateTest::names_what_is_not_possible() {
    QFETCH(QString, what);
    QFETCH(QString, said);
    auto problem = problem_of("gated_delta", 5);
    auto& spec = problem.spec;
    auto& tensors = problem.tensors;
    const auto is = [&](const char* one) { return what == QLatin1String(one); };
    if (is("both gates"))
        tensors["log_gate"] = Tensor({2, 4, 5});
    if (is("no gate"))
        tensors.erase("gate");
    if (is("log_gate above 0")) {
        tensors.erase("gate");
        tensors["log_gate"] = Tensor({2, 4, 5}, -1.0);
        tensors["log_gate"].set({0, 1, 3}, 0.25);
    }
    if (is("short gate"))
        tensors["gate"] = Tensor({2, 4, 4});
    if (is("other keys"))
        tensors["key"] = Tensor({2, 2, 4, 3});
    if (is("causal"))
        spec.masks = {parse_mask("causal")};
    if (is("fill")) {
        spec.masks = {parse_mask("key_padding")};
        spec.mask_fill.value = -1.0;
        tensors["key_padding_mask"] = Tensor({2, 5}, 0.0, DType::Bool);
        QVERIFY(without_refused(spec).mask_fill == MaskFill{});
    }
    if (is("softcap"))
        spec.scale = parse_scale("softcap");
    if (is("rope"))
        spec.position.id = "rope";
    if (is("statistics"))
        spec.statistics = true;
    if (what.startsWith("gamma"))
        spec.variant = "retention";
    if (is("gamma"))
        spec.parameters.set("gamma", -0.5);
    if (is("gamma array"))
        tensors["gamma"] = Tensor({4}, 1.5);
    if (is("retention gradients")) {
        spec.variant = "retention";
        spec.parameters.set("normalise", true);
        spec.parameters.set("gradients", true);
    }
    if (is("grad_output")) {
        spec.parameters.set("gradients", true);
        tensors["grad_output"] = Tensor({2, 4, 5, 3});
    }
    if (what.startsWith("linear"))
        spec.variant = "linear";
    if (is("linear statistics")) {
        spec.statistics = true;
        spec.parameters.set("normalise", false);
    }
    if (is("linear window"))
        spec.masks = {parse_mask("window")};
    QCOMPARE(complaint(problem), said);
}

void CarriedStateTest::switching_replaces_keys_of_other_tokens() {
    for (const auto& id : recurrent) {
        auto problem = dot_problem(2, 4, 2, 3, 5, 6, 7);
        const auto query = problem.tensors.at("query"), key = problem.tensors.at("key");
        problem.spec.variant = id;
        auto opened = problem;
        QVERIFY(error_of([&] { complete_inputs(opened, 1); }).startsWith("key: has shape")); // not those of a file
        const auto made = complete_inputs(problem, 1, true);
        QVERIFY(std::ranges::find(made, "key") != made.end() && std::ranges::find(made, "value") != made.end());
        QVERIFY(problem.tensors.at("query") == query);
        QCOMPARE(problem.tensors.at("key").dim(-2), 3);
        QCOMPARE(complaint(problem), QStringLiteral("not an issue: "));
        // Keys of the same tokens stay.
        auto fits = problem_of("scaled_dot_product", 4);
        const auto before = fits.tensors.at("key");
        fits.spec.variant = id;
        complete_inputs(fits, 1, true);
        QVERIFY(fits.tensors.at("key") == before);
    }
}

void CarriedStateTest::notes_what_is_unusual() {
    auto problem = problem_of("retention", 4);
    QVERIFY(has_note(run(problem), "Rows of weights sum to between "));
    problem.tensors["gamma"] = Tensor({4}, 0.5);
    QVERIFY(!has_note(run(problem), "parameter gamma is not used"));
    problem.spec.parameters.set("gamma", 0.9);
    QVERIFY(has_note(run(problem), "parameter gamma is not used"));
    problem.tensors["value"].set({0, 0, 0, 0}, not_a_number);
    QVERIFY(has_note(run(problem), "value holds values that are NaN or infinite: 1"));
    auto linear = dot_problem(1, 1, 1, 3, 4, 2, 2);
    linear.spec.variant = "linear";
    QVERIFY(run(linear).notes.empty());
    linear.spec.scale = parse_scale("sqrt_dk");
    QVERIFY(has_note(run(linear), "The scale sqrt_dk has no effect"));
    linear.spec.parameters.set("normalise", false);
    QVERIFY(has_note(run(linear), "Rows of weights sum to between ") && !has_note(run(linear), "has no effect"));
}

void CarriedStateTest::says_what_it_costs() {
    // 2 sequences, 4 heads, 5 tokens; a state of 3 x 2 numbers.
    const auto trace = run(problem_of("gated_delta", 5));
    QCOMPARE(measured(trace, "operations"), 2.0 * 4 * 5 * (6.0 * (4 + 1 + 2) + 2 * 2));
    QCOMPARE(measured(trace, "bytes"), 4.0 * 2 * 4 * 6);
    const auto longer = run(problem_of("gated_delta", 10));
    QCOMPARE(measured(longer, "operations"), 2.0 * measured(trace, "operations"));
    QCOMPARE(measured(longer, "bytes"), measured(trace, "bytes"));
    for (const auto& id : recurrent) {
        const auto complaint = error_of([&] { run(problem_of(id, 100), {.memory_limit = 2 * 4 * 100 * 100 * 8}); });
        QVERIFY2(complaint.startsWith("weights: would have shape (2, 4, 100, 100)"), qPrintable(complaint));
    }
}

void CarriedStateTest::gradients_are_slopes_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("scale");
    QTest::addColumn<bool>("vector_gates");
    QTest::addColumn<QString>("setting"); // of linear: features and normalise
    for (const auto& id : recurrent)
        for (const char* scale : {"sqrt_dk", "pre_norm:0.7"})
            for (const bool vector_gates : {false, true})
                if (has_gates(id) || !vector_gates)
                    QTest::addRow("%s, %s%s", id.c_str(), scale, vector_gates ? ", vector gates" : "")
                        << QString::fromStdString(id) << scale << vector_gates << "";
    for (const char* features : {"elu", "relu", "identity"})
        for (const char* normalise : {"true", "false"})
            for (const char* scale : {"custom:0.4", "pre_norm:0.7"})
                QTest::addRow("linear, %s, %s, %s", features, normalise, scale)
                    << "linear" << scale << false << QStringLiteral("%1 %2").arg(features, normalise);
}

void CarriedStateTest::gradients_are_slopes() {
    QFETCH(QString, id);
    QFETCH(QString, scale);
    QFETCH(bool, vector_gates);
    QFETCH(QString, setting);
    const std::int64_t L = 5;
    auto problem = problem_of(id.toStdString(), L, vector_gates);
    problem.spec.scale = parse_scale(scale.toStdString());
    problem.spec.masks = {parse_mask("key_padding")};
    problem.tensors["key_padding_mask"] = Tensor({2, L}, 0.0, DType::Bool);
    problem.tensors["key_padding_mask"].set({1, 2}, 1.0);
    if (id == QLatin1String("retention"))
        problem.tensors["gamma"] = random_uniform({4}, 8, 0.3, 0.9);
    if (id == QLatin1String("gated_delta")) { // the logarithm instead of the logit
        problem.tensors["log_gate"] = problem.tensors["gate"];
        problem.tensors.erase("gate");
        for (double& x : problem.tensors["log_gate"].mutable_values())
            x = -std::abs(x) - 0.01;
    }
    if (id == QLatin1String("linear")) {
        problem.spec.masks.push_back(parse_mask("causal"));
        problem.spec.parameters.set("features", setting.section(' ', 0, 0).toStdString());
        problem.spec.parameters.set("normalise", setting.endsWith("true"));
        if (setting == QLatin1String("identity true")) // sums far from 0
            for (const char* name : {"query", "key"})
                for (double& x : problem.tensors[name].mutable_values())
                    x = std::abs(x) + 0.5;
    }
    const auto upstream = problem.tensors["grad_output"] = random_normal({2, 4, L, 2}, 5);
    problem.spec.parameters.set("gradients", true);
    const auto trace = run(problem);
    const auto loss = [&](const AttentionProblem& at) {
        const auto moved = run(at);
        const auto& output = stage(moved, "output");
        double sum = 0.0;
        for (std::size_t k = 0; k < output.values().size(); ++k)
            sum += output.values()[k] * upstream.values()[k];
        return sum;
    };
    int compared = 0;
    for (const auto& [name, tensor] : problem.tensors) {
        if (name == "grad_output" || name == "key_padding_mask")
            continue;
        const auto& slopes = stage(trace, "grad_" + name);
        QCOMPARE(slopes.shape(), tensor.shape());
        auto nudged = problem;
        nudged.spec.parameters.set("gradients", false);
        for (std::int64_t k = 0; k < tensor.size(); k += 1 + tensor.size() / 30) {
            constexpr double step = 1e-5;
            const auto at = static_cast<std::size_t>(k);
            nudged.tensors[name].mutable_values()[at] = tensor.values()[at] + step;
            const double above = loss(nudged);
            nudged.tensors[name].mutable_values()[at] = tensor.values()[at] - step;
            const double below = loss(nudged);
            nudged.tensors[name].mutable_values()[at] = tensor.values()[at];
            const double slope = (above - below) / (2.0 * step);
            QVERIFY2(close(slopes.values()[at], slope, 1e-6), qPrintable(QStringLiteral("%1[%2]: %3, expected %4")
                                                                             .arg(QString::fromStdString(name))
                                                                             .arg(k)
                                                                             .arg(slopes.values()[at])
                                                                             .arg(slope)));
            ++compared;
        }
    }
    QVERIFY(compared > 60);
}

ATTNLAB_TEST(CarriedStateTest)
#include "test_carried_state.moc"
