// Scenes of lessons whose settings are heads of a model.
#include "core/lessons/checks.h"
#include "core/model/model_results.h"
#include "tests/core/lesson_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::lessons;
using namespace attnlab::test;

namespace {

constexpr const char* text = "When Mary and John went to the store, John gave a drink to";

/// A lesson of two steps: a head with and without another one, and all heads of a layer.
Texts lesson() {
    return {{"scene.json", R"({
  "version": 1,
  "steps": [
    {
      "id": "one",
      "inputs": {"model": "sample",
                 "text": "When Mary and John went to the store, John gave a drink to",
                 "next": {"mary": " Mary", "john": " John"}},
      "settings": [
        {"id": "whole", "pass": 2, "head": 1},
        {"id": "without", "pass": 2, "head": 1, "off": [[0, 0], [1, 3]]}
      ],
      "board": "matrices",
      "checks": ["size(whole.following) = L - 1", "L = 15", "0 < whole.next.mary < 1"]
    },
    {
      "id": "two",
      "inputs": "same",
      "settings": [{"id": "layer", "pass": 1}],
      "board": "matrices",
      "cards": [{"setting": "layer", "head": 0}, {"id": "last", "setting": "layer", "head": 3}]
    }
  ]
})"},
            {"en.md", "# A lesson\nShort.\n\n## one: One\n{{whole.next.mary | 2}} {{whole.figure.previous | 2}}\n\n## "
                      "two: Two\nWords.\n"}};
}

Texts with(const std::string& from, const std::string& to) {
    auto texts = lesson();
    auto& scenes = texts.at("scene.json");
    const auto place = scenes.find(from);
    if (place == scenes.npos)
        throw std::out_of_range("not there: " + from);
    scenes.replace(place, from.size(), to);
    return texts;
}

} // namespace

class TestLessonModel : public QObject {
    Q_OBJECT

    const model::Model sample_ = model::Model::open(ATTNLAB_MODELS_DIR "/sample");

    model::Input input() const {
        model::Input input;
        for (const auto& token : sample_.tokenizer()->encode(text))
            input.ids.push_back(token.id);
        return input;
    }

private slots:
    void aSettingIsAHead() {
        const auto lesson = lesson_of(::lesson());
        const auto& scene = lesson.steps[0].scene;
        const auto result = lab::compute(scene);
        const auto plain = sample_.run(input());
        const auto expected = plain.find("decoder.2.self")->weights(1);
        const auto& weights = result.trace_of(scene, "whole")->find("weights")->value;
        QCOMPARE(weights.size(), std::ssize(expected));
        for (std::size_t i = 0; i < expected.size(); ++i)
            QVERIFY(std::abs(weights.values()[i] - static_cast<double>(expected[i])) < 1e-5);
        QCOMPARE(scene.query_tokens.size(), std::size_t{15});
        QCOMPARE(scene.query_tokens[2], std::string(" Mary"));
    }

    void numbersComeFromTheRun() {
        const auto lesson = lesson_of(::lesson());
        const auto& scene = lesson.steps[0].scene;
        const auto result = lab::compute(scene);
        const Evaluation evaluation(scene, result);
        const auto outcomes = model::likeliest(sample_, sample_.run(input()), 1);
        const auto mary = Expression("whole.next.mary").value(evaluation).cells[0];
        QCOMPARE(outcomes.front().name, std::string("ĠMary"));
        // The run of the lesson multiplies all positions at once, this one the last alone: float32 rounds them apart.
        QVERIFY(std::abs(mary - outcomes.front().probability) < 1e-6);
        QVERIFY(Expression("abs(whole.next.mary - without.next.mary) > 1e-6").holds(evaluation));
        QVERIFY(Expression("abs(whole.figure.previous - without.figure.previous) > 1e-6").holds(evaluation));
        QVERIFY(Expression("0 <= whole.guessed <= 1 and 0 < whole.following < 1").holds(evaluation));
    }

    void everyStatementIsChecked() {
        const auto lesson = lesson_of(::lesson());
        for (const auto& step : lesson.steps)
            for (const auto& mistake : check_step(lesson, step).mistakes)
                QFAIL(mistake.text().c_str());
    }

    void aWholeLayerHasEveryHead() {
        const auto lesson = lesson_of(::lesson());
        const auto& scene = lesson.steps[1].scene;
        QCOMPARE(lab::compute(scene).trace_of(scene, "layer")->find("weights")->value.shape(), (Shape{1, 4, 15, 15}));
    }

    void mistakes_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const char* from, const char* to, const char* says) {
            QTest::newRow(name) << QString(from) << QString(to) << QString(says);
        };
        row("no such model", "\"sample\"", "\"other\"", "scene.json:6: there is no model 'other'");
        row("a path", "\"sample\"", "\"../models/sample\"", "there is no model");
        row("not one token", "\" Mary\"", "\" Marylou\"", "scene.json:8: ");
        row("no such pass", "\"pass\": 2", "\"pass\": 3", "scene.json:10: ");
        row("no such head", "\"head\": 1", "\"head\": 4", "expected 0 to 3");
        row("no such head to switch off", "[1, 3]", "[1, 4]", "scene.json:11: ");
        row("no pair", "[0, 0], ", "0, ", "scene.json:11: ");
        row("a setting of arrays", "\"pass\": 2", "\"scale\": \"none\"", "scene.json:10: ");
        row("a draw too", "\"next\": {", "\"draw\": {}, \"next\": {", "scene.json:8: ");
    }
    void mistakes() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, says);
        const auto error = lesson_error_of([&] { lesson_of(with(from.toStdString(), to.toStdString())); });
        QVERIFY2(error.contains(says), qPrintable(error));
    }
};

ATTNLAB_TEST(TestLessonModel)
#include "test_lesson_model.moc"
