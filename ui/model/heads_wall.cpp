#include "ui/model/heads_wall.h"

#include "ui/drawing/colormap.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/popups.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <QCoreApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QPaintEvent>

#include <algorithm>

namespace attnlab::ui {
namespace {

constexpr int gap = 4, smallest_side = 22, largest_side = 72;
constexpr int inset = 6;                // for the frames of focus and of the head that is chosen
constexpr int fewest_columns_shown = 6; ///< of the width that is asked for

} // namespace

HeadsWall::HeadsWall(QWidget* parent) : QWidget(parent) {
    setAccessibleRole(*this, QAccessible::Chart);
    setFocusPolicy(Qt::StrongFocus);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    declareShortcuts(*this, {tr("Heads of a model"),
                             {{tr("Arrow keys, Home, End"), tr("Go from head to head")},
                              {tr("Space"), tr("Switch the head off, or on again")}}});
    describe();
}

void HeadsWall::setResult(ModelResultPtr result) {
    result_ = std::move(result);
    arrange();
}

void HeadsWall::setOrder(const HeadFigure* figure) {
    order_ = figure;
    arrange();
}

void HeadsWall::setPictures(Pictures pictures) {
    pictures_ = pictures;
    update();
}

void HeadsWall::arrange() {
    shown_.clear();
    widest_ = 1;
    for (int pass = 0; result_ && pass < static_cast<int>(result_->passes.size()); ++pass) {
        const int count = static_cast<int>(result_->heads({pass, 0}).pictures.size());
        widest_ = std::max(widest_, count);
        for (int head = 0; head < count; ++head)
            shown_.push_back({pass, head});
    }
    if (order_) {
        const auto figure = [this](HeadIndex place) { return order_->of(*result_, place).value_or(-1.0); };
        std::stable_sort(shown_.begin(), shown_.end(), [&](HeadIndex a, HeadIndex b) { return figure(a) > figure(b); });
    }
    indices_.assign(result_ ? result_->passes.size() : 0, {});
    for (const auto place : shown_)
        indices_[static_cast<std::size_t>(place.pass)].push_back(0);
    for (std::size_t i = 0; i < shown_.size(); ++i)
        indices_[static_cast<std::size_t>(shown_[i].pass)][static_cast<std::size_t>(shown_[i].head)] =
            static_cast<int>(i);
    measureTitles();
    if (!chosen_ || !indexOf(*chosen_)) {
        chosen_ = shown_.empty() ? std::nullopt : std::optional(shown_.front());
        emit chosenChanged();
    }
    describe();
    update();
}

void HeadsWall::measureTitles() {
    titles_ = 0;
    for (int pass = 0; result_ && pass < static_cast<int>(result_->passes.size()); ++pass)
        titles_ = std::max(titles_, fontMetrics().horizontalAdvance(passTitle(*result_, pass)) + 2 * gap);
    updateGeometry();
}

std::optional<int> HeadsWall::indexOf(HeadIndex place) const {
    const auto pass = static_cast<std::size_t>(place.pass), head = static_cast<std::size_t>(place.head);
    return pass < indices_.size() && head < indices_[pass].size() ? std::optional(indices_[pass][head]) : std::nullopt;
}

void HeadsWall::choose(HeadIndex place) {
    if (chosen_ == place || !indexOf(place))
        return;
    chosen_ = place;
    describe();
    update();
    emit chosenChanged();
}

void HeadsWall::chooseFirst() {
    if (!shown_.empty())
        choose(shown_.front());
}

HeadsWall::Geometry HeadsWall::geometryFor(int width) const {
    Geometry geometry;
    if (!result_)
        return geometry;
    geometry.margin = order_ ? 0 : titles_;
    const int room = std::max(1, width - geometry.margin - 2 * inset);
    geometry.side = std::clamp(room / widest_ - gap, smallest_side, largest_side);
    geometry.columns = std::max(1, order_ ? room / (geometry.side + gap) : widest_);
    geometry.step = geometry.side + gap + (order_ ? fontMetrics().height() : 0);
    return geometry;
}

int HeadsWall::heightForWidth(int width) const {
    if (shown_.empty())
        return 0;
    const auto geometry = geometryFor(width);
    const int rows = order_ ? (static_cast<int>(shown_.size()) + geometry.columns - 1) / geometry.columns
                            : static_cast<int>(result_->passes.size());
    return rows * geometry.step + 2 * inset;
}

QSize HeadsWall::sizeHint() const {
    const int width = fewest_columns_shown * (largest_side + gap) + 2 * inset;
    return {width, heightForWidth(width)};
}

QSize HeadsWall::minimumSizeHint() const {
    const auto geometry = geometryFor(0);
    return {geometry.margin + (order_ ? 1 : widest_) * (smallest_side + gap) + 2 * inset, smallest_side + 2 * inset};
}

QRect HeadsWall::rectOf(HeadIndex place) const {
    const auto index = indexOf(place);
    if (!index)
        return {};
    const auto geometry = geometryFor(width());
    const int row = order_ ? *index / geometry.columns : place.pass;
    const int column = order_ ? *index % geometry.columns : place.head;
    return {inset + geometry.margin + column * (geometry.side + gap), inset + row * geometry.step, geometry.side,
            geometry.side};
}

std::optional<HeadIndex> HeadsWall::placeAt(const QPoint& point) const {
    for (const auto place : shown_)
        if (rectOf(place).contains(point))
            return place;
    return std::nullopt;
}

void HeadsWall::describe() {
    const QString text = chosen_ && result_
                             ? headText(*result_, *chosen_).replace(QLatin1Char('\n'), QStringLiteral(", "))
                             : tr("No heads");
    setAccessibleName(text);
    setAccessibleDescription(result_ && result_->capture ? tr("Arrow keys choose a head")
                                                         : tr("Arrow keys choose a head, Space switches it off or on"));
}

void HeadsWall::paintHead(QPainter& painter, HeadIndex place, const QRect& at) const {
    const ComparedPass* compared = pictures_ == Pictures::Differences ? result_->comparedHeads(place) : nullptr;
    const auto index = static_cast<std::size_t>(place.head);
    QImage picture = compared ? compared->pictures[index] : result_->heads(place).pictures[index];
    ValueRange range;
    range.include(compared ? -1.0 : 1.0);
    const auto& colors = shownOn(theme(), colorScale({}, range, compared != nullptr)).map->colors;
    picture.setColorTable(QList<QRgb>(colors.begin(), colors.end()));
    const bool off = result_->isOff(place);
    if (off && !compared)
        painter.setOpacity(0.25);
    painter.drawImage(at, picture);
    painter.setOpacity(1.0);
    if (off) {
        painter.setPen(QPen(palette().color(QPalette::WindowText), 2));
        painter.drawLine(at.topLeft(), at.bottomRight());
        painter.drawLine(at.topRight(), at.bottomLeft());
    }
    if (chosen_ == place) {
        painter.setPen(QPen(theme().pin, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(at.adjusted(-1, -1, 1, 1));
    }
}

/// "1.0: 0.14", the layer and head with the figure that orders them; the figure alone where there is little room.
void HeadsWall::paintFigure(QPainter& painter, HeadIndex place, const QRect& above) const {
    const auto figure = order_->of(*result_, place);
    const QString number = figure ? QString::number(*figure, 'f', 2) : QStringLiteral("–");
    const QString whole = QStringLiteral("%1.%2: %3").arg(place.pass).arg(place.head).arg(number);
    const QRect room(above.left(), above.bottom() + 1, above.width() + gap, fontMetrics().height());
    painter.setPen(palette().color(chosen_ == place ? QPalette::WindowText : QPalette::PlaceholderText));
    painter.drawText(room, Qt::AlignLeft | Qt::AlignTop,
                     fontMetrics().horizontalAdvance(whole) <= room.width() ? whole : number);
}

void HeadsWall::paintEvent(QPaintEvent* event) {
    if (!result_)
        return;
    QPainter painter(this);
    const auto geometry = geometryFor(width());
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (!order_) {
        painter.setPen(palette().color(QPalette::PlaceholderText));
        for (int pass = 0; pass < static_cast<int>(result_->passes.size()); ++pass)
            painter.drawText(QRect(inset, inset + pass * (geometry.side + gap), geometry.margin - gap, geometry.side),
                             Qt::AlignRight | Qt::AlignVCenter, passTitle(*result_, pass));
    }
    for (const auto place : shown_)
        if (const QRect at = rectOf(place); event->rect().intersects(at.adjusted(-2, -2, 2, geometry.step))) {
            paintHead(painter, place, at);
            if (order_)
                paintFigure(painter, place, at);
        }
    if (hasFocus())
        paintFocusFrame(painter, *this);
}

void HeadsWall::mousePressEvent(QMouseEvent* event) {
    if (const auto place = placeAt(event->pos()); place && event->button() == Qt::LeftButton)
        choose(*place);
}

void HeadsWall::keyPressEvent(QKeyEvent* event) {
    if (!chosen_)
        return QWidget::keyPressEvent(event);
    const int count = static_cast<int>(shown_.size());
    const int at = indexOf(*chosen_).value_or(0);
    const int row = geometryFor(width()).columns;
    int to;
    switch (event->key()) {
    case Qt::Key_Left:
        to = at - 1;
        break;
    case Qt::Key_Right:
        to = at + 1;
        break;
    case Qt::Key_Up:
        to = at - row;
        break;
    case Qt::Key_Down:
        to = at + row;
        break;
    case Qt::Key_Home:
        to = 0;
        break;
    case Qt::Key_End:
        to = count - 1;
        break;
    case Qt::Key_Space:
        emit toggled(*chosen_);
        return;
    default:
        QWidget::keyPressEvent(event);
        return;
    }
    if (to >= 0 && to < count)
        choose(shown_[static_cast<std::size_t>(to)]);
}

void HeadsWall::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange)
        measureTitles();
    QWidget::changeEvent(event);
}

bool HeadsWall::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && result_) {
        const auto place = placeAt(tipPosition(*event));
        showTip(*event, place ? headText(*result_, *place) : QString(), *this, place ? rectOf(*place) : QRect());
        return true;
    }
    return QWidget::event(event);
}

} // namespace attnlab::ui
