#include "core/lessons/lesson_files.h"

#include "core/io/file_bytes.h"
#include "core/io/npz.h"
#include "core/lessons/scene_file.h"
#include "core/lookup.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <iterator>
#include <memory>
#include <numeric>
#include <system_error>
#include <utility>

namespace attnlab::lessons {
namespace {

constexpr std::int64_t most_bytes = std::int64_t{1} << 28;

/// Reads number and id from "02-why-divide" or a path that ends so; another name is the id.
void read_folder_name(Lesson& lesson) {
    auto name = std::string_view(lesson.folder);
    while (!name.empty() && name.back() == '/')
        name.remove_suffix(1);
    lesson.folder = name;
    name = name.substr(name.rfind('/') + 1);
    if (name.ends_with(archive_suffix))
        name.remove_suffix(archive_suffix.size());
    int order = 0;
    const auto read = std::from_chars(name.data(), name.data() + name.size(), order);
    const auto rest = name.substr(static_cast<std::size_t>(read.ptr - name.data()));
    const bool numbered = read.ec == std::errc() && rest.size() > 1 && rest.front() == '-';
    lesson.order = numbered ? order : 0;
    lesson.id = numbered ? rest.substr(1) : name;
}

std::string contents(const LessonFiles& files, const std::string& name, const std::string& shown) {
    if (auto text = files.in_lesson(name))
        return std::move(*text);
    throw LessonError(shown, 0, ATTNLAB_TEXT("is missing"));
}

/// The numbers of a text must refer to settings of its step.
void require_settings(const Step& step, const LessonText& text, const std::string& file) {
    for (const auto& piece : text.pieces) {
        if (!piece.number)
            continue;
        for (const auto& [id, column] : piece.number->settings())
            if (!lookup(step.scene.settings, id))
                throw LessonError(
                    file, piece.line,
                    {ATTNLAB_TEXT("{{%1}}: step '%2' has no setting '%3'"), {piece.number->text(), step.id, id}});
    }
}

/// Assigns the texts of one language to the steps, whose ids and order must match.
class TextMatcher {
public:
    TextMatcher(Lesson& lesson, std::string_view language, TextFile text)
        : lesson_(lesson), language_(language), text_(std::move(text)) {}

    void match(std::vector<Mistake>& mistakes) {
        lesson_.titles.emplace(language_, LessonTitle{text_.title, text_.summary});
        for (std::size_t k = 0; k < std::max(text_.steps.size(), lesson_.steps.size()); ++k) {
            require_pair(k);
            auto& [id, text] = text_.steps[k];
            auto& step = lesson_.steps[k];
            const auto check = [&, &words = text](auto rule) {
                collected(mistakes, [&] { (this->*rule)(step, words); });
            };
            check(&TextMatcher::match_question);
            check(&TextMatcher::match_cards);
            check(&TextMatcher::match_settings);
            step.texts.emplace(language_, std::move(text));
        }
    }

private:
    [[noreturn]] void fail(int line, const Message& message) const { throw LessonError(text_.file, line, message); }

    /// The text and the scenes of step `k`; without one of them, nothing after it can be matched.
    void require_pair(std::size_t k) const {
        if (k >= text_.steps.size())
            throw LessonError(text_.file, text_.steps.back().second.line,
                              {ATTNLAB_TEXT("step '%1' of scene.json has no text, expected '## %1: title' after this "
                                            "step"),
                               {lesson_.steps[k].id}});
        const auto& [id, text] = text_.steps[k];
        if (k >= lesson_.steps.size())
            fail(text.line, {ATTNLAB_TEXT("step '%1' is not in scene.json"), {id}});
        if (lesson_.steps[k].id != id)
            fail(text.line, {ATTNLAB_TEXT("is step '%1', expected '%2' as in scene.json"), {id, lesson_.steps[k].id}});
    }

