#include "ui/widgets/labels.h"

#include "ui/widgets/popups.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <QEvent>
#include <QFontMetrics>
#include <QPainter>
#include <QStyle>
#include <QTextBoundaryFinder>

namespace attnlab::ui {
namespace {

constexpr int elided_fewest_letters = 3;

} // namespace

ElidedLabel::ElidedLabel(QWidget* parent) : Label(parent) {}

void ElidedLabel::setElideMode(Qt::TextElideMode mode) {
    mode_ = mode;
    update();
}

/// Selectable text is painted by QLabel.
bool ElidedLabel::isPlain() const {
    return textFormat() == Qt::PlainText && !(textInteractionFlags() & Qt::TextSelectableByMouse);
}

QSize ElidedLabel::sizeFor(int text_width) const {
    const QMargins margins = contentsMargins();
    const int around = 2 * (margin() + frameWidth());
    // With a margin against rounding.
    return QSize(text_width + 2 + around + margins.left() + margins.right(),
                 fontMetrics().height() + around + margins.top() + margins.bottom());
}

QSize ElidedLabel::sizeHint() const {
    return elides() ? sizeFor(fontMetrics().horizontalAdvance(text())) : QLabel::sizeHint();
}

QSize ElidedLabel::minimumSizeHint() const {
    if (!elides())
        return QLabel::minimumSizeHint();
    const int few = fontMetrics().averageCharWidth() * elided_fewest_letters;
    return sizeFor(std::min(few, fontMetrics().horizontalAdvance(text())));
}

namespace {

/// `cut` is the elided `whole`. Ends it behind a clause, if that leaves little of the line empty, or behind a word.
QString endedAtWord(const QString& whole, const QString& cut) {
    static const QStringList ends{QStringLiteral(" · "), QStringLiteral(": "), QStringLiteral(", "),
                                  QStringLiteral("; "),  QStringLiteral("："), QStringLiteral("，"),
                                  QStringLiteral("；"),  QStringLiteral(" ")};
    const qsizetype kept = cut.size() - 1; // before the dots
    for (const QString& end : ends) {
        // A clause may begin with the first letter that is cut off.
        const qsizetype at = whole.lastIndexOf(end, kept);
        const qsizetype least = end == QLatin1String(" ") ? kept / 2 : kept * 4 / 5;
        if (at > least && at <= kept)
            return whole.left(at) + QChar(0x2026);
    }
    return cut;
}

} // namespace

QString ElidedLabel::shownText() const {
    const int room = contentsRect().width() - 2 * margin();
    if (!elides())
        return text();
    const QString cut = fontMetrics().elidedText(text(), mode_, room);
    return mode_ != Qt::ElideRight || cut == text() || cut.size() < 2 ? cut : endedAtWord(text(), cut);
}

void ElidedLabel::paintEvent(QPaintEvent* event) {
    if (!isPlain())
        return QLabel::paintEvent(event);
    QPainter painter(this);
    drawFrame(&painter);
    const QRect room = contentsRect().adjusted(margin(), margin(), -margin(), -margin());
    const auto flags = static_cast<int>(QStyle::visualAlignment(layoutDirection(), alignment())) |
                       (wordWrap() ? Qt::TextWordWrap : Qt::TextSingleLine);
    style()->drawItemText(&painter, room, flags, palette(), isEnabled(), shownText(), foregroundRole());
}

bool ElidedLabel::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || !toolTip().isEmpty() || shownText() == text())
        return QLabel::event(event);
    showTip(*event, text(), *this);
    return true;
}

namespace {

/// `text` with each part between two line break opportunities cut to `width`.
QString wordsCutTo(int width, const QString& text, const QFontMetrics& metrics) {
    QTextBoundaryFinder breaks(QTextBoundaryFinder::Line, text);
    QString cut;
    for (qsizetype from = 0; from < text.size();) {
        const qsizetype next = breaks.toNextBoundary();
        const QString word = text.mid(from, (next < 0 ? text.size() : next) - from);
        from += std::max<qsizetype>(1, word.size());
        cut += metrics.horizontalAdvance(word.trimmed()) <= width
                   ? word
                   : metrics.elidedText(word.trimmed(), Qt::ElideRight, width) + QLatin1Char(' ');
    }
    return cut;
}

} // namespace

ElidedLabel* makeLineLabel(LineStyle style) {
    auto* line = new ElidedLabel;
    if (style == LineStyle::Muted)
        line->setForegroundRole(QPalette::PlaceholderText);
    QFont font = line->font();
    font.setBold(style == LineStyle::Bold);
    line->setFont(font);
    line->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    return line;
}

QSize WrappedLabel::sizeHint() const {
    return wordWrap() ? QSize(minimumWidth(), heightForWidth(std::max(width(), minimumWidth())))
                      : ElidedLabel::sizeHint();
}

QSize WrappedLabel::minimumSizeHint() const {
    return wordWrap() ? QSize(minimumWidth(), fontMetrics().height()) : ElidedLabel::minimumSizeHint();
}

int WrappedLabel::heightForWidth(int width) const {
    if (!wordWrap())
        return ElidedLabel::heightForWidth(width);
    auto* known = std::find_if(std::begin(latest_), std::end(latest_), [&](const Layout& layout) {
        return layout.width == width && layout.text == text() && layout.font == font();
    });
    if (known == std::end(latest_)) {
        known = std::end(latest_) - 1;
        *known = {text(), font(), width, Label::heightForWidth(width)};
    }
    std::rotate(std::begin(latest_), known, known + 1);
    return latest_[0].height;
}

QString WrappedLabel::shownText() const {
    if (!wordWrap() || textFormat() != Qt::PlainText)
        return ElidedLabel::shownText();
    return wordsCutTo(contentsRect().width() - 2 * margin(), text(), fontMetrics());
}

ErrorLabel::ErrorLabel(QWidget* parent) : Label(parent) {
    setWordWrap(true);
    setForegroundRole(QPalette::BrightText);
    hide();
}

void ErrorLabel::say(const std::optional<Message>& error) {
    setText(error ? translated(*error) : QString());
    setVisible(error.has_value());
}

QString ErrorLabel::said() const { return isHidden() ? QString() : text(); }

QString shortenedLabel(const QString& label, const QFontMetrics& metrics, int letters) {
    constexpr int most_letters = 256; // a longer text is wider than any heading
    return metrics.elidedText(label.left(most_letters).simplified(), Qt::ElideRight,
                              letters * metrics.averageCharWidth());
}

namespace {

constexpr int beside = 8, above = 2; ///< between the frame and the text

} // namespace

Badge::Badge(QWidget* parent) : Label(parent) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    hide();
}

void Badge::say(const QString& text, const QString& tip) {
    setText(text);
    setToolTip(tip);
    setAccessibleDescription(tip);
    setVisible(!text.isEmpty());
    updateGeometry();
}

QSize Badge::sizeHint() const {
    const QFontMetrics metrics(font());
    return {metrics.horizontalAdvance(text()) + 2 * beside, metrics.height() + 2 * above};
}

void Badge::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme().outline, 1.0));
    painter.setBrush(theme().window);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), height() / 2.0, height() / 2.0);
    painter.setPen(theme().text);
    painter.drawText(rect(), Qt::AlignCenter, text());
}

} // namespace attnlab::ui
