#include "ui/pages/compare/divergence_bars.h"

#include "ui/widgets/accessible.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/tip.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
namespace {

constexpr int bars_margin = 4;

} // namespace

DivergenceBars::DivergenceBars(HeatmapView& heatmap, QWidget* parent) : QWidget(parent), heatmap_(heatmap) {
    setAccessibleRole(*this, QAccessible::Chart);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    connect(&heatmap_, &HeatmapView::positionChanged, this, qOverload<>(&QWidget::update));
    describe();
}

void DivergenceBars::setRows(std::vector<double> rows, Of of) {
    rows_ = std::move(rows);
    of_ = of;
    largest_ = 0.0;
    for (const double row : rows_)
        if (std::isfinite(row))
            largest_ = std::max(largest_, row);
    describe();
    update();
}

QSize DivergenceBars::sizeHint() const { return {3 * fontMetrics().height(), 3 * fontMetrics().height()}; }

QRectF DivergenceBars::barRect(int row) const {
    if (row < 0 || row >= static_cast<int>(rows_.size()))
        return {};
    const double value = rows_[static_cast<std::size_t>(row)];
    const QRect visible = heatmap_.visibleCells();
    if (std::isnan(value) || row < visible.top() || row > visible.bottom())
        return {};
    const QRectF cell = heatmap_.cellRect({row, visible.left()});
    const double gap = std::min(2.0, cell.height() / 6.0);
    const double room = width() - 2.0 * bars_margin;
    const double share = std::isinf(value) ? 1.0 : largest_ > 0.0 ? value / largest_ : 0.0;
    // A row with a tiny difference still has a visible bar.
    return {static_cast<double>(bars_margin), cell.top() + gap, std::max(1.0, share * room), cell.height() - 2.0 * gap};
}

QString DivergenceBars::textOf(int row) const {
    if (row < 0 || row >= static_cast<int>(rows_.size()))
        return {};
    const double value = rows_[static_cast<std::size_t>(row)];
    const QString label = heatmap_.matrix().rowLabel(row);
    if (of_ == Of::Error)
        return std::isnan(value) ? tr("%1: no finite number").arg(label)
                                 : tr("%1: at most %2 apart").arg(label, numberText(value));
    if (std::isnan(value))
        return tr("%1: no distribution").arg(label);
    if (std::isinf(value))
        return tr("%1: infinite, B has a 0 where A reads").arg(label);
    return tr("%1: %2 nats").arg(label, numberText(value));
}

void DivergenceBars::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& look = theme();
    const auto marked = heatmap_.crosshair() ? heatmap_.crosshair() : heatmap_.pinned();
    const QRect visible = heatmap_.visibleCells();
    for (int row = visible.top(); row <= visible.bottom(); ++row) {
        const QRectF bar = barRect(row);
        if (bar.isEmpty())
            continue;
        const bool infinite = std::isinf(rows_[static_cast<std::size_t>(row)]);
        painter.fillRect(bar, infinite ? look.warning_soft : marked && marked->row == row ? look.accent : look.muted);
        if (infinite) {
            painter.setPen(look.warning_text);
            painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
        }
        if (infinite && bar.height() >= fontMetrics().height() * 0.7) {
            painter.drawText(bar, Qt::AlignCenter, QStringLiteral("∞"));
        }
    }
}

bool DivergenceBars::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const QPoint position = tipPosition(*event);
    const QRect visible = heatmap_.visibleCells();
    QString text;
    for (int row = visible.top(); row <= visible.bottom() && text.isEmpty(); ++row) {
        const QRectF cell = heatmap_.cellRect({row, visible.left()});
        if (position.y() >= cell.top() && position.y() < cell.bottom())
            text = textOf(row);
    }
    showTip(*event, text, *this);
    return true;
}

void DivergenceBars::describe() {
    constexpr int read_aloud = 32;
    setAccessibleName(of_ == Of::Error ? tr("Largest error of each row") : tr("KL of A from B, for each row"));
    QStringList texts;
    for (int row = 0; row < std::min(read_aloud, static_cast<int>(rows_.size())); ++row)
        texts << textOf(row);
    setAccessibleDescription(texts.join(QLatin1Char('\n')));
}

} // namespace attnlab::ui
