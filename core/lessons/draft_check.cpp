#include "core/lessons/draft_check.h"

#include "core/lessons/lesson_text.h"
#include "core/lessons/scene_file.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace attnlab::lessons {
namespace {

bool is_blank_text(const std::string& text) { return text.find_first_not_of(" \t\r\n") == text.npos; }

class MissingFields {
public:
    explicit MissingFields(const Draft& draft) : draft_(draft) {
        for (const auto language : languages)
            if (draft.has_language(language))
                languages_.emplace_back(language);
        if (languages_.empty())
            languages_.emplace_back(languages.front());
    }

    std::vector<DraftMistake> all() {
        for (const auto& language : languages_) {
            place_ = {DraftPlace::lesson, language};
            const auto found = draft_.titles.find(language);
            const DraftTitle title = found == draft_.titles.end() ? DraftTitle() : found->second;
            require(title.title, "title", ATTNLAB_TEXT("The lesson needs a title."));
            require(title.summary, "summary",
                    ATTNLAB_TEXT("The lesson needs a sentence or two for the list of lessons."));
        }
        for (place_.step = 0; place_.step < draft_.steps.size(); ++place_.step)
            look_at(draft_.steps[place_.step]);
        return std::move(missing_);
    }

private:
    void require(const std::string& text, const std::string& field, const char* message) {
        if (is_blank_text(text))
            missing_.push_back({{place_.step, place_.language, field}, message});
    }

    /// A part of which one language has words and another has none.
    void require_in_all(const DraftStep& step, const DraftText& text, const std::string& field, const auto& part) {
        if (!is_blank_text(part(text)))
            return;
        if (std::ranges::any_of(languages_, [&](const std::string& language) {
                const auto other = step.texts.find(language);
                return other != step.texts.end() && !is_blank_text(part(other->second));
            }))
            missing_.push_back({{place_.step, place_.language, field},
                                ATTNLAB_TEXT("These words are written in the other language, but not in this one.")});
    }

    void look_at(const DraftStep& step) {
        place_.language.clear();
        if (step.question)
            look_at_options(*step.question);
        for (const auto& language : languages_) {
            place_.language = language;
            const auto found = step.texts.find(language);
            look_at_text(step, found == step.texts.end() ? DraftText() : found->second);
        }
    }

    void look_at_options(const DraftQuestion& question) {
        if (question.options.size() < 2)
            missing_.push_back({{place_.step, {}, "options"}, ATTNLAB_TEXT("A question needs two options or more.")});
        for (const auto& option : question.options)
            require(option.right, "right " + option.id,
                    ATTNLAB_TEXT("When is this option right? Write an expression."));
    }

    void look_at_text(const DraftStep& step, const DraftText& text) {
        require(text.title, "title", ATTNLAB_TEXT("The step needs a title."));
        require(text.body, "body", ATTNLAB_TEXT("The step needs a text."));
        if (step.question) {
            require(text.question, "question", ATTNLAB_TEXT("The question has no words yet."));
            require(text.answer, "answer", ATTNLAB_TEXT("The question needs an answer that explains."));
            for (const auto& option : step.question->options) {
                const auto words = text.options.find(option.id);
                require(words == text.options.end() ? std::string() : words->second, "option " + option.id,
                        ATTNLAB_TEXT("The option has no words yet."));
            }
            require_in_all(step, text, "hint", [](const DraftText& one) { return one.hint; });
        }
        std::vector<std::string> cards;
        for (const auto& [language, other] : step.texts)
            for (const auto& [id, words] : other.cards)
                if (std::ranges::find(cards, id) == cards.end())
                    cards.push_back(id);
        for (const auto& id : cards)
            require_in_all(step, text, "card " + id, [&](const DraftText& one) {
                const auto words = one.cards.find(id);
                return words == one.cards.end() ? std::string() : words->second;
            });
    }

    const Draft& draft_;
    std::vector<std::string> languages_;
    DraftPlace place_;
    std::vector<DraftMistake> missing_;
};

} // namespace

std::vector<DraftMistake> missing_in(const Draft& draft) { return MissingFields(draft).all(); }

