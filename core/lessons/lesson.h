// A lesson: steps of text over scenes that the engine computes, with claims about them.
#pragma once

#include "core/lab/board.h"
#include "core/lessons/lesson_text.h"

#include <array>

namespace attnlab::lessons {

/// The languages in which every lesson is written: <language>.md.
inline constexpr std::array<std::string_view, 2> languages = {"en", "zh_CN"};

/// What a step may ask for.
inline constexpr std::size_t most_scene_tokens = 10'000; ///< labels along an axis
inline constexpr std::size_t most_cards = 64;

/// Something that is true of a scene, or is to be found out.
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
    std::optional<lab::RandomInputs> about; ///< the draw under which it is decided, where that is not the scene's
    int line = 0;
};

struct Step {
    std::string id;
    std::string formula; ///< resources/formulas/<formula>.svg; empty: none
    lab::Scene scene;
    lab::BoardSpec view;
    std::vector<Claim> checks;
    std::optional<Question> question;
    std::map<std::string, StepText, std::less<>> texts; ///< by language
    int line = 0;                                       ///< of scene.json
    std::map<std::string, int, std::less<>> lines;      ///< of "stage", "pin", "settings 0", "cards 0", ...

    /// Of one of its parts, or where the step begins.
    int line_of(std::string_view part) const;
    /// In this language, or in English where there is no such text.
    const StepText& text_in(std::string_view language) const;
};

struct LessonTitle {
    std::string title;
    std::string summary;
};

struct Lesson {
    std::string folder; ///< as given: what messages call it
    int order = 0;
    std::string id;
    std::map<std::string, LessonTitle, std::less<>> titles; ///< by language
    std::vector<Step> steps;

    const LessonTitle& title_in(std::string_view language) const;
    std::string scene_file() const { return folder + "/scene.json"; }
    std::string text_file(std::string_view language) const { return folder + "/" + std::string(language) + ".md"; }
};

} // namespace attnlab::lessons
