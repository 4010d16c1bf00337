// Views of the weights, by their definitions.
#include "core/inputs.h"
#include "core/io/saved/workspace_file.h"
#include "core/mechanisms.h"
#include "core/random.h"
#include "core/stages/mask.h"
#include "core/stages/normaliser.h"
#include "core/stages/view.h"
#include "tests/core/engine_support.h"
#include "tests/test_main.h"

#include <QTest>

#include <cmath>

using namespace attnlab;
using namespace attnlab::test;

namespace {

/// Two queries heads a key head, more keys than queries.
AttentionProblem grouped() {
    auto problem = dot_problem(2, 4, 2, 3, 5, 4, 3);
    problem.spec.masks = {parse_mask("window:4")};
    return problem;
}

double at(const Tensor& tensor, std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t j) {
    return tensor.data()[((b * tensor.dim(1) + h) * tensor.dim(2) + i) * tensor.dim(3) + j];
}

/// Compares every cell of the view with expected(b, h, i, j).
template <class Expected>
void compare_view(const Trace& trace, const Shape& shape, Expected expected) {
    const auto& view = stage(trace, "view");
    QCOMPARE(view.shape(), shape);
    for (std::int64_t b = 0; b < shape[0]; ++b)
        for (std::int64_t h = 0; h < shape[1]; ++h)
            for (std::int64_t i = 0; i < shape[2]; ++i)
                for (std::int64_t j = 0; j < shape[3]; ++j)
                    QVERIFY(std::abs(at(view, b, h, i, j) - expected(b, h, i, j)) < 1e-12);
}

QString problem_with_view(AttentionProblem problem, const char* view) {
    problem.spec.view = view;
    const auto issues = issues_in(problem);
    if (!issues.empty())
        return QString::fromStdString(issues.front().english());
    try {
        run(problem);
    } catch (const Error& error) {
        return QString::fromStdString(error.message().english());
    }
    return {};
}

} // namespace

class TestViews : public QObject {
    Q_OBJECT
private slots:
    void weightsTimesLengths() {
        auto problem = grouped();
        problem.spec.view = "value_norm";
        const auto trace = run(problem);
        const auto &weights = stage(trace, "weights"), &value = problem.tensors.at("value");
        compare_view(trace, {2, 4, 3, 5}, [&](auto b, auto h, auto i, auto j) {
            return at(weights, b, h, i, j) *
                   std::hypot(at(value, b, h / 2, j, 0), at(value, b, h / 2, j, 1), at(value, b, h / 2, j, 2));
        });
    }

    /// Both layouts of the projection give the same, and each head has its own rows of it.
    void lengthsAfterTheProjection() {
        auto problem = grouped();
        const auto w_o = random_normal({12, 2}, 7);
        problem.spec.view = "output_norm";
        problem.tensors.emplace("w_o", w_o);
        const auto trace = run(problem);
        const auto &weights = stage(trace, "weights"), &value = problem.tensors.at("value");
        compare_view(trace, {2, 4, 3, 5}, [&](auto b, auto h, auto i, auto j) {
            double to[2] = {0.0, 0.0};
            for (std::int64_t c = 0; c < 3; ++c)
                for (std::int64_t d = 0; d < 2; ++d)
                    to[d] += at(value, b, h / 2, j, c) * w_o.data()[(3 * h + c) * 2 + d];
            return at(weights, b, h, i, j) * std::hypot(to[0], to[1]);
        });
        auto of_torch = grouped();
        of_torch.spec.view = "output_norm";
        Tensor turned({2, 12});
        for (std::int64_t r = 0; r < 12; ++r)
            for (std::int64_t d = 0; d < 2; ++d)
                turned.set({d, r}, w_o.data()[r * 2 + d]);
        of_torch.tensors.emplace("o_proj.weight", turned);
        QCOMPARE(stage(run(of_torch), "view"), stage(trace, "view"));
    }

    void keysLeftOut() {
        auto problem = grouped();
        problem.spec.view = "no_sink:3,0";
        problem.key_tokens = {"a", "b", "c", "d", "e"};
        const auto trace = run(problem);
        const auto& weights = stage(trace, "weights");
        const std::int64_t kept[] = {1, 2, 4};
        compare_view(trace, {2, 4, 3, 3}, [&](auto b, auto h, auto i, auto j) {
            double rest = 0.0;
            for (const auto key : kept)
                rest += at(weights, b, h, i, key);
            return rest == 0.0 ? 0.0 : at(weights, b, h, i, kept[j]) / rest;
        });
        const Stage& view = *trace.find("view");
        QCOMPARE(view.tokens->key, (std::vector<std::string>{"b", "c", "e"}));
        QCOMPARE(QString::fromStdString(view.operation.english()), QString("without key 0, 3, rest renormalised"));
    }

    void sumsOverKeysMeansOverQueries() {
        auto problem = grouped();
        problem.spec.view = "words";
        problem.tensors.emplace("key_word_ids", Tensor({5}, {0, 0, -1, -1, 0}, DType::Int64));
        problem.tensors.emplace("query_word_ids", Tensor({3}, {4, 4, 2}, DType::Int64));
        problem.query_tokens = {"un", "##do", "it"};
        const auto trace = run(problem);
        const auto& weights = stage(trace, "weights");
        compare_view(trace, {2, 4, 2, 4}, [&](auto b, auto h, auto i, auto j) {
            const auto read = [&](std::int64_t row) {
                return j == 0 ? at(weights, b, h, row, 0) + at(weights, b, h, row, 1) : at(weights, b, h, row, j + 1);
            };
            return i == 0 ? (read(0) + read(1)) / 2 : read(2);
        });
        QCOMPARE(trace.find("view")->tokens->query, (std::vector<std::string>{"undo", "it"}));
        QCOMPARE(trace.find("view")->tokens->key, (std::vector<std::string>{"0–1", "2", "3", "4"}));
    }

