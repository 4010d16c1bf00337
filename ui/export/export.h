// What leaves the program: figures, numbers, the clipboard. No dialogs here; errors are thrown as attnlab::Error.
#pragma once

#include "core/attention.h"
#include "ui/drawing/figure.h"

#include <QStringList>

#include <span>
#include <string>

namespace attnlab::ui {

/// One matrix of a trace in the colours of its view.
struct FigureSubject {
    std::string stage;
    int batch = 0;
    int head = 0; ///< or ViewState::MeanOfHeads
    ColorChoice colors;
};
/// Throws Error naming the stage, batch or head that the trace does not have.
MatrixData matrixOf(const Trace& trace, const FigureSubject& subject);
/// Every head of the subject's stage and batch, each under its name.
FigurePanels allHeadsOf(const Trace& trace, const FigureSubject& subject);
ColorScale scaleOf(const Trace& trace, const FigureSubject& subject);
/// Writes .png, .svg or .pdf by extension, whole or not at all. Throws attnlab::Error as figureImage, Cancelled.
void writeFigure(const QString& path, const Figure& figure, const FigureOptions& options,
                 const RunControl& control = {});

/// Files that exportStages writes for a path: one with all stages, one a stage or one a matrix, by what its type holds.
/// A single file has the path's name, several add to its stem: "trace_weights_b0_h1.csv" (the stage only when there are
/// several of them, counted from 0).
QStringList stageFiles(const QString& path, const Trace& trace, std::span<const std::string> names);
/// Writes the stages' exact numbers and returns the files written. `labels`: tokens as the first column and row of CSV
/// and TSV. Files written before one is cancelled stay. Throws Error, Cancelled.
QStringList exportStages(const QString& path, const Trace& trace, std::span<const std::string> names,
                         bool labels = false, const RunControl& control = {});
/// The numbers as text separated by tabs, every digit, and as an HTML table.
void copyMatrix(const MatrixData& matrix);
/// The figure as a picture and as SVG.
void copyPicture(const Figure& figure, const FigureOptions& options);

} // namespace attnlab::ui
