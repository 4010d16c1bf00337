// Exports figures, numbers, and to the clipboard. Without dialogs; errors are thrown as attnlab::Error.
#pragma once

#include "core/attention.h"
#include "core/io/saved/figure_file.h"
#include "ui/drawing/attention_drawings.h"
#include "ui/drawing/figures/figure.h"

#include <functional>
#include <optional>
#include <QStringList>
#include <span>
#include <string>
#include <vector>

namespace attnlab::ui {

class ViewState;

/// What a figure is drawn again from.
struct FigureOrigin {
    AttentionProblem problem;
    std::string view_json = "{}";
    bool has_arrays = true; ///< false: they are too large for a figure, which then has the settings alone
    std::vector<io::ArrayLeftOut> left_out = {};
};
/// Of arrays that a figure has no room for, the head on show is kept; they are left out where that is not enough.
FigureOrigin originOf(AttentionProblem problem, const ViewState& view);

/// A head's drawing in place of its heatmap, the query that it shows, and the answer behind the last token.
struct DrawnHead {
    const HeadDrawing* drawing = nullptr; ///< null: a heatmap
    std::optional<int> query = std::nullopt;
    QString answer = {};
};
/// The origin of a figure with a drawing of its head, and what that drawing was.
FigureOrigin drawnAs(FigureOrigin origin, const DrawnHead& drawn);
DrawnHead drawnIn(const std::string& view_json);

/// Whether the figure in a view is of the matrix that the view shows.
bool isOfSameMatrix(const QJsonObject& view);

/// The settings of a figure with these options.
std::string settingsText(const FigureOrigin& origin, const FigureOptions& options);

/// One matrix of a trace with the colours of its view.
struct FigureSubject {
    std::string stage;
    int batch = 0;
    int head = 0; ///< or ViewState::mean_of_heads
    ColorChoice colors;
    std::optional<int> query = std::nullopt; ///< that is chosen
    QString answer = {};                     ///< of the model, which arcs may show; empty: none
};
/// Throws Error naming the missing stage, batch or head.
MatrixData matrixOf(const Trace& trace, const FigureSubject& subject);
/// A heatmap for each stage of each head, with names. Several stages have scales of their own, by `scale`; a stage
/// without heads is there once. Stages without a matrix are left out.
FigurePanels panelsOf(const Trace& trace, std::span<const Stage* const> stages, std::span<const int> heads, int batch,
                      const std::function<ColorScale(const Stage&)>& scale);
/// Every head of the subject's stage and batch, with its name.
FigurePanels allHeadsOf(const Trace& trace, const FigureSubject& subject);
ColorScale scaleOf(const Trace& trace, const FigureSubject& subject);
/// Writes .png, .svg or .pdf by extension, atomically, with the settings of `origin` if it is not null and
/// the options keep them. Throws
/// attnlab::Error as figureImage, Cancelled.
void writeFigure(const QString& path, Figure figure, const FigureOptions& options, const FigureOrigin* origin = nullptr,
                 const RunControl& control = {});

/// The files that exportStages writes for a path: one with all stages, one for each stage, or one for each matrix,
/// depending on the format. A single file has the path's name, several extend its stem: "trace_weights_b0_h1.csv" (the
/// stage only if there are several, counted from 0).
QStringList stageFiles(const QString& path, const Trace& trace, std::span<const std::string> names);
/// Writes the stages' exact numbers and returns the files written. `labels`: tokens as the first column and row of CSV
/// and TSV. Files completed before a cancellation stay. Throws Error, Cancelled.
/// `settings`: JSON that explains them in formats with room for it; empty: none.
QStringList exportStages(const QString& path, const Trace& trace, std::span<const std::string> names,
                         bool labels = false, const RunControl& control = {}, const std::string& settings = {});
/// Copies the numbers as tab-separated text with all digits, and as an HTML table; at most most_copied_cells.
void copyMatrix(const MatrixData& matrix);
/// Copies the figure as an image and as SVG.
void copyPicture(const Figure& figure, const FigureOptions& options);

} // namespace attnlab::ui

// Figures on paper.

class QPrinter;

namespace attnlab::ui {

/// Prints it on a page, in light colours, as large as the paper allows; the size of the options does not count. Throws
/// attnlab::Error, also where the printer or its file cannot be opened.
void printFigure(QPrinter& printer, const Figure& figure, FigureOptions options);

} // namespace attnlab::ui
