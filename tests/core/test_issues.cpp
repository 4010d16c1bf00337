#include "core/stages/mask.h"
#include "core/stages/scale.h"
#include "tests/core/engine_support.h"
#include "tests/core/io_support.h"
#include "tests/test_main.h"

#include <QTest>

#include <functional>

using namespace attnlab;
using namespace attnlab::test;

namespace {

using Change = std::function<void(AttentionProblem&)>;

struct Mistake {
    const char* name;
    const char* variant;
    Change change;
    const char* complaint; ///< %scales and %masks are what there is
};

Change put(const char* name, const Tensor& tensor) {
    return [=](AttentionProblem& problem) { problem.tensors.insert_or_assign(name, tensor); };
}

Change set(const char* name, const ParameterValue& value) {
    return [=](AttentionProblem& problem) { problem.spec.parameters.set(name, value); };
}

Change mask(const char* id, const char* name = "", const Tensor& tensor = {}) {
    return [=](AttentionProblem& problem) {
        problem.spec.masks.push_back({id, {}});
        if (*name)
            problem.tensors.insert_or_assign(name, tensor);
    };
}

Change both(const Change& first, const Change& second) {
    return [=](AttentionProblem& problem) {
        first(problem);
        second(problem);
    };
}

Change mask_parameter(const char* id, const char* name, const ParameterValue& value) {
    return [=](AttentionProblem& problem) {
        problem.spec.masks.push_back({id, {}});
        problem.spec.masks.back().parameters.set(name, value);
    };
}

Change scale(const char* id, const char* name, const ParameterValue& value) {
    return [=](AttentionProblem& problem) {
        problem.spec.scale.id = id;
        problem.spec.scale.parameters.set(name, value);
    };
}

Tensor with(Shape shape, std::initializer_list<std::int64_t> index, double value) {
    Tensor tensor(std::move(shape));
    tensor.set(index, value);
    return tensor;
}

/// For query (2,4,3,5), key (2,2,6,5), value (2,2,6,7); or x (2,3,6) of multi_head and similar mechanisms.
const std::vector<Mistake> mistakes = {
    {"no query", "scaled_dot_product", [](auto& p) { p.tensors.erase("query"); },
     "query: is missing, expected an array of shape (B, H, L, E) or (B, L, E) or (L, E)"},
    {"no value", "scaled_dot_product", [](auto& p) { p.tensors.erase("value"); },
     "value: is missing, expected an array of shape (B, Hkv, S, Ev) with B = 2 as in query, Hkv = 2 as in key, S = 6 as in "
     "key"},
    {"query of rank 1", "scaled_dot_product", put("query", Tensor({5})),
     "query: has shape (5,), expected (B, H, L, E) or (B, L, E) or (L, E)"},
    {"query of rank 5", "scaled_dot_product", put("query", Tensor({1, 2, 4, 3, 5})),
     "query: has shape (1, 2, 4, 3, 5), expected (B, H, L, E) or (B, L, E) or (L, E)"},
    {"query of rank 0", "scaled_dot_product", put("query", Tensor(Shape{})),
     "query: has shape (), expected (B, H, L, E) or (B, L, E) or (L, E)"},
    {"another width of key", "scaled_dot_product", put("key", Tensor({2, 2, 6, 4})),
     "key: has shape (2, 2, 6, 4), expected (B, Hkv, S, E) with B = 2 as in query, E = 5 as in query"},
    {"another batch of key", "scaled_dot_product", put("key", Tensor({3, 2, 6, 5})),
     "key: has shape (3, 2, 6, 5), expected (B, Hkv, S, E) with B = 2 as in query, E = 5 as in query"},
    {"key of one sequence", "scaled_dot_product", put("key", Tensor({6, 5})),
     "key: has shape (6, 5), expected (B, Hkv, S, E) or (B, S, E) with B = 2 as in query, E = 5 as in query"},
    {"key of one sequence of a batch", "scaled_dot_product",
     both(put("query", Tensor({2, 5, 4})), put("key", Tensor({5, 4}))),
     "key: has shape (5, 4), expected (B, Hkv, S, E) or (B, S, E) with B = 2 as in query, E = 4 as in query"},
    {"another length of value", "scaled_dot_product", put("value", Tensor({2, 2, 7, 7})),
     "value: has shape (2, 2, 7, 7), expected (B, Hkv, S, Ev) with B = 2 as in query, Hkv = 2 as in key, S = 6 as in "
     "key"},
    {"key heads that do not divide", "scaled_dot_product",
     both(put("key", Tensor({2, 3, 6, 5})), put("value", Tensor({2, 3, 6, 7}))),
     "key: has 3 heads, expected a divisor of the 4 query heads"},
    {"no key heads", "scaled_dot_product", both(put("key", Tensor({2, 0, 6, 5})), put("value", Tensor({2, 0, 6, 7}))),
     "key: has 0 heads, expected a divisor of the 4 query heads"},
    {"heads that do not divide", "multi_head", set("num_heads", std::int64_t{5}),
     "w_q: has shape (6, 6), expected (D, num_heads*E) with D = 6 as in x, num_heads = 5"},
    {"no heads", "multi_head", set("num_heads", std::int64_t{0}),
     "multi_head: parameter num_heads is '0', expected an integer in [1, 4096]"},
    {"heads in words", "multi_head", set("num_heads", std::string("two")),
     "multi_head: parameter num_heads is 'two', expected an integer in [1, 4096]"},
    {"heads in halves", "multi_head", set("num_heads", 2.5),
     "multi_head: parameter num_heads is '2.5', expected an integer in [1, 4096]"},
    {"dropout of 1", "multi_head", set("dropout", 1.0),
     "multi_head: parameter dropout is '1', expected a finite number in [0, 0.99]"},
    {"unknown parameter", "multi_query", set("num_kv_heads", std::int64_t{1}),
     "multi_query: has no parameter 'num_kv_heads'; it has: num_heads, gradients, similarity, dropout, seed"},
    {"parameter of another mechanism", "self", set("num_heads", std::int64_t{1}),
     "self: has no parameter 'num_heads'; it has: gradients, similarity, dropout, seed"},
    {"key/value heads that do not divide", "grouped_query", set("num_kv_heads", std::int64_t{3}),
     "grouped_query: parameter num_kv_heads is 3, expected a divisor of num_heads = 4"},
    {"bias of another width", "multi_head", put("b_q", Tensor({7})),
     "b_q: has shape (7,), expected (num_heads*E,) with E = 3 as in w_q, num_heads = 2"},
    {"context of another batch", "multi_head", put("context", Tensor({3, 4, 6})),
     "context: has shape (3, 4, 6), expected (B, S, Dk) with B = 2 as in x"},
    {"temperature 0", "scaled_dot_product", scale("temperature", "t", 0.0),
     "temperature: parameter t is '0', expected a finite number in (0, inf)"},
    {"infinite factor", "scaled_dot_product", scale("custom", "c", infinity),
     "custom: parameter c is 'inf', expected a finite number in (-inf, inf)"},
    {"unknown norm", "scaled_dot_product", scale("score_norm", "norm", std::string("l7")),
     "score_norm: parameter norm is 'l7', expected one of frobenius, row, max, minmax"},
    {"no such scale", "scaled_dot_product", [](auto& p) { p.spec.scale.id = "sqrt"; },
     "scale: 'sqrt' is not one of %scales"},
    {"score norm after the softmax", "scaled_dot_product",
     [](auto& p) {
         p.spec.scale.id = "score_norm";
         p.spec.scale_after_softmax = true;
     },
     "scale: score_norm after the softmax is not possible, expected a scale that is one number"},
    {"soft cap after the softmax", "scaled_dot_product",
     [](auto& p) {
         p.spec.scale.id = "softcap";
         p.spec.scale_after_softmax = true;
     },
     "scale: softcap after the softmax is not possible, expected a scale that is one number"},
    {"one key as the length n0", "scaled_dot_product", scale("log_n", "n0", 1.0),
     "log_n: parameter n0 is '1', expected a finite number in (1, inf)"},
    {"gain of another width", "scaled_dot_product",
     [](auto& p) {
         p.spec.scale.id = "qk_norm";
         p.tensors["key_gain"] = Tensor({9});
     },
     "key_gain: has shape (9,), expected (Ek,) with Ek = 5"},
    {"no such mask", "scaled_dot_product", mask("causl"),
     "mask: 'causl' is not one of %masks"},
    {"negative window", "scaled_dot_product", mask_parameter("window", "w", std::int64_t{-1}),
     "window: parameter w is '-1', expected an integer in [0, 1e+09]"},
    {"no array for a mask", "scaled_dot_product", mask("key_padding"),
     "key_padding_mask: is missing, expected an array of shape (B or 1, S) with B = 2 as in query, S = 6 as in key"},
    {"valid length beyond S", "scaled_dot_product", mask("valid_lens", "valid_lens", with({2}, {1}, 7.0)),
     "valid_lens: has 7 at (1,), expected an integer from 0 to S = 6"},
    {"negative valid length", "scaled_dot_product", mask("valid_lens", "valid_lens", with({2}, {0}, -1.0)),
     "valid_lens: has -1 at (0,), expected an integer from 0 to S = 6"},
    {"half a valid length", "scaled_dot_product", mask("valid_lens", "valid_lens", with({2, 3}, {1, 2}, 1.5)),
     "valid_lens: has 1.5 at (1, 2), expected an integer from 0 to S = 6"},
    {"half True", "scaled_dot_product", mask("attn_mask", "attn_mask", with({3, 6}, {2, 1}, 0.5)),
     "attn_mask: has 0.5 at (2, 1), expected only True and False (an additive mask goes in attn_bias)"},
    {"NaN as padding", "scaled_dot_product", mask("key_padding", "key_padding_mask", with({2, 6}, {0, 5}, not_a_number)),
     "key_padding_mask: has nan at (0, 5), expected only True and False"},
    {"painted 2", "scaled_dot_product", mask("painted", "painted_mask", with({3, 6}, {0, 0}, 2.0)),
     "painted_mask: has 2 at (0, 0), expected only True and False (an additive mask goes in attn_bias)"},
    {"NaN as bias", "scaled_dot_product", mask("attn_bias", "attn_bias", with({2, 1, 3, 6}, {1, 0, 2, 5}, not_a_number)),
     "attn_bias: has nan at (1, 0, 2, 5), expected finite numbers or -inf"},
    {"infinite bias", "scaled_dot_product", mask("attn_bias", "attn_bias", with({3, 6}, {0, 0}, infinity)),
     "attn_bias: has inf at (0, 0), expected finite numbers or -inf"},
    {"mask of another length", "scaled_dot_product", mask("attn_mask", "attn_mask", Tensor({6, 3})),
     "attn_mask: has shape (6, 3), expected (L or 1, S or 1) with L = 3 as in query, S = 6 as in key"},
    {"mask for other heads", "scaled_dot_product", mask("attn_mask", "attn_mask", Tensor({5, 3, 6})),
     "attn_mask: has shape (5, 3, 6), expected (B*H, L or 1, S or 1) or (H or 1, L or 1, S or 1) with B = 2 as in query, "
     "H = 4 as in query, L = 3 as in query, S = 6 as in key"},
    {"fill of NaN", "scaled_dot_product",
     [](auto& p) {
         p.spec.masks = {parse_mask("causal")};
         p.spec.mask_fill.value = not_a_number;
     },
     "mask fill: is nan, expected a finite number or -inf"},
    {"infinite fill", "scaled_dot_product",
     [](auto& p) {
         p.spec.masks = {parse_mask("causal")};
         p.spec.mask_fill.value = infinity;
     },
     "mask fill: is inf, expected a finite number or -inf"},
};

AttentionProblem sound_problem(const std::string& id) {
    if (id == "scaled_dot_product")
        return dot_problem(2, 4, 2, 3, 6, 5, 7);
    AttentionProblem problem;
    problem.spec.variant = id;
    problem.tensors.emplace("x", random_normal({2, 3, 6}, 1));
    complete_inputs(problem, 2);
    return problem;
}

} // namespace

