// Figures of heads, on constructed patterns and against a plain second computation.
#include "core/explain/head_figures.h"
#include "tests/core/engine_support.h"
#include "tests/core/transformer_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;
using explain::head_figures;
using explain::HeadFigures;
using explain::HeadWeights;
using explain::what_it_does;

namespace {

using Labels = std::vector<std::string>;
/// How much row i reads key j; rows are divided by their sums.
using Pattern = std::function<double(int i, int j)>;

struct Head {
    Tensor weights, blocked;
    bool keys_are_queries = true;
    Labels tokens = {};
    bool has_sink = false;

    HeadFigures figures() const {
        return head_figures(HeadWeights{matrix_at(weights), blocked.size() > 0 ? matrix_at(blocked) : MatrixView{},
                                        keys_are_queries, tokens, has_sink});
    }
    QString words() const { return QString::fromStdString(what_it_does(figures()).english()); }
};

enum class Mask { None, Causal, Padding };

Head head_of(int L, int S, const Pattern& pattern, Mask mask = Mask::None, Labels tokens = {}) {
    Head head{Tensor({L, S}), {}, L == S, std::move(tokens)};
    if (mask != Mask::None)
        head.blocked = Tensor({L, S});
    for (int i = 0; i < L; ++i) {
        double sum = 0.0;
        for (int j = 0; j < S; ++j) {
            const bool blocked = (mask == Mask::Causal && j > i) || (mask == Mask::Padding && j >= S / 2);
            if (blocked)
                head.blocked.set({i, j}, 1.0);
            head.weights.set({i, j}, blocked ? 0.0 : pattern(i, j) + 1e-3);
            sum += head.weights.at({i, j});
        }
        for (int j = 0; j < S; ++j)
            head.weights.set({i, j}, head.weights.at({i, j}) / sum);
    }
    return head;
}

Pattern at(std::function<int(int)> key) {
    return [key = std::move(key)](int i, int j) { return j == key(i) ? 1.0 : 0.0; };
}
double even(int, int) { return 1.0; }

const Labels repeated = {"a", "b", "c", "d", "a", "b", "c", "d", "a", "b", "c", "d"};

/// The figures again, one definition at a time.
struct Plain {
    const Head& head;
    int L = int(head.weights.dim(0)), S = int(head.weights.dim(1));

    bool readable(int i, int j) const {
        return head.blocked.size() == 0 || head.blocked.at({i, j}) == 0.0 || head.weights.at({i, j}) != 0.0;
    }
    bool counts(int i) const {
        int keys = 0;
        for (int j = 0; j < S; ++j)
            keys += readable(i, j);
        return keys > 1;
    }
    double mean(const std::function<double(int i)>& of_row) const {
        double sum = 0.0;
        int rows = 0;
        for (int i = 0; i < L; ++i)
            if (counts(i)) {
                sum += of_row(i);
                ++rows;
            }
        return sum / rows;
    }
    double share(const std::function<bool(int i, int j)>& kind) const {
        return mean([&](int i) {
            double sum = 0.0;
            for (int j = 0; j < S; ++j)
                sum += kind(i, j) ? head.weights.at({i, j}) : 0.0;
            return sum;
        });
    }
};

} // namespace

class HeadFiguresTest : public QObject {
    Q_OBJECT
private slots:
    void says_what_a_head_does_data();
    void says_what_a_head_does();
    void claims_nothing_that_does_not_hold_data();
    void claims_nothing_that_does_not_hold();
    void agrees_with_a_plain_computation_data();
    void agrees_with_a_plain_computation();
    void has_closed_forms();
    void counts_rows_with_two_readable_keys();
    void reports_a_sink();
    void knows_when_keys_are_queries_data();
    void knows_when_keys_are_queries();
    void reads_a_pass_of_a_trace();
};

