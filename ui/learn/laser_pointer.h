// A red dot that follows the mouse, for people who look at a projection.
#pragma once

#include <QElapsedTimer>
#include <QPointF>
#include <QTimer>
#include <QWidget>

#include <deque>
#include <optional>

namespace attnlab::ui {

/// Lies over a whole window and lets every event through. Marks the cell of a heatmap that it points at.
class LaserPointer : public QWidget {
    Q_OBJECT
public:
    /// Shines over `area`, a part of a window, as long as the mouse is in it.
    explicit LaserPointer(QWidget& area);
    ~LaserPointer() override;

    void setOn(bool on);
    bool isOn() const { return timer_.isActive(); }
    /// Where it points, in the area; nothing while the mouse is elsewhere.
    std::optional<QPointF> position() const { return position_; }
    /// The cell that it marks, in the area; empty where there is none.
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
