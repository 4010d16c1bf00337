#include "ui/learn/lab/size_slider.h"

#include "ui/widgets/label.h"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
namespace {

constexpr int steps_to_a_doubling = 8;
constexpr int slider_lines = 10; ///< length of the slider in text lines

std::vector<int> sizesBetween(int least, int most) {
    std::vector<int> sizes{least};
    for (int step = 0; sizes.back() < most; ++step) {
        const int size =
            static_cast<int>(std::lround(least * std::exp2(static_cast<double>(step) / steps_to_a_doubling)));
        if (size > sizes.back())
            sizes.push_back(std::min(size, most));
    }
    return sizes;
}

} // namespace

SizeSlider::SizeSlider(int least, int most, QWidget* parent)
    : QWidget(parent), sizes_(sizesBetween(least, most)), value_(least), title_(new Label(this)),
      number_(new QSpinBox(this)), slider_(new QSlider(Qt::Horizontal, this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    row->addWidget(title_);
    row->addWidget(number_);
    row->addWidget(slider_, 1);
    title_->setBuddy(number_);
    number_->setRange(least, most);
    number_->setKeyboardTracking(false); // typing 1024 must not give 1, 10 and 102 first
    slider_->setRange(0, static_cast<int>(sizes_.size()) - 1);
    slider_->setPageStep(steps_to_a_doubling);
    slider_->setMinimumWidth(slider_lines * fontMetrics().height());
    connect(number_, &QSpinBox::valueChanged, this, &SizeSlider::choose);
    connect(slider_, &QSlider::valueChanged, this,
            [this](int step) { choose(sizes_[static_cast<std::size_t>(step)]); });
}

void SizeSlider::setTitles(const QString& title, const QString& name) {
    title_->setText(title);
    number_->setAccessibleName(name);
    slider_->setAccessibleName(name);
    setToolTip(name); // not of its parts: a screen reader would say it twice
}

int SizeSlider::nearest(int value) const {
    const auto distance = [value](int size) {
        return std::abs(std::log(static_cast<double>(size) / std::max(1, value)));
    };
    return static_cast<int>(std::ranges::min_element(sizes_, {}, distance) - sizes_.begin());
}

void SizeSlider::show(int value) {
    value_ = value;
    const QSignalBlocker quiet_number(number_), quiet_slider(slider_);
    number_->setValue(value);
    if (sizes_[static_cast<std::size_t>(slider_->value())] != value)
        slider_->setValue(nearest(value));
}

void SizeSlider::setValue(int value) {
    value = std::clamp(value, sizes_.front(), sizes_.back());
    if (value != value_)
        show(value);
}

void SizeSlider::choose(int value) {
    if (value == value_)
        return;
    show(value);
    emit changed(value);
}

} // namespace attnlab::ui
