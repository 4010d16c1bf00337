// The numbers in cells: digits that fit, and text.
#pragma once

#include "ui/drawing/heatmap_layout.h"

#include <QFont>
#include <QString>

#include <functional>
#include <optional>

namespace attnlab::ui {

/// The size of a number with an exponent that is wider than its cell.
inline constexpr double narrow_share = 0.82;

/// One font and one number of digits for all visible cells, so that numbers are easily compared.
struct CellNumbers {
    int digits = 0; ///< significant, 2 to 4; 0: numbers do not fit
    QFont font;
    bool fractions = false; ///< none is beyond −1 and 1: few digits then go without the zero before the point

    /// Empty without a number, and when numbers do not fit.
    QString text(std::optional<double> value) const;
};

/// The number of a cell; nullopt where it is blocked or still unknown.
using NumberAt = std::function<std::optional<double>(Cell)>;
NumberAt numbersOf(const MatrixData& matrix);

/// The most digits, in `font` or a little smaller, that fit every visible cell.
CellNumbers numbersFitting(const HeatmapFrame& frame, const NumberAt& numbers, const QFont& font);

/// Black or white, whichever has more contrast with `background`.
QColor textColorOn(QRgb background);

} // namespace attnlab::ui
