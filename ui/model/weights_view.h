// The weights of a head as a matrix, and the rollout over layers.
#pragma once

#include "ui/model/head_view.h"
#include "ui/widgets/latest_job.h"

namespace attnlab::ui {

class HeatmapView;

class WeightsView : public HeadView {
    Q_OBJECT
public:
    explicit WeightsView(QWidget* parent = nullptr);

    HeatmapView* heatmap() const override { return heatmap_; }

    QString name() const override { return tr("Weights"); }
    void setHead(const SelectedHeadPtr& head, const QString& message) override;
    void setRow(std::optional<int> query, const explain::Reading& reading) override;
    QString note() const override;
    std::optional<Figure> figure() const override;
    std::optional<MatrixData> matrix() const override;
    ComputedPtr stages() const override { return !head_ ? nullptr : head_->weights ? head_->weights : head_->pooled; }

private:
    MatrixData pooled() const;

    HeatmapView* heatmap_;
    SelectedHeadPtr head_;
};

class HeatmapView;

/// What is in each position after the layers up to the one on show.
/// Computes in the background, and keeps the result while only the head changes.
class RolloutView : public HeadView {
    Q_OBJECT
public:
    explicit RolloutView(QWidget* parent = nullptr);

    HeatmapView* heatmap() const override { return heatmap_; }

    QString name() const override { return tr("Rollout"); }
    /// Of self-attention; of too long a text it says why not.
    bool canShow(const SelectedHead& head) const override { return !layersUpTo(*head.result, head.place.pass).empty(); }
    void setHead(const SelectedHeadPtr& head, const QString& message) override;
    void setRow(std::optional<int> query, const explain::Reading& reading) override;
    QString note() const override;
    std::optional<Figure> figure() const override;
    std::optional<MatrixData> matrix() const override;
    ComputedPtr stages() const override { return rolled_; }
    std::string displayedStage() const override { return "rollout"; }

private:
    struct Rolled {
        ModelResultPtr result;
        int pass = 0;
        ComputedPtr trace; ///< with a stage "rollout"
    };
    void show(const Rolled& rolled);

    HeatmapView* heatmap_;
    SelectedHeadPtr head_;
    ComputedPtr rolled_; ///< of head_; null until it is computed
    Rolled latest_;
    QString unavailable_reason_; ///< there is none
    LatestJob<Rolled> job_;
};

} // namespace attnlab::ui
