// What is wrong with a lesson while it is written, field by field, and what its step shows.
#pragma once

#include "core/lessons/checks.h"
#include "core/lessons/lesson_draft.h"
#include "core/run_control.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::lessons {

/// The fields that are empty and must not be.
std::vector<DraftMistake> missing_in(const Draft& draft);

struct DraftStepReport {
    /// What the step shows; nullopt if its board cannot be read.
    std::optional<lab::Scene> scene;
    lab::BoardSpec view;
    std::shared_ptr<const lab::SceneResult> result; ///< of `scene`
    /// At most one for each field; empty: the step is complete and correct in every language that the lesson has.
    std::vector<DraftMistake> mistakes;
    std::vector<ClaimReport> checks;       ///< in the order of the draft
    std::vector<ClaimReport> first_checks; ///< the same
    std::vector<OptionReport> options;     ///< the same

    /// The mistake of a field; null if it has none.
    const Message* mistake_of(std::string_view language, std::string_view field) const;
};

/// Computes a step and checks all its fields, also while others are empty. The places of its mistakes have the index
/// `step`; those of the lesson itself are left out. `resources`: samples, formulas, models. Throws Cancelled.
DraftStepReport check_draft_step(const Draft& draft, std::size_t step, const LessonFiles& resources,
                                 const RunControl& control = {});

/// What is wrong with the lesson apart from its steps: title, summary, group, their sizes.
std::vector<DraftMistake> check_draft_lesson(const Draft& draft);

/// A field with its numbers. A number that cannot be read becomes a question mark, one that cannot be computed a dash.
/// Throws Cancelled.
std::string filled_field(const std::string& field, const DraftStepReport& report, const RunControl& control = {});

} // namespace attnlab::lessons
