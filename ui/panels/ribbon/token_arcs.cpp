#include "ui/panels/ribbon/token_arcs.h"

#include "ui/drawing/arcs.h"
#include "ui/panels/ribbon/token_chips.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/popups.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <QEvent>
#include <QFocusEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolButton>
#include <QWheelEvent>
#include <tuple>

namespace attnlab::ui {
namespace {

constexpr int narrowest_line = 160, narrowest_flat = 100, widest_line = 720; // more does not make others shrink
constexpr std::size_t arcs_beyond_sight = 5;
constexpr int edge_button = 18, view_margin = 30;

} // namespace

TokenArcs::TokenArcs(QWidget* parent)
    : QWidget(parent), to_left_(new QToolButton(this)), to_right_(new QToolButton(this)) {
    setAccessibleRole(*this, QAccessible::Chart);
    setFocusPolicy(Qt::StrongFocus);
    declareShortcuts(*this, {tr("Words"),
                             {{tr("Left, Right, Home, End"), tr("Go from word to word")},
                              {tr("Enter, Space"), tr("Choose the word, or let it go")}}});
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    for (auto* button : {to_left_, to_right_}) {
        button->setFocusPolicy(Qt::NoFocus); // the arrow keys scroll
        button->setAutoRepeat(true);
        button->hide();
        connect(button, &QToolButton::clicked, this,
                [this, button] { scrollTo(scrolled_ + (button == to_left_ ? -width() / 2 : width() / 2)); });
    }
    to_left_->setArrowType(Qt::LeftArrow);
    to_right_->setArrowType(Qt::RightArrow);
    to_left_->setAccessibleName(tr("Earlier words"));
    to_right_->setAccessibleName(tr("Later words"));
    for (auto* button : {to_left_, to_right_})
        button->setToolTip(button->accessibleName());
}

void TokenArcs::setTokens(RibbonTokens tokens) {
    const bool same = tokens == tokens_;
    const auto counts = [this] { return std::tuple(tokens_.count(Side::Queries), tokens_.count(Side::Keys)); };
    const auto counted = counts();
    tokens_ = std::move(tokens);
    if (!same) {
        const QSize hint = sizeHint();
        places_ = TokenPositions(tokens_, fontMetrics(), flat_);
        if (counts() != counted)
            kept_width_ = 0;
        keepWidth();
        if (hint != sizeHint())
            updateGeometry();
        query_.reset(); // of other tokens, until setQuery()
        hover({});
    }
    scrollTo(scrolled_);
}

void TokenArcs::setFlat(bool flat) {
    if (flat_ == flat)
        return;
    flat_ = flat;
    place();
}

void TokenArcs::keepWidth() {
    constexpr int step = 24, most_spare = 3 * step;
    const int needed = places_.width();
    if (needed > kept_width_ || kept_width_ - needed > most_spare)
        kept_width_ = (needed + step - 1) / step * step;
}

void TokenArcs::setIdle(bool idle) {
    if (std::exchange(is_idle_, idle) != idle)
        update();
}

void TokenArcs::place() {
    places_ = TokenPositions(tokens_, fontMetrics(), flat_);
    kept_width_ = 0;
    keepWidth();
    placeButtons();
    updateGeometry();
    update();
}

void TokenArcs::setQuery(std::optional<int> query, const explain::Reading& reading) {
    const bool moved = query != query_;
    query_ = query;
    weights_.assign(static_cast<std::size_t>(tokens_.count(Side::Keys)), std::numeric_limits<double>::quiet_NaN());
    largest_.clear();
    whole_ = 0.0;
    for (const auto& [key, weight] : reading.keys) {
        weights_[static_cast<std::size_t>(key)] = weight;
        whole_ += std::abs(weight);
        if (largest_.size() < arcs_beyond_sight)
            largest_.push_back(static_cast<int>(key));
    }
    if (moved && !(hovered_ && isQuery(*hovered_))) // a line that moves under the mouse would choose another token
        showChosen();
    update();
}

double TokenArcs::share(int key) const {
    const double weight = weights_.empty() ? 0.0 : weights_[static_cast<std::size_t>(key)];
    return std::isfinite(weight) && whole_ > 0.0 ? weight / std::max(whole_, 1.0) : 0.0;
}

double TokenArcs::arcWidth(int key) const {
    constexpr double least_share = 0.003;
    const double part = share(key);
    return std::abs(part) < least_share ? 0.0 : ui::arcWidth(part);
}

double TokenArcs::offset(Side side) const {
    const double beyond = places_.width(side) - width();
    if (!scrolls())
        return (places_.width(side) - places_.width()) / 2.0;
    return beyond <= 0.0 ? beyond / 2.0 : std::min(scrolled_ / longestWay(), 1.0) * beyond;
}

void TokenArcs::scrollTo(double left) {
    scrolled_ = std::clamp(left, 0.0, longestWay());
    placeButtons();
    update();
}

std::pair<double, double> TokenArcs::inSight(Side side, int token) const {
    const double beyond = places_.width(side) - width();
    if (beyond <= 0.0)
        return {0.0, longestWay()};
    const double pace = longestWay() / beyond;
    const QRectF box = places_.box(side, token);
    return {std::max(0.0, (box.right() + view_margin - width()) * pace),
            std::min(longestWay(), std::max(0.0, box.left() - view_margin) * pace)};
}

/// Brings the chosen query into sight, and with it its largest key where there is room for both. With none chosen, the
/// line begins with its first words.
void TokenArcs::showChosen() {
    if (!query_)
        scrollTo(0.0);
    if (!query_ || !scrolls())
        return;
    auto [first, last] = inSight(Side::Queries, *query_);
    if (!largest_.empty()) {
        const auto [key_first, key_last] = inSight(Side::Keys, largest_.front());
        if (std::max(first, key_first) <= std::min(last, key_last)) {
            first = std::max(first, key_first);
            last = std::min(last, key_last);
        }
    }
    scrollTo(std::clamp(scrolled_, first, std::max(first, last)));
}

/// The line moves under the mouse by no more than what is hidden of a token.
void TokenArcs::showWhole(const Spot& spot) {
    if (!scrolls())
        return;
    const auto [first, last] = inSight(spot.side, spot.token);
    scrollTo(std::clamp(scrolled_, first, std::max(first, last)));
}

void TokenArcs::placeButtons() {
    const int height = chipHeight(fontMetrics());
    const auto top = static_cast<int>(places_.height() - height - 4);
    to_left_->setGeometry(0, top, edge_button, height);
    to_right_->setGeometry(width() - edge_button, top, edge_button, height);
    to_left_->setVisible(scrolls() && scrolled_ > 0.0);
    to_right_->setVisible(scrolls() && scrolled_ < longestWay());
}

double TokenArcs::edgeRoom(const QToolButton* button) const { return button->isHidden() ? 0.0 : edge_button + 1.0; }

bool TokenArcs::isInSight(Side side, int token) const {
    const QRectF box = chipRect(side, token);
    constexpr double rounding = 0.01;
    return box.left() >= edgeRoom(to_left_) - rounding && box.right() <= width() - edgeRoom(to_right_) + rounding;
}

bool TokenArcs::isQuery(const Spot& spot) const {
    return (spot.side == Side::Queries || tokens_.oneLine()) && spot.token < tokens_.count(Side::Queries);
}

std::optional<TokenArcs::Spot> TokenArcs::spotAt(const QPointF& position) const {
    for (const Side side : {Side::Keys, Side::Queries})
        if (const auto token = places_.at(side, position + QPointF(offset(side), 0)); token && isInSight(side, *token))
            return Spot{side, *token}; // a single line is that of keys
    return std::nullopt;
}

void TokenArcs::hover(std::optional<Spot> spot) {
    if (spot == hovered_)
        return;
    hovered_ = spot;
    setCursor(spot && (isQuery(*spot) || (query_ && !tokens_.oneLine())) ? Qt::PointingHandCursor : Qt::ArrowCursor);
    emit queryHovered(spot && isQuery(*spot) ? std::optional(spot->token) : std::nullopt);
    update();
}

void TokenArcs::mouseMoveEvent(QMouseEvent* event) { hover(spotAt(event->position())); }

void TokenArcs::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    hover({});
}