/// Possible mistakes of users: the message names the object, its value and the expected one, and issues_in gives the
/// same as the run.
class IssuesTest : public QObject {
    Q_OBJECT
private slots:
    void names_the_mistake_data();
    void names_the_mistake();
    void names_the_mechanisms_that_there_are();
    void lists_each_mistake_once();
    void finds_nothing_wrong_with_what_runs_data();
    void finds_nothing_wrong_with_what_runs();

    void computes_empty_tensors_data();
    void computes_empty_tensors();
    void computes_empty_embeddings();
    void notes_what_is_no_number_data();
    void notes_what_is_no_number();
    void says_why_no_backend_can();
};

void IssuesTest::names_the_mistake_data() {
    QTest::addColumn<int>("index");
    for (std::size_t k = 0; k < mistakes.size(); ++k)
        QTest::newRow(mistakes[k].name) << int(k);
}

void IssuesTest::names_the_mistake() {
    QFETCH(int, index);
    const auto& mistake = mistakes[static_cast<std::size_t>(index)];
    auto problem = sound_problem(mistake.variant);
    problem.spec.variant = mistake.variant;
    mistake.change(problem);
    const auto complaint = QString(mistake.complaint)
                               .replace("%scales", known_ids(scale_modes()))
                               .replace("%masks", known_ids(mask_kinds()));
    QCOMPARE(error_of([&] { run(problem); }), complaint);
    const auto issues = issues_in(problem);
    QVERIFY(!issues.empty());
    QCOMPARE(QString::fromStdString(issues.front().english()), complaint);
}