    /// Every mechanism with weights has views, and no other stage changes.
    void changesNoOtherStage_data() {
        QTest::addColumn<QString>("id");
        for (const auto& mechanism : mechanisms())
            QTest::newRow(mechanism.id.data()) << QString::fromLatin1(mechanism.id.data());
    }
    void changesNoOtherStage() {
        QFETCH(QString, id);
        AttentionProblem problem;
        problem.spec.variant = id.toStdString();
        complete_inputs(problem, 3);
        const auto plain = run(problem);
        int shown = 0;
        for (const auto* view : {"value_norm", "no_sink", "words"}) {
            auto viewed = problem;
            viewed.spec.view = view;
            if (viewed.spec.view == "words")
                add_word_ids(viewed);
            Trace trace;
            try {
                trace = run(viewed);
            } catch (const Error& error) {
                QVERIFY2(error.message().english().starts_with("view "), error.what());
                continue;
            }
            ++shown;
            for (const auto& stage : plain.stages) {
                QVERIFY(trace.find(stage.name));
                QVERIFY2(difference(trace.find(stage.name)->value, stage.value, 0.0).isEmpty(), stage.name.c_str());
            }
        }
        const bool has_weights = std::ranges::any_of(plain.stages, [](const Stage& stage) {
            return stage.name.ends_with("weights") && prefix_of(stage.name).size() + 7 == stage.name.size() &&
                   stage.axes == std::vector<Axis>{Axis::Batch, Axis::Head, Axis::Query, Axis::Key};
        });
        QVERIFY2(shown > 0 || !has_weights, "no view of these weights");
    }

    void everyLayerHasItsView() {
        AttentionProblem problem;
        problem.spec.variant = "transformer";
        problem.spec.view = "value_norm";
        complete_inputs(problem, 3);
        const auto trace = run(problem);
        for (const auto& layer : trace.layers)
            QVERIFY2(trace.find(std::string(prefix_of(layer)) + "view"), layer.c_str());
    }

    void whatIsWrongIsNamed_data() {
        QTest::addColumn<QString>("view");
        QTest::addColumn<QString>("words");
        QTest::newRow("unknown") << "values"
                                 << "not one of value_norm, output_norm, no_sink, words";
        QTest::newRow("a value") << "words:2"
                                 << "takes no value";
        QTest::newRow("no number") << "no_sink:a"
                                   << "has 'a'";
        QTest::newRow("twice") << "no_sink:1,1"
                               << "has '1'";
        QTest::newRow("nothing") << "no_sink:"
                                 << "has ''";
        QTest::newRow("beyond") << "no_sink:5"
                                << "leaves out key 5, expected keys from 0 to 4";
        QTest::newRow("no projection") << "output_norm"
                                       << "w_o: is missing";
        QTest::newRow("no words") << "words"
                                  << "word_ids: is missing";
    }
    void whatIsWrongIsNamed() {
        QFETCH(QString, view);
        QFETCH(QString, words);
        const auto found = problem_with_view(grouped(), view.toLatin1().constData());
        QVERIFY2(found.contains(words), qPrintable(found));
    }

    void arraysThatDoNotFit() {
        auto problem = grouped();
        problem.tensors.emplace("w_o", random_normal({2, 12}, 1));
        QVERIFY(problem_with_view(problem, "output_norm").contains("w_o: has 2 rows, expected 12"));
        problem.tensors.emplace("word_ids", Tensor({5}, {0, 0, 1, 1, 2}, DType::Int64));
        QVERIFY(problem_with_view(problem, "words").contains("query_word_ids: is missing, expected 3"));
        problem.spec.normaliser = parse_normaliser("none");
        QVERIFY(problem_with_view(problem, "no_sink").contains("a weight is negative"));
    }

    void wordsOfTokens_data() {
        QTest::addColumn<QStringList>("tokens");
        QTest::addColumn<QList<int>>("words");
        QTest::newRow("blanks") << QStringList{"The", " un", "do", " it"} << QList<int>{0, 1, 1, 2};
        QTest::newRow("byte pairs") << QStringList{"Mary", "Ġgave", "Ġmil", "k"} << QList<int>{0, 1, 2, 2};
        QTest::newRow("pieces") << QStringList{"▁a", "b", "▁c"} << QList<int>{0, 0, 1};
        QTest::newRow("word pieces") << QStringList{"[CLS]", "wash", "##ing", "##ton", "is"}
                                     << QList<int>{0, 1, 1, 1, 2};
        QTest::newRow("words") << QStringList{"a", "b"} << QList<int>{0, 1};
        QTest::newRow("none") << QStringList{} << QList<int>{};
    }
    void wordsOfTokens() {
        QFETCH(QStringList, tokens);
        QFETCH(QList<int>, words);
        std::vector<std::string> texts;
        for (const auto& token : tokens)
            texts.push_back(token.toStdString());
        const auto found = words_of(texts);
        QCOMPARE(QList<int>(found.begin(), found.end()), words);
    }

    void aWorkspaceKeepsTheView() {
        auto problem = grouped();
        problem.spec.view = "no_sink:0,2";
        const auto json = io::spec_to_json(problem);
        QVERIFY(json.find("no_sink:0,2") != std::string::npos);
        AttentionProblem read;
        io::spec_from_json(json, read);
        QCOMPARE(read.spec.view, std::string("no_sink:0,2"));
    }
};

ATTNLAB_TEST(TestViews)
#include "test_views.moc"
