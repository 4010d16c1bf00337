// What a row of weights reads, as data and in words.
#include "core/explain/reading.h"
#include "core/mechanisms.h"
#include "core/random.h"
#include "core/tensor.h"
#include "tests/core/explain_support.h"
#include "tests/test_main.h"

#include <QTest>

#include <limits>

using namespace attnlab;
using namespace attnlab::test;
using namespace attnlab::explain;
using Kind = Reading::Kind;
using Focus = Reading::Focus;

namespace {

/// Weights (1,1,1,S) and what the mask blocks, as a trace has them.
Trace trace_of(const std::vector<double>& weights, const std::vector<double>& blocked = {}) {
    const auto keys = static_cast<std::int64_t>(weights.size());
    Trace trace;
    const std::vector<Axis> axes{Axis::Batch, Axis::Head, Axis::Query, Axis::Key};
    if (!blocked.empty())
        trace.stages.push_back(
            {"blocked", Tensor({1, 1, 1, keys}, blocked, DType::Bool), axes, StageRole::Mask, {}, {}});
    trace.stages.push_back({"weights", Tensor({1, 1, 1, keys}, weights), axes, StageRole::Step, {}, {}});
    return trace;
}

Reading read(const std::vector<double>& weights, const std::vector<double>& blocked = {}) {
    return reading_of(Row(trace_of(weights, blocked), {}, 0));
}

/// Keys are called a, b, c, ...
TokenNaming naming() {
    const auto letter = [](std::int64_t key) { return std::string(1, static_cast<char>('a' + key)); };
    return {"Q", [letter](std::int64_t key) { return "'" + letter(key) + "'"; },
            [letter](std::int64_t key, const std::string& weight) { return "'" + letter(key) + "' " + weight; }, "q"};
}

std::string said(const ReadingText& words) {
    auto text = words.claim.english();
    for (const auto& detail : words.details)
        text += " · " + detail.english();
    return text;
}
std::string said(const Reading& reading) { return said(words_of(reading, naming())); }

QString sentence(const std::vector<double>& weights, const std::vector<double>& blocked = {}) {
    return QString::fromStdString(said(read(weights, blocked)));
}

} // namespace

class TestReading : public QObject {
    Q_OBJECT

private slots:
    void keysAreSortedByWeight() {
        const auto reading = read({0.1, 0.5, 0.1, 0.3});
        QCOMPARE(reading.kind, Kind::Shares);
        QCOMPARE(reading.keys, (std::vector<KeyWeight>{{1, 0.5}, {3, 0.3}, {0, 0.1}, {2, 0.1}}));
        QCOMPARE(reading.alike, 1);
        QCOMPARE(reading.largest(), 0.5);
        double entropy = 0.0;
        for (const double weight : {0.1, 0.5, 0.1, 0.3})
            entropy -= weight * std::log(weight);
        QVERIFY(std::abs(reading.effective_keys - std::exp(entropy)) < 1e-12);
    }

    void blockedKeysAreLeftOut() {
        const auto reading = read({0.25, 0.75, 0.0, 0.0}, {0, 0, 1, 0});
        QCOMPARE(reading.keys, (std::vector<KeyWeight>{{1, 0.75}, {0, 0.25}, {3, 0.0}}));
        QCOMPARE(reading.all_keys, 4);
        QCOMPARE(reading.read_though_blocked, 0);
    }

    void blockedKeysWithWeightAreRead() {
        const auto reading = read({0.5, 0.5, 0.0}, {0, 1, 1});
        QCOMPARE(reading.keys.size(), 2U);
        QCOMPARE(reading.read_though_blocked, 1);
    }

    void focus_data() {
        QTest::addColumn<std::vector<double>>("weights");
        QTest::addColumn<Focus>("focus");
        using Row = std::vector<double>;
        QTest::newRow("one") << Row{0.96, 0.02, 0.02} << Focus::OneKey;
        QTest::newRow("the only one") << Row{1.0} << Focus::OneKey;
        QTest::newRow("the fox of the sample") // 3.1 of 9
            << Row{0.014, 0.097, 0.687, 0.097, 0.007, 0.043, 0.042, 0.011, 0.002} << Focus::Sharp;
        QTest::newRow("two of four") << Row{0.5, 0.5, 0.0, 0.0} << Focus::Sharp;
        QTest::newRow("three of four") << Row{0.4, 0.4, 0.2, 0.0} << Focus::Several;
        QTest::newRow("uneven four") << Row{0.4, 0.3, 0.2, 0.1} << Focus::Broad;
        QTest::newRow("almost equal") << Row{0.26, 0.25, 0.25, 0.24} << Focus::NearlyEqual;
        QTest::newRow("equal") << Row{0.25, 0.25, 0.25, 0.25} << Focus::Equal;
        QTest::newRow("no distribution") << Row{0.25, 0.25} << Focus::None;
    }

    void focus() {
        QFETCH(std::vector<double>, weights);
        QFETCH(Focus, focus);
        QCOMPARE(read(weights).focus, focus);
    }

