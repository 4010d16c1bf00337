#include "ui/widgets/message_bar.h"

#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/state_box.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <new>
#include <QAccessible>
#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>
#include <utility>

namespace attnlab::ui {
namespace {

Sign signOf(MessageBar::Kind kind) {
    switch (kind) {
    case MessageBar::Kind::Error:
        return Sign::Error;
    case MessageBar::Kind::Warning:
        return Sign::Warning;
    case MessageBar::Kind::Notice:
        break;
    }
    return Sign::Notice;
}

} // namespace

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent), mark_(new MessageIcon(this)),
      label_(new WrappedLabel), action_{new QPushButton}, other_action_{new QPushButton}, close_(new QToolButton),
      timer_(new QTimer(this)) {
    setObjectName(QStringLiteral("messageBar"));
    label_->setWordWrap(true);
    label_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    close_->setText(QStringLiteral("✕"));
    close_->setAutoRaise(true);
    close_->setFocusPolicy(Qt::StrongFocus);
    action_.button->hide();
    other_action_.button->hide();
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(metrics::side_padding, 3, 4, 3);
    layout->setSpacing(metrics::gap);
    layout->addWidget(mark_);
    layout->addWidget(label_, 1);
    layout->addWidget(action_.button);
    layout->addWidget(other_action_.button);
    layout->addWidget(close_);
    timer_->setSingleShot(true);
    connect(timer_, &QTimer::timeout, this, &QWidget::hide);
    connect(close_, &QToolButton::clicked, this, [this] {
        hide();
        if (const auto declined = std::exchange(declined_, {}))
            declined();
        emit closed(topic_);
    });
    for (auto* offer : {&action_, &other_action_})
        connect(offer->button, &QPushButton::clicked, this, [this, offer] { answer(*offer); });
    retranslate();
    hide();
}

void MessageBar::showMessage(Kind kind, const QString& text, const QString& topic) {
    kind_ = kind;
    words_ = {};
    topic_ = topic;
    label_->setText(text);
    for (auto* offer : {&action_, &other_action_}) {
        offer->clicked = {};
        offer->button->hide();
    }
    declined_ = {};
    takeColors();
    nameKind();
    show();
    constexpr int notice_milliseconds = 8000;
    if (kind == Kind::Notice)
        timer_->start(notice_milliseconds);
    else
        timer_->stop();
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

void MessageBar::showMessage(Kind kind, Words words, const QString& topic) {
    showMessage(kind, words(), topic);
    words_ = std::move(words);
}

void MessageBar::showMessage(Kind kind, const Message& message, const QString& topic) {
    showMessage(
        kind, [message] { return translated(message); }, topic);
}

void MessageBar::showQuestion(Words text, Words button, std::function<void()> clicked, std::function<void()> declined) {
    showMessage(Kind::Notice, std::move(text));
    timer_->stop();
    offer(std::move(button), std::move(clicked));
    declined_ = std::move(declined);
}

void MessageBar::offer(Words button, std::function<void()> clicked) {
    setOffer(action_, std::move(button), std::move(clicked));
}

void MessageBar::alsoOffer(Words button, std::function<void()> clicked) {
    setOffer(other_action_, std::move(button), std::move(clicked));
}

void MessageBar::setOffer(Offer& offer, Words words, std::function<void()> clicked) {
    offer.words = std::move(words);
    offer.clicked = std::move(clicked);
    offer.button->setText(menuText(offer.words()));
    offer.button->show();
}

/// What was clicked may show another message.
void MessageBar::answer(Offer& offer) {
    hide();
    declined_ = {};
    if (const auto answered = std::exchange(offer.clicked, {}))
        answered();
}

void MessageBar::clear(const QString& topic) {
    if (topic_ == topic)
        hide();
}

QString MessageBar::text() const { return label_->text(); }

int MessageBar::widthOnOneLine() const {
    const auto margins = layout()->contentsMargins();
    int width = label_->fontMetrics().size(0, label_->text()).width() + margins.left() + margins.right() + 8 +
                mark_->sizeHint().width() + layout()->spacing();
    for (const QWidget* button : std::initializer_list<const QWidget*>{action_.button, other_action_.button, close_})
        if (!button->isHidden())
            width += layout()->spacing() + button->sizeHint().width();
    return width;
}

void MessageBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    // Setting our own palette sends another PaletteChange, which must not recurse.
    if (event->type() == QEvent::PaletteChange && !std::exchange(coloring_, true)) {
        takeColors();
        coloring_ = false;
    }
    QFrame::changeEvent(event);
}

void MessageBar::paintEvent(QPaintEvent*) {
    const auto colors = colorsOf(signOf(kind_));
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colors.sign, metrics::border));
    painter.setBrush(colors.back);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), metrics::radius, metrics::radius);
}

void MessageBar::takeColors() {
    const auto used = colorsOf(signOf(kind_));
    auto colors = palette();
    colors.setColor(QPalette::Window, used.back);
    colors.setColor(QPalette::WindowText, used.text);
    setPalette(colors);
    label_->setPalette(colors);
    mark_->setColors(used.sign, used.back);
    update();
}

void MessageBar::nameKind() {
    const QString words = kind_ == Kind::Error ? tr("Error") : kind_ == Kind::Warning ? tr("Warning") : tr("Message");
    mark_->setKind(kind_);
    mark_->setAccessibleName(words);
    setAccessibleName(words + QStringLiteral(": ") + text());
}

void MessageBar::retranslate() {
    close_->setAccessibleName(tr("Close this message"));
    close_->setToolTip(tr("Close this message"));
    if (words_)
        label_->setText(words_());
    for (const auto* offer : {&action_, &other_action_})
        if (offer->words)
            offer->button->setText(menuText(offer->words()));
    nameKind();
}

void MessageIcon::setKind(MessageBar::Kind kind) {
    kind_ = kind;
    update();
}

void MessageIcon::setColors(const QColor& sign, const QColor& cut_out) {
    sign_ = sign;
    cut_out_ = cut_out;
    update();
}

QSize MessageIcon::sizeHint() const {
    const int side = controlHeight(font()) * metrics::indicator / metrics::control_height + 2;
    return {side, side};
}

void MessageIcon::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const double side = std::min(width(), height());
    const QRectF square(QRectF(rect()).center() - QPointF(side, side) / 2, QSizeF(side, side));
    paintSign(painter, square, signOf(kind_), sign_, cut_out_);
}

const FailureMessages computing_failed{ATTNLAB_TEXT("There is not enough memory for this computation"),
                                       ATTNLAB_TEXT("The computation failed: %1")};
const FailureMessages reading_failed{ATTNLAB_TEXT("There is not enough memory to read this file"),
                                     ATTNLAB_TEXT("The file cannot be read: %1")};
const FailureMessages writing_failed{ATTNLAB_TEXT("There is not enough memory to write this file"),
                                     ATTNLAB_TEXT("The file cannot be written: %1")};

const FailureMessages handling_failed{ATTNLAB_TEXT("There is not enough memory for this"),
                                      ATTNLAB_TEXT("This failed: %1")};

std::optional<Message> caughtFailure(const std::function<void()>& work, const FailureMessages& words) {
    try {
        work();
    } catch (const Cancelled&) {
    } catch (const Error& error) {
        return error.message();
    } catch (const std::bad_alloc&) {
        return Message(words.no_memory);
    } catch (const std::exception& error) {
        return Message(words.other, {error.what()});
    } catch (...) {
        return Message(words.other, {Message(ATTNLAB_TEXT("an unknown error"))});
    }
    return std::nullopt;
}

} // namespace attnlab::ui
