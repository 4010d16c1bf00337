#include "ui/model/heads_scatter.h"

#include "ui/drawing/chart_plot.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"
#include "ui/widgets/own_keys.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/tip.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <tuple>

namespace attnlab::ui {
namespace {

constexpr double dot_radius = 4.0, chosen_radius = 7.0, reach = 12.0;
constexpr int margin = 8, most_ticks = 5;

ChartAxis axisOf(const HeadFigure& figure, double largest) {
    ChartAxis axis{{.high = largest > 0.0 ? 1.05 * largest : 1.0}, {}, figure.displayTitle()};
    axis.ticks = ticksOf(axis.scale, most_ticks);
    axis.has_grid = true;
    axis.has_tick_marks = true;
    return axis;
}

void setAxes(ChartPlot& chart, const HeadFigure& x, const HeadFigure& y, const QPointF& largest) {
    chart.setAxes(axisOf(x, largest.x()), axisOf(y, largest.y()), {margin, margin, margin, margin});
}

} // namespace

HeadsScatter::HeadsScatter(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    declareKeys(*this, {tr("Heads by two figures"),
                        {{tr("Arrow keys, Home, End"), tr("Go to the next head along an axis")},
                         {tr("Space"), tr("Switch the head of the dot off, or on again")}}});
    setAccessibleRole(*this, QAccessible::Chart);
    setAccessibleDescription(tr("Arrow keys choose a head, Space switches it off or on"));
    describe();
}

void HeadsScatter::setResult(ModelResultPtr result) {
    result_ = std::move(result);
    collect();
}

void HeadsScatter::setFigures(const HeadFigure* x, const HeadFigure* y) {
    x_ = x;
    y_ = y;
    collect();
}

void HeadsScatter::choose(std::optional<HeadPlace> place) {
    chosen_ = place;
    describe();
    update();
}

void HeadsScatter::collect() {
    dots_.clear();
    largest_ = {};
    for (int pass = 0; result_ && x_ && y_ && pass < static_cast<int>(result_->passes.size()); ++pass)
        for (int head = 0; head < result_->heads({pass, 0}).heads; ++head) {
            const HeadPlace place{pass, head};
            const auto x = x_->of(*result_, place), y = y_->of(*result_, place);
            if (!x || !y)
                continue;
            dots_.push_back({place, {*x, *y}, {}});
            largest_ = {std::max(largest_.x(), *x), std::max(largest_.y(), *y)};
        }
    locate();
    describe();
    update();
}

void HeadsScatter::locate() {
    if (dots_.empty() || width() <= 2 * margin || height() <= 2 * margin)
        return;
    ChartPlot chart(rect(), {theme(), font()});
    setAxes(chart, *x_, *y_, largest_);
    for (auto& dot : dots_)
        dot.at = chart.positionOf(dot.figures);
}

const HeadsScatter::Dot* HeadsScatter::find(std::optional<HeadPlace> place) const {
    const auto found = std::ranges::find_if(dots_, [&](const Dot& dot) { return dot.place == place; });
    return found == dots_.end() ? nullptr : &*found;
}

std::optional<QPointF> HeadsScatter::positionOf(HeadPlace place) const {
    const Dot* dot = find(place);
    return dot ? std::optional(dot->at) : std::nullopt;
}

std::optional<HeadPlace> HeadsScatter::placeAt(const QPointF& point) const {
    const auto distance = [&point](const Dot& dot) { return QLineF(dot.at, point).length(); };
    const auto nearest = std::ranges::min_element(dots_, {}, distance);
    return nearest != dots_.end() && distance(*nearest) <= reach ? std::optional(nearest->place) : std::nullopt;
}

QString HeadsScatter::textOf(const Dot& dot) const {
    return tr("%1: %2 %3, %4 %5")
        .arg(headTitle(*result_, dot.place), x_->displayTitle(), numberText(dot.figures.x(), 3), y_->displayTitle(),
             numberText(dot.figures.y(), 3));
}

void HeadsScatter::describe() {
    const Dot* dot = result_ ? find(chosen_) : nullptr;
    setAccessibleName(dot ? textOf(*dot) : tr("%n heads by two figures", nullptr, static_cast<int>(dots_.size())));
}

void HeadsScatter::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (dots_.empty()) {
        painter.setPen(theme().muted);
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap,
                         result_ ? tr("No head has both figures") : QString());
    } else {
        ChartPlot::paint(painter, rect(), {theme(), font()}, [this](ChartPlot& chart) {
            setAxes(chart, *x_, *y_, largest_);
            std::vector<QPointF> on, off, chosen;
            for (const auto& dot : dots_) {
                (result_->isOff(dot.place) ? off : on).push_back(dot.figures);
                if (dot.place == chosen_)
                    chosen.push_back(dot.figures);
            }
            chart.addDots(on, dot_radius, QPen(theme().card, 1), theme().accent);
            chart.addDots(off, dot_radius, QPen(theme().muted, 1.5), theme().card);
            chart.addDots(chosen, chosen_radius, QPen(theme().pin, 2), Qt::NoBrush);
        });
    }
    if (hasFocus())
        paintFocusFrame(painter, *this);
}

