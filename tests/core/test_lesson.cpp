// Lessons read from files.
#include "core/lessons/checks.h"
#include "core/lessons/lesson_error.h"
#include "core/stages/mask.h"
#include "tests/core/engine_support.h"
#include "tests/core/lesson_support.h"
#include "tests/places.h"
#include "tests/test_main.h"

#include <QTest>

#include <optional>

using namespace attnlab;
using namespace attnlab::lessons;
using namespace attnlab::test;

class LessonTest : public QObject {
    Q_OBJECT
private slots:
    void reads_a_lesson();
    void repeats_with_same();
    void holds_what_it_claims();
    void fills_in_numbers();
    void writes_numbers_data();
    void writes_numbers();
    void shows_a_dash_for_what_cannot_be_computed();
    void knows_the_lines_of_values();
    void reads_files_below_folders();
    void counts_minutes();
    void has_hints();
    void explains_options();
};

void LessonTest::reads_a_lesson() {
    const auto lesson = lesson_of(sound());
    QCOMPARE(lesson.folder, "lessons/07-a-lesson");
    QCOMPARE(lesson.order, 7);
    QCOMPARE(lesson.id, "a-lesson");
    QCOMPARE(lesson.group, "scale");
    QCOMPARE(lesson.title_in("zh_CN").title, "一课");
    QCOMPARE(lesson.title_in("fr").summary, "What it is about, in short.");
    QCOMPARE(lesson.steps.size(), 3);
    const auto& step = lesson.steps[0];
    QCOMPARE(step.id, "one");
    QCOMPARE(step.formula, "attention_sqrt_dk");
    QCOMPARE(step.scene.draw, (lab::RandomInputs{4, 4, 16, 4, lab::Distribution::Normal, 3}));
    QCOMPARE(step.scene.settings.size(), 2);
    QCOMPARE(step.scene.settings[1].spec.masks[0].parameters.integer("w"), 2);
    QCOMPARE(step.view.board, lab::BoardKind::ScaleLab);
    QCOMPARE(lab::cards_of(step.view, step.scene)[0], (lab::Card{"none", "none", "weights"}));
    QCOMPARE(lab::cards_of(step.view, step.scene)[1], (lab::Card{"second", "root", "scaled"}));
    QVERIFY(step.view.shows(lab::BoardPart::Curve) && step.view.is_live(lab::BoardControl::Draw) &&
            !step.view.is_live(lab::BoardControl::S));
    QCOMPARE(step.view.curve, (lab::BoardCurve{lab::CurveMeasure::Entropy, lab::DrawSize::S}));
    QCOMPARE(step.view.pin, (lab::BoardCell{2, 0}));
    QCOMPARE(step.view.highlight.size(), 2);
    QCOMPARE(step.question->options[0].id, "small");
    QCOMPARE(step.question->about->E, 256);
    QCOMPARE(step.question->about->seed, 3u);
    QCOMPARE(step.text_in("en").title, "The first");
    QCOMPARE(step.text_in("en").options.size(), 2);
    QCOMPARE(step.line, 4);
    QCOMPARE(step.line_of("settings 1"), 10);
    QCOMPARE(step.line_of("nothing"), 4);
}

