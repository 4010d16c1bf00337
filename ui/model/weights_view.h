// The weights of a head as a matrix.
#pragma once

#include "ui/model/head_view.h"
#include "ui/widgets/latest_job.h"

namespace attnlab::ui {

class HeatmapView;

/// Those of a long text are pooled in the background.
class WeightsView : public HeadView {
    Q_OBJECT
public:
    explicit WeightsView(QWidget* parent = nullptr);

    HeatmapView* heatmap() const { return heatmap_; }

    QString name() const override { return tr("Weights"); }
    void setHead(const HeadOnShowPtr& head, const QString& message) override;
    void setRow(std::optional<int> query, const explain::Reading& reading) override;
    QString note() const override;
    std::optional<Figure> figure() const override;
    std::optional<MatrixData> matrix() const override;
    ComputedPtr stages() const override { return head_ ? head_->weights : nullptr; }

private:
    struct Pooled {
        HeadOnShowPtr head;
        Tensor weights;
    };
    /// False while a head is being pooled.
    bool isShown() const;
    void show(const MatrixData& matrix);
    void showPooled(const Pooled& pooled);

    HeatmapView* heatmap_;
    HeadOnShowPtr head_;
    Pooled latest_; ///< of the head that was pooled last
    LatestJob<Pooled> job_;
};

} // namespace attnlab::ui