void TokenArcs::mousePressEvent(QMouseEvent* event) {
    const auto spot = spotAt(event->position());
    if (!spot || event->button() != Qt::LeftButton)
        return QWidget::mousePressEvent(event);
    showWhole(*spot);
    if (isQuery(*spot))
        emit queryClicked(spot->token);
    else if (!tokens_.oneLine())
        emit keyClicked(spot->token);
}

void TokenArcs::mouseDoubleClickEvent(QMouseEvent* event) {
    const auto spot = spotAt(event->position());
    if (!spot || event->button() != Qt::LeftButton)
        return QWidget::mouseDoubleClickEvent(event);
    emit renameRequested(isQuery(*spot) ? Side::Queries : Side::Keys, spot->token);
}

void TokenArcs::wheelEvent(QWheelEvent* event) {
    if (!scrolls())
        return QWidget::wheelEvent(event);
    const QPoint pixels = event->pixelDelta(), angle = event->angleDelta();
    const QPoint by = pixels.isNull() ? angle / 2 : pixels;
    scrollTo(scrolled_ - (std::abs(by.x()) > std::abs(by.y()) ? by.x() : by.y()));
    hover(spotAt(event->position()));
    event->accept();
}

/// A mouse that rests on a chip does not hold the query.
void TokenArcs::moveTo(int query) {
    hover({});
    emit queryMoved(query);
}