void HeadFiguresTest::says_what_a_head_does_data() {
    QTest::addColumn<Head>("head");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const Head& head, const char* words) {
        QTest::newRow(name) << head << QString::fromLatin1(words);
    };
    const auto previous = at([](int i) { return i - 1; }), first = at([](int) { return 0; });
    for (const auto mask : {Mask::None, Mask::Causal}) {
        const bool causal = mask == Mask::Causal;
        row(causal ? "previous, causal" : "previous", head_of(9, 9, previous, mask), "previous token");
        row(causal ? "itself, causal" : "itself", head_of(9, 9, at([](int i) { return i; }), mask), "itself");
        row(causal ? "first, causal" : "first", head_of(9, 9, first, mask), "first token");
        row(causal ? "everywhere, causal" : "everywhere", head_of(9, 9, even, mask), "everywhere");
    }
    row("next", head_of(9, 9, at([](int i) { return i + 1; })), "next token");
    row("previous, not alone", head_of(9, 9, [&](int i, int j) { return previous(i, j) * 10.0 + 1.0; }),
        "previous token");
    const Pattern near = [](int i, int j) { return std::abs(i - j) <= 2 ? 1.0 : 0.0; };
    row("neighbours", head_of(12, 12, near), "nearby tokens");
    row("neighbours, causal", head_of(20, 20, near, Mask::Causal), "nearby tokens");
    row("one key", head_of(9, 9, at([](int) { return 4; })), "one key");
    row("one key of others", head_of(4, 7, at([](int) { return 0; })), "one key");
    row("everywhere over others", head_of(4, 7, even), "everywhere");
    row("same token", head_of(12, 12, at([](int i) { return i - 4; }), Mask::Causal, repeated), "same token");
    row("induction", head_of(12, 12, at([](int i) { return i - 3; }), Mask::Causal, repeated), "induction");
    row("induction without tokens", head_of(12, 12, at([](int i) { return i - 3; }), Mask::Causal),
        "no single pattern");
    row("mixed", head_of(9, 9, [](int i, int j) { return (i * 5 + j * 3) % 7 < 2 ? 1.0 : 0.0; }), "no single pattern");
    row("padding", head_of(8, 8, even, Mask::Padding), "everywhere");
    row("first beside padding", head_of(8, 8, first, Mask::Padding), "first token");
}

void HeadFiguresTest::says_what_a_head_does() {
    QFETCH(Head, head);
    QTEST(head.words(), "words");
}

void HeadFiguresTest::claims_nothing_that_does_not_hold_data() {
    QTest::addColumn<Head>("head");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const Head& head, const char* words = "") {
        QTest::newRow(name) << head << QString::fromLatin1(words);
    };
    const auto previous = at([](int i) { return i - 1; });
    row("no rows", Head{Tensor({0, 4}), {}});
    row("no keys", Head{Tensor({4, 0}), {}, false});
    row("one token", head_of(1, 1, even));
    row("two counted rows", head_of(3, 3, previous, Mask::Causal));
    auto head = head_of(9, 9, previous);
    head.weights.set({3, 3}, not_a_number);
    row("NaN", head);
    head = head_of(9, 9, previous);
    head.weights.set({3, 3}, -0.01);
    head.weights.set({3, 4}, head.weights.at({3, 4}) + 0.01);
    row("negative", head);
    head = head_of(9, 9, previous);
    for (double& weight : head.weights.mutable_values())
        weight *= 0.5;
    row("rows sum to one half", head);
    head = head_of(9, 9, previous);
    head.weights = Tensor({9, 9});
    head.blocked = Tensor({9, 9}, 1.0);
    row("fully masked", head);
    head = head_of(9, 9, previous);
    head.keys_are_queries = false;
    row("as many other keys", head, "no single pattern");
    // Half of the weight is no more than reading evenly gives.
    row("few keys", head_of(4, 4, even, Mask::Causal), "everywhere");
    // Every readable key is a neighbour.
    const Pattern second_before = [](int i, int j) { return i - j == 2 ? 4.0 : 1.0; };
    row("only one row tells of neighbours", head_of(4, 4, second_before, Mask::Causal), "no single pattern");
    // One token repeated: every earlier key is an equal one.
    row("equal labels", head_of(9, 9, even, Mask::Causal, Labels(9, "a")), "everywhere");
    row("empty labels", head_of(12, 12, at([](int i) { return i - 4; }), Mask::Causal, Labels(12, "")),
        "no single pattern");
    row("few labels", head_of(12, 12, at([](int i) { return i - 4; }), Mask::Causal, Labels(4, "a")),
        "no single pattern");
}

