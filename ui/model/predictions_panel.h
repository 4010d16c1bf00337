// What the model expects: the next token, masked tokens, or a class.
#pragma once

#include "core/model/model_results.h"
#include "ui/drawing/bars_drawing.h"
#include "ui/model/model_result.h"

#include <QWidget>
#include <vector>

class QVBoxLayout;

namespace attnlab::ui {

class ElidedLabel;
class OutcomeBars;
class WrappedLabel;

/// Of both texts where two are compared.
class PredictionsPanel : public QWidget {
    Q_OBJECT
public:
    explicit PredictionsPanel(QWidget* parent = nullptr);

    /// Null, or a model that expects nothing: the panel is hidden.
    void setResult(const ModelResultPtr& result);
    /// Those in sight, from above.
    std::vector<OutcomeBars*> bars() const;
    QStringList titles() const;
    /// How to see guesses where there are none.
    QString hint() const;

private:
    struct Section {
        ElidedLabel* title;
        OutcomeBars* bars;
    };
    void show(std::size_t index, const QString& title, const ModelPredictions& guesses);
    QString titleOf(const ModelResult& result, const std::vector<std::string>& tokens,
                    const ModelPredictions& guesses) const;

    QVBoxLayout* column_;
    WrappedLabel* hint_;
    std::vector<Section> sections_;
    std::size_t shown_ = 0;
};

/// The probabilities of the likeliest next tokens as bars. While heads are switched off, a frame on each bar shows the
/// probability with all heads on. The accessible name has all numbers.
class OutcomeBars : public QWidget {
    Q_OBJECT
public:
    explicit OutcomeBars(QWidget* parent = nullptr);

    /// `before` is of the same input with all heads on; those that are not among `outcomes` come below them.
    void setOutcomes(const std::vector<model::Outcome>& outcomes, const std::vector<model::Outcome>& before);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    BarsDrawing bars_;
};

} // namespace attnlab::ui
