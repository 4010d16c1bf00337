#include "ui/learn/lab/arrows_board.h"

#include "core/attention.h"
#include "core/lab/cover.h"
#include "core/lab/scene.h"
#include "ui/drawing/line_chart_drawing.h"
#include "ui/drawing/role_color.h"
#include "ui/learn/cards/card_part.h"
#include "ui/learn/lab/lab_controls.h"
#include "ui/learn/lab/scene_model.h"
#include "ui/widgets/card.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/rich_text.h"
#include "ui/widgets/state_box.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QVBoxLayout>

namespace attnlab::ui {
namespace {

constexpr double plane_gap = 14.0;
constexpr double usual_arrow_pen = 2.0, usual_foot = 3.5; ///< for letters of the usual size
constexpr double row_lines = 1.3;                         ///< height of a row of bars
constexpr double label_width = 7.0;                       ///< of a name at most, in lines

std::vector<QPointF> rowsOf(const Tensor& tensor) {
    std::vector<QPointF> rows;
    for (std::int64_t k = 0; k + 1 < tensor.size(); k += 2)
        rows.emplace_back(tensor.value(k), tensor.value(k + 1));
    return rows;
}

QStringList namesOf(const std::vector<std::string>& tokens, std::size_t count) {
    QStringList names;
    for (std::size_t k = 0; k < count; ++k)
        names << (k < tokens.size() ? textOf(tokens[k]) : QString::number(k));
    return names;
}

/// Without the rest of a sum that is 0.
QString shortText(double value) { return numberText(std::abs(value) < 1e-9 ? 0.0 : value, 3); }

double cross(const QPointF& origin, const QPointF& a, const QPointF& b) {
    return (a.x() - origin.x()) * (b.y() - origin.y()) - (a.y() - origin.y()) * (b.x() - origin.x());
}

/// Monotone chain (Andrew 1979).
QPolygonF hullOf(std::vector<QPointF> points) {
    std::ranges::sort(
        points, [](const QPointF& a, const QPointF& b) { return a.x() < b.x() || (a.x() == b.x() && a.y() < b.y()); });
    QPolygonF hull;
    for (int side = 0; side < 2; ++side) {
        const auto first = hull.size();
        for (const auto& point : points) {
            while (hull.size() >= first + 2 && cross(hull[hull.size() - 2], hull.back(), point) <= 0.0)
                hull.removeLast();
            hull << point;
        }
        if (!hull.isEmpty())
            hull.removeLast();
        std::ranges::reverse(points);
    }
    return hull.isEmpty() && !points.empty() ? QPolygonF{points.front()} : hull;
}

void paintArrow(QPainter& painter, const QPointF& from, const QPointF& to, const QColor& color, double pen) {
    const QLineF line(from, to);
    const double head = std::min(5.0 + 2.5 * pen, 0.6 * line.length());
    painter.setPen(QPen(color, pen, Qt::SolidLine, Qt::RoundCap));
    if (line.length() < 1.0) {
        painter.setBrush(color);
        painter.drawEllipse(to, 1.5 * pen, 1.5 * pen);
        return;
    }
    const QPointF along = (to - from) / line.length(), across(-along.y(), along.x());
    painter.drawLine(from, to - 0.7 * head * along);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(
        QPolygonF{to, to - head * along + 0.42 * head * across, to - head * along - 0.42 * head * across});
}

} // namespace

ArrowsDrawing ArrowsDrawing::of(const Trace& trace, int query, double reach) {
    ArrowsDrawing drawing;
    drawing.queries = rowsOf(trace.find("query")->value);
    drawing.keys = rowsOf(trace.find("key")->value);
    drawing.values = rowsOf(trace.find("value")->value);
    drawing.query = std::clamp(query, 0, static_cast<int>(drawing.queries.size()) - 1);
    drawing.reach = reach;
    const auto& keys = trace.key_tokens.empty() && trace.query_tokens.size() == drawing.keys.size() ? trace.query_tokens
                                                                                                    : trace.key_tokens;
    drawing.query_names = namesOf(trace.query_tokens, drawing.queries.size());
    drawing.key_names = namesOf(keys, drawing.keys.size());
    const Stage* scaled = trace.find("scaled");
    const auto& scores = scaled ? scaled->value : trace.find("scores")->value;
    const auto count = static_cast<std::int64_t>(drawing.keys.size());
    for (std::int64_t k = 0; k < count; ++k) {
        drawing.scores.push_back(scores.value(drawing.query * count + k));
        drawing.weights.push_back(trace.find("weights")->value.value(drawing.query * count + k));
    }
    drawing.output = rowsOf(trace.find("output")->value).at(static_cast<std::size_t>(drawing.query));
    return drawing;
}

std::vector<ArrowTip> ArrowsDrawing::tips() const {
    std::vector<ArrowTip> all;
    for (const auto& [kind, rows] :
         {std::pair{ArrowKind::Query, &queries}, {ArrowKind::Key, &keys}, {ArrowKind::Value, &values}})
        for (int row = 0; row < static_cast<int>(rows->size()); ++row)
            all.push_back({kind, row});
    return all;
}

QPointF ArrowsDrawing::tipOf(const ArrowTip& tip) const {
    const auto& rows = tip.kind == ArrowKind::Query ? queries : tip.kind == ArrowKind::Key ? keys : values;
    return rows.at(static_cast<std::size_t>(tip.row));
}

QSizeF ArrowsDrawing::smallest(const QFont& font, double) const {
    const double line = QFontMetricsF(labelFont(font)).height();
    return QSizeF(22 * line, 11 * line + bars().smallest(labelFont(font), 0).height());
}

ArrowsDrawing::Places ArrowsDrawing::placesIn(const QRectF& area, const QFont& font) const {
    const double line = QFontMetricsF(labelFont(font)).height();
    const double below = bars().smallest(labelFont(font), 0).height();
    const double heading = 1.3 * line;
    const double side =
        std::max(10.0, std::min(0.5 * (area.width() - plane_gap), area.height() - below - heading - plane_gap));
    const double left = area.left() + 0.5 * (area.width() - 2 * side - plane_gap);
    Places places;
    places.left = QRectF(left, area.top() + heading, side, side);
    places.right = places.left.translated(side + plane_gap, 0);
    const double wide = std::min(area.width(), std::max(2 * side + plane_gap, 34 * line));
    places.bars = QRectF(area.center().x() - 0.5 * wide, places.left.bottom() + plane_gap, wide, below);
    places.unit = 0.5 * side / (1.12 * reach); // room for names at the edge
    return places;
}

QPointF ArrowsDrawing::placed(const QPointF& point, const QRectF& plane, double unit) {
    return plane.center() + QPointF(point.x(), -point.y()) * unit;
}

QPointF ArrowsDrawing::positionOf(const ArrowTip& tip, const QRectF& area, const QFont& font) const {
    const Places places = placesIn(area, font);
    return placed(tipOf(tip), tip.kind == ArrowKind::Value ? places.right : places.left, places.unit);
}

QPointF ArrowsDrawing::pointAt(const QPointF& position, ArrowKind kind, const QRectF& area, const QFont& font) const {
    const Places places = placesIn(area, font);
    const QPointF from = position - (kind == ArrowKind::Value ? places.right : places.left).center();
    return QPointF(from.x(), -from.y()) / places.unit;
}

std::optional<ArrowTip> ArrowsDrawing::tipAt(const QPointF& position, const QRectF& area, const QFont& font) const {
    double nearest = QFontMetricsF(font).height();
    std::optional<ArrowTip> found;
    for (const auto& tip : tips())
        if (const double distance = QLineF(position, positionOf(tip, area, font)).length(); distance < nearest) {
            nearest = distance;
            found = tip;
        }
    return found;
}

QString ArrowsDrawing::textOf(const ArrowTip& tip) const {
    const QPointF point = tipOf(tip);
    const auto row = static_cast<std::size_t>(tip.row);
    const QString name = tip.kind == ArrowKind::Query ? tr("query %1").arg(query_names[tip.row])
                         : tip.kind == ArrowKind::Key ? tr("key %1").arg(key_names[tip.row])
                                                      : tr("value %1").arg(key_names[tip.row]);
    QString at = QStringLiteral("%1 (%2, %3)").arg(name, shortText(point.x()), shortText(point.y()));
    if (tip.kind == ArrowKind::Query)
        return at;
    return tr("%1: score %2, weight %3", "key cat (1, 0)").arg(at, scoreText(row), weightText(row));
}

QString ArrowsDrawing::scoreText(std::size_t key) const {
    return hides_scores ? QStringLiteral("?") : shortText(scores[key]);
}

QString ArrowsDrawing::weightText(std::size_t key) const {
    return hides_weights ? QStringLiteral("?") : shortText(weights[key]);
}

QString ArrowsDrawing::words() const {
    QStringList all;
    for (const auto& tip : tips())
        if (tip.kind != ArrowKind::Query || tip.row == query)
            all << textOf(tip);
    if (!hides_output)
        all << tr("output (%1, %2)").arg(shortText(output.x()), shortText(output.y()));
    return all.join(QLatin1Char('\n'));
}

QString ArrowsDrawing::textAt(const QPointF& position, const QRectF& area, const QFont& font) const {
    const auto tip = tipAt(position, area, font);
    return tip ? textOf(*tip) : QString();
}

void ArrowsDrawing::paintPlane(QPainter& painter, const QRectF& plane, double unit, const QString& title,
                               const DrawingStyle& style) const {
    const double line = QFontMetricsF(labelFont(style.font)).height();
    paintHeading(painter, QRectF(plane.left(), plane.top() - 1.3 * line, plane.width(), 1.2 * line), title, style);
    painter.setPen(QPen(style.look.border, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(plane);
    for (int k = -static_cast<int>(reach); k <= static_cast<int>(reach); ++k) {
        painter.setPen(QPen(k == 0 ? style.look.outline : style.look.border, 1));
        painter.drawLine(placed({static_cast<double>(k), -1.12 * reach}, plane, unit),
                         placed({static_cast<double>(k), 1.12 * reach}, plane, unit));
        painter.drawLine(placed({-1.12 * reach, static_cast<double>(k)}, plane, unit),
                         placed({1.12 * reach, static_cast<double>(k)}, plane, unit));
    }
    // Numbers at the lower and the left edge, as far apart as legible ones are.
    const QFont small = labelFont(style.font);
    const QFontMetricsF metrics(small);
    const int step = std::max(1, static_cast<int>(std::ceil(1.3 * metrics.horizontalAdvance(exactText(-10)) / unit)));
    painter.setFont(small);
    painter.setPen(style.look.muted);
    for (int k = -static_cast<int>(reach) / step * step; k <= static_cast<int>(reach); k += step) {
        if (k == 0)
            continue;
        const QString number = exactText(k);
        const QPointF at = placed({static_cast<double>(k), static_cast<double>(k)}, plane, unit);
        painter.drawText(QRectF(at.x() - 2 * line, plane.bottom() - line, 4 * line, line), Qt::AlignCenter, number);
        if (at.y() + line / 2 < plane.bottom() - line)
            painter.drawText(QRectF(plane.left() + 3.0, at.y() - line / 2, 4 * line, line),
                             Qt::AlignLeft | Qt::AlignVCenter, number);
    }
}

/// Each key casts a shadow on the line of the query.
void ArrowsDrawing::paintScores(QPainter& painter, const Places& places, const DrawingStyle& style) const {
    const QRectF& plane = places.left;
    const auto at = [&](const QPointF& point) { return placed(point, plane, places.unit); };
    const QPointF asked = queries.at(static_cast<std::size_t>(query));
    const double length = std::hypot(asked.x(), asked.y());
    painter.save();
    painter.setClipRect(plane, Qt::IntersectClip);
    const double wide = lineScale(style.font), arrow_pen = usual_arrow_pen * wide, foot_radius = usual_foot * wide;
    const QColor query_color = roleColor(AttentionRole::Query, style.look);
    const QColor key_color = roleColor(AttentionRole::Key, style.look);
    if (length > 0.0) {
        const QPointF along = asked / length;
        painter.setPen(QPen(style.look.muted, wide, Qt::DashLine));
        painter.drawLine(at(-3.0 * reach * along), at(3.0 * reach * along));
        for (std::size_t k = 0; !hides_scores && k < keys.size(); ++k) {
            const QPointF foot = QPointF::dotProduct(keys[k], along) * along;
            painter.setPen(QPen(key_color, 1.2 * wide, Qt::DotLine));
            painter.drawLine(at(keys[k]), at(foot));
            painter.setPen(Qt::NoPen);
            painter.setBrush(key_color);
            painter.drawEllipse(at(foot), foot_radius, foot_radius);
        }
    }
    for (std::size_t k = 0; k < queries.size(); ++k)
        paintArrow(painter, at({}), at(queries[k]), query_color,
                   std::cmp_equal(k, query) ? 2.2 * arrow_pen : arrow_pen);
    for (std::size_t k = 0; k < keys.size(); ++k)
        paintArrow(painter, at({}), at(keys[k]), key_color, arrow_pen);
    paintNames(painter, keyNames(places, style.font), style);
    painter.restore();
}

/// The thick part of each value is what its weight takes of it; the parts, one after the other, lead to the output.
void ArrowsDrawing::paintMean(QPainter& painter, const Places& places, const DrawingStyle& style) const {
    const QRectF& plane = places.right;
    const auto at = [&](const QPointF& point) { return placed(point, plane, places.unit); };
    painter.save();
    painter.setClipRect(plane, Qt::IntersectClip);
    QPolygonF hull;
    for (const auto& point : hullOf(values))
        hull << at(point);
    const double wide = lineScale(style.font), arrow_pen = usual_arrow_pen * wide;
    QColor inside = style.look.muted;
    inside.setAlphaF(0.13F);
    painter.setPen(QPen(style.look.muted, wide, Qt::DashLine));
    painter.setBrush(inside);
    painter.drawPolygon(hull);
    QPointF end;
    const QColor color = roleColor(AttentionRole::Value, style.look);
    for (std::size_t k = 0; k < values.size(); ++k) {
        paintArrow(painter, at({}), at(values[k]), color, hides_output ? arrow_pen : 0.6 * arrow_pen);
        if (hides_output)
            continue;
        painter.setPen(QPen(color, 2.4 * arrow_pen, Qt::SolidLine, Qt::FlatCap));
        painter.drawLine(at({}), at(weights[k] * values[k]));
        painter.setPen(QPen(color, 1.4 * wide, Qt::DotLine));
        painter.drawLine(at(end), at(end + weights[k] * values[k]));
        end += weights[k] * values[k];
    }
    if (!hides_output)
        paintArrow(painter, at({}), at(output), style.look.text, 1.6 * arrow_pen);
    paintNames(painter, valueNames(places, style.font), style);
    painter.restore();
}

namespace {

QString nameIn(const QString& name, const QFontMetricsF& metrics) {
    return metrics.elidedText(name, Qt::ElideRight, label_width * metrics.height());
}

} // namespace

ArrowsDrawing::PlacedNames ArrowsDrawing::keyNames(const Places& places, const QFont& font) const {
    const QRectF& plane = places.left;
    const QFontMetricsF metrics(labelFont(font));
    const auto at = [&](const QPointF& point) { return placed(point, plane, places.unit); };
    PlacedNames all;
    std::vector<ArrowName> names;
    const auto add = [&](const QString& name, const QPointF& to, Ink ink) {
        names.push_back({nameIn(name, metrics), QLineF(at({}), at(to))});
        all.around.arrows.push_back(names.back().arrow);
        all.names.push_back({names.back().text, {}, ink});
    };
    for (std::size_t k = 0; k < queries.size(); ++k)
        add(tr("query %1").arg(query_names[static_cast<qsizetype>(k)]), queries[k], Ink::Query);
    for (std::size_t k = 0; k < keys.size(); ++k)
        add(key_names[static_cast<qsizetype>(k)], keys[k], Ink::Key);
    const QPointF asked = queries.at(static_cast<std::size_t>(query));
    if (const double length = std::hypot(asked.x(), asked.y()); length > 0.0) {
        const QPointF along = asked / length;
        all.around.thin_lines.emplace_back(at(-3.0 * reach * along), at(3.0 * reach * along));
        const QPointF radius(usual_foot * lineScale(font), 0.0);
        for (std::size_t k = 0; !hides_scores && k < keys.size(); ++k) {
            const QPointF foot = at(QPointF::dotProduct(keys[k], along) * along);
            all.around.thin_lines.emplace_back(at(keys[k]), foot);
            all.around.arrows.emplace_back(foot - radius, foot + radius); // as much in the way
        }
    }
    all.place(names, plane, metrics);
    return all;
}

ArrowsDrawing::PlacedNames ArrowsDrawing::valueNames(const Places& places, const QFont& font) const {
    const QRectF& plane = places.right;
    const QFontMetricsF metrics(labelFont(font));
    const auto at = [&](const QPointF& point) { return placed(point, plane, places.unit); };
    PlacedNames all;
    std::vector<ArrowName> names;
    const auto add = [&](const QString& name, const QPointF& to, Ink ink) {
        names.push_back({nameIn(name, metrics), QLineF(at({}), at(to)), ink == Ink::Output});
        all.around.arrows.push_back(names.back().arrow);
        all.names.push_back({names.back().text, {}, ink});
    };
    for (std::size_t k = 0; k < values.size(); ++k)
        add(key_names[static_cast<qsizetype>(k)], values[k], Ink::Value);
    if (!hides_output)
        add(tr("output"), output, Ink::Output);
    const auto hull = hullOf(values);
    for (qsizetype k = 0; k < hull.size(); ++k)
        all.around.thin_lines.emplace_back(at(hull[k]), at(hull[(k + 1) % hull.size()]));
    all.place(names, plane, metrics);
    return all;
}

void ArrowsDrawing::PlacedNames::place(const std::vector<ArrowName>& wanted, const QRectF& plane,
                                       const QFontMetricsF& metrics) {
    around.plane = plane;
    const auto rects = placesOfNames(wanted, around, metrics);
    for (std::size_t k = 0; k < rects.size(); ++k)
        names[k].place = rects[k];
}

std::vector<ArrowsDrawing::PlacedNames> ArrowsDrawing::placedNames(const QRectF& area, const QFont& font) const {
    const Places places = placesIn(area, font);
    return {keyNames(places, font), valueNames(places, font)};
}

void ArrowsDrawing::paintNames(QPainter& painter, const PlacedNames& placed, const DrawingStyle& style) const {
    painter.setFont(labelFont(style.font));
    const QFontMetricsF metrics(painter.font());
    for (const auto& [text, place, ink] : placed.names) {
        // An outline keeps a name legible on lines.
        QPainterPath outline;
        outline.addText(place.left() + 1, place.top() + metrics.ascent(), painter.font(), text);
        painter.strokePath(outline, QPen(style.look.card, 3.0, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.setPen(ink == Ink::Query   ? roleColor(AttentionRole::Query, style.look)
                       : ink == Ink::Key   ? roleColor(AttentionRole::Key, style.look)
                       : ink == Ink::Value ? roleColor(AttentionRole::Value, style.look)
                                           : style.look.text);
        painter.drawText(place, Qt::AlignCenter, text);
    }
}

/// Scores and weights of the query.
BarsDrawing ArrowsDrawing::bars() const {
    BarsDrawing bars;
    bars.heading = tr("weight");
    bars.name_heading = tr("key");
    bars.heading_before = tr("score");
    bars.names = BarsDrawing::Names::AtLeftEdge;
    bars.whole_length = true;
    bars.row_lines = row_lines;
    for (std::size_t k = 0; k < keys.size(); ++k)
        bars.rows.push_back({.name = key_names[static_cast<qsizetype>(k)],
                             .value = hides_weights ? 0.0 : weights[k],
                             .numbers = {weightText(k)},
                             .number_before = scoreText(k)});
    return bars;
}

void ArrowsDrawing::paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const {
    if (queries.empty() || keys.empty())
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const Places places = placesIn(area, style.font);
    paintPlane(painter, places.left, places.unit, tr("query and keys"), style);
    paintPlane(painter, places.right, places.unit, tr("values and output"), style);
    paintScores(painter, places, style);
    paintMean(painter, places, style);
    bars().paint(painter, places.bars, {style.look, labelFont(style.font), style.vectors});
    if (marked) {
        painter.setPen(QPen(style.look.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(positionOf(*marked, area, style.font), 8.0, 8.0);
    }
    painter.restore();
}

namespace {

constexpr double key_step = 0.1;
constexpr double usual_reach = 3.0;

std::string_view nameOf(ArrowKind kind) {
    return kind == ArrowKind::Query ? "query" : kind == ArrowKind::Key ? "key" : "value";
}

} // namespace

ArrowsCanvas::ArrowsCanvas(QWidget* parent) : DrawingCanvas(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(tr("Queries, keys and values as arrows"));
    declareShortcuts(*this, {tr("Arrows of a head"),
                             {{tr("Enter, Shift + Enter"), tr("Next or previous arrow")},
                              {tr("Arrow keys"), tr("Move the arrow; with Shift all of its kind")}}});
}

void ArrowsCanvas::setArrows(std::optional<ArrowsDrawing> arrows) {
    const auto marked = arrows_.marked;
    shown_ = arrows.has_value();
    arrows_ = shown_ ? std::move(*arrows) : ArrowsDrawing();
    const auto tips = arrows_.tips();
    if (marked && std::ranges::find(tips, *marked) != tips.end())
        arrows_.marked = marked;
    setAccessibleDescription(shown_ ? arrows_.words() : QString());
    setDrawing(shown_ ? &arrows_ : nullptr);
}

void ArrowsCanvas::setMovable(bool on) { movable_ = on; }

void ArrowsCanvas::mark(std::optional<ArrowTip> tip) {
    if (arrows_.marked == tip)
        return;
    arrows_.marked = tip;
    setAccessibleDescription(tip ? arrows_.textOf(*tip) : arrows_.words());
    update();
}

void ArrowsCanvas::mousePressEvent(QMouseEvent* event) {
    DrawingCanvas::mousePressEvent(event);
    if (!shown_ || event->button() != Qt::LeftButton)
        return;
    held_ = arrows_.tipAt(event->position(), area(), font());
    mark(held_);
    if (held_ && held_->kind == ArrowKind::Query)
        emit queryChosen(held_->row);
    if (!movable_)
        held_.reset();
}

void ArrowsCanvas::mouseMoveEvent(QMouseEvent* event) {
    DrawingCanvas::mouseMoveEvent(event);
    if (!shown_)
        return;
    if (!held_) {
        const bool taken = arrows_.tipAt(event->position(), area(), font()).has_value();
        setCursor(taken && movable_ ? Qt::OpenHandCursor : taken ? Qt::PointingHandCursor : Qt::ArrowCursor);
        return;
    }
    const QPointF to = arrows_.pointAt(event->position(), held_->kind, area(), font());
    emit moved(*held_, to, event->modifiers() & Qt::ShiftModifier);
}

void ArrowsCanvas::mouseReleaseEvent(QMouseEvent* event) {
    DrawingCanvas::mouseReleaseEvent(event);
    held_.reset();
}

void ArrowsCanvas::keyPressEvent(QKeyEvent* event) {
    const auto tips = arrows_.tips();
    const bool shift = event->modifiers() & Qt::ShiftModifier;
    if (!tips.empty() && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)) {
        const auto found = arrows_.marked ? std::ranges::find(tips, *arrows_.marked) : tips.end();
        const auto count = static_cast<std::ptrdiff_t>(tips.size());
        const auto next =
            found == tips.end() ? (shift ? count - 1 : 0) : (found - tips.begin() + (shift ? count - 1 : 1)) % count;
        const auto tip = tips[static_cast<std::size_t>(next)];
        mark(tip);
        if (tip.kind == ArrowKind::Query)
            emit queryChosen(tip.row);
    } else if (const QPointF by = event->key() == Qt::Key_Left    ? QPointF(-key_step, 0)
                                  : event->key() == Qt::Key_Right ? QPointF(key_step, 0)
                                  : event->key() == Qt::Key_Up    ? QPointF(0, key_step)
                                  : event->key() == Qt::Key_Down  ? QPointF(0, -key_step)
                                                                  : QPointF();
               !tips.empty() && !by.isNull() && arrows_.marked && movable_) {
        emit moved(*arrows_.marked, arrows_.tipOf(*arrows_.marked) + by, shift);
    } else {
        DrawingCanvas::keyPressEvent(event);
    }
}

ArrowsBoard::ArrowsBoard(SceneModel& model, QWidget* parent)
    : Board(parent), model_(model), caption_(new MarkdownLabel(this)), error_(new QWidget(this)),
      error_words_(new StateBox(error_, StateBox::Place::Middle)), hint_(mutedLabel(this)),
      canvas_(new ArrowsCanvas(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 8, 10, 8);
    column->setSpacing(6);
    column->addWidget(new LabControls(model, this));
    column->addWidget(caption_);
    column->addWidget(error_, 1);
    column->addWidget(canvas_, 1);
    column->addWidget(hint_);
    hint_->setWordWrap(true);
    hint_->setText(tr("Drag the tips of arrows. With Shift, all arrows of a kind move together."));
    connect(&model_, &SceneModel::computed, this, &ArrowsBoard::refresh);
    connect(&model_, &SceneModel::viewChanged, this, &ArrowsBoard::refresh);
    connect(&model_, &SceneModel::failed, this, &ArrowsBoard::refresh);
    connect(canvas_, &ArrowsCanvas::queryChosen, this, [this](int row) {
        auto view = model_.view();
        view.query = row;
        model_.setView(std::move(view));
    });
    connect(canvas_, &ArrowsCanvas::moved, this, [this](const ArrowTip& tip, QPointF to, bool all) {
        model_.setScene(lab::with_moved_arrow(model_.scene(), nameOf(tip.kind), tip.row, to.x(), to.y(), reach(), all));
    });
    refresh();
}

double ArrowsBoard::reach() const {
    const auto& axis = model_.view().axis;
    return axis ? std::max(std::abs(axis->low), std::abs(axis->high)) : usual_reach;
}

void ArrowsBoard::setWords(const QMap<QString, QString>& words) {
    words_ = words;
    refresh();
}

QString ArrowsBoard::error() const { return error_->isHidden() ? QString() : error_words_->state().what; }

std::shared_ptr<const Drawing> ArrowsBoard::picture() const {
    if (!canvas_->hasArrows())
        return nullptr;
    auto picture = std::make_shared<ArrowsDrawing>(canvas_->arrows());
    picture->marked.reset();
    return picture;
}

void ArrowsBoard::refresh() {
    const auto& settings = model_.computedScene().settings;
    const auto found = std::ranges::find(settings, model_.view().setting, &lab::SceneSetting::id);
    const auto index = static_cast<std::size_t>(found == settings.end() ? 0 : found - settings.begin());
    QString why;
    bool failed = false;
    std::optional<ArrowsDrawing> arrows;
    if (const auto result = model_.result(); result && index < result->settings.size()) {
        const auto& setting = result->settings[index];
        failed = setting.error.has_value();
        if (failed)
            why = translated(*setting.error);
        else if (const auto reason = lab::arrows_unsupported_reason(setting.trace))
            why = translated(*reason);
        else
            arrows = ArrowsDrawing::of(setting.trace, static_cast<int>(model_.view().query), reach());
        if (arrows) {
            const auto hides = [&](std::string_view name) {
                const Stage* stage = setting.trace.find(name);
                const auto marks =
                    stage ? lab::hidden_cells(setting.trace, *stage, settings[index].id, model_.view().hidden)
                          : std::nullopt;
                const auto row = marks ? matrix_at(*marks, 0).row(arrows->query) : std::span<const double>();
                return std::ranges::any_of(row, [](double cell) { return cell != 0.0; });
            };
            arrows->hides_scores = hides("scores") || hides("scaled");
            arrows->hides_weights = hides("weights");
            arrows->hides_output = hides("output");
        }
    }
    const bool movable = model_.view().is_live(lab::BoardControl::Cells);
    canvas_->setMovable(movable);
    canvas_->setVisible(arrows.has_value());
    canvas_->setArrows(std::move(arrows));
    hint_->setVisible(movable && canvas_->hasArrows());
    caption_->setSource(index < settings.size() ? words_.value(QString::fromStdString(settings[index].id)) : QString());
    caption_->setVisible(canvas_->hasArrows() && !caption_->source().isEmpty());
    error_words_->setState({failed ? PictureState::Look::Error : PictureState::Look::Empty, why});
    error_->setVisible(!canvas_->hasArrows());
}

void ArrowsBoard::paintEvent(QPaintEvent*) { paintCard(*this); }

} // namespace attnlab::ui
