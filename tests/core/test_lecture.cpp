#include "core/io/file_bytes.h"
#include "core/lab/scene.h"
#include "core/lessons/asking.h"
#include "core/lessons/checks.h"
#include "core/lessons/lesson_files.h"
#include "tests/places.h"
#include "tests/test_main.h"

#include <QDir>
#include <QTest>

#include <algorithm>

using namespace attnlab;
using namespace attnlab::lessons;

namespace {

const QString resources = QStringLiteral(ATTNLAB_SOURCE_DIR "/resources");

const std::vector<Lesson>& shipped() {
    static const auto lessons = [] {
        std::vector<Lesson> all;
        for (const auto& folder :
             QDir(resources + "/lessons").entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
            const auto path = (resources + "/lessons/" + folder).toStdString();
            all.push_back(load_lesson(path, files_below(path, resources.toStdString())));
        }
        return all;
    }();
    return lessons;
}

std::vector<const Lesson*> pointers() {
    std::vector<const Lesson*> all;
    for (const auto& lesson : shipped())
        all.push_back(&lesson);
    return all;
}

QStringList files() { return QDir(resources + "/lectures").entryList({"*.json"}, QDir::Files, QDir::Name); }

Lesson shipped_lecture(const QString& file) {
    const auto path = (resources + "/lectures/" + file).toStdString();
    return read_lecture(io::read_file(path, 1 << 20), file.chopped(5).toStdString(), path, pointers());
}

} // namespace

class LectureTest : public QObject {
    Q_OBJECT
private slots:
    void takes_ten_minutes_and_answers_rightly_data() {
        QTest::addColumn<QString>("file");
        for (const auto& file : files())
            QTest::newRow(qPrintable(file)) << file;
        QVERIFY(!files().isEmpty());
    }
    void takes_ten_minutes_and_answers_rightly() {
        QFETCH(QString, file);
        const auto lecture = shipped_lecture(file);
        QVERIFY(lecture.titles.contains("en") && lecture.titles.contains("zh_CN"));
        QVERIFY2(std::abs(minutes_of(lecture) - 10.0) < 1e-9, qPrintable(QString::number(minutes_of(lecture))));
        for (const auto& step : lecture.steps) {
            std::string answered;
            for (const auto& move : step.moves)
                if (!move.answer.empty())
                    answered = move.answer;
            if (step.question)
                QCOMPARE(QString::fromStdString(answered), QString::fromStdString(right_option(step)));
            QVERIFY2(check_step(lecture, step).mistakes.empty(), step.id.c_str());
        }
    }

    /// An audience reads a slide in a glance, in both languages, and no text of another lesson.
    void has_short_slides_data() { takes_ten_minutes_and_answers_rightly_data(); }
    void has_short_slides() {
        QFETCH(QString, file);
        const auto lecture = shipped_lecture(file);
        for (const auto& step : lecture.steps) {
            QVERIFY2(step.notes.size() == languages.size(), step.id.c_str());
            for (const auto& [language, text] : step.texts) {
                QVERIFY2(!text.body.empty() && words_in(text.body) <= most_slide_words, step.id.c_str());
                QVERIFY2(words_in(text.answer) <= most_slide_words, step.id.c_str());
                QCOMPARE(text.answer.empty(), !step.question.has_value());
                for (const auto* part : {&text.body, &text.question, &text.answer})
                    for (const auto& piece : part->pieces)
                        for (const char* other : {"lesson", "next step", "课"})
                            QVERIFY2(!QString::fromStdString(piece.words).contains(other, Qt::CaseInsensitive),
                                     step.id.c_str());
                QVERIFY2(words_in(step.notes_in(language).body) > most_slide_words, step.id.c_str());
            }
        }
        QVERIFY(!lecture.steps.front().question && !lecture.steps.back().question);
    }

