#include "core/io/npz.h"
#include "core/stages/mask.h"
#include "core/stages/scale.h"
#include "tests/core/engine_support.h"
#include "tests/core/io_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

constexpr std::int64_t B = 2, H = 4, Hkv = 2, L = 3, S = 5, E = 6;

/// Two batches, two query heads for each key head, sentences of 2, 1 and 2 keys that are not contiguous, two
/// paragraphs.
AttentionProblem problem_of(const QString& variant, const QString& combine) {
    auto problem = dot_problem(B, H, Hkv, L, S, E, E);
    problem.spec.variant = variant.toStdString();
    problem.spec.parameters.set("combine", combine.toStdString());
    problem.tensors.emplace("sentence_ids", Tensor({S}, {7, -2, 7, 40, -2}, DType::Int64));
    problem.tensors.emplace("paragraph_ids", Tensor({S}, {1, 1, 1, 0, 1}, DType::Int64));
    return problem;
}

double mean_of(const Tensor& key, std::int64_t b, std::int64_t g, std::int64_t c, const std::function<bool(int)>& in) {
    double sum = 0.0, count = 0.0;
    for (int j = 0; j < S; ++j)
        if (in(j)) {
            sum += key.at({b, g, j, c});
            ++count;
        }
    return sum / count;
}

/// Entry c of the context of cell (b,h,i,j), one number at a time. `read` is the first pass of dynamic_context.
double context_at(const AttentionProblem& problem, const Tensor& key, const Tensor& read, std::int64_t b,
                  std::int64_t h, std::int64_t i, std::int64_t j, std::int64_t c) {
    const auto g = h / (H / Hkv);
    if (problem.spec.variant == "dynamic_context")
        return read.at({b, h, i, c});
    if (problem.spec.variant == "global_context")
        return mean_of(key, b, g, c, [](int) { return true; });
    const auto& sentence = problem.tensors.at("sentence_ids");
    const auto& paragraph = problem.tensors.at("paragraph_ids");
    return key.at({b, g, j, c}) + mean_of(key, b, g, c, [&](int k) { return sentence.at({k}) == sentence.at({j}); }) +
           mean_of(key, b, g, c, [&](int k) { return paragraph.at({k}) == paragraph.at({j}); });
}

/// The result of plain attention with the same spec.
Tensor first_read(AttentionProblem problem, bool of_keys, const Tensor& key) {
    if (of_keys)
        problem.tensors.at("value") = key;
    problem.spec.variant = "scaled_dot_product";
    if (problem.spec.scale.id.empty())
        problem.spec.scale.id = "sqrt_dk";
    problem.spec.parameters = {};
    return stage(run(problem), "output");
}

} // namespace

/// Global, hierarchical and dynamic context beyond the golden numbers.
class ContextTest : public QObject {
    Q_OBJECT
private slots:
    void scores_know_their_context_data();
    void scores_know_their_context();
    void no_context_is_plain_attention();
    void terms_add_up_to_the_score_data();
    void terms_add_up_to_the_score();
    void says_that_means_leak_data();
    void says_that_means_leak();
    void a_masked_first_read_does_not_leak();
    void a_fully_masked_row_has_no_context();
    void ids_are_names_alone();
    void complains_in_words_data();
    void complains_in_words();
    void wide_values_need_the_keys_as_source();
    void finds_ids_in_a_file();
    void makes_two_sentences_in_one_paragraph();
    void computes_without_keys_or_queries();
    void asks_for_memory_first();
};

void ContextTest::scores_know_their_context_data() {
    QTest::addColumn<QString>("variant");
    QTest::addColumn<QString>("combine");
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("scale");
    for (const char* combine : {"gate", "bias"})
        for (const char* scale : {"none", "sqrt_dk", "pre_norm:0.5", "score_norm", "temperature:0.3"}) {
            for (const char* variant : {"global_context", "hierarchical_context"})
                QTest::addRow("%s, %s, %s", variant, combine, scale) << variant << combine << QString() << scale;
            for (const char* source : {"value", "key"})
                QTest::addRow("dynamic_context of %s, %s, %s", source, combine, scale)
                    << "dynamic_context" << combine << source << scale;
        }
}

