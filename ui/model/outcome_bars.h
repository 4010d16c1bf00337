// The likeliest next tokens as bars.
#pragma once

#include "core/model/next_tokens.h"

#include <QWidget>

#include <vector>

namespace attnlab::ui {

/// Bars of probabilities. While heads are switched off, a frame on each bar shows the probability with all heads on.
/// The accessible name has all numbers.
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
    struct Bar {
        QString name;
        double now = -1.0; ///< < 0: not among the likeliest
        double before = -1.0;
    };
    int lineHeight() const { return fontMetrics().height() + 6; }

    std::vector<Bar> bars_;
    bool compares_ = false;
};

} // namespace attnlab::ui
