// Checks lessons by the engine: every claim, question and displayed item.
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
ClaimReport found_out(const Claim& claim, const Evaluation& evaluation);

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

} // namespace attnlab::lessons
