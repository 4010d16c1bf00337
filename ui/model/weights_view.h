// The weights of a head as a matrix.
#pragma once

#include "ui/model/head_view.h"

namespace attnlab::ui {

class HeatmapView;

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
    ComputedPtr stages() const override { return !head_ ? nullptr : head_->weights ? head_->weights : head_->pooled; }

private:
    MatrixData pooled() const;

    HeatmapView* heatmap_;
    HeadOnShowPtr head_;
};

} // namespace attnlab::ui
