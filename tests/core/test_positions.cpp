#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "tests/core/engine_support.h"
#include "tests/core/io_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

AttentionProblem positioned(const char* position, AttentionProblem problem) {
    problem.spec.position = parse_position(position);
    return problem;
}

QString complaint_about(const AttentionProblem& problem) {
    const auto issues = issues_in(problem);
    const auto thrown = error_of([&] { run(problem); });
    return issues.size() == 1 && QString::fromStdString(issues.front().english()) == thrown
               ? thrown
               : QStringLiteral("%1 issues, run() says: %2").arg(issues.size()).arg(thrown);
}

} // namespace

class PositionsTest : public QObject {
    Q_OBJECT
private slots:
    void notes_queries_at_the_beginning_data();
    void notes_queries_at_the_beginning();
    void slopes_are_the_papers_data();
    void slopes_are_the_papers();
    void buckets_are_t5s_data();
    void buckets_are_t5s();
    void turns_pairs_of_features();
    void rotary_scores_depend_on_the_distance_alone();
    void normalises_before_it_turns();
    void a_query_may_stand_later();
    void sequences_stand_at_places_of_their_own();
    void notes_an_offset_of_its_own();
    void appended_keys_stand_nowhere_data();
    void appended_keys_stand_nowhere();
    void shows_its_stages();
    void biased_queries_are_not_decoupled();
    void makes_its_array();
    void names_the_mistake_data();
    void names_the_mistake();
    void reads_the_command_line_data();
    void reads_the_command_line();
};

/// Fewer queries than keys are mostly those of decoding, which stand at the end.
void PositionsTest::notes_queries_at_the_beginning_data() {
    QTest::addColumn<QString>("position");
    QTest::addColumn<int>("L");
    QTest::addColumn<int>("S");
    QTest::addColumn<QString>("says");
    QTest::newRow("rope")
        << "rope" << 1 << 10
        << "rope puts the first query where the first key stands. With L = 1 and S = 10 the last 9 "
           "keys stand after every query. When decoding, query_offset=9 lines up the last query with the last key";
    QTest::newRow("alibi")
        << "alibi" << 2 << 6
        << "alibi puts the first query where the first key stands. With L = 2 and S = 6 the last 4 "
           "keys stand after every query. When decoding, query_offset=4 lines up the last query with the last key";
    QTest::newRow("t5") << "t5" << 6 << 2
                        << "t5 puts the first query where the first key stands. With L = 6 and S = 2 the last 4 "
                           "queries stand after every key";
    QTest::newRow("offset") << "rope:query_offset=9" << 1 << 10 << QString();
    QTest::newRow("as many") << "rope" << 4 << 4 << QString();
    QTest::newRow("none") << QString() << 1 << 10 << QString();
}
void PositionsTest::notes_queries_at_the_beginning() {
    QFETCH(QString, position);
    QFETCH(int, L);
    QFETCH(int, S);
    QFETCH(QString, says);
    AttentionProblem problem;
    problem.tensors = {{"query", random_normal({1, 2, L, 4}, 1)},
                       {"key", random_normal({1, 2, S, 4}, 2)},
                       {"value", random_normal({1, 2, S, 4}, 3)}};
    if (position == "t5")
        problem.tensors.emplace("relative_attention_bias", random_normal({32, 2}, 4));
    if (!position.isEmpty())
        problem.spec.position = parse_position(position.toStdString());
    const auto trace = run(problem);
    QCOMPARE(trace.notes.size(), says.isEmpty() ? 0u : 1u);
    if (says.isEmpty())
        return;
    QCOMPARE(QString::fromStdString(trace.notes.front().message.english()), says);
    QCOMPARE(trace.notes.front().severity, L < S ? Note::Severity::Warning : Note::Severity::Info);
}

void PositionsTest::slopes_are_the_papers_data() {
    QTest::addColumn<QList<double>>("exponents"); // slope = 2^-exponent
    QTest::newRow("1 head") << QList<double>{8};
    QTest::newRow("2 heads") << QList<double>{4, 8};
    QTest::newRow("8 heads") << QList<double>{1, 2, 3, 4, 5, 6, 7, 8};
    QTest::newRow("6 heads: 4, then of 8 the odd ones") << QList<double>{2, 4, 6, 8, 1, 3};
    QTest::newRow("12 heads") << QList<double>{1, 2, 3, 4, 5, 6, 7, 8, 0.5, 1.5, 2.5, 3.5};
}

