// Positions of errors in invalid lessons.
#include "core/lessons/checks.h"
#include "tests/core/engine_support.h"
#include "tests/core/lesson_support.h"
#include "tests/test_main.h"

#include <QRegularExpression>
#include <QTest>

#include <random>

using namespace attnlab;
using namespace attnlab::lessons;
using namespace attnlab::test;

class BrokenLessonTest : public QObject {
    Q_OBJECT
private slots:
    void says_where_files_are_broken_data();
    void says_where_files_are_broken();
    void says_all_mistakes_at_once();
    void is_not_endless();
    void survives_any_damage();
    void says_where_claims_are_false_data();
    void says_where_claims_are_false();
};

void BrokenLessonTest::says_where_files_are_broken_data() {
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
    scene("\"version\": 1,", "\"version\": 1", ":3: is not valid JSON near byte ");
    scene("\"version\": 1", "\"versoin\": 1", ":2: 'versoin' is unknown to this version, expected version, steps");
    scene("\"version\": 1,", "\"version\": 1, \"version\": 1,", ":2: key 'version' is there twice");
    scene("\"group\": \"scale\"", "\"group\": \"scales\"",
          ":2: 'group' is \"scales\", expected one of idea, scale, masks, heads, large");
    scene("\"group\": \"scale\"", "\"group\": 2", ":2: 'group' is 2, expected text");
    scene("\"id\": \"two\"", "\"id\": \"one\"", ":29: step 'one' is there twice");
    scene("\"id\": \"one\",", "", ":4: 'id' is missing in 'steps[0]'");
    scene("attention_sqrt_dk", "attention_root", ":6: there is no formula 'attention_root'");
    scene("\"L\": 4", "\"L\": 0", ":7: draw: L is 0, expected at least 1");
    scene("\"L\": 4", "\"L\": \"4\"", ":7: 'steps[0].inputs.draw.L' is \"4\", expected an integer");
    scene("\"L\": 4", "\"M\": 4",
          ":7: 'steps[0].inputs.draw.M' is unknown to this version, expected L, S, E, Ev, distribution, seed");
    scene("\"seed\": 3", "\"distribution\": \"flat\"",
          ":7: 'steps[0].inputs.draw.distribution' is \"flat\", expected one of normal, uniform, sparse, correlated");
    scene("{\"draw\": {\"L\": 4, \"S\": 4, \"E\": 16, \"seed\": 3}}", "\"same\"",
          ":7: is \"same\", but there is no step before this one");
    scene("{\"draw\": {\"L\": 4, \"S\": 4, \"E\": 16, \"seed\": 3}}", "{}", ":7: inputs name no draw");
    scene("\"seed\": 3}}", "\"seed\": 3}, \"tensors\": {\"bias\": [[1]]}}", ":7: no setting reads a tensor 'bias'");
    scene("\"seed\": 3}}", "\"seed\": 3}, \"tensors\": {\"key\": [[1], [1, 2]]}}",
          ":7: 'steps[0].inputs.tensors.key[1]' is [1,2], expected lists of numbers, all of one length");
    scene("\"seed\": 3}}", "\"seed\": 3}, \"sample\": \"padding\"}", ":7: inputs are a draw or a sample, not both");
    scene("milk_or_cat_sweet", "milk", ":40: there is no sample 'milk': no file samples/milk.npz");
    scene("{\"sample\": \"milk_or_cat_sweet\"}", "\"same\"", ":38: 'settings' is missing");
    scene("\"scale\": \"none\"", "\"scale\": \"sqrt\"", ":9: scale: 'sqrt' is not one of none, sqrt_dk");
    scene("\"scale\": \"none\"", "\"scale\": 1", ":9: 'steps[0].settings[0].scale' is 1, expected text");
    scene("\"scale\": \"none\"", "\"variant\": \"dot\"", ":9: variant: 'dot' is not one of scaled_dot_product");
    scene("\"scale\": \"none\"", "\"set\": {\"k\": 2}", ":9: scaled_dot_product: has no parameter 'k'");
    scene("\"scale\": \"none\"", "\"variant\": \"performer\", \"masks\": [\"causal\"], \"scale\": \"softcap\"",
          ":9: performer: ");
    scene("\"scale\": \"none\"", "\"tensors\": {\"w_q\": [[1]]}", ":9: 'scaled_dot_product' reads no tensor 'w_q'");
    scene("\"scale\": \"none\"", "\"precision\": \"float16\"", ":9: 'steps[0].settings[0].precision' is \"float16\"");
    scene("\"scale\": \"none\"", "\"fill_mode\": \"set\"", ":9: 'steps[0].settings[0].fill_mode' is \"set\"");
    scene("\"scale\": \"none\"", "\"fill\": \"none\"",
          ":9: 'steps[0].settings[0].fill' is \"none\", expected a number");
    scene("\"masks\": [\"window:2\"]", "\"query_offset\": 1.5",
          ":10: 'steps[0].settings[1].query_offset' is 1.5, expected an integer");
    scene("\"masks\": [\"window:2\"]", "\"query_offset\": 2000000000",
          ":10: query_offset: is 2000000000, expected an integer from -1e+09 to 1e+09");
    scene("\"masks\": [\"window:2\"]", "\"query_offset\": 2, \"masks\": [\"causal:bottom_right\"]",
          ":10: query_offset: is 2, and causal:bottom_right is an offset as well (S - L)");
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
    scene("\"pin\": [2, 0]", "\"pin\": [2]", ":17: 'steps[0].pin' is [2], expected [query, key]");
    scene("theory(none) = 16", "theory(none) =", ":19: column 15: expected a number, a name or '('");
    scene("theory(none) = 16", "theory(nine) = 16",
          ":19: column 8: there is no setting 'nine', expected one of none, root");
    scene("theory(none) = 16", "theory(none)", ":19: 'theory(none)' is a number, expected a comparison");
    scene("\"small\": \"theory(root) < 1\",", "", ":21: 'steps[0].question.options' is {\"same\":");
    scene("{\"E\": 256}", "{\"E\": -1}", ":25: draw: E is -1, expected at least 1");
    scene("\"at\": \"exp\"", "\"tile\": [0, 1]", ":35: only the board 'tiles' has a tile to begin with");
    scene("\"at\": \"exp\"", "\"at\": \"softmax\"", ":35: 'steps[1].at' is \"softmax\", expected one of products, sum");
    scene("\"setting\": \"root\",\n", "\"setting\": \"nine\",\n",
          ":33: 'steps[1].setting' is \"nine\", expected one of none, root");
    scene("\"sample\": \"milk_or_cat_sweet\"}", "\"sample\": \"milk_or_cat_sweet\"}, \"live\": [\"E\"]",
          ":40: 'E' cannot be live: the inputs are not a draw");
    scene("\"about\"", "\"hides\": [\"fourth.weights\"], \"about\"",
          ":25: there is no setting 'fourth', expected one of none, root");
    scene("\"about\"", "\"hides\": [\"root.weights +\"], \"about\"", ":25: column 15: expected");
    scene("\"about\"", "\"hides\": [\"variance(root.weights)\"], \"about\"",
          ":25: column 1: expected a stage, a measure or words");
    scene("\"about\"", "\"hides\": [\"root.weights[S]\"], \"about\"", ":25: column 14: expected a whole number");
    scene("\"about\"", "\"hides\": [\"root.weights[1e300]\"], \"about\"", ":25: column 14: expected a whole number");
    scene("\"about\"", "\"hides\": [\"root.tensor.query\"], \"about\"", ":25: column 1: expected a stage");
    scene("\"about\"", "\"before\": {\"live\": []}, \"about\"",
          ":25: 'steps[0].question.before.live' is unknown to this version, expected board,");
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
    text("### question", "### quest",
         ":12: is '### quest', expected '### question', '### hint', '### answer', '### why");
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
    text("### answer", "### hint\n\n### answer", ":18: expected a text, and a question before it");
    text("Words.", "Words.\n\n### hint\nThink.", ":32: expected a text, and a question before it");
    text("### answer", "### hint\n{{theory(x)}}\n\n### answer", ":19: {{theory(x)}}: step 'one' has no setting 'x'");
    text("### card none", "### why none: It grows\n\n### card none", ":21: there is no option 'none' before it");
    text("### card none", "### why same\n\n### card none", ":21: is 'same', expected '### why OPTION: words'");
    text("### card none", "### why same: a\nb\n\n### card none", ":22: the reason of an option is one line");
    text("### card none", "### why same: a\n### why same: b\n\n### card none", ":22: 'why same' is there twice");
    text("### card none", "### why same: {{theory(x)}}\n### card none",
         ":21: {{theory(x)}}: step 'one' has no setting 'x'");
    text("## two: The second", "### two", ":26: is '### two', expected '### question'");
    text("## three: The third\nWords.\n", "",
         ":26: step 'three' of scene.json has no text, expected '## three: title'");
    text("Words.", "", ":29: step 'three' has no text");
    text("## three: The third", "## two: The third", ":29: step 'two' is there twice");
    text("Words.", "Words.\n\n## four: The fourth\nWords.", ":32: step 'four' is not in scene.json");
    text("Words.", "Words.\n\n### question\nWhat?\n- a: A\n- b: B\n\n### answer\nA", ":32: scene.json has no question");
    const auto other = in("zh_CN.md");
    other("### answer", "### hint\n想一想。\n\n### answer", ":12: the question has no hint in en.md");
    other("### card none", "### why same: 不变\n### card none", ":15: '### why same' is not in en.md");
    other("### card none: 增大\n", "", ":4: card 'none' has words in en.md, but not here");
    other("## three: 第三步\n文字。\n", "## three: 第三步\n文字。\n### card sample: 卡\n",
          ":23: card 'sample' has no words in en.md");
}

