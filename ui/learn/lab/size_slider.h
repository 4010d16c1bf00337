// A size from a few to thousands: a slider with a logarithmic scale, and the number.
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

    /// The text before the number ("width d") and the accessible name.
    void setTitles(const QString& title, const QString& name);
    int value() const { return value_; }
    /// Does not emit changed().
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

    std::vector<int> sizes_; ///< the slider's values: eight per doubling, or all integers if fewer
    int value_;
    QLabel* title_;
    QSpinBox* number_;
    QSlider* slider_;
};

} // namespace attnlab::ui
