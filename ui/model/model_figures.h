// All heads of a model as figures: the wall of weights or of differences, and the plot.
#pragma once

#include "ui/drawing/dots_drawing.h"
#include "ui/export/export_subject.h"
#include "ui/model/model_result.h"

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace attnlab::ui {

struct AnswerRows;
struct EffectMarks;

/// Every head as the page shows it small, with its layer and number; long texts have several tokens a cell. `marks`:
/// what each does to the answer, below it; null: without. The note then names the heads that are off in the pictures,
/// but not in the marks.
Figure wallFigure(const ModelResult& result, const ColorChoice& colors, const EffectMarks* marks = nullptr);
/// The differences of ModelResult::compared, which is set.
Figure differencesFigure(const ModelResult& result, const ColorChoice& colors);

/// The heads that have both figures; `places` are theirs.
DotsDrawing dotsOf(const ModelResult& result, const HeadFigure& x, const HeadFigure& y,
                   std::vector<HeadIndex>* places = nullptr);

/// Whether the answer stands behind the queries of a pass with this name: those of an encoder beside a decoder are
/// another text.
bool answerFollows(const ModelResult& result, std::string_view pass);

/// What a wall of heads shows of their effects.
struct WallEffects {
    std::shared_ptr<const EffectMarks> marks = nullptr; ///< null: there are none
    bool is_shown = false;                              ///< they are in sight on the page
};

/// Files are called after `stem`. Adds the wall "wall", the differences "differences" if there are any, those of
/// `answers` that are of this result ("layers", "words"), and the plot "plot".
void addHeadsOutputs(ExportSubject& subject, const ModelResultPtr& result, const QString& stem, const DotsDrawing& plot,
                     const WallEffects& effects, std::span<const std::shared_ptr<const AnswerRows>> answers);

} // namespace attnlab::ui
