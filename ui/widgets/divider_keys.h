// The keyboard way to move what separates two parts of a window.
#pragma once

#include <QObject>

#include <functional>
#include <optional>

class QWidget;

namespace attnlab::ui {

/// Makes a widget a divider that keys move while it has the focus: arrow keys by a step, Home and End to the ends.
/// Escape puts it back to where it was when it got the focus. A screen reader says its place, in pixels.
class DividerKeys : public QObject {
    Q_OBJECT
public:
    struct Ways {
        Qt::Orientation moves = Qt::Horizontal;
        std::function<int()> place;       ///< from the left or the top, in pixels
        std::function<void(int)> move_to; ///< as near to a place as the parts allow
        std::function<int()> room;        ///< the largest place
    };
    static constexpr int step = 16;

    DividerKeys(QWidget& divider, Ways ways);
    /// Those of a widget; null: it is no divider.
    static DividerKeys* of(const QWidget& widget);

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

} // namespace attnlab::ui