void HeadFiguresTest::claims_nothing_that_does_not_hold() {
    QFETCH(Head, head);
    QTEST(head.words(), "words");
}

void HeadFiguresTest::agrees_with_a_plain_computation_data() {
    QTest::addColumn<int>("L");
    QTest::addColumn<int>("S");
    QTest::addColumn<int>("mask");
    int seed = 0;
    for (const auto& [L, S] : {std::pair{2, 2}, {7, 7}, {40, 40}, {5, 9}, {9, 5}})
        for (const auto mask : {Mask::None, Mask::Causal, Mask::Padding})
            if (mask != Mask::Padding || S > 3) // else each row has one key
                QTest::addRow("%d x %d, %d", L, S, seed++) << L << S << int(mask);
}

void HeadFiguresTest::agrees_with_a_plain_computation() {
    QFETCH(int, L);
    QFETCH(int, S);
    QFETCH(int, mask);
    Random random(static_cast<std::uint64_t>(L * 100 + S * 10 + mask));
    const auto head = head_of(L, S, [&](int, int) { return std::exp(random.normal()); }, Mask(mask), {});
    auto labelled = head;
    for (int i = 0; i < L; ++i)
        labelled.tokens.push_back(std::string(1, static_cast<char>('a' + i * i % 5)));
    const auto got = labelled.figures();
    const Plain plain{labelled};
    const auto& weights = head.weights;
    QVERIFY(got.are_shares);
    QVERIFY(close(got.entropy, plain.mean([&](int i) {
        double sum = 0.0;
        for (int j = 0; j < S; ++j)
            if (const double a = weights.at({i, j}); a > 0.0)
                sum -= a * std::log(a);
        return sum;
    }),
                  1e-12));
    QVERIFY(close(got.max_weight, plain.mean([&](int i) {
        double most = 0.0;
        for (int j = 0; j < S; ++j)
            most = std::max(most, weights.at({i, j}));
        return most;
    }),
                  1e-12));
    QCOMPARE(got.previous.has_value(), L == S);
    QCOMPARE(got.induction.has_value(), L == S);
    if (L != S)
        return;
    const auto& tokens = labelled.tokens;
    const auto token = [&](int i) { return tokens[static_cast<std::size_t>(i)]; };
    const auto agrees = [&](const std::optional<explain::KeyShare>& share, auto kind) {
        return close(share->mean, plain.share(kind), 1e-12);
    };
    QVERIFY(agrees(got.previous, [](int i, int j) { return j == i - 1; }));
    QVERIFY(agrees(got.next, [](int i, int j) { return j == i + 1; }));
    QVERIFY(agrees(got.first, [](int, int j) { return j == 0; }));
    QVERIFY(agrees(got.diagonal, [](int i, int j) { return j == i; }));
    QVERIFY(agrees(got.neighbours, [](int i, int j) { return std::abs(i - j) <= 2; }));
    QVERIFY(agrees(got.same_token, [&](int i, int j) { return j < i && token(j) == token(i); }));
    QVERIFY(agrees(got.induction, [&](int i, int j) { return j > 0 && j <= i && token(j - 1) == token(i); }));
}

void HeadFiguresTest::has_closed_forms() {
    // Even reading without a mask: log n, 1/n, and what is told is what is even.
    const auto figures = head_of(8, 8, even).figures();
    QCOMPARE(figures.rows, 8);
    QVERIFY(close(figures.entropy, std::log(8.0), 1e-12));
    QVERIFY(close(figures.even_entropy, std::log(8.0), 1e-12));
    QVERIFY(close(figures.max_weight, 0.125, 1e-12));
    QVERIFY(close(figures.previous->mean, 7.0 / 64, 1e-12)); // row 0 has no previous token
    QCOMPARE(figures.previous->rows, 7);
    QVERIFY(close(figures.previous->informative, 0.125, 1e-12));
    QVERIFY(close(figures.previous->uniform, 0.125, 1e-12));
    QVERIFY(!figures.sink);
    QVERIFY(!figures.same_token); // no labels
    // A column takes 0.6 of every row.
    const auto column = head_of(5, 7, [](int, int j) { return j == 3 ? 9.0 : 1.0; }).figures();
    QCOMPARE(column.key_index, std::optional<std::int64_t>(3));
    QVERIFY(close(column.key->informative, 9.001 / 15.007, 1e-12));
    QVERIFY(!column.previous);
}

