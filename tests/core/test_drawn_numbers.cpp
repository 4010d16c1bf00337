// Which numbers of a problem were drawn at random, found in the numbers themselves.
#include "core/edit/resize.h"
#include "core/edit/sentence.h"
#include "core/inputs.h"
#include "core/random.h"
#include "tests/core/engine_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

AttentionProblem spoken() {
    AttentionProblem problem;
    std::uint64_t seed = 40;
    for (const char* name : {"query", "key", "value"})
        problem.tensors[name] = random_normal({1, 1, 3, 4}, ++seed);
    problem.query_tokens = {"the", "cat", "sleeps"};
    return problem;
}

bool is_drawn(const AttentionProblem& problem, const std::string& name) {
    for (const auto& input : inputs_of(problem.spec))
        if (input.name == name)
            return attnlab::is_drawn(input, problem.tensors.at(name), 1);
    return false;
}

} // namespace

class DrawnNumbersTest : public QObject {
    Q_OBJECT
private slots:
    void new_words_are_known();
    void a_word_stays_drawn_until_most_of_it_is_edited();
    void missing_inputs_are_known();
    void an_edited_array_is_not_copied();
};

void DrawnNumbersTest::new_words_are_known() {
    const auto before = spoken();
    QVERIFY(drawn_words(before).empty());
    const auto after = with_sentences(before, {{"the", "dog", "sleeps", "dog", "well"}, std::nullopt});
    QCOMPARE(drawn_words(after), (std::vector<std::string>{"dog", "well"}));
    auto same_arrays = before; // Q = K = V share their draws
    same_arrays.tensors["key"] = same_arrays.tensors["value"] = same_arrays.tensors["query"];
    QCOMPARE(drawn_words(with_sentences(same_arrays, {{"a", "cat"}, std::nullopt})), (std::vector<std::string>{"a"}));
    QVERIFY(drawn_words(AttentionProblem()).empty());
}

void DrawnNumbersTest::a_word_stays_drawn_until_most_of_it_is_edited() {
    auto problem = with_sentences(spoken(), {{"dog"}, std::nullopt});
    for (const char* name : {"query", "key", "value"})
        problem.tensors[name].set({0, 0, 0, 0}, 2.0);
    QCOMPARE(drawn_words(problem).size(), std::size_t{1});
    for (const char* name : {"query", "key", "value"})
        for (std::int64_t column = 0; column < 4; ++column)
            problem.tensors[name].set({0, 0, 0, column}, 2.0);
    QVERIFY(drawn_words(problem).empty());
}

void DrawnNumbersTest::missing_inputs_are_known() {
    AttentionProblem problem;
    problem.tensors["key"] = random_normal({1, 1, 3, 4}, 7);
    complete_inputs(problem, 1);
    QVERIFY(is_drawn(problem, "query"));
    QVERIFY(!is_drawn(problem, "key"));
    QVERIFY(is_drawn(problem, "value"));
    const auto longer = resized(problem, "query", {6, 4});
    QVERIFY(is_drawn(longer, "query"));
    problem.tensors["query"] = random_normal({1, 1, 3, 4}, 8);
    QVERIFY(!is_drawn(problem, "query"));

    AttentionProblem projected;
    projected.spec.variant = "multi_head";
    complete_inputs(projected, 1);
    QVERIFY(is_drawn(projected, "w_q"));
}

/// An edited array lies in chunks; reading it in one piece would take its memory twice.
void DrawnNumbersTest::an_edited_array_is_not_copied() {
    AttentionProblem problem;
    problem.tensors["key"] = random_normal({1, 1, 1000, 64}, 7);
    complete_inputs(problem, 1);
    auto before = problem.tensors.at("query");
    auto& query = problem.tensors["query"];
    QCOMPARE(query.rank(), 2);
    query.set({query.dim(0) - 1, query.dim(1) - 1}, 2.0);
    Tensor::share_chunks(before, query);
    const auto bytes = [&query] {
        std::size_t sum = 0;
        query.each_allocation([&sum](const void*, std::size_t size) {
            sum += size;
            return true;
        });
        return sum;
    };
    const auto chunks = bytes();
    QVERIFY(is_drawn(problem, "query"));
    QCOMPARE(bytes(), chunks);
}

ATTNLAB_TEST(DrawnNumbersTest)
#include "test_drawn_numbers.moc"
