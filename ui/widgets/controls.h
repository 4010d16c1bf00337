// Buttons, chips, links, segments and titled sliders. They share height, radius, border and focus ring.
#pragma once

#include <cstdint>
#include <QAbstractButton>
#include <QColor>
#include <QIcon>
#include <QPushButton>
#include <QRectF>
#include <QTabBar>
#include <QWidget>
#include <vector>

class QFont;
class QLabel;
class QPainter;
class QSlider;
class QSpinBox;
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

/// A button of a bar that shows its icon alone where the bar has no room for words.
class BarButton : public RowButton {
    Q_OBJECT
public:
    explicit BarButton(QWidget* parent = nullptr, Style style = Style::Normal);

    /// `icon` stands beside the words, too, if `beside_words`. Without an icon the words stay.
    void setContent(const QString& words, const QIcon& icon, bool beside_words = false);
    void setWithoutWords(bool without);
    /// What the words take beside the icon alone.
    int widthOfWords() const;

private:
    void showContent();

    QString words_;
    QIcon icon_;
    bool beside_words_ = false, without_words_ = false;
};

QPushButton* newButton(const QString& text, const QString& tip);

/// A slider over a list of integers. The value is a text, or a field for any integer between the first and the last
/// choice; the slider then stands at the nearest choice.
class ValueSlider : public QWidget {
    Q_OBJECT
public:
    enum class Value { Shown, Editable };
    explicit ValueSlider(Value value, QWidget* parent = nullptr);

    /// The text before the value ("width d") and the accessible name.
    void setTitles(const QString& title, const QString& name);
    /// Ascending, at least one.
    void setChoices(std::vector<std::int64_t> choices);
    std::int64_t value() const { return value_; }
    /// Does not emit chosen(). A value that cannot be shown becomes the nearest one that can.
    void setValue(std::int64_t value);

    QSlider* slider() const { return slider_; }
    /// The field; null where the value is a text.
    QSpinBox* number() const { return number_; }

signals:
    /// By the user.
    void chosen(qint64 value);

private:
    void choose(std::int64_t value);
    int nearest(std::int64_t value) const;

    std::vector<std::int64_t> choices_;
    std::int64_t value_ = 0;
    QLabel* title_;
    QLabel* text_ = nullptr;
    QSpinBox* number_; ///< before the slider for Tab
    QSlider* slider_;
};

/// Eight numbers for each doubling, or all integers where these are fewer. `least` > 0.
std::vector<std::int64_t> logarithmicChoices(std::int64_t least, std::int64_t most);

} // namespace attnlab::ui
