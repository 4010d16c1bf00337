#include "ui/widgets/kind_mark.h"

#include "ui/widgets/control.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace attnlab::ui {
namespace {

QPolygonF octagonIn(const QRectF& square) {
    QPolygonF corners;
    for (int i = 0; i < 8; ++i) {
        const double angle = (i + 0.5) * std::numbers::pi / 4;
        corners << square.center() + QPointF(std::cos(angle), std::sin(angle)) * (square.width() / 2);
    }
    return corners;
}

} // namespace

void KindMark::setKind(MessageBar::Kind kind) {
    kind_ = kind;
    update();
}

void KindMark::setColors(const QColor& sign, const QColor& cut_out) {
    sign_ = sign;
    cut_out_ = cut_out;
    update();
}

QSize KindMark::sizeHint() const {
    const int side = controlHeight(font()) * metrics::indicator / metrics::control_height + 2;
    return {side, side};
}

void KindMark::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double side = std::min(width(), height());
    const QRectF square(QRectF(rect()).center() - QPointF(side, side) / 2, QSizeF(side, side));
    const auto at = [&](double x, double y) { return square.topLeft() + QPointF(x, y) * side; };
    painter.setPen(Qt::NoPen);
    painter.setBrush(sign_);
    const QPen line(cut_out_, side / 9, Qt::SolidLine, Qt::RoundCap);
    switch (kind_) {
    case MessageBar::Kind::Notice:
        painter.drawEllipse(square);
        painter.setPen(line);
        painter.drawPoint(at(0.5, 0.28));
        painter.drawLine(at(0.5, 0.46), at(0.5, 0.74));
        break;
    case MessageBar::Kind::Warning:
        painter.drawPolygon(QPolygonF{at(0.5, 0.02), at(1.0, 0.95), at(0.0, 0.95)});
        painter.setPen(line);
        painter.drawLine(at(0.5, 0.36), at(0.5, 0.6));
        painter.drawPoint(at(0.5, 0.79));
        break;
    case MessageBar::Kind::Error:
        painter.drawPolygon(octagonIn(square));
        painter.setPen(line);
        painter.drawLine(at(0.34, 0.34), at(0.66, 0.66));
        painter.drawLine(at(0.66, 0.34), at(0.34, 0.66));
        break;
    }
}

} // namespace attnlab::ui
