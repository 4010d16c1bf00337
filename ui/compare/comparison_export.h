// What leaves the program of two matrices and their difference.
#pragma once

#include "ui/compare/compared_matrices.h"
#include "ui/computation.h"

class QWidget;

namespace attnlab::ui {

class ExportDialog;
class ViewState;

/// As a picture on the clipboard.
void copyComparison(const ComparedMatrices& matrices, const FigurePanels& panels, const QString& title);

/// `stages` has the stage "difference.<name of shown>", which is what is written unless the user chooses otherwise.
ExportDialog* comparisonDialog(const ComputedPtr& stages, const Stage& shown, const ViewState& view,
                               const ComparedMatrices& matrices, const FigurePanels& panels, const QString& title,
                               QWidget* parent);

} // namespace attnlab::ui
