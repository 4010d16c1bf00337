// Heads as matrices: the weights, the rollout over layers, and the difference between two runs.
#pragma once

#include "ui/document/computation.h"
#include "ui/model/head_view.h"
#include "ui/model/model_result.h"
#include "ui/pages/compare/compare_view.h"
#include "ui/widgets/latest_job.h"

class QComboBox;

namespace attnlab::ui {

class HeatmapView;
class SegmentSwitch;

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
    ComputedPtr stages() const override;
    std::string displayedStage() const override { return viewed_ ? "view" : "weights"; }
    /// Views of the weights.
    QComboBox* viewPicker() const { return picker_; }
    QWidget* headingTool() const override;

private:
    MatrixData pooled() const;
    bool isAligned() const;
    void showMatrix();
    void offerViews();

    HeatmapView* heatmap_;
    QComboBox* picker_;
    SelectedHeadPtr head_;
    ComputedPtr viewed_; ///< the weights with the chosen view; null while they are shown as they are
};

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
    QString ownTitle() const override;
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

struct ComparedHead {
    ComparedMatrices matrices; ///< A, B and B - A
    ComputedPtr stages;        ///< "a.weights", "b.weights", "difference.weights"
};

/// With `step` x `step` tokens a cell: the largest weight of each, and the largest difference. Throws Cancelled.
ComparedHead comparedHead(const ComparedPass& pass, int head, std::int64_t step, const RunControl& control = {});

/// "fox", or "cat → dog" where the texts differ.
QStringList labelsOfBoth(const std::vector<std::string>& a, const std::vector<std::string>& b, std::int64_t count);

/// The difference of a head in two runs, or one of the two, large, on the scale of the small pictures.
/// All heads on beside some off, or one text beside another. What takes longer than a blink is compared in the
/// background.
class DifferenceView : public HeadView {
    Q_OBJECT
public:
    explicit DifferenceView(QWidget* parent = nullptr);

    enum Shown { A, B, Difference };
    SegmentSwitch* choice() const { return choice_; }
    HeatmapView* heatmap() const override { return nullptr; } ///< its colours are not chosen
    HeatmapView* matrixView() const { return map_; }
    /// What A, B and their difference are.
    QString title(Shown which) const;
    const std::optional<ComparedHead>& compared() const { return shown_; }

    QString name() const override { return tr("Compare"); }
    QString figureName() const override { return title(Difference); }
    bool canShow(const SelectedHead& head) const override { return head.result->compared.has_value(); }
    /// Of a model, so that the tabs stay where they are when a head is switched off.
    bool isOffered(const SelectedHead& head) const override { return head.result->model != nullptr; }
    void setHead(const SelectedHeadPtr& head, const QString& message) override;
    void setRow(std::optional<int> query, const explain::Reading& reading) override;
    QString note() const override;
    std::optional<Figure> figure() const override;
    std::optional<MatrixData> matrix() const override;
    ComputedPtr stages() const override { return shown_ ? shown_->stages : nullptr; }
    std::string displayedStage() const override { return "difference.weights"; }
    QWidget* headingTool() const override;

private:
    bool isSame() const;
    void show(ComparedHead compared);
    void showNothing(const QString& message, PictureState::Look look = PictureState::Look::Empty);
    void showMatrix();

    SegmentSwitch* choice_;
    HeatmapView* map_;
    SelectedHeadPtr head_;
    std::optional<ComparedHead> shown_;
    LatestJob<std::shared_ptr<ComparedHead>> job_;
};

} // namespace attnlab::ui