    void sentences_data() {
        QTest::addColumn<std::vector<double>>("weights");
        QTest::addColumn<std::vector<double>>("blocked");
        QTest::addColumn<QString>("expected");
        using Row = std::vector<double>;
        const auto row = [](const char* name, const Row& weights, const QString& expected, const Row& blocked = {}) {
            QTest::newRow(name) << weights << blocked << expected;
        };
        row("mostly", {0.014, 0.097, 0.687, 0.097, 0.007, 0.043, 0.042, 0.011, 0.002},
            "Q reads mostly 'c': 69% · then 'b' 10%, 'd' 10%, 'f' 4% · spread over about 3 words");
        row("half is not most", {0.5, 0.3, 0.2},
            "Q reads 'a' the most: 50% · then 'b' 30%, 'c' 20% · spread over about 3 words");
        row("not mostly one of two", {0.59, 0.41},
            "Q reads 'a' the most: 59% · then 'b' 41% · nearly even over 2 words");
        row("two alike", {0.1, 0.4, 0.4, 0.1},
            "Q reads 'b' and 'c' the most: 40% each · then 'a' 10%, 'd' 10% · spread over about 3 words");
        row("four alike", {0.2, 0.2, 0.2, 0.2, 0.1, 0.1},
            "Q reads 4 keys the most: 20% each · 'a', 'b', 'c', … · nearly even over 6 words");
        row("all alike", {0.25, 0.25, 0.25, 0.25}, "Q reads all 4 keys alike: 25% each");
        row("all that it may read", {0.5, 0.5, 0.0}, "Q reads alike the 2 keys that it may read: 50% each", {0, 0, 1});
        row("one that it may read", {1.0, 0.0}, "Q reads only 'a': 100%", {0, 1});
        row("one alone", {0.0, 1.0, 0.0}, "Q reads only 'b': 100%");
        row("never a rounded 100", {0.9999, 0.0001}, "Q reads 'a': over 99% · nearly all on one word");
        row("fully masked", {0.0, 0.0}, "Q reads nothing: every key is blocked", {1, 1});
        row("nothing although it may", {0.0, 0.0}, "Q reads nothing: all its weights are 0", {1, 0});
        row("a leak", {0.5, 0.25, 0.25},
            "Q reads 'a' the most: 50% · then 'b' 25%, 'c' 25% · spread over about 3 words · "
            "blocked keys that it reads all the same: 1",
            {0, 0, 1});
        row("NaN", {std::numeric_limits<double>::quiet_NaN(), 1.0}, "The weights of q are not all finite numbers");
        row("infinite", {infinity, 0.0}, "The weights of q are not all finite numbers");
        row("negative", {0.7, 0.6, -0.3},
            "The weights of q are not shares: 1 of 3 are negative · largest 'a' 0.7, smallest 'c' −0.3 · sum 1");
        row("another sum", {0.2, 0.41, 0.1},
            "Q reads 'b' the most: 0.41 · its weights sum to 0.71, not to 1 · then 'a' 0.2, 'c' 0.1");
        row("more than 1", {0.9, 0.9}, "Q reads all 2 keys alike: 0.9 each · its weights sum to 1.8, not to 1");
        row("one with another weight", {0.0, 0.4},
            "Q reads only 'b', with weight 0.4 · its weights sum to 0.4, not to 1");
        row("no keys", {}, "");
    }

    void sentences() {
        QFETCH(std::vector<double>, weights);
        QFETCH(std::vector<double>, blocked);
        QFETCH(QString, expected);
        QCOMPARE(sentence(weights, blocked), expected);
    }

    /// Patches of an image, for example, are no words.
    void keysWithoutWordsAreKeys() {
        auto names = naming();
        names.are_words = false;
        const auto last = [&](const std::vector<double>& weights) {
            return words_of(read(weights), names).details.back().english();
        };
        QCOMPARE(last({0.999, 0.001}), std::string("nearly all on one key"));
        QCOMPARE(last({0.5, 0.3, 0.2}), std::string("spread over about 3 keys"));
        QCOMPARE(last({0.55, 0.45}), std::string("nearly even over 2 keys"));
        QCOMPARE(words_of_both(read({0.7, 0.3}), read({0.5, 0.5}), names).details.back().english(),
                 std::string("about 1.8 keys in A, 2.0 in B"));
    }

