// Lessons while they are written: every shipped lesson comes back as it was, and every mistake names its field.
#include "core/lessons/draft_check.h"
#include "core/lessons/lesson_draft.h"
#include "tests/core/engine_support.h"
#include "tests/core/lesson_support.h"
#include "tests/places.h"
#include "tests/test_main.h"

#include <QDir>
#include <QTest>

#include <algorithm>

using namespace attnlab;
using namespace attnlab::lessons;

namespace {

const std::string resources = ATTNLAB_SOURCE_DIR "/resources";

LessonFiles shipped(const QString& folder) {
    return files_below(resources + "/lessons/" + folder.toStdString(), resources);
}

LessonFiles program_files() { return files_below({}, resources); }

void addLessons() {
    QTest::addColumn<QString>("folder");
    const auto folders =
        QDir(QString::fromStdString(resources) + "/lessons").entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    for (const auto& folder : folders)
        QTest::newRow(qPrintable(folder)) << folder;
}

std::string text_of(const LessonText& text) {
    std::string all;
    for (const auto& piece : text.pieces)
        all += piece.words + (piece.number ? "{{" + piece.number->text() + "|" +
                                                 (piece.decimals ? std::to_string(*piece.decimals) : "") + "}}"
                                           : "");
    return all;
}

std::map<std::string, std::string> texts_of(const StepText& text) {
    std::map<std::string, std::string> all = {{"title", text.title},
                                              {"body", text_of(text.body)},
                                              {"question", text_of(text.question)},
                                              {"hint", text_of(text.hint)},
                                              {"answer", text_of(text.answer)}};
    for (const auto& [id, words] : text.options)
        all["option " + id] = text_of(words);
    for (const auto& [id, words] : text.cards)
        all["card " + id] = text_of(words);
    return all;
}

std::vector<std::string> texts_of(const std::vector<Claim>& claims) {
    std::vector<std::string> all;
    for (const auto& claim : claims)
        all.push_back(claim.expression.text());
    return all;
}

/// Names the first difference; empty: the lessons are equal but for the lines of their files.
QString difference(const Lesson& a, const Lesson& b) {
    if (a.group != b.group || a.steps.size() != b.steps.size() || a.titles.size() != b.titles.size())
        return "group, steps or titles";
    for (const auto& [language, title] : a.titles)
        if (b.titles.at(language).title != title.title || b.titles.at(language).summary != title.summary)
            return "title";
    for (std::size_t k = 0; k < a.steps.size(); ++k) {
        const auto &one = a.steps[k], &other = b.steps[k];
        const auto step = QString::fromStdString(one.id) + ": ";
        if (one.id != other.id || one.formula != other.formula || one.on_sheet != other.on_sheet)
            return step + "id, formula or sheet";
        if (!(one.scene == other.scene))
            return step + "scene";
        if (!(one.view == other.view))
            return step + "view";
        if (texts_of(one.checks) != texts_of(other.checks) ||
            texts_of(one.first_checks) != texts_of(other.first_checks))
            return step + "checks";
        if (one.question.has_value() != other.question.has_value())
            return step + "question";
        if (one.question) {
            const auto &q = *one.question, &p = *other.question;
            if (q.about != p.about || q.reveals != p.reveals || q.covers != p.covers ||
                q.options.size() != p.options.size())
                return step + "question";
            for (std::size_t i = 0; i < q.options.size(); ++i)
                if (q.options[i].id != p.options[i].id ||
                    q.options[i].right.expression.text() != p.options[i].right.expression.text())
                    return step + "options";
        }
        for (const auto& [language, text] : one.texts)
            if (texts_of(text) != texts_of(other.texts.at(language)))
                return step + "texts";
    }
    return {};
}

Draft small() {
    Draft draft;
    draft.titles["en"] = {"A lesson", "What it is about."};
    auto step =
        draft_step_of(lab::free_lab_scene(lab::BoardKind::ScaleLab), lab::free_lab_view(lab::BoardKind::ScaleLab));
    step.id = "first";
    step.texts["en"].title = "The first";
    step.texts["en"].body = "The entropy is {{entropy(none) | 2}}.";
    draft.steps.push_back(step);
    return draft;
}

DraftStepReport checked(const Draft& draft, std::size_t step = 0) {
    return check_draft_step(draft, step, program_files());
}

QString message(const DraftStepReport& report, const char* language, const char* field) {
    const auto* found = report.mistake_of(language, field);
    return found ? QString::fromStdString(found->english()) : QString();
}

QString all_messages(const DraftStepReport& report) {
    QStringList all;
    for (const auto& mistake : report.mistakes)
        all << QString::fromStdString(mistake.place.language + " " + mistake.place.field + ": " +
                                      mistake.message.english());
    return all.join('\n');
}

} // namespace

