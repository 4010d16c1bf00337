// What a question covers: cells of stages, what is computed from them, and nothing that the answer could be read from.
#include "core/lab/cover.h"
#include "core/lessons/asking.h"
#include "core/lessons/checks.h"
#include "tests/core/engine_support.h"
#include "tests/core/lesson_support.h"
#include "tests/test_main.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace attnlab;
using namespace attnlab::lessons;
using namespace attnlab::test;

namespace {

/// The number of cells of a stage that are covered.
std::ptrdiff_t count_hidden(const Trace& trace, const char* stage, const std::vector<lab::HiddenPart>& hidden) {
    const auto marks = lab::hidden_cells(trace, *trace.find(stage), "none", hidden);
    return marks ? std::ranges::count(marks->values(), 1.0) : 0;
}

/// A lesson whose first step asks without another draw, with these keys in its question.
Lesson asking(const std::string& keys) {
    auto texts = replaced("scene.json", ",\n        \"about\": {\"E\": 256}", keys.empty() ? "" : ",\n" + keys);
    auto& scene = texts.at("scene.json");
    for (const auto& [from, to] : {std::pair{"theory(root) < 1", "max(root.weights) > 1"},
                                   {"theory(root) ~ 1 within 1e-9", "max(root.weights) <= 1"}})
        scene.replace(scene.find(from), std::string(from).size(), to);
    return lesson_of(texts);
}

QStringList mistakes_of(const Lesson& lesson) {
    QStringList mistakes;
    for (const auto& mistake : check_step(lesson, lesson.steps.front()).mistakes)
        mistakes << QString::fromStdString(mistake.text());
    return mistakes;
}

} // namespace

class LessonCoverTest : public QObject {
    Q_OBJECT
private slots:
    void reads_parts_data();
    void reads_parts();
    void covers_what_is_computed_later();
    void keeps_no_number();
    void covers_what_options_read();
    void shows_what_it_is_told_to();
    void replaces_boards_that_cannot_cover();
    void reports_what_gives_the_answer_away();
    void reports_parts_that_are_not_there();
    void keeps_exact_weights_beside_an_approximation();
    void finds_no_order_among_unknown_numbers();
    void covers_what_an_earlier_question_asked_on_a_sheet();
};

void LessonCoverTest::reads_parts_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("setting");
    QTest::addColumn<QString>("part");
    QTest::addColumn<int>("cells");
    QTest::newRow("stage of all") << "weights"
                                  << ""
                                  << "weights" << 0;
    QTest::newRow("stage") << "a.weights"
                           << "a"
                           << "weights" << 0;
    QTest::newRow("rows") << "a.weights[2, :]"
                          << "a"
                          << "weights" << 2;
    QTest::newRow("measure") << "a.measure.bytes"
                             << "a"
                             << "measure.bytes" << 0;
    QTest::newRow("words") << "words"
                           << ""
                           << "words" << 0;
    QTest::newRow("words of a card") << "a.words"
                                     << "a"
                                     << "words" << 0;
}

void LessonCoverTest::reads_parts() {
    QFETCH(QString, text);
    const auto part = hidden_part_from(text.toStdString());
    QTEST(QString::fromStdString(part.setting), "setting");
    QTEST(QString::fromStdString(part.part), "part");
    QTEST(static_cast<int>(part.cells.size()), "cells");
    if (part.cells.size() == 2) {
        QVERIFY(part.cells[0].single && part.cells[0].first == 2);
        QVERIFY(!part.cells[1].single && !part.cells[1].first && !part.cells[1].last);
    }
}

void LessonCoverTest::covers_what_is_computed_later() {
    const auto lesson = lesson_of(sound());
    const auto& scene = lesson.steps.front().scene;
    const auto result = lab::compute(scene);
    const Trace& trace = *result.trace_of(scene, "none");
    const auto hidden = [](const char* text) { return std::vector{hidden_part_from(text)}; };
    QCOMPARE(count_hidden(trace, "scores", hidden("none.weights")), 0);
    QCOMPARE(count_hidden(trace, "weights", hidden("none.weights")), 16);
    QCOMPARE(count_hidden(trace, "output", hidden("none.weights")), 16);
    // The same queries of everything after it.
    QCOMPARE(count_hidden(trace, "query", hidden("none.scores[-1, :]")), 0);
    QCOMPARE(count_hidden(trace, "scores", hidden("none.scores[-1, :]")), 4);
    QCOMPARE(count_hidden(trace, "weights", hidden("none.scores[-1, 0]")), 4);
    QCOMPARE(count_hidden(trace, "output", hidden("none.weights[0:2, :]")), 8);
    QCOMPARE(count_hidden(trace, "weights", hidden("root.weights")), 0); // of another setting
    QCOMPARE(count_hidden(trace, "weights", hidden("weights")), 16);
    QVERIFY_THROWS_EXCEPTION(Error, count_hidden(trace, "weights", hidden("none.weights[4, :]")));
    QVERIFY_THROWS_EXCEPTION(Error, count_hidden(trace, "weights", hidden("none.weights[0, 0, 0, 0, 0]")));
}