void IssuesTest::names_the_mechanisms_that_there_are() {
    AttentionProblem problem;
    problem.spec.variant = "magic";
    QCOMPARE(error_of([&] { run(problem); }), "variant: 'magic' is not one of " + known_ids(mechanisms()));
}

void IssuesTest::lists_each_mistake_once() {
    AttentionProblem problem;
    problem.spec.variant = "magic";
    QCOMPARE(issues_in(problem).size(), std::size_t{1});
    const auto complaint = issues_in(problem).front().english();
    QVERIFY(complaint.starts_with("variant: 'magic' is not one of scaled_dot_product, "));
    for (const auto& mechanism : mechanisms())
        QVERIFY(complaint.find(mechanism.id) != std::string::npos);
    problem.spec.variant = "self";
    problem.spec.scale.id = "cube";
    QCOMPARE(issues_in(problem).size(), std::size_t{2}); // the scale, and x
}

void IssuesTest::finds_nothing_wrong_with_what_runs_data() {
    QTest::addColumn<QString>("variant");
    for (const auto& mechanism : mechanisms())
        QTest::newRow(mechanism.id.data()) << QString::fromUtf8(mechanism.id.data(), qsizetype(mechanism.id.size()));
}

void IssuesTest::finds_nothing_wrong_with_what_runs() {
    QFETCH(QString, variant);
    const auto problem = fresh_problem(variant.toStdString());
    QVERIFY(issues_in(problem).empty());
    QVERIFY(run(problem).find(variant == QLatin1String("given_weights") ? "weights" : "output"));
}

