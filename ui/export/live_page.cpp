#include "ui/export/live_page.h"

#include "core/io/base64.h"
#include "core/io/json.h"
#include "core/io/saved/attention_page.h"
#include "core/lab/scene.h"
#include "core/lessons/live_lesson.h"
#include "core/lessons/saved_board.h"
#include "core/resolved_problem.h"
#include "ui/document/samples.h"
#include "ui/drawing/colormap.h"
#include "ui/export/page_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <QColor>
#include <QCryptographicHash>
#include <QFile>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attnlab::ui {
namespace {

using lessons::LiveLesson;
using nlohmann::json;

constexpr std::array<const char*, 9> live_scripts = {"engine.js", "texts.js", "matrix.js",   "charts.js", "exhibits.js",
                                                     "rows.js",   "board.js", "controls.js", "page.js"};

QByteArray fileBytes(const QString& name) {
    QFile file(name);
    if (!file.open(QIODevice::ReadOnly))
        throw Error({ATTNLAB_TEXT("%1: %2"), {name.toStdString(), file.errorString().toStdString()}});
    return file.readAll();
}

/// A file that scripts/web has made: beside the installed program, or in the build folder. Empty where there is none.
QString moduleFile(const char* name) {
    const auto data = QString::fromStdString(modelsFolder().parent_path().string());
    for (const auto& folder : {data + QLatin1String("/web/"), data + QLatin1String("/../../../web/web/")})
        if (QFile::exists(folder + QLatin1String(name)))
            return folder + QLatin1String(name);
    return {};
}

std::string viewerText(const char* name) {
    return fileBytes(QStringLiteral(":/attnlab/web/") + QLatin1String(name)).toStdString();
}

std::string hashOf(const std::string& text) {
    const auto hash = QCryptographicHash::hash(QByteArray::fromStdString(text), QCryptographicHash::Sha256);
    return "'sha256-" + hash.toBase64().toStdString() + "'";
}

std::string colorsOf(const char* name) {
    std::string bytes;
    for (const QRgb color : colormap(QLatin1String(name)).colors)
        for (const int part : {qRed(color), qGreen(color), qBlue(color)})
            bytes.push_back(static_cast<char>(part));
    return io::to_base64(bytes);
}

std::string packedNumbers(std::span<const double> numbers) {
    return io::to_base64(std::string(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()));
}

// The numbers for browsers without WebAssembly.

/// Of all exported stages and inputs, so that a page has less than 3 MB.
constexpr std::int64_t most_exported_numbers = 32'768;

/// The settings that boards about one setting need all stages of: tiles, buckets, arrows.
std::optional<std::size_t> settingOfBoard(const json& board) {
    const auto kind = board["board"].get<std::string>();
    if (kind == "matrices" || kind == "scale_lab" || kind == "mask_lab" || kind == "costs")
        return std::nullopt;
    for (std::size_t k = 0; k < board["settings"].size(); ++k)
        if (board["settings"][k]["id"] == board["setting"])
            return k;
    return 0;
}

/// The board, the result and the texts of what `live` shows. Of a lesson, only the stages that its board shows, as far
/// as there is `room` for their numbers.
json exportedPhase(LiveLesson& live, bool whole, std::int64_t& room) {
    auto result = json::parse(live.compute());
    const auto board = json::parse(live.board());
    std::set<std::string> shown;
    for (const auto& card : board["cards"])
        shown.insert(card["stage"].get<std::string>());
    const auto whole_setting = settingOfBoard(board);
    for (std::size_t k = 0; k < result["settings"].size(); ++k) {
        auto& setting = result["settings"][k];
        for (std::size_t index = 0; index < setting["stages"].size(); ++index) {
            auto& stage = setting["stages"][index];
            const auto& role = stage["role"];
            if (whole                ? role == "step" || role == "exact"
                : k == whole_setting ? true
                                     : shown.contains(stage["name"].get<std::string>()))
                if (const auto numbers = live.stage(k, index); std::ssize(numbers) <= room) {
                    stage["packed"] = packedNumbers(numbers);
                    room -= std::ssize(numbers);
                }
        }
        if (!setting.contains("inputs"))
            continue;
        for (auto& input : setting["inputs"])
            if (const auto numbers = live.input(k, input["name"].get<std::string>());
                whole && std::ssize(numbers) <= room) {
                input["packed"] = packedNumbers(numbers);
                room -= std::ssize(numbers);
            }
    }
    json phase{{"board", board},
               {"result", std::move(result)},
               {"curve", json::parse(live.curve())},
               {"texts", json::object()}};
    for (const auto& [language, text] : live.step().texts)
        phase["texts"][language] = json::parse(live.texts(language));
    if (board["board"] == "step_through") {
        phase["rows"] = json::array();
        const auto row = [&](std::int64_t query) {
            return json::parse(live.row(whole_setting.value_or(0), 0, 0, query));
        };
        const auto queries = row(0).value("queries", std::int64_t{0});
        for (std::int64_t query = 0; query < queries; ++query)
            phase["rows"].push_back(row(query));
    }
    return phase;
}

json exportedNumbers(const lessons::Lesson& lesson, bool whole, const RunControl& control) {
    LiveLesson live(lesson);
    auto room = most_exported_numbers;
    json all{{"contents", json::parse(live.contents())}, {"steps", json::array()}};
    for (std::size_t index = 0; index < lesson.steps.size(); ++index) {
        control.checkpoint();
        control.report(static_cast<double>(index) / static_cast<double>(lesson.steps.size()));
        json step{{"right", ""}};
        using Phase = LiveLesson::Phase;
        std::vector<std::pair<const char*, Phase>> phases{{"open", Phase::Open}};
        if (lesson.steps[index].question)
            phases = {{"asking", Phase::Asking}, {"answered", Phase::Answered}};
        for (const auto& [name, phase] : phases) {
            live.show(index, phase);
            step[name] = exportedPhase(live, whole, room);
        }
        if (lesson.steps[index].question)
            step["right"] = live.right_option();
        all["steps"].push_back(std::move(step));
    }
    return all;
}

// The page.

std::string templatesOf(const lessons::Lesson& lesson) {
    std::map<std::string, std::string> formulas;
    for (const auto& step : lesson.steps)
        if (!step.formula.empty())
            formulas.emplace(step.formula, fileBytes(QStringLiteral(":/attnlab/formulas/") +
                                                     QString::fromStdString(step.formula) + QLatin1String(".svg"))
                                               .toStdString());
    std::string templates;
    for (const auto& [name, svg] : formulas)
        templates += "<template id=\"formula_" + name + "\">" + svg + "</template>\n";
    return templates;
}

QByteArray filled(const std::vector<std::pair<std::string_view, std::string>>& places) {
    const auto html = viewerText("page.html");
    std::string page;
    std::string_view rest = html;
    for (const auto& [place, content] : places) {
        const auto at = rest.find(place);
        page.append(rest.substr(0, at)).append(content);
        rest.remove_prefix(at + place.size());
    }
    return QByteArray::fromStdString(page.append(rest));
}

/// `kind`: "workspace" (inputs and every stage), "board" (its cards), or "lesson" (with texts and questions).
QByteArray written(const lessons::Lesson& lesson, json files, const std::string& kind, const LivePageOptions& options,
                   const RunControl& control) {
    if (const auto reason = livePageUnsupportedReason())
        throw Error(*reason);
    json titles = json::object(), summaries = json::object(), models = json::array();
    for (const auto& [language, title] : lesson.titles) {
        titles[language] = title.title;
        summaries[language] = title.summary;
    }
    for (const auto& step : lesson.steps)
        models.push_back(step.scene.model ? json(step.scene.model->model) : json());
    const json data{{"kind", kind},
                    {"titles", std::move(titles)},
                    {"summaries", std::move(summaries)},
                    {"models", std::move(models)},
                    {"language", options.language.toStdString()},
                    {"files", std::move(files)},
                    {"exported", exportedNumbers(lesson, kind == "workspace", control)},
                    {"choices", json::parse(lessons::choices_json())},
                    {"words", json::parse(fileBytes(moduleFile("words.json")).toStdString())},
                    {"colormaps",
                     {{"sequential", colorsOf("viridis")},
                      {"diverging", colorsOf("blue_red")},
                      {"diverging_dark", colorsOf("blue_red_dark")}}}};
    std::string script;
    for (const auto* name : live_scripts)
        script += viewerText(name);
    const auto style = viewerText("page.css");
    // Qt writes the size before the zlib stream.
    const auto module = qCompress(fileBytes(moduleFile("attnlab.wasm")), 9).mid(4).toBase64().toStdString();
    const auto title = QString::fromStdString(lesson.title_in("en").title).toHtmlEscaped().toStdString();
    const auto policy = "default-src 'none'; script-src " + hashOf(script) + " 'wasm-unsafe-eval'; style-src " +
                        hashOf(style) +
                        "; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types "
                        "'none'";
    return filled({{"{{policy}}", policy},
                   {"{{title}}", title},
                   {"{{style}}", style},
                   {"{{title}}", title},
                   {"{{picture}}", pagePicture(lesson, options.language)},
                   {"{{formulas}}", templatesOf(lesson)},
                   {"{{data}}", io::as_data_block(io::dump(data))},
                   {"{{module}}", module},
                   {"{{script}}", script}});
}

/// The files of a lesson without claims, its inputs and settings written out: neither samples nor models are read.
/// Options of questions keep their order.
json filesWrittenOut(const lessons::Lesson& lesson, const lessons::LessonFiles& files) {
    using nlohmann::ordered_json;
    auto scenes = ordered_json::parse(files.in_lesson("scene.json").value());
    for (std::size_t index = 0; index < lesson.steps.size(); ++index) {
        const auto& step = lesson.steps[index];
        const auto board = ordered_json::parse(lessons::scene_json_of(step.scene, step.view));
        auto& target = scenes["steps"][index];
        for (const char* part : {"inputs", "settings"})
            target[part] = board["steps"][0][part];
        target.erase("checks");
        target.erase("first_checks");
    }
    json all{{"scene.json", scenes.dump()}};
    for (const auto language : lessons::languages)
        if (const auto text = files.in_lesson(std::string(language) + ".md"))
            all[std::string(language) + ".md"] = *text;
    return all;
}

/// The sections "## ID: ..." of a lesson's text for these steps, after what stands before them.
std::string textOfSteps(const std::string& text, const std::set<std::string>& steps) {
    std::string kept;
    bool keeps = true;
    std::string_view rest = text;
    while (!rest.empty()) {
        const auto end = rest.find('\n');
        const auto line = rest.substr(0, end == rest.npos ? rest.size() : end + 1);
        if (line.starts_with("## "))
            keeps = steps.contains(std::string(line.substr(3, line.find(':') - 3)));
        if (keeps)
            kept += line;
        rest.remove_prefix(line.size());
    }
    return kept;
}

/// The text of the lecture and, of its lessons in the order of their first step, the steps that it has.
json lectureWrittenOut(const lessons::Lesson& lecture, const LectureSource& source) {
    using nlohmann::ordered_json;
    auto text = ordered_json::parse(source.text);
    // A formula may be that of a step of any lesson: here it is of the step that shows it.
    std::map<std::string, ordered_json> formulas;
    for (auto& entry : text["steps"])
        if (entry.contains("formula") && entry["formula"].is_string()) {
            formulas[entry["lesson"].get<std::string>() + "/" + entry["step"].get<std::string>()] = entry["formula"];
            entry.erase("formula");
        }
    json all{{"name", lecture.id}, {"lecture.json", text.dump()}, {"lessons", json::array()}};
    std::vector<std::string> order;
    std::map<std::string, std::set<std::string>> steps;
    for (const auto& step : lecture.steps) {
        const auto slash = step.id.find('/');
        const auto lesson = step.id.substr(0, slash);
        if (!steps.contains(lesson))
            order.push_back(lesson);
        steps[lesson].insert(step.id.substr(slash + 1));
    }
    for (const auto& id : order) {
        const auto found =
            std::ranges::find_if(source.lessons, [&](const auto& lesson) { return lesson.first->id == id; });
        if (found == source.lessons.end())
            throw Error({ATTNLAB_TEXT("there is no lesson '%1'"), {id}});
        auto files = filesWrittenOut(*found->first, found->second);
        auto scenes = ordered_json::parse(files["scene.json"].get<std::string>());
        auto kept = ordered_json::array();
        for (auto& step : scenes["steps"]) {
            const auto name = step["id"].get<std::string>();
            if (!steps[id].contains(name))
                continue;
            if (const auto formula = formulas.find(id + "/" + name); formula != formulas.end())
                step["formula"] = formula->second;
            kept.push_back(std::move(step));
        }
        scenes["steps"] = std::move(kept);
        files["scene.json"] = scenes.dump();
        for (const auto language : lessons::languages)
            if (const auto name = std::string(language) + ".md"; files.contains(name))
                files[name] = textOfSteps(files[name].get<std::string>(), steps[id]);
        files["folder"] = std::filesystem::path(found->first->folder).filename().string();
        all["lessons"].push_back(std::move(files));
    }
    return all;
}

void requireRoom(const AttentionProblem& problem) {
    std::int64_t numbers = 0;
    for (const auto& [name, tensor] : problem.tensors)
        numbers += tensor.size();
    const auto resolved = resolve(problem);
    auto scores = std::int64_t{1};
    for (const auto* size : {"B", "H", "L", "S"})
        scores *= std::max<std::int64_t>(1, std::min(resolved.sizes.at(size), most_live_numbers + 1));
    for (const auto count : {numbers, scores})
        if (count > most_live_numbers)
            throw Error({ATTNLAB_TEXT("A page that computes holds up to %1 numbers, there are %2; a page of numbers "
                                      "alone (attnlab render) holds more"),
                         {std::to_string(most_live_numbers), std::to_string(count)}});
    for (const auto& [name, tensor] : problem.tensors)
        for (const double value : tensor.values())
            if (std::isnan(value))
                throw Error({ATTNLAB_TEXT("%1: has NaN, which a page that computes cannot hold"), {name}});
}

} // namespace

