// The common colour scale of all cards as a thin bar.
#pragma once

#include "ui/drawing/colormap.h"
#include "ui/drawing/drawing.h"

#include <QWidget>

#include <optional>

namespace attnlab::ui {

/// "weights 0 [colours] 0.93", at the right end of `area`.
void paintColorLegend(QPainter& painter, const QRectF& area, const ColorScale& scale, const QString& name,
                      const DrawingStyle& style);

class ColorLegend : public QWidget {
    Q_OBJECT
public:
    explicit ColorLegend(QWidget* parent = nullptr);

    /// nullopt: there is no common scale.
    void setScale(std::optional<ColorScale> scale, const QString& name);
    const std::optional<ColorScale>& scale() const { return scale_; }
    const QString& name() const { return name_; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::optional<ColorScale> scale_;
    QString name_;
};

} // namespace attnlab::ui
