// Other words for the tokens of a problem.
#include "core/edit/sentence.h"
#include "core/inputs.h"
#include "core/mechanisms.h"
#include "tests/core/engine_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;
using Words = std::vector<std::string>;

namespace {

Tensor numbered(Shape shape) {
    Tensor tensor(std::move(shape));
    double next = 0.0;
    for (auto& value : tensor.mutable_values())
        value = ++next;
    return tensor;
}

/// Rows of a matrix.
std::vector<double> row(const Tensor& tensor, std::int64_t index, std::int64_t leading = 0) {
    const auto numbers = matrix_at(tensor, leading).row(index);
    return {numbers.begin(), numbers.end()};
}

AttentionProblem selfAttention(Words words) {
    AttentionProblem problem;
    problem.spec.variant = "multi_head";
    problem.spec.parameters.set("num_heads", std::int64_t{2});
    problem.tensors.emplace("x", numbered({static_cast<std::int64_t>(words.size()), 4}));
    complete_inputs(problem, 1);
    problem.query_tokens = std::move(words);
    return problem;
}

AttentionProblem dotProduct(Words queries, Words keys) {
    AttentionProblem problem;
    const auto L = static_cast<std::int64_t>(queries.size());
    const auto S = keys.empty() ? L : static_cast<std::int64_t>(keys.size());
    problem.tensors.emplace("query", numbered({1, 2, L, 3}));
    problem.tensors.emplace("key", numbered({1, 2, S, 3}));
    problem.tensors.emplace("value", numbered({1, 2, S, 2}));
    problem.query_tokens = std::move(queries);
    problem.key_tokens = std::move(keys);
    return problem;
}

AttentionProblem edited(const AttentionProblem& problem, const Words& words) {
    return with_sentences(problem, {words, std::nullopt});
}

} // namespace

