// The one look of controls: buttons, fields, chips and switches have the same height, radius, border and focus ring.
#pragma once

#include <QColor>
#include <QRectF>

class QFont;
class QPainter;
class QStyleOption;

namespace attnlab::ui {

namespace metrics {
inline constexpr int control_height = 30; ///< for text of 13 pixels, the usual size; it grows with the font
inline constexpr int side_padding = 10;   ///< between the border and the text
inline constexpr int field_padding = 7;   ///< the same in a field to type in, and in a chip
inline constexpr int gap = 6;             ///< between the parts of a control, and between neighbours
inline constexpr int indicator = 16;      ///< a check box
inline constexpr double radius = 6.0;
inline constexpr double small_radius = 3.0; ///< of a check box
inline constexpr double border = 1.0;
inline constexpr double focus_ring = 2.0;
inline constexpr int scroll_thumb = 8;   ///< thickness; it fills the bar under the mouse
inline constexpr int scroll_extent = 12; ///< of the bar, so that it is easy to hit
} // namespace metrics

/// The height of a control of one line.
int controlHeight(const QFont& font);

struct ControlLook {
    enum class Kind { Button, Field, Accent };
    Kind kind = Kind::Button;
    bool enabled = true;
    bool hovered = false;
    bool pressed = false;
    bool chosen = false; ///< checked, or the current segment
    bool focused = false;
    bool wrong = false; ///< what was typed is not possible

    static ControlLook of(const QStyleOption& option, Kind kind = Kind::Button);
    QColor text() const;
    QColor fill() const;
    QColor edge() const;
};

/// Frame and background of a control over the whole of `rect`.
void paintControl(QPainter& painter, const QRectF& rect, const ControlLook& look);
/// The ring alone, around the whole of `rect`.
void paintFocusRing(QPainter& painter, const QRectF& rect);
/// The arrow of what opens or steps, in the middle of `area`.
void paintChevron(QPainter& painter, const QRectF& area, Qt::ArrowType direction, const QColor& color);
/// A check box; `state` may be partly checked.
void paintCheckBox(QPainter& painter, const QRectF& box, Qt::CheckState state, const ControlLook& look);

} // namespace attnlab::ui
