// One step of a row as a picture: the row after every operation so far, the current operation, and its arithmetic.
#pragma once

#include "ui/drawing/colormap.h"
#include "ui/drawing/drawing.h"
#include "ui/pages/step/row_walk.h"

#include <QCoreApplication>

#include <functional>
#include <optional>
#include <vector>

namespace attnlab::ui {

/// The layout of a StepDrawing. Keys run to the right, lines of the ledger downwards.
struct StepLayout {
    QRectF header; ///< labels of the keys
    QRectF ledger; ///< the cells of its lines
    QRectF panel;  ///< below, in the columns of the same keys
    QRectF caption;
    QRectF arithmetic;
    QRectF sentences; ///< empty if there are none
    QRectF titles;    ///< left of ledger and panel
    QRectF aside;     ///< right of them
    double cell_width = 0.0;
    double row_height = 0.0;
    bool turned = false; ///< labels of keys
    int first_line = 0, lines = 0;
    std::int64_t first_key = 0, keys = 0; ///< displayed keys
};

class StepDrawing : public Drawing, public DrawnTable {
    Q_DECLARE_TR_FUNCTIONS(StepDrawing)
public:
    RowWalk walk; ///< not empty
    WalkStep step;
    std::int64_t key = 0;  ///< the key whose arithmetic is shown
    bool by_terms = false; ///< the steps are those of walk.steps(true)
    bool sentences = true; ///< shown below the arithmetic
    /// While bars move to those of the step: the line that they come from, and how much of the way is done, 0 to 1.
    std::optional<StepOperation> from = std::nullopt;
    double progress = 1.0;

    QSizeF smallest(const QFont& font, double width) const override;
    void paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const override;
    QString textAt(const QPointF& position, const QRectF& area, const QFont& font) const override;

    const DrawnTable* drawnTable() const override { return this; }
    int rows() const override;
    int columns() const override;
    QString rowName(int row) const override;
    QString columnName(int column) const override;
    QString cellWords(int row, int column) const override;
    QRectF cellPlace(int row, int column, const QRectF& area, const QFont& font) const override;

    StepLayout layout(const QRectF& area, const QFont& font) const;
    /// The key whose column a position lies in.
    std::optional<std::int64_t> keyAt(const QPointF& position, const QRectF& area, const QFont& font) const;
    /// The operation whose line of the ledger a position lies in.
    std::optional<StepOperation> operationAt(const QPointF& position, const QRectF& area, const QFont& font) const;
    /// The axis and the colours of a line. Scores have one in all their steps, and so have exponentials and weights.
    ValueRange barRange(const RowLine& line) const;
    /// The line that this step shows as bars; null for steps that show a matrix instead.
    const RowLine* barLine() const;
    /// The displayed bars: on their way, those of `from` and those of the step mixed, and so is their axis.
    struct Bars {
        std::vector<double> values; ///< NaN where a key has none
        ValueRange axis;
    };
    Bars bars() const;
    /// The most keys side by side.
    static constexpr std::int64_t most_keys = 24;

private:
    struct Pen;
    struct Grid;
    static constexpr double highest_panel_row = 1.4; ///< in rows of the ledger
    /// `font` enlarged as far as the cells leave room; the same at every step.
    QFont grownFont(const QRectF& area, const QFont& font) const;
    StepLayout layoutWith(const QFont& font, const QRectF& area) const;
    bool fitsOneLine(const QFont& font, double width) const;
    QString lineText(const RowLine& line, std::int64_t key) const;
    QString displayedKeysText(std::int64_t shown) const;
    /// The line of the ledger of the current step; -1: none yet.
    int currentLine() const;
    bool isReached(const RowLine& line) const { return line.operation <= step.operation; }
    /// Keys summed or mixed so far; all in other steps.
    std::int64_t reachedKeys(StepOperation operation) const;
    bool showsTerms() const;
    /// Whether the key has the mask's fill instead of a score in this line.
    bool isFilled(const RowLine& line, std::int64_t key) const;
    ColorScale scaleOf(const RowLine& line) const;

    void paintHeader(const Pen& pen) const;
    void paintLedger(const Pen& pen) const;
    void paintLine(const Pen& pen, const RowLine& line, const QRectF& room, bool current) const;
    void paintAside(const Pen& pen, const RowLine& line, const QRectF& room) const;
    void paintPanel(const Pen& pen) const;
    void paintTermTable(const Pen& pen) const;
    void paintGrid(const Pen& pen, const Grid& grid) const;
    /// The displayed rows of the matrix below the ledger, and their height.
    struct GridRows {
        std::int64_t shown;
        double height;
    };
    GridRows gridRows(const StepLayout& at, std::int64_t rows) const;
    void paintProducts(const Pen& pen) const;
    void paintMix(const Pen& pen) const;
    void paintBars(const Pen& pen, const RowLine& line) const;
    void paintBarAxis(const Pen& pen, const ValueRange& axis, const std::function<double(double)>& y_of) const;
    void paintPin(const Pen& pen) const;
    void paintWords(const Pen& pen) const;
};

/// `drawing` at each of `steps`, with its sentences.
DrawingSequence sequenceOf(const StepDrawing& drawing, const std::vector<WalkStep>& steps);

} // namespace attnlab::ui