void IssuesTest::computes_empty_tensors_data() {
    QTest::addColumn<QList<int>>("sizes"); // B, H, Hkv, L, S, E, Ev
    QTest::addColumn<QString>("note");
    QTest::newRow("no sequences") << QList{0, 2, 1, 3, 4, 5, 6} << "";
    QTest::newRow("no query heads") << QList{1, 0, 1, 3, 4, 5, 6} << "";
    QTest::newRow("no queries") << QList{1, 2, 1, 0, 4, 5, 6} << "";
    QTest::newRow("no keys") << QList{1, 2, 1, 3, 0, 5, 6} << "There are no keys";
    QTest::newRow("no features") << QList{1, 2, 1, 3, 4, 0, 6} << "no features: every score is 0";
    QTest::newRow("no values") << QList{1, 2, 1, 3, 4, 5, 0} << "";
    QTest::newRow("nothing") << QList{0, 0, 1, 0, 0, 0, 0} << "";
}

void IssuesTest::computes_empty_tensors() {
    QFETCH(QList<int>, sizes);
    QFETCH(QString, note);
    const std::int64_t B = sizes[0], H = sizes[1], Hkv = sizes[2], L = sizes[3], S = sizes[4], E = sizes[5],
                       Ev = sizes[6];
    for (const auto& mode : scale_modes())
        for (const auto& kind : mask_kinds()) {
            if (kind.needs_key_grid && L != S)
                continue; // refused
            auto problem = dot_problem(B, H, Hkv, L, S, E, Ev);
            problem.spec.scale.id = mode.id;
            problem.spec.statistics = true;
            problem.spec.masks = {{std::string(kind.id), {}}};
            complete_inputs(problem, 1);
            const auto trace = run(problem);
            QCOMPARE(stage(trace, "weights").shape(), Shape({B, H, L, S}));
            QCOMPARE(stage(trace, "output").shape(), Shape({B, H, L, Ev}));
            QVERIFY(note.isEmpty() ? !has_note(trace, "There are no") : has_note(trace, note.toStdString()));
            if (S == 0) {
                QCOMPARE(stage(trace, "output"), Tensor({B, H, L, Ev}));
                QCOMPARE(stage(trace, "lse"), Tensor({B, H, L}, -infinity));
            }
            if (E == 0)
                QCOMPARE(stage(trace, "scaled"), Tensor({B, H, L, S}));
        }
}