    void bothSettings_data() {
        QTest::addColumn<std::vector<double>>("a");
        QTest::addColumn<std::vector<double>>("b");
        QTest::addColumn<QString>("expected");
        using Row = std::vector<double>;
        const auto row = [](const char* name, const Row& a, const Row& b, const QString& expected) {
            QTest::newRow(name) << a << b << expected;
        };
        row("one key", {0.7, 0.2, 0.1}, {0.5, 0.3, 0.2},
            "Q reads 'a' the most: 70% in A, 50% in B · most changed: 'a', from 70% to 50% · about 2.2 words in A, 2.8 "
            "in B");
        row("another key", {0.7, 0.2, 0.1}, {0.1, 0.8, 0.1},
            "Q reads 'a' the most in A (70%), 'b' in B (80%) · most changed: 'a', from 70% to 10% · "
            "about 2.2 words in A, 1.9 in B");
        row("nothing changed", {0.7, 0.3}, {0.7, 0.3},
            "Q reads 'a' the most: 70% · the same in A and B · then 'b' 30% · spread over about 2 words");
        row("alike in one", {0.7, 0.3}, {0.5, 0.5},
            "A: Q reads 'a' the most: 70% · B: Q reads all 2 keys alike: 50% each · most changed: 'a', from 70% to 50% "
            "· "
            "about 1.8 words in A, 2.0 in B");
        row("no shares", {0.7, 0.3}, {0.9, 0.9},
            "A: Q reads 'a' the most: 70% · B: Q reads all 2 keys alike: 0.9 each · most changed: 'b', from 30% to "
            "0.9");
        row("no number", {0.7, 0.3}, {infinity, 0.0},
            "A: Q reads 'a' the most: 70% · B: The weights of q are not all finite numbers");
        row("other keys", {0.7, 0.3}, {1.0}, "A: Q reads 'a' the most: 70% · B: Q reads only 'a': 100%");
        row("no B", {0.7, 0.3}, {}, "Q reads 'a' the most: 70% · then 'b' 30% · spread over about 2 words");
        row("no A", {}, {0.7, 0.3}, "");
    }

    void bothSettings() {
        QFETCH(std::vector<double>, a);
        QFETCH(std::vector<double>, b);
        QFETCH(QString, expected);
        QCOMPARE(QString::fromStdString(said(words_of_both(read(a), read(b), naming()))), expected);
    }

    void shares() {
        QCOMPARE(share_text(0.0), std::string("0%"));
        QCOMPARE(share_text(0.0001), std::string("< 0.1%"));
        QCOMPARE(share_text(0.004), std::string("0.4%"));
        QCOMPARE(share_text(0.687), std::string("69%"));
        QCOMPARE(share_text(0.996), std::string("> 99%"));
        QCOMPARE(share_text(1.0), std::string("100%"));
    }

    void aMeanOfHeads() {
        const std::vector<Axis> axes{Axis::Batch, Axis::Head, Axis::Query, Axis::Key};
        Trace trace;
        trace.stages.push_back(
            {"blocked", Tensor({1, 2, 1, 3}, {0, 1, 1, 0, 0, 1}, DType::Bool), axes, StageRole::Mask, {}, {}});
        trace.stages.push_back(
            {"weights", Tensor({1, 2, 1, 3}, {1.0, 0.0, 0.0, 0.5, 0.5, 0.0}), axes, StageRole::Step, {}, {}});
        const auto mean = reading_of(trace, trace.stages[1], 0, -1, 0);
        QCOMPARE(mean.keys, (std::vector<KeyWeight>{{0, 0.75}, {1, 0.25}}));
        QCOMPARE(mean.kind, Kind::Shares);
        QCOMPARE(reading_of(trace, trace.stages[1], 0, 0, 0).keys, (std::vector<KeyWeight>{{0, 1.0}}));
        QCOMPARE(reading_of(trace, trace.stages[1], 0, 2, 0).kind, Kind::None);
        QCOMPARE(reading_of(trace, trace.stages[1], 1, 0, 0).kind, Kind::None);
        QCOMPARE(reading_of(trace, trace.stages[1], 0, 0, 1).kind, Kind::None);
    }

    /// Whatever a mechanism computes, the sentence fits its own numbers.
    void everyMechanism_data() {
        QTest::addColumn<QString>("id");
        for (const auto& mechanism : mechanisms())
            QTest::newRow(std::string(mechanism.id).c_str()) << QString::fromStdString(std::string(mechanism.id));
    }

    void everyMechanism() {
        QFETCH(QString, id);
        AttentionProblem problem;
        problem.spec.variant = id.toStdString();
        complete_inputs(problem, 3);
        const auto trace = run(problem, {});
        for (const auto& stage : trace.stages) {
            if (stage.value.rank() != 4 || stage.value.size() == 0 || stage.axes.back() != Axis::Key ||
                stage.axes[2] != Axis::Query || !stage.name.ends_with("weights"))
                continue;
            for (std::int64_t query = 0; query < stage.value.dim(2); ++query) {
                const auto reading = reading_of(trace, stage, 0, 0, query);
                const auto row = matrix_at(stage.value, 0).row(query);
                double sum = 0.0, least = 0.0, most = -infinity;
                for (const double weight : row) {
                    sum += weight;
                    least = std::min(least, weight);
                    most = std::max(most, weight);
                }
                QVERIFY(reading.kind != Kind::None);
                if (reading.kind == Kind::Shares)
                    QVERIFY(std::abs(sum - 1.0) < 1e-9 && least > -1e-9 && reading.largest() == most);
                else
                    QVERIFY(std::abs(sum - 1.0) > 1e-14 || least < 0.0);
                QVERIFY(!said(reading).empty());
            }
        }
    }
};

ATTNLAB_TEST(TestReading)
#include "test_reading.moc"
