// A slider with a title and its value.
#pragma once

#include <cstdint>
#include <QWidget>
#include <vector>

class QLabel;
class QSlider;
class QSpinBox;

namespace attnlab::ui {

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
