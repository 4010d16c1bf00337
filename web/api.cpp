// The C interface of the module: a lesson as JSON text in, descriptions as JSON text out, numbers as views of the
// module's memory. web/engine.js is its only caller. Every entry point catches exceptions.
//
// A returned text is valid until the next call. An error is the text {"failed": message}, whose message can
// be translated.
#include "core/io/json.h"
#include "core/lessons/lesson_files.h"
#include "core/lessons/live_lesson.h"

#include <nlohmann/json.hpp>

#include <exception>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#define ATTNLAB_EXPORT(name) __attribute__((export_name("attnlab_" #name))) attnlab_##name

namespace {

using namespace attnlab;

std::optional<lessons::LiveLesson> lesson;
std::string answer;

const char* failed(const Message& message) {
    answer = "{\"failed\":" + lessons::message_json(message) + "}";
    return answer.c_str();
}

/// The text that `work` returns, or its error.
template <class Work>
const char* answered(Work work) noexcept {
    try {
        answer = work();
        return answer.c_str();
    } catch (const std::bad_alloc&) {
        return failed(ATTNLAB_TEXT("There is not enough memory for this computation"));
    } catch (const Error& error) {
        return failed(error.message());
    } catch (const std::exception& error) {
        return failed({"%1", {error.what()}});
    } catch (...) {
        return failed("Something went wrong in the engine");
    }
}

lessons::LiveLesson& opened() {
    if (!lesson)
        throw Error("No lesson is open");
    return *lesson;
}

/// {"folder": name, "scene.json": text, "en.md": text, ...}: the files of a lesson whose inputs are written out.
lessons::Lesson lesson_in(const nlohmann::json& files) {
    lessons::LessonFiles source;
    source.in_lesson = [&](const std::string& name) -> std::optional<std::string> {
        return files.contains(name) ? std::optional(files.at(name).get<std::string>()) : std::nullopt;
    };
    // The page has the formulas themselves.
    source.resource = [](const std::string& name) {
        return name.starts_with("formulas/") ? std::optional<std::string>("") : std::nullopt;
    };
    return lessons::load_lesson(files.value("folder", std::string("page")), source);
}

/// The same, or of a lecture {"name", "lecture.json", "lessons": [files of each]}.
lessons::Lesson lesson_from(const std::string& text) {
    const auto files = nlohmann::json::parse(text);
    if (!files.contains("lecture.json"))
        return lesson_in(files);
    std::vector<lessons::Lesson> parts;
    for (const auto& part : files.at("lessons"))
        parts.push_back(lesson_in(part));
    std::vector<const lessons::Lesson*> named;
    for (const auto& part : parts)
        named.push_back(&part);
    return lessons::read_lecture(files.at("lecture.json").get<std::string>(), files.at("name").get<std::string>(),
                                 "lecture", named);
}

/// Numbers, or null where there are none.
template <class Numbers>
const double* view_of(Numbers numbers) noexcept {
    try {
        return numbers().data();
    } catch (...) {
        return nullptr;
    }
}

} // namespace

extern "C" {

const char* ATTNLAB_EXPORT(choices)() {
    return answered([] { return lessons::choices_json(); });
}
const char* ATTNLAB_EXPORT(open)(const char* files) {
    return answered([&] {
        lesson.emplace(lesson_from(files));
        return lesson->contents();
    });
}
/// `phase`: 0 open, 1 asking, 2 answered.
const char* ATTNLAB_EXPORT(show)(int step, int phase) {
    return answered([&] {
        opened().show(static_cast<std::size_t>(step), static_cast<lessons::LiveLesson::Phase>(phase));
        return opened().board();
    });
}
const char* ATTNLAB_EXPORT(update)(const char* request) {
    return answered([&] { return opened().update(request); });
}
const char* ATTNLAB_EXPORT(compute)() {
    return answered([] { return opened().compute(); });
}
const char* ATTNLAB_EXPORT(cell)(int setting, int batch, int head, int query, int key) {
    return answered([&] { return opened().cell(static_cast<std::size_t>(setting), batch, head, query, key); });
}
const char* ATTNLAB_EXPORT(mix)(int setting, int stage, int batch, int head, int query, int feature) {
    return answered([&] {
        return opened().mix(static_cast<std::size_t>(setting), static_cast<std::size_t>(stage), batch, head, query,
                            feature);
    });
}
const char* ATTNLAB_EXPORT(row)(int setting, int batch, int head, int query) {
    return answered([&] { return opened().row(static_cast<std::size_t>(setting), batch, head, query); });
}
const char* ATTNLAB_EXPORT(curve)() {
    return answered([] { return opened().curve(); });
}
const char* ATTNLAB_EXPORT(texts)(const char* language) {
    return answered([&] { return opened().texts(language); });
}
const char* ATTNLAB_EXPORT(right_option)() {
    return answered([] { return io::dump(nlohmann::json(opened().right_option())); });
}
const double* ATTNLAB_EXPORT(stage)(int setting, int index) {
    return view_of([&] { return opened().stage(static_cast<std::size_t>(setting), static_cast<std::size_t>(index)); });
}
const double* ATTNLAB_EXPORT(input)(int setting, int index) {
    return view_of([&] { return opened().input(static_cast<std::size_t>(setting), static_cast<std::size_t>(index)); });
}
}
