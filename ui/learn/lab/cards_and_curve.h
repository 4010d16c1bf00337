// The cards of a board above their curves.
#pragma once

#include <QWidget>

namespace attnlab::ui {

class CardsArea;
class CurveCard;
class SceneModel;

/// Cards get what fills their width, curves what is left, and at least their share. Placed by hand: how much each gets
/// must not become what the board needs.
class CardsAndCurve : public QWidget {
    Q_OBJECT
public:
    explicit CardsAndCurve(SceneModel& model, QWidget* parent = nullptr);

    CardsArea* area() const { return area_; }
    CurveCard* curve() const { return curve_; }
    /// The cards are others.
    void place();

    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    CardsArea* area_;
    CurveCard* curve_;
    QSize least_; ///< what the layout around knows
};

} // namespace attnlab::ui