namespace {

/// "x" as the text of a step; `field` is read as load_lesson() reads it.
LessonText text_of_field(const std::string& field) {
    Draft draft;
    draft.titles["en"] = {"x", "x"};
    DraftStep step;
    step.id = "x";
    step.texts["en"].title = "x";
    step.texts["en"].body = field;
    draft.steps.push_back(std::move(step));
    auto file = parse_text(WrittenDraft(draft).texts().at("en.md"), "en.md");
    return std::move(file.steps.front().second.body);
}

/// Names a part of the step as its author sees it: "board" for "steps[0].board".
Message without_step(Message message) {
    constexpr std::string_view of_step = "steps[0].";
    for (auto& argument : message.arguments)
        if (argument.words())
            argument = without_step(*argument.words());
        else if (argument.text().starts_with(of_step))
            argument = argument.text().substr(of_step.size());
    return message;
}

/// Reports the mistakes of one step, the first of each field.
class DraftStepChecker {
public:
    DraftStepChecker(const Draft& draft, std::size_t index, const LessonFiles& resources, const RunControl& control)
        : draft_(only_step(draft, index)), step_(draft_.steps.front()), index_(index), resources_(resources),
          control_(control) {
        draft_.group.clear();
        draft_.titles.clear(); // are checked apart
        for (const auto language : languages)
            if (draft.has_language(language))
                draft_.titles[std::string(language)] = {"x", "x"};
    }

    DraftStepReport report() {
        for (auto& mistake : missing_in(draft_))
            add(std::move(mistake));
        const bool complete = report_.mistakes.empty() && !draft_.titles.empty();
        if (!read_board())
            return std::move(report_);
        check_claims();
        if (step_.question)
            check_options(*step_.question);
        for (const auto& [language, text] : step_.texts)
            if (draft_.has_language(language))
                check_text(language, text);
        if (complete)
            check_whole();
        return std::move(report_);
    }

private:
    void add(DraftMistake mistake) {
        if (mistake.place.step == DraftPlace::lesson) // check_draft_lesson() reports it
            return;
        mistake.place.step = index_;
        if (!report_.mistake_of(mistake.place.language, mistake.place.field))
            report_.mistakes.push_back(std::move(mistake));
    }
    void add(const std::string& language, const std::string& field, const Message& message) {
        add({{index_, language, field}, message});
    }
    void add(const WrittenDraft& written, const std::vector<Mistake>& mistakes) {
        for (const auto& mistake : mistakes)
            add({written.place_of(mistake), without_step(mistake.message)});
    }

    /// The scene without what the author types: that may be incomplete.
    bool read_board() {
        auto bare = draft_;
        bare.steps.front().checks.clear();
        bare.steps.front().first_checks.clear();
        bare.steps.front().question.reset();
        const WrittenDraft written(bare);
        try {
            auto scenes = read_scenes(written.texts().at("scene.json"), "scene.json", written.files(resources_));
            report_.scene = std::move(scenes.steps.front().scene);
            report_.view = std::move(scenes.steps.front().view);
            report_.result = std::make_shared<const lab::SceneResult>(lab::compute(*report_.scene, control_));
            return true;
        } catch (const LessonError& error) {
            add(written, error.mistakes());
        } catch (const Cancelled&) {
            throw;
        } catch (const Error& error) { // the draw
            add({}, "board", error.message());
        }
        return false;
    }

    ClaimReport claim_report(const std::string& text, const std::string& field, const Evaluation& evaluation) {
        try {
            auto report = evaluate_claim({Expression(text)}, evaluation);
            if (!report.evaluated)
                add({}, field, {"%1", {report.measured}});
            return report;
        } catch (const Cancelled&) {
            throw;
        } catch (const Error& error) {
            if (!is_blank_text(text))
                add({}, field, error.message());
            return {text, false, error.what(), false};
        }
    }

    void check_claims() {
        const Evaluation evaluation(*report_.scene, *report_.result, control_);
        for (const auto& [field, claims, reports] : {std::tuple{"checks", &step_.checks, &report_.checks},
                                                     {"first_checks", &step_.first_checks, &report_.first_checks}})
            for (const auto& claim : *claims)
                reports->push_back(
                    claim_report(claim, std::string(field) + " " + std::to_string(reports->size()), evaluation));
    }

    /// What the question is about, also while its options are incomplete; nullopt where that cannot be read.
    std::optional<lab::Scene> scene_of_question() {
        auto bare = draft_;
        auto& step = bare.steps.front();
        step.checks.clear();
        step.first_checks.clear();
        step.question->options = {{"x", "1 = 1"}, {"y", "1 = 2"}};
        const WrittenDraft written(bare);
        try {
            const auto scenes = read_scenes(written.texts().at("scene.json"), "scene.json", written.files(resources_));
            return question_scene(scenes.steps.front());
        } catch (const LessonError& error) {
            add(written, error.mistakes());
            return std::nullopt;
        }
    }

    void check_options(const DraftQuestion& question) {
        const auto scene = scene_of_question();
        std::optional<lab::SceneResult> other;
        try {
            if (scene && !(*scene == *report_.scene))
                other = lab::compute(*scene, control_);
        } catch (const Cancelled&) {
            throw;
        } catch (const Error& error) { // the draw
            add({}, "options", error.message());
        }
        const bool known = scene && (other || *scene == *report_.scene);
        for (const auto& option : question.options) {
            ClaimReport claim{option.right, false, {}, false};
            if (known)
                claim = claim_report(option.right, "right " + option.id,
                                     Evaluation(*scene, other ? *other : *report_.result, control_));
            report_.options.push_back({option.id, std::move(claim)});
        }
    }

