#include "ui/error_label.h"

#include "ui/text.h"
#include "ui/theme.h"

#include <QEvent>

namespace attnlab::ui {

ErrorLabel::ErrorLabel(QWidget* parent) : Label(parent) {
    setWordWrap(true);
    paintRed();
    hide();
}

void ErrorLabel::say(const std::optional<Message>& error) {
    error_ = error;
    setText(error_ ? translated(*error_) : QString());
    setVisible(error_.has_value());
}

QString ErrorLabel::said() const { return isHidden() ? QString() : text(); }

void ErrorLabel::paintRed() {
    QPalette red = palette();
    red.setColor(QPalette::WindowText, theme().error_text);
    setPalette(red);
}

void ErrorLabel::changeEvent(QEvent* event) {
    Label::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        say(error_);
    // Setting the palette sends another PaletteChange: only a different colour may do so.
    if (event->type() == QEvent::PaletteChange && palette().color(QPalette::WindowText) != theme().error_text)
        paintRed();
}

} // namespace attnlab::ui