void LessonTest::repeats_with_same() {
    const auto lesson = lesson_of(sound());
    QCOMPARE(lesson.steps[1].scene, lesson.steps[0].scene);
    QCOMPARE(lesson.steps[1].line_of("settings 1"), 10);
    QCOMPARE(lesson.steps[1].view.setting, "root");
    QCOMPARE(lesson.steps[1].view.at, "exp");
    const auto& sample = lesson.steps[2].scene;
    QCOMPARE(sample.settings.size(), 1);
    QCOMPARE(sample.settings[0].id, "sample");
    QVERIFY(sample.tensors.contains("query") && !sample.query_tokens.empty() && !sample.draw);
    // The sample's own setting stays with its inputs.
    const auto again = lesson_of(replaced("scene.json", R"("settings": "same",)",
                                          R"("settings": [{"id": "root"}, {"id": "none", "scale": "dk"}],)"));
    QCOMPARE(again.steps[1].scene.draw, again.steps[0].scene.draw);
    QCOMPARE(again.steps[1].scene.settings[1].spec.scale.id, "dk");
    const auto moved = lesson_of(replaced("scene.json", R"("masks": ["window:2"])",
                                          R"("masks": ["window:2,inf", "causal"], "query_offset": -1)"));
    const auto& spec = moved.steps[0].scene.settings[1].spec;
    QCOMPARE(spec.query_offset, std::optional<std::int64_t>(-1));
    QCOMPARE(spec.masks, (std::vector{parse_mask("window:2,-1"), parse_mask("causal")}));
    const auto apart = lesson_of(replaced("scene.json", R"("masks": ["window:2"])",
                                          R"("masks": ["window:2"], "tensors": {"query_offset": [3]})"));
    QVERIFY(apart.steps[0].scene.settings[1].tensors.contains("query_offset"));
    auto texts = replaced("scene.json", R"("checks": ["size(sample.weights) = 16"]
    })",
                          R"("checks": ["size(sample.weights) = 16"]
    }, {"id": "four", "inputs": "same", "checks": ["size(sample.weights) = 16"]})");
    for (const auto* file : {"en.md", "zh_CN.md"})
        texts.at(file) += "\n## four: More\nWords.\n";
    QCOMPARE(lesson_of(texts).steps[3].scene, sample);
}

void LessonTest::holds_what_it_claims() {
    const auto lesson = lesson_of(sound());
    for (const auto& step : lesson.steps) {
        const auto report = check_step(lesson, step);
        QVERIFY2(report.mistakes.empty(), report.mistakes.empty() ? "" : report.mistakes[0].text().c_str());
        QCOMPARE(report.checks.size(), step.checks.size());
    }
    const auto first = check_step(lesson, lesson.steps[0]);
    QCOMPARE(first.checks[0].measured, "theory(none) is 16");
    QVERIFY(!first.options[0].claim.holds && first.options[1].claim.holds);
    QCOMPARE(right_option(lesson.steps[0]), "same");
    QVERIFY_THROWS_EXCEPTION(Cancelled, check_step(lesson, lesson.steps[0], {.cancelled = [] { return true; }}));
}

void LessonTest::fills_in_numbers() {
    const auto lesson = lesson_of(sound());
    const auto& step = lesson.steps[0];
    const auto result = lab::compute(step.scene);
    const Evaluation evaluation(step.scene, result);
    const auto& text = step.text_in("en");
    const double variance = Expression("variance(none.scaled)").value(evaluation).cells[0];
    QCOMPARE(filled(text.body, evaluation),
             "The variance is " + number_text(variance, 2) + ", theory says 16.\n\n```\n## no heading: in code\n```");
    QCOMPARE(filled(text.options.at("small"), evaluation), "It shrinks,\n  and how");
    QCOMPARE(filled(text.answer, evaluation), "It stays 1.0.");
    // "2. A query" would be an item of a list, which Markdown numbers 1.
    const auto numbers =
        parse_text("# T\nS\n\n## s: t\n{{1 + 1}}. A\nand {{2}}. B\n  {{3}}) C {{4}}. D\n{{0.5}}. E", "x.md");
    QCOMPARE(QString::fromStdString(filled(numbers.steps[0].second.body, evaluation)),
             QString("2\\. A\nand 2. B\n  3\\) C 4. D\n0.500. E"));
    QCOMPARE(filled(text.cards.at("second"), evaluation), "stays at 1");
    // What only a screen can do is not said on paper.
    const auto drag = parse_text("# T\nS\n\n## s: t\nHere is {{2}}. {{screen: Drag it to 3.}} So {{1}}.", "x.md");
    QCOMPARE(filled(drag.steps[0].second.body, evaluation), "Here is 2. Drag it to 3. So 1.");
    QCOMPARE(filled(drag.steps[0].second.body, evaluation, nullptr, Medium::Paper), "Here is 2.  So 1.");
    for (const auto* wrong : {"{{screen: }}", "{{screen: drag {{d}} }}"})
        QVERIFY_THROWS_EXCEPTION(LessonError, parse_text(std::string("# T\nS\n\n## s: t\n") + wrong, "x.md"));
    const auto second = filled(lesson.steps[1].text_in("en").body, evaluation);
    QVERIFY(QRegularExpression("a row: ([01]\\.\\d\\d, ){3}[01]\\.\\d\\d\\.$")
                .match(QString::fromStdString(second))
                .hasMatch());
}