void ContextTest::scores_know_their_context() {
    QFETCH(QString, variant);
    QFETCH(QString, combine);
    QFETCH(QString, source);
    QFETCH(QString, scale);
    auto problem = problem_of(variant, combine);
    problem.spec.scale = parse_scale(scale.toStdString());
    problem.spec.masks = {parse_mask("causal")};
    if (!source.isEmpty())
        problem.spec.parameters.set("source", source.toStdString());
    const auto trace = run(problem);

    const bool unit = scale.startsWith(QLatin1String("pre_norm"));
    const auto query =
        unit ? normalised_rows(problem.tensors.at("query"), RowNorm::Length) : problem.tensors.at("query");
    const auto key = unit ? normalised_rows(problem.tensors.at("key"), RowNorm::Length) : problem.tensors.at("key");
    const auto read = source.isEmpty() ? Tensor() : first_read(problem, source == QLatin1String("key"), key);
    Tensor scores({B, H, L, S}), term({B, H, L, S});
    for (std::int64_t b = 0; b < B; ++b)
        for (std::int64_t h = 0; h < H; ++h)
            for (std::int64_t i = 0; i < L; ++i)
                for (std::int64_t j = 0; j < S; ++j) {
                    double own = 0.0, more = 0.0;
                    for (std::int64_t c = 0; c < E; ++c) {
                        const double q = query.at({b, h, i, c}), k = key.at({b, h / 2, j, c});
                        const double context = context_at(problem, key, read, b, h, i, j, c);
                        own += q * k;
                        more += combine == QLatin1String("gate") ? q * context * k : context * k;
                    }
                    scores.set({b, h, i, j}, own + more);
                    term.set({b, h, i, j}, more);
                }
    QCOMPARE(difference(stage(trace, "scores"), scores, 1e-12), QString());
    QCOMPARE(difference(stage(trace, "context_term"), term, 1e-12), QString());
}

void ContextTest::no_context_is_plain_attention() {
    // Keys that cancel have the mean 0.
    auto problem = problem_of("global_context", "gate");
    auto key = random_normal({1, 1, 2, 4}, 3);
    for (std::int64_t c = 0; c < 4; ++c)
        key.set({0, 0, 1, c}, -key.at({0, 0, 0, c}));
    problem.tensors = {{"query", random_normal({1, 1, 3, 4}, 4)}, {"key", key}, {"value", random_normal({2, 7}, 5)}};
    auto plain = problem;
    plain.spec.variant = "scaled_dot_product";
    plain.spec.parameters = {};
    for (const auto* combine : {"gate", "bias"}) {
        problem.spec.parameters.set("combine", std::string(combine));
        const auto trace = run(problem);
        QCOMPARE(stage(trace, "context"), Tensor({1, 1, 4}));
        QCOMPARE(difference(stage(trace, "output"), stage(run(plain), "output"), 1e-14), QString());
    }
}

void ContextTest::terms_add_up_to_the_score_data() {
    QTest::addColumn<QString>("variant");
    QTest::addColumn<QString>("combine");
    for (const char* variant : {"global_context", "hierarchical_context", "dynamic_context"})
        for (const char* combine : {"gate", "bias"})
            QTest::addRow("%s, %s", variant, combine) << variant << combine;
}

void ContextTest::terms_add_up_to_the_score() {
    QFETCH(QString, variant);
    QFETCH(QString, combine);
    const auto problem = problem_of(variant, combine);
    const auto trace = run(problem);
    const auto terms = trace.pass().score_terms(1, 3, 2, 4);
    QCOMPARE(terms.size(), std::size_t{E});
    double sum = 0.0;
    for (std::size_t c = 0; c < terms.size(); ++c) {
        QCOMPARE(terms[c].right, problem.tensors.at("key").at({1, 1, 4, std::int64_t(c)}));
        QVERIFY(close(terms[c].product, terms[c].left * terms[c].right, 1e-15));
        sum += terms[c].product;
    }
    QVERIFY(close(sum, stage(trace, "scores").at({1, 3, 2, 4}), 1e-13));
    QVERIFY(!trace.pass().dot_product_scores); // there is no theory of their variance
}

