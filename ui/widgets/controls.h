// Buttons, chips, links and segments. They share height, radius, border and focus ring.
#pragma once

#include <QAbstractButton>
#include <QColor>
#include <QPushButton>
#include <QRectF>
#include <QTabBar>

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

/// A toggle button, for choices that can be combined.
class Chip : public QAbstractButton {
    Q_OBJECT
public:
    explicit Chip(QWidget* parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// A button that looks like a link.
/// One stop of Tab, unlike a label with a link, which takes the focus for its text as well.
class LinkButton : public QAbstractButton {
    Q_OBJECT
public:
    explicit LinkButton(QWidget* parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// A row of segments, one of which is chosen.
/// A tab bar (for keys, focus and screen readers) that looks like a switch.
class SegmentSwitch : public QTabBar {
    Q_OBJECT
public:
    explicit SegmentSwitch(QWidget* parent = nullptr);

    /// Instead of setTabVisible(), after which a QTabBar keeps the places of the other tabs.
    void showTab(int index, bool shown);

protected:
    QSize tabSizeHint(int index) const override;
    QSize minimumTabSizeHint(int index) const override { return tabSizeHint(index); }
    void paintEvent(QPaintEvent* event) override;
};

/// The buttons of the row below the menu.
/// A button as Style paints it, in which a subclass can place text of its own.
class RowButton : public QPushButton {
    Q_OBJECT
public:
    enum class Style { Normal, Accent };
    explicit RowButton(QWidget* parent = nullptr, Style style = Style::Normal);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    ControlLook look() const;
    void paintFrame(QPainter& painter) const;
    void paintArrow(QPainter& painter) const;
    /// Of text and arrow.
    QColor textColor() const;
    QRect contentRect() const;
    int arrowWidth() const;

private:
    Style style_;
};

QPushButton* newButton(const QString& text, const QString& tip);

} // namespace attnlab::ui
