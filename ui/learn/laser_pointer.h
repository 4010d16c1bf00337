// A red dot that follows the mouse, for a projected presentation.
#pragma once

#include <QElapsedTimer>
#include <QPointF>
#include <QTimer>
#include <QWidget>

#include <deque>
#include <optional>

namespace attnlab::ui {

/// Covers a whole window, transparent for events. Marks the heatmap cell below it.
class LaserPointer : public QWidget {
    Q_OBJECT
public:
    /// Visible over `area`, a part of a window, while the mouse is in it.
    explicit LaserPointer(QWidget& area);
    ~LaserPointer() override;

    void setOn(bool on);
    bool isOn() const { return timer_.isActive(); }
    /// Its position in the area; nullopt while the mouse is elsewhere.
    std::optional<QPointF> position() const { return position_; }
    /// The marked cell, in the area; empty if there is none.
    QRectF markedCell() const { return cell_; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    struct Spot {
        QPointF position;
        qint64 time;
    };
    void follow();
    QRectF cellBelow(const QPointF& position) const;
    void hideArrow(bool hide);

    QWidget& area_;
    QTimer timer_;
    QElapsedTimer clock_;
    std::optional<QPointF> position_;
    std::deque<Spot> trail_;
    QRectF cell_;
    bool arrow_hidden_ = false;
};

} // namespace attnlab::ui
