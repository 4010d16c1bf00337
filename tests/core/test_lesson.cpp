// Lessons as files: what a sound one becomes, and where a broken one is said to be broken.
#include "core/lessons/checks.h"
#include "core/lessons/line_json.h"
#include "core/lessons/load.h"
#include "tests/core/engine_support.h"

#include <QRegularExpression>
#include <QTest>

#include <map>
#include <random>

using namespace attnlab;
using namespace attnlab::lessons;
using namespace attnlab::test;

namespace {

using Texts = std::map<std::string, std::string>;

const char* const scene_json = R"({
  "version": 1,
  "steps": [
    {
      "id": "one",
      "formula": "attention_sqrt_dk",
      "inputs": {"draw": {"L": 4, "S": 4, "E": 16, "seed": 3}},
      "settings": [
        {"id": "none", "scale": "none"},
        {"id": "root", "scale": "sqrt_dk", "masks": ["window:2"], "fill": "-inf"}
      ],
      "board": "scale_lab",
      "cards": [{"setting": "none"}, {"id": "second", "setting": "root", "stage": "scaled"}],
      "show": ["histogram", "curve"],
      "curve": {"measure": "entropy", "over": "S"},
      "live": ["E", "draw"],
      "pin": [2, 0],
      "highlight": [[1, 1], [3, 3]],
      "checks": ["theory(none) = 16", "variance(none.scaled) ~ 16 * variance(root.scaled) within 1e-9"],
      "question": {
        "options": {
          "small": "theory(root) < 1",
          "same": "theory(root) ~ 1 within 1e-9"
        },
        "about": {"E": 256}
      }
    },
    {
      "id": "two",
      "inputs": "same",
      "settings": "same",
      "board": "step_through",
      "setting": "root",
      "query": 1,
      "at": "exp",
      "checks": ["root.weights[0, 2] = 0"]
    },
    {
      "id": "three",
      "inputs": {"sample": "milk_or_cat_sweet"},
      "checks": ["size(sample.weights) = 16"]
    }
  ]
}
)";

const char* const english = R"(# A lesson
What it is about,
in short.

## one: The first
The variance is {{variance(none.scaled) | 2}}, theory says {{theory(none)}}.

```
## no heading: in code
```

### question
Which one?
- small: It shrinks,
  and how
- same: It stays

### answer
It stays {{theory(root) | 1}}.

### card none: grows


### card second: stays at {{theory(root)}}

## two: The second
A weight: {{root.weights[1, 2] | 3}}; a row: {{none.weights[0] | 2}}.

## three: The third
Words.
)";

const char* const chinese = R"(# 一课
简介。

## one: 第一步
方差 {{variance(none.scaled) | 2}}。

### question
哪个？
- same: 不变
- small: 变小

### answer
不变。

### card none: 增大
### card second: 不变

## two: 第二步
文字。

## three: 第三步
文字。
)";

/// The files of a sound lesson, with `from` once replaced by `to` in one of them.
Texts sound() { return {{"scene.json", scene_json}, {"en.md", english}, {"zh_CN.md", chinese}}; }

LessonFiles files_of(const Texts& texts) {
    auto files = files_below({}, ATTNLAB_SOURCE_DIR "/resources");
    files.in_lesson = [texts](const std::string& name) -> std::optional<std::string> {
        const auto found = texts.find(name);
        return found == texts.end() ? std::nullopt : std::optional(found->second);
    };
    return files;
}

Lesson lesson_of(const Texts& texts) { return load_lesson("lessons/07-a-lesson/", files_of(texts)); }

Texts replaced(const std::string& file, const std::string& from, const std::string& to) {
    auto texts = sound();
    auto& text = texts.at(file);
    const auto place = text.find(from);
    if (place == text.npos)
        throw std::out_of_range("not in " + file + ": " + from);
    text.replace(place, from.size(), to);
    return texts;
}