void BrokenLessonTest::says_where_files_are_broken() {
    QFETCH(QString, file);
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, says);
    const auto texts = replaced(file.toStdString(), from.toStdString(), to.toStdString());
    const auto error = lesson_error_of([&] { lesson_of(texts); });
    QVERIFY2(error.startsWith("lessons/07-a-lesson/" + file + says), qPrintable(error));
}

/// Each step contains a scene, and duplicates are searched among all.
void BrokenLessonTest::says_all_mistakes_at_once() {
    auto texts = replaced("scene.json", "scale_lab", "lab"); // of step one; step two refers to it
    const auto replace = [&](const std::string& file, const std::string& from, const std::string& to) {
        auto& text = texts.at(file);
        text.replace(text.find(from), from.size(), to);
    };
    replace("scene.json", "milk_or_cat_sweet", "milk");
    replace("en.md", "{{theory(none)}}", "{{theory(none}}");
    const auto lines = lesson_error_of([&] { lesson_of(texts); }).split('\n');
    QCOMPARE(lines.size(), 3);
    QVERIFY2(lines[0].startsWith("lessons/07-a-lesson/scene.json:12: "), qPrintable(lines[0]));
    QVERIFY2(lines[1].startsWith("lessons/07-a-lesson/scene.json:40: "), qPrintable(lines[1]));
    QVERIFY2(lines[2].startsWith("lessons/07-a-lesson/en.md:6: "), qPrintable(lines[2]));
    // Of a text that does not fit, each step.
    texts = replaced("en.md", "- same: It stays\n", "");
    auto& words = texts.at("en.md");
    words.replace(words.find("root.weights[1, 2]"), 18, "rood.weights[1, 2]");
    QCOMPARE(lesson_error_of([&] { lesson_of(texts); }).split('\n').size(), 2);
}

