// Whether a lesson tells the truth: everything that it claims, asks and shows, found out by the engine.
#pragma once

#include "core/lessons/lesson.h"

#include <string>
#include <string_view>
#include <vector>

namespace attnlab::lessons {

struct ClaimReport {
    std::string text;
    bool holds = false;
    std::string measured;  ///< "variance(root.scaled) is 1.034"; empty where it is all written out, as in "1 < 2"
    bool evaluated = true; ///< false: `measured` says why it cannot be
};

struct OptionReport {
    std::string id;
    ClaimReport claim;
};

struct StepReport {
    std::string id;
    std::vector<ClaimReport> checks;
    std::vector<OptionReport> options;
    std::vector<Mistake> mistakes; ///< everything that is wrong; empty: the step is true in every language
};

/// Computes the step as it is written and looks at all that it says: checks, the question's options (exactly one must
/// be right), numbers in the texts, cards, pins, tokens. Throws Cancelled.
StepReport check_step(const Lesson& lesson, const Step& step, const RunControl& control = {});

/// The scene that the step's question and its answer speak of: the step's own, under the question's draw where it has
/// one.
lab::Scene question_scene(const Step& step);

/// The option whose expression is true, of question_scene(); empty where there is no single one. The step must
/// have a question. Throws Cancelled.
std::string right_option(const Step& step, const RunControl& control = {});

} // namespace attnlab::lessons