QString error_of(const std::function<void()>& act) {
    try {
        act();
    } catch (const LessonError& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

} // namespace

class LessonTest : public QObject {
    Q_OBJECT
private slots:
    void reads_a_lesson();
    void repeats_with_same();
    void holds_what_it_claims();
    void fills_in_numbers();
    void writes_numbers_data();
    void writes_numbers();
    void says_where_files_are_broken_data();
    void says_where_files_are_broken();
    void survives_any_damage();
    void says_where_claims_are_false_data();
    void says_where_claims_are_false();
    void shows_a_dash_for_what_cannot_be_computed();
    void knows_the_lines_of_values();
    void reads_files_below_folders();
};

void LessonTest::reads_a_lesson() {
    const auto lesson = lesson_of(sound());
    QCOMPARE(lesson.folder, "lessons/07-a-lesson");
    QCOMPARE(lesson.order, 7);
    QCOMPARE(lesson.id, "a-lesson");
    QCOMPARE(lesson.title_in("zh_CN").title, "一课");
    QCOMPARE(lesson.title_in("fr").summary, "What it is about, in short.");
    QCOMPARE(lesson.steps.size(), 3);
    const auto& step = lesson.steps[0];
    QCOMPARE(step.id, "one");
    QCOMPARE(step.formula, "attention_sqrt_dk");
    QCOMPARE(step.scene.draw, (lab::Draw{4, 4, 16, 4, lab::Distribution::Normal, 3}));
    QCOMPARE(step.scene.settings.size(), 2);
    QCOMPARE(step.scene.settings[1].spec.masks[0].parameters.integer("w"), 2);
    QCOMPARE(step.view.board, "scale_lab");
    QCOMPARE(lab::cards_of(step.view, step.scene)[0], (lab::Card{"none", "none", "weights"}));
    QCOMPARE(lab::cards_of(step.view, step.scene)[1], (lab::Card{"second", "root", "scaled"}));
    QVERIFY(step.view.shows("curve") && step.view.is_live("draw") && !step.view.is_live("S"));
    QCOMPARE(step.view.curve, (lab::BoardCurve{"entropy", "S"}));
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
    QCOMPARE(filled(text.cards.at("second"), evaluation), "stays at 1");
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
    row(1.5e-7, -1, "1.50e-07");
    row(-1e9, -1, "−1.00e+09");
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

void LessonTest::says_where_files_are_broken_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("says");
    const auto in = [](const char* file) {
        return [file](const char* from, const char* to, const char* says) {
            QTest::addRow("%s: %s", file, to) << file << from << to << says;
        };
    };
    const auto scene = in("scene.json");
    scene("\"version\": 1", "\"version\": 2", ":2: 'version' is 2, expected 1");
    scene("\"version\": 1,", "\"version\": 1", ":3: is no valid JSON here: ");
    scene("\"version\": 1", "\"versoin\": 1", ":2: 'versoin' is unknown here, expected version, steps");
    scene("\"version\": 1,", "\"version\": 1, \"version\": 1,", ":2: key 'version' is there twice");
    scene("\"id\": \"two\"", "\"id\": \"one\"", ":29: step 'one' is there twice");
    scene("\"id\": \"one\",", "", ":4: 'id' is missing in 'steps[0]'");
    scene("attention_sqrt_dk", "attention_root", ":6: there is no formula 'attention_root'");
    scene("\"L\": 4", "\"L\": 0", ":7: draw: L is 0, expected at least 1");
    scene("\"L\": 4", "\"L\": \"4\"", ":7: 'steps[0].inputs.draw.L' is \"4\", expected an integer");
    scene("\"L\": 4", "\"M\": 4", ":7: 'M' is unknown here, expected L, S, E, Ev, distribution, seed");
    scene("\"seed\": 3", "\"distribution\": \"flat\"",
          ":7: 'steps[0].inputs.draw.distribution' is \"flat\", expected one of normal, uniform, sparse, correlated");
    scene("{\"draw\": {\"L\": 4, \"S\": 4, \"E\": 16, \"seed\": 3}}", "\"same\"",
          ":7: is \"same\", but there is no step before this one");
    scene("{\"draw\": {\"L\": 4, \"S\": 4, \"E\": 16, \"seed\": 3}}", "{}", ":7: inputs name no draw");
    scene("\"seed\": 3}}", "\"seed\": 3}, \"tensors\": {\"bias\": [[1]]}}", ":7: no setting reads a tensor 'bias'");
    scene("\"seed\": 3}}", "\"seed\": 3}, \"tensors\": {\"key\": [[1], [1, 2]]}}",
          ":7: 'steps[0].inputs.tensors.key[1]' is a list, expected lists of numbers, all of one length");
    scene("\"seed\": 3}}", "\"seed\": 3}, \"sample\": \"padding\"}", ":7: inputs are a draw or a sample, not both");
    scene("milk_or_cat_sweet", "milk", ":40: there is no sample 'milk': no file samples/milk.npz");
    scene("{\"sample\": \"milk_or_cat_sweet\"}", "\"same\"", ":38: 'settings' is missing");
    scene("\"scale\": \"none\"", "\"scale\": \"sqrt\"", ":9: scale: 'sqrt' is not one of none, sqrt_dk");
    scene("\"scale\": \"none\"", "\"scale\": 1", ":9: 'steps[0].settings[0].scale' is 1, expected text");
    scene("\"scale\": \"none\"", "\"variant\": \"dot\"", ":9: variant: 'dot' is not one of scaled_dot_product");
    scene("\"scale\": \"none\"", "\"set\": {\"k\": 2}", ":9: scaled_dot_product: has no parameters, got 'k'");
    scene("\"scale\": \"none\"", "\"variant\": \"performer\", \"masks\": [\"causal\"], \"scale\": \"softcap\"",
          ":9: performer: ");
    scene("\"scale\": \"none\"", "\"tensors\": {\"w_q\": [[1]]}", ":9: 'scaled_dot_product' reads no tensor 'w_q'");
    scene("\"scale\": \"none\"", "\"precision\": \"float16\"", ":9: 'steps[0].settings[0].precision' is \"float16\"");
    scene("\"scale\": \"none\"", "\"fill_mode\": \"set\"", ":9: 'steps[0].settings[0].fill_mode' is \"set\"");
    scene("\"scale\": \"none\"", "\"fill\": \"none\"",
          ":9: 'steps[0].settings[0].fill' is \"none\", expected a number");
    scene("window:2", "windows:2", ":10: mask: 'windows' is not one of causal");
    scene("\"id\": \"root\"", "\"id\": \"none\"", ":10: setting 'none' is there twice");
    scene("\"id\": \"root\"", "\"id\": \"E\"", ":10: 'steps[0].settings[1].id' is \"E\", expected letters");
    scene("scale_lab", "lab", ":12: 'steps[0].board' is \"lab\", expected one of matrices, scale_lab");
    scene("{\"setting\": \"none\"}", "{\"setting\": \"nine\"}", ":13: 'steps[0].cards[0].setting' is \"nine\"");
    scene("\"id\": \"second\"", "\"id\": \"none\"", ":13: card 'none' is there twice");
    scene("\"stage\": \"scaled\"", "\"head\": \"max\"", ":13: 'steps[0].cards[1].head' is \"max\", expected a number");
    scene("\"histogram\"", "\"histograms\"", ":14: 'steps[0].show[0]' is \"histograms\", expected one of");
    scene("\"entropy\"", "\"enthalpy\"", ":15: 'steps[0].curve.measure' is \"enthalpy\", expected one of entropy");
    scene("[\"E\", \"draw\"]", "[\"D\"]", ":16: 'steps[0].live[0]' is \"D\", expected one of E, S");
    scene("\"pin\": [2, 0]", "\"pin\": [2]", ":17: 'steps[0].pin' is a list, expected [query, key]");
    scene("theory(none) = 16", "theory(none) =", ":19: column 15: expected a number, a name or '('");
    scene("theory(none) = 16", "theory(nine) = 16",
          ":19: column 8: there is no setting 'nine', expected one of none, root");
    scene("theory(none) = 16", "theory(none)", ":19: 'theory(none)' is a number, expected a comparison");
    scene("\"small\": \"theory(root) < 1\",", "",
          ":21: 'steps[0].question.options' is an object, expected two options");
    scene("{\"E\": 256}", "{\"E\": -1}", ":25: draw: E is -1, expected at least 1");
    scene("\"at\": \"exp\"", "\"at\": \"softmax\"", ":35: 'steps[1].at' is \"softmax\", expected one of products, sum");
    scene("\"setting\": \"root\",\n", "\"setting\": \"nine\",\n",
          ":33: 'steps[1].setting' is \"nine\", expected one of none, root");
    scene("\"sample\": \"milk_or_cat_sweet\"}", "\"sample\": \"milk_or_cat_sweet\"}, \"live\": [\"E\"]",
          ":40: 'E' cannot be live: the inputs are no draw");
    const auto text = in("en.md");
    text("# A lesson", "A lesson", ":1: expected '# ' and the title of the lesson");
    text("What it is about,\nin short.\n", "", ":3: expected a sentence or two");
    text("## one: The first", "## one", ":5: is 'one', expected '## ID: title'");
    text("## one: The first", "## uno: The first", ":5: is step 'uno', expected 'one' as in scene.json");
    text("## one: The first", "## one: The {{first}}", ":5: titles and the summary hold no {{numbers}}");
    text("{{theory(none)}}", "{{theory(none}}", ":6: {{theory(none}}: column 12: expected ')'");
    text("{{theory(none)}}", "{{theory(nine)}}", ":6: {{theory(nine)}}: step 'one' has no setting 'nine'");
    text("{{theory(none)}}", "{{theory(none) | two}}", ":6: has 'two' decimals, expected a number from 0 to 15");
    text("{{theory(root)}}", "{{theory(root)", ":24: '{{' has no '}}'");
    text("### question", "### quest", ":12: is '### quest', expected '### question', '### answer' or");
    text("- same: It stays\n", "", ":12: option 'same' of scene.json is missing here");
    text("- same: It stays", "- equal: It stays", ":12: option 'same' of scene.json is missing here");
    text("- same: It stays", "- same: It stays\n- more: It grows", ":17: option 'more' is not in scene.json");
    text("- same: It stays", "- same: It stays\n- same: It grows", ":17: option 'same' is there twice");
    text("- small: It", "- small It", ":14: is 'small It shrinks,'");
    text("Which one?\n", "", ":12: expected a question, then its options");
    text("### answer\nIt stays {{theory(root) | 1}}.\n", "", ":12: the question has no '### answer'");
    text("### card none", "### card third", ":21: card 'third' is not in scene.json");
    text("### card none: grows", "### card none", ":21: is 'none', expected '### card ID: words'");
    text("### card none: grows", "### card none: grows\nfast", ":22: a card has one line of words");
    text("### card second", "### card none", ":24: 'card none' is there twice in this step");
    text("## two: The second", "### two", ":26: is '### two', expected '### question'");
    text("## three: The third\nWords.\n", "",
         ":26: step 'three' of scene.json has no text, expected '## three: title'");
    text("Words.", "", ":29: step 'three' has no text");
    text("## three: The third", "## two: The third", ":29: step 'two' is there twice");
    text("Words.", "Words.\n\n## four: The fourth\nWords.", ":32: step 'four' is not in scene.json");
    text("Words.", "Words.\n\n### question\nWhat?\n- a: A\n- b: B\n\n### answer\nA", ":32: scene.json has no question");
    const auto other = in("zh_CN.md");
    other("### card none: 增大\n", "", ":4: card 'none' has words in en.md, but not here");
    other("## three: 第三步\n文字。\n", "## three: 第三步\n文字。\n### card sample: 卡\n",
          ":23: card 'sample' has no words in en.md");
}

void LessonTest::says_where_files_are_broken() {
    QFETCH(QString, file);
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, says);
    const auto texts = replaced(file.toStdString(), from.toStdString(), to.toStdString());
    const auto error = error_of([&] { lesson_of(texts); });
    QVERIFY2(error.startsWith("lessons/07-a-lesson/" + file + says), qPrintable(error));
}

