#include "ui/widgets/error_label.h"

#include "ui/widgets/text.h"

namespace attnlab::ui {

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

} // namespace attnlab::ui
