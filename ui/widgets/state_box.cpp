#include "ui/widgets/state_box.h"

#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <QBoxLayout>
#include <QEvent>
#include <QPainter>
#include <QPushButton>
#include <utility>

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

void paintSign(QPainter& painter, const QRectF& square, Sign sign, const QColor& color, const QColor& cut_out) {
    const double side = square.width();
    const auto at = [&](double x, double y) { return square.topLeft() + QPointF(x, y) * side; };
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    const QPen line(cut_out, side / 9, Qt::SolidLine, Qt::RoundCap);
    switch (sign) {
    case Sign::Notice:
        painter.drawEllipse(square);
        painter.setPen(line);
        painter.drawPoint(at(0.5, 0.28));
        painter.drawLine(at(0.5, 0.46), at(0.5, 0.74));
        break;
    case Sign::Loading: {
        constexpr int whole = 16 * 360;
        const double width = side / 7;
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(color, width, Qt::SolidLine, Qt::RoundCap));
        painter.drawArc(square.adjusted(width / 2, width / 2, -width / 2, -width / 2), whole / 4, -3 * whole / 4);
        break;
    }
    case Sign::Warning:
        painter.drawPolygon(QPolygonF{at(0.5, 0.02), at(1.0, 0.95), at(0.0, 0.95)});
        painter.setPen(line);
        painter.drawLine(at(0.5, 0.36), at(0.5, 0.6));
        painter.drawPoint(at(0.5, 0.79));
        break;
    case Sign::Error:
        painter.drawPolygon(octagonIn(square));
        painter.setPen(line);
        painter.drawLine(at(0.34, 0.34), at(0.66, 0.66));
        painter.drawLine(at(0.66, 0.34), at(0.34, 0.66));
        break;
    }
    painter.restore();
}

SignColors colorsOf(Sign sign) {
    const Theme& look = theme();
    switch (sign) {
    case Sign::Error:
        return {look.error_soft, look.error_text, look.error_text};
    case Sign::Warning:
        return {look.warning_soft, look.warning_text, look.warning_text};
    case Sign::Notice:
    case Sign::Loading:
        break;
    }
    return {look.accent_soft, look.text, look.accent};
}

namespace {

constexpr int most_letters = 52, gap_of_host = 8;

class SignPicture : public QWidget {
public:
    using QWidget::QWidget;

    QSize sizeHint() const override {
        const int side = controlHeight(font()) * metrics::indicator / metrics::control_height + 2;
        return {side, side};
    }
    QSize minimumSizeHint() const override { return sizeHint(); }

    Sign sign = Sign::Notice;

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        const auto colors = colorsOf(sign);
        const double side = std::min(width(), height());
        paintSign(painter, QRectF(QRectF(rect()).center() - QPointF(side, side) / 2, QSizeF(side, side)), sign,
                  colors.sign, colors.back);
    }
};

} // namespace

StateBox::StateBox(QWidget* host, Place place)
    : QWidget(host), place_(place), sign_(new SignPicture(this)), what_(new WrappedLabel(this)),
      why_(new WrappedLabel(this)), button_(new QPushButton(this)) {
    setObjectName(QStringLiteral("stateBox"));
    QFont bold = what_->font();
    bold.setBold(true);
    what_->setFont(bold);
    for (auto* label : {what_, why_})
        label->setWordWrap(true);
    auto* words = new QVBoxLayout;
    words->setSpacing(1);
    words->addWidget(what_);
    words->addWidget(why_);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(metrics::side_padding, metrics::gap, metrics::side_padding, metrics::gap);
    row->setSpacing(metrics::side_padding);
    row->addWidget(sign_);
    row->addLayout(words, 1);
    row->addWidget(button_);
    connect(button_, &QPushButton::clicked, this, &StateBox::clicked);
    if (place_ != Place::Layout)
        host->installEventFilter(this);
    takeColors();
    hide();
}

Sign StateBox::sign() const {
    switch (state_.look) {
    case PictureState::Look::Loading:
        return Sign::Loading;
    case PictureState::Look::Error:
        return Sign::Error;
    case PictureState::Look::Empty:
        break;
    }
    return Sign::Notice;
}

void StateBox::setState(const PictureState& state) {
    words_ = {};
    show(state);
}

void StateBox::setState(Words words) {
    words_ = std::move(words);
    show(words_());
}

void StateBox::show(const PictureState& state) {
    if (state == state_)
        return;
    const bool other_look = state.look != state_.look;
    state_ = state;
    what_->setText(state.what);
    why_->setText(state.why);
    why_->setVisible(!state.why.isEmpty());
    button_->setText(menuText(state.to_do));
    button_->setVisible(!state.to_do.isEmpty());
    // What is below stays usable.
    setAttribute(Qt::WA_TransparentForMouseEvents, place_ != Place::Layout && state.to_do.isEmpty());
    setAccessibleName(state.why.isEmpty() ? state.what : state.what + QStringLiteral(": ") + state.why);
    if (other_look)
        takeColors();
    setVisible(!state.what.isEmpty());
    place();
}

void StateBox::place() {
    if (place_ == Place::Layout || state_.what.isEmpty())
        return;
    const QSize room = parentWidget()->size() - QSize(2 * gap_of_host, 2 * gap_of_host);
    const auto margins = layout()->contentsMargins();
    const auto width_of = [](const QLabel* label) {
        return label->fontMetrics().size(Qt::TextSingleLine, label->text()).width() + 2;
    };
    int width = std::min(std::max(width_of(what_), width_of(why_)), most_letters * fontMetrics().averageCharWidth());
    width += margins.left() + margins.right() + sign_->sizeHint().width() + layout()->spacing();
    if (!button_->isHidden())
        width += layout()->spacing() + button_->sizeHint().width();
    width = std::max(1, std::min(width, room.width()));
    layout()->invalidate();
    QRect box(0, 0, width,
              layout()->hasHeightForWidth() ? layout()->totalHeightForWidth(width)
                                            : layout()->totalSizeHint().height());
    box.moveCenter(parentWidget()->rect().center());
    if (place_ == Place::Top)
        box.moveTop(std::min(box.top(), 2 * fontMetrics().height()));
    box.moveTop(std::max(0, box.top()));
    setGeometry(box);
    raise();
}

bool StateBox::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize)
        place();
    return QWidget::eventFilter(watched, event);
}

void StateBox::takeColors() {
    const auto used = colorsOf(sign());
    auto colors = palette();
    colors.setColor(QPalette::WindowText, used.text);
    for (auto* label : {what_, why_})
        label->setPalette(colors);
    static_cast<SignPicture*>(sign_)->sign = sign();
    sign_->update();
    update();
}

void StateBox::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange && words_)
        show(words_());
    if (event->type() == QEvent::FontChange)
        place();
    if (event->type() == QEvent::PaletteChange && !std::exchange(coloring_, true)) {
        takeColors();
        coloring_ = false;
    }
    QWidget::changeEvent(event);
}

void StateBox::paintEvent(QPaintEvent*) {
    const auto colors = colorsOf(sign());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(state_.look == PictureState::Look::Error ? colors.sign : theme().border, metrics::border));
    painter.setBrush(colors.back);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), metrics::radius, metrics::radius);
}

} // namespace attnlab::ui