class TestSentence : public QObject {
    Q_OBJECT

private slots:
    void parting_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QStringList>("known");
        QTest::addColumn<QStringList>("expected");
        const auto row = [](const char* name, const QString& text, const QStringList& expected,
                            const QStringList& known = {}) { QTest::newRow(name) << text << known << expected; };
        row("spaces", "  The quick\tfox ", {"The", "quick", "fox"});
        row("nothing", " \n ", {});
        row("Han", "我爱北京。", {"我", "爱", "北", "京", "。"});
        row("Han among others", "用GPT2写诗", {"用", "GPT2", "写", "诗"});
        row("spaces decide", "我 爱 北京", {"我", "爱", "北京"});
        row("a known word", "北京", {"北京"}, {"北京"});
        row("kana with its mark", "か\u3099く", {"か\u3099", "く"});
        row("a combining mark", "e\u0301te\u0301", {"e\u0301te\u0301"});
        row("Korean has spaces", "나는학생", {"나는학생"});
        row("Hebrew", "שלום עולם", {"שלום", "עולם"});
        row("emoji", "👩‍🔬 🦊", {"👩‍🔬", "🦊"});
        row("a token with a space", "New\u00a0York is", {"New York", "is"}, {"New York"});
        row("an unknown one", "New\u00a0York is", {"New\u00a0York", "is"});
    }

    void parting() {
        QFETCH(QString, text);
        QFETCH(QStringList, known);
        QFETCH(QStringList, expected);
        Words tokens;
        for (const auto& token : known)
            tokens.push_back(token.toStdString());
        QStringList words;
        for (const auto& word : words_in(text.toStdString(), tokens))
            words << QString::fromStdString(word);
        QCOMPARE(words, expected);
    }

    void bytesThatAreNoTextEndSomewhere() {
        for (int byte = 0; byte < 256; ++byte)
            for (const std::string tail : {"", "a", "\xe6\x88"}) {
                std::string joined;
                for (const auto& word : words_in(static_cast<char>(byte) + tail, {}))
                    joined += word;
                QVERIFY(joined.size() <= 1 + tail.size());
            }
    }

    void aLineReadsBackAsItsTokens() {
        const Words tokens{"New York", "is", "a\nb", "北京", "is"};
        QCOMPARE(words_in(typed_sentence(tokens), tokens), tokens);
    }

    void knownRowsOfRepeatedWords() {
        const Words tokens{"the", "cat", "the"};
        QCOMPARE(known_rows({"the", "the", "the", "dog", "cat"}, tokens), (std::vector<std::int64_t>{0, 2, 0, -1, 1}));
    }

    void wordsKeepTheirRows() {
        const auto problem = selfAttention({"the", "cat", "sat"});
        const auto next = edited(problem, {"sat", "the", "big", "cat"});
        const auto &before = problem.tensors.at("x"), &after = next.tensors.at("x");
        QCOMPARE(after.shape(), (Shape{4, 4}));
        QCOMPARE(row(after, 0), row(before, 2));
        QCOMPARE(row(after, 1), row(before, 0));
        QCOMPARE(row(after, 3), row(before, 1));
        QCOMPARE(next.query_tokens, (Words{"sat", "the", "big", "cat"}));
        QVERIFY(next.key_tokens.empty());
        for (const char* kept : {"w_q", "w_k", "w_v"})
            QCOMPARE(next.tensors.at(kept), problem.tensors.at(kept));
        QVERIFY(issues_in(next).empty());
        QVERIFY(!run(next, {}).stages.empty());
    }

    void newWordsAreTheSameForTheSameWord() {
        const auto problem = selfAttention({"the", "cat", "sat"});
        const auto one = edited(problem, {"fox", "the", "fox", "owl"}).tensors.at("x");
        const auto other = edited(problem, {"cat", "fox"}).tensors.at("x");
        QCOMPARE(row(one, 0), row(one, 2));
        QCOMPARE(row(one, 0), row(other, 1));
        QVERIFY(row(one, 0) != row(one, 3));
    }

    void queriesKeysAndValuesFollowTogether() {
        const auto problem = dotProduct({"a", "b", "c"}, {});
        const auto next = edited(problem, {"c", "a"});
        for (const char* name : {"query", "key", "value"})
            for (int head = 0; head < 2; ++head) {
                QCOMPARE(row(next.tensors.at(name), 0, head), row(problem.tensors.at(name), 2, head));
                QCOMPARE(row(next.tensors.at(name), 1, head), row(problem.tensors.at(name), 0, head));
            }
        QVERIFY(issues_in(next).empty());
    }

    void equalArraysStayEqual() {
        auto problem = dotProduct({"a", "b"}, {});
        const auto next = edited(problem, {"a", "new"});
        QCOMPARE(next.tensors.at("query"), next.tensors.at("key"));
        QVERIFY(row(next.tensors.at("value"), 1) != row(next.tensors.at("query"), 1));
        problem.tensors.at("key").set({0, 0, 0, 0}, -1.0);
        const auto apart = edited(problem, {"a", "new"});
        QVERIFY(row(apart.tensors.at("query"), 1) != row(apart.tensors.at("key"), 1));
    }

    void crossAttentionHasTwoSentences() {
        const auto problem = dotProduct({"le", "chat"}, {"the", "black", "cat"});
        const auto sentences = sentences_of(problem);
        QVERIFY(sentences && sentences->keys);
        QCOMPARE(*sentences->keys, (Words{"the", "black", "cat"}));
        const auto next = with_sentences(problem, {{"chat"}, Words{"cat", "the", "red", "black"}});
        QCOMPARE(next.tensors.at("query").shape(), (Shape{1, 2, 1, 3}));
        QCOMPARE(next.tensors.at("value").shape(), (Shape{1, 2, 4, 2}));
        QCOMPARE(row(next.tensors.at("key"), 0, 1), row(problem.tensors.at("key"), 2, 1));
        QCOMPARE(next.key_tokens, (Words{"cat", "the", "red", "black"}));
        QVERIFY(issues_in(next).empty());
        const auto as_many = with_sentences(problem, {{"le", "chat", "noir"}, Words{"the", "black", "cat"}});
        QCOMPARE(as_many.key_tokens, (Words{"the", "black", "cat"}));
    }

    void keysWithoutWordsStay() {
        auto problem = dotProduct({"le", "chat"}, {"the", "black", "cat"});
        problem.key_tokens.clear();
        QVERIFY(!sentences_of(problem)->keys);
        const auto next = edited(problem, {"le", "chat", "noir"});
        QCOMPARE(next.tensors.at("key"), problem.tensors.at("key"));
        QCOMPARE(next.key_tokens, Words(3)); // not the queries' words
    }

    void masksKeepTheirCellsByPlace() {
        auto problem = dotProduct({"a", "b", "c"}, {});
        problem.spec.masks = {{"attn_mask", {}}, {"painted", {}}};
        problem.tensors.emplace("attn_mask", Tensor({3, 3}, {0, 1, 1, 0, 0, 1, 0, 0, 0}, DType::Bool));
        problem.tensors.emplace("painted_mask", Tensor({3, 3}, {0, 0, 1, 0, 0, 0, 0, 0, 0}, DType::Bool));
        const auto longer = edited(problem, {"a", "b", "c", "d"});
        QCOMPARE(longer.tensors.at("attn_mask"),
                 Tensor({4, 4}, {0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0}, DType::Bool));
        QCOMPARE(longer.tensors.at("painted_mask").shape(), (Shape{4, 4}));
        QVERIFY(issues_in(longer).empty());
        QVERIFY(issues_in(edited(problem, {"c"})).empty());
    }

    void lengthsOfAllKeysStaySo() {
        auto problem = dotProduct({"a", "b", "c"}, {});
        problem.spec.masks = {{"valid_lens", {}}};
        problem.tensors.emplace("valid_lens", Tensor({1}, 3.0, DType::Int64));
        QCOMPARE(edited(problem, {"a", "b", "c", "d"}).tensors.at("valid_lens").at({0}), 4.0);
        problem.tensors.at("valid_lens").set({0}, 2.0);
        QCOMPARE(edited(problem, {"a", "b", "c", "d"}).tensors.at("valid_lens").at({0}), 2.0);
        QCOMPARE(edited(problem, {"a"}).tensors.at("valid_lens").at({0}), 1.0);
    }

    void groupsGoOn() {
        AttentionProblem problem = dotProduct({"a", "b", "c"}, {});
        problem.spec.variant = "hierarchical_context";
        problem.tensors.emplace("sentence_ids", Tensor({3}, {0, 1, 1}, DType::Int64));
        problem.tensors.emplace("paragraph_ids", Tensor({3}, {0, 0, 2}, DType::Int64));
        problem.tensors.at("value") = numbered({1, 2, 3, 3});
        const auto next = edited(problem, {"a", "b", "c", "d", "e"});
        QCOMPARE(next.tensors.at("sentence_ids"), Tensor({5}, {0, 1, 1, 1, 1}, DType::Int64));
        QCOMPARE(next.tensors.at("paragraph_ids"), Tensor({5}, {0, 0, 2, 2, 2}, DType::Int64));
        QVERIFY(issues_in(next).empty());
    }

    void integersDoNotBecomeFractions() {
        auto problem = selfAttention({"a", "b"});
        problem.tensors.at("x") = Tensor({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}, DType::Int64);
        QCOMPARE(edited(problem, {"b", "a"}).tensors.at("x").dtype(), DType::Int64);
        QCOMPARE(edited(problem, {"b", "new"}).tensors.at("x").dtype(), DType::Float64);
    }

    /// Tokens without a name are named by the words at their places, and keep their numbers.
    void wordsNameTokens() {
        auto problem = selfAttention({"a", "b", "c"});
        const auto x = problem.tensors.at("x");
        problem.query_tokens.clear();
        const auto named = edited(problem, {"my", "own", "words"});
        QVERIFY(named.query_tokens == (Words{"my", "own", "words"}));
        QVERIFY(named.tensors.at("x") == x);
        QVERIFY(drawn_words(named).empty());
        const auto longer = edited(problem, {"my", "own", "words", "more"});
        QVERIFY(drawn_words(longer) == Words{"more"});
        for (std::int64_t i = 0; i < 3; ++i)
            QCOMPARE(matrix_at(longer.tensors.at("x"))(i, 0), matrix_at(x)(i, 0));
        problem.query_tokens = {"", "own"};
        QVERIFY(known_rows({"own", "b", "c", "d"}, {"", "own", ""}) == (std::vector<std::int64_t>{1, -1, 2, -1}));
        auto cross = dotProduct({"a", "b"}, {"c", "d", "e"});
        cross.query_tokens.clear();
        cross.key_tokens.clear();
        QVERIFY(sentences_of(cross)->keys == (Words{"", "", ""}));
        const auto queries_named = with_sentences(cross, {{"my", "words"}, Words{"", "", ""}});
        QVERIFY(queries_named.query_tokens == (Words{"my", "words"}));
        QVERIFY(queries_named.tensors == cross.tensors);
        QVERIFY_THROWS_EXCEPTION(Error, with_sentences(cross, {{"", "", ""}, Words{"", "", ""}}));
    }

    void refusals() {
        const auto refused = [](const AttentionProblem& problem) {
            return QString::fromStdString(refusal_of_sentences(problem).english());
        };
        auto problem = selfAttention({"a", "b", "c"});
        QCOMPARE(refused(problem), QString());
        problem.query_tokens.clear();
        QCOMPARE(refused(problem), QString());
        QVERIFY(sentences_of(problem)->queries == (Words{"", "", ""}));
        problem.query_tokens = {"a", "b"};
        QVERIFY(sentences_of(problem)->queries == (Words{"a", "b", ""})); // one without
        problem = dotProduct({"sun", "sky"}, {"0,0", "0,1", "1,0", "1,1"});
        problem.key_grid = {2, 2};
        QVERIFY(refused(problem).contains("picture"));

        problem = dotProduct({"a", "b", "c"}, {});
        problem.spec.variant = "linformer";
        QCOMPARE(refused(problem), QString());
        problem.tensors.emplace("linformer_e", numbered({3, 2}));
        QVERIFY(refused(problem).contains("linformer_e"));

        AttentionProblem transformer;
        transformer.spec.variant = "transformer";
        complete_inputs(transformer, 1);
        transformer.query_tokens = Words(static_cast<std::size_t>(transformer.tensors.at("tgt").size()), "word");
        QVERIFY(refused(transformer).contains("row for each word"));
        QVERIFY_THROWS_EXCEPTION(Error, edited(transformer, {"a"}));

        AttentionProblem paged;
        paged.spec.variant = "paged";
        paged.spec.parameters.set("mode", std::string("kv_cache"));
        paged.spec.parameters.set("length", std::int64_t{4});
        paged.tensors.emplace("query", numbered({2, 3}));
        paged.tensors.emplace("key_pages", numbered({2, 2, 3}));
        paged.tensors.emplace("value_pages", numbered({2, 2, 3}));
        paged.tensors.emplace("block_table", Tensor({2}, {1, 0}, DType::Int64));
        paged.query_tokens = {"c", "d"};
        paged.key_tokens = {"a", "b", "c", "d"};
        QVERIFY(!refused(paged).isEmpty());
    }

    void lengthsAreLimited() {
        const auto problem = selfAttention({"a", "b"});
        QVERIFY_THROWS_EXCEPTION(Error, edited(problem, {}));
        Words words(512, "a");
        QCOMPARE(edited(problem, words).tensors.at("x").dim(0), 512);
        words.emplace_back("b");
        try {
            edited(problem, words);
            QFAIL("accepted");
        } catch (const Error& error) {
            QVERIFY(QString(error.what()).contains("512"));
            QVERIFY(QString(error.what()).contains("513"));
        }
    }

    void theSameWordsChangeNothing() {
        const auto problem = dotProduct({"a", "b", "a"}, {});
        QCOMPARE(edited(problem, {"a", "b", "a"}), problem);
        QVERIFY(!(edited(problem, {"b", "a", "a"}) == problem));
    }

    /// The result of every mechanism with words can be computed.
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
        const auto before = run(problem, {});
        for (int token = 0; token < 64; ++token) { // as many words as there are queries
            problem.query_tokens.push_back("word" + std::to_string(token));
            if (const auto now = sentences_of(problem); now && std::ranges::none_of(now->queries, &std::string::empty))
                break;
        }
        if (!sentences_of(problem) || !refusal_of_sentences(problem).empty())
            return;
        for (const Words& words : {Words{"word1", "new", "word0"}, Words{"word1", "b", "c", "d", "e", "f", "word0"}}) {
            std::optional<AttentionProblem> next;
            try {
                next = edited(problem, words);
            } catch (const Error& error) {
                qInfo("%s", error.what()); // it cannot do with that many
                continue;
            }
            QVERIFY(issues_in(*next).empty());
            QVERIFY(!run(*next).stages.empty());
        }
    }
};

ATTNLAB_TEST(TestSentence)
#include "test_sentence.moc"
