#include "ui/learn/lab/cards_and_curve.h"

#include "ui/learn/lab/cards_area.h"
#include "ui/learn/lab/curve_card.h"

#include <QEvent>

#include <algorithm>

namespace attnlab::ui {
namespace {

constexpr int cards_spacing = 6;
constexpr double curve_share = 0.34; ///< minimum share of the height, if the cards leave it

} // namespace

CardsAndCurve::CardsAndCurve(SceneModel& model, QWidget* parent)
    : QWidget(parent), area_(new CardsArea(this)), curve_(new CurveCard(model, this)) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void CardsAndCurve::place() {
    if (curve_->isHidden()) {
        area_->setGeometry(rect());
        return;
    }
    const int room = height() - cards_spacing;
    const int least = std::max(curve_->minimumSizeHint().height(), static_cast<int>(curve_share * room));
    const int curve = std::clamp(room - area_->preferredHeight(width()), least, std::max(least, 2 * room / 3));
    area_->setGeometry(0, 0, width(), room - curve);
    curve_->setGeometry(0, room - curve + cards_spacing, width(), curve);
}

QSize CardsAndCurve::minimumSizeHint() const {
    const QSize cards = area_->minimumSizeHint();
    if (curve_->isHidden())
        return cards;
    const QSize curve = curve_->minimumSizeHint();
    return {std::max(cards.width(), curve.width()), cards.height() + cards_spacing + curve.height()};
}

bool CardsAndCurve::event(QEvent* event) {
    const bool done = QWidget::event(event);
    if (event->type() != QEvent::LayoutRequest)
        return done;
    if (const QSize least = minimumSizeHint(); least != least_) {
        least_ = least;
        updateGeometry();
    }
    place();
    return done;
}

void CardsAndCurve::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    place();
}

} // namespace attnlab::ui
