// Claims that hold as they are written, and not wherever the reader can go.
#include "core/lessons/checks.h"
#include "tests/core/lesson_support.h"
#include "tests/test_main.h"

#include <QTest>

#include <set>

using namespace attnlab;
using namespace attnlab::lessons;
using namespace attnlab::test;

namespace {

QStringList refuted(const Texts& texts, std::size_t step, int draws) {
    const auto lesson = lesson_of(texts);
    QStringList mistakes;
    for (const auto& mistake : refute(lesson, lesson.steps.at(step), draws))
        mistakes << QString::fromStdString(mistake.text());
    return mistakes;
}

} // namespace

class LessonRefuteTest : public QObject {
    Q_OBJECT
private slots:
    void reaches_every_size_and_draw();
    void finds_what_another_width_refutes();
    void leaves_claims_about_the_first_scene();
    void finds_another_answer();
    void edits_cells();
};

void LessonRefuteTest::reaches_every_size_and_draw() {
    const auto lesson = lesson_of(sound());
    const auto scenes = reachable_scenes(lesson.steps[0], 3);
    std::set<std::pair<std::uint64_t, std::int64_t>> reached;
    for (const auto& scene : scenes) {
        reached.emplace(scene.draw->seed, scene.draw->E);
        QVERIFY(scene.settings == lesson.steps[0].scene.settings);
    }
    for (std::uint64_t seed = 3; seed < 6; ++seed)
        for (const std::int64_t size : {2, 3, 16, 64, 4096})
            QVERIFY(reached.contains({seed, size}));
    QVERIFY(reachable_scenes(lesson.steps[1], 3).empty());
}

void LessonRefuteTest::finds_what_another_width_refutes() {
    const auto mistakes = refuted(sound(), 0, 2);
    QCOMPARE(mistakes.size(), 2);
    QVERIFY2(mistakes[0].startsWith("lessons/07-a-lesson/scene.json:19: 'theory(none) = 16' is false in "),
             qPrintable(mistakes[0]));
    QVERIFY2(mistakes[0].contains("d = 2, 4 keys, normal, seed 3"), qPrintable(mistakes[0]));
    QVERIFY(refuted(replaced("scene.json", "\"live\": [\"E\", \"draw\"]", "\"live\": [\"draw\"]"), 0, 2).isEmpty());
}

void LessonRefuteTest::leaves_claims_about_the_first_scene() {
    const auto texts = replaced("scene.json", "\"checks\": [\"theory", "\"first_checks\": [\"theory");
    QVERIFY(refuted(texts, 0, 2).isEmpty());
    const auto lesson = lesson_of(texts);
    QCOMPARE(check_step(lesson, lesson.steps[0]).checks.size(), std::size_t{2});
}

void LessonRefuteTest::finds_another_answer() {
    auto texts = replaced("scene.json", "\"theory(root) < 1\"", "\"none.scores[0, 0] < 0\"");
    auto& scene = texts.at("scene.json");
    const std::string same = "\"theory(root) ~ 1 within 1e-9\"";
    scene.replace(scene.find(same), same.size(), "\"none.scores[0, 0] >= 0\"");
    const auto mistakes = refuted(texts, 0, 20).filter("the answer '");
    QCOMPARE(mistakes.size(), 1);
    QVERIFY2(mistakes[0].contains("is another one in "), qPrintable(mistakes[0]));
}

void LessonRefuteTest::edits_cells() {
    const auto texts = replaced("scene.json", "\"checks\": [\"size(sample.weights) = 16\"]",
                                "\"live\": [\"cells\"], \"checks\": [\"size(sample.weights) = 16\", "
                                "\"sample.scores[2, 0] = 8\"]");
    const auto mistakes = refuted(texts, 2, 10);
    QCOMPARE(mistakes.size(), 1);
    QVERIFY2(mistakes[0].contains("'sample.scores[2, 0] = 8' is false in "), qPrintable(mistakes[0]));
}

ATTNLAB_TEST(LessonRefuteTest)
#include "test_lesson_refute.moc"
