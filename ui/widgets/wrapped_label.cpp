#include "ui/widgets/wrapped_label.h"

#include <QTextBoundaryFinder>

#include <algorithm>

namespace attnlab::ui {
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

} // namespace attnlab::ui
