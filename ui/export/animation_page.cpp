#include "ui/export/animation_page.h"

#include "ui/widgets/labels.h"

#include <algorithm>
#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QSpinBox>

namespace attnlab::ui {

AnimationPage::AnimationPage(int steps, QWidget* parent)
    : QWidget(parent), seconds_(new QDoubleSpinBox(this)), first_(new QSpinBox(this)), last_(new QSpinBox(this)),
      loop_(new QCheckBox(tr("Loop"), this)), length_(new Label(this)) {
    seconds_->setObjectName(QStringLiteral("seconds"));
    first_->setObjectName(QStringLiteral("first"));
    last_->setObjectName(QStringLiteral("last"));
    loop_->setObjectName(QStringLiteral("loop"));
    seconds_->setRange(0.05, 60.0);
    seconds_->setSingleStep(0.25);
    seconds_->setValue(1.5);
    seconds_->setSuffix(tr(" s"));
    for (auto* end : {first_, last_})
        end->setRange(1, std::max(1, steps));
    last_->setValue(steps);
    loop_->setChecked(true);
    length_->setForegroundRole(QPalette::PlaceholderText);
    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    const auto add = [this, form](const QString& text, QWidget* field) {
        auto* label = new Label(text, this);
        label->setBuddy(field);
        form->addRow(label, field);
        field->setAccessibleName(text);
    };
    add(tr("Time a step"), seconds_);
    add(tr("First step"), first_);
    add(tr("Last step"), last_);
    form->addRow(QString(), loop_);
    form->addRow(QString(), length_);
    connect(seconds_, &QDoubleSpinBox::valueChanged, this, &AnimationPage::showLength);
    connect(first_, &QSpinBox::valueChanged, this, [this](int first) {
        last_->setMinimum(first);
        showLength();
    });
    connect(last_, &QSpinBox::valueChanged, this, &AnimationPage::showLength);
    showLength();
}

AnimationOptions AnimationPage::options(const FigureOptions& figure) const {
    AnimationOptions options;
    options.figure = figure;
    options.seconds = seconds_->value();
    options.loop = loop_->isChecked();
    options.first = first_->value() - 1;
    options.last = last_->value() - 1;
    return options;
}

void AnimationPage::showLength() {
    const int steps = last_->value() - first_->value() + 1;
    const double seconds = (steps - 1) * seconds_->value() + std::max(seconds_->value(), least_last);
    length_->setText(tr("%n steps, %1 seconds", nullptr, steps).arg(seconds, 0, 'f', 1));
}

} // namespace attnlab::ui