void LessonTest::writes_numbers_data() {
    QTest::addColumn<double>("value");
    QTest::addColumn<int>("decimals");
    QTest::addColumn<QString>("text");
    const auto row = [](double value, int decimals, const char* text) {
        QTest::newRow(text) << value << decimals << QString::fromUtf8(text);
    };
    row(1.0 / 3.0, -1, "0.333");
    row(12.3456, -1, "12.35");
    row(-1234.56, -1, "−1235");
    row(64.0, -1, "64");
    row(0.0, -1, "0");
    row(1.5e-7, -1, "1.50·10⁻⁷");
    row(-2.5e12, -1, "−2.50·10¹²");
    row(-1e9, -1, "−1.00·10⁹");
    row(infinity, -1, "∞");
    row(-infinity, 2, "−∞");
    row(not_a_number, 2, "NaN");
    row(-0.004, 2, "0.00");
    row(-1e9, 0, "−1000000000");
    row(2.0, 3, "2.000");
}

void LessonTest::writes_numbers() {
    QFETCH(double, value);
    QFETCH(int, decimals);
    QFETCH(QString, text);
    const auto given = decimals < 0 ? std::nullopt : std::optional(decimals);
    QCOMPARE(QString::fromStdString(number_text(value, given)), text);
}

void LessonTest::shows_a_dash_for_what_cannot_be_computed() {
    const auto lesson = lesson_of(sound());
    auto scene = lesson.steps[0].scene;
    scene.settings[1].spec.variant = "self";
    const auto result = lab::compute(scene);
    std::vector<int> lines;
    const auto said = filled(lesson.steps[1].text_in("en").body, Evaluation(scene, result),
                             [&](int line, const Message&) { lines.push_back(line); });
    QVERIFY(QString::fromStdString(said).startsWith("A weight: –; a row: 0."));
    QCOMPARE(lines, std::vector{27});
}

void LessonTest::knows_the_lines_of_values() {
    const auto json = parse_json("{\n\"a\":\n1\n,\n\"b\": [\n2,\n\"x\"], \"c\": {\n\"d\": true}}", "f");
    const auto& root = json.root();
    QCOMPARE(root.at("a").line(), 3);
    QCOMPARE(root.at("b").line(), 5);
    QCOMPARE(root.at("b").items()[0].line(), 6);
    QCOMPARE(root.at("b").items()[1].line(), 7);
    QCOMPARE(root.at("c").at("d").line(), 8);
    const auto refuses = [](const std::string& text) { return lesson_error_of([&] { parse_json(text, "f"); }); };
    QCOMPARE(refuses("[1]"), "f:1: is [1], expected an object");
    QVERIFY(refuses("{\n\"a\": 1e999}").startsWith("f:2: holds a number outside the range of float64"));
    QVERIFY(refuses("{\n\"a\": tru\n}").startsWith("f:2: is not valid JSON near byte "));
    QVERIFY(refuses("{\n\n").startsWith("f:2: is not valid JSON near byte "));
    QVERIFY(refuses(std::string("{}\n\0", 4)).startsWith("f:2: is not valid JSON near byte 4: NUL"));
    QVERIFY(refuses("{\"a\":" + std::string(1000, '[')).contains("more than 64 levels deep"));
    QCOMPARE(refuses(""),
             "f:1: is not valid JSON near byte 1: unexpected end of input; expected '[', '{', or a literal");
}