/// Bytes lost, doubled or replaced somewhere: a lesson, or an error that names one of its files.
void LessonTest::survives_any_damage() {
    const std::string odd = "\"{}[]:,|#-\n\\ ~^(9.\xe2\0";
    std::mt19937 random(5);
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
    int broken = 0;
    for (int round = 0; round < 3000; ++round) {
        auto texts = sound();
        auto& text = std::next(texts.begin(), static_cast<std::ptrdiff_t>(below(texts.size())))->second;
        for (auto slips = 1 + below(3); slips > 0; --slips) {
            const auto at = below(text.size()), count = 1 + below(6);
            if (const auto kind = below(3); kind == 0)
                text.erase(at, count);
            else if (kind == 1)
                text.insert(at, text.substr(at, count));
            else
                text[at] = odd[below(odd.size())];
        }
        const auto error = error_of([&] {
            const auto lesson = lesson_of(texts);
            const auto& draw = lesson.steps[0].scene.draw;
            if (!draw || std::max({draw->L, draw->S, draw->E, draw->Ev}) > 1000)
                return; // true to its file, but slow
            check_step(lesson, lesson.steps[0]);
        });
        QVERIFY2(error.isEmpty() || error.startsWith("lessons/07-a-lesson/"), qPrintable(error));
        broken += error.isEmpty() ? 0 : 1;
    }
    QVERIFY(broken > 500);
}