void ContextTest::says_that_means_leak_data() {
    QTest::addColumn<QString>("variant");
    QTest::addColumn<QString>("mask");
    QTest::addColumn<QString>("words");
    for (const char* variant : {"global_context", "hierarchical_context"}) {
        QTest::addRow("%s, causal", variant) << variant << "causal"
                                             << "leaks the future";
        QTest::addRow("%s, prefix", variant) << variant << "prefix:1"
                                             << "leaks the future";
        QTest::addRow("%s, padding", variant) << variant << "key_padding"
                                              << "those that the mask blocks included";
        QTest::addRow("%s, a mask that blocks nothing", variant) << variant << "prefix:9"
                                                                 << "";
        QTest::addRow("%s, no mask", variant) << variant << ""
                                              << "";
    }
    QTest::newRow("dynamic_context, causal") << "dynamic_context"
                                             << "causal"
                                             << "";
}

void ContextTest::says_that_means_leak() {
    QFETCH(QString, variant);
    QFETCH(QString, mask);
    QFETCH(QString, words);
    auto problem = problem_of(variant, "gate");
    if (!mask.isEmpty())
        problem.spec.masks = {parse_mask(mask.toStdString())};
    if (mask == QLatin1String("key_padding")) {
        Tensor padded({B, S}, 0.0, DType::Bool);
        padded.set({1, 4}, 1.0);
        problem.tensors.emplace("key_padding_mask", padded);
    }
    const auto trace = run(problem);
    if (words.isEmpty()) {
        QVERIFY(!has_note(trace, "The context"));
        return;
    }
    QVERIFY(trace.notes.front().severity == Note::Severity::Warning);
    QVERIFY(has_note(trace, words.toStdString()));
}

/// Tokens after a query change its output through a mean, but not through a masked first pass.
void ContextTest::a_masked_first_read_does_not_leak() {
    for (const auto* variant : {"dynamic_context", "global_context", "hierarchical_context"}) {
        auto problem = problem_of(variant, "gate");
        problem.spec.masks = {parse_mask("causal")};
        const auto before = stage(run(problem), "output");
        problem.tensors.at("key").set({0, 0, 4, 2}, 9.0); // later than every query
        problem.tensors.at("value").set({0, 0, 4, 2}, 9.0);
        const auto after = stage(run(problem), "output");
        QCOMPARE(before == after, std::string(variant) == "dynamic_context");
    }
}

void ContextTest::a_fully_masked_row_has_no_context() {
    auto problem = problem_of("dynamic_context", "bias");
    problem.spec.masks = {parse_mask("attn_mask")};
    Tensor blocked({L, S}, 0.0, DType::Bool);
    for (std::int64_t j = 0; j < S; ++j)
        blocked.set({1, j}, 1.0);
    problem.tensors.emplace("attn_mask", blocked);
    const auto trace = run(problem);
    for (std::int64_t c = 0; c < E; ++c) {
        QCOMPARE(stage(trace, "context").at({1, 2, 1, c}), 0.0);
        QCOMPARE(stage(trace, "output").at({1, 2, 1, c}), 0.0);
    }
    QCOMPARE(stage(trace, "context_term").at({1, 2, 1, 3}), 0.0);
    QVERIFY(stage(trace, "context_term").at({1, 2, 0, 3}) != 0.0);
    QVERIFY(has_note(trace, "Rows with every key blocked"));
}

void ContextTest::ids_are_names_alone() {
    auto problem = problem_of("hierarchical_context", "gate");
    const auto before = stage(run(problem), "output");
    problem.tensors.at("sentence_ids") = Tensor({S}, {0, 1e9, 0, -5, 1e9}); // float64 integers will do
    QCOMPARE(stage(run(problem), "output"), before);
    problem.tensors.at("sentence_ids") = Tensor({S}, {0, 1, 0, 1, 1}, DType::Int64);
    QVERIFY(stage(run(problem), "output") != before);
}

