#include "ui/widgets/message_bar.h"

#include "ui/widgets/label.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/wrapped_label.h"

#include <QAccessible>
#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>

#include <utility>

namespace attnlab::ui {

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent), label_(new WrappedLabel), action_(new QPushButton), other_action_(new QPushButton),
      close_(new QToolButton), timer_(new QTimer(this)) {
    setObjectName(QStringLiteral("messageBar"));
    setAutoFillBackground(true);
    setFrameShape(QFrame::StyledPanel);
    label_->setWordWrap(true);
    label_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    close_->setText(QStringLiteral("✕"));
    close_->setAutoRaise(true);
    action_->hide();
    other_action_->hide();
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 4, 6, 4);
    layout->addWidget(label_, 1);
    layout->addWidget(action_);
    layout->addWidget(other_action_);
    layout->addWidget(close_);
    timer_->setSingleShot(true);
    connect(timer_, &QTimer::timeout, this, &QWidget::hide);
    connect(close_, &QToolButton::clicked, this, [this] {
        hide();
        if (const auto declined = std::exchange(declined_, {}))
            declined();
    });
    connect(action_, &QPushButton::clicked, this, [this] { answer(clicked_); });
    connect(other_action_, &QPushButton::clicked, this, [this] { answer(other_clicked_); });
    retranslate();
    hide();
}

void MessageBar::showMessage(Kind kind, const QString& text, const QString& topic) {
    kind_ = kind;
    message_ = {};
    topic_ = topic;
    label_->setText(text);
    clicked_ = {};
    other_clicked_ = {};
    declined_ = {};
    action_->hide();
    other_action_->hide();
    paintKind();
    show();
    constexpr int notice_milliseconds = 8000;
    if (kind == Kind::Notice)
        timer_->start(notice_milliseconds);
    else
        timer_->stop();
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

void MessageBar::showMessage(Kind kind, const Message& message, const QString& topic) {
    showMessage(kind, translated(message), topic);
    message_ = message;
}

void MessageBar::showQuestion(const QString& text, const QString& button, std::function<void()> clicked,
                              std::function<void()> declined) {
    showMessage(Kind::Notice, text);
    timer_->stop();
    offer(button, std::move(clicked));
    declined_ = std::move(declined);
}

void MessageBar::offer(const QString& button, std::function<void()> clicked) {
    clicked_ = std::move(clicked);
    action_->setText(menuText(button));
    action_->show();
}

void MessageBar::offerToo(const QString& button, std::function<void()> clicked) {
    other_clicked_ = std::move(clicked);
    other_action_->setText(menuText(button));
    other_action_->show();
}

/// `clicked` may show another message.
void MessageBar::answer(std::function<void()>& clicked) {
    hide();
    declined_ = {};
    if (const auto answered = std::exchange(clicked, {}))
        answered();
}

void MessageBar::clear(const QString& topic) {
    if (topic_ == topic)
        hide();
}

QString MessageBar::text() const { return label_->text(); }

int MessageBar::widthOnOneLine() const {
    const auto margins = layout()->contentsMargins();
    int width = label_->fontMetrics().size(0, label_->text()).width() + margins.left() + margins.right() + 8;
    for (const QWidget* button : std::initializer_list<const QWidget*>{action_, other_action_, close_})
        if (!button->isHidden())
            width += layout()->spacing() + button->sizeHint().width();
    return width;
}

void MessageBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    // Setting our own palette sends another PaletteChange, which must not recurse.
    if (event->type() == QEvent::PaletteChange && !std::exchange(painting_, true)) {
        paintKind();
        painting_ = false;
    }
    QFrame::changeEvent(event);
}

void MessageBar::paintKind() {
    const bool error = kind_ == Kind::Error;
    auto colors = palette();
    colors.setColor(QPalette::Window, error ? theme().warning_soft : theme().accent_soft);
    colors.setColor(QPalette::WindowText, error ? theme().warning_text : theme().text);
    setPalette(colors);
    label_->setPalette(colors);
}

void MessageBar::retranslate() {
    close_->setAccessibleName(tr("Close this message"));
    close_->setToolTip(tr("Close this message"));
    setAccessibleName(tr("Message"));
    if (!message_.empty())
        label_->setText(translated(message_));
}

} // namespace attnlab::ui