void PositionsTest::slopes_are_the_papers() {
    QFETCH(QList<double>, exponents);
    const auto heads = exponents.size();
    const auto trace = run(positioned("alibi", dot_problem(2, heads, 1, 3, 4, 2, 2)));
    const auto& bias = stage(trace, "position_bias");
    QCOMPARE(bias.shape(), Shape({2, heads, 3, 4}));
    for (qsizetype h = 0; h < heads; ++h)
        for (std::int64_t i = 0; i < 3; ++i)
            for (std::int64_t j = 0; j < 4; ++j)
                for (std::int64_t b = 0; b < 2; ++b)
                    QCOMPARE(bias.at({b, h, i, j}), -std::exp2(-exponents[h]) * static_cast<double>(std::abs(i - j)));
    auto expected = stage(trace, "scaled");
    for (std::size_t k = 0; k < expected.values().size(); ++k)
        expected.mutable_values()[k] += bias.values()[k];
    QCOMPARE(stage(trace, "masked"), expected);
}

void PositionsTest::buckets_are_t5s_data() {
    QTest::addColumn<int>("buckets");
    QTest::addColumn<QString>("position");
    QTest::addColumn<QList<int>>("starts"); // the distance back at which each bucket of one direction begins
    // From T5's function in float32.
    QTest::newRow("encoder") << 32 << "t5" << QList{0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91};
    QTest::newRow("decoder") << 32 << "t5:false"
                             << QList{0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                      16, 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113};
    QTest::newRow("near") << 32 << "t5:max_distance=20" << QList{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 15, 16, 18};
    QTest::newRow("powers of two") << 8 << "t5:bidirectional=false,max_distance=64" << QList{0, 1, 2, 3, 4, 8, 16, 32};
    QTest::newRow("12 buckets") << 12 << "t5:max_distance=100" << QList{0, 1, 2, 3, 10, 32};
}

void PositionsTest::buckets_are_t5s() {
    QFETCH(int, buckets);
    QFETCH(QString, position);
    QFETCH(QList<int>, starts);
    auto problem = positioned(qPrintable(position), dot_problem(1, 2, 2, 130, 130, 2, 1));
    problem.tensors["relative_attention_bias"] = counting({buckets, 2});
    const auto bias = stage(run(problem), "position_bias");
    const bool both = starts.size() < buckets;
    for (std::int64_t back = 0; back < 130; ++back) {
        const auto bucket = std::upper_bound(starts.begin(), starts.end(), back) - starts.begin() - 1;
        for (std::int64_t h = 0; h < 2; ++h) {
            QCOMPARE(bias.at({0, h, back, 0}), static_cast<double>(2 * bucket + h));
            const auto ahead = both && back > 0 ? bucket + starts.size() : 0;
            QCOMPARE(bias.at({0, h, 0, back}), static_cast<double>(2 * ahead + h));
        }
    }
}

void PositionsTest::turns_pairs_of_features() {
    const Tensor rows({1, 1, 2, 4}, {9, 9, 9, 9, 1, 2, 3, 4});
    const double fast = 1.0, slow = 1.0 / 10.0; // base 100, so the second pair is rotated by 100^(-1/2)
    AttentionSpec spec;
    spec.position = parse_position("rope:100");
    const Tensor half({1, 1, 2, 4},
                      {9, 9, 9, 9, std::cos(fast) - 3 * std::sin(fast), 2 * std::cos(slow) - 4 * std::sin(slow),
                       3 * std::cos(fast) + std::sin(fast), 4 * std::cos(slow) + 2 * std::sin(slow)});
    QCOMPARE(difference(rotated_rows(rows, effective_position(spec), 0), half, 1e-15), QString());
    spec.position = parse_position("rope:base=100,style=interleaved");
    const Tensor interleaved({1, 1, 2, 4},
                             {9, 9, 9, 9, std::cos(fast) - 2 * std::sin(fast), 2 * std::cos(fast) + std::sin(fast),
                              3 * std::cos(slow) - 4 * std::sin(slow), 4 * std::cos(slow) + 3 * std::sin(slow)});
    QCOMPARE(difference(rotated_rows(rows, effective_position(spec), 0), interleaved, 1e-15), QString());
}

