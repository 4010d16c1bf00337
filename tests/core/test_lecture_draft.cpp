// Lectures that are composed: what is written is what a lecture reads, and what it reads comes back.
#include "core/lessons/checks.h"
#include "core/lessons/lecture_draft.h"
#include "core/lessons/lesson_files.h"
#include "tests/core/engine_support.h"
#include "tests/places.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::lessons;

namespace {

Lesson shipped_lesson(const std::string& folder) {
    const std::string resources = ATTNLAB_SOURCE_DIR "/resources";
    return load_lesson(folder, files_below(resources + "/lessons/" + folder, resources));
}

LectureDraft two_steps() {
    return {.title = "Why √d",
            .summary = "Two steps.",
            .entries = {{.lesson = "why-divide-by-sqrt-d",
                         .step = "growth",
                         .minutes = 1.5,
                         .text = "Here d = {{E | 0}}.",
                         .answer = "16 times."},
                        {.lesson = "why-divide-by-sqrt-d", .step = "saturation", .asks = false}}};
}

} // namespace

class LectureDraftTest : public QObject {
    Q_OBJECT
private slots:
    void is_read_as_a_lecture() {
        const auto lesson = shipped_lesson("02-why-divide-by-sqrt-d");
        const Lesson* const lessons[] = {&lesson};
        const auto draft = two_steps();
        const auto text = lecture_text(draft, lessons);
        const auto lecture = read_lecture(text, "mine", "mine.attnlecture", lessons);
        QCOMPARE(lecture.steps.size(), std::size_t{2});
        QCOMPARE(minutes_of(lecture), 2.5);
        QCOMPARE(lecture.title_in("zh_CN").title, draft.title);
        const auto& first = lecture.steps.front();
        QCOMPARE(first.moves.front().answer, std::string("sixteen")); // computed, not typed
        QCOMPARE(words_in(first.text_in("en").body), std::size_t{4});
        QVERIFY(first.question && !lecture.steps[1].question);
        QVERIFY(read_lecture_draft(text, "mine.attnlecture", lessons) == draft);
    }

    void limits_are_those_of_a_lecture() {
        const auto lesson = shipped_lesson("02-why-divide-by-sqrt-d");
        const Lesson* const lessons[] = {&lesson};
        auto draft = two_steps();
        for (int k = 0; k < 31; ++k)
            draft.entries.front().text += " word";
        QCOMPARE(slide_words(draft.entries.front().text), std::optional<std::size_t>(35));
        QVERIFY_THROWS_EXCEPTION(LessonError, lecture_text(draft, lessons));
        draft = two_steps();
        draft.entries.push_back(draft.entries.front());
        QVERIFY_THROWS_EXCEPTION(LessonError, lecture_text(draft, lessons));
        draft.entries = {{.lesson = "why-divide-by-sqrt-d", .step = "nowhere"}};
        QVERIFY_THROWS_EXCEPTION(LessonError, lecture_text(draft, lessons));
        QVERIFY(!slide_words("{{E +}}"));
    }

    /// A part that the window cannot edit would be lost.
    void other_parts_are_refused() {
        const auto lesson = shipped_lesson("02-why-divide-by-sqrt-d");
        const Lesson* const lessons[] = {&lesson};
        auto text = lecture_text(two_steps(), lessons);
        text.replace(text.find("\"question\""), 0, "\"formula\": false, ");
        read_lecture(text, "mine", "mine.attnlecture", lessons);
        try {
            read_lecture_draft(text, "mine.attnlecture", lessons);
            QFAIL("has a formula");
        } catch (const Error& error) {
            QVERIFY2(QString(error.what()).contains("formula"), error.what());
        }
    }
};

ATTNLAB_TEST(LectureDraftTest)
#include "test_lecture_draft.moc"
