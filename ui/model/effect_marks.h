// What a head does to the answer, as a bar and words: below its tile on the page, and below its heatmap in a figure.
#pragma once

#include "ui/drawing/figures/figure.h"
#include "ui/model/head_effects.h"

#include <vector>

namespace attnlab::ui {

/// Without the head the answer is another.
bool flipsAnswer(const HeadEffects& effects, HeadIndex place);
/// How the head moves the answer, by HeadEffects::wayOf(); empty: not known.
QString wayWords(const HeadEffects& effects, HeadIndex place);
/// A bar of HeadEffects::sizeOf(), and the answer without the head, or the number that has a sign. `marks_flip`: with
/// an arrow before another answer. Without words and with an empty bar while it is not known.
PanelMark effectMark(const HeadEffects& effects, HeadIndex place, bool marks_flip = true);

/// The marks of a figure of all heads, by pass and head, and the sentences that explain them; a copy, so that a file
/// has the numbers that were on the page.
struct EffectMarks {
    std::vector<std::vector<PanelMark>> of;
    QString note;
};
EffectMarks effectMarks(const HeadEffects& effects, const ModelResult& result);

} // namespace attnlab::ui
