#include "ui/model/weights_view.h"

#include "core/model/pass_figures.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <QBoxLayout>

namespace attnlab::ui {

WeightsView::WeightsView(QWidget* parent) : HeadView(parent), heatmap_(new HeatmapView) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(heatmap_);
    connect(heatmap_, &HeatmapView::cellClicked, this, [this](Cell cell) { emit rowChosen(cell.row); });
    connect(heatmap_, &HeatmapView::cellHovered, heatmap_, &HeatmapView::setCrosshair);
}

void WeightsView::setHead(const SelectedHeadPtr& head, const QString& message) {
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
    const QString words = tr("%1 · averages of the rows: largest weight %3, entropy %2 nats")
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

namespace {

/// What no causal layer reads, whatever its window is.
Stage laterPositions(std::int64_t positions) {
    Stage blocked;
    blocked.name = "blocked";
    blocked.value = Tensor({1, 1, positions, positions}, 0.0, DType::Bool);
    const auto cells = blocked.value.mutable_values();
    for (std::int64_t row = 0; row < positions; ++row)
        std::fill_n(cells.begin() + row * positions + row + 1, positions - row - 1, 1.0);
    blocked.axes = {Axis::Batch, Axis::Head, Axis::Query, Axis::Key};
    blocked.role = StageRole::Mask;
    return blocked;
}

ComputedPtr rolledOut(const ModelResult& result, int pass, const RunControl& control) {
    const auto& heads = result.heads({pass, 0});
    const auto layers = layersUpTo(result, pass);
    bool is_causal = true;
    auto computed = std::make_shared<Computed>();
    auto& trace = computed->trace;
    trace.query_tokens = heads.tokens.queries;
    trace.key_tokens = heads.tokens.keys;
    trace.passes[""].keys_are_queries = true;
    const auto rolled = model::rollout(
        std::ssize(layers),
        [&](std::int64_t layer) {
            auto read = result.heads({layers[static_cast<std::size_t>(layer)], 0}).whole();
            is_causal = is_causal && read->causal;
            return read;
        },
        control);
    if (is_causal)
        trace.stages.push_back(laterPositions(rolled.dim(0)));
    Stage stage;
    stage.name = "rollout";
    stage.value = rolled.reshaped({1, 1, rolled.dim(0), rolled.dim(1)});
    stage.axes = {Axis::Batch, Axis::Head, Axis::Query, Axis::Key};
    trace.stages.push_back(std::move(stage));
    return computed;
}

} // namespace

RolloutView::RolloutView(QWidget* parent)
    : HeadView(parent), heatmap_(new HeatmapView), job_([this](const Rolled& rolled) { show(rolled); }) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(heatmap_);
    connect(heatmap_, &HeatmapView::cellClicked, this, [this](Cell cell) { emit rowChosen(cell.row); });
    connect(heatmap_, &HeatmapView::cellHovered, heatmap_, &HeatmapView::setCrosshair);
    connect(&job_, &LatestJobBase::progressed, this,
            [this](double done) { heatmap_->setMessage(tr("Computing the rollout… %1").arg(progressText(done))); });
    connect(&job_, &LatestJobBase::failed, this, [this](const Message& why) {
        unavailable_reason_ = translated(why);
        heatmap_->setMessage(unavailable_reason_);
        emit noteChanged();
    });
}

void RolloutView::setHead(const SelectedHeadPtr& head, const QString& message) {
    head_ = head;
    rolled_.reset();
    unavailable_reason_.clear();
    job_.cancel();
    if (!head_)
        latest_ = {};
    if (head_ && latest_.result == head_->result && latest_.pass == head_->place.pass) {
        show(latest_);
        return;
    }
    heatmap_->setMatrix({}, {});
    heatmap_->setMessage(head_ ? tr("Computing the rollout…") : message);
    emit noteChanged();
    if (head_)
        job_.request([result = head_->result, pass = head_->place.pass](const RunControl& control) {
            return Rolled{result, pass, rolledOut(*result, pass, control)};
        });
}

void RolloutView::show(const Rolled& rolled) {
    if (!head_ || rolled.result != head_->result || rolled.pass != head_->place.pass)
        return;
    latest_ = rolled;
    rolled_ = rolled.trace;
    if (const auto matrix = sliceOf(rolled_->trace, *rolled_->trace.find("rollout"), 0, 0))
        heatmap_->setMatrix(*matrix, scaleOf(*matrix));
    emit noteChanged();
}

void RolloutView::setRow(std::optional<int> query, const explain::Reading&) {
    heatmap_->setPinned(query ? std::optional(Cell{*query, *query}) : std::nullopt);
}

QString RolloutView::note() const {
    if (!rolled_)
        return unavailable_reason_;
    return tr("Attention rollout: what reaches each word through the layers up to %1 (Abnar and Zuidema 2020)")
        .arg(passTitle(*head_->result, head_->place.pass));
}

std::optional<Figure> RolloutView::figure() const {
    return rolled_ ? std::optional(Figure{heatmap_->matrix(), heatmap_->colorScale()}) : std::nullopt;
}

std::optional<MatrixData> RolloutView::matrix() const {
    return rolled_ ? std::optional(heatmap_->matrix()) : std::nullopt;
}

} // namespace attnlab::ui