void IssuesTest::computes_empty_embeddings() {
    for (const auto& mechanism : mechanisms()) {
        const auto whole = fresh_problem(mechanism.id);
        for (const auto& [name, tensor] : whole.tensors)
            for (int axis = 0; axis < tensor.rank(); ++axis) {
                auto problem = whole;
                auto shape = tensor.shape();
                shape[static_cast<std::size_t>(axis)] = 0;
                problem.tensors.at(name) = Tensor(shape);
                try {
                    run(problem); // either it is valid, or the message tells what does not fit
                } catch (const Error& error) {
                    QVERIFY(std::string(error.what()).find(": has ") != std::string::npos);
                }
            }
    }
}

void IssuesTest::notes_what_is_no_number_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("note");
    QTest::newRow("NaN query") << "query" << not_a_number << "query holds values that are NaN or infinite: 1";
    QTest::newRow("infinite key") << "key" << infinity << "key holds values that are NaN or infinite: 1";
    QTest::newRow("-inf value") << "value" << -infinity << "value holds values that are NaN or infinite: 1";
    QTest::newRow("1e300 query") << "query" << 1e300 << "Rows whose weights are NaN: 1 (first: 0)";
}

void IssuesTest::notes_what_is_no_number() {
    QFETCH(QString, name);
    QFETCH(double, value);
    QFETCH(QString, note);
    for (const auto& mode : scale_modes()) {
        auto problem = dot_problem(1, 1, 1, 3, 4, 2, 2);
        if (value == 1e300) // overflows doubles when multiplied
            problem.tensors.at("key").set({0, 0, 1, 0}, value);
        problem.tensors.at(name.toStdString()).set({0, 0, 0, 0}, value);
        problem.spec.statistics = true;
        problem.spec.masks = {parse_mask("causal:bottom_right")};
        problem.spec.scale.id = mode.id;
        const auto trace = run(problem);
        if (value != 1e300 || mode.id == "sqrt_dk")
            QVERIFY2(has_note(trace, note.toStdString()), mode.id.data());
    }
}

void IssuesTest::says_why_no_backend_can() {
    struct Unable : Backend {
        std::string_view id() const override { return "unable"; }
        std::string title() const override { return "unable"; }
        std::optional<Message> why_not(const ResolvedProblem&) const override { return Message("no device"); }
        Trace run(const ResolvedProblem&, const RunControl&) const override { return {}; }
    } unable;
    const auto problem = dot_problem(1, 1, 1, 1, 1, 1, 1);
    const Backend* one[] = {&unable};
    const Backend* two[] = {&unable, &reference_backend()};
    QCOMPARE(error_of([&] { compute(problem, one); }), QStringLiteral("no device"));
    QCOMPARE(error_of([&] { compute(problem, two, "unable"); }), QStringLiteral("no device"));
    QCOMPARE(compute(problem, two).backend, std::string("reference · float64"));
    QCOMPARE(error_of([&] { compute(problem, two, "gpu"); }),
             QStringLiteral("backend: 'gpu' is not one of auto, unable, reference"));
}

ATTNLAB_TEST(IssuesTest)
#include "test_issues.moc"
