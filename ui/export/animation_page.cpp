#include "ui/export/animation_page.h"

#include "ui/label.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QFormLayout>
#include <QSpinBox>

#include <algorithm>

namespace attnlab::ui {

AnimationPage::AnimationPage(QWidget* parent)
    : QWidget(parent), seconds_(new QDoubleSpinBox(this)), first_(new QSpinBox(this)), last_(new QSpinBox(this)),
      loop_(new QCheckBox(this)), length_(new Label(this)), form_(new QFormLayout(this)) {
    seconds_->setObjectName(QStringLiteral("seconds"));
    first_->setObjectName(QStringLiteral("first"));
    last_->setObjectName(QStringLiteral("last"));
    loop_->setObjectName(QStringLiteral("loop"));
    seconds_->setRange(0.05, 60.0);
    seconds_->setSingleStep(0.25);
    seconds_->setValue(1.5);
    loop_->setChecked(true);
    length_->setForegroundRole(QPalette::PlaceholderText);
    form_->setContentsMargins(0, 0, 0, 0);
    form_->addRow(new Label(this), seconds_);
    form_->addRow(new Label(this), first_);
    form_->addRow(new Label(this), last_);
    form_->addRow(QString(), loop_);
    form_->addRow(QString(), length_);
    connect(seconds_, &QDoubleSpinBox::valueChanged, this, &AnimationPage::showLength);
    connect(first_, &QSpinBox::valueChanged, this, [this](int first) {
        last_->setMinimum(first);
        showLength();
    });
    connect(last_, &QSpinBox::valueChanged, this, &AnimationPage::showLength);
    setCount(1);
    retranslate();
}

void AnimationPage::setCount(int steps) {
    first_->setRange(1, std::max(1, steps));
    last_->setRange(1, std::max(1, steps));
    first_->setValue(1);
    last_->setValue(steps);
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

void AnimationPage::retranslate() {
    const auto name = [this](QWidget* field, const QString& text) {
        if (auto* label = qobject_cast<QLabel*>(form_->labelForField(field)))
            label->setText(text);
        field->setAccessibleName(text);
    };
    name(seconds_, tr("Time a step"));
    name(first_, tr("First step"));
    name(last_, tr("Last step"));
    seconds_->setSuffix(tr(" s"));
    loop_->setText(tr("Start anew at the end"));
    showLength();
}

void AnimationPage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
}

} // namespace attnlab::ui