void PositionsTest::rotary_scores_depend_on_the_distance_alone() {
    auto problem = dot_problem(1, 1, 1, 5, 5, 6, 2);
    for (const char* name : {"query", "key"}) { // the same row everywhere
        const auto first = problem.tensors.at(name).values().subspan(0, 6);
        Tensor same({1, 1, 5, 6});
        for (std::size_t k = 0; k < 30; ++k)
            same.mutable_values()[k] = first[k % 6];
        problem.tensors[name] = same;
    }
    const auto scores = stage(run(positioned("rope", problem)), "scores");
    for (std::int64_t i = 1; i < 5; ++i)
        for (std::int64_t j = 1; j < 5; ++j)
            QVERIFY(close(scores.at({0, 0, i, j}), scores.at({0, 0, i - 1, j - 1}), 1e-13));
    QVERIFY(!close(scores.at({0, 0, 0, 1}), scores.at({0, 0, 1, 0}), 1e-3)); // the order matters
}

void PositionsTest::normalises_before_it_turns() {
    auto problem = positioned("rope", dot_problem(1, 2, 1, 3, 4, 4, 2));
    problem.spec.scale = parse_scale("qk_norm");
    problem.tensors["key_gain"] = Tensor({4}, {1, 2, 3, 4});
    auto key = normalised_rows(problem.tensors.at("key"), RowNorm::RootMeanSquare);
    for (std::size_t k = 0; k < key.values().size(); ++k)
        key.mutable_values()[k] *= static_cast<double>(k % 4 + 1);
    const auto trace = run(problem);
    QCOMPARE(difference(stage(trace, "rotated_key"), rotated_rows(key, effective_position(problem.spec), 0), 1e-15),
             QString());
    QCOMPARE(stage(trace, "key"), problem.tensors.at("key"));
    QCOMPARE(scale_mode("qk_norm").inputs.size(), std::size_t{2});
}

// The last queries of a sequence, computed with the keys before them, as in decoding with a cache.
void PositionsTest::a_query_may_stand_later() {
    for (const char* position : {"alibi", "t5", "rope"}) {
        auto whole = positioned(position, dot_problem(1, 2, 2, 6, 6, 4, 3));
        complete_inputs(whole, 1);
        auto last = whole;
        const auto all = whole.tensors.at("query");
        Tensor two({1, 2, 2, 4});
        for (std::int64_t h = 0; h < 2; ++h)
            for (std::int64_t i = 0; i < 2; ++i)
                for (std::int64_t c = 0; c < 4; ++c)
                    two.set({0, h, i, c}, all.at({0, h, 4 + i, c}));
        last.tensors["query"] = two;
        last.spec.position.parameters.set("query_offset", std::int64_t{4});
        const auto expected = stage(run(whole), "weights"), got = stage(run(last), "weights");
        for (std::int64_t h = 0; h < 2; ++h)
            for (std::int64_t i = 0; i < 2; ++i)
                for (std::int64_t j = 0; j < 6; ++j)
                    QVERIFY2(close(got.at({0, h, i, j}), expected.at({0, h, 4 + i, j}), 1e-14), position);
        // The same offset, set for masks and positions together, or by an array.
        last.spec.position.parameters.erase("query_offset");
        auto by_array = last;
        last.spec.query_offset = 4;
        QCOMPARE(stage(run(last), "weights"), got);
        by_array.tensors["query_offset"] = Tensor({1}, {4}, DType::Int64);
        QCOMPARE(stage(run(by_array), "weights"), got);
        QCOMPARE(stage(run(as_problem(resolve(by_array))), "weights"), got);
    }
}

void PositionsTest::sequences_stand_at_places_of_their_own() {
    for (const char* position : {"alibi", "t5:max_distance=40", "rope"}) {
        auto both = positioned(position, dot_problem(2, 2, 1, 3, 6, 4, 3));
        both.spec.parameters.set("gradients", true);
        complete_inputs(both, 1);
        both.tensors["query_offset"] = Tensor({2}, {3, -1}, DType::Int64);
        const auto trace = run(both);
        both.tensors.erase("query_offset");
        for (std::int64_t b = 0; b < 2; ++b) {
            both.spec.query_offset = b == 0 ? 3 : -1;
            const auto alone = run(both);
            for (const char* name : {"weights", "grad_query", "grad_key"}) {
                const auto &got = stage(trace, name), &expected = stage(alone, name);
                const auto half = static_cast<std::size_t>(got.size()) / 2, first = static_cast<std::size_t>(b) * half;
                QVERIFY2(std::ranges::equal(got.values().subspan(first, half), expected.values().subspan(first, half)),
                         name);
            }
        }
    }
}