    void match_question(const Step& step, const StepText& text) const {
        if (step.question && text.question.empty())
            fail(text.line,
                 {ATTNLAB_TEXT("step '%1' has no '### question', but scene.json has its options"), {step.id}});
        if (!step.question) {
            if (!text.question.empty())
                fail(text.lines.at("question"), {ATTNLAB_TEXT("scene.json has no question for step '%1'"), {step.id}});
            return;
        }
        for (const auto& option : step.question->options)
            if (!text.options.contains(option.id))
                fail(text.lines.at("question"),
                     {ATTNLAB_TEXT("option '%1' of scene.json is missing here"), {option.id}});
        for (const auto& [id, words] : text.options)
            if (!lookup(step.question->options, id))
                fail(text.lines.at("option " + id), {ATTNLAB_TEXT("option '%1' is not in scene.json"), {id}});
        if (step.texts.empty())
            return;
        const auto& [other, first] = *step.texts.begin();
        if (text.hint.empty() && !first.hint.empty())
            fail(text.lines.at("question"), {ATTNLAB_TEXT("the question has a hint in %1.md, but not here"), {other}});
        if (!text.hint.empty() && first.hint.empty())
            fail(text.lines.at("hint"), {ATTNLAB_TEXT("the question has no hint in %1.md"), {other}});
        for (const auto& [id, words] : first.whys)
            if (!text.whys.contains(id))
                fail(text.lines.at("question"),
                     {ATTNLAB_TEXT("'%1' is in %2.md, but not here"), {"### why " + id, other}});
        for (const auto& [id, words] : text.whys)
            if (!first.whys.contains(id))
                fail(text.lines.at("why " + id), {ATTNLAB_TEXT("'%1' is not in %2.md"), {"### why " + id, other}});
    }

    void match_cards(const Step& step, const StepText& text) const {
        auto cards = lab::cards_of(step.view, step.scene);
        if (step.question)
            for (const auto* view : {&step.question->reveals, &step.question->before})
                if (*view)
                    std::ranges::copy(lab::cards_of(**view, step.scene), std::back_inserter(cards));
        for (const auto& [id, words] : text.cards)
            if (!lookup(cards, id))
                fail(text.lines.at("card " + id), {ATTNLAB_TEXT("card '%1' is not in scene.json"), {id}});
        if (step.texts.empty())
            return;
        // All languages must have text for the same cards.
        const auto& [other, first] = *step.texts.begin();
        for (const auto& [id, words] : first.cards)
            if (!text.cards.contains(id))
                fail(text.line, {ATTNLAB_TEXT("card '%1' has words in %2.md, but not here"), {id, other}});
        for (const auto& [id, words] : text.cards)
            if (!first.cards.contains(id))
                fail(text.lines.at("card " + id), {ATTNLAB_TEXT("card '%1' has no words in %2.md"), {id, other}});
    }

    /// Numbers must refer to existing settings.
    void match_settings(const Step& step, const StepText& text) const {
        check_settings(step, text.body);
        for (const auto* part : {&text.question, &text.hint, &text.answer})
            check_settings(step, *part);
        for (const auto* texts : {&text.options, &text.whys, &text.cards})
            for (const auto& [id, words] : *texts)
                check_settings(step, words);
    }

    void check_settings(const Step& step, const LessonText& text) const { require_settings(step, text, text_.file); }

