#include "ui/model/weights_view.h"

#include "ui/matrix/heatmap_view.h"
#include "ui/matrix/slice.h"
#include "ui/widgets/text.h"

#include <QBoxLayout>

namespace attnlab::ui {

WeightsView::WeightsView(QWidget* parent) : HeadView(parent), heatmap_(new HeatmapView) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(heatmap_);
    connect(heatmap_, &HeatmapView::cellClicked, this, [this](Cell cell) { emit rowChosen(cell.row); });
    connect(heatmap_, &HeatmapView::cellHovered, heatmap_, &HeatmapView::setCrosshair);
}

void WeightsView::setHead(const HeadOnShowPtr& head, const QString& message) {
    head_ = head;
    heatmap_->setMessage(message);
    std::optional<MatrixData> matrix;
    if (head_)
        matrix = head_->weights ? sliceOf(head_->weights->trace, *head_->stage(), 0, 0) : pooled();
    if (matrix)
        heatmap_->setMatrix(*matrix, scaleOf(*matrix));
    else
        heatmap_->setMatrix({}, {});
    emit noteChanged();
}

MatrixData WeightsView::pooled() const {
    MatrixData matrix;
    const auto& cells = head_->pooled->trace.find("weights")->value;
    matrix.values = cells.reshaped({cells.dim(2), cells.dim(3)});
    matrix.row_step = matrix.column_step = head_->step();
    matrix.row_title = tr("query token");
    matrix.column_title = tr("key token");
    return matrix;
}

void WeightsView::setRow(std::optional<int> query, const explain::Reading& reading) {
    heatmap_->setPinned(query && !reading.keys.empty()
                            ? std::optional(Cell{*query, static_cast<int>(reading.keys.front().key)})
                            : std::nullopt);
}

QString WeightsView::note() const {
    if (!head_)
        return {};
    const auto& figures = head_->result->figures(head_->place);
    const auto word = explain::what_it_does(figures);
    const QString words = tr("%1 · mean of the rows: entropy %2 nats, largest weight %3")
                              .arg(word.empty() ? tr("%1 tokens").arg(head_->heads().queries) : translated(word),
                                   numberText(figures.entropy, 3), numberText(figures.max_weight, 3));
    return head_->weights ? words
                          : tr("%1 · each cell is the largest weight of %2 × %2 tokens").arg(words).arg(head_->step());
}

std::optional<Figure> WeightsView::figure() const {
    return head_ ? std::optional(Figure{heatmap_->matrix(), heatmap_->colorScale()}) : std::nullopt;
}

std::optional<MatrixData> WeightsView::matrix() const {
    return head_ ? std::optional(heatmap_->matrix()) : std::nullopt;
}

} // namespace attnlab::ui
