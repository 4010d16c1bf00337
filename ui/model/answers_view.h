// What the model answers after each of its layers, and while each word of its text is hidden.
#pragma once

#include "ui/drawing/figures/figure.h"
#include "ui/model/head_effects.h"
#include "ui/model/model_result.h"
#include "ui/widgets/latest_job.h"

#include <optional>
#include <QStringList>
#include <QWidget>
#include <vector>

namespace attnlab::ui {

class HeatmapView;

/// Answers of one result beside one another: the probabilities of a few outcomes in each row.
struct AnswerRows {
    enum class Of {
        Layers, ///< the logit lens: before the first layer, after each; the last row is the answer
        Words,  ///< the answer, and then what it is while each word is hidden from all attention
    };
    Of of = Of::Layers;
    ModelResultPtr result;
    std::optional<NamedPair> pair;           ///< the first two outcomes
    QStringList names = {};                  ///< of the rows
    std::vector<NamedOutcome> outcomes = {}; ///< the pair, then the likeliest of the answer
    Tensor probabilities = {};               ///< (rows, outcomes)
    std::vector<NamedOutcome> likeliest = {};
    std::vector<double> differences = {}; ///< logit(a) - logit(b) of the pair, by row
    std::vector<double> moved = {};       ///< by row, of the probability of the answer's outcomes: model::moved_between

    MatrixData matrix() const;
    Figure figure() const;
    /// "“Mary” is the likeliest from layer 1 on", "“John” matters most: without it the answer is “Mary”".
    QString words() const;
    /// "The answer after each layer"
    static QString title(Of of);
};

/// Computed in the background while it is in sight.
class AnswersView : public QWidget {
    Q_OBJECT
public:
    explicit AnswersView(AnswerRows::Of of, QWidget* parent = nullptr);

    /// Words can be hidden: the model reads a text and answers. Layers can be asked for any answer.
    static bool canShow(AnswerRows::Of of, const ModelResult& result);
    /// Null: nothing is shown.
    void setResult(const ModelResultPtr& result);
    /// Two outcomes that come first, with the difference of their logits beside each row.
    void setPair(const std::optional<NamedPair>& pair);
    /// While something more urgent is computed.
    void setPaused(bool paused);
    /// Null until it is computed.
    const std::shared_ptr<const AnswerRows>& table() const { return table_; }
    QString note() const;
    HeatmapView* heatmap() const { return heatmap_; }

signals:
    void changed();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void compute();
    void stop();
    void show(const std::shared_ptr<const AnswerRows>& table);

    AnswerRows::Of of_;
    HeatmapView* heatmap_;
    ModelResultPtr result_;
    std::optional<NamedPair> pair_;
    std::shared_ptr<const AnswerRows> table_;
    bool is_outdated_ = true, is_paused_ = false;
    double progress_ = 0.0;
    LatestJob<std::shared_ptr<const AnswerRows>> job_;
};

} // namespace attnlab::ui
