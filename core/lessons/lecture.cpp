#include "core/lessons/lecture.h"

#include "core/lessons/scene_file.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace attnlab::lessons {
namespace {

class LectureReader {
public:
    explicit LectureReader(std::span<const Lesson* const> lessons) : lessons_(lessons) {}

    Step step_from(const JsonNode& node) const {
        node.require_keys({"lesson", "step", "minutes", "moves"});
        const auto& lesson = lesson_called(node.at("lesson"));
        Step step = step_called(lesson, node.at("step"));
        step.id = lesson.id + "/" + step.id;
        step.minutes = node.at("minutes").number();
        if (!(step.minutes > 0.0))
            node.at("minutes").fail_expecting(ATTNLAB_TEXT("a number above 0"));
        if (const auto* moves = node.find("moves"))
            for (const auto& move : moves->items())
                step.moves.push_back(move_from(move, step));
        return step;
    }

private:
    const Lesson& lesson_called(const JsonNode& node) const {
        const auto found = std::ranges::find(lessons_, node.text(), &Lesson::id);
        if (found != lessons_.end())
            return **found;
        std::vector<std::string_view> known;
        for (const auto* lesson : lessons_)
            known.push_back(lesson->id);
        fail(node, {ATTNLAB_TEXT("there is no lesson '%1', expected one of %2"), {node.text(), listed(known)}});
    }

    static const Step& step_called(const Lesson& lesson, const JsonNode& node) {
        const auto found = std::ranges::find(lesson.steps, node.text(), &Step::id);
        if (found != lesson.steps.end())
            return *found;
        std::vector<std::string_view> known;
        for (const auto& step : lesson.steps)
            known.push_back(step.id);
        fail(node, {ATTNLAB_TEXT("lesson '%1' has no step '%2', expected one of %3"),
                    {lesson.id, node.text(), listed(known)}});
    }

    static std::string answer_from(const JsonNode& node, const Step& step) {
        std::vector<std::string_view> known;
        if (step.question)
            for (const auto& option : step.question->options)
                known.push_back(option.id);
        if (std::ranges::find(known, node.text()) == known.end())
            fail(node,
                 {ATTNLAB_TEXT("step '%1' has no option '%2'; it has: %3"), {step.id, node.text(), listed(known)}});
        return node.text();
    }

    static Move move_from(const JsonNode& node, const Step& step) {
        node.require_keys({"answer", "draw", "stage", "at"});
        if (node.members().size() != 1)
            node.fail_expecting(ATTNLAB_TEXT("one of answer, draw, stage, at"));
        Move move;
        if (const auto* answer = node.find("answer"))
            move.answer = answer_from(*answer, step);
        if (const auto* draw = node.find("draw")) {
            if (!step.scene.draw)
                fail(*draw, {ATTNLAB_TEXT("the inputs of step '%1' are no draw"), {step.id}});
            move.draw = scene_file::draw_from(*draw, *step.scene.draw);
        }
        if (const auto* stage = node.find("stage"))
            move.stage = stage->text();
        if (const auto* at = node.find("at"))
            move.at = step_of_training(*at, step);
        return move;
    }

    static std::int64_t step_of_training(const JsonNode& node, const Step& step) {
        const auto most = step.scene.training ? step.scene.training->steps : -1;
        if (most < 0)
            fail(node, {ATTNLAB_TEXT("nothing is trained in step '%1'"), {step.id}});
        if (node.integer() < 0 || node.integer() > most)
            node.fail_expecting({ATTNLAB_TEXT("an integer from %1 to %2"), {"0", std::to_string(most)}});
        return node.integer();
    }

    std::span<const Lesson* const> lessons_;
};

void read_titles(const JsonNode& node, Lesson& lecture) {
    for (const auto& [language, title] : node.members()) {
        title.require_keys({"title", "summary"});
        lecture.titles.emplace(language, LessonTitle{title.at("title").text(), title.at("summary").text()});
    }
    for (const auto language : languages)
        if (!lecture.titles.contains(language))
            fail(node, {ATTNLAB_TEXT("has no title in '%1'"), {std::string(language)}});
}

} // namespace

Lesson read_lecture(std::string_view text, const std::string& name, const std::string& file,
                    std::span<const Lesson* const> lessons) {
    const auto json = parse_json(text, file);
    const auto& root = json.root();
    root.require_keys({"version", "titles", "steps"});
    if (root.at("version").integer() != 1)
        root.at("version").fail_expecting("1");
    Lesson lecture;
    lecture.folder = file;
    lecture.id = name;
    read_titles(root.at("titles"), lecture);
    const LectureReader reader(lessons);
    for (const auto& node : root.at("steps").items()) {
        lecture.steps.push_back(reader.step_from(node));
        if (std::ranges::count(lecture.steps, lecture.steps.back().id, &Step::id) > 1)
            fail(node, {ATTNLAB_TEXT("step '%1' is there twice"), {lecture.steps.back().id}});
    }
    if (lecture.steps.empty())
        root.at("steps").fail_expecting(ATTNLAB_TEXT("one step or more"));
    return lecture;
}

double minutes_of(const Lesson& lesson) {
    return std::transform_reduce(lesson.steps.begin(), lesson.steps.end(), 0.0, std::plus<>(),
                                 [](const Step& step) { return step.minutes; });
}

} // namespace attnlab::lessons
