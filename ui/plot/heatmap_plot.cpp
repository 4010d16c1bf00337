#include "ui/plot/heatmap_plot.h"

#include "ui/plot/color_bar.h"
#include "ui/theme.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace attnlab::ui {

/// Cells, numbers and colour bar: what costs.
class HeatmapPlot::CellsLayer : public QCPLayerable {
public:
    CellsLayer(HeatmapPlot& owner, QCustomPlot* plot, const QString& layer)
        : QCPLayerable(plot, layer), owner_(owner) {}

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override { painter->setAntialiasing(false); }
    void draw(QCPPainter* painter) override {
        owner_.cells_stale_ = false;
        if (owner_.layout_.body.isEmpty())
            return;
        const HeatmapContent content{owner_.matrix_, owner_.scale_, theme()};
        const HeatmapFrame frame = owner_.frame();
        paintCells(*painter, frame, content);
        paintNumbers(*painter, frame, content, owner_.numbers());
        if (owner_.color_bar_)
            paintColorBar(*painter, owner_.layout_.color_bar, owner_.scale_, owner_.labelsFont(), content.look);
    }

private:
    HeatmapPlot& owner_;
};

/// Labels, crosshair and pinned cell: what follows the mouse.
class HeatmapPlot::MarksLayer : public QCPLayerable {
public:
    MarksLayer(HeatmapPlot& owner, QCustomPlot* plot, const QString& layer)
        : QCPLayerable(plot, layer), owner_(owner) {}

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override { painter->setAntialiasing(false); }
    void draw(QCPPainter* painter) override {
        owner_.marks_stale_ = false;
        if (owner_.layout_.body.isEmpty())
            return;
        paintLabels(*painter, owner_.layout_, owner_.labels(), owner_.matrix_, owner_.labelsFont(), theme());
        paintMarks(*painter, owner_.frame(), owner_.marks_, theme());
    }

private:
    HeatmapPlot& owner_;
};

HeatmapPlot::HeatmapPlot(QWidget* parent) : plot_(new QCustomPlot(parent)) {
    scale_.map = &colormap({});
    plot_->setAttribute(Qt::WA_TransparentForMouseEvents);
    plot_->setFocusPolicy(Qt::NoFocus);
    plot_->axisRect()->setAutoMargins(QCP::msNone);
    for (auto* axis : plot_->axisRect()->axes())
        axis->setVisible(false);
    for (auto* axis : {plot_->xAxis, plot_->yAxis})
        axis->grid()->setVisible(false);
    plot_->yAxis->setRangeReversed(true);
    for (const char* name : {"cells", "marks"}) {
        plot_->addLayer(QLatin1String(name));
        plot_->layer(QLatin1String(name))->setMode(QCPLayer::lmBuffered);
    }
    cells_layer_ = new CellsLayer(*this, plot_, QStringLiteral("cells"));
    marks_layer_ = new MarksLayer(*this, plot_, QStringLiteral("marks"));
}

QWidget* HeatmapPlot::widget() const { return plot_; }

QFont HeatmapPlot::labelsFont() const { return labelFont(plot_->font()); }

QRectF HeatmapPlot::wholeRange() const {
    const auto view = matrix_.view();
    return QRectF(0, 0, static_cast<double>(view.columns), static_cast<double>(view.rows));
}

void HeatmapPlot::setMatrix(MatrixData matrix, const ColorScale& scale) {
    const QRectF before = wholeRange();
    matrix_ = std::move(matrix);
    scale_ = scale;
    // Crosshair and pin belong to whoever set them; the keyboard's cursor has to stay inside.
    const auto& cursor = marks_.cursor;
    if (cursor && !wholeRange().contains(QPointF(cursor->column + 0.5, cursor->row + 0.5)))
        marks_.cursor.reset();
    relayout();
    if (wholeRange() != before)
        fit();
}

void HeatmapPlot::setSides(bool row_labels, bool color_bar) {
    row_labels_ = row_labels;
    color_bar_ = color_bar;
    relayout();
}