void TokenArcs::keyPressEvent(QKeyEvent* event) {
    const int last = tokens_.count(Side::Queries) - 1, key = event->key();
    if (last < 0)
        return QWidget::keyPressEvent(event);
    if (key == Qt::Key_Left || key == Qt::Key_Right) {
        const int next = !query_ ? (key == Qt::Key_Right ? 0 : last) : *query_ + (key == Qt::Key_Right ? 1 : -1);
        moveTo(std::clamp(next, 0, last));
    } else if (key == Qt::Key_Home || key == Qt::Key_End) {
        moveTo(key == Qt::Key_Home ? 0 : last);
    } else if (key == Qt::Key_Space || key == Qt::Key_Return || key == Qt::Key_Enter) {
        emit queryClicked(query_.value_or(0));
    } else if (key == Qt::Key_F2 && query_) {
        emit renameRequested(Side::Queries, *query_);
    } else {
        QWidget::keyPressEvent(event);
    }
}

void TokenArcs::focusInEvent(QFocusEvent* event) {
    focus_shown_ = event->reason() != Qt::MouseFocusReason;
    QWidget::focusInEvent(event);
}

void TokenArcs::focusOutEvent(QFocusEvent* event) {
    focus_shown_ = false;
    QWidget::focusOutEvent(event);
}

bool TokenArcs::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        for (const auto edge : {Qt::LeftEdge, Qt::RightEdge})
            if (const QRectF mark = markBox(edge); mark.contains(tipPosition(*event))) {
                QStringList keys;
                for (const int key : keysBeyond(edge))
                    keys << tokens_.full(Side::Keys, key);
                showTip(*event, tr("Out of sight: %1").arg(keys.join(tr(", "))), *this, mark.toRect());
                return true;
            }
        const auto spot = spotAt(tipPosition(*event));
        showTip(*event, spot ? tokens_.full(isQuery(*spot) ? Side::Queries : Side::Keys, spot->token) : QString(),
                *this, spot ? chipRect(spot->side, spot->token).toRect() : QRect());
        return true;
    }
    return QWidget::event(event);
}

