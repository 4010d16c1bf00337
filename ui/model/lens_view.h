// What the model would answer after each of its layers.
#pragma once

#include "ui/drawing/figures/figure.h"
#include "ui/model/head_effects.h"
#include "ui/model/model_result.h"
#include "ui/widgets/latest_job.h"

#include <optional>
#include <QWidget>
#include <vector>

namespace attnlab::ui {

class HeatmapView;

/// The logit lens of one result: layers and the probabilities of a few outcomes.
struct LensTable {
    ModelResultPtr result;
    std::optional<NamedPair> pair;      ///< the first two outcomes
    std::vector<NamedOutcome> outcomes; ///< then the likeliest of the whole model
    Tensor probabilities;               ///< (layers + 1, outcomes): before the first layer, and after each
    std::vector<NamedOutcome> likeliest = {};
    std::vector<double> differences = {}; ///< logit(a) - logit(b) of the pair, by row

    MatrixData matrix() const;
    Figure figure() const;
    /// "“Mary” is the likeliest from layer 1 on".
    QString words() const;
};

/// Computed in the background while it is in sight.
class LensView : public QWidget {
    Q_OBJECT
public:
    explicit LensView(QWidget* parent = nullptr);

    /// Null: nothing is shown.
    void setResult(const ModelResultPtr& result);
    /// Two outcomes that come first, with the difference of their logits beside each layer.
    void setPair(const std::optional<NamedPair>& pair);
    /// Null until it is computed.
    const std::shared_ptr<const LensTable>& table() const { return table_; }
    QString note() const;
    HeatmapView* heatmap() const { return heatmap_; }

signals:
    void changed();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void compute();
    void show(const std::shared_ptr<const LensTable>& table);

    HeatmapView* heatmap_;
    ModelResultPtr result_;
    std::optional<NamedPair> pair_;
    std::shared_ptr<const LensTable> table_;
    bool is_outdated_ = true;
    LatestJob<std::shared_ptr<const LensTable>> job_;
};

} // namespace attnlab::ui
