// Checks lessons by the engine: every claim, question and displayed item, for every draw and size a reader can select.
#pragma once

#include "core/lessons/lesson.h"

#include <string>
#include <string_view>
#include <vector>

namespace attnlab::lessons {

struct ClaimReport {
    std::string text;
    bool holds = false;
    std::string measured;  ///< "variance(root.scaled) is 1.034"; empty for constants only, as in "1 < 2"
    bool evaluated = true; ///< false: `measured` is the reason
};

/// A claim that cannot be evaluated is false; `measured` gives the reason.
ClaimReport evaluate_claim(const Claim& claim, const Evaluation& evaluation);

struct OptionReport {
    std::string id;
    ClaimReport claim;
};

struct StepReport {
    std::string id;
    std::vector<ClaimReport> checks;
    std::vector<OptionReport> options;
    std::vector<Mistake> mistakes; ///< all errors; empty: the step is correct in every language
};

/// Computes the step and checks all its statements: checks, the question's options (exactly one must be right), numbers
/// in the texts, cards, pins, tokens. Throws Cancelled.
StepReport check_step(const Lesson& lesson, const Step& step, const RunControl& control = {});

/// The scene of the step's question and answer: the step's own, with the question's draw if it has one.
lab::Scene question_scene(const Step& step);

/// The option whose expression is true in question_scene(); empty unless there is exactly one. Requires a question.
/// Throws Cancelled.
std::string right_option(const Step& step, const RunControl& control = {});

// Tries a lesson's claims on everything that its reader can reach.

/// The scenes that the live controls of a step lead to, besides the one as written: `draws` seeds where the inputs can
/// be drawn again, each with every size and distribution of the live controls, one at a time and then all together; and
/// `draws` random edits where cells can be edited. Settings are the written ones: texts are about those.
std::vector<lab::Scene> reachable_scenes(const Step& step, int draws);

/// Every check of the step that is false, and every number of its text that cannot be computed, in one of these scenes;
/// and the question, where another draw has another answer. Each is reported once, with the first scene where it fails.
/// Throws Cancelled.
std::vector<Mistake> refute(const Lesson& lesson, const Step& step, int draws, const RunControl& control = {});

/// "d = 1024, 10 keys, normal, seed 7".
std::string scene_words(const lab::Scene& scene);

} // namespace attnlab::lessons