    void shows_a_slide_of_its_own() {
        const auto lecture = read_lecture(R"({"version": 1,
            "titles": {"en": {"title": "a", "summary": "b"}, "zh_CN": {"title": "c", "summary": "d"}},
            "steps": [{"lesson": "heads", "step": "fox", "minutes": 2, "moves": [{"answer": "head3"}],
                       "slide": {"en": {"title": "T", "text": "one {{L}}", "answer": "three"},
                                 "zh_CN": {"text": "一", "answer": "三"}}},
                      {"lesson": "what-attention-computes", "step": "output", "minutes": 1, "formula": "causal"},
                      {"lesson": "what-attention-computes", "step": "words", "minutes": 1, "question": false,
                       "formula": false, "view": {"cards": [{"id": "key", "setting": "sweet", "stage": "key"}], "highlight": []},
                       "slide": {"en": {"text": "two", "notes": "mine"}, "zh_CN": {"text": "二"}}}]})",
                                          "short", "short.json", pointers());
        const auto& fox = lecture.steps[0];
        QCOMPARE(fox.text_in("en").title, std::string("T"));
        QCOMPARE(fox.text_in("en").body.pieces[0].words, std::string("one "));
        QCOMPARE(fox.text_in("en").body.pieces[0].number->text(), std::string("L"));
        QCOMPARE(fox.text_in("en").answer.pieces[0].words, std::string("three"));
        QVERIFY(!fox.text_in("en").question.empty() && fox.question);
        QVERIFY(fox.notes_in("en").title != "T");
        QCOMPARE(fox.text_in("zh_CN").title, fox.notes_in("zh_CN").title);
        QCOMPARE(lecture.steps[1].formula, std::string("causal"));
        const auto& words = lecture.steps[2];
        QVERIFY(!words.question && words.text_in("en").question.empty() && words.text_in("en").answer.empty());
        QCOMPARE(words.view.cards.size(), std::size_t{1});
        QCOMPARE(words.view.cards[0].stage, std::string("key"));
        QVERIFY(words.view.highlight.empty() && words.formula.empty() && !fox.formula.empty());
        QCOMPARE(words.notes_in("en").body.pieces[0].words, std::string("mine"));
        QVERIFY(words_in(words.notes_in("zh_CN").body) > 30);
    }

    void a_view_also_limits_the_boards_of_the_question() {
        const auto with_view = [](const char* view) {
            return read_lecture(R"({"version": 1,
                "titles": {"en": {"title": "a", "summary": "b"}, "zh_CN": {"title": "c", "summary": "d"}},
                "steps": [{"lesson": "masks", "step": "causal", "minutes": 2)" +
                                    std::string(view) + "}]}",
                                "short", "short.json", pointers())
                .steps[0];
        };
        const auto whole = with_view("");
        QVERIFY(whole.question->before && whole.question->before->shows(lab::BoardPart::Additive));
        QVERIFY(whole.view.shows(lab::BoardPart::Rows));
        const auto limited = with_view(R"(, "view": {"show": ["scores"], "live": []})");
        QVERIFY(limited.question->before->shows(lab::BoardPart::Scores));
        QVERIFY(!limited.question->before->shows(lab::BoardPart::Additive));
        QVERIFY(!limited.view.shows(lab::BoardPart::Rows) && limited.view.live.empty());
    }

    void knows_the_cards_of_an_option() {
        const auto& heads = *std::ranges::find(shipped(), std::string("heads"), &Lesson::id);
        const auto& fox = *std::ranges::find(heads.steps, std::string("fox"), &Step::id);
        const auto result = lab::compute(fox.scene);
        const auto cards = [&](const char* text) {
            QStringList ids;
            for (const auto& id : cards_read(Expression(text), fox.view, fox.scene, result))
                ids << QString::fromStdString(id);
            return ids.join(QLatin1Char(' '));
        };
        QCOMPARE(cards("effective_keys(fox.weights[0,3,:,:]) > 8"), QStringLiteral("head3"));
        QCOMPARE(cards("max(fox.weights[0,1:3,2,:]) < max(fox.weights[0,-1,0,0])"),
                 QStringLiteral("head1 head2 head3"));
        QCOMPARE(cards("fox.weights[0,L - 8,0,0] > 0"), QStringLiteral("head0 head1 head2 head3")); // not a number
        QCOMPARE(cards("entropy(fox) > 1"), QStringLiteral("head0 head1 head2 head3"));
        QCOMPARE(cards("max(fox.output) > 1"), QStringLiteral("head0 head1 head2 head3"));      // on no card
        QCOMPARE(cards("fox.weights[0,9,0,0] > 1"), QStringLiteral("head0 head1 head2 head3")); // outside the axis
        QCOMPARE(cards("L > 1"), QString());
    }

    void strings_steps_together() {
        const auto lecture = read_lecture(R"({"version": 1,
            "titles": {"en": {"title": "a", "summary": "b"}, "zh_CN": {"title": "c", "summary": "d"}},
            "steps": [{"lesson": "heads", "step": "fox", "minutes": 2, "moves": [{"answer": "head3"}]},
                      {"lesson": "why-divide-by-sqrt-d", "step": "growth", "minutes": 0.5,
                       "moves": [{"draw": {"E": 1024}}, {"stage": "weights"}]}]})",
                                          "short", "short.json", pointers());
        QCOMPARE(lecture.id, std::string("short"));
        QCOMPARE(lecture.steps.size(), std::size_t{2});
        QCOMPARE(lecture.steps[0].id, std::string("heads/fox"));
        QCOMPARE(lecture.steps[1].moves[0].draw->E, 1024);
        QCOMPARE(lecture.steps[1].moves[0].draw->L, 10); // as the step has it
        QCOMPARE(lecture.steps[1].moves[1].stage, std::string("weights"));
        QCOMPARE(minutes_of(lecture), 2.5);
        QCOMPARE(minutes_of(shipped().front()), 0.0);
        QCOMPARE(reading_minutes(lecture, "en"), 3);
    }

    void names_the_mistake_data() {
        QTest::addColumn<QByteArray>("step");
        QTest::addColumn<QString>("complaint");
        const auto row = [](const char* name, const QByteArray& step, const char* complaint) {
            QTest::newRow(name) << step << QString(complaint);
        };
        row("lesson", R"({"lesson": "head", "step": "fox", "minutes": 1})", "x.json:4: there is no lesson 'head'");
        row("step", R"({"lesson": "heads", "step": "box", "minutes": 1})", "lesson 'heads' has no step 'box'");
        row("option", R"({"lesson": "heads", "step": "fox", "minutes": 1, "moves": [{"answer": "x"}]})",
            "step 'heads/fox' has no option 'x'; it has: head0, head1");
        row("no draw", R"({"lesson": "heads", "step": "fox", "minutes": 1, "moves": [{"draw": {"E": 2}}]})",
            "the inputs of step 'heads/fox' are not a draw");
        row("no training", R"({"lesson": "heads", "step": "fox", "minutes": 1, "moves": [{"at": 2}]})",
            "nothing is trained in step 'heads/fox'");
        row("too far", R"({"lesson": "train-one-head", "step": "train", "minutes": 1, "moves": [{"at": 201}]})",
            "expected an integer from 0 to 200");
        row("two moves", R"({"lesson": "heads", "step": "fox", "minutes": 1, "moves": [{"answer": "head3", "at": 1}]})",
            "expected one of answer, draw, stage, at");
        row("no time", R"({"lesson": "heads", "step": "fox", "minutes": 0})", "expected a number above 0");
        // Apostrophes in the JSON stand for quotation marks.
        const auto slide = [&](const char* name, QByteArray texts, const char* complaint) {
            texts = "{'lesson': 'heads', 'step': 'fox', 'minutes': 1, 'slide': {" + texts + "}}";
            row(name, texts.replace('\'', '"'), complaint);
        };
        const QByteArray words = QByteArray("a ").repeated(31), ideographs = QByteArray("\u5b57").repeated(61);
        slide("31 words", "'en': {'text': '" + words + "', 'answer': 'a'}, 'zh_CN': {'text': 'a', 'answer': 'a'}",
              "the slide of step 'heads/fox' has a text of 31 words, expected 1 to 30");
        slide("61 ideographs",
              "'en': {'text': 'a', 'answer': 'a'}, 'zh_CN': {'text': 'a', 'answer': '" + ideographs + "'}",
              "has a text of 31 words, expected 1 to 30");
        slide("no words", "'en': {'text': ' ', 'answer': 'a'}, 'zh_CN': {'text': 'a', 'answer': 'a'}",
              "has a text of 0 words");
        slide("no answer", "'en': {'text': 'a'}, 'zh_CN': {'text': 'a'}",
              "has no answer to the question of step 'heads/fox'");
        slide("one language", "'en': {'text': 'a', 'answer': 'a'}",
              "the slide of step 'heads/fox' has no text in 'zh_CN'");
        slide("unknown language", "'fr': {'text': 'a', 'answer': 'a'}", "is a slide in 'fr', expected one of en");
        slide("unknown setting",
              "'en': {'text': '{{max(wolf.weights)}}', 'answer': 'a'}, 'zh_CN': {'text': 'a', 'answer': 'a'}",
              "step 'heads/fox' has no setting 'wolf'");
        slide("open number", "'en': {'text': '{{L', 'answer': 'a'}, 'zh_CN': {'text': 'a', 'answer': 'a'}",
              "x.json:4: '{{' has no '}}'");
        slide("empty title", "'en': {'title': '', 'text': 'a', 'answer': 'a'}, 'zh_CN': {'text': 'a', 'answer': 'a'}",
              "expected 1 to 200 characters");
        row("answer without a question",
            R"({"lesson": "heads", "step": "fox", "minutes": 1, "question": false,
                "slide": {"en": {"text": "a", "answer": "a"}, "zh_CN": {"text": "a"}}})",
            "has an answer, but step 'heads/fox' shows no question");
        row("no such question",
            R"({"lesson": "heads", "step": "fox", "minutes": 1, "question": false, "moves": [{"answer": "head3"}]})",
            "step 'heads/fox' has no option 'head3'");
        row("unknown card",
            R"({"lesson": "heads", "step": "fox", "minutes": 1, "view": {"cards": [{"setting": "x"}]}})", "fox");
        row("unknown formula", R"({"lesson": "heads", "step": "fox", "minutes": 1, "formula": "no_such"})",
            "no step of a lesson has the formula 'no_such'");
        row("unknown key", R"({"lesson": "heads", "step": "fox", "minutes": 1, "pause": 1})", "pause");
    }
    void names_the_mistake() {
        QFETCH(QByteArray, step);
        QFETCH(QString, complaint);
        const auto text = R"({"version": 1,
 "titles": {"en": {"title": "a", "summary": "b"}, "zh_CN": {"title": "c", "summary": "d"}},
 "steps": [
)" + step.toStdString() + "]}";
        try {
            read_lecture(text, "x", "x.json", pointers());
        } catch (const LessonError& error) {
            QVERIFY2(QString(error.what()).contains(complaint), error.what());
            return;
        }
        QFAIL("no complaint");
    }

    void needs_a_title_in_every_language() {
        QVERIFY_THROWS_EXCEPTION(LessonError,
                                 read_lecture(R"({"version": 1, "titles": {"en": {"title": "a", "summary": "b"}},
                             "steps": [{"lesson": "heads", "step": "fox", "minutes": 1}]})",
                                              "x", "x.json", pointers()));
    }
};

ATTNLAB_TEST(LectureTest)
#include "test_lecture.moc"