    Lesson& lesson_;
    std::string language_;
    TextFile text_;
};

} // namespace

int Step::line_of(std::string_view part) const {
    const auto found = lines.find(part);
    return found == lines.end() ? line : found->second;
}

namespace {

/// In this language, else in the first of `languages` that there is.
template <class Texts>
const typename Texts::mapped_type& text_of(const Texts& texts, std::string_view language) {
    if (const auto found = texts.find(language); found != texts.end())
        return found->second;
    const auto other = std::ranges::find_if(languages, [&](std::string_view one) { return texts.contains(one); });
    return texts.find(*other)->second;
}

} // namespace

const StepText& Step::text_in(std::string_view language) const { return text_of(texts, language); }

const StepText& Step::notes_in(std::string_view language) const {
    return notes.empty() ? text_in(language) : text_of(notes, language);
}

const LessonTitle& Lesson::title_in(std::string_view language) const { return text_of(titles, language); }

LessonFiles files_below(const std::filesystem::path& lesson, const std::filesystem::path& resources) {
    const auto below = [](const std::filesystem::path& folder) {
        return [folder](const std::string& name) -> std::optional<std::string> {
            const auto path = folder / name;
            if (std::error_code ignored; !std::filesystem::is_regular_file(path, ignored))
                return std::nullopt;
            return io::read_file(path, most_bytes);
        };
    };
    return {lesson.extension() == archive_suffix ? members_of(lesson) : below(lesson), below(resources),
            models_below(resources / "models")};
}

std::function<std::shared_ptr<const model::Model>(const std::string&)>
models_below(const std::filesystem::path& folder) {
    using Models = std::map<std::string, std::shared_ptr<const model::Model>>;
    return [folder, opened = std::make_shared<Models>()](const std::string& name) {
        auto& model = (*opened)[name];
        const bool is_name = name.find_first_of("/\\.") == name.npos && !name.empty();
        if (std::error_code ignored; !model && is_name && std::filesystem::is_directory(folder / name, ignored))
            model = std::make_shared<const model::Model>(model::Model::open(folder / name));
        return model;
    };
}

Lesson load_lesson(const std::string& folder, const LessonFiles& files) {
    Lesson lesson;
    lesson.folder = folder;
    read_folder_name(lesson);
    std::vector<Mistake> mistakes;
    const bool has_scenes = collected(mistakes, [&] {
        auto scenes = read_scenes(contents(files, "scene.json", lesson.scene_file()), lesson.scene_file(), files);
        lesson.group = std::move(scenes.group);
        lesson.steps = std::move(scenes.steps);
    });
    bool has_text = false;
    for (const auto language : languages) {
        const auto bytes = files.in_lesson(std::string(language) + ".md");
        has_text = has_text || bytes;
        if (bytes)
            collected(mistakes, [&] {
                auto text = parse_text(*bytes, lesson.text_file(language));
                if (has_scenes)
                    TextMatcher(lesson, language, std::move(text)).match(mistakes);
            });
    }
    if (!has_text)
        mistakes.push_back({lesson.text_file(languages.front()), 0, ATTNLAB_TEXT("is missing")});
    if (!mistakes.empty())
        throw LessonError(std::move(mistakes));
    return lesson;
}

namespace {

constexpr std::int64_t most_packed_bytes = std::int64_t{1} << 26;

} // namespace

std::function<std::optional<std::string>(const std::string&)> members_of(const std::filesystem::path& archive) {
    return [archive, read = std::make_shared<std::optional<io::Archive>>()](
               const std::string& name) -> std::optional<std::string> {
        if (!*read) {
            io::ReadLimits limits;
            limits.max_bytes = most_packed_bytes;
            *read = io::read_npz(archive, limits, io::Members::All);
        }
        const auto& members = (*read)->others;
        const auto found = members.find(name);
        return found == members.end() ? std::nullopt : std::optional(found->second);
    };
}

void write_archive(const std::filesystem::path& archive, const LessonFiles& files) {
    io::Archive packed;
    const auto add = [&](const std::string& name) {
        if (auto bytes = files.in_lesson(name))
            packed.others.emplace(name, *std::move(bytes));
    };
    add("scene.json");
    for (const auto language : languages)
        add(std::string(language) + ".md");
    io::write_npz(archive, packed);
}

namespace {

class LectureReader {
public:
    explicit LectureReader(std::span<const Lesson* const> lessons) : lessons_(lessons) {}

    Step step_from(const JsonNode& node) const {
        node.require_keys({"lesson", "step", "minutes", "moves", "question", "formula", "view", "slide"});
        const auto& lesson = lesson_called(node.at("lesson"));
        Step step = step_called(lesson, node.at("step"));
        step.id = lesson.id + "/" + step.id;
        step.minutes = node.at("minutes").number();
        if (!(step.minutes > 0.0))
            node.at("minutes").fail_expecting(ATTNLAB_TEXT("a number above 0"));
        if (const auto* question = node.find("question"); question && !question->boolean())
            leave_out_question(step);
        if (const auto* formula = node.find("formula"))
            step.formula = formula->is_text()   ? formula_called(*formula)
                           : formula->boolean() ? step.formula
                                                : std::string();
        if (const auto* view = node.find("view")) {
            view->require_keys({"board", "cards", "stage", "setting", "show", "curve", "axis", "colors", "live", "pin",
                                "highlight", "token", "query", "at", "tile", "costs", "over"});
            scene_file::read_view(*view, step.scene, step.view);
            limit_other_views(*view, step);
        }
        if (const auto* slide = node.find("slide"))
            read_slide(*slide, step);
        if (const auto* moves = node.find("moves"))
            for (const auto& move : moves->items())
                step.moves.push_back(move_from(move, step));
        return step;
    }

private:
    const Lesson& lesson_called(const JsonNode& node) const {
        if (const auto* found = lookup(lessons_, node.text(), &Lesson::id))
            return **found;
        fail(node, {ATTNLAB_TEXT("there is no lesson '%1', expected one of %2"),
                    {node.text(), listed(lessons_, &Lesson::id)}});
    }