void HeadsScatter::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    locate();
}

void HeadsScatter::mousePressEvent(QMouseEvent* event) {
    if (const auto place = placeAt(event->position()); place && event->button() == Qt::LeftButton)
        emit chosenByUser(*place);
}

std::optional<HeadPlace> HeadsScatter::neighbour(bool along_x, bool forward) const {
    // Of equal figures the earlier head comes first, so that every head can be reached.
    const auto order = [along_x](const Dot& dot) {
        return std::tuple(along_x ? dot.figures.x() : dot.figures.y(), dot.place.pass, dot.place.head);
    };
    const Dot* from = find(chosen_);
    if (!from)
        return dots_.empty() ? std::nullopt : std::optional(dots_.front().place);
    const Dot* next = nullptr;
    for (const auto& dot : dots_) {
        const bool beyond = forward ? order(dot) > order(*from) : order(dot) < order(*from);
        if (beyond && (!next || (forward ? order(dot) < order(*next) : order(dot) > order(*next))))
            next = &dot;
    }
    return next ? std::optional(next->place) : std::nullopt;
}

void HeadsScatter::keyPressEvent(QKeyEvent* event) {
    const int key = event->key();
    std::optional<HeadPlace> to;
    if (key == Qt::Key_Space && find(chosen_)) {
        emit toggled(*chosen_);
        return;
    }
    if (key == Qt::Key_Left || key == Qt::Key_Right) {
        to = neighbour(true, key == Qt::Key_Right);
    } else if (key == Qt::Key_Up || key == Qt::Key_Down) {
        to = neighbour(false, key == Qt::Key_Up);
    } else if ((key == Qt::Key_Home || key == Qt::Key_End) && !dots_.empty()) {
        const auto x = [](const Dot& dot) { return dot.figures.x(); };
        to = (key == Qt::Key_Home ? std::ranges::min_element(dots_, {}, x) : std::ranges::max_element(dots_, {}, x))
                 ->place;
    } else {
        QWidget::keyPressEvent(event);
        return;
    }
    if (to)
        emit chosenByUser(*to);
}

void HeadsScatter::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        locate();
}

bool HeadsScatter::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto place = placeAt(tipPosition(*event));
        showTip(*event, place ? headText(*result_, *place) : QString(), *this);
        return true;
    }
    return QWidget::event(event);
}

QSize HeadsScatter::sizeHint() const { return QSize(18, 16) * fontMetrics().height(); }
QSize HeadsScatter::minimumSizeHint() const { return QSize(10, 8) * fontMetrics().height(); }

} // namespace attnlab::ui