void HeatmapPlot::relayout() {
    plot_->setBackground(QBrush(theme().card));
    const LayoutWishes wishes{plot_->font(), color_bar_, false, 1.0 / plot_->devicePixelRatioF(), row_labels_};
    // The last turned label leans over the edge of the cells, where there is a colour bar in most views.
    const double lean = color_bar_ ? 0.0 : 1.5 * QFontMetricsF(labelsFont()).height();
    layout_ = layoutHeatmap(QRectF(plot_->rect()).adjusted(0, 0, -lean, 0), matrix_, scale_, wishes);
    layout_.area = QRectF(plot_->rect());
    layout_.sides += lean;
    const QRect body = layout_.body.toAlignedRect();
    plot_->axisRect()->setMargins(QMargins(body.left(), body.top(), std::max(0, plot_->width() - body.right() - 1),
                                           std::max(0, plot_->height() - body.bottom() - 1)));
    replotCells();
}

HeatmapFrame HeatmapPlot::frame() const {
    const QCPRange x = plot_->xAxis->range();
    const QCPRange y = plot_->yAxis->range();
    return {layout_.body, QRectF(x.lower, y.lower, x.size(), y.size())};
}

const CellNumbers& HeatmapPlot::numbers() const {
    if (!numbers_known_) {
        numbers_ = layout_.body.isEmpty() ? CellNumbers() : numbersFitting(frame(), matrix_, plot_->font());
        numbers_known_ = true;
    }
    return numbers_;
}

HeatmapLabels HeatmapPlot::labels() const {
    const auto highlighted = marks_.crosshair ? marks_.crosshair : marks_.cursor;
    return placeLabels(layout_, frame(), matrix_, labelsFont(), highlighted);
}

void HeatmapPlot::setMarks(const HeatmapMarks& marks) {
    if (marks == marks_)
        return;
    marks_ = marks;
    if (marks_stale_)
        return;
    marks_stale_ = true;
    // Several marks move together: one replot of the cheap layer serves them.
    QTimer::singleShot(0, plot_, [this] {
        if (marks_stale_)
            plot_->layer(QStringLiteral("marks"))->replot();
    });
}

void HeatmapPlot::replotCells() {
    numbers_known_ = false;
    cells_stale_ = true;
    marks_stale_ = true;
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void HeatmapPlot::flush() {
    if (cells_stale_)
        plot_->replot(QCustomPlot::rpQueuedRefresh);
    else if (marks_stale_)
        plot_->layer(QStringLiteral("marks"))->replot();
}

void HeatmapPlot::setRange(const QRectF& range) {
    const QRectF whole = wholeRange();
    if (whole.isEmpty())
        return;
    const QCPRange x = QCPRange(range.left(), range.right()).bounded(0.0, whole.width());
    const QCPRange y = QCPRange(range.top(), range.bottom()).bounded(0.0, whole.height());
    plot_->xAxis->setRange(x);
    const bool moved = plot_->xAxis->range() != x || plot_->yAxis->range() != y;
    plot_->xAxis->setRange(x);
    plot_->yAxis->setRange(y);
    replotCells();
    if (moved && range_moved_)
        range_moved_();
}

void HeatmapPlot::fit() { setRange(wholeRange()); }

void HeatmapPlot::zoom(double factor, const QPointF& about) {
    const QRectF whole = wholeRange();
    const HeatmapFrame now = frame();
    if (whole.isEmpty() || now.body.isEmpty() || factor <= 0.0)
        return;
    // Down to two cells along the longer side; both sides keep their proportion.
    const double smallest = std::min(1.0, 2.0 / std::max(whole.width(), whole.height()));
    const double share = std::clamp(now.range.width() / whole.width() / factor, smallest, 1.0);
    const QPointF center = now.toCells(about);
    const double change = share * whole.width() / now.range.width();
    const QPointF start = center + (now.range.topLeft() - center) * change;
    setRange(QRectF(start, QSizeF(share * whole.width(), share * whole.height())));
}

void HeatmapPlot::moveBy(const QPointF& pixels) {
    const HeatmapFrame now = frame();
    if (!now.body.isEmpty())
        setRange(now.range.translated(-pixels.x() / now.cellWidth(), -pixels.y() / now.cellHeight()));
}

void HeatmapPlot::show(Cell cell) {
    QRectF range = frame().range;
    const auto pull = [](double start, double size, int index) {
        return std::max(std::min(start, static_cast<double>(index)), index + 1.0 - size);
    };
    range.moveTo(pull(range.left(), range.width(), cell.column), pull(range.top(), range.height(), cell.row));
    if (range != frame().range)
        setRange(range);
}

} // namespace attnlab::ui
