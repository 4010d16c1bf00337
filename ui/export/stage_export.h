// Export of the stages of a trace: pictures of one of them, and the numbers of one or all.
#pragma once

#include "ui/document/computation.h"
#include "ui/export/export.h"
#include "ui/export/export_subject.h"

namespace attnlab::ui {

/// A drawing shown instead of a stage.
struct NamedDrawing {
    std::shared_ptr<const Drawing> drawing;
    QString id;                                          ///< for file names
    QString title;                                       ///< for the user
    std::optional<DrawingSequence> steps = std::nullopt; ///< if it is one of a sequence
};

/// The heatmap of the chosen stage, of one head or all of them, and numbers. `title` is the initial title of the
/// picture.
ExportSubject stageExport(const ComputedPtr& computed, const FigureSubject& shown, const QString& title);
/// The drawing, all its steps, and numbers of the chosen stage and of all stages.
ExportSubject drawingExport(const ComputedPtr& computed, const std::string& stage, const NamedDrawing& shown);
/// An existing figure, with the size of `options`, and numbers.
ExportSubject figureExport(const ComputedPtr& computed, const std::string& stage, Figure figure,
                           const FigureOptions& options);

} // namespace attnlab::ui