void BrokenLessonTest::is_not_endless() {
    const auto repeated = [](const std::string& item, int count) {
        std::string text = item;
        for (int k = 1; k < count; ++k)
            text += "," + item;
        return text;
    };
    const auto refusal = [](const Texts& texts) { return lesson_error_of([&] { lesson_of(texts); }); };
    auto texts = sound();
    texts["scene.json"] = "{\"version\": 1, \"steps\": [" + repeated("{}", 201) + "]}";
    QVERIFY(refusal(texts).contains("expected one to 200 steps"));
    texts = replaced("scene.json", "{\"setting\": \"none\"}", repeated("{\"setting\": \"none\"}", 64));
    QVERIFY(refusal(texts).contains("expected one to 64 cards"));
    texts =
        replaced("scene.json", "\"seed\": 3}}", "\"seed\": 3}, \"query_tokens\": [" + repeated("\"\"", 10001) + "]}");
    QVERIFY(refusal(texts).contains("expected at most 10000 tokens"));
    texts = sound();
    texts["en.md"] += std::string(1 << 20, ' ');
    QVERIFY(refusal(texts).contains("bytes; at most 1048576 may be read"));
    texts = sound();
    for (int k = 0; k < 200; ++k)
        texts["en.md"] += "## s" + std::to_string(k) + ": words\nwords\n";
    QVERIFY(refusal(texts).contains("has more than 200 steps"));
}

/// Bytes deleted, doubled or replaced: a lesson, or an error that names one of its files.
void BrokenLessonTest::survives_any_damage() {
    const std::string odd = std::string("\"{}[]:,|#-\n\\ ~^(9.\xe2") + '\0';
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
        const auto error = lesson_error_of([&] {
            const auto lesson = lesson_of(texts);
            const auto& draw = lesson.steps[0].scene.draw;
            if (!draw || std::max({draw->L, draw->S, draw->E, draw->Ev}) > 1000)
                return; // valid, but slow
            check_step(lesson, lesson.steps[0]);
        });
        QVERIFY2(error.isEmpty() || error.startsWith("lessons/07-a-lesson/"), qPrintable(error));
        broken += error.isEmpty() ? 0 : 1;
    }
    QVERIFY(broken > 500);
}

void BrokenLessonTest::says_where_claims_are_false_data() {
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

void BrokenLessonTest::says_where_claims_are_false() {
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

ATTNLAB_TEST(BrokenLessonTest)
#include "test_lesson_broken.moc"
