#include "ui/panels/inputs/number_line.h"

#include "ui/panels/inputs/number_entry.h"
#include "ui/widgets/theme.h"

namespace attnlab::ui {

NumberLine::NumberLine(double value, QWidget* parent) : QLineEdit(editText(value), parent) {
    connect(this, &QLineEdit::textChanged, this, [this] {
        mark();
        emit numberChanged();
    });
}

std::optional<double> NumberLine::number() const { return typedNumber(text()); }

void NumberLine::mark() {
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
