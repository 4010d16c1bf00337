// Paints chips and arcs.
#include "ui/panels/ribbon/token_arcs.h"
#include "ui/panels/ribbon/token_chip.h"
#include "ui/widgets/theme.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
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

/// From a chip of the upper line to one of the lower.
QPainterPath curveDown(const QRectF& from, const QRectF& to) {
    const QPointF start(from.center().x(), from.bottom() + 1.0), end(to.center().x(), to.top() - 1.0);
    const double bend = (end.y() - start.y()) * 0.5;
    QPainterPath path(start);
    path.cubicTo(start + QPointF(0, bend), end - QPointF(0, bend), end);
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
    const double part = share(key);
    QColor color = theme().accent;
    const double faintest = theme().high_contrast ? 0.75 : 0.35;
    color.setAlphaF(static_cast<float>(faintest + (1.0 - faintest) * std::sqrt(std::min(1.0, std::abs(part)))));
    painter.setPen(QPen(color, arcWidth(key), part < 0.0 ? Qt::DashLine : Qt::SolidLine, Qt::FlatCap));
    if (!isInSight(Side::Queries, *query_) || isInSight(Side::Keys, key))
        return painter.drawPath(tokens_.oneLine() ? bowOver(from, to) : curveDown(from, to));
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
    const bool appended = tokens_.oneLine() && !isQuery(spot);
    ChipLook look{Qt::NoPen, theme().accent_soft, out_of_reach ? theme().muted : theme().text};
    if (out_of_reach)
        look.fill = theme().window;
    else if (theme().high_contrast) // in which the soft background is not seen
        look.border = QPen(theme().outline, 1.0);
    if (appended)
        look.border = QPen(theme().muted, 1.0, Qt::DashLine);
    if (spot == hovered_)
        look.border = QPen(theme().accent, 1.2);
    if (chosen)
        look = {QPen(theme().pin, 2.0), theme().card, theme().text};
    const QRectF box = chipRect(spot.side, spot.token);
    paintChip(painter, box, tokens_.shown(spot.side, spot.token), look);
    if (focus_shown_ && isQuery(spot) && spot.token == query_.value_or(0)) {
        painter.setPen(QPen(theme().accent, 1.4));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(box.adjusted(-2.5, -2.5, 2.5, 2.5), 7, 7);
    }
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
