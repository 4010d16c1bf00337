// Dots by two numbers, for windows and files.
#pragma once

#include "ui/drawing/drawing.h"

#include <optional>
#include <QCoreApplication>
#include <QPointF>
#include <QString>
#include <vector>

namespace attnlab::ui {

class DotsDrawing : public Drawing {
    Q_DECLARE_TR_FUNCTIONS(DotsDrawing)
public:
    struct Dot {
        QPointF numbers;
        QString name;         ///< of a tooltip
        bool is_open = false; ///< an outline alone
    };
    QString x_title, y_title;
    std::vector<Dot> dots;             ///< no number is negative
    std::optional<std::size_t> chosen; ///< a ring around it

    static constexpr int margin = 8; ///< on every side

    QSizeF smallest(const QFont& font, double width) const override;
    void paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const override;
    QString textAt(const QPointF& position, const QRectF& area, const QFont& font) const override;

    /// Where the dots are painted, in their order; empty in an area without room.
    std::vector<QPointF> positions(const QRectF& area, const QFont& font) const;
    /// The nearest within reach of a click.
    std::optional<std::size_t> dotAt(const QPointF& position, const QRectF& area, const QFont& font) const;
};

} // namespace attnlab::ui