void TokenArcs::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    placeButtons();
    showChosen();
}

void TokenArcs::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        place();
}

QSize TokenArcs::sizeHint() const { return {std::min(wholeWidth(), widest_line), places_.height()}; }
int TokenArcs::wholeWidth() const { return std::max(kept_width_, flat_ ? narrowest_flat : narrowest_line); }
QSize TokenArcs::minimumSizeHint() const { return {flat_ ? narrowest_flat : narrowest_line, places_.height()}; }

// Paints chips and arcs.

namespace {

constexpr int widest_mark = 110;
constexpr double mark_padding = 5.0;

/// From the top of a chip to that of another, or back to itself.
QPainterPath bowOver(const QRectF& from, const QRectF& to) {
    constexpr double lowest = 15.0, highest = 41.0, steepness = 0.3,
                     thickest_half = 4.0; // a curve reaches three quarters of its control
    const double y = from.top() - 1.0;
    const double most = std::min(highest, (y - thickest_half) / 0.75);
    const bool self = from == to;
    const double left = self ? from.center().x() - 8.0 : from.center().x();
    const double right = self ? from.center().x() + 8.0 : to.center().x();
    const double control =
        y - std::clamp(std::abs(right - left) * steepness, std::min(self ? 22.0 : lowest, most), most);
    QPainterPath path(QPointF(left, y));
    path.cubicTo(QPointF(left, control), QPointF(right, control), QPointF(right, y));
    return path;
}

/// Into the side of a mark at an edge.
QPainterPath pathToMark(const QPointF& start, const QPointF& end) {
    QPainterPath path(start);
    path.cubicTo(QPointF(start.x(), end.y()), QPointF(start.x() + (end.x() - start.x()) * 0.3, end.y()), end);
    return path;
}

} // namespace

std::pair<int, int> TokenArcs::tokensInSight(Side side) const {
    auto [first, last] = places_.between(side, offset(side), offset(side) + width());
    while (first <= last && !isInSight(side, first))
        ++first;
    while (first <= last && !isInSight(side, last))
        --last;
    return {first, last};
}

std::vector<int> TokenArcs::keysBeyond(Qt::Edge edge) const {
    std::vector<int> keys;
    if (!query_ || !isInSight(Side::Queries, *query_))
        return keys;
    const auto [first, last] = tokensInSight(Side::Keys);
    for (const int key : largest_)
        if (arcWidth(key) > 0.0 && (edge == Qt::LeftEdge ? key < first : key > last))
            keys.push_back(key);
    return keys;
}

QString TokenArcs::markText(Qt::Edge edge) const {
    const auto keys = keysBeyond(edge);
    if (keys.empty())
        return {};
    const QString others = keys.size() > 1 ? QStringLiteral(" +%1").arg(keys.size() - 1) : QString();
    const QString around = others + (edge == Qt::LeftEdge ? QStringLiteral("‹ ") : QStringLiteral(" ›"));
    const int beside = fontMetrics().horizontalAdvance(around) + static_cast<int>(std::ceil(2.0 * mark_padding));
    const int room = std::min(widest_mark, width() / 2 - beside); // the mark of the other edge has the other half
    const QString text =
        fontMetrics().elidedText(tokens_.shown(Side::Keys, keys.front()), Qt::ElideRight, room) + others;
    return edge == Qt::LeftEdge ? QStringLiteral("‹ ") + text : text + QStringLiteral(" ›");
}

/// Above the line of keys; null where no arc leaves.
QRectF TokenArcs::markBox(Qt::Edge edge) const {
    const QString text = markText(edge);
    if (text.isEmpty())
        return {};
    const double wide = fontMetrics().horizontalAdvance(text) + 2.0 * mark_padding, high = fontMetrics().height();
    const double bottom = places_.box(Side::Keys, 0).top() - 2.0;
    return {edge == Qt::LeftEdge ? 0.0 : width() - wide, std::max(0.0, bottom - high - (flat_ ? 0.0 : 10.0)), wide,
            high};
}

