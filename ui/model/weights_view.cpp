#include "ui/model/weights_view.h"

#include "ui/matrix/heatmap_view.h"
#include "ui/matrix/slice.h"
#include "ui/widgets/text.h"

#include <QBoxLayout>

#include <cmath>

namespace attnlab::ui {

WeightsView::WeightsView(QWidget* parent)
    : HeadView(parent), heatmap_(new HeatmapView), job_([this](Pooled pooled) { showPooled(pooled); }) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(heatmap_);
    connect(heatmap_, &HeatmapView::cellClicked, this, [this](Cell cell) { emit rowChosen(cell.row); });
    connect(heatmap_, &HeatmapView::cellHovered, heatmap_, &HeatmapView::setCrosshair);
    connect(&job_, &LatestJobBase::progressed, this, [this](double done) {
        heatmap_->setMessage(tr("Pooling this head… %1 %").arg(std::lround(100.0 * done)));
    });
    connect(&job_, &LatestJobBase::failed, this, [this](const Message& why) { heatmap_->setMessage(translated(why)); });
}

void WeightsView::setHead(const HeadOnShowPtr& head, const QString& message) {
    head_ = head;
    job_.cancel();
    heatmap_->setMessage(message);
    if (head_ && head_->weights) {
        if (const auto matrix = sliceOf(head_->weights->trace, *head_->stage(), 0, 0))
            show(*matrix);
    } else if (head_ && latest_.head && latest_.head->result == head_->result && latest_.head->place == head_->place) {
        showPooled(latest_);
    } else {
        latest_ = {};
        heatmap_->setMatrix({}, {});
        if (head_)
            job_.request([head](const RunControl& control) {
                return Pooled{head,
                              model::pooled_weights(*head->heads().pass, head->place.head, head->step(), control)};
            });
    }
    emit noteChanged();
}

bool WeightsView::isShown() const { return head_ && (head_->weights || latest_.head); }

void WeightsView::show(const MatrixData& matrix) { heatmap_->setMatrix(matrix, scaleOf(matrix)); }

void WeightsView::showPooled(const Pooled& pooled) {
    latest_ = pooled;
    MatrixData matrix;
    matrix.values = pooled.weights;
    matrix.row_step = matrix.column_step = pooled.head->step();
    matrix.row_title = tr("query token");
    matrix.column_title = tr("key token");
    heatmap_->setMessage({});
    show(matrix);
    emit noteChanged();
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
    const QString words = tr("%1 · entropy %2 nats · largest weight %3")
                              .arg(word.empty() ? tr("%1 tokens").arg(head_->heads().pass->queries) : translated(word),
                                   numberText(figures.entropy, 3), numberText(figures.max_weight, 3));
    return head_->weights ? words
                          : tr("%1 · each cell is the largest weight of %2 × %2 tokens").arg(words).arg(head_->step());
}

std::optional<Figure> WeightsView::figure() const {
    return isShown() ? std::optional(Figure{heatmap_->matrix(), heatmap_->colorScale()}) : std::nullopt;
}

std::optional<MatrixData> WeightsView::matrix() const {
    return isShown() ? std::optional(heatmap_->matrix()) : std::nullopt;
}

} // namespace attnlab::ui