    void check_text(const std::string& language, const DraftText& text) {
        check_field(language, "body", text.body);
        for (const auto& [id, words] : text.cards)
            check_field(language, "card " + id, words);
        if (!step_.question)
            return;
        check_field(language, "question", text.question);
        check_field(language, "hint", text.hint);
        for (const auto& [id, words] : text.options)
            check_field(language, "option " + id, words);
        // check_whole() checks the answer, whose numbers may come from another draw.
    }

    void check_field(const std::string& language, const std::string& field, const std::string& text) {
        if (is_blank_text(text))
            return;
        try {
            const Evaluation evaluation(*report_.scene, *report_.result, control_, most_text_cells);
            filled(text_of_field(text), evaluation, [&](int, const Message& why) { add(language, field, why); });
        } catch (const LessonError& error) {
            add(language, field, error.mistakes().front().message);
        }
    }

    /// As the loader and the checks of a finished lesson.
    void check_whole() {
        const WrittenDraft written(draft_);
        try {
            const auto lesson = load_lesson("lesson", written.files(resources_));
            const auto step = check_step(lesson, lesson.steps.front(), control_);
            for (std::size_t k = 0; k < step.options.size() && k < report_.options.size(); ++k)
                report_.options[k] = step.options[k];
            add(written, step.mistakes);
        } catch (const LessonError& error) {
            add(written, error.mistakes());
        }
    }

    Draft draft_;
    const DraftStep& step_;
    std::size_t index_;
    const LessonFiles& resources_;
    const RunControl& control_;
    DraftStepReport report_;
};

} // namespace

const Message* DraftStepReport::mistake_of(std::string_view language, std::string_view field) const {
    const auto found = std::ranges::find_if(mistakes, [&](const DraftMistake& mistake) {
        return mistake.place.language == language && mistake.place.field == field;
    });
    return found == mistakes.end() ? nullptr : &found->message;
}

DraftStepReport check_draft_step(const Draft& draft, std::size_t step, const LessonFiles& resources,
                                 const RunControl& control) {
    return DraftStepChecker(draft, step, resources, control).report();
}

std::vector<DraftMistake> check_draft_lesson(const Draft& draft) {
    auto mistakes = missing_in(draft);
    std::erase_if(mistakes, [](const DraftMistake& mistake) { return mistake.place.step != DraftPlace::lesson; });
    if (draft.steps.empty())
        mistakes.push_back({{DraftPlace::lesson, {}, "steps"}, ATTNLAB_TEXT("The lesson has no step yet.")});
    if (!mistakes.empty())
        return mistakes;
    // check_draft_step() checks the steps. A lesson needs at least one, so a valid one takes their place here.
    Draft bare = draft;
    bare.steps.clear();
    DraftStep step;
    step.id = "x";
    for (const auto language : languages)
        if (draft.has_language(language))
            step.texts[std::string(language)].title = step.texts[std::string(language)].body = "x";
    bare.steps.push_back(std::move(step));
    const WrittenDraft written(bare);
    for (const auto& [file, text] : written.texts())
        if (file.ends_with(".md"))
            try {
                parse_text(text, file);
            } catch (const LessonError& error) {
                for (const auto& mistake : error.mistakes())
                    mistakes.push_back({written.place_of(mistake), mistake.message});
            }
    return mistakes;
}

namespace {

/// A question mark stands for each {{number}} that cannot be read.
std::string without_broken_numbers(const std::string& field) {
    std::string result;
    std::size_t at = 0;
    while (at < field.size()) {
        const auto open = std::min(field.find("{{", at), field.size());
        result += field.substr(at, open - at);
        if (open == field.size())
            break;
        const auto close = field.find("}}", open);
        const auto end = close == field.npos ? field.size() : close + 2;
        const auto number = field.substr(open, end - open);
        try {
            text_of_field(number);
            result += number;
        } catch (const LessonError&) {
            result += "**?**";
        }
        at = end;
    }
    return result;
}

} // namespace

std::string filled_field(const std::string& field, const DraftStepReport& report, const RunControl& control) {
    if (!report.result || is_blank_text(field))
        return field;
    try {
        return filled(text_of_field(without_broken_numbers(field)),
                      Evaluation(*report.scene, *report.result, control, most_text_cells));
    } catch (const LessonError&) { // a limit of the text
        return field;
    }
}

} // namespace attnlab::lessons