class LessonDraftTest : public QObject {
    Q_OBJECT
private slots:
    void shipped_lessons_come_back_data() { addLessons(); }
    void shipped_lessons_come_back() {
        QFETCH(QString, folder);
        const auto before = load_lesson("lesson", shipped(folder));
        const WrittenDraft written(read_draft(shipped(folder)));
        const auto after = load_lesson("lesson", written.files(program_files()));
        QCOMPARE(difference(before, after), QString());
        // Once more, from the files that were written.
        QVERIFY(read_draft(written.files(program_files())) == read_draft(shipped(folder)));
    }

    void steps_stand_alone_data() { addLessons(); }
    /// "same" refers to the step before: a moved step keeps its inputs.
    void steps_stand_alone() {
        QFETCH(QString, folder);
        const auto before = load_lesson("lesson", shipped(folder));
        auto draft = read_draft(shipped(folder));
        std::ranges::reverse(draft.steps);
        const auto after = load_lesson("lesson", WrittenDraft(draft).files(program_files()));
        for (const auto& step : before.steps) {
            const auto found = std::ranges::find(after.steps, step.id, &Step::id);
            QVERIFY(found != after.steps.end());
            QVERIFY2(found->scene == step.scene && found->view == step.view, step.id.c_str());
        }
    }

    void shipped_steps_have_no_mistakes_data() { addLessons(); }
    void shipped_steps_have_no_mistakes() {
        QFETCH(QString, folder);
        const auto draft = read_draft(shipped(folder));
        QVERIFY(check_draft_lesson(draft).empty());
        for (std::size_t k = 0; k < draft.steps.size(); ++k) {
            const auto report = checked(draft, k);
            QCOMPARE(all_messages(report), QString());
            QCOMPARE(report.checks.size(), draft.steps[k].checks.size());
            QVERIFY(std::ranges::all_of(report.checks, &ClaimReport::holds));
            if (draft.steps[k].question)
                QCOMPARE(std::ranges::count_if(report.options, [](const auto& one) { return one.claim.holds; }), 1);
        }
    }

    void fields_cannot_begin_other_parts() {
        auto draft = small();
        auto& step = draft.steps.front();
        auto& text = step.texts["en"];
        text.body = "# One\n\n## two: three\n\n### question\n\n#### four\n\n```\n# code\n- x\n";
        text.question = "Which?\n- this is no option";
        text.options = {{"a", "first\n- not another"}, {"b", "second"}};
        text.answer = "### hint\nso.";
        step.question.emplace();
        step.question->options = {{"a", "1 = 1"}, {"b", "1 = 0"}};
        const WrittenDraft written(draft);
        const auto lesson = load_lesson("lesson", written.files(program_files()));
        QCOMPARE(lesson.steps.size(), 1);
        QVERIFY(lesson.steps.front().text_in("en").hint.empty());
        QCOMPARE(lesson.steps.front().text_in("en").options.size(), 2);
        auto again = read_draft(written.files(program_files())).steps.front().texts["en"];
        QCOMPARE(again.body, text.body + "```"); // the code is closed
        QCOMPARE(again.question, text.question);
        QCOMPARE(again.options, text.options);
        QCOMPARE(again.answer, text.answer);
    }

    void an_unfinished_lesson_is_read_again() {
        Draft draft;
        draft.titles["zh_CN"].title = "一课";
        insert_step(
            draft, 0,
            draft_step_of(lab::free_lab_scene(lab::BoardKind::MaskLab), lab::free_lab_view(lab::BoardKind::MaskLab)));
        insert_step(draft, 1, draft.steps.front());
        QCOMPARE(draft.steps[1].id, draft.steps[0].id + "_2");
        draft.steps[1].question.emplace();
        draft.steps[1].question->options = {{"a", ""}, {"b", "1 < "}};
        draft.steps[0].checks = {"", "entropy("};
        for (auto& step : draft.steps)
            step.texts["zh_CN"]; // every field of the file, empty
        draft.steps[1].texts["zh_CN"].options = {{"a", ""}, {"b", "乙"}};
        const WrittenDraft written(draft);
        const auto again = read_draft(written.files(program_files()));
        QCOMPARE(written.texts().at("scene.json"), WrittenDraft(again).texts().at("scene.json"));
        QCOMPARE(written.texts().at("zh_CN.md"), WrittenDraft(again).texts().at("zh_CN.md"));
    }

