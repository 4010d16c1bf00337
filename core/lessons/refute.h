// Tries a lesson's claims on everything that its reader can reach.
#pragma once

#include "core/lessons/lesson.h"

namespace attnlab::lessons {

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