    static const Step& step_called(const Lesson& lesson, const JsonNode& node) {
        if (const auto* found = lookup(lesson.steps, node.text()))
            return *found;
        fail(node, {ATTNLAB_TEXT("lesson '%1' has no step '%2', expected one of %3"),
                    {lesson.id, node.text(), listed(lesson.steps, &Step::id)}});
    }

    std::string formula_called(const JsonNode& node) const {
        for (const auto* lesson : lessons_)
            if (std::ranges::find(lesson->steps, node.text(), &Step::formula) != lesson->steps.end())
                return node.text();
        fail(node, {ATTNLAB_TEXT("no step of a lesson has the formula '%1'"), {node.text()}});
    }

    /// Parts and controls that the view leaves out are not shown before or after the answer either.
    static void limit_other_views(const JsonNode& view, Step& step) {
        if (!step.question)
            return;
        for (auto* board : {&step.question->before, &step.question->reveals}) {
            if (!*board)
                continue;
            if (view.find("show"))
                std::erase_if((*board)->show, [&](auto part) { return !step.view.shows(part); });
            if (view.find("live"))
                std::erase_if((*board)->live, [&](auto control) { return !step.view.is_live(control); });
        }
    }

    static void leave_out_question(Step& step) {
        step.question.reset();
        for (auto& [language, text] : step.texts) {
            text.question = text.hint = text.answer = {};
            text.options.clear();
        }
    }

    /// {"en": {"title", "text", "answer", "notes"}, ...}: what the audience reads in place of the lesson's text, which
    /// becomes the notes, unless the slide has notes of its own.
    static void read_slide(const JsonNode& node, Step& step) {
        step.notes = step.texts;
        for (const auto& [language, slide] : node.members()) {
            if (std::ranges::find(languages, language) == languages.end())
                fail(slide, {ATTNLAB_TEXT("is a slide in '%1', expected one of %2"), {language, listed(languages)}});
            slide.require_keys({"title", "text", "answer", "notes"});
            auto text = step.notes_in(language);
            if (const auto* title = slide.find("title")) {
                text.title = title->text();
                if (text.title.empty() || characters_in(text.title) > longest_title)
                    title->fail_expecting({ATTNLAB_TEXT("1 to %1 characters"), {std::to_string(longest_title)}});
            }
            text.body = slide_text(slide.at("text"), step);
            if (const auto* own = slide.find("notes")) {
                auto notes = step.notes_in(language);
                notes.body = text_for_step(*own, step);
                step.notes.insert_or_assign(language, std::move(notes));
            }
            const auto* answer = slide.find("answer");
            if (step.question.has_value() != (answer != nullptr))
                fail(slide, answer ? Message{ATTNLAB_TEXT("has an answer, but step '%1' shows no question"), {step.id}}
                                   : Message{ATTNLAB_TEXT("has no answer to the question of step '%1'"), {step.id}});
            if (answer)
                text.answer = slide_text(*answer, step);
            step.texts.insert_or_assign(language, std::move(text));
        }
        for (const auto language : languages)
            if (!node.find(language))
                fail(node,
                     {ATTNLAB_TEXT("the slide of step '%1' has no text in '%2'"), {step.id, std::string(language)}});
    }

    static LessonText text_for_step(const JsonNode& node, const Step& step) {
        if (const auto excess = excess_of(node.text()))
            fail(node, {ATTNLAB_TEXT("the slide of step '%1' %2"), {step.id, excess->message}});
        auto text = lesson_text(node.text(), node.name_of_text(), node.line());
        require_settings(step, text, node.name_of_text());
        return text;
    }

    static LessonText slide_text(const JsonNode& node, const Step& step) {
        auto text = text_for_step(node, step);
        const auto words = words_in(text);
        if (words == 0 || words > most_slide_words)
            fail(node, {ATTNLAB_TEXT("the slide of step '%1' has a text of %2 words, expected 1 to %3"),
                        {step.id, std::to_string(words), std::to_string(most_slide_words)}});
        return text;
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
                fail(*draw, {ATTNLAB_TEXT("the inputs of step '%1' are not a draw"), {step.id}});
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

int reading_minutes(const Lesson& lesson, std::string_view language) {
    double minutes = minutes_of(lesson);
    if (minutes == 0.0) {
        std::size_t words = 0;
        for (const auto& step : lesson.steps) {
            words += words_in(step.text_in(language));
            minutes += minutes_per_step + (step.question ? minutes_per_question : 0.0);
        }
        minutes += static_cast<double>(words) / words_per_minute;
    }
    return static_cast<int>(std::ceil(minutes));
}

} // namespace attnlab::lessons
