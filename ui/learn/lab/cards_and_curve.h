// The cards of a board above their curves.
#pragma once

#include <QWidget>

namespace attnlab::ui {

class CardsArea;
class CurveCard;
class SceneModel;

/// Cards get the height that fills their width, curves the rest, but at least their share. Laid out by hand: these
/// heights must not become the board's minimum.
class CardsAndCurve : public QWidget {
    Q_OBJECT
public:
    explicit CardsAndCurve(SceneModel& model, QWidget* parent = nullptr);

    CardsArea* area() const { return area_; }
    CurveCard* curve() const { return curve_; }
    /// The cards were replaced.
    void place();

    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    CardsArea* area_;
    CurveCard* curve_;
    QSize least_; ///< the minimum size known to the surrounding layout
};

} // namespace attnlab::ui
