// A lesson: steps with text, scenes that the engine computes, and claims about them.
#pragma once

#include "core/lab/board.h"
#include "core/lessons/lesson_text.h"
#include "core/message.h"

#include <array>

namespace attnlab::lessons {

/// The languages in which a lesson may be written: <language>.md. Shipped lessons have all of them.
inline constexpr std::array<std::string_view, 2> languages = {"en", "zh_CN"};

/// A heading of the list of lessons, in the order of the list.
struct LessonGroup {
    std::string_view id; ///< as a lesson names it
    const char* heading;
};
inline constexpr LessonGroup lesson_groups[] = {
    {"idea", ATTNLAB_TEXT("The idea")},
    {"scale", ATTNLAB_TEXT("Scale and softmax")},
    {"masks", ATTNLAB_TEXT("Masks and positions")},
    {"heads", ATTNLAB_TEXT("Heads and models")},
    {"large", ATTNLAB_TEXT("Large inputs")},
};

/// Limits of a step.
inline constexpr std::size_t most_scene_tokens = 10'000; ///< labels along an axis
inline constexpr std::size_t most_cards = 64;
/// Words of the text or the answer of a slide, as words_in() counts them: an audience reads them in a glance.
inline constexpr std::size_t most_slide_words = 30;
inline constexpr std::size_t most_hidden = 64; ///< parts that a question covers

/// An expression about a scene that must be true, or is to be tested.
struct Claim {
    Expression expression;
    int line = 0; ///< of scene.json
};

struct Option {
    std::string id;
    Claim right; ///< true when this option is the answer
};

struct Question {
    std::vector<Option> options;            ///< in the order of scene.json
    std::optional<lab::RandomInputs> about; ///< the draw of the question, if it differs from the scene's
    std::optional<lab::BoardSpec> reveals;  ///< what the board shows after an answer, if it changes
    bool covers = true;                     ///< parts of the board are covered until there is an answer
    /// What is covered; nullopt: what the options read, and the texts of cards.
    std::optional<std::vector<lab::HiddenPart>> hides;
    std::optional<lab::BoardSpec> before; ///< what the board shows until then, if it changes
    int line = 0;
};

/// What one press of the key does in a lecture; one of them is set.
struct Move {
    std::string answer;                         ///< an option that is chosen
    std::optional<lab::RandomInputs> draw = {}; ///< the inputs on show
    std::string stage = {};                     ///< of the cards
    std::optional<std::int64_t> at = {};        ///< step of the training
};

struct Step {
    std::string id;
    std::string formula; ///< resources/formulas/<formula>.svg; empty if none
    lab::Scene scene;
    lab::BoardSpec view;
    std::vector<Claim> checks;       ///< true wherever the live controls lead
    std::vector<Claim> first_checks; ///< true of the step as it is written
    std::optional<Question> question;
    bool on_sheet = true;                               ///< false: it tells answers, so question sheets leave it out
    std::vector<Move> moves = {};                       ///< of a lecture, before its next step
    double minutes = 0.0;                               ///< of a lecture
    std::map<std::string, StepText, std::less<>> texts; ///< by language
    /// The lesson's own texts, where a lecture shows a slide instead; else empty.
    std::map<std::string, StepText, std::less<>> notes = {};
    int line = 0;                                  ///< of scene.json
    std::map<std::string, int, std::less<>> lines; ///< of "stage", "pin", "settings 0", "cards 0", ...

    /// The line of a part, or of the step itself.
    int line_of(std::string_view part) const;
    /// The text in this language, or else in another one.
    const StepText& text_in(std::string_view language) const;
    /// The same of the notes; text_in() where there are none.
    const StepText& notes_in(std::string_view language) const;
};

struct LessonTitle {
    std::string title;
    std::string summary;
};

struct Lesson {
    std::string folder; ///< as given: used in messages
    int order = 0;
    std::string id;
    std::string group;                                      ///< of lesson_groups; empty if the lesson names none
    std::map<std::string, LessonTitle, std::less<>> titles; ///< by language
    std::vector<Step> steps;

    const LessonTitle& title_in(std::string_view language) const;
    std::string scene_file() const { return folder + "/scene.json"; }
    std::string text_file(std::string_view language) const { return folder + "/" + std::string(language) + ".md"; }
};

} // namespace attnlab::lessons
