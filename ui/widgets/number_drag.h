// Changing a number by dragging it to the left or the right.
#pragma once

#include <functional>
#include <QObject>
#include <QPoint>

class QMouseEvent;
class QWidget;

namespace attnlab::ui {

/// Watches a widget for a horizontal drag with the left button and counts steps of a few pixels: ten times as many with
/// Shift, a tenth with Alt or Ctrl. Escape, or a press of another button, ends the drag and brings the number before
/// back. The mouse has the shape of an arrow to both sides where a drag may begin.
class NumberDrag : public QObject {
    Q_OBJECT
public:
    explicit NumberDrag(QWidget& target);

    /// Where a drag may begin, in the widget; by default everywhere.
    void setWhere(std::function<bool(const QPoint&)> where) { where_ = std::move(where); }
    bool isDragging() const { return dragging_; }

signals:
    void began();
    /// The steps since the beginning.
    void moved(double steps);
    /// `kept` is false after Escape.
    void ended(bool kept);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool move(const QMouseEvent& event);
    void end(bool kept);

    QWidget& target_;
    std::function<bool(const QPoint&)> where_;
    bool pressed_ = false, dragging_ = false, has_shape_ = false;
    QPoint pressed_at_;
    double last_x_ = 0.0, steps_ = 0.0;
};

/// `start` after so many steps of a tenth of its leading digit's place; whole numbers move by 1. Rounded so that binary
/// errors do not show.
double draggedNumber(double start, double steps, bool is_whole);

} // namespace attnlab::ui