void LessonCoverTest::keeps_no_number() {
    const auto lesson = lesson_of(sound());
    const auto& scene = lesson.steps.front().scene;
    const auto result = lab::compute(scene);
    lab::BoardSpec view;
    view.cards = {{"none", "none", "weights"}};
    view.hidden = {hidden_part_from("none.weights[1, :]")};
    const auto open = lab::covered(scene, result, view);
    const auto& trace = open.settings[0].trace;
    for (std::int64_t key = 0; key < 4; ++key) {
        QVERIFY(std::isnan(trace.find("weights")->value.value(4 + key)));
        QCOMPARE(trace.find("weights")->value.value(key), result.settings[0].trace.find("weights")->value.value(key));
        QVERIFY(std::isnan(trace.find("output")->value.value(4 + key)));
    }
    QVERIFY(open.settings[1].trace.stages.empty()); // it is not on the board
}

void LessonCoverTest::covers_what_options_read() {
    const auto lesson = asking({});
    const auto view = asking_view(lesson.steps.front()); // the options read root.weights
    QCOMPARE(view.hidden, (std::vector{lab::HiddenPart{{}, "weights"}, lab::HiddenPart{{}, "words"}}));
    QVERIFY(view.live.empty() && !view.pin && view.highlight.empty());
    QVERIFY(!view.shows(lab::BoardPart::Curve) && view.shows(lab::BoardPart::Histogram));
    QVERIFY(mistakes_of(lesson).isEmpty());
}

void LessonCoverTest::shows_what_it_is_told_to() {
    const auto lesson = asking(
        R"("hides": ["root.weights[0, :]", "second.words"], "before": {"cards": [{"setting": "root"}], "pin": [1, 1]})");
    const auto view = asking_view(lesson.steps.front());
    QCOMPARE(view.hidden.size(), std::size_t{2});
    QCOMPARE(view.hidden[1], (lab::HiddenPart{"second", "words"}));
    QCOMPARE(view.cards.size(), std::size_t{1});
    QCOMPARE(view.pin, (lab::BoardCell{1, 1}));
    QVERIFY(view.highlight.empty());
    QVERIFY(lab::hides("second", "words", view.hidden) && !lab::hides("none", "words", view.hidden));
}

void LessonCoverTest::replaces_boards_that_cannot_cover() {
    const auto lesson = lesson_of(sound());
    const auto& step = lesson.steps[1]; // row 1 of root, step by step
    const auto result = lab::compute(step.scene);
    auto view = step.view;
    view.hidden = {hidden_part_from("root.weights[0, :]")};
    QCOMPARE(lab::covered_view(view, step.scene, result).board, lab::BoardKind::StepThrough);
    view.hidden = {hidden_part_from("root.weights[1, :]")};
    const auto matrices = lab::covered_view(view, step.scene, result);
    QCOMPARE(matrices.board, lab::BoardKind::Matrices);
    QStringList stages;
    for (const auto& card : matrices.cards)
        stages << QString::fromStdString(card.stage);
    QCOMPARE(stages, QStringList({"query", "key", "value", "scores", "weights"}));
    view.hidden = {hidden_part_from("root.scores")};
    QCOMPARE(lab::covered_view(view, step.scene, result).cards.size(), std::size_t{3});
}

void LessonCoverTest::reports_what_gives_the_answer_away() {
    const auto open = mistakes_of(asking(R"("hides": ["none.weights"])"));
    QCOMPARE(open.size(), 1);
    QVERIFY2(open[0].contains("the board shows that option 'same' is right"), qPrintable(open[0]));
    QVERIFY(mistakes_of(asking(R"("hides": ["none.weights"], "covers": false)")).isEmpty());
    QVERIFY(mistakes_of(lesson_of(replaced("scene.json", "\"about\"", "\"hides\": [], \"about\""))).isEmpty());
}

