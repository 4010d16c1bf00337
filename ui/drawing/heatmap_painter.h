// Paints the parts of a heatmap, for windows and files.
#pragma once

#include "ui/drawing/heatmap_layout.h"
#include "ui/widgets/theme.h"

#include <functional>
#include <optional>
#include <QFont>
#include <QString>
#include <vector>

namespace attnlab::ui {

/// Digits of the numbers in cells of the window; boards of lessons and exhibits have one more.
inline constexpr int cell_digits = 2, board_digits = 3;

/// One font and one number of digits for all visible cells, so that numbers are easily compared. With two digits:
/// ".05", "−1.2", "12"; "0" below .005; never an exponent ("≫0" and "≪0" from 10^5 on). Tooltips and the inspector have
/// more.
struct CellNumbers {
    int digits = 0; ///< after the point below 1, else significant, 2 to 4; 0: numbers do not fit
    QFont font;

    /// Empty without a number, and when numbers do not fit.
    QString text(std::optional<double> value) const;
};

/// The number of a cell; nullopt where it is blocked or still unknown.
using NumberAt = std::function<std::optional<double>(Cell)>;
NumberAt numbersOf(const MatrixData& matrix);

/// The most digits, up to `most_digits`, in `font` or a little smaller, that fit every visible cell.
CellNumbers numbersFitting(const HeatmapFrame& frame, const NumberAt& numbers, const QFont& font, int most_digits);

/// Black or white, whichever has more contrast with `background`.
QColor textColorOn(QRgb background);
/// That of a number in a cell: of a "0" as grey as it may be.
QColor numberColorOn(QRgb background, const QString& text);

} // namespace attnlab::ui

// Paints the parts of a heatmap, for windows and files.

class QPainter;

namespace attnlab::ui {

struct HeatmapContent {
    const MatrixData& matrix;
    const ColorScale& scale;
    const Theme& look;
};

/// Colours and hatches of the visible cells, with thin lines between large ones.
void paintCells(QPainter& painter, const HeatmapFrame& frame, const HeatmapContent& content);
/// The same for SVG and PDF: one lossless image in which each cell is a square of whole pixels, exactly in its frame.
/// Rectangles would show seams, or overlap, in viewers that smooth edges. Hatches of up to 128 x 128 cells are vectors.
void paintCellsForFiles(QPainter& painter, const HeatmapFrame& frame, const HeatmapContent& content);
/// Says in the upper right corner that a causal mask blocks the plain cells there, where the words have room: below the
/// cells of `framed`, whose frames would cut through them.
void paintAheadNote(QPainter& painter, const HeatmapFrame& frame, const MatrixData& matrix, const Theme& look,
                    const std::vector<Cell>& framed = {});
/// Covers the hidden cells: a "?" in each that has room, or one for all, in the painter's font or a smaller one.
void paintHidden(QPainter& painter, const HeatmapFrame& frame, const MatrixData& matrix, const Theme& look);
/// Thin lines between cells that are large enough for them. `width` 0: one pixel of the device.
void paintSeparators(QPainter& painter, const HeatmapFrame& frame, const Theme& look, double width = 0.0);
/// The numbers of the visible cells, in black or white depending on their colours.
void paintNumbers(QPainter& painter, const HeatmapFrame& frame, const NumberAt& numbers_at, const ColorScale& scale,
                  const Theme& look, const CellNumbers& numbers);
/// With the font size and digits that fit, up to board_digits.
void paintNumbers(QPainter& painter, const HeatmapFrame& frame, const HeatmapContent& content, const QFont& font);

struct HeatmapMarks {
    std::optional<Cell> crosshair;
    std::optional<Cell> pinned;
    std::optional<Cell> cursor; ///< of the keyboard
    std::vector<Cell> highlighted;
    bool operator==(const HeatmapMarks&) const = default;
};
/// A cell of only a few pixels is marked by a dot.
void paintMarks(QPainter& painter, const HeatmapFrame& frame, const HeatmapMarks& marks, const Theme& look);

} // namespace attnlab::ui
