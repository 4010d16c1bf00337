#include "ui/pages/exhibits/player.h"

#include "core/lookup.h"
#include "ui/widgets/card.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
namespace {

constexpr double slowest = 0.5;     ///< steps per second
constexpr int player_doublings = 6; ///< from the slowest to the fastest
constexpr int notches = 2;          ///< of the slider, per doubling

} // namespace

Player::Player(QWidget* parent)
    : QWidget(parent), buttons_{{{"to-start", Qt::Key_Home, QT_TR_NOOP("To the start"), &Player::toStart},
                                 {"step-back", Qt::Key_Left, QT_TR_NOOP("One step back"), &Player::stepBack},
                                 {"play", Qt::Key_Space, QT_TR_NOOP("Play"), &Player::toggle},
                                 {"step-forward", Qt::Key_Right, QT_TR_NOOP("One step forward"), &Player::stepForward},
                                 {"to-end", Qt::Key_End, QT_TR_NOOP("To the end"), &Player::toEnd}}} {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2);
    for (auto& button : buttons_) {
        button.widget = new QToolButton(this);
        button.widget->setAutoRaise(true);
        connect(button.widget, &QToolButton::clicked, this, button.slot);
        row->addWidget(button.widget);
    }
    WidgetShortcuts keys{tr("Steps and tiles"), {}};
    for (const auto& button : buttons_)
        keys.keys << OwnKey{QKeySequence(button.key).toString(QKeySequence::NativeText), tr(button.text)};
    declareShortcuts(*this, keys);
    play_ = buttons_[2].widget;
    slider_ = new QSlider(Qt::Horizontal, this);
    slider_->setMinimumWidth(60);
    where_ = mutedLabel(this);
    auto* speed_label = mutedLabel(this);
    speed_label->setText(tr("speed"));
    speed_ = new QSlider(Qt::Horizontal, this);
    speed_label->setBuddy(speed_);
    speed_->setRange(0, player_doublings * notches);
    speed_->setValue(2 * notches);
    speed_->setPageStep(notches);
    speed_->setFixedWidth(90);

    row->addSpacing(6);
    row->addWidget(slider_, 1);
    row->addSpacing(6);
    row->addWidget(where_);
    row->addSpacing(12);
    row->addWidget(speed_label);
    row->addSpacing(4);
    row->addWidget(speed_);

    connect(slider_, &QSlider::valueChanged, this, &Player::setPosition);
    connect(speed_, &QSlider::valueChanged, this, &Player::readSpeed);
    connect(&timer_, &QTimer::timeout, this, [this] {
        setPosition(position_ + 1);
        if (position_ + 1 >= count_)
            pause();
    });
    slider_->setAccessibleName(tr("Step"));
    speed_->setAccessibleName(tr("Speed"));
    readSpeed();
    describeButtons();
    refresh();
}

double Player::stepsPerSecond() const { return slowest * std::exp2(speed_->value() / double{notches}); }

void Player::readSpeed() {
    timer_.setInterval(static_cast<int>(std::lround(1000.0 / stepsPerSecond())));
    refresh();
}

void Player::setCount(int steps) {
    count_ = std::max(0, steps);
    if (count_ < 2)
        pause();
    {
        const QSignalBlocker quiet(slider_);
        slider_->setRange(0, std::max(0, count_ - 1));
    }
    const int before = position_;
    position_ = std::clamp(position_, 0, std::max(0, count_ - 1));
    refresh();
    if (position_ != before)
        emit positionChanged(position_);
}

void Player::setPosition(int step) {
    step = std::clamp(step, 0, std::max(0, count_ - 1));
    if (step == position_)
        return;
    position_ = step;
    refresh();
    emit positionChanged(position_);
}

void Player::play() {
    if (count_ < 2)
        return;
    if (position_ + 1 >= count_)
        setPosition(0);
    timer_.start();
    describeButtons();
}

void Player::pause() {
    timer_.stop();
    describeButtons();
}

void Player::toggle() { isPlaying() ? pause() : play(); }

void Player::stepForward() {
    pause();
    setPosition(position_ + 1);
}

void Player::stepBack() {
    pause();
    setPosition(position_ - 1);
}

void Player::toStart() {
    pause();
    setPosition(0);
}

void Player::toEnd() {
    pause();
    setPosition(count_ - 1);
}

bool Player::pressKey(int key) {
    const Button* found = lookup(buttons_, key, &Button::key);
    if (!found)
        return false;
    (this->*found->slot)();
    return true;
}

void Player::refresh() {
    const QSignalBlocker quiet(slider_);
    slider_->setValue(position_);
    const bool first = position_ == 0, last = position_ + 1 >= count_;
    const bool enabled[] = {!first, !first, count_ > 1, !last, !last};
    for (std::size_t k = 0; k < buttons_.size(); ++k)
        buttons_[k].widget->setEnabled(enabled[k]);
    slider_->setEnabled(count_ > 1);
    where_->setText(count_ > 0 ? tr("%1 of %2").arg(position_ + 1).arg(count_) : QString());
    // The maximum width: the slider must not move while playing.
    where_->setMinimumWidth(where_->fontMetrics().horizontalAdvance(tr("%1 of %2").arg(count_).arg(count_)) + 2);
    speed_->setToolTip(tr("%1 steps a second").arg(stepsPerSecond(), 0, 'g', 3));
}

void Player::describeButtons() {
    for (const auto& button : buttons_) {
        const bool pauses = button.widget == play_ && isPlaying();
        const QString text = pauses ? tr("Pause") : tr(button.text);
        button.widget->setIcon(icon(QLatin1String(pauses ? "pause" : button.icon)));
        button.widget->setAccessibleName(text);
        button.widget->setToolTip(
            QStringLiteral("%1 (%2)").arg(text, QKeySequence(button.key).toString(QKeySequence::NativeText)));
    }
}

void Player::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    pause();
}

void Player::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        refresh();
}

} // namespace attnlab::ui