    void unknown_parts_stay() {
        auto draft = small();
        draft.steps.front().texts["en"].sections = {{"why none", "Since."}};
        draft.steps.front().question.emplace();
        draft.steps.front().question->other = DraftJson(R"({"hides":["weights"]})");
        const WrittenDraft written(draft);
        const auto again = read_draft(written.files(program_files()));
        QCOMPARE(again.steps.front().texts.at("en").sections, draft.steps.front().texts.at("en").sections);
        QCOMPARE(again.steps.front().question->other.text(), draft.steps.front().question->other.text());
    }

    void a_complete_step_has_no_mistake() {
        const auto report = checked(small());
        QCOMPARE(all_messages(report), QString());
        QVERIFY(report.scene && report.result);
        QCOMPARE(filled_field("d is {{E}}.", report), std::string("d is 64."));
        QCOMPARE(filled_field("d is {{E +}}, {{E}}", report), std::string("d is **?**, 64"));
        QCOMPARE(filled_field("d is {{E}} {{E", report), std::string("d is 64 **?**"));
    }

    void mistakes_name_their_field() {
        auto draft = small();
        auto& step = draft.steps.front();
        step.texts["en"].title.clear();
        step.texts["en"].body = "The entropy is {{entropy(nobody)}}.";
        step.checks = {"entropy(none) > 0", "entropy(none > 0", "max_weight(none) > 2"};
        step.question.emplace();
        step.question->options = {{"a", "entropy(none) > 0"}, {"b", ""}};
        step.texts["en"].options["a"] = "yes";
        step.texts["zh_CN"].hint = "看一看";
        const auto report = checked(draft);
        QVERIFY(!message(report, "en", "title").isEmpty());
        QVERIFY2(message(report, "en", "body").contains("nobody"), qPrintable(all_messages(report)));
        QVERIFY(!message(report, "", "checks 1").isEmpty());
        QVERIFY(message(report, "", "checks 0").isEmpty());
        QVERIFY(!message(report, "", "right b").isEmpty());
        QVERIFY(message(report, "", "right a").isEmpty());
        QVERIFY(!message(report, "en", "option b").isEmpty());
        QVERIFY(!message(report, "en", "question").isEmpty());
        QVERIFY(!message(report, "en", "answer").isEmpty());
        QVERIFY(!message(report, "en", "hint").isEmpty()); // Chinese has one
        QVERIFY(!message(report, "zh_CN", "body").isEmpty());
        QVERIFY(report.checks.at(0).holds && !report.checks.at(1).evaluated && !report.checks.at(2).holds);
        QCOMPARE(report.scene->settings.size(), 4); // is there although the step is not complete
    }

    void the_loader_and_the_checks_speak_for_the_rest() {
        auto draft = small();
        auto& step = draft.steps.front();
        step.checks = {"max_weight(none) > 2"};
        auto report = checked(draft);
        QVERIFY2(message(report, "", "checks 0").contains("is false"), qPrintable(all_messages(report)));
        step.checks.clear();
        step.live = {"E", "context"}; // of a cache
        step.texts["en"].cards["nobody"] = "words";
        report = checked(draft);
        QVERIFY2(!message(report, "en", "card nobody").isEmpty() || !message(report, "", "live").isEmpty(),
                 qPrintable(all_messages(report)));
        step.texts["en"].cards.clear();
        step.live = {"E"};
        step.question.emplace();
        step.question->options = {{"a", "1 = 1"}, {"b", "2 = 2"}}; // two right options
        auto& text = step.texts["en"];
        text.question = "Which?";
        text.options = {{"a", "one"}, {"b", "two"}};
        text.answer = "So.";
        report = checked(draft);
        QVERIFY2(!report.mistakes.empty(), "two right options");
        QVERIFY2(!message(report, "", "options").isEmpty(), qPrintable(all_messages(report)));
    }

