// The drawings above and below the matrix of a card, shared by the window and pictures.
#pragma once

#include "core/lab/setting_numbers.h"
#include "ui/drawing/bars_drawing.h"
#include "ui/drawing/colormap.h"
#include "ui/drawing/drawing.h"
#include "ui/drawing/drawing_canvas.h"
#include "ui/drawing/heatmap_painter.h"
#include "ui/drawing/matrix_data.h"

#include <memory>
#include <optional>
#include <QCoreApplication>
#include <QString>
#include <QStringList>
#include <vector>

namespace attnlab::ui {

class ChartPlot;

/// A drawing that is as wide as its card and as high as smallest() says.
class Part : public Drawing {
public:
    /// The height below which it cannot be read, where room is scarce.
    virtual double leastHeight(const QFont& font, double width) const { return smallest(font, width).height(); }
    /// What a screen reader calls it, and all that it shows in words.
    virtual QString title() const = 0;
    virtual QString words() const = 0;
    /// The row under a position, of those parts that have rows of the matrix; -1: none.
    virtual int rowAt(const QPointF& position, const QRectF& area, const QFont& font) const;
    /// A click on a row means something.
    virtual bool isClickable() const { return false; }
};
using PartPtr = std::shared_ptr<const Part>;

/// Scores counted in bins, with the normal curve that theory predicts for them.
class HistogramPart : public Part {
    Q_DECLARE_TR_FUNCTIONS(HistogramPart)
public:
    lab::Histogram histogram;
    std::optional<double> theory; ///< variance
    int color = 0;                ///< of seriesColor()

    /// What theory expects in the bin: the normal curve over the width of the bin, however narrow the curve is.
    double expectedIn(std::size_t bin) const;

    /// "3 beyond": scores outside an axis that stands still.
    QString beyondWords() const;
    QString title() const override { return tr("Histogram of the scaled scores"); }
    QString words() const override;
    QSizeF smallest(const QFont& font, double width) const override;
    double leastHeight(const QFont& font, double width) const override;
    void paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const override;
    QString textAt(const QPointF& position, const QRectF& area, const QFont& font) const override;

    /// Where beyondWords() are painted, and what is in a bin: its bar, or what theory expects if that is more.
    QRectF beyondRect(const QRectF& area, const QFont& font) const;
    QRectF barRect(std::size_t bin, const QRectF& area, const QFont& font) const;

private:
    void setAxes(ChartPlot& chart) const;
    QRectF beyondRect(const ChartPlot& chart) const;
};

/// Names and numbers in two columns where there is room, in one elsewhere.
class NumbersPart : public Part {
public:
    struct Entry {
        QString name;
        QString value;
        QString help;
        QString id = {}; ///< of the engine: "variance"
    };
    QString heading;
    std::vector<Entry> entries;

    /// The value of an entry by id; empty where there is none.
    QString value(const QString& id) const;

    QString title() const override { return heading; }
    QString words() const override;
    QSizeF smallest(const QFont& font, double width) const override;
    void paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const override;
    QString textAt(const QPointF& position, const QRectF& area, const QFont& font) const override;

private:
    static double widthOf(const Entry& entry, const QFont& font);
    int columnsIn(double width, const QFont& font) const;
    double heightOf(std::size_t index, int columns, double width, const QFont& font) const;
    QRectF entryRect(std::size_t index, const QRectF& area, const QFont& font) const;
};

/// A bar for each row of the matrix: its entropy (or how far its output moves), and further numbers beside it.
class RowsPart : public Part {
    Q_DECLARE_TR_FUNCTIONS(RowsPart)
public:
    BarsDrawing bars; ///< in the small letters of labels
    QString footer;   ///< words below
    bool footer_is_wrong = false;
    bool clickable = false;

    /// Shows only the first rows of many, and how many more there are.
    void setRows(std::vector<BarsDrawing::Row> rows);

    QString title() const override { return bars.heading; }
    QString words() const override;
    QSizeF smallest(const QFont& font, double width) const override;
    void paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const override;
    QString textAt(const QPointF& position, const QRectF& area, const QFont& font) const override;
    int rowAt(const QPointF& position, const QRectF& area, const QFont& font) const override;
    bool isClickable() const override { return clickable; }
    QRectF barRect(int row, const QRectF& area, const QFont& font) const;
};

/// A small heatmap with its title.
class MatrixPart : public Part {
    Q_DECLARE_TR_FUNCTIONS(MatrixPart)
public:
    QString heading;
    MatrixData matrix;
    QStringList keys; ///< names of the columns in words where they do not stand above them; empty: their labels
    ColorScale scale;

    QString title() const override { return heading; }
    QString words() const override;
    QSizeF smallest(const QFont& font, double width) const override;
    double leastHeight(const QFont& font, double width) const override;
    void paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const override;
    QString textAt(const QPointF& position, const QRectF& area, const QFont& font) const override;

private:
    double heightWith(double widest_cell_lines, const QFont& font, double width) const;
    QRectF matrixRect(const QRectF& area, const QFont& font) const;
};

/// Every cell is covered by a "?".
bool isWhollyHidden(const MatrixData& matrix);
/// One line: the muted heading of a part.
void paintHeading(QPainter& painter, const QRectF& area, const QString& text, const DrawingStyle& style);
/// The height at which the cells of a matrix with its labels can be told apart; not more than about a dozen lines.
double leastMatrixHeight(const MatrixData& matrix, const QFont& font);
/// The height at which cells have this size.
double leastMatrixHeight(const MatrixData& matrix, const QFont& font, double cell);
/// The width of everything beside the cells of a matrix of this height.
double matrixSidesWidth(const MatrixData& matrix, const ColorScale& scale, const QFont& font, bool color_bar,
                        double height);
/// The size of all cells of a matrix that has this room.
QSizeF cellsSizeIn(const QSizeF& room, const MatrixData& matrix, const ColorScale& scale, const QFont& font,
                   bool color_bar);
/// A heatmap with labels and the numbers that fit, into all of `area`.
void paintHeatmap(QPainter& painter, const QRectF& area, const MatrixData& matrix, const ColorScale& scale,
                  const DrawingStyle& style, bool color_bar = false, const HeatmapMarks& marks = {});

/// Shows a part of a card in the window.
class PartView : public DrawingCanvas {
    Q_OBJECT
public:
    explicit PartView(QWidget* parent = nullptr);

    void setPart(PartPtr part);
    const PartPtr& part() const { return part_; }

signals:
    void rowClicked(int row);

private:
    PartPtr part_;
};

} // namespace attnlab::ui