void LessonTest::reads_files_below_folders() {
    auto texts = sound();
    texts.erase("zh_CN.md");
    QCOMPARE(lesson_of(texts).steps[0].text_in("zh_CN").title, "The first");
    texts.erase("en.md");
    QCOMPARE(lesson_error_of([&] { lesson_of(texts); }), "lessons/07-a-lesson/en.md: is missing");
    texts = sound();
    texts.erase("en.md");
    QCOMPARE(lesson_of(texts).title_in("en").title, lesson_of(texts).title_in("zh_CN").title);
    const auto free_name = load_lesson("x/my lesson", files_of(sound()));
    QCOMPARE(free_name.id, "my lesson");
    QCOMPARE(free_name.order, 0);
    QCOMPARE(load_lesson("x/12-mine", files_of(sound())).order, 12);
    const auto files = files_below(ATTNLAB_SOURCE_DIR "/docs", ATTNLAB_SOURCE_DIR "/resources");
    QVERIFY(files.in_lesson("lessons.md") && !files.in_lesson("nothing.md"));
    QVERIFY(files.resource("formulas/self.svg") && !files.resource("formulas"));
}

void LessonTest::counts_minutes() {
    const auto words = [](const char* text) {
        const auto file = parse_text("# T\nS\n\n## s: title\n" + std::string(text), "x.md");
        return words_in(file.steps.front().second);
    };
    QCOMPARE(words("One, two {{1}}. {{2 + 3}}"), std::size_t{5}); // and the title
    QCOMPARE(words("**Bold** \n\n- item {{1}}–{{2}}"), std::size_t{5});
    QCOMPARE(words("注意力 x 权重"), std::size_t{1 + 1 + 3});
    QCOMPARE(words("Text\n\n### question\nWhich?\n- a: this one\n- b: that\n\n### answer\nThis."),
             std::size_t{1 + 1 + 1 + 2 + 1 + 1});

    auto texts = sound();
    QCOMPARE(reading_minutes(lesson_of(texts), "en"), 3); // three steps, one question and 42 words
    const auto at = texts["en.md"].find("It shrinks");
    for (int i = 0; i < 150; ++i)
        texts["en.md"].insert(at, "long ");
    QCOMPARE(reading_minutes(lesson_of(texts), "en"), 4);
}

void LessonTest::has_hints() {
    auto texts = sound();
    for (const char* file : {"en.md", "zh_CN.md"})
        texts[file].insert(texts[file].find("### answer"), "### hint\nTheory: {{theory(none)}}.\n\n");
    const auto lesson = lesson_of(texts);
    const auto& step = lesson.steps.front();
    const auto result = lab::compute(step.scene);
    // Before the answer: that of the draw on show.
    QCOMPARE(filled(step.text_in("en").hint, Evaluation(step.scene, result)), std::string("Theory: 16."));
    QVERIFY(check_step(lesson, step).mistakes.empty());
    QVERIFY(lesson_of(sound()).steps.front().text_in("en").hint.empty());
    QCOMPARE(words_in(step.text_in("en")), words_in(lesson_of(sound()).steps.front().text_in("en")));

    texts["zh_CN.md"] = sound()["zh_CN.md"];
    try {
        lesson_of(texts);
    } catch (const LessonError& error) {
        QVERIFY2(QString(error.what()).contains("zh_CN.md:7: the question has a hint in en.md, but not here"),
                 error.what());
        return;
    }
    QFAIL("no complaint");
}

void LessonTest::explains_options() {
    auto texts = sound();
    for (const char* file : {"en.md", "zh_CN.md"})
        texts[file].insert(texts[file].find("### card"), "### why same: Theory: {{theory(root)}}.\n\n");
    const auto lesson = lesson_of(texts);
    const auto& step = lesson.steps.front();
    const auto scene = question_scene(step);
    const auto result = lab::compute(scene);
    const auto& whys = step.text_in("en").whys;
    QCOMPARE(whys.size(), std::size_t{1});
    QCOMPARE(filled(whys.at("same"), Evaluation(scene, result)), std::string("Theory: 1."));
    QVERIFY(check_step(lesson, step).mistakes.empty());
    QCOMPARE(words_in(step.text_in("en")), words_in(lesson_of(sound()).steps.front().text_in("en")));
}

ATTNLAB_TEST(LessonTest)
#include "test_lesson.moc"