    /// Also while another field has a mistake, which keeps the step from being read as a whole.
    void options_are_measured_where_the_question_asks() {
        auto draft = read_draft(shipped("02-why-divide-by-sqrt-d")); // asks about d = 1024, shows d = 64
        draft.steps.front().texts["en"].body.clear();
        const auto right = [](const DraftStepReport& report) {
            QStringList ids;
            for (const auto& option : report.options)
                if (option.claim.holds)
                    ids << QString::fromStdString(option.id);
            return ids;
        };
        auto report = checked(draft);
        QVERIFY(!message(report, "en", "body").isEmpty());
        QCOMPARE(right(report), QStringList{"sixteen"});
        draft.steps.front().question->other = DraftJson(R"({"about":{"E":-1}})");
        report = checked(draft);
        QVERIFY2(!message(report, "", "options").isEmpty(), qPrintable(all_messages(report)));
        QCOMPARE(right(report), QStringList());
    }

    void mistakes_of_a_board_name_its_part() {
        auto draft = small();
        draft.steps.front().board =
            DraftJson(R"({"inputs":{"draw":{"E":64}},"settings":[{"id":"a"}],"board":"no board"})");
        const auto words = message(checked(draft), "", "board");
        QVERIFY2(words.contains("'board' is \"no board\"") && !words.contains("steps["), qPrintable(words));
    }

    void the_lesson_has_fields_too() {
        Draft draft;
        QCOMPARE(check_draft_lesson(draft).size(), 3); // title, summary, steps
        draft = small();
        QVERIFY(check_draft_lesson(draft).empty());
        draft.titles["en"].title = std::string(300, 'x');
        const auto mistakes = check_draft_lesson(draft);
        QCOMPARE(mistakes.size(), 1);
        QCOMPARE(mistakes.front().place, (DraftPlace{DraftPlace::lesson, "en", "title"}));
    }

    void inputs_have_a_limit() {
        auto scene = lab::free_lab_scene(lab::BoardKind::ScaleLab);
        scene.draw.reset();
        for (const char* name : {"query", "key", "value"})
            scene.tensors.emplace(name, Tensor({1024, 512}, 0.5));
        try {
            draft_step_of(scene, {});
            QFAIL("is too large");
        } catch (const Error& error) {
            QVERIFY2(QString(error.what()).contains("1572864"), error.what());
        }
    }

    void a_board_is_replaced() {
        auto draft = read_draft(shipped("01-what-attention-computes"));
        auto& step = draft.steps.front();
        const auto report = checked(draft);
        auto view = report.view;
        view.pin = lab::BoardCell{1, 1};
        set_board(step, *report.scene, view, true);
        QVERIFY(step.board.text().find("\"sample\"") != std::string::npos ||
                step.board.text().find("\"tensors\"") != std::string::npos);
        auto again = checked(draft);
        QVERIFY(*again.scene == *report.scene);
        QCOMPARE(again.view.pin, view.pin);
        auto scene = *report.scene;
        scene.settings.front().spec.masks.clear();
        set_board(step, scene, view, false);
        again = checked(draft);
        QCOMPARE(all_messages(again), QString());
        QVERIFY(again.scene->settings.front().spec.masks.empty());
    }

    void a_board_of_tiles_begins_at_a_tile() {
        auto draft = read_draft(shipped("08-flash"));
        const auto causal = std::ranges::find(draft.steps, "causal", &DraftStep::id);
        QVERIFY(causal != draft.steps.end());
        const auto index = static_cast<std::size_t>(causal - draft.steps.begin());
        const auto report = checked(draft, index);
        const auto begins_at = [&](lab::BoardCell tile) {
            auto view = report.view;
            view.tile = tile;
            set_board(*causal, *report.scene, view, true);
            return checked(draft, index);
        };
        const auto again = begins_at({1, 2});
        QCOMPARE(all_messages(again), QString());
        QCOMPARE(again.view.tile, (lab::BoardCell{1, 2}));
        QVERIFY(all_messages(begins_at({0, 3})).contains("tile [0, 3] is skipped: all its cells are blocked"));
        QVERIFY(all_messages(begins_at({1, 4})).contains("tile [1, 4] is not there, there are 3 x 4"));
        auto view = report.view;
        view.board = lab::BoardKind::Matrices; // which has no tiles
        view.tile = lab::BoardCell{1, 2};
        set_board(*causal, *report.scene, view, true);
        QVERIFY(!checked(draft, index).view.tile);
    }
};

ATTNLAB_TEST(LessonDraftTest)
#include "test_lesson_draft.moc"