void ContextTest::complains_in_words_data() {
    QTest::addColumn<QString>("variant");
    QTest::addColumn<QString>("tensor");
    QTest::addColumn<Tensor>("value");
    QTest::addColumn<QString>("complaint");
    QTest::newRow("half a sentence") << "hierarchical_context"
                                     << "sentence_ids" << Tensor({S}, {0, 0.5, 1, 1, 1})
                                     << "sentence_ids: has 0.5 at (1,), expected an integer";
    QTest::newRow("no paragraph") << "hierarchical_context"
                                  << "paragraph_ids" << Tensor({S}, {0, 0, 0, 0, not_a_number})
                                  << "paragraph_ids: has nan at (4,), expected an integer";
    QTest::newRow("too few ids") << "hierarchical_context"
                                 << "sentence_ids" << Tensor({4}, 0.0, DType::Int64)
                                 << "sentence_ids: has shape (4,), expected (S,) with S = 5 as in key";
    QTest::newRow("wide values")
        << "dynamic_context"
        << "value" << Tensor({B, Hkv, S, 7})
        << "value: has width 7, expected 6, the width of key. With source = value the context is a "
           "mix of values. With source = key any width is possible";
}

void ContextTest::complains_in_words() {
    QFETCH(QString, variant);
    QFETCH(QString, tensor);
    QFETCH(Tensor, value);
    QFETCH(QString, complaint);
    auto problem = problem_of(variant, "gate");
    problem.tensors.at(tensor.toStdString()) = value;
    QCOMPARE(error_of([&] { run(problem); }), complaint);
    QCOMPARE(issues_in(problem).size(), std::size_t{1});
    QCOMPARE(QString::fromStdString(issues_in(problem).front().english()), complaint);
}

void ContextTest::wide_values_need_the_keys_as_source() {
    auto problem = problem_of("dynamic_context", "gate");
    problem.tensors.at("value") = random_normal({B, Hkv, S, 7}, 5);
    QVERIFY(!issues_in(problem).empty());
    problem.spec.parameters.set("source", std::string("key"));
    QVERIFY(issues_in(problem).empty());
    QCOMPARE(stage(run(problem), "output").shape(), Shape({B, H, L, 7}));
}

void ContextTest::finds_ids_in_a_file() {
    const auto problem = problem_of("global_context", "gate");
    QCOMPARE(spec_for(problem.tensors)->variant, std::string("hierarchical_context"));
}

void ContextTest::makes_two_sentences_in_one_paragraph() {
    AttentionProblem problem;
    problem.spec.variant = "hierarchical_context";
    problem.tensors.emplace("key", random_normal({5, 4}, 1));
    complete_inputs(problem, 1);
    QCOMPARE(problem.tensors.at("sentence_ids"), Tensor({5}, {0, 0, 0, 1, 1}, DType::Int64));
    QCOMPARE(problem.tensors.at("paragraph_ids"), Tensor({5}, 0.0, DType::Int64));
}

void ContextTest::computes_without_keys_or_queries() {
    for (const auto* variant : {"global_context", "hierarchical_context", "dynamic_context"})
        for (const auto& [queries, keys, width] :
             {std::tuple<int, int, int>{0, 3, 2}, {3, 0, 2}, {2, 3, 0}, {0, 0, 0}, {1, 1, 1}}) {
            AttentionProblem problem;
            problem.spec.variant = variant;
            problem.tensors = {{"query", Tensor({queries, width}, 1.0)},
                               {"key", Tensor({keys, width}, 1.0)},
                               {"value", Tensor({keys, width}, 1.0)},
                               {"sentence_ids", Tensor({keys})},
                               {"paragraph_ids", Tensor({keys})}};
            QCOMPARE(stage(run(problem), "output").shape(), Shape({1, 1, queries, width}));
        }
}

void ContextTest::asks_for_memory_first() {
    for (const auto* variant : {"global_context", "dynamic_context"}) {
        AttentionProblem problem;
        problem.spec.variant = variant;
        problem.tensors = {
            {"query", Tensor({400000, 1})}, {"key", Tensor({400000, 1})}, {"value", Tensor({400000, 1})}};
        QVERIFY(error_of([&] { run(problem); }).contains("would have shape (1, 1, 400000, 400000)"));
    }
}

ATTNLAB_TEST(ContextTest)
#include "test_context.moc"