void LessonCoverTest::reports_parts_that_are_not_there() {
    for (const char* part : {"weight", "root.weight", "root.measure.price", "third.words"}) {
        const auto mistakes = mistakes_of(asking(std::string(R"("hides": ["root.weights", ")") + part + "\"]"));
        QCOMPARE(mistakes.size(), 1);
        QVERIFY2(mistakes[0].contains(QString("'hides' names '%1'").arg(part)), qPrintable(mistakes[0]));
    }
    const auto beyond = mistakes_of(asking(R"("hides": ["root.weights", "root.weights[9, :]"])"));
    QCOMPARE(beyond.size(), 1);
    QVERIFY2(beyond[0].contains("index 9 is beyond an axis of size 4"), qPrintable(beyond[0]));
}

void LessonCoverTest::keeps_exact_weights_beside_an_approximation() {
    lab::Scene scene;
    scene.draw = lab::RandomInputs{};
    scene.settings.resize(1);
    scene.settings[0].id = "none";
    scene.settings[0].spec.variant = "longformer";
    const auto result = lab::compute(scene);
    const Trace& trace = *result.trace_of(scene, "none");
    const auto hidden = [](const char* text) { return std::vector{hidden_part_from(text)}; };
    QCOMPARE(count_hidden(trace, "exact_weights", hidden("weights")), 0);
    QCOMPARE(count_hidden(trace, "exact_weights", hidden("difference")), 0);
    QVERIFY(count_hidden(trace, "difference", hidden("weights")) > 0);
    QVERIFY(count_hidden(trace, "exact_weights", hidden("scores")) > 0);
}

/// A place of the largest would be one of the covered cells.
void LessonCoverTest::finds_no_order_among_unknown_numbers() {
    lab::Scene scene;
    scene.tensors.emplace("query", Tensor({1, 2}, {NAN, 1.0}));
    scene.tensors.emplace("key", Tensor({1, 2}, {1.0, 1.0}));
    scene.tensors.emplace("value", Tensor({1, 1}, {1.0}));
    scene.settings.resize(1);
    scene.settings[0].id = "a";
    const auto result = lab::compute(scene);
    const Evaluation evaluation(scene, result);
    for (const char* text : {"argmax(a.tensor.query[0,:])", "argmin(a.tensor.query[0,:])"})
        QVERIFY(std::isnan(Expression(text).value(evaluation).cells[0]));
    for (const double cell : Expression("sorted(a.tensor.query[0,:])").value(evaluation).cells)
        QVERIFY(std::isnan(cell));
}

void LessonCoverTest::covers_what_an_earlier_question_asked_on_a_sheet() {
    // The second step has the same numbers, the third has others.
    auto lesson = asking(R"("hides": ["root.weights[2, :]"])");
    lesson.steps[1].view.highlight = {{2, 1}};
    auto& other = lesson.steps[2];
    other.scene = lesson.steps[1].scene;
    other.scene.draw->seed += 1;
    const auto earlier = asked_earlier(lesson);
    const auto row = [](const char* setting) {
        auto part = hidden_part_from("root.weights[2, :]");
        part.setting = setting;
        return part;
    };
    QVERIFY(earlier[0].empty() && earlier[2].empty());
    QCOMPARE(earlier[1], std::vector{row("root")});
    QCOMPARE(sheet_view(lesson.steps[0], earlier[0]), asking_view(lesson.steps[0]));
    QVERIFY(!sheet_view(lesson.steps[2], earlier[2]));
    const auto view = sheet_view(lesson.steps[1], earlier[1]);
    QVERIFY(view && view->highlight.empty() && !view->pin);
    QCOMPARE(view->hidden, earlier[1]);
    // Neither the name of a setting nor the mask that makes its numbers matters.
    lesson.steps[1].scene.settings[1].id = "renamed";
    lesson.steps[1].scene.settings[1].spec.mask_fill.value = -1e300;
    QCOMPARE(asked_earlier(lesson)[1], std::vector{row("renamed")});
    // The question shows the same numbers by another name.
    auto open = lesson;
    auto& settings = open.steps[0].scene.settings;
    settings[0] = settings[1];
    settings[0].id = "none";
    QVERIFY(asked_earlier(open)[1].empty());
    lesson.steps[0].question->covers = false;
    QCOMPARE(asked_earlier(lesson)[1], std::vector{row("renamed")});
    QVERIFY(!sheet_view(lesson.steps[0], {}));
    lesson.steps[0].question->hides.reset();
    QVERIFY(asked_earlier(lesson)[1].empty());
}

ATTNLAB_TEST(LessonCoverTest)
#include "test_lesson_cover.moc"
