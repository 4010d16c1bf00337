#include "ui/learn/lab/color_legend.h"

#include "ui/drawing/heatmap_layout.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/text.h"

#include <QPainter>

#include <utility>

namespace attnlab::ui {
namespace {

constexpr double bar_lines = 7.0; ///< length of the bar in text lines
constexpr double legend_gap = 6.0;

} // namespace

void paintColorLegend(QPainter& painter, const QRectF& area, const ColorScale& scale, const QString& name,
                      const DrawingStyle& style) {
    painter.save();
    painter.setFont(labelFont(style.font));
    const QFontMetricsF metrics(painter.font());
    const double line = metrics.height();
    const QString low = numberText(scale.low, 3), high = numberText(scale.high, 3);
    double right = area.right();
    painter.setPen(style.look.muted);
    const auto write = [&](const QString& text) {
        const double width = metrics.horizontalAdvance(text) + 1;
        painter.drawText(QRectF(right - width, area.top(), width, area.height()), Qt::AlignRight | Qt::AlignVCenter,
                         text);
        right -= width + legend_gap;
    };
    write(high);
    QLinearGradient colors(right - bar_lines * line, 0, right, 0);
    const ColorScale shown = shownOn(style.look, scale);
    for (int k = 0; k <= 16; ++k)
        colors.setColorAt(k / 16.0, QColor::fromRgba(shown.color(scale.valueAt(k / 16.0))));
    const QRectF bar(right - bar_lines * line, area.center().y() - 0.3 * line, bar_lines * line, 0.6 * line);
    painter.fillRect(bar, colors);
    right = bar.left() - legend_gap;
    write(low);
    write(name);
    painter.restore();
}

ColorLegend::ColorLegend(QWidget* parent) : QWidget(parent) { setAccessibleRole(*this, QAccessible::Graphic); }

void ColorLegend::setScale(std::optional<ColorScale> scale, const QString& name) {
    scale_ = std::move(scale);
    name_ = name;
    setVisible(scale_.has_value());
    if (scale_)
        setAccessibleName(
            tr("Colours of %1, from %2 to %3").arg(name, numberText(scale_->low, 3), numberText(scale_->high, 3)));
    setToolTip(accessibleName());
    updateGeometry();
    update();
}

QSize ColorLegend::sizeHint() const {
    const QFontMetrics metrics(labelFont(font()));
    return QSize(static_cast<int>((bar_lines + 9.0) * metrics.height()) + metrics.horizontalAdvance(name_),
                 static_cast<int>(1.2 * metrics.height()));
}

void ColorLegend::paintEvent(QPaintEvent*) {
    if (!scale_)
        return;
    QPainter painter(this);
    paintColorLegend(painter, rect(), *scale_, name_, {theme(), font()});
}

} // namespace attnlab::ui
