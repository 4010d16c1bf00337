#include "ui/widgets/error_label.h"

#include "ui/widgets/text.h"

#include <QEvent>

namespace attnlab::ui {

ErrorLabel::ErrorLabel(QWidget* parent) : Label(parent) {
    setWordWrap(true);
    setForegroundRole(QPalette::BrightText);
    hide();
}

void ErrorLabel::say(const std::optional<Message>& error) {
    error_ = error;
    setText(error_ ? translated(*error_) : QString());
    setVisible(error_.has_value());
}

QString ErrorLabel::said() const { return isHidden() ? QString() : text(); }

void ErrorLabel::changeEvent(QEvent* event) {
    Label::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        say(error_);
}

} // namespace attnlab::ui
