// The numbers inside cells: how many digits fit, and their words.
#pragma once

#include "ui/drawing/heatmap_layout.h"

#include <QFont>
#include <QString>

#include <functional>
#include <optional>

namespace attnlab::ui {

/// One font and one number of digits for all cells on show, so that numbers compare at a glance.
struct CellNumbers {
    int digits = 0; ///< significant, 2 to 4; 0: numbers do not fit
    QFont font;

    /// Empty where there is no number, and when numbers do not fit.
    QString text(std::optional<double> value) const;
};

/// The number of a cell; nothing where it is blocked or not known yet.
using NumberAt = std::function<std::optional<double>(Cell)>;
NumberAt numbersOf(const MatrixData& matrix);

/// The most digits, in `font` or a little smaller, that fit every visible cell.
CellNumbers numbersFitting(const HeatmapFrame& frame, const NumberAt& numbers, const QFont& font);

/// Black or white, whichever reads better on `background`.
QColor textColorOn(QRgb background);

} // namespace attnlab::ui