void PositionsTest::notes_an_offset_of_its_own() {
    auto problem = positioned("rope:query_offset=0", dot_problem(1, 1, 1, 2, 6, 4, 3));
    problem.spec.query_offset = 4;
    problem.spec.masks = {{"causal", {}}};
    QVERIFY(has_note(run(problem), "rope has an offset of its own and puts the first query at 0; query_offset "
                                   "puts it at 4"));
    problem.spec.position.parameters.erase("query_offset");
    QVERIFY(!has_note(run(problem), "rope has an offset of its own"));
    QVERIFY(!has_note(run(problem), "rope puts the first query where the first key stands"));
    // An array of zeros says so, too.
    problem.spec.query_offset.reset();
    QVERIFY(has_note(run(problem), "rope puts the first query where the first key stands"));
    problem.tensors["query_offset"] = Tensor({1}, 0.0, DType::Int64);
    QVERIFY(!has_note(run(problem), "rope puts the first query where the first key stands"));
}

void PositionsTest::appended_keys_stand_nowhere_data() {
    QTest::addColumn<QString>("position");
    for (const char* position : {"alibi", "t5", "rope"})
        QTest::newRow(position) << position;
}

void PositionsTest::appended_keys_stand_nowhere() {
    QFETCH(QString, position);
    AttentionProblem problem;
    problem.spec.variant = "multi_head";
    problem.spec.parameters.set("num_heads", std::int64_t{2});
    problem.spec.parameters.set("add_bias_kv", true);
    problem.spec.position = parse_position(position.toStdString());
    complete_inputs(problem, 3);
    problem.tensors["bias_k"] = random_normal(problem.tensors.at("bias_k").shape(), 4);
    const auto trace = run(problem);
    auto unpositioned = problem;
    unpositioned.spec.position = {};
    const auto plain = run(unpositioned);
    const auto& key = stage(plain, "key");
    const auto S = key.dim(2);
    if (const Stage* rotated = trace.find("rotated_key")) {
        for (std::int64_t c = 0; c < key.dim(3); ++c) {
            QCOMPARE(rotated->value.at({0, 1, S - 1, c}), key.at({0, 1, S - 1, c}));
            QCOMPARE(rotated->value.at({0, 1, 0, c}), key.at({0, 1, 0, c})); // position 0 is not rotated
            QVERIFY(rotated->value.at({0, 1, 1, c}) != key.at({0, 1, 1, c}));
        }
        return;
    }
    const auto &bias = stage(trace, "position_bias"), &masked = stage(trace, "masked");
    QCOMPARE(bias.shape(), masked.shape());
    for (std::int64_t i = 0; i < bias.dim(2); ++i) {
        QCOMPARE(bias.at({0, 1, i, S - 1}), 0.0);
        QCOMPARE(masked.at({0, 1, i, S - 1}), stage(plain, "masked").at({0, 1, i, S - 1}));
    }
}

void PositionsTest::shows_its_stages() {
    const auto problem = dot_problem(1, 2, 1, 3, 4, 4, 2);
    QVERIFY(!run(problem).find("position_bias") && !run(problem).find("rotated_query"));
    const auto rotary = run(positioned("rope", problem));
    QVERIFY(!rotary.find("position_bias"));
    QCOMPARE(stage(rotary, "query"), problem.tensors.at("query"));
    // The terms of a score are those of the rotated rows.
    double sum = 0.0;
    const auto &query = stage(rotary, "rotated_query"), &key = stage(rotary, "rotated_key");
    const auto terms = rotary.pass().score_terms(0, 1, 2, 3);
    for (std::size_t c = 0; c < terms.size(); ++c) {
        QCOMPARE(terms[c].left, query.at({0, 1, 2, static_cast<std::int64_t>(c)}));
        QCOMPARE(terms[c].right, key.at({0, 0, 3, static_cast<std::int64_t>(c)}));
        sum += terms[c].product;
    }
    QVERIFY(close(sum, stage(rotary, "scores").at({0, 1, 2, 3}), 1e-14));
    auto masked = positioned("alibi", problem);
    masked.spec.masks = {{"causal", {}}};
    const auto trace = run(masked);
    QCOMPARE(trace.find("position_bias")->role, StageRole::Input);
    QCOMPARE(trace.find("masked")->operation.english(), std::string("alibi + causal"));
    QCOMPARE(trace.find("masked")->formula, std::string("m_ij = −∞ where blocked, else scaled_ij + position_bias_ij"));
}

