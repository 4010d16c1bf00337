// A size from a few to thousands: a slider that doubles in equal steps, and the number itself.
#pragma once

#include <QWidget>

#include <vector>

class QLabel;
class QSlider;
class QSpinBox;

namespace attnlab::ui {

class SizeSlider : public QWidget {
    Q_OBJECT
public:
    SizeSlider(int least, int most, QWidget* parent = nullptr);

    /// What stands before the number ("width d") and what a screen reader says.
    void setTitles(const QString& title, const QString& name);
    int value() const { return value_; }
    /// Not by the user.
    void setValue(int value);

    QSlider* slider() const { return slider_; }
    QSpinBox* number() const { return number_; }

signals:
    /// By the user.
    void changed(int value);

private:
    void show(int value);
    void choose(int value);
    int nearest(int value) const;

    std::vector<int> sizes_; ///< of the slider's steps: eight to a doubling, each integer while they are closer
    int value_;
    QLabel* title_;
    QSpinBox* number_;
    QSlider* slider_;
};

} // namespace attnlab::ui
