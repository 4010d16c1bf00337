#include "ui/widgets/value_slider.h"

#include "ui/widgets/labels.h"

#include <algorithm>
#include <cmath>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <utility>

namespace attnlab::ui {
namespace {

constexpr int steps_to_a_doubling = 8;
constexpr int slider_lines = 10; ///< length of the slider in text lines

} // namespace

std::vector<std::int64_t> logarithmicChoices(std::int64_t least, std::int64_t most) {
    std::vector<std::int64_t> choices{least};
    for (int step = 0; choices.back() < most; ++step) {
        const double next = static_cast<double>(least) * std::exp2(static_cast<double>(step) / steps_to_a_doubling);
        if (const std::int64_t choice = std::llround(next); choice > choices.back())
            choices.push_back(std::min(choice, most));
    }
    return choices;
}

ValueSlider::ValueSlider(Value value, QWidget* parent)
    : QWidget(parent), title_(new Label(this)), number_(value == Value::Editable ? new QSpinBox(this) : nullptr),
      slider_(new QSlider(Qt::Horizontal, this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    row->addWidget(title_);
    if (number_) {
        number_->setKeyboardTracking(false); // typing 1024 must not give 1, 10 and 102 first
        title_->setBuddy(number_);
        row->addWidget(number_);
        slider_->setPageStep(steps_to_a_doubling);
        slider_->setMinimumWidth(slider_lines * fontMetrics().height());
        connect(number_, &QSpinBox::valueChanged, this, &ValueSlider::choose);
    } else {
        text_ = new Label(this);
        text_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        title_->setBuddy(slider_);
        row->addWidget(text_);
        slider_->setPageStep(1);
    }
    row->addWidget(slider_, 1);
    connect(slider_, &QSlider::valueChanged, this,
            [this](int step) { choose(choices_[static_cast<std::size_t>(step)]); });
    setChoices({0});
}

void ValueSlider::setTitles(const QString& title, const QString& name) {
    title_->setText(title);
    if (number_)
        number_->setAccessibleName(name);
    slider_->setAccessibleName(name);
    setToolTip(name); // not of its parts: a screen reader would say it twice
}

void ValueSlider::setChoices(std::vector<std::int64_t> choices) {
    if (choices.empty() || choices == choices_)
        return;
    choices_ = std::move(choices);
    const QSignalBlocker quiet_slider(slider_), quiet_number(number_);
    slider_->setRange(0, static_cast<int>(choices_.size()) - 1);
    if (number_)
        number_->setRange(static_cast<int>(choices_.front()), static_cast<int>(choices_.back()));
    else
        text_->setMinimumWidth(text_->fontMetrics().horizontalAdvance(QString::number(choices_.back())));
    setValue(value_);
}

int ValueSlider::nearest(std::int64_t value) const {
    const auto above = std::ranges::lower_bound(choices_, value);
    if (above == choices_.end() || *above == value || above == choices_.begin())
        return static_cast<int>(std::min(above - choices_.begin(), std::ssize(choices_) - 1));
    // As near as on a logarithmic scale.
    const auto below = std::prev(above);
    const bool is_below = static_cast<double>(value) * static_cast<double>(value) <
                          static_cast<double>(*below) * static_cast<double>(*above);
    return static_cast<int>((is_below ? below : above) - choices_.begin());
}

void ValueSlider::setValue(std::int64_t value) {
    const QSignalBlocker quiet_slider(slider_), quiet_number(number_);
    const int at = nearest(value);
    value_ = number_ ? std::clamp(value, choices_.front(), choices_.back()) : choices_[static_cast<std::size_t>(at)];
    slider_->setValue(at);
    if (number_)
        number_->setValue(static_cast<int>(value_));
    else
        text_->setText(QString::number(value_));
}

void ValueSlider::choose(std::int64_t value) {
    if (value == value_)
        return;
    setValue(value);
    emit chosen(value_);
}

} // namespace attnlab::ui