void LessonTest::says_where_claims_are_false_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("says");
    const auto in = [](const char* file) {
        return [file](const char* from, const char* to, const char* says) {
            QTest::addRow("%s: %s", file, to) << file << from << to << says;
        };
    };
    const auto scene = in("scene.json");
    scene("theory(none) = 16", "theory(none) = 17", ":19: 'theory(none) = 17' is false: theory(none) is 16");
    scene("theory(none) = 16", "1 = 2", ":19: '1 = 2' is false");
    scene("theory(none) = 16", "none.wights = 16",
          ":19: 'none.wights = 16' cannot be evaluated: column 1: 'none' has no stage");
    scene("\"scale\": \"none\"", "\"variant\": \"self\"", ":9: setting 'none': x: ");
    scene("\"stage\": \"scaled\"", "\"stage\": \"wights\"", ":13: 'root' has no stage 'wights'");
    scene("\"stage\": \"scaled\"", "\"stage\": \"scaled\", \"head\": 2", ":13: card 'second' shows head 2 of 1");
    scene("\"stage\": \"scaled\"", "\"stage\": \"scaled\", \"batch\": 1", ":13: card 'second' shows batch 1 of 1");
    scene("\"pin\": [2, 0]", "\"pin\": [2, 4]", ":17: cell [2, 4] is in no card, the largest has 4 x 4");
    scene("[3, 3]]", "[4, 3]]", ":18: cell [4, 3] is in no card");
    scene("theory(root) < 1", "theory(root) > 0", ":20: the question has 2 right options (small, same), expected one");
    scene("theory(root) ~ 1 within 1e-9", "theory(root) > 1.5",
          ":20: the question has 0 right options (small: theory(root) is ");
    scene("\"query\": 1", "\"query\": 4", ":34: query 4 is not there, the weights have 4 rows");
    scene("\"board\": \"step_through\"", "\"board\": \"tiles\"", ":32: the setting has no 'tiles' to show");
    scene("[\"histogram\", \"curve\"]", "[\"leak\"], \"token\": 9", ":14: token 9 is not there");
    in("en.md")("{{theory(none)}}", "{{none.weights[7]}}", ":6: {{none.weights[7]}}: column 1: index 7 is beyond");
    in("zh_CN.md")("{{variance(none.scaled) | 2}}", "{{root.weight}}", ":5: {{root.weight}}: column 1: 'root' has no");
}