void HeadFiguresTest::counts_rows_with_two_readable_keys() {
    auto head = head_of(6, 6, even, Mask::Causal);
    QCOMPARE(head.figures().rows, 5);
    // A finite fill leaves weight on a blocked key, which is then readable.
    head.weights.set({0, 0}, 0.75);
    head.weights.set({0, 1}, 0.25);
    QCOMPARE(head.figures().rows, 6);
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, (Head{Tensor({2, 2}), Tensor({2, 3}), true, {}, false}.figures()));
}

void HeadFiguresTest::reports_a_sink() {
    auto head = head_of(8, 8, at([](int i) { return i - 1; }));
    for (double& weight : head.weights.mutable_values())
        weight *= 0.25;
    QCOMPARE(head.words(), QString());
    head.has_sink = true;
    QVERIFY(close(*head.figures().sink, 0.75, 1e-12));
    QCOMPARE(head.words(), QStringLiteral("sink"));
}

void HeadFiguresTest::knows_when_keys_are_queries_data() {
    QTest::addColumn<QString>("variant");
    QTest::addColumn<int>("keys");
    QTest::addColumn<bool>("own_labels");
    QTest::addColumn<bool>("known");
    QTest::newRow("self") << "self" << 6 << false << true;
    QTest::newRow("dot product") << "scaled_dot_product" << 6 << false << true;
    QTest::newRow("keys with labels") << "scaled_dot_product" << 6 << true << false;
    QTest::newRow("more keys") << "scaled_dot_product" << 7 << false << false;
    QTest::newRow("cross") << "cross" << 6 << false << false;
    QTest::newRow("pooled keys") << "linformer" << 6 << false << false;
}

void HeadFiguresTest::knows_when_keys_are_queries() {
    QFETCH(QString, variant);
    QFETCH(int, keys);
    QFETCH(bool, own_labels);
    AttentionProblem problem;
    problem.spec.variant = variant.toStdString();
    if (variant == "self" || variant == "cross")
        problem.tensors["x"] = random_normal({6, 4}, 1);
    else
        problem.tensors["query"] = random_normal({6, 4}, 1);
    if (variant == "cross")
        problem.tensors["context"] = random_normal({keys, 4}, 2);
    else if (variant != "self") {
        problem.tensors["key"] = random_normal({keys, 4}, 2);
        problem.tensors["value"] = random_normal({keys, 4}, 3);
    }
    if (variant == "linformer")
        problem.spec.parameters.set("k", std::int64_t{6});
    if (own_labels)
        problem.key_tokens = Labels(6, "k");
    complete_inputs(problem, 1);
    const auto trace = run(problem);
    const auto figures = head_figures(trace, *trace.find("weights"), 0, 0);
    QCOMPARE(figures.rows, 6);
    QTEST(figures.previous.has_value(), "known");
    QCOMPARE(what_it_does(figures).empty(), variant == "linformer");
    QCOMPARE(head_figures(trace, *trace.find("weights"), 0, 9).rows, 0);
}

void HeadFiguresTest::reads_a_pass_of_a_trace() {
    const auto trace = run(padded_transformer());
    for (const auto& name : trace.layers) {
        const Stage& weights = *trace.find(name);
        const auto figures = head_figures(trace, weights, 1, 2);
        QCOMPARE(figures.previous.has_value(), name.find(".cross.") == std::string::npos);
        QVERIFY(figures.rows > 0);
        // Causal: the first row has one readable key, which the stage `blocked` tells.
        const auto unmasked = head_figures(HeadWeights{matrix_at(weights.value, weights.value.dim(1) + 2)});
        QCOMPARE(figures.rows < unmasked.rows, name.starts_with("decoder") && name.find(".self.") != std::string::npos);
    }
}

ATTNLAB_TEST(HeadFiguresTest)
#include "test_head_figures.moc"
