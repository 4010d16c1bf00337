// The stages of a trace as something to export: pictures of one of them, and the numbers of one or all.
#pragma once

#include "ui/document/computation.h"
#include "ui/export/export.h"
#include "ui/export/export_subject.h"

namespace attnlab::ui {

/// A drawing that is shown in place of a stage.
struct NamedDrawing {
    std::shared_ptr<const Drawing> drawing;
    QString id;                                          ///< for the name of a file
    QString title;                                       ///< for people
    std::optional<DrawingSequence> steps = std::nullopt; ///< where it is one of several that can be played
};

/// The heatmap of the chosen stage, of one head or all of them, and numbers. `title` begins as that of the picture.
ExportSubject stageExport(const ComputedPtr& computed, const FigureSubject& shown, const QString& title);
/// The drawing, all its steps, and numbers: those of the chosen stage and of all stages.
ExportSubject drawingExport(const ComputedPtr& computed, const std::string& stage, const NamedDrawing& shown);
/// A figure that is made already, of the size of `options`, and numbers.
ExportSubject figureExport(const ComputedPtr& computed, const std::string& stage, const Figure& figure,
                           const FigureOptions& options);

} // namespace attnlab::ui