void LessonTest::says_where_claims_are_false() {
    QFETCH(QString, file);
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, says);
    const auto lesson = lesson_of(replaced(file.toStdString(), from.toStdString(), to.toStdString()));
    QStringList said;
    for (const auto& step : lesson.steps)
        for (const auto& mistake : check_step(lesson, step).mistakes)
            said << QString::fromStdString(mistake.text());
    QVERIFY2(!said.filter("lessons/07-a-lesson/" + file + says).isEmpty(), qPrintable(said.join('\n')));
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
    const auto root = parse_json("{\n\"a\":\n1\n,\n\"b\": [\n2,\n\"x\"], \"c\": {\n\"d\": true}}", "f");
    QCOMPARE(root.at("a").line(), 3);
    QCOMPARE(root.at("b").line(), 5);
    QCOMPARE(root.at("b").items()[0].line(), 6);
    QCOMPARE(root.at("b").items()[1].line(), 7);
    QCOMPARE(root.at("c").at("d").line(), 8);
    const auto refuses = [](const std::string& text) { return error_of([&] { parse_json(text, "f"); }); };
    QCOMPARE(refuses("[1]"), "f:1: is a list, expected an object");
    QVERIFY(refuses("{\n\"a\": 1e999}").startsWith("f:2: is no valid JSON here: number overflow"));
    QVERIFY(refuses("{\n\"a\": tru\n}").startsWith("f:2: is no valid JSON here: "));
    QVERIFY(refuses("{\n\n").startsWith("f:2: is no valid JSON here: "));
    QVERIFY(refuses(std::string("{}\n\0", 4)).startsWith("f:2: holds a NUL character"));
    QVERIFY(refuses("{\"a\":" + std::string(1000, '[')).contains("more than 32 levels deep"));
    QCOMPARE(refuses(""), "f:1: is no valid JSON here: unexpected end of input; expected '[', '{', or a literal");
}

void LessonTest::reads_files_below_folders() {
    auto texts = sound();
    texts.erase("zh_CN.md");
    QCOMPARE(error_of([&] { lesson_of(texts); }), "lessons/07-a-lesson/zh_CN.md: is missing");
    QCOMPARE(error_of([&] { load_lesson("x/lesson", files_of(sound())); }),
             "x/lesson: the folder of a lesson is called 'lesson', expected NUMBER-ID");
    const auto files = files_below(ATTNLAB_SOURCE_DIR "/docs", ATTNLAB_SOURCE_DIR "/resources");
    QVERIFY(files.in_lesson("lessons.md") && !files.in_lesson("nothing.md"));
    QVERIFY(files.resource("formulas/self.svg") && !files.resource("formulas"));
}

QTEST_GUILESS_MAIN(LessonTest)
#include "test_lesson.moc"