void TokenArcs::paintMark(QPainter& painter, Qt::Edge edge) const {
    const QRectF box = markBox(edge);
    if (box.isNull())
        return;
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().card);
    painter.drawRect(box);
    painter.setPen(theme().accent);
    painter.drawText(box, Qt::AlignCenter | Qt::TextSingleLine, markText(edge));
}

/// The thinnest first.
std::vector<int> TokenArcs::keysWithArcs() const {
    const auto [first, last] = tokensInSight(Side::Keys);
    std::vector<int> keys;
    for (int key = first; key <= last; ++key)
        if (arcWidth(key) > 0.0)
            keys.push_back(key);
    for (const int key : largest_)
        if ((key < first || key > last) && arcWidth(key) > 0.0)
            keys.push_back(key);
    std::ranges::sort(keys, {}, [this](int key) { return arcWidth(key); });
    return keys;
}

void TokenArcs::paintArc(QPainter& painter, int key) const {
    const QRectF from = chipRect(Side::Queries, *query_), to = chipRect(Side::Keys, key);
    QPen pen = arcPen(share(key), theme());
    if (is_idle_)
        pen = QPen(theme().outline, pen.widthF() / 2.0, Qt::DotLine, Qt::FlatCap);
    painter.setPen(pen);
    const QPointF below(from.center().x(), from.bottom() + 1.0), above(to.center().x(), to.top() - 1.0);
    if (!isInSight(Side::Queries, *query_) || isInSight(Side::Keys, key))
        return painter.drawPath(tokens_.oneLine() ? bowOver(from, to) : curveBetween(below, above, Qt::Vertical));
    const bool leaves_left = key < tokensInSight(Side::Keys).first;
    const QRectF mark = markBox(leaves_left ? Qt::LeftEdge : Qt::RightEdge);
    painter.drawPath(pathToMark({from.center().x(), tokens_.oneLine() ? from.top() - 1.0 : from.bottom() + 1.0},
                                {leaves_left ? mark.right() : mark.left(), mark.center().y()}));
}

void TokenArcs::paintArcs(QPainter& painter) const {
    if (!query_)
        return;
    painter.setBrush(Qt::NoBrush);
    for (const int key : keysWithArcs())
        paintArc(painter, key);
    for (const auto edge : {Qt::LeftEdge, Qt::RightEdge})
        paintMark(painter, edge);
}

void TokenArcs::paintToken(QPainter& painter, const Spot& spot) const {
    const bool chosen = isQuery(spot) && spot.token == query_;
    const bool is_key = spot.side == Side::Keys;
    const bool out_of_reach = is_key && query_ && !chosen && std::isnan(weights_[static_cast<std::size_t>(spot.token)]);
    paintChip(painter, chipRect(spot.side, spot.token), tokens_.shown(spot.side, spot.token),
              ChipState{.hovered = spot == hovered_,
                        .chosen = chosen,
                        .focused = focus_shown_ && isQuery(spot) && spot.token == query_.value_or(0),
                        .out_of_reach = out_of_reach,
                        .appended = tokens_.oneLine() && !isQuery(spot),
                        .start = tokens_.isStart(spot.side, spot.token),
                        .differs = isQuery(spot) && tokens_.differs(spot.token)});
}

void TokenArcs::paintLine(QPainter& painter, Side side) const {
    const auto [first, last] = tokensInSight(side);
    for (int token = first; token <= last; ++token)
        paintToken(painter, {side, token});
}

void TokenArcs::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintArcs(painter);
    paintLine(painter, Side::Keys);
    if (!tokens_.oneLine())
        paintLine(painter, Side::Queries);
}

} // namespace attnlab::ui
