#include "ui/compare/comparison_export.h"

#include "ui/export/export.h"
#include "ui/export/export_dialog.h"
#include "ui/theme.h"
#include "ui/view_state.h"

namespace attnlab::ui {
namespace {

/// Three panels beside each other.
constexpr QSizeF comparison_points(900, 320);

} // namespace

void copyComparison(const ComparedMatrices& matrices, const FigurePanels& panels, const QString& title) {
    FigureOptions options;
    options.title = title;
    options.dark = theme().dark;
    options.size_points = comparison_points;
    copyPicture(panels, matrices.values, options);
}

ExportDialog* comparisonDialog(const ComputedPtr& stages, const Stage& shown, const ViewState& view,
                               const ComparedMatrices& matrices, const FigurePanels& panels, const QString& title,
                               QWidget* parent) {
    auto* dialog =
        new ExportDialog(stages, {"difference." + shown.name, view.batch(), view.head(), view.colors()}, title, parent);
    dialog->setFigure({panels, matrices.values}, comparison_points);
    return dialog;
}

} // namespace attnlab::ui