std::optional<Message> livePageUnsupportedReason() {
    if (!moduleFile("attnlab.wasm").isEmpty() && !moduleFile("words.json").isEmpty())
        return std::nullopt;
    return Message(ATTNLAB_TEXT("This build of the program lacks the engine for pages (attnlab.wasm): build it with "
                                "scripts/web"));
}

std::optional<Message> livePageUnsupportedReason(const AttentionProblem& problem) {
    if (auto reason = livePageUnsupportedReason())
        return reason;
    try {
        requireRoom(problem);
    } catch (const Error& error) {
        return error.message();
    }
    return std::nullopt;
}

namespace {

/// A lesson of one step, whose texts are never shown. The titles are any text, so that they are not Markdown.
QByteArray boardPage(const lab::Scene& scene, const lab::BoardSpec& view, bool whole, const LivePageOptions& options,
                     const RunControl& control) {
    std::map<std::string, std::string> files{{"scene.json", lessons::scene_json_of(scene, view)}};
    for (const auto language : lessons::languages)
        files[std::string(language) + ".md"] = "# Board\nBoard\n\n## board: Board\nBoard\n";
    lessons::LessonFiles source;
    source.in_lesson = [&](const std::string& file) { return std::optional(files.at(file)); };
    auto lesson = lessons::load_lesson("page", source);
    for (auto& [language, title] : lesson.titles) {
        const auto& given = language == "zh_CN" && !options.title_zh.isEmpty() ? options.title_zh : options.title;
        title.title = (given.isEmpty() ? QStringLiteral("AttnLab") : given.simplified()).toStdString();
        const auto& summary =
            language == "zh_CN" && !options.summary_zh.isEmpty() ? options.summary_zh : options.summary;
        title.summary = summary.toStdString();
    }
    return written(lesson, files, whole ? "workspace" : "board", options, control);
}

} // namespace

QByteArray livePage(const AttentionProblem& problem, const LivePageOptions& options, const RunControl& control) {
    if (const auto reason = livePageUnsupportedReason())
        throw Error(*reason);
    requireRoom(problem);
    const auto scene = lab::scene_of(problem, {"A", "B"});
    return boardPage(scene, {}, true, options, control);
}

QByteArray livePage(const lab::Scene& scene, const lab::BoardSpec& view, const LivePageOptions& options,
                    const RunControl& control) {
    return boardPage(scene, view, false, options, control);
}

QByteArray livePage(const lessons::Lesson& lesson, const lessons::LessonFiles& files, const LivePageOptions& options,
                    const RunControl& control) {
    return written(lesson, filesWrittenOut(lesson, files), "lesson", options, control);
}

QByteArray livePage(const lessons::Lesson& lecture, const LectureSource& source, const LivePageOptions& options,
                    const RunControl& control) {
    return written(lecture, lectureWrittenOut(lecture, source), "lesson", options, control);
}

} // namespace attnlab::ui