void PositionsTest::biased_queries_are_not_decoupled() {
    auto problem = fresh_problem("vector_sum");
    QVERIFY(has_note(run(problem), "Decoupled"));
    QVERIFY(has_note(run(positioned("rope", problem)), "Decoupled"));
    QVERIFY(!has_note(run(positioned("alibi", problem)), "Decoupled"));
    problem.spec.scale = parse_scale("softcap:1");
    QVERIFY(!has_note(run(problem), "Decoupled"));
}

void PositionsTest::makes_its_array() {
    auto problem = positioned("t5", dot_problem(1, 6, 2, 3, 4, 4, 2));
    QCOMPARE(complete_inputs(problem, 1), std::vector<std::string>{"relative_attention_bias"});
    QCOMPARE(problem.tensors.at("relative_attention_bias").shape(), Shape({32, 6}));
    QVERIFY(issues_in(problem).empty());
    QCOMPARE(std::string(inputs_of(problem.spec).back().name), std::string("relative_attention_bias"));
}

void PositionsTest::names_the_mistake_data() {
    QTest::addColumn<QString>("position");
    QTest::addColumn<int>("width");
    QTest::addColumn<QString>("complaint");
    QTest::newRow("odd") << "rope" << 5
                         << "rope: query rows have 5 features, expected an even number: they turn in pairs";
    QTest::newRow("too few buckets") << "t5" << 3 << "relative_attention_bias: has 3 buckets, expected at least 4";
    QTest::newRow("one bucket") << "t5:false" << 1 << "relative_attention_bias: has 1 buckets, expected at least 2";
    QTest::newRow("near") << "t5:max_distance=2" << 8
                          << "t5: parameter max_distance is 2, expected more than the 2 distances that have a bucket "
                             "each";
    QTest::newRow("fine") << "t5:max_distance=3" << 8 << "";
}

void PositionsTest::names_the_mistake() {
    QFETCH(QString, position);
    QFETCH(int, width);
    QFETCH(QString, complaint);
    auto problem = positioned(qPrintable(position), dot_problem(1, 2, 1, 3, 4, width, 2));
    problem.tensors["relative_attention_bias"] = Tensor({width, 2});
    if (complaint.isEmpty())
        QVERIFY(issues_in(problem).empty());
    else
        QCOMPARE(complaint_about(problem), complaint);
    if (position == QLatin1String("rope"))
        return;
    problem.tensors["relative_attention_bias"] = Tensor({8, 2}, not_a_number);
    problem.spec.position = parse_position("t5");
    QCOMPARE(complaint_about(problem), "relative_attention_bias: has nan in bucket 0, expected finite numbers");
    problem.tensors["relative_attention_bias"] = Tensor({8, 3});
    QCOMPARE(complaint_about(problem),
             "relative_attention_bias: has shape (8, 3), expected (num_buckets, H) with H = 2 as in query");
    problem.tensors.erase("relative_attention_bias");
    QVERIFY(complaint_about(problem).startsWith("relative_attention_bias: is missing"));
}

void PositionsTest::reads_the_command_line_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("complaint");
    QTest::newRow("base") << "rope:500000"
                          << "";
    QTest::newRow("several") << "rope:style=interleaved,base=500000"
                             << "";
    QTest::newRow("base first") << "rope:500000,query_offset=0"
                                << "";
    QTest::newRow("unknown") << "sine"
                             << "position: 'sine' is not one of alibi, t5, rope";
    QTest::newRow("base 0") << "rope:0"
                            << "rope: parameter base is '0', expected a finite number in (0, inf)";
    QTest::newRow("unknown name") << "rope:theta=3"
                                  << "rope: has no parameter 'theta'; it has: base, style, query_offset";
    QTest::newRow("style") << "rope:style=whole"
                           << "rope: parameter style is 'whole', expected one of half, interleaved";
    QTest::newRow("offset") << "alibi:0.5"
                            << "alibi: parameter query_offset is '0.5', expected an integer in [-1e+09, 1e+09]";
}

void PositionsTest::reads_the_command_line() {
    QFETCH(QString, text);
    QFETCH(QString, complaint);
    Selection read;
    QCOMPARE(error_of([&] { read = parse_position(text.toStdString()); }), complaint);
    if (complaint.isEmpty())
        QCOMPARE(read.parameters.real("base"), 500000.0);
}

ATTNLAB_TEST(PositionsTest)
#include "test_positions.moc"
