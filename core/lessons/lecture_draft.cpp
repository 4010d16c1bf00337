#include "core/lessons/lecture_draft.h"

#include "core/io/json.h"
#include "core/lessons/checks.h"
#include "core/lessons/lesson_error.h"
#include "core/lessons/lesson_files.h"
#include "core/lookup.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace attnlab::lessons {
namespace {

using LectureJson = nlohmann::ordered_json;

/// Null for a step that no lesson has; read_lecture() reports it.
const Step* step_of(const LectureEntry& entry, std::span<const Lesson* const> lessons) {
    const auto* lesson = lookup(lessons, entry.lesson, &Lesson::id);
    return lesson ? lookup((*lesson)->steps, entry.step) : nullptr;
}

LectureJson json_of(const LectureEntry& entry, const Step* step, const RunControl& control) {
    LectureJson node = {{"lesson", entry.lesson}, {"step", entry.step}, {"minutes", entry.minutes}};
    const bool has_question = step && step->question;
    const bool asks = has_question && entry.asks;
    if (has_question && !asks)
        node["question"] = false;
    if (asks)
        if (const auto right = right_option(*step, control); !right.empty())
            node["moves"] = LectureJson::array({{{"answer", right}}});
    if (!entry.text.empty()) {
        LectureJson slide = {{"text", entry.text}};
        if (asks)
            slide["answer"] = entry.answer;
        for (const auto language : languages)
            node["slide"][std::string(language)] = slide;
    }
    return node;
}

/// The words of one language; the others have the same ones.
const JsonNode* words_in_any(const JsonNode& node) {
    return node.members().empty() ? nullptr : &node.members().front().second;
}

LectureEntry entry_from(const JsonNode& node) {
    node.require_keys({"lesson", "step", "minutes", "moves", "question", "slide"});
    LectureEntry entry;
    entry.lesson = node.at("lesson").text();
    entry.step = node.at("step").text();
    entry.minutes = node.at("minutes").number();
    if (const auto* question = node.find("question"))
        entry.asks = question->boolean();
    if (const auto* moves = node.find("moves"))
        for (const auto& move : moves->items())
            move.require_keys({"answer"});
    if (const auto* slides = node.find("slide"))
        if (const auto* slide = words_in_any(*slides)) {
            slide->require_keys({"text", "answer"});
            entry.text = slide->at("text").text();
            if (const auto* answer = slide->find("answer"))
                entry.answer = answer->text();
        }
    return entry;
}

} // namespace

std::string lecture_text(const LectureDraft& draft, std::span<const Lesson* const> lessons, const RunControl& control) {
    LectureJson root = {{"version", 1}, {"titles", LectureJson::object()}, {"steps", LectureJson::array()}};
    for (const auto language : languages)
        root["titles"][std::string(language)] = {{"title", draft.title}, {"summary", draft.summary}};
    for (const auto& entry : draft.entries)
        root["steps"].push_back(json_of(entry, step_of(entry, lessons), control));
    auto text = root.dump(2, ' ', false, LectureJson::error_handler_t::replace) + "\n";
    read_lecture(text, "lecture", "lecture", lessons);
    return text;
}

LectureDraft read_lecture_draft(std::string_view text, const std::string& file,
                                std::span<const Lesson* const> lessons) {
    read_lecture(text, "lecture", file, lessons);
    const auto json = parse_json(text, file);
    LectureDraft draft;
    if (const auto* title = words_in_any(json.root().at("titles"))) {
        draft.title = title->at("title").text();
        draft.summary = title->at("summary").text();
    }
    for (const auto& node : json.root().at("steps").items())
        draft.entries.push_back(entry_from(node));
    return draft;
}

std::optional<std::size_t> slide_words(const std::string& markdown) {
    try {
        return words_in(lesson_text(markdown, "slide", 1));
    } catch (const LessonError&) {
        return std::nullopt;
    }
}

} // namespace attnlab::lessons
