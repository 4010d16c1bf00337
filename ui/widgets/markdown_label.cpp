#include "ui/widgets/markdown_label.h"

#include <QEvent>
#include <QTextDocument>

namespace attnlab::ui {

MarkdownLabel::MarkdownLabel(QWidget* parent, TextSpacing spacing) : WrappedLabel(parent), spacing_(spacing) {
    setTextFormat(Qt::RichText);
    setWordWrap(true);
}

void MarkdownLabel::setSource(const QString& markdown) {
    if (markdown == markdown_)
        return;
    markdown_ = markdown;
    renew();
}

void MarkdownLabel::renew() {
    setText(markdown_.isEmpty() ? QString() : textDocument(markdown_, font(), {}, spacing_)->toHtml());
}

void MarkdownLabel::changeEvent(QEvent* event) {
    WrappedLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        renew();
}

} // namespace attnlab::ui
