// Keyboard access: shortcuts of widgets, roving focus, and dividers that keys can move.
#pragma once

#include <functional>
#include <optional>
#include <QList>
#include <QMetaType>
#include <QObject>
#include <QSplitter>
#include <QString>

class QWidget;

namespace attnlab::ui {

struct OwnKey {
    QString keys; ///< "Enter", "Shift + arrow keys"
    QString does;

    bool operator==(const OwnKey&) const = default;
};

/// The keys of one kind of widget.
struct WidgetShortcuts {
    QString place; ///< the user's name for it
    QList<OwnKey> keys;
};

/// Called by a widget beside the code that handles these keys.
void declareShortcuts(QWidget& widget, const WidgetShortcuts& keys);

/// Those of all widgets in `window`, shown or not: each place once, in the order of the widgets.
QList<WidgetShortcuts> declaredKeys(const QWidget& window);

} // namespace attnlab::ui

Q_DECLARE_METATYPE(attnlab::ui::WidgetShortcuts)

// Where a frame shows the focus.

namespace attnlab::ui {

/// The widget has the focus, and its user works with the keyboard: after a press of the mouse no frame is needed until
/// the next key, as in browsers. Fields for text show their focus always.
bool showsFocus(const QWidget& widget);

} // namespace attnlab::ui

// Buttons that are one stop of the Tab key.

class QWidget;

namespace attnlab::ui {

/// Tab goes to one of the members, the latest that had the focus; arrow keys, Home and End move between them.
class RovingFocus : public QObject {
    Q_OBJECT
public:
    /// In this order.
    RovingFocus(QList<QWidget*> members, QObject* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// Stops at the latest that had the focus, or the first, of those that can have it.
    void settle();
    void stopAt(QWidget* member);
    bool move(qsizetype from, int key);

    QList<QWidget*> members_;
    QWidget* stop_ = nullptr;
    QWidget* latest_ = nullptr; ///< with the focus
};

} // namespace attnlab::ui

// The keyboard way to move what separates two parts of a window.

class QWidget;

namespace attnlab::ui {

/// Makes a widget a divider that keys move while it has the focus: arrow keys by a step, Home and End to the ends.
/// Escape puts it back to where it was when it got the focus. A screen reader reads its position in pixels.
class DividerShortcuts : public QObject {
    Q_OBJECT
public:
    struct Ways {
        Qt::Orientation moves = Qt::Horizontal;
        std::function<int()> place;       ///< from the left or the top, in pixels
        std::function<void(int)> move_to; ///< as near to a place as the parts allow
        std::function<int()> room;        ///< the largest place
    };
    static constexpr int step = 16;

    DividerShortcuts(QWidget& divider, Ways ways);
    /// Those of a widget; null: it is no divider.
    static DividerShortcuts* of(const QWidget& widget);

    int place() const { return ways_.place(); }
    int room() const { return ways_.room(); }
    void moveTo(int place);

    bool eventFilter(QObject* watched, QEvent* event) override;

signals:
    void left(); ///< by Enter or Escape

private:
    bool press(int key);

    QWidget& divider_;
    Ways ways_;
    int before_ = 0;
};

/// A QSplitter whose dividers are stops of the Tab key.
/// The keys are listed in DividerShortcuts.
class Splitter : public QSplitter {
    Q_OBJECT
public:
    explicit Splitter(Qt::Orientation orientation, QWidget* parent = nullptr);

    /// Read by a screen reader for the divider before the part `index`, counted from 0: "Width of the list".
    void setDividerName(int index, const QString& name) { handle(index)->setAccessibleName(name); }

protected:
    QSplitterHandle* createHandle() override;
};

/// Paints a divider: a short bar, with the focus a long one.
void paintDivider(QWidget& divider, Qt::Orientation moves);

} // namespace attnlab::ui
