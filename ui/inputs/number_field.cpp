#include "ui/inputs/number_field.h"

#include "ui/inputs/number_entry.h"
#include "ui/theme.h"

namespace attnlab::ui {

NumberField::NumberField(double value, QWidget* parent) : QLineEdit(editText(value), parent) {
    connect(this, &QLineEdit::textChanged, this, [this] {
        mark();
        emit numberChanged();
    });
}

std::optional<double> NumberField::number() const { return typedNumber(text()); }

void NumberField::mark() {
    if (number()) {
        setPalette({});
        setToolTip({});
        return;
    }
    auto marked = palette();
    marked.setColor(QPalette::Text, theme().error_text);
    setPalette(marked);
    setToolTip(tr("This is no number"));
}

} // namespace attnlab::ui
