#include "ui/widgets/message_bar.h"

#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <numbers>
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

struct KindColors {
    QColor back, text, mark;
};

KindColors colorsOf(MessageBar::Kind kind) {
    const Theme& look = theme();
    switch (kind) {
    case MessageBar::Kind::Error:
        return {look.error_soft, look.error_text, look.error_text};
    case MessageBar::Kind::Warning:
        return {look.warning_soft, look.warning_text, look.warning_text};
    case MessageBar::Kind::Notice:
        break;
    }
    return {look.accent_soft, look.text, look.accent};
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
    const auto colors = colorsOf(kind_);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colors.mark, metrics::border));
    painter.setBrush(colors.back);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), metrics::radius, metrics::radius);
}

void MessageBar::takeColors() {
    const auto used = colorsOf(kind_);
    auto colors = palette();
    colors.setColor(QPalette::Window, used.back);
    colors.setColor(QPalette::WindowText, used.text);
    setPalette(colors);
    label_->setPalette(colors);
    mark_->setColors(used.mark, used.back);
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

namespace {

QPolygonF octagonIn(const QRectF& square) {
    QPolygonF corners;
    for (int i = 0; i < 8; ++i) {
        const double angle = (i + 0.5) * std::numbers::pi / 4;
        corners << square.center() + QPointF(std::cos(angle), std::sin(angle)) * (square.width() / 2);
    }
    return corners;
}

} // namespace

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
    painter.setRenderHint(QPainter::Antialiasing);
    const double side = std::min(width(), height());
    const QRectF square(QRectF(rect()).center() - QPointF(side, side) / 2, QSizeF(side, side));
    const auto at = [&](double x, double y) { return square.topLeft() + QPointF(x, y) * side; };
    painter.setPen(Qt::NoPen);
    painter.setBrush(sign_);
    const QPen line(cut_out_, side / 9, Qt::SolidLine, Qt::RoundCap);
    switch (kind_) {
    case MessageBar::Kind::Notice:
        painter.drawEllipse(square);
        painter.setPen(line);
        painter.drawPoint(at(0.5, 0.28));
        painter.drawLine(at(0.5, 0.46), at(0.5, 0.74));
        break;
    case MessageBar::Kind::Warning:
        painter.drawPolygon(QPolygonF{at(0.5, 0.02), at(1.0, 0.95), at(0.0, 0.95)});
        painter.setPen(line);
        painter.drawLine(at(0.5, 0.36), at(0.5, 0.6));
        painter.drawPoint(at(0.5, 0.79));
        break;
    case MessageBar::Kind::Error:
        painter.drawPolygon(octagonIn(square));
        painter.setPen(line);
        painter.drawLine(at(0.34, 0.34), at(0.66, 0.66));
        painter.drawLine(at(0.66, 0.34), at(0.34, 0.66));
        break;
    }
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
