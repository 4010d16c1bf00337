#include "core/lessons/load.h"

#include "core/io/file_bytes.h"
#include "core/lessons/archive.h"
#include "core/lessons/scene_file.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <system_error>

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
            const auto check = [&, &words = text](auto match) {
                collected(mistakes, [&] { (this->*match)(step, words); });
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
            if (std::ranges::find(step.question->options, id, &Option::id) == step.question->options.end())
                fail(text.lines.at("option " + id), {ATTNLAB_TEXT("option '%1' is not in scene.json"), {id}});
    }

    void match_cards(const Step& step, const StepText& text) const {
        auto cards = lab::cards_of(step.view, step.scene);
        if (step.question && step.question->reveals)
            std::ranges::copy(lab::cards_of(*step.question->reveals, step.scene), std::back_inserter(cards));
        for (const auto& [id, words] : text.cards)
            if (std::ranges::find(cards, id, &lab::Card::id) == cards.end())
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
        check_settings(step, text.question);
        check_settings(step, text.answer);
        for (const auto* texts : {&text.options, &text.cards})
            for (const auto& [id, words] : *texts)
                check_settings(step, words);
    }

    void check_settings(const Step& step, const LessonText& text) const {
        for (const auto& piece : text.pieces) {
            if (!piece.number)
                continue;
            for (const auto& [id, column] : piece.number->settings())
                if (std::ranges::find(step.scene.settings, id, &lab::SceneSetting::id) == step.scene.settings.end())
                    fail(piece.line,
                         {ATTNLAB_TEXT("{{%1}}: step '%2' has no setting '%3'"), {piece.number->text(), step.id, id}});
        }
    }

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
        lesson.steps = read_scenes(contents(files, "scene.json", lesson.scene_file()), lesson.scene_file(), files);
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

} // namespace attnlab::lessons
