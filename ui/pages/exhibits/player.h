// Buttons, a position and a speed for playing steps.
#pragma once

#include <QTimer>
#include <QWidget>

#include <array>

class QLabel;
class QSlider;
class QToolButton;

namespace attnlab::ui {

/// Plays from 0 to count() - 1 and stops there, and when hidden. Playing at the end restarts.
class Player : public QWidget {
    Q_OBJECT
public:
    explicit Player(QWidget* parent = nullptr);

    /// Keeps the position if its step still exists; otherwise goes to the last step.
    void setCount(int steps);
    int count() const { return count_; }
    int position() const { return position_; }
    bool isPlaying() const { return timer_.isActive(); }
    double stepsPerSecond() const;

    /// Handles Space, Left, Right, Home, End; returns true for these keys.
    bool pressKey(int key);

    QToolButton* playButton() const { return play_; }
    QSlider* positionSlider() const { return slider_; }
    QSlider* speedSlider() const { return speed_; }

public slots:
    void setPosition(int step);
    void play();
    void pause();
    void toggle();
    void stepForward();
    void stepBack();
    void toStart();
    void toEnd();

signals:
    void positionChanged(int step);

protected:
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Button {
        const char* icon;
        int key;
        const char* text;
        void (Player::*slot)();
        QToolButton* widget = nullptr;
    };
    void describeButtons();
    void refresh();
    void readSpeed();

    QTimer timer_;
    int count_ = 0;
    int position_ = 0;
    std::array<Button, 5> buttons_;
    QToolButton* play_;
    QSlider* slider_;
    QLabel* where_;
    QSlider* speed_;
};

} // namespace attnlab::ui
