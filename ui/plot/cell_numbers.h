// The numbers inside cells: how many digits fit, and their words.
#pragma once

#include "ui/plot/heatmap_layout.h"

#include <QFont>
#include <QString>

namespace attnlab::ui {

/// One font and one number of digits for all cells on show, so that numbers compare at a glance.
struct CellNumbers {
    int digits = 0; ///< significant, 2 to 4; 0: numbers do not fit
    QFont font;

    /// Empty in a blocked cell and when numbers do not fit.
    QString text(const MatrixData& matrix, Cell cell) const;
};

/// The most digits, in `font` or a little smaller, that fit every visible cell.
CellNumbers numbersFitting(const HeatmapFrame& frame, const MatrixData& matrix, const QFont& font);

/// Black or white, whichever reads better on `background`.
QColor textColorOn(QRgb background);

} // namespace attnlab::ui
